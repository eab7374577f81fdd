//! Files of pairs -> vocabularies, and texts as rows.

use smooth_clir::text;
use smooth_clir::text::vocabulary::Vocabulary;

use super::counts::Counts;
use super::plan::Plan;
use super::store::{Scratch, Store};
use crate::data::pairs::{Kind, PairsFile};
use crate::error::Error;

/// One pair in so many, by chapter, is kept back to validate by.
const KEPT_BACK: u64 = 50;
/// At most so many of a language.
const MOST_KEPT_BACK: usize = 1000;
/// At most so many queries of a language are kept back beside them.
const MOST_QUERIES: usize = 100;

/// The words of one encoder, and how often each is there.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The words.
    pub vocabulary: Vocabulary,
    /// How often each is there.
    pub counts: Vec<u64>,
}

/// The pairs of one language.
#[derive(Debug, Default)]
pub struct Language {
    /// Its name.
    pub name: String,
    /// Its words.
    pub words: Words,
    /// The pairs to train on: in English, and in the language.
    pub training: Store,
    /// How many of these, the first, are translations; queries follow.
    pub translated: usize,
    /// How many of these are sentences, no entries of a lexicon.
    sentences: usize,
    /// Of each file how many of these it has, and how often an epoch goes through them.
    pub(super) turns: Vec<(usize, u32)>,
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
    /// Whether the English text is a query that the other answers.
    pub is_query: bool,
}

/// All that a training on pairs reads.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The English words of all languages' pairs.
    pub english: Words,
    /// The languages, in the order asked for.
    pub languages: Vec<Language>,
}

impl Pairs {
    /// Reads the files twice: for the words, then for the texts. English has `general` words as well, the most common first.
    pub fn read(
        of_languages: &[(String, Vec<PairsFile>)],
        scratch: &Scratch,
        general: &[String],
    ) -> Result<Self, Error> {
        let mut english = Counts::default();
        let mut read = Vec::new();
        for (name, files) in of_languages {
            let (mut own, mut kept_back) = (Counts::default(), [0; 2]);
            for file in files {
                let kind = usize::from(file.kind == Kind::Queries);
                each(file, |chapter, texts| {
                    match chapter {
                        Some(_) => kept_back[kind] += 1,
                        None => {
                            english.add(texts[0]);
                            own.add(texts[1]);
                        }
                    }
                    Ok(())
                })?;
            }
            own.tell(name);
            read.push((Words::new(&own)?, kept_back));
        }
        english.add_general(general);
        english.tell("queries");
        let english = Words::new(&english)?;
        let language = |((name, files), (words, kept_back)): (&(String, Vec<_>), _)| {
            let training = Store::new(scratch.clone());
            let empty = Language { name: name.clone(), words, training, ..Language::default() };
            empty.filled(&english, files, kept_back)
        };
        let languages = of_languages.iter().zip(read).map(language).collect::<Result<_, _>>()?;
        Ok(Self { english, languages })
    }
}

impl Language {
    /// Its pairs, of which so many are of chapters kept back.
    fn filled(
        mut self,
        english: &Words,
        files: &[PairsFile],
        kept_back: [usize; 2],
    ) -> Result<Self, Error> {
        let (mut scratch, mut rows) = (text::Scratch::default(), [Vec::new(), Vec::new()]);
        let words = [&english.vocabulary, &self.words.vocabulary];
        let mut places = [0; 2];
        for file in files {
            let before = self.training.len();
            let kind = usize::from(file.kind == Kind::Queries);
            each(file, |chapter, texts| {
                if let Some(chapter) = chapter {
                    let most = [MOST_KEPT_BACK, MOST_QUERIES][kind];
                    if stays(places[kind], kept_back[kind], most) {
                        let is_query = file.asks_in_english(texts);
                        let texts = texts.map(str::to_owned);
                        self.validation.push(Kept { texts, chapter, is_query });
                    }
                    places[kind] += 1;
                    return Ok(());
                }
                for ((words, text), rows) in words.iter().zip(texts).zip(&mut rows) {
                    words.rows_into(text, &mut scratch, rows);
                }
                match rows.iter().all(|rows| !rows.is_empty()) {
                    true => self.training.push([&rows[0], &rows[1]]),
                    false => Ok(()),
                }
            })?;
            self.turns.push((self.training.len() - before, file.repeat));
            if file.kind != Kind::Queries {
                self.translated = self.training.len();
            }
            if file.kind == Kind::Sentences {
                self.sentences += self.training.len() - before;
            }
        }
        let path = files.first().map(PairsFile::path).unwrap_or_else(|| "".as_ref());
        match self.training.len() {
            0 | 1 => Err(Error::data(path, "fewer than two pairs of words to train on")),
            found if found > u32::MAX as usize => {
                Err(Error::data(path, format!("{found} pairs, more than {}", u32::MAX)))
            }
            _ => Ok(self),
        }
    }

