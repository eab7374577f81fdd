//! Exact scoring of documents held in memory, as `benches/scan.py` times it on each host.

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::math::kernels;
use smooth_clir::ranking::scan::{Query, Ranking, TopK, rank};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The length of every vector.
pub const DIMENSION: usize = 64;

/// Documents, ready for queries.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub struct Documents {
    vectors: Rows,
    norms: Vec<f32>,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
impl Documents {
    /// From vectors one after the other, held as 8-bit integers or as they are.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen(constructor))]
    pub fn new(values: Vec<f32>, integers: bool) -> Self {
        let precision = if integers { Precision::I8 } else { Precision::F32 };
        let vectors = Rows::new(Table::new(DIMENSION, values), precision);
        let norms = match &vectors {
            Rows::F32(table) => table.values().chunks_exact(DIMENSION).map(kernels::norm).collect(),
            _ => (0..vectors.len()).map(|place| kernels::norm(&vectors.row(place))).collect(),
        };
        Self { vectors, norms }
    }

    /// The places of the best documents by cosine similarity, best first. As in a search, nothing
    /// is kept from one query to the next.
    pub fn search(&self, query: Vec<f32>, limit: usize) -> Vec<u32> {
        let (query, mut dots, mut best) = (Query::new(query), Vec::new(), TopK::new(limit));
        let ranking =
            Ranking { query: &query, epsilon: 0.0, dots: &mut dots, fusion: None, top: &mut best };
        rank(&self.vectors, &self.norms, |_| true, 0, &mut [ranking]);
        best.into_vec().iter().map(|scored| scored.position as u32).collect()
    }
}
