//! A query's word in the documents of a part: the lists of its terms, and its expected counts in a range of documents.

use std::ops::Range;

use crate::lexical::list::Cursor;

/// The lists of a query's word, from a document on, which can move forwards.
#[derive(Debug, Clone, Default)]
pub struct Found<'a> {
    /// Those of all terms.
    lists: Vec<Cursor<'a>>,
    /// The probability of each term, and the number of lists up to its last one.
    terms: Vec<(f32, usize)>,
    /// The number of postings of all.
    pub postings: usize,
    /// No document has a larger expected count; rounding aside.
    pub most: f32,
}

/// Room to count the words of documents in, for any number of words: zeros between two.
#[derive(Debug, Clone, Default)]
pub struct Room {
    /// The expected count of a word in each document, by its number.
    expected: Vec<f32>,
    /// The count of a term.
    counts: Vec<u32>,
    /// The documents that contain the term.
    touched: Vec<u32>,
}

impl<'a> Found<'a> {
    /// Adds a list of the next term.
    pub(super) fn list(&mut self, list: Cursor<'a>, postings: u32) {
        self.lists.push(list);
        self.postings += postings as usize;
    }

    /// Ends a term of this probability; `most` is its largest count in a document.
    pub(super) fn end(&mut self, probability: f32, most: f32) {
        self.terms.push((probability, self.lists.len()));
        self.most += probability * most;
    }

    /// The number of lists.
    pub fn lists(&self) -> usize {
        self.lists.len()
    }

    /// The lists of each term, with its probability.
    fn terms(&self) -> impl Iterator<Item = (f32, &[Cursor<'a>])> {
        let mut start = 0;
        self.terms.iter().map(move |&(probability, end)| {
            let lists = &self.lists[start..end];
            start = end;
            (probability, lists)
        })
    }

    /// Moves to a document, which stands behind those before.
    pub fn move_to(&mut self, place: usize) {
        self.lists.iter_mut().for_each(|list| list.move_to(place));
    }

    /// Calls `take` with the number of each document in a range that has a term, from 0, and its expected count; more than once
    /// where it has more terms, with 0 after the first time.
    pub fn count(&self, range: &Range<usize>, room: &mut Room, mut take: impl FnMut(usize, f32)) {
        room.grow(range.len());
        for (probability, lists) in self.terms() {
            if let [list] = lists {
                list.for_each_before(range.end, |place, count| {
                    let number = place - range.start;
                    let expected = &mut room.expected[number];
                    if *expected == 0.0 {
                        room.touched.push(number as u32);
                    }
                    *expected += probability * count as f32;
                });
                continue;
            }
            let known = room.touched.len();
            for list in lists {
                list.for_each_before(range.end, |place, count| {
                    room.add(place - range.start, count);
                });
            }
            room.end_term(known, probability);
        }
        for number in room.touched.drain(..) {
            take(number as usize, std::mem::take(&mut room.expected[number as usize]));
        }
    }

    /// Adds up the expected counts in some documents from where it is, whose places rise. `numbers` has the number of each at its place
    /// in the range, from 1, and 0 at all others. The range is one of so many that are left.
    // Separate, because inlining would cost code size.
    #[inline(never)]
    pub fn count_few(
        &self,
        (range, ranges): (&Range<usize>, usize),
        places: &[usize],
        numbers: &[u32],
        room: &mut Room,
    ) {
        room.grow(places.len());
        // From about so many postings on it takes less time to look each document up.
        let most = 2 * ranges * places.len();
        for (probability, lists) in self.terms() {
            for list in lists {
                if list.left() < most {
                    list.for_each_before(range.end, |place, count| {
                        if let Some(number) = numbers[place - range.start].checked_sub(1) {
                            room.add(number as usize, count);
                        }
                    });
                } else {
                    let mut list = list.clone();
                    for (number, &place) in places.iter().enumerate() {
                        room.add(number, list.count(place));
                    }
                }
            }
            room.end_term(0, probability);
            room.touched.clear();
        }
    }
}

impl Room {
    /// Makes it large enough for so many documents.
    fn grow(&mut self, documents: usize) {
        if documents > self.expected.len() {
            self.expected.resize(documents, 0.0);
            self.counts.resize(documents, 0);
        }
    }

    fn add(&mut self, number: usize, count: u32) {
        if count > 0 {
            if self.counts[number] == 0 {
                self.touched.push(number as u32);
            }
            self.counts[number] += count;
        }
    }

    /// Adds the counts of a term to the expected ones, in the documents that were touched since so many.
    fn end_term(&mut self, known: usize, probability: f32) {
        for &number in &self.touched[known..] {
            let count = std::mem::take(&mut self.counts[number as usize]);
            self.expected[number as usize] += probability * count as f32;
        }
    }

    /// Calls `take` with the number, the place and the expected count of each document that has one, which is 0 from then on.
    pub fn drain(&mut self, places: &[usize], take: &mut dyn FnMut(usize, usize, f32)) {
        for ((number, &place), count) in places.iter().enumerate().zip(&mut self.expected) {
            let count = std::mem::take(count);
            if count > 0.0 {
                take(number, place, count);
            }
        }
    }
}
