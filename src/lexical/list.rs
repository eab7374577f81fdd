//! The list of a word's documents: how a posting is written, and the list read from its first posting on or from the middle, where
//! one can begin there, with the counts of a few documents.

use crate::storage::varint;

/// In a posting, in place of a count less one: the count follows.
const FOLLOWS: u32 = 3;

/// Adds the next posting of a list: four times the distance from the document before it, and 0, 1 or 2 more for a count of one, two or
/// three; 3 more for other counts, which follow.
pub(super) fn push(lists: &mut Vec<u8>, distance: u32, count: u32) {
    let less_one = count.wrapping_sub(1).min(FOLLOWS);
    varint::push(lists, distance << 2 | less_one);
    if less_one == FOLLOWS {
        varint::push(lists, count);
    }
}

/// Takes the posting that begins at a place and moves behind it: the distance and the count.
pub(super) fn take(lists: &[u8], at: &mut usize) -> Option<(u32, u32)> {
    let number = varint::take(lists, at)?;
    let less_one = number & 3;
    let count = if less_one == FOLLOWS { varint::take(lists, at)? } else { less_one + 1 };
    Some((number >> 2, count))
}

/// The postings between two places where one can begin to read.
const STEP: usize = 64;

/// The highest bit of each of eight bytes.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// The sum of eight bytes.
fn sum(bytes: u64) -> u32 {
    const EVERY_OTHER: u64 = 0x00ff_00ff_00ff_00ff;
    let pairs = (bytes & EVERY_OTHER) + (bytes >> 8 & EVERY_OTHER);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

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
        let (distance, count) = take(self.lists, &mut self.at)?;
        self.place += distance;
        Some((self.place as usize, count))
    }

    /// Passes postings of documents before a place, those of eight bytes at once, while they have one byte or two.
    fn pass(&mut self, place: usize) {
        while self.left >= 8
            && let Some(bytes) = self.lists.get(self.at..).and_then(<[u8]>::first_chunk)
        {
            let bytes = u64::from_le_bytes(*bytes);
            // A mark is the highest bit of a byte: of one that is not the last of its number, of a number's second one, and of the first
            // one of a posting with other bytes, or with those behind these eight.
            let before_another = bytes & HIGHEST;
            let second = before_another << 8;
            let with_count = (bytes & bytes << 1) << 6 & HIGHEST & !second;
            let other = with_count | (before_another & second) >> 8 | before_another & 1 << 63;
            let passed = if other == 0 { 8 } else { other.trailing_zeros() / 8 };
            if passed == 0 {
                return;
            }
            let unused = 8 * (8 - passed);
            let (bytes, second) = (bytes << unused, second << unused);
            let is_second = (second >> 7) * 0xff;
            let low = sum(bytes & !is_second & 0x7c7c_7c7c_7c7c_7c7c) >> 2;
            let high = sum(bytes & is_second) << 5;
            let last = self.place + low + high;
            if last as usize >= place {
                return;
            }
            self.place = last;
            self.at += passed as usize;
            self.left -= passed - sum(second >> 7);
        }
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
        // Most postings have one byte or two.
        if let Some(&[first, second]) = self.lists.get(self.at..).and_then(<[u8]>::first_chunk) {
            let is_long = first >> 7;
            let (high, less_one) = (if is_long == 0 { 0 } else { second }, u32::from(first & 3));
            if high < 0x80 && less_one != FOLLOWS {
                self.place += u32::from(first & 0x7f) >> 2 | u32::from(high) << 5;
                self.at += 1 + usize::from(is_long);
                return Some((self.place as usize, less_one + 1));
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
        // Short lists have none, and are most.
        if length as usize <= STEP {
            return &[];
        }
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

    /// The postings behind the current one.
    pub fn left(&self) -> usize {
        self.rest.left as usize
    }

    /// Moves to the first posting of a document that does not stand before a place.
    #[inline(never)]
    pub fn move_to(&mut self, place: usize) {
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
        while self.current.is_some_and(|(current, _)| current < place) {
            self.rest.pass(place);
            self.current = self.rest.next();
        }
    }

    /// The count of the word in a document, which does not stand before the one that was asked for last.
    pub fn count(&mut self, place: usize) -> u32 {
        self.move_to(place);
        self.current.map_or(0, |(current, count)| if current == place { count } else { 0 })
    }

    /// Calls `take` with each document from the current one to a place, and the count of the word.
    pub fn for_each_before(&self, end: usize, mut take: impl FnMut(usize, u32)) {
        let (mut rest, mut current) = (self.rest.clone(), self.current);
        while let Some((place, count)) = current
            && place < end
        {
            take(place, count);
            current = rest.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn a_posting_has_one_byte_where_its_distance_and_count_are_small() {
        let expected: [((u32, u32), &[u8]); 6] = [
            ((0, 1), &[0]),
            ((5, 2), &[21]),
            ((31, 3), &[126]),
            ((1, 4), &[7, 4]),
            ((32, 1), &[0x80, 1]),
            ((40, 300), &[0xa3, 1, 0xac, 2]),
        ];
        for ((distance, count), expected) in expected {
            let mut bytes = Vec::new();
            push(&mut bytes, distance, count);
            assert_eq!(bytes, expected, "{distance}, {count}");
        }
    }

    #[test]
    fn distances_and_counts_of_any_size_are_read() {
        let sizes = [1, 2, 3, 4, 31, 32, 127, 128, 4095, 4096, 524_287, 524_288];
        let postings: Vec<(u32, u32)> =
            sizes.iter().flat_map(|&gap| sizes.map(|count| (gap, count))).collect();
        // The last ones have no other bytes after them.
        for length in 0..=postings.len() {
            let postings = &postings[..length];
            let mut bytes = vec![9];
            varint::push(&mut bytes, length as u32);
            let (mut expected, mut place) = (Vec::new(), 0);
            for &(gap, count) in postings {
                push(&mut bytes, gap, count);
                place += gap as usize;
                expected.push((place, count));
            }
            assert_eq!(List::at(&bytes, 1).collect::<Vec<_>>(), expected);
        }
    }

    /// A list with these distances, in bytes, and with its skips.
    fn noted(distances: &[u32], count: impl Fn(u32) -> u32) -> (Vec<u8>, Skips, Vec<(usize, u32)>) {
        let (mut bytes, mut postings, mut place) = (Vec::new(), Vec::new(), 0);
        varint::push(&mut bytes, distances.len() as u32);
        for &distance in distances {
            place += distance;
            push(&mut bytes, distance, count(place));
            postings.push((place as usize, count(place)));
        }
        let mut skips = Skips::default();
        skips.list(&bytes, 0);
        (bytes, skips, postings)
    }

    #[test]
    fn a_cursor_moves_to_any_place_ahead_by_any_steps() {
        let mut random = Random::new(3, "cursor");
        for (length, distance) in
            [(1_usize, 1), (3, 300), (64, 1), (65, 9), (500, 3), (500, 130), (900, 260)]
        {
            // Few distances have three bytes.
            let next = |_| if random.below(40) == 0 { 5000 } else { 1 + random.below(distance) };
            let distances: Vec<u32> = (0..length).map(next).map(|next| next as u32).collect();
            // Few counts have two bytes.
            let count = |place: u32| if place.is_multiple_of(31) { 200 } else { 1 + place % 3 };
            let (bytes, skips, postings) = noted(&distances, count);
            let last = postings.last().unwrap().0;
            for step in [1, 2, 7, 60, 700, 9000] {
                let mut cursor = Cursor::new(List::at(&bytes, 0), skips.of(0, length as u32));
                let mut place = 0;
                while place <= last + step {
                    let ahead = postings.partition_point(|posting| posting.0 < place);
                    let expected = postings.get(ahead).filter(|posting| posting.0 == place);
                    let found = cursor.count(place);
                    assert_eq!(found, expected.map_or(0, |posting| posting.1), "{place}, {step}");
                    let left = length.saturating_sub(ahead + 1);
                    assert_eq!(cursor.left(), left, "{place}, {step}");
                    let end = place + step;
                    let mut before = Vec::new();
                    cursor.for_each_before(end, |place, count| before.push((place, count)));
                    let expected = postings[ahead..].iter().copied();
                    let expected = expected.take_while(|posting| posting.0 < end);
                    assert_eq!(before, expected.collect::<Vec<_>>(), "{place}, {step}");
                    place += 1 + random.below(step);
                }
            }
        }
    }
}
