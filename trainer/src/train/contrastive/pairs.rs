//! Files of pairs -> vocabularies, and texts as rows.

use std::collections::HashMap;

use smooth_clir::text::{self, for_each_token};
use smooth_clir::vocabulary::Vocabulary;

use super::Plan;
use crate::data::pairs::PairsFile;
use crate::error::Error;

/// One pair in so many, by chapter, is kept back to validate by.
const KEPT_BACK: u64 = 50;
/// At most so many of a language.
const MOST_KEPT_BACK: usize = 1000;

/// The words of one side, and how often each is there.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The words.
    pub vocabulary: Vocabulary,
    /// How often each is there.
    pub counts: Vec<u64>,
}

/// The pairs of one language.
#[derive(Debug, Clone, Default)]
pub struct Language {
    /// Its name.
    pub name: String,
    /// Its words.
    pub words: Words,
    /// The pairs to train on: in English, and in the language.
    pub training: [Texts; 2],
    /// Which of these an epoch goes through, some more than once.
    pub turns: Vec<u32>,
    /// Pairs of other chapters.
    pub validation: Vec<Kept>,
}

/// A pair that is kept back.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// In English, and in the language.
    pub texts: [String; 2],
    /// A number that pairs of one chapter have.
    pub chapter: u64,
}

/// Texts as rows, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    rows: Vec<u32>,
    ends: Vec<usize>,
    /// Numbers that are equal where texts are.
    same: Vec<u32>,
    known: HashMap<u64, u32>,
}

/// All that a training on pairs reads.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// The English words of all languages' pairs.
    pub english: Words,
    /// The languages, in the order asked for.
    pub languages: Vec<Language>,
}

impl Pairs {
    /// Reads the files twice: for the words, then for the texts.
    pub fn read(plan: &Plan) -> Result<Self, Error> {
        let mut english = HashMap::new();
        let mut languages = Vec::new();
        for (name, files) in &plan.languages {
            let mut own = HashMap::new();
            let mut validation = Vec::new();
            for file in files {
                read(file, |kept_back, texts| match kept_back {
                    Some(chapter) => {
                        validation.push(Kept { texts: texts.map(str::to_owned), chapter })
                    }
                    None => {
                        count(texts[0], &mut english);
                        count(texts[1], &mut own);
                    }
                })?;
            }
            let words = Words::new(own)?;
            let validation = thinned(validation, MOST_KEPT_BACK);
            languages.push(Language {
                name: name.clone(),
                words,
                validation,
                ..Language::default()
            });
        }
        let english = Words::new(english)?;
        for (language, (_, files)) in languages.iter_mut().zip(&plan.languages) {
            let (mut scratch, mut rows) = (text::Scratch::default(), [Vec::new(), Vec::new()]);
            let ([from, to], turns) = (&mut language.training, &mut language.turns);
            let words = [&english.vocabulary, &language.words.vocabulary];
            for file in files {
                read(file, |kept_back, texts| {
                    for ((words, text), rows) in words.iter().zip(texts).zip(&mut rows) {
                        words.rows_into(text, &mut scratch, rows);
                    }
                    if kept_back.is_none() && rows.iter().all(|rows| !rows.is_empty()) {
                        turns.extend((0..file.repeat).map(|_| from.len() as u32));
                        from.push(&rows[0]);
                        to.push(&rows[1]);
                    }
                })?;
            }
            if language.training[0].len() < 2 {
                let path = files.first().map(PairsFile::path).unwrap_or_else(|| "".as_ref());
                return Err(Error::data(path, "fewer than two pairs of words to train on"));
            }
        }
        Ok(Self { english, languages })
    }
}

/// At most so many of a list, from all parts of it alike.
pub fn thinned<T>(list: Vec<T>, most: usize) -> Vec<T> {
    let count = list.len();
    let kept = |at: usize| at * most / count != (at + 1) * most / count;
    list.into_iter()
        .enumerate()
        .filter(|(at, _)| count <= most || kept(*at))
        .map(|(_, x)| x)
        .collect()
}

/// Calls `take` with each pair of a file, and the number of its chapter if it is kept back to
/// validate by.
fn read(file: &PairsFile, mut take: impl FnMut(Option<u64>, [&str; 2])) -> Result<(), Error> {
    file.read(|pair| {
        let chapter =
            pair.chapter.map(|(set, group)| hash(set.bytes().chain([b'\t']).chain(group.bytes())));
        take(chapter.filter(|chapter| chapter.is_multiple_of(KEPT_BACK)), pair.texts);
    })
}

/// FNV-1a, its upper half folded into the lower.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, mix);
    hash ^ (hash >> 32)
}

fn count(text: &str, counts: &mut HashMap<String, u64>) {
    for_each_token(text, &mut text::Scratch::default(), |token| match counts.get_mut(token) {
        Some(count) => *count += 1,
        None => {
            counts.insert(token.to_owned(), 1);
        }
    });
}

impl Words {
    fn new(counts: HashMap<String, u64>) -> Result<Self, Error> {
        let vocabulary = Vocabulary::from_tokens(counts.keys().map(String::as_str))?;
        let count = |row| counts.get(vocabulary.token(row)).copied().unwrap_or(0);
        let counts = (0..vocabulary.len()).map(count).collect();
        Ok(Self { vocabulary, counts })
    }

    /// Smooth inverse frequency (Arora et al., 2017): a / (a + share of all words).
    pub fn inverse_frequencies(&self, a: f64) -> Vec<f32> {
        let total = self.counts.iter().sum::<u64>().max(1) as f64;
        self.counts.iter().map(|&count| (a / (a + count as f64 / total)) as f32).collect()
    }
}

impl Texts {
    fn push(&mut self, rows: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len());
        let next = self.known.len() as u32;
        let hash = hash(rows.iter().flat_map(|row| row.to_le_bytes()));
        self.same.push(*self.known.entry(hash).or_insert(next));
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The rows of a text.
    pub fn rows(&self, text: usize) -> &[u32] {
        let start = if text == 0 { 0 } else { self.ends[text - 1] };
        &self.rows[start..self.ends[text]]
    }

    /// A number that equal texts have.
    pub fn same(&self, text: usize) -> u32 {
        self.same[text]
    }
}
