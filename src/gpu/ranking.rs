//! An engine's documents on a GPU, which proposes candidates for the core to score again.

use super::{Gpu, Scan};
use crate::Error;
use crate::engine::{EncodedQuery, Engine};

/// The indexes of an engine in device memory, with the vectors at the time of the upload.
#[derive(Debug)]
pub struct Ranking {
    scans: Vec<Scan>,
    /// The position of each index's first document among all documents.
    first_places: Vec<usize>,
}

impl Ranking {
    /// Uploads the vectors of an engine's indexes.
    ///
    /// # Errors
    /// As [`Scan::new`].
    pub fn new(gpu: &Gpu, engine: &Engine) -> Result<Self, Error> {
        let (mut scans, mut first_places, mut first) = (Vec::new(), Vec::new(), 0);
        for index in engine.indexes() {
            scans.push(Scan::new(gpu, index.vectors(), index.norms())?);
            first_places.push(first);
            first += index.len();
        }
        Ok(Self { scans, first_places })
    }

    /// Returns candidate positions, in rising order, among which the core finds the top `limit`
    /// documents for a query; none if the query has no known word.
    ///
    /// # Errors
    /// As [`Scan::candidates`].
    pub async fn propose(
        &self,
        encoded: &EncodedQuery,
        epsilon: f32,
        limit: usize,
    ) -> Result<Vec<usize>, Error> {
        let Some(query) = encoded.query() else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        for (scan, first) in self.scans.iter().zip(&self.first_places) {
            let found = scan.candidates(query, epsilon, limit).await?;
            places.extend(found.into_iter().map(|position| first + position));
        }
        places.sort_unstable();
        Ok(places)
    }
}
