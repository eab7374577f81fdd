//! How to align, and what an alignment gives.

/// How to align.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How often to go over the texts.
    pub rounds: usize,
    /// How strongly alignments are drawn to the diagonal, 0 (not at all) to 100.
    pub tension: f64,
    /// The symmetric Dirichlet prior of each word's translations, above 0; or 0 for the maximum of
    /// the likelihood alone.
    pub prior: f64,
    /// With what probability a word translates none, 0 to 1.
    pub null: f64,
    /// Translations that stand together in fewer texts are left out in the end: of a word that was seen once, each word
    /// beside it may be the translation. A pair of short texts, as an entry of a lexicon is, counts twice.
    pub least_texts: u32,
    /// At most so many pairs of words are looked at: of more the rarest are left out.
    pub most_pairs: usize,
    /// So many places where two words meet are kept from round to round; of more all are found anew.
    pub most_cells: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rounds: 5,
            tension: 4.0,
            prior: 0.01,
            null: 0.1,
            least_texts: 1,
            most_pairs: 1 << 25,
            most_cells: 1 << 27,
        }
    }
}

/// Two words that stand together in a pair of texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation {
    /// The word of the first texts.
    pub source: u32,
    /// The word of the second texts.
    pub target: u32,
    /// P(target | source): sums to 1 over the targets of a source.
    pub there: f64,
    /// P(source | target): sums to 1 over the sources of a target.
    pub back: f64,
}

impl Translation {
    /// The geometric mean of both directions.
    pub fn symmetric(&self) -> f64 {
        (self.there * self.back).sqrt()
    }
}

/// What takes some pairs of texts.
pub type Take<'a> = &'a mut dyn FnMut(&[[&[u32]; 2]]);
