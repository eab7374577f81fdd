//! Ids -> the places of documents.

use std::hash::{BuildHasher, RandomState};

use crate::error::Error;
use crate::search::Searcher;
use crate::segments;

/// Where the documents are, by the hashes of their ids.
pub struct Ids {
    hasher: RandomState,
    /// Sorted: hashes and places among all documents.
    places: Vec<(u64, usize)>,
}

impl Ids {
    /// Reads the ids of all documents. Texts that are not here are opened for it, one file after the other, and
    /// are not kept.
    pub fn read(searcher: &Searcher) -> Result<Self, Error> {
        let hasher = RandomState::new();
        let mut places = Vec::with_capacity(searcher.documents());
        let mut first_place = 0;
        for (number, index) in searcher.engine.indexes().iter().enumerate() {
            let mut start = 0;
            while start < index.len() {
                let block = index.block_of(start);
                let is_other = |&place: &usize| index.block_of(place) != block;
                let end = (start..index.len()).find(is_other).unwrap_or(index.len());
                let mut add = |(place, id): (usize, &str)| {
                    places.push((hasher.hash_one(id), first_place + place));
                };
                match searcher.folder(number).filter(|_| index.shown(start).is_none()) {
                    Some(folder) => {
                        (start..end).zip(segments::open_texts(folder, block)?.ids()).for_each(add);
                    }
                    None => {
                        let shown = |place| Some((place, index.shown(place)?.id));
                        (start..end).filter_map(shown).for_each(&mut add);
                    }
                }
                start = end;
            }
            first_place += index.len();
        }
        places.sort_unstable();
        Ok(Self { hasher, places })
    }

    /// The places of the documents that may have an id, rising: others with its hash are among them.
    pub fn of(&self, id: &str) -> impl Iterator<Item = usize> {
        let hash = self.hasher.hash_one(id);
        let first = self.places.partition_point(|&(found, _)| found < hash);
        let places = self.places[first..].iter();
        places.take_while(move |&&(found, _)| found == hash).map(|&(_, place)| place)
    }
}
