//! Text -> tokens: one rule, everywhere, so that a model reads a text as it was trained to.
//!
//! 1. Unicode normalisation form NFKC, then lower case.
//! 2. Where a script writes spaces between words: words as in Unicode annex 29, split again at
//!    the marks inside them, so that French `l'eau` holds `eau` and `os.path` holds `path`;
//!    Swahili `ng'`, one letter, stays whole.
//! 3. Where it does not (Chinese, Japanese, Thai, Lao, Khmer, Burmese): overlapping pairs of
//!    characters, so that such a text never silently matches nothing.
//!
//! Punctuation and symbols are dropped.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// The rule's name in a model file.
pub const RULE: &str = "unicode-words";
/// The rule's version in a model file: it changes whenever any text would split differently.
pub const VERSION: u32 = 1;

/// The tokens of a text, in order.
///
/// ```
/// use smooth_clir::text::tokens;
/// assert_eq!(tokens("L'eau de la Forêt!"), ["l", "eau", "de", "la", "forêt"]);
/// assert_eq!(tokens("東京都"), ["東京", "京都"]);
/// ```
pub fn tokens(text: &str) -> Vec<String> {
    let normal = text.nfkc().collect::<String>().to_lowercase();
    let mut found = Vec::new();
    let mut rest = normal.as_str();
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest
            .char_indices()
            .find(|&(_, c)| is_unspaced(c) != unspaced)
            .map_or(rest.len(), |(at, _)| at);
        let (run, after) = rest.split_at(end);
        if unspaced {
            push_bigrams(run, &mut found);
        } else {
            push_words(run, &mut found);
        }
        rest = after;
    }
    found
}

fn push_words(run: &str, found: &mut Vec<String>) {
    for word in run.unicode_words() {
        let mut start = 0;
        for (at, mark) in word.match_indices(is_mark) {
            let (before, after) = (&word[start..at], &word[at + mark.len()..]);
            let apostrophe = matches!(mark, "'" | "\u{2019}");
            if apostrophe && before.ends_with("ng") && after.starts_with(is_vowel) {
                continue;
            }
            push_word(before, found);
            start = at + mark.len();
        }
        push_word(&word[start..], found);
    }
}

fn push_word(word: &str, found: &mut Vec<String>) {
    if !word.is_empty() {
        found.push(word.replace('\u{2019}', "'"));
    }
}

fn push_bigrams(run: &str, found: &mut Vec<String>) {
    let characters: Vec<char> = run.chars().collect();
    if let [only] = characters[..] {
        found.push(only.into());
    }
    for pair in characters.windows(2) {
        found.push(pair.iter().collect());
    }
}

/// What annex 29 lets stand between the letters and digits of one word.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{2019}' | '\u{2018}' | '\u{b7}' | '\u{2027}' | '\u{203f}')
}

/// After `ng'` Swahili has a vowel; an English possessive has `s`.
fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

/// Letters and marks of scripts that write no space between words; not their punctuation.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}' | '\u{0E50}'..='\u{0E59}' // Thai
        | '\u{0E81}'..='\u{0EDF}'                                                   // Lao
        | '\u{1000}'..='\u{1049}' | '\u{1050}'..='\u{109D}'                         // Burmese
        | '\u{1780}'..='\u{17D3}' | '\u{17D7}' | '\u{17DC}'..='\u{17E9}'            // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309A}'
        | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}'
        | '\u{31F0}'..='\u{31FF}'                                                   // kana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}') // Han
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_are_lower_case_and_without_punctuation() {
        assert_eq!(tokens("Rain, over the MOUNTAINS!"), ["rain", "over", "the", "mountains"]);
        assert_eq!(tokens("3.14 is 100% fine"), ["3", "14", "is", "100", "fine"]);
        assert_eq!(tokens("snake_case os.path"), ["snake", "case", "os", "path"]);
    }

    #[test]
    fn compatible_forms_are_one_token() {
        assert_eq!(tokens("ﬁsh Ｆｕｌｌ e\u{301}té"), ["fish", "full", "été"]);
    }

    #[test]
    fn apostrophes_split_elisions_and_keep_the_swahili_letter() {
        assert_eq!(tokens("dell'acqua l’été don't"), ["dell", "acqua", "l", "été", "don", "t"]);
        assert_eq!(tokens("Ng'ombe ng’ambo king's"), ["ng'ombe", "ng'ambo", "king", "s"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs_of_characters() {
        assert_eq!(tokens("東京 tower"), ["東京", "tower"]);
        assert_eq!(tokens("ねこ。犬"), ["ねこ", "犬"]);
        assert_eq!(tokens("แมว"), ["แม", "มว"]);
        assert_eq!(tokens("東京tower2番"), ["東京", "tower2", "番"]);
    }

    #[test]
    fn other_scripts_give_words() {
        assert_eq!(tokens("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(tokens("한국어 단어"), ["한국어", "단어"]);
        assert_eq!(tokens("Ελλάς"), ["ελλάς"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(tokens("").is_empty());
        assert!(tokens(" \t\n?!… 🙂 '").is_empty());
    }
}
