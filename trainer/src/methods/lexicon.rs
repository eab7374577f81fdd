//! A list of words and their translations, and queries translated word by word with it.

use std::collections::BTreeMap;
use std::path::Path;

use smooth_clir::storage::container::sha256_hex;
use smooth_clir::text;

use crate::data::pairs::{Kind, PairsFile};
use crate::error::Error;

/// Each word's translations, from English and back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexicon([BTreeMap<String, Vec<String>>; 2]);

impl Lexicon {
    /// Reads source, English and other word of each line. Entries of several words are used where
    /// they translate one word, not the other way.
    ///
    /// # Errors
    /// As [`PairsFile::read`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = PairsFile { path: path.into(), kind: Kind::Lexicon, repeat: 1 };
        let mut lexicon = Self::default();
        file.read(|pair| lexicon.add(pair.texts))?;
        Ok(lexicon)
    }

    /// Of these entries.
    #[cfg(test)]
    pub fn of<'a>(entries: impl IntoIterator<Item = [&'a str; 2]>) -> Self {
        let mut lexicon = Self::default();
        entries.into_iter().for_each(|entry| lexicon.add(entry));
        lexicon
    }

    /// The bytes of its words.
    pub fn bytes(&self) -> usize {
        let lists = self.0[0].iter();
        lists.map(|(word, list)| word.len() + list.iter().map(String::len).sum::<usize>()).sum()
    }

    /// A digest of all that is in it.
    pub fn digest(&self) -> String {
        let sides = self.0.iter().flatten();
        let columns = sides.flat_map(|(word, list)| std::iter::once(word).chain(list));
        let parts: Vec<&[u8]> =
            columns.flat_map(|column| [column.as_bytes(), b"\t".as_slice()]).collect();
        sha256_hex(&parts)
    }

    fn add(&mut self, texts: [&str; 2]) {
        let [english, foreign] = texts.map(text::tokens);
        for (side, from, to) in [(0, &english, &foreign), (1, &foreign, &english)] {
            let [word] = &from[..] else { continue };
            let known = self.0[side].entry(word.clone()).or_default();
            for token in to {
                if !known.contains(token) {
                    known.push(token.clone());
                }
            }
        }
    }

    /// Each word of a text in place of it its translations, all of them; one without any stays.
    /// `from` is 0 for English, 1 for the other language.
    pub fn translate(&self, from: usize, query: &str) -> Vec<String> {
        let translated = |token: String| match self.0[from].get(&token) {
            Some(translations) if !translations.is_empty() => translations.clone(),
            _ => vec![token],
        };
        text::tokens(query).into_iter().flat_map(translated).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_all_its_translations_and_one_without_stays() {
        let mut lexicon = Lexicon::default();
        for entry in
            [["rain", "pluie"], ["Rain", "averse"], ["rain", "pluie"], ["sun shade", "parasol"]]
        {
            lexicon.add(entry);
        }
        assert_eq!(lexicon.translate(0, "Rain in 1984"), ["pluie", "averse", "in", "1984"]);
        assert_eq!(lexicon.translate(1, "un parasol"), ["un", "sun", "shade"]);
        // A translation without a letter is none.
        lexicon.add(["snow", "..."]);
        assert_eq!(lexicon.translate(0, "snow"), ["snow"]);
    }

    #[test]
    fn its_size_is_that_of_its_words_and_its_digest_that_of_what_they_translate() {
        let of = |entries: &[[&'static str; 2]]| Lexicon::of(entries.iter().copied());
        let lexicon = of(&[["rain", "pluie"], ["rain", "averse"], ["sun", "soleil"]]);
        assert_eq!(lexicon.bytes(), 4 + 5 + 6 + 3 + 6);
        let again = of(&[["rain", "pluie"], ["rain", "averse"], ["sun", "soleil"]]);
        assert_eq!(lexicon.digest(), again.digest());
        let others = [
            of(&[["rain", "pluie"], ["rain", "averse"]]),
            of(&[["rain", "averse"], ["rain", "pluie"], ["sun", "soleil"]]),
            of(&[["rain", "pluie"], ["sun", "averse"], ["sun", "soleil"]]),
        ];
        assert!(others.iter().all(|other| other.digest() != lexicon.digest()));
    }
}
