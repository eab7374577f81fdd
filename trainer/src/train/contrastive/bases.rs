//! The bases of a language's words: what is left of a word without the affixes that do not change its meaning.
//!
//! An affix alternates with others, or with nothing, at an end of words that share translations: Russian "книгу" and "книгами",
//! Arabic "الكتاب" and "كتابها". The base of a word is the part between two affixes, or beside one, that most words with the same
//! translations have. Words are counted and translated by their bases, so that a form that no text of the training has is known
//! where another one is; documents are read by the same affixes ([`smooth_clir::text::parts`]).

use std::collections::{BTreeMap, BTreeSet};

use smooth_clir::Error;
use smooth_clir::lexical::senses::Senses;
use smooth_clir::lexical::translation::Translations;
use smooth_clir::limits;
use smooth_clir::text::parts::{LEAST, parts};
use smooth_clir::text::vocabulary::Vocabulary;

use super::affixes::{LEAST_COMMON, LONGEST, common};

/// Letters that two words have in common before affixes are looked for behind them.
const LEAST_SHARED: usize = 4;
/// Where more words begin, or end, alike, their affixes are not looked at: their number is squared.
const MOST_ALIKE: usize = 300;
/// So many pairs of words with an affix have the same translations, at least.
const LEAST_PAIRS: usize = 20;
/// And so large a share of all pairs that it tells apart.
const LEAST_SHARE_OF_PAIRS: f64 = 0.1;
/// A base has no more words.
const MOST_WORDS: usize = 200;
/// The least share of the other words of a base that have translations of the word.
const LEAST_SHARE_OF_WORDS: f64 = 0.12;

/// The bases of a language's words.
#[derive(Debug)]
pub struct Bases {
    /// The bases.
    pub vocabulary: Vocabulary,
    /// For each word of the language the row of its base: of itself, where it has no other.
    pub rows: Vec<u32>,
    /// The affixes, as [`smooth_clir::text::parts`] writes them, those of most pairs of words first.
    pub affixes: Vec<String>,
}

impl Bases {
    /// The base of a word of the language, by its row.
    pub fn of(&self, row: usize) -> &str {
        self.vocabulary.token(self.rows[row] as usize)
    }
}

/// A word with its number in the table of translations, if it has any.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    number: Option<u32>,
}

/// The bases of the words of a language by their translations, where there are no document words with a row; `None` where no
/// affixes are found.
///
/// # Errors
/// If there are too many words.
pub fn bases(
    vocabulary: &Vocabulary,
    table: &Translations,
    senses: &Senses,
) -> Result<Option<Bases>, Error> {
    let numbers = table.document_words_without_row();
    let word = |row: usize| {
        let text = vocabulary.token(row);
        Word { text, number: numbers.row(text) }
    };
    let words: Vec<Word<'_>> = (0..vocabulary.len()).map(word).collect();
    let words: Vec<Word<'_>> =
        words.into_iter().filter(|word| !word.text.contains(char::is_numeric)).collect();
    let is_alike = |one: u32, other: u32| common(senses, one, other) > LEAST_COMMON;
    let affixes = alternating(&words, &is_alike);
    if affixes.is_empty() {
        return Ok(None);
    }
    let chosen = chosen(&words, &affixes, &is_alike);
    let known = Vocabulary::from_tokens(chosen)?;
    let written = Vocabulary::from_tokens(affixes.iter().map(String::as_str))?;
    let base = |row: usize| {
        let word = vocabulary.token(row);
        parts(word, &known, &written).first().copied().unwrap_or(word)
    };
    let of_words: Vec<&str> = (0..vocabulary.len()).map(base).collect();
    let vocabulary = Vocabulary::from_tokens(of_words.iter().copied())?;
    let rows = of_words.iter().filter_map(|base| vocabulary.row(base)).collect();
    Ok(Some(Bases { vocabulary, rows, affixes }))
}

