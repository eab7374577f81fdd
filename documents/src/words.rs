//! The words of a text, also of scripts that write no space between them.

use smooth_clir::text::is_unspaced;
use unicode_segmentation::UnicodeSegmentation;

/// Characters that count as a word where no space is written between words: about two are one in Chinese.
const CHARACTERS: usize = 2;

/// The number of words of a text.
pub fn count(text: &str) -> usize {
    let words = |piece: &str| match piece.is_ascii() {
        true => 1,
        false => piece.chars().filter(|&c| is_unspaced(c)).count().div_ceil(CHARACTERS).max(1),
    };
    text.split_whitespace().map(words).sum()
}

/// A text cut after each word, of which a passage is made where a sentence is too long for one.
pub fn each(text: &str) -> impl Iterator<Item = &str> {
    let mut run = 0;
    text.split_inclusive(move |c: char| {
        run = if is_unspaced(c) { run % CHARACTERS + 1 } else { 0 };
        run == CHARACTERS || c.is_whitespace()
    })
}

/// The words of a text that are nothing but letters, in small letters. Of scripts without spaces, they are
/// [`CHARACTERS`] characters long; if they are at least as many as the others, the others are left out: their letters are
/// more, and would tell another language.
pub fn of_letters(text: &str) -> Vec<String> {
    let (mut spaced, mut unspaced) = (Vec::new(), Vec::new());
    for piece in text.split_whitespace() {
        if !piece.contains(is_unspaced) {
            let word = piece.trim_matches(|sign: char| !sign.is_alphanumeric());
            spaced.extend(is_of_letters(word).then(|| word.to_lowercase()));
            continue;
        }
        for run in piece.split(|c| !is_unspaced(c)) {
            unspaced.extend(each(run).map(str::to_owned));
        }
    }
    if !unspaced.is_empty() && unspaced.len() >= spaced.len() { unspaced } else { spaced }
}

/// Letters, with their marks: a virama or a nukta is none itself.
fn is_of_letters(word: &str) -> bool {
    let is_sign = |c: char| matches!(c, '\'' | '’' | '-');
    !word.is_empty()
        && (word.chars().all(|c| c.is_alphabetic() || is_sign(c))
            || word
                .graphemes(true)
                .all(|letter| letter.starts_with(|c: char| c.is_alphabetic() || is_sign(c))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_characters_count_as_a_word_where_no_spaces_are_written() {
        for (text, words) in [
            ("", 0),
            ("two words", 2),
            ("Deux  mots\u{a0}à part", 4),
            ("系统", 1),
            ("操作系统", 2),
            ("操作系", 2),
            ("在 Debian 中，运行 apt。", 5),
            ("ระบบปฏิบัติการ", 7),
            ("ऑपरेटिंग सिस्टम", 2),
        ] {
            assert_eq!(count(text), words, "{text}");
        }
    }

    #[test]
    fn a_text_is_cut_after_each_word() {
        let cut = |text| each(text).collect::<Vec<_>>();
        assert_eq!(cut("two  words"), ["two ", " ", "words"]);
        assert_eq!(cut("操作系统a b"), ["操作", "系统", "a ", "b"]);
        assert_eq!(cut("操作系，统"), ["操作", "系，统"]);
    }

    #[test]
    fn words_of_letters_have_their_marks_and_no_digits_or_paths() {
        let expected = ["प्रणाली", "हिन्दी", "ज़रा"];
        assert_eq!(of_letters("प्रणाली हिन्दी। ज़रा /usr/share x2 12"), expected);
        assert_eq!(of_letters("L'été, c’est «loin»."), ["l'été", "c’est", "loin"]);
        assert_eq!(
            of_letters("مَرْحَبًا، بِكُم"),
            ["مَرْحَبًا", "بِكُم"].map(|word| word.trim_end_matches('\u{652}').to_owned())
        );
    }

    #[test]
    fn words_of_a_script_without_spaces_are_not_outvoted_by_names_in_latin_letters() {
        assert_eq!(
            of_letters("在 Debian 系统中，用 apt-get 安装"),
            ["在", "系统", "中", "用", "安装"]
        );
        assert_eq!(of_letters("The word 系统 means system"), ["the", "word", "means", "system"]);
    }
}
