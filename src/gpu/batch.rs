//! A batch as lists for the shaders.

use super::not_for_gpu;
use crate::Error;
use crate::math::loss::Loss;
use crate::training::step::{Pair, Weighting, total};

/// A batch over its touched rows, each of which has a slot, numbered across all tables.
///
/// The texts are the queries, then the documents, in the order of the pairs.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub pairs: usize,
    /// The touched rows of each table, in rising order. Their concatenation is the slots.
    pub touched: Vec<Vec<u32>>,
    /// The start of each text's words, and the end of the last's: texts + 1 offsets into `words`.
    pub text_starts: Vec<u32>,
    /// The slot of each word of each text.
    pub words: Vec<u32>,
    /// The start of each slot's occurrences, and the end of the last's: slots + 1 offsets into
    /// `row_texts`.
    pub row_starts: Vec<u32>,
    /// The text of each occurrence of a slot's word, in the order of the texts.
    pub row_texts: Vec<u32>,
    /// The factors of each slot's row in the sum of a text, and of its gradient.
    pub row_weights: Vec<[f32; 2]>,
    /// The divisor of the sum of each text.
    pub text_weights: Vec<f32>,
    /// The lowest and the highest score with zero loss of each pair.
    pub targets: Vec<f32>,
    /// The weights of each table's rows; `None` if all are 1.
    pub weightings: Vec<Option<Weighting>>,
    /// The slot of each touched row of each table, `NONE` for the others.
    slots: Vec<Vec<u32>>,
}

const NONE: u32 = u32::MAX;

impl Batch {
    /// Creates an empty batch for tables of the given numbers of rows: the query table, then the
    /// document tables.
    pub fn new(rows: impl Iterator<Item = usize>) -> Self {
        let slots: Vec<Vec<u32>> = rows.map(|rows| vec![NONE; rows]).collect();
        let tables = slots.len();
        Self {
            touched: vec![Vec::new(); tables],
            weightings: vec![None; tables],
            slots,
            ..Self::default()
        }
    }

    /// The number of touched rows.
    pub fn slots(&self) -> usize {
        self.touched.iter().map(Vec::len).sum()
    }

    /// Fills the lists from these pairs.
    ///
    /// # Errors
    /// [`Error::NotForGpu`] if a row, language or grade does not exist; the lists stay unchanged.
    pub fn list(&mut self, pairs: &[Pair<'_>], loss: &Loss) -> Result<(), Error> {
        self.check(pairs, loss)?;
        self.pairs = pairs.len();
        let targets = pairs.iter().filter_map(|pair| loss.target(pair.grade));
        self.targets = targets.flat_map(|(low, high)| [low, high]).collect();
        self.list_touched(pairs);
        self.list_words(pairs);
        self.list_occurrences();
        self.list_weights(pairs);
        Ok(())
    }

    fn check(&self, pairs: &[Pair<'_>], loss: &Loss) -> Result<(), Error> {
        let refuse =
            |what, found: usize, below: usize| not_for_gpu(what, found, format!("below {below}"));
        for pair in pairs {
            let (languages, grades) = (self.slots.len() - 1, loss.grades());
            if pair.language >= languages {
                return Err(refuse("language of a pair", pair.language, languages));
            }
            if usize::from(pair.grade) >= grades {
                return Err(refuse("grade of a pair", pair.grade.into(), grades));
            }
        }
        for (table, text) in texts(pairs) {
            let rows = self.slots[table].len();
            if let Some(&row) = text.iter().find(|&&row| row as usize >= rows) {
                return Err(refuse("row of a text", row as usize, rows));
            }
        }
        Ok(())
    }

    fn list_touched(&mut self, pairs: &[Pair<'_>]) {
        for (slots, touched) in self.slots.iter_mut().zip(&mut self.touched) {
            touched.drain(..).for_each(|row| slots[row as usize] = NONE);
        }
        for (table, text) in texts(pairs) {
            for &row in text {
                let slot = &mut self.slots[table][row as usize];
                if *slot == NONE {
                    *slot = 0;
                    self.touched[table].push(row);
                }
            }
        }
        let mut next = 0;
        for (slots, touched) in self.slots.iter_mut().zip(&mut self.touched) {
            touched.sort_unstable();
            for &row in &*touched {
                slots[row as usize] = next;
                next += 1;
            }
        }
    }

    fn list_words(&mut self, pairs: &[Pair<'_>]) {
        self.words.clear();
        self.text_starts.clear();
        for (table, text) in texts(pairs) {
            self.text_starts.push(self.words.len() as u32);
            self.words.extend(text.iter().map(|&row| self.slots[table][row as usize]));
        }
        self.text_starts.push(self.words.len() as u32);
    }

    fn list_weights(&mut self, pairs: &[Pair<'_>]) {
        let Self { weightings, row_weights, text_weights, touched, .. } = self;
        row_weights.clear();
        for (weighting, rows) in weightings.iter().zip(touched) {
            row_weights.extend(rows.iter().map(|&row| match weighting {
                Some(weighting) => [weighting.factor(row), weighting.slope(row)],
                None => [1.0; 2],
            }));
        }
        text_weights.clear();
        let totals = texts(pairs).map(|(table, text)| total(weightings[table].as_ref(), text));
        text_weights.extend(totals);
    }

    /// Lists each slot's occurrences, by a counting sort of the words by slot.
    fn list_occurrences(&mut self) {
        let mut ends = vec![0; self.slots() + 1];
        self.words.iter().for_each(|&slot| ends[slot as usize] += 1);
        let mut total = 0;
        for count in &mut ends {
            total += std::mem::replace(count, total);
        }
        self.row_starts.clone_from(&ends);
        self.row_texts.resize(self.words.len(), 0);
        for (text, range) in self.text_starts.windows(2).enumerate() {
            for &slot in &self.words[range[0] as usize..range[1] as usize] {
                let place = &mut ends[slot as usize];
                self.row_texts[*place as usize] = text as u32;
                *place += 1;
            }
        }
    }
}

/// All texts of a batch, each with the number of its table.
fn texts<'a>(pairs: &'a [Pair<'a>]) -> impl Iterator<Item = (usize, &'a [u32])> {
    let queries = pairs.iter().map(|pair| (0, pair.query));
    queries.chain(pairs.iter().map(|pair| (pair.language + 1, pair.document)))
}
