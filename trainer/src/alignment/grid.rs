//! Which words stand together, and where: found once, so that a round only walks over arrays.

/// The pairs of texts, and the pair of words at each two places of them.
pub struct Grid<'a> {
    /// The pairs of texts that both have words.
    pub texts: Vec<[&'a [u32]; 2]>,
    /// The pairs of words that stand together, by source, then target.
    pub pairs: Vec<[u32; 2]>,
    /// For each pair of texts, source by source, target by target: which pair of words it is.
    pub cells: Vec<u32>,
}

impl<'a> Grid<'a> {
    /// Finds the pairs of words.
    pub fn new(texts: &[[&'a [u32]; 2]]) -> Self {
        let has_words = |sides: &&[&[u32]; 2]| sides.iter().all(|words| !words.is_empty());
        let texts: Vec<_> = texts.iter().filter(has_words).copied().collect();

        // Where each source word stands: the text, and the first of the word's cells.
        let (mut places, mut end) = (Vec::new(), 0);
        for (text, [source, target]) in texts.iter().enumerate() {
            for &word in *source {
                places.push((word, text, end));
                end += target.len();
            }
        }
        places.sort_unstable();

        let (mut pairs, mut cells) = (Vec::new(), vec![0; end]);
        let targets = words(&texts, 1);
        let (mut seen, mut pair_of) = (vec![false; targets], vec![0; targets]);
        for places in places.chunk_by(|a, b| a.0 == b.0) {
            let first = pairs.len();
            for &(word, text, _) in places {
                for &target in texts[text][1] {
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        pairs.push([word, target]);
                    }
                }
            }
            pairs[first..].sort_unstable();
            for (at, &[_, target]) in pairs.iter().enumerate().skip(first) {
                seen[target as usize] = false;
                pair_of[target as usize] = at as u32;
            }
            for &(_, text, start) in places {
                for (cell, &target) in cells[start..].iter_mut().zip(texts[text][1]) {
                    *cell = pair_of[target as usize];
                }
            }
        }
        Self { texts, pairs, cells }
    }

    /// How many words a side has.
    pub fn words(&self, side: usize) -> usize {
        words(&self.texts, side)
    }
}

/// One more than the largest word of a side.
fn words(texts: &[[&[u32]; 2]], side: usize) -> usize {
    texts.iter().flat_map(|sides| sides[side]).max().map_or(0, |&word| word as usize + 1)
}
