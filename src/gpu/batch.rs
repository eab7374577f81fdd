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
    /// While occurrences are listed, the place of each slot's next one.
    places: Vec<u32>,
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

    /// Lists the touched rows of each table in rising order, and the start of each one's occurrences.
    fn list_touched(&mut self, pairs: &[Pair<'_>]) {
        for (slots, touched) in self.slots.iter_mut().zip(&mut self.touched) {
            touched.drain(..).for_each(|row| slots[row as usize] = NONE);
        }
        // For now the number of a row's occurrences, less one.
        for (table, text) in texts(pairs) {
            let (slots, touched) = (&mut self.slots[table], &mut self.touched[table]);
            for &row in text {
                let slot = &mut slots[row as usize];
                if *slot == NONE {
                    touched.push(row);
                }
                *slot = slot.wrapping_add(1);
            }
        }
        self.row_starts.clear();
        let mut start = 0;
        for (slots, touched) in self.slots.iter_mut().zip(&mut self.touched) {
            sort(touched, slots);
            for &row in &*touched {
                let slot = &mut slots[row as usize];
                let occurrences = *slot + 1;
                *slot = self.row_starts.len() as u32;
                self.row_starts.push(start);
                start += occurrences;
            }
        }
        self.row_starts.push(start);
    }

    /// Lists the slots of each text's words, and the texts of each slot's.
    fn list_words(&mut self, pairs: &[Pair<'_>]) {
        let Self { slots, words, text_starts, row_starts, row_texts, places, .. } = self;
        places.clone_from(row_starts);
        row_texts.resize(places.last().map_or(0, |&words| words as usize), 0);
        words.clear();
        text_starts.clear();
        for (number, (table, text)) in texts(pairs).enumerate() {
            text_starts.push(words.len() as u32);
            let slots = &slots[table];
            words.extend(text.iter().map(|&row| slots[row as usize]));
            for &slot in &words[words.len() - text.len()..] {
                let place = &mut places[slot as usize];
                row_texts[*place as usize] = number as u32;
                *place += 1;
            }
        }
        text_starts.push(words.len() as u32);
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
}

/// Sorts the touched rows of a table, which alone have slots. Where they are many, reading all slots takes less time.
fn sort(touched: &mut Vec<u32>, slots: &[u32]) {
    if touched.len() < slots.len() / 16 {
        touched.sort_unstable();
    } else {
        let rows = (0..).zip(slots).filter(|(_, slot)| **slot != NONE);
        touched.clear();
        touched.extend(rows.map(|(row, _)| row));
    }
}

/// All texts of a batch, each with the number of its table.
fn texts<'a>(pairs: &'a [Pair<'a>]) -> impl Iterator<Item = (usize, &'a [u32])> {
    let queries = pairs.iter().map(|pair| (0, pair.query));
    queries.chain(pairs.iter().map(|pair| (pair.language + 1, pair.document)))
}