    /// How many pairs of sentences it trains on.
    pub fn sentences(&self) -> usize {
        self.sentences
    }

    /// The pairs that an epoch goes through, some more than once.
    pub fn turns(&self) -> Vec<u32> {
        let mut turns = Vec::with_capacity(self.turns_in_epoch());
        let mut first = 0;
        for &(pairs, times) in &self.turns {
            let next = first + pairs as u32;
            turns.extend((first..next).flat_map(|pair| (0..times).map(move |_| pair)));
            first = next;
        }
        turns
    }

    /// How many these are.
    pub fn turns_in_epoch(&self) -> usize {
        self.turns.iter().map(|&(pairs, times)| pairs * times as usize).sum()
    }
}

/// The words of each encoder: the query encoder, then the document encoder of each language.
pub fn encoder_words(pairs: &Pairs) -> impl Iterator<Item = (&str, &Words)> {
    let languages = pairs.languages.iter().map(|language| (&language.name[..], &language.words));
    std::iter::once(("query", &pairs.english)).chain(languages)
}

/// What each word weighs in the mean of its text.
pub fn weights(plan: &Plan, words: &Words) -> Vec<f32> {
    match plan.smoothing {
        Some(a) => words.inverse_frequencies(f64::from(a)),
        None => vec![1.0; words.counts.len()],
    }
}

/// At most so many of a list, from all parts of it alike.
pub fn thinned<T>(list: Vec<T>, most: usize) -> Vec<T> {
    let count = list.len();
    list.into_iter().enumerate().filter(|&(at, _)| stays(at, count, most)).map(|(_, x)| x).collect()
}

/// Whether what is at a place of a list of so many stays if it is thinned.
fn stays(at: usize, count: usize, most: usize) -> bool {
    count <= most || at * most / count != (at + 1) * most / count
}

/// Calls `take` with each pair of a file, and the number of its chapter if it is kept back to
/// validate by.
fn each(
    file: &PairsFile,
    mut take: impl FnMut(Option<u64>, [&str; 2]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut failed = None;
    file.read(|pair| {
        if failed.is_some() {
            return;
        }
        failed = take(kept_back(pair.chapter), pair.texts).err();
    })?;
    failed.map_or(Ok(()), Err)
}

/// The number of a chapter whose pairs are kept back to validate by.
pub fn kept_back(chapter: Option<(&str, &str)>) -> Option<u64> {
    let (set, group) = chapter?;
    let number = hash(set.bytes().chain([b'\t']).chain(group.bytes()));
    number.is_multiple_of(KEPT_BACK).then_some(number)
}

/// FNV-1a, its upper half folded into the lower.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, mix);
    hash ^ (hash >> 32)
}

impl Words {
    fn new(counts: &Counts) -> Result<Self, Error> {
        let vocabulary = Vocabulary::from_tokens(counts.words())?;
        let counts = (0..vocabulary.len()).map(|row| counts.of(vocabulary.token(row))).collect();
        Ok(Self { vocabulary, counts })
    }

    /// Each word, and how often it is there.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().enumerate().map(|(row, &count)| (self.vocabulary.token(row), count))
    }

    /// How often a word is there.
    pub fn count(&self, word: &str) -> u64 {
        self.vocabulary.row(word).map_or(0, |row| self.counts[row as usize])
    }

    /// How often all words are there.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Smooth inverse frequency (Arora et al., 2017): a / (a + share of all words).
    pub fn inverse_frequencies(&self, a: f64) -> Vec<f32> {
        let total = self.counts.iter().sum::<u64>().max(1) as f64;
        self.counts.iter().map(|&count| (a / (a + count as f64 / total)) as f32).collect()
    }
}
