//! Text -> tokens: one rule, everywhere, so that a model reads a text as it was trained to.
//!
//! 1. Unicode normalisation form NFKC, then lower case. Signs that some write and others leave out are dropped: the short
//!    vowels and the tatweel of Arabic, the nukta of Hindi, joiners. The forms of alef are one letter, as are teh marbuta and
//!    heh, alef maksura and yeh, and Russian ё and е.
//! 2. Where a script writes spaces between words: words as in Unicode annex 29, split again at
//!    the marks inside them, so that French `l'eau` holds `eau` and `os.path` holds `path`;
//!    Swahili `ng'`, one letter, stays whole.
//! 3. Where it does not (Chinese, Japanese, Thai, Lao, Khmer, Burmese): overlapping pairs of
//!    characters, so that such a text never silently matches nothing, and each ideograph alone, which is often a word.
//!
//! Punctuation and symbols are dropped. Most text in Latin script needs no Unicode tables for this:
//! see the module `plain`.

use unicode_segmentation::UnicodeSegmentation;

use super::{normal, plain};

/// The rule's name in a model file.
pub const RULE: &str = "unicode-words";
/// The rule's version in a model file: it changes whenever a text in a language of a released model would split differently.
pub const VERSION: u32 = 1;

/// The buffers of [`for_each_token`]: kept from text to text, they spare allocations.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    plain: String,
    normal: String,
}

/// The tokens of a text, in order.
///
/// ```
/// use smooth_clir::text::tokens;
/// assert_eq!(tokens("L'eau de la Forêt!"), ["l", "eau", "de", "la", "forêt"]);
/// assert_eq!(tokens("東京都"), ["東", "東京", "京", "京都", "都"]);
/// ```
pub fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each_token(text, &mut Scratch::default(), |token| found.push(token.to_owned()));
    found
}

/// Calls `each` with every token of a text, in order, without an allocation for any.
pub fn for_each_token(text: &str, scratch: &mut Scratch, mut each: impl FnMut(&str)) {
    let mut rest = text;
    loop {
        rest = &rest[plain::beginning(rest, &mut scratch.plain)..];
        plain::for_each_word(&scratch.plain, &mut each);
        if rest.is_empty() {
            return;
        }
        let (other, after) = rest.split_at(plain::length_of_other(rest));
        for_each_token_by_the_book(other, &mut scratch.normal, &mut each);
        rest = after;
    }
}

/// The rule as it reads, for any text. `normal` is worked in.
fn for_each_token_by_the_book(text: &str, normal: &mut String, each: &mut dyn FnMut(&str)) {
    normal.clear();
    normal::append_nfkc(text, normal);
    let lower: String = normal.to_lowercase().chars().filter_map(folded).collect();
    let mut rest = lower.as_str();
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        let end = rest.find(|c| is_unspaced(c) != unspaced).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if unspaced {
            for_each_pair(run, each);
        } else {
            run.unicode_words().for_each(|word| for_each_part(word, each));
        }
        rest = after;
    }
}

/// The letter that stands for a character; none for a sign that is dropped.
fn folded(c: char) -> Option<char> {
    match c {
        '\u{640}' | '\u{64b}'..='\u{655}' | '\u{670}' => None,
        '\u{622}' | '\u{623}' | '\u{625}' | '\u{671}' => Some('\u{627}'),
        '\u{629}' => Some('\u{647}'),
        '\u{649}' => Some('\u{64a}'),
        '\u{93c}' | '\u{200c}' | '\u{200d}' => None,
        'ё' => Some('е'),
        // These three are composed with a nukta.
        '\u{929}' | '\u{931}' | '\u{934}' => char::from_u32(c as u32 - 1),
        _ => Some(c),
    }
}

/// The parts of a word between its marks.
fn for_each_part(word: &str, each: &mut dyn FnMut(&str)) {
    let mut part = |part: &str| match part {
        "" => {}
        _ if part.contains('\u{2019}') => each(&part.replace('\u{2019}', "'")),
        _ => each(part),
    };
    let mut start = 0;
    for (at, mark) in word.match_indices(is_mark) {
        let (before, after) = (&word[start..at], &word[at + mark.len()..]);
        let apostrophe = matches!(mark, "'" | "\u{2019}");
        if apostrophe && before.ends_with("ng") && after.starts_with(plain::is_vowel) {
            continue;
        }
        part(before);
        start = at + mark.len();
    }
    part(&word[start..]);
}

