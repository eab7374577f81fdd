//! The parts of an index that other rankings than its own need.

use super::Index;
use crate::encoder::Rows;
use crate::ranking::scan::{self, Fusion, Query};

impl Index {
    /// The vectors of all documents.
    pub fn vectors(&self) -> &Rows {
        &self.vectors
    }

    /// The norms of all documents.
    pub fn norms(&self) -> &[f32] {
        &self.norms
    }

    /// The fusion of SCS with the lexical scores of its documents, by the weights of both in each of its
    /// [`languages`](Self::languages).
    pub fn fusion<'a>(&'a self, lexical: &'a [f32], weights: &'a [[f32; 2]]) -> Fusion<'a> {
        Fusion { lexical, language: &self.language, weights }
    }

    /// The score of a document where its SCS is all it is made of, by what that weighs in each of the
    /// [`languages`](Self::languages).
    pub(crate) fn weighted(&self, position: usize, scs: f32, weights: Option<&[[f32; 2]]>) -> f32 {
        weights.map_or(scs, |weights| scs * weights[usize::from(self.language[position])][0])
    }

    /// The score of a document with SCS and a lexical score, if any document has one: the bits that [`rank`](Self::rank) gives it
    /// by a [`fusion`](Self::fusion).
    pub(crate) fn hybrid(
        &self,
        position: usize,
        (scs, lexical): (f32, Option<f32>),
        weights: Option<&[[f32; 2]]>,
    ) -> f32 {
        let Some(weights) = weights else { return scs };
        let [dense, weight] = weights[usize::from(self.language[position])];
        lexical.map_or(scs * dense, |lexical| scs * dense + weight * lexical)
    }

    /// The dot product with a query, and the SCS, of the document at a position below
    /// [`len`](Self::len): the bits that [`rank`](Self::rank) gives them.
    pub fn score(&self, position: usize, query: &Query, epsilon: f32) -> (f32, f32) {
        scan::score(&self.vectors, &self.norms, position, query, epsilon)
    }
}
