//! The touched rows of a batch.

use super::PairOutcome;

/// The touched rows of a batch, in rising order, and the pairs with a gradient that touch each.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    pub rows: Vec<u32>,
    /// The end of each row's occurrences.
    ends: Vec<u32>,
    /// The pair of each occurrence, in the order of the batch; only pairs with a gradient.
    pairs: Vec<u32>,
    /// A count for every row of the table, 0 between batches.
    counts: Vec<u32>,
    seen: Vec<u64>,
    /// A bit for every row: whether the row ever had a gradient.
    moved: Vec<u64>,
}

impl Touched {
    /// Lists the rows of all texts of a batch, in the order of the pairs' texts, by a counting sort
    /// over a bit set.
    pub fn list<'a>(
        &mut self,
        texts: impl Iterator<Item = &'a [u32]> + Clone,
        outcomes: &[PairOutcome],
        rows: usize,
    ) {
        self.counts.resize(rows, 0);
        self.seen.resize(rows.div_ceil(64), 0);
        self.moved.resize(rows.div_ceil(64), 0);
        self.rows.clear();
        self.ends.clear();
        let mut total = 0;
        for (text, outcome) in texts.clone().zip(outcomes) {
            for &row in text {
                self.seen[row as usize / 64] |= 1 << (row % 64);
            }
            if outcome.active {
                text.iter().for_each(|&row| self.counts[row as usize] += 1);
                total += text.len();
            }
        }
        let mut end = 0;
        for (word, bits) in self.seen.iter_mut().enumerate() {
            while *bits != 0 {
                let row = word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                let count = std::mem::replace(&mut self.counts[row], end);
                end += count;
                self.moved[word] |= u64::from(count > 0) << (row % 64);
                self.rows.push(row as u32);
                self.ends.push(end);
            }
        }
        self.pairs.resize(total, 0);
        for (pair, (text, _)) in
            texts.zip(outcomes).enumerate().filter(|(_, (_, outcome))| outcome.active)
        {
            for &row in text {
                let place = &mut self.counts[row as usize];
                self.pairs[*place as usize] = pair as u32;
                *place += 1;
            }
        }
        for &row in &self.rows {
            self.counts[row as usize] = 0;
        }
    }

    /// The pairs that touch the row in a slot, once for each occurrence.
    pub fn occurrences(&self, slot: usize) -> &[u32] {
        let start = if slot == 0 { 0 } else { self.ends[slot - 1] };
        &self.pairs[start as usize..self.ends[slot] as usize]
    }

    /// Whether a step can change a row: a row that never had a gradient has no moments either.
    pub fn can_move(&self, row: usize) -> bool {
        self.moved[row / 64] >> (row % 64) & 1 == 1
    }

    /// Marks all of the given number of rows as having had a gradient.
    pub fn move_all(&mut self, rows: usize) {
        self.moved = vec![u64::MAX; rows.div_ceil(64)];
    }
}
