//! The list of a word's documents, read from its first posting on or from the middle: where one can begin there, and the counts of
//! a few documents.

use crate::storage::varint;

/// The postings between two places where one can begin to read.
const STEP: usize = 64;

/// The documents that contain a word, with counts.
#[derive(Debug, Clone, Default)]
pub struct List<'a> {
    lists: &'a [u8],
    at: usize,
    left: u32,
    place: u32,
}

impl<'a> List<'a> {
    /// The list that starts in some bytes.
    pub(super) fn at(lists: &'a [u8], start: u32) -> Self {
        let mut at = start as usize;
        let left = varint::take(lists, &mut at).unwrap_or(0);
        Self { lists, at, left, place: 0 }
    }

    /// The number of documents left.
    pub fn documents(&self) -> u32 {
        self.left
    }

    /// The next posting, however many bytes it has.
    #[inline(never)]
    fn next_long(&mut self) -> Option<(usize, u32)> {
        self.place += varint::take(self.lists, &mut self.at)?;
        Some((self.place as usize, varint::take(self.lists, &mut self.at)?))
    }

    /// The list from a place on.
    fn from(&self, (before, at): (u32, u32), left: u32) -> Self {
        Self { lists: self.lists, at: at as usize, left, place: before }
    }
}

impl Iterator for List<'_> {
    /// The document's position, and the count of the word.
    type Item = (usize, u32);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        // Most distances have one byte or two, and most counts one.
        if let Some(&[first, second, third]) =
            self.lists.get(self.at..).and_then(<[u8]>::first_chunk)
        {
            let is_long = first >> 7;
            let (count, last) = if is_long == 0 { (second, first) } else { (third, second) };
            if count | last < 0x80 {
                let high = u32::from(second) << 7;
                self.place += u32::from(first & 0x7f) + if is_long == 0 { 0 } else { high };
                self.at += 2 + usize::from(is_long);
                return Some((self.place as usize, count.into()));
            }
        }
        self.next_long()
    }
}

/// Where one can begin to read in the lists of terms, and the largest count of each.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Skips {
    /// The terms whose lists are longer than a step, rising, each with the number of its first place among all.
    lists: Vec<(u32, u32)>,
    /// Of every [`STEP`]-th posting of these but the first: the document before it, and where it begins in the bytes.
    places: Vec<(u32, u32)>,
    /// The largest count of each term; 255 stands for more too.
    most: Vec<u8>,
}

impl Skips {
    /// Notes the list of the next term, that starts in some bytes.
    pub fn list(&mut self, lists: &[u8], start: u32) {
        self.begin();
        let mut list = List::at(lists, start);
        for number in 0..list.documents() as usize {
            let (before, at) = (list.place, list.at);
            if let Some((_, count)) = list.next() {
                self.push(number, before, at, count);
            }
        }
    }

    /// Begins the list of the next term.
    pub fn begin(&mut self) {
        self.most.push(0);
    }

    /// Notes the next posting of the list: its number, the document before it, where it begins and its count.
    pub fn push(&mut self, number: usize, before: u32, at: usize, count: u32) {
        if number > 0 && number.is_multiple_of(STEP) {
            let term = self.most.len() as u32 - 1;
            if number == STEP {
                self.lists.push((term, self.places.len() as u32));
            }
            self.places.push((before, at as u32));
        }
        if let Some(most) = self.most.last_mut() {
            *most = (*most).max(count.min(u32::from(u8::MAX)) as u8);
        }
    }

    /// The largest count of a term, infinite where it is not known.
    pub fn most(&self, row: usize) -> f32 {
        let most = self.most[row];
        if most == u8::MAX { f32::INFINITY } else { most.into() }
    }

    /// The places in the list of a term, of this length.
    pub fn of(&self, row: usize, length: u32) -> &[(u32, u32)] {
        let Ok(number) = self.lists.binary_search_by_key(&(row as u32), |&(row, _)| row) else {
            return &[];
        };
        let first = self.lists[number].1 as usize;
        &self.places[first..][..(length as usize - 1) / STEP]
    }
}

/// A list of postings that is asked for the counts of documents, in rising order.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    /// The postings from the current one on.
    rest: List<'a>,
    /// The current one: the document, and the count of the word.
    current: Option<(usize, u32)>,
    /// The places ahead where one can begin to read.
    skips: &'a [(u32, u32)],
    /// The postings from the first of these on.
    after: u32,
}

impl<'a> Cursor<'a> {
    /// Before the first posting of a list.
    pub(super) fn new(list: List<'a>, skips: &'a [(u32, u32)]) -> Self {
        let after = list.documents().saturating_sub(STEP as u32);
        let mut rest = list;
        let current = rest.next();
        Self { rest, current, skips, after }
    }

    /// The count of the word in a document, which does not stand before the one that was asked for last.
    #[inline(never)]
    pub fn count(&mut self, place: usize) -> u32 {
        let is_behind = |&(before, _): &(u32, u32)| (before as usize) < place;
        if self.skips.first().is_some_and(is_behind) {
            // Most often the place is near.
            let near = self.skips.iter().take(4).take_while(|skip| is_behind(skip)).count();
            let steps = if near < 4 { near } else { self.skips.partition_point(is_behind) };
            let skip = self.skips[steps - 1];
            if self.current.is_some_and(|(current, _)| current <= skip.0 as usize) {
                let left = self.after - ((steps - 1) * STEP) as u32;
                self.rest = self.rest.from(skip, left);
                self.current = self.rest.next();
            }
            self.skips = &self.skips[steps..];
            self.after = self.after.saturating_sub((steps * STEP) as u32);
        }
        while let Some((current, count)) = self.current {
            if current >= place {
                return if current == place { count } else { 0 };
            }
            self.current = self.rest.next();
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_counts_of_any_size_are_read() {
        let sizes = [1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152];
        let postings: Vec<(u32, u32)> =
            sizes.iter().flat_map(|&gap| sizes.map(|count| (gap, count))).collect();
        // The last ones have no three bytes after them.
        for length in 0..=postings.len() {
            let postings = &postings[..length];
            let mut bytes = vec![9];
            varint::push(&mut bytes, length as u32);
            let (mut expected, mut place) = (Vec::new(), 0);
            for &(gap, count) in postings {
                varint::push(&mut bytes, gap);
                varint::push(&mut bytes, count);
                place += gap as usize;
                expected.push((place, count));
            }
            assert_eq!(List::at(&bytes, 1).collect::<Vec<_>>(), expected);
        }
    }
}
