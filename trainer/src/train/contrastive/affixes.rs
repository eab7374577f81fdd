//! A language's affixes, found among its words with translations.
//!
//! An affix stands before or after a known word, or between two, in another known word. It is one where the longer word mostly
//! means what the shorter one does: where they share translations. French "re-" stands before many words, but "relire" has
//! other translations than "lire"; Arabic "ال-", the article, changes none.

use std::collections::BTreeMap;
use std::sync::Arc;

use smooth_clir::Error;
use smooth_clir::lexical::senses::Senses;
use smooth_clir::lexical::translation::Translations;
use smooth_clir::limits;
use smooth_clir::text::parts::LEAST;
use smooth_clir::text::vocabulary::Vocabulary;

/// Letters of the longest affix at an end of a word.
pub const LONGEST: usize = 5;
/// Letters of the longest affix between two words.
const LONGEST_LINK: usize = 3;
/// An affix is in so many words.
const LEAST_WORDS: usize = 10;
/// The least share of translations that words with the same meaning have in common.
pub const LEAST_COMMON: f32 = 0.1;
/// The least share of an affix's words that mean what the shorter word does.
const LEAST_SHARE: f32 = 0.4;
/// The affix that says that words may follow each other.
const NOTHING: &str = "--";

/// How many words have an affix, and how many of them mean what they would without it.
#[derive(Debug, Default, Clone, Copy)]
struct Found {
    words: usize,
    alike: usize,
}

impl Found {
    fn is_affix(self) -> bool {
        self.words >= LEAST_WORDS && self.alike as f32 >= LEAST_SHARE * self.words as f32
    }
}

/// The affixes of the document words of a table without a row, as [`smooth_clir::text::parts`] writes them; `None` if there are
/// none.
pub fn affixes(table: &Translations, senses: &Senses) -> Result<Option<Arc<Vocabulary>>, Error> {
    let words = table.document_words_without_row();
    let common = |one, other| common(senses, one, other);
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for row in 0..words.len() as u32 {
        let word = words.token(row as usize);
        if word.contains(char::is_numeric) {
            continue;
        }
        let starts: Vec<usize> =
            word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
        let letters = starts.len() - 1;
        let known = |start: usize, end: usize| {
            let is_part = start + LEAST <= end && end - start < letters;
            is_part.then(|| words.row(&word[starts[start]..starts[end]])).flatten()
        };
        let mut note = |affix: String, common: f32| {
            let found = found.entry(affix).or_default();
            found.words += 1;
            found.alike += usize::from(common > LEAST_COMMON);
        };
        for length in 1..=LONGEST.min(letters) {
            if let Some(rest) = known(length, letters) {
                note(format!("{}-", &word[..starts[length]]), common(row, rest));
            }
            if let Some(rest) = known(0, letters - length) {
                note(format!("-{}", &word[starts[letters - length]..]), common(row, rest));
            }
        }
        for end in LEAST..letters {
            let Some(first) = known(0, end) else { continue };
            for start in end..=(end + LONGEST_LINK).min(letters) {
                if let Some(second) = known(start, letters) {
                    let link = format!("-{}-", &word[starts[end]..starts[start]]);
                    note(link, common(row, first) + common(row, second));
                }
            }
        }
    }
    let has_compounds = found.get(NOTHING).is_some_and(|nothing| nothing.is_affix());
    let is_link = |affix: &str| affix.starts_with('-') && affix.ends_with('-');
    // A word of its own is a part.
    let is_word = |affix: &str| {
        let affix = affix.trim_matches('-');
        affix.chars().count() >= LEAST && words.row(affix).is_some()
    };
    found.retain(|affix, found| {
        found.is_affix() && !is_word(affix) && (has_compounds || !is_link(affix))
    });
    let mut found: Vec<(String, Found)> = found.into_iter().collect();
    found.sort_by_key(|(_, found)| std::cmp::Reverse(found.alike));
    found.truncate(limits::AFFIXES);
    let affixes = Vocabulary::from_tokens(found.iter().map(|(affix, _)| &affix[..]))?;
    Ok((!affixes.is_empty()).then(|| Arc::new(affixes)))
}

/// The share of translations that two document words have in common.
pub fn common(senses: &Senses, one: u32, other: u32) -> f32 {
    let of_other = |word| senses.of(other).iter().find(|sense| sense.word == word);
    let shares = senses.of(one).iter();
    shares.filter_map(|sense| Some(of_other(sense.word)?.share.min(sense.share))).sum()
}

#[cfg(test)]
mod tests {
    use smooth_clir::lexical::translation::Entry;

    use super::*;

    const WORDS: [&str; 12] = [
        "baum", "dorf", "fluss", "garten", "himmel", "kopf", "licht", "mond", "nacht", "pferd",
        "wagen", "zucker",
    ];

    /// Makes a word of a word and the one after it.
    type Make = fn(&str, &str) -> String;

    /// The affixes of the words and of those that are made of each word and the one after it, which mean as much as the
    /// latter, or something else.
    fn of(made: &[(Make, bool)]) -> Vec<String> {
        let mut texts: Vec<(String, String)> = Vec::new();
        for (number, word) in WORDS.iter().enumerate() {
            let next = WORDS[(number + 1) % WORDS.len()];
            texts.push((format!("english {word}"), (*word).to_owned()));
            for (kind, (make, is_alike)) in made.iter().enumerate() {
                let english =
                    if *is_alike { format!("english {next}") } else { format!("{kind} {next}") };
                texts.push((english, make(word, next)));
            }
        }
        let entries: Vec<Entry<'_>> = texts
            .iter()
            .map(|(query, document)| Entry { query, document, strength: 0.5 })
            .collect();
        let none = Vocabulary::default();
        let table = Translations::new(&entries, &none, &none).unwrap();
        let found = affixes(&table, &table.senses(|_| 0.1)).unwrap();
        let written =
            |words: &Vocabulary| (0..words.len()).map(|row| words.token(row).to_owned()).collect();
        found.as_deref().map_or_else(Vec::new, written)
    }

    #[test]
    fn an_affix_is_one_where_words_with_it_mean_what_they_do_without_it() {
        let article = |_: &str, next: &str| format!("al{next}");
        let again = |_: &str, next: &str| format!("re{next}");
        let plural = |_: &str, next: &str| format!("{next}er");
        assert_eq!(of(&[(article, true), (again, false), (plural, true)]), ["-er", "al-"]);
        assert!(of(&[(again, false)]).is_empty());
    }

    #[test]
    fn links_are_found_where_words_of_two_words_mean_what_one_of_them_does() {
        let joined = |word: &str, next: &str| format!("{word}{next}");
        let linked = |word: &str, next: &str| format!("{word}s{next}");
        assert_eq!(of(&[(joined, true), (linked, true)]), ["--", "-s-"]);
        // Without the one there is no other.
        assert!(of(&[(linked, true)]).is_empty());
        assert!(of(&[(joined, false), (linked, false)]).is_empty());
    }
}
