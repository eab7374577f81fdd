//! Small segments -> larger ones.

use std::ops::Range;
use std::path::Path;

use smooth_clir::index::Index;

use super::list::{self, List};
use super::segment::{open_segment, with_texts, write_segment};
use crate::error::Error;

/// Puts neighbours together, as many as have at most so many documents; their order stays, and so does
/// every ranking. Gives back how many segments there were, and are.
pub fn compact(folder: &Path, most: usize, block: usize) -> Result<(usize, usize), Error> {
    let none =
        || Error::data(folder, "no segments.json: only an index in segments can be compacted");
    List::read(folder)?.ok_or_else(none)?;
    let _lock = list::lock(folder)?;
    let mut list = List::read(folder)?.ok_or_else(none)?;
    let before = list.segments.len();
    let mut start = 0;
    while start < list.segments.len() {
        let together = neighbours(&list, start, most);
        if together.len() > 1 {
            let parts = list.segments[together.clone()].iter();
            let parts = parts.map(|segment| with_texts(open_segment(folder, segment)?));
            let parts = parts.collect::<Result<Vec<Index>, Error>>()?;
            let joined = Index::joined(&parts.iter().collect::<Vec<_>>())?;
            drop(parts);
            let documents = joined.len();
            let files = joined.write_parts(block);
            let segment = write_segment(folder, &mut list, documents, files)?;
            list.segments.splice(together, [segment]);
            list.write(folder)?;
            list::sweep(folder, &list)?;
            eprintln!("{documents} documents in one segment");
        }
        start += 1;
    }
    list::sweep(folder, &list)?;
    Ok((before, list.segments.len()))
}

/// The segments from one on that have at most so many documents together; that one at least.
fn neighbours(list: &List, start: usize, most: usize) -> Range<usize> {
    let mut sum = 0;
    let fits = |segment: &&list::Segment| {
        sum += segment.documents;
        sum <= most
    };
    let count = list.segments[start..].iter().take_while(fits).count();
    start..start + count.max(1)
}