/// The affixes that alternate in words that are alike, those of most pairs first.
fn alternating(words: &[Word<'_>], is_alike: &impl Fn(u32, u32) -> bool) -> Vec<String> {
    let known: Vec<(&str, u32)> =
        words.iter().filter_map(|word| Some((word.text, word.number?))).collect();
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    let forward = known.iter().map(|&(text, number)| (text.to_owned(), number)).collect();
    let backward = known.iter().map(|&(text, number)| (reversed(text), number)).collect();
    let after = pairs(forward, is_alike);
    let before = pairs(backward, is_alike);
    let after = after.into_iter().map(|(affix, found)| (format!("-{affix}"), found));
    let before = before.into_iter().map(|(affix, found)| (format!("{}-", reversed(&affix)), found));
    let mut found: Vec<(String, [usize; 2])> = after.chain(before).collect();
    found.retain(|(_, [pairs, alike])| {
        *alike >= LEAST_PAIRS && *alike as f64 >= LEAST_SHARE_OF_PAIRS * *pairs as f64
    });
    found.sort_by_key(|(_, [_, alike])| std::cmp::Reverse(*alike));
    found.truncate(limits::AFFIXES);
    found.into_iter().map(|(affix, _)| affix).collect()
}

/// For each end of words, how many pairs of words that have the letters before it in common differ in it, and how many of these
/// are alike.
fn pairs(
    words: Vec<(String, u32)>,
    is_alike: &impl Fn(u32, u32) -> bool,
) -> BTreeMap<String, [usize; 2]> {
    let mut groups: BTreeMap<&str, Vec<(&str, u32)>> = BTreeMap::new();
    for (text, number) in &words {
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let ends: Vec<usize> = ends.collect();
        let letters = ends.len() - 1;
        let least = LEAST_SHARED.max(letters.saturating_sub(LONGEST));
        for &end in ends.iter().skip(least) {
            let (start, rest) = text.split_at(end);
            groups.entry(start).or_default().push((rest, *number));
        }
    }
    let mut found: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for group in groups.into_values().filter(|group| group.len() <= MOST_ALIKE) {
        for (place, &(rest, number)) in group.iter().enumerate() {
            for &(other, other_number) in &group[..place] {
                if rest.chars().next() == other.chars().next() {
                    continue;
                }
                let alike = usize::from(is_alike(number, other_number));
                for affix in [rest, other].into_iter().filter(|affix| !affix.is_empty()) {
                    let counts = found.entry(affix.to_owned()).or_default();
                    *counts = [counts[0] + 1, counts[1] + alike];
                }
            }
        }
    }
    found
}

/// The base of each word with translations: the part that most words with the same translations have, of equal ones the
/// longest; itself where no part has any.
fn chosen<'a>(
    words: &[Word<'a>],
    affixes: &[String],
    is_alike: &impl Fn(u32, u32) -> bool,
) -> BTreeSet<&'a str> {
    let affixes: BTreeSet<&str> = affixes.iter().map(String::as_str).collect();
    let mut of_bases: BTreeMap<&str, Vec<&Word<'_>>> = BTreeMap::new();
    for word in words {
        for base in candidates(word.text, &affixes) {
            of_bases.entry(base).or_default().push(word);
        }
    }
    let base = |word: &Word<'a>| {
        let number = word.number?;
        let mut best = (0, 0, word.text);
        for base in candidates(word.text, &affixes) {
            let others = of_bases.get(base).filter(|words| words.len() <= MOST_WORDS);
            let others = others.into_iter().flatten().filter(|other| other.text != word.text);
            let known: Vec<u32> = others.filter_map(|other| other.number).collect();
            let alike = known.iter().filter(|&&other| is_alike(number, other)).count();
            if alike > 0 && alike as f64 >= LEAST_SHARE_OF_WORDS * known.len() as f64 {
                best = best.max((alike, base.chars().count(), base));
            }
        }
        Some(best.2)
    };
    words.iter().filter_map(base).collect()
}

/// What is left of a word without one of the affixes before and behind it, or both; the word itself among them.
fn candidates<'a>(word: &'a str, affixes: &BTreeSet<&str>) -> BTreeSet<&'a str> {
    let starts: Vec<usize> = word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
    let letters = starts.len() - 1;
    let mut found = BTreeSet::new();
    let most = LONGEST.min(letters.saturating_sub(LEAST));
    let is_affix = |affix: String| affix == "-" || affixes.contains(&affix[..]);
    for before in (0..=most).filter(|&before| is_affix(format!("{}-", &word[..starts[before]]))) {
        for after in 0..=most.min(letters.saturating_sub(LEAST + before)) {
            let end = starts[letters - after];
            if is_affix(format!("-{}", &word[end..])) {
                found.insert(&word[starts[before]..end]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use smooth_clir::lexical::translation::Entry;

    use super::*;

    /// Words that have no letters in common with each other.
    fn roots() -> Vec<String> {
        let letters = |number: usize| {
            let letter = |place: u32| char::from(b'b' + (number / 5_usize.pow(place) % 5) as u8);
            format!("{}o{}u{}", letter(0), letter(1), letter(2))
        };
        (0..40).map(letters).collect()
    }

    /// The bases of words in a table with these translations; the vocabulary has more `words` than that.
    fn of(translations: &[(String, String)], words: &[&str]) -> Option<(Vocabulary, Bases)> {
        let entries: Vec<Entry<'_>> = translations
            .iter()
            .map(|(query, document)| Entry { query, document, strength: 0.5 })
            .collect();
        let none = Vocabulary::default();
        let table = Translations::new(&entries, &none, &none).unwrap();
        let documents = translations.iter().map(|(_, document)| &document[..]);
        let vocabulary = Vocabulary::from_tokens(documents.chain(words.iter().copied())).unwrap();
        let bases = bases(&vocabulary, &table, &table.senses(|_| 0.1)).unwrap()?;
        Some((vocabulary, bases))
    }

    #[test]
    fn words_count_as_their_base_where_affixes_alternate_and_meaning_stays() {
        let mut translations = Vec::new();
        for root in roots() {
            for form in [format!("{root}ym"), format!("{root}ami"), format!("wal{root}ym")] {
                translations.push((format!("english {root}"), form));
            }
            // Another meaning: no affix.
            translations.push((format!("other {root}"), format!("{root}nik")));
        }
        let unseen = ["walbodubami", "walxoxuxami"];
        let (vocabulary, bases) = of(&translations, &unseen).unwrap();
        let mut affixes = bases.affixes.clone();
        affixes.sort();
        assert_eq!(affixes, ["-ami", "-ym", "wal-"]);
        for (word, expected) in [
            ("bobubym", "bobub"),
            ("bobubami", "bobub"),
            ("walbobubym", "bobub"),
            ("bobubnik", "bobubnik"),
            // Without translations: of a known base, and of none.
            ("walbodubami", "bodub"),
            ("walxoxuxami", "walxoxuxami"),
        ] {
            let row = vocabulary.row(word).unwrap();
            assert_eq!(bases.of(row as usize), expected, "{word}");
        }
    }

    #[test]
    fn words_without_affixes_have_no_bases() {
        let translations: Vec<(String, String)> =
            roots().into_iter().map(|root| (format!("english {root}"), root)).collect();
        assert!(of(&translations, &[]).is_none());
    }
}