/// The overlapping pairs of a run's characters, or its only one, with each ideograph alone after the pair that it ends.
fn for_each_pair(run: &str, each: &mut dyn FnMut(&str)) {
    let mut before = None;
    for (at, c) in run.char_indices() {
        let end = at + c.len_utf8();
        if let Some(start) = before {
            each(&run[start..end]);
        }
        // Of the scripts that are not spaced, Han comes last.
        if c >= '\u{3400}' || end - at == run.len() {
            each(&run[at..end]);
        }
        before = Some(at);
    }
}

/// Whether annex 29 allows a character between the letters and digits of one word.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{2019}' | '\u{2018}' | '\u{b7}' | '\u{2027}' | '\u{203f}')
}

/// Letters and marks of scripts that write no space between words; not their punctuation.
pub fn is_unspaced(c: char) -> bool {
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
    use super::{for_each_token_by_the_book, tokens};
    use proptest::prelude::*;

    fn tokens_by_the_book(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let each = &mut |token: &str| found.push(token.to_owned());
        for_each_token_by_the_book(text, &mut String::new(), each);
        found
    }

    #[test]
    fn every_character_is_read_as_by_the_book() {
        for c in ('\0'..'\u{3000}').chain('\u{fb00}'..='\u{ffff}') {
            let text = format!("a{c}B 1{c}2, ng{c}o {c}\u{301}c {c} NG'{c}a");
            assert_eq!(tokens(&text), tokens_by_the_book(&text), "{text:?}");
        }
    }

    /// What the rule treats in ways of its own, and what it might take for it.
    const PIECES: &[&str] = &[
        " ",
        " ",
        " ",
        "\n",
        "\t",
        "\r\n",
        "\u{b}",
        "\u{a0}",
        "\u{2003}",
        "\u{3000}",
        "\u{85}",
        "a",
        "G",
        "ng",
        "NG",
        "o",
        "Of",
        "word",
        "12",
        "é",
        "É",
        "Ÿ",
        "ß",
        "ı",
        "İ",
        "ŉ",
        "ſ",
        "Ĳ",
        "ª",
        "½",
        "'",
        "’",
        "‘",
        "ʼ",
        ".",
        ",",
        ":",
        "·",
        "_",
        "-",
        "—",
        "…",
        "«",
        "“",
        "\"",
        "=",
        "\u{338}",
        "\u{301}",
        "\u{345}",
        "\u{ad}",
        "\u{200d}",
        "\u{feff}",
        "Σ",
        "ΑΣ",
        "Я",
        "कि",
        "\u{93e}",
        "東",
        "京",
        "ん",
        "か\u{3099}",
        "ｶ",
        "カ",
        "ー",
        "แ",
        "ม",
        "ไ",
        "한",
        "\u{1100}",
        "\u{1161}",
        "א",
        "م",
        "©",
        "🙂",
        "🇫",
        "🇷",
        "Ｆ",
        "ａ",
        "ﬁ",
        "\u{fdfa}",
        "\u{b4}",
        "K",
        "Å",
        "ǅ",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn every_text_is_read_as_by_the_book(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24), odd in any::<char>()
        ) {
            let text = pieces.concat() + &String::from(odd) + &pieces.concat();
            prop_assert_eq!(tokens(&text), tokens_by_the_book(&text));
        }
    }

    #[test]
    fn the_built_in_corpus_is_read_as_by_the_book() {
        for corpus in [
            include_str!("../../trainer/corpus/en.tsv"),
            include_str!("../../trainer/corpus/fr.tsv"),
            include_str!("../../trainer/corpus/it.tsv"),
            include_str!("../../trainer/corpus/sw.tsv"),
            include_str!("../../trainer/corpus/tl.tsv"),
        ] {
            for line in corpus.lines() {
                assert_eq!(tokens(line), tokens_by_the_book(line));
            }
            assert_eq!(tokens(corpus), tokens_by_the_book(corpus));
        }
    }

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
        assert_eq!(tokens("nang'ang'ania g'o ng'r"), ["nang'ang'ania", "g", "o", "ng", "r"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs_of_characters_and_ideographs() {
        assert_eq!(tokens("東京 tower"), ["東", "東京", "京", "tower"]);
        assert_eq!(tokens("ねこ。犬"), ["ねこ", "犬"]);
        assert_eq!(tokens("แมว"), ["แม", "มว"]);
        assert_eq!(tokens("東京tower2番"), ["東", "東京", "京", "tower2", "番"]);
    }

    #[test]
    fn other_scripts_give_words() {
        assert_eq!(tokens("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(tokens("한국어 단어"), ["한국어", "단어"]);
        assert_eq!(tokens("Ελλάς"), ["ελλάς"]);
    }

    #[test]
    fn a_sentence_of_each_script_is_read_as_its_readers_would() {
        for (text, expected) in [
            // A Thai vowel sign is a character of its own; the pairs overlap.
            ("แมวดี ๒ ตัว", "แม มว วด ดี ๒ ตั ัว"),
            ("東京タワーは高い。", "東 東京 京 京タ タワ ワー ーは は高 高 高い"),
            ("서울은 한국의 수도입니다.", "서울은 한국의 수도입니다"),
            ("Ο δρόμος της Αθήνας είναι ΜΕΓΑΛΟΣ;", "ο δρόμος της αθήνας είναι μεγαλος"),
            ("ירושלים היא עיר הבירה; צה״ל, צה\"ל.", "ירושלים היא עיר הבירה צה״ל צה ל"),
            ("Москва — столица России, где-то ЁЛКИ.", "москва столица россии где то елки"),
            ("नमस्ते दुनिया! हिन्दी में लिखा हुआ पाठ।", "नमस्ते दुनिया हिन्दी में लिखा हुआ पाठ"),
            ("أين المكتبة الكبيرة؟ هنا، في المدينة.", "اين المكتبه الكبيره هنا في المدينه"),
        ] {
            assert_eq!(tokens(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn signs_of_vowels_and_joiners_stay_within_their_words() {
        // Devanagari: vowel signs, virama, nukta, candrabindu, anusvara, and both joiners.
        for word in ["कि", "क्षेत्रों", "ज़रूरत", "चाँद", "हिंदी", "क्\u{200d}षमा", "क्\u{200c}षमा"]
        {
            assert_eq!(tokens(&format!("{word} {word}।")).len(), 2, "{word}");
        }
        // Arabic: short vowels, tanwin, shadda, the dagger alif, tatweel. Hebrew: points.
        for word in ["كَتَبَ", "كِتَابًا", "الدَّرْسُ", "هٰذَا", "كتـــاب", "שָׁלוֹם"]
        {
            assert_eq!(tokens(&format!("{word} {word}؟")).len(), 2, "{word}");
        }
    }

    #[test]
    fn a_word_with_signs_is_the_word_without_them() {
        for (with, without) in [
            ("كَتَبَ الوَلَدُ الدَّرْسَ", "كتب الولد الدرس"),
            ("كتـــاب هٰذَا شُكْرًا", "كتاب هذا شكرا"),
            ("أحمد إلى آخر ٱلكتاب", "احمد الي اخر الكتاب"),
            ("ا\u{654}حمد المدرسة مستشفى", "احمد المدرسه مستشفي"),
            ("ज़रूरत क़लम ऩ", "जरूरत कलम न"),
            ("क्\u{200d}षमा क्\u{200c}षमा", "क्षमा क्षमा"),
        ] {
            assert_eq!(tokens(with), tokens(without), "{with}");
            assert_eq!(tokens(without).join(" "), without);
        }
        // Hamza on its bearer, candrabindu and anusvara stay.
        assert_eq!(tokens("سؤال شيء चाँद चांद"), ["سؤال", "شيء", "चाँद", "चांद"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert!(tokens("").is_empty());
        assert!(tokens(" \t\n?!… 🙂 '").is_empty());
    }
}
