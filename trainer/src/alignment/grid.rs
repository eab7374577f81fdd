//! Which words stand together: found once, so that a round only looks them up.

use rayon::prelude::*;

use super::settings::Take;

/// So many pairs of words are sorted at once.
const AT_ONCE: usize = 1 << 22;
/// A pair of texts with at most so many places where two words meet is an entry of a lexicon, say, and counts twice.
const SHORT: usize = 9;
/// What stands for a pair that was left out.
const LEFT_OUT: u32 = u32::MAX;

/// The pairs of words that stand together.
pub struct Grid {
    /// Source and target in one number, rising.
    pairs: Vec<u64>,
    /// The number of texts in which each pair stands; short texts count twice.
    counts: Vec<u32>,
    /// Where each source's pairs begin, and one past the last's.
    starts: Vec<usize>,
    /// Of each side one more than its largest word.
    pub words: [usize; 2],
    /// How many cells all texts have.
    pub all_cells: usize,
}

impl Grid {
    /// Finds the pairs of words; of more than `most` it forgets the rarest, as the words' counts do.
    pub fn new<E>(texts: &impl Fn(Take<'_>) -> Result<(), E>, most: usize) -> Result<Self, E> {
        let mut seen = Seen { most, ..Seen::default() };
        let (mut words, mut all_cells) = ([0; 2], 0);
        texts(&mut |texts| {
            for sides in texts {
                for (words, side) in words.iter_mut().zip(sides) {
                    *words = side.iter().fold(*words, |most, &word| most.max(word as usize + 1));
                }
                all_cells += sides[0].len() * sides[1].len();
                seen.add(sides);
            }
        })?;
        seen.merge();
        let Seen { pairs, counts, .. } = seen;
        let start = |source: usize| pairs.partition_point(|&pair| pair >> 32 < source as u64);
        let starts = (0..=words[0]).map(start).collect();
        Ok(Self { pairs, counts, starts, words, all_cells })
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The number of texts in which a pair stands; short texts count twice.
    pub fn count(&self, pair: usize) -> u32 {
        self.counts[pair]
    }

    /// Source and target of each.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.pairs.iter().map(|pair| [(pair >> 32) as u32, *pair as u32])
    }

    /// The word that a pair has on a side; past the pairs, the empty word.
    pub fn word(&self, pair: usize, side: usize) -> usize {
        match self.pairs.get(pair) {
            Some(pair) if side == 0 => (pair >> 32) as usize,
            Some(pair) => *pair as u32 as usize,
            None => self.words[side],
        }
    }

    /// For each pair of texts, source by source, target by target: which pair of words it is. The
    /// more texts at once, the less each costs.
    pub fn cells(&self, texts: &[[&[u32]; 2]]) -> Vec<u32> {
        // Where each source word stands: the text, and the first of the word's cells.
        let (mut places, mut end) = (Vec::new(), 0);
        for (text, [source, target]) in texts.iter().enumerate() {
            for &word in *source {
                places.push((word, text, end));
                end += target.len();
            }
        }
        places.par_sort_unstable();

        let (mut cells, mut pair_of) = (vec![LEFT_OUT; end], vec![LEFT_OUT; self.words[1]]);
        for places in places.chunk_by(|a, b| a.0 == b.0) {
            let word = places[0].0 as usize;
            let range = self.starts[word]..self.starts[word + 1];
            let targets = || self.pairs[range.clone()].iter().map(|&pair| pair as u32 as usize);
            targets().zip(range.start as u32..).for_each(|(target, at)| pair_of[target] = at);
            for &(_, text, start) in places {
                for (cell, &target) in cells[start..].iter_mut().zip(texts[text][1]) {
                    *cell = pair_of[target as usize];
                }
            }
            targets().for_each(|target| pair_of[target] = LEFT_OUT);
        }
        cells
    }
}

/// Pairs of words as they are found.
#[derive(Default)]
struct Seen {
    most: usize,
    /// Rising.
    pairs: Vec<u64>,
    counts: Vec<u32>,
    /// Those of the last texts.
    new: Vec<u64>,
    /// Pairs that were seen no more often may be forgotten.
    forgotten: u32,
}

impl Seen {
    fn add(&mut self, sides: &[&[u32]; 2]) {
        let times = if sides[0].len() * sides[1].len() <= SHORT { 2 } else { 1 };
        let [sources, targets] = sides.map(|words| {
            let mut words = words.to_vec();
            words.sort_unstable();
            words.dedup();
            words
        });
        for _ in 0..times {
            for &source in &sources {
                let pair = |&target: &u32| u64::from(source) << 32 | u64::from(target);
                self.new.extend(targets.iter().map(pair));
            }
        }
        // Merging costs as much as what was seen so far is long.
        if self.new.len() > AT_ONCE.max(self.pairs.len()) {
            self.merge();
        }
    }

    /// Takes the new ones up among the others.
    fn merge(&mut self) {
        self.new.par_sort_unstable();
        let mut old = self.pairs.iter().copied().zip(self.counts.iter().copied()).peekable();
        let (mut pairs, mut counts) = (Vec::new(), Vec::new());
        let mut push = |pair, count| {
            pairs.push(pair);
            counts.push(count);
        };
        for same in self.new.chunk_by(|a, b| a == b) {
            let (pair, mut count) = (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX));
            while let Some((before, count)) = old.next_if(|&(before, _)| before < pair) {
                push(before, count);
            }
            if let Some((_, before)) = old.next_if(|&(before, _)| before == pair) {
                count = count.saturating_add(before);
            }
            push(pair, count);
        }
        old.for_each(|(pair, count)| push(pair, count));
        (self.pairs, self.counts) = (pairs, counts);
        self.new.clear();
        if self.pairs.len() > self.most {
            self.forget();
        }
    }

    fn forget(&mut self) {
        while self.pairs.len() > self.most / 2 {
            self.forgotten += 1;
            let stays = |&(_, count): &(u64, u32)| count > self.forgotten;
            let each = self.pairs.iter().copied().zip(self.counts.iter().copied());
            (self.pairs, self.counts) = each.filter(stays).unzip();
        }
    }
}
