//! An inverted index: the documents of a language that contain each word, with counts.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use crate::Error;
use crate::lexical::found::Found;
use crate::lexical::list::{self, Cursor, List, Skips};
use crate::lexical::translation::Translations;
use crate::storage::Buffer;
use crate::storage::container::{Reader, Writer};
use crate::storage::varint;
use crate::text::interner::Interner;
use crate::text::stem::{End, Families};
use crate::text::vocabulary::Vocabulary;
use crate::text::{Scratch, for_each_token};

/// The terms of some documents, each with its postings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Postings {
    terms: Vocabulary,
    /// For each term its document frequency, and then its [postings](list::push). All numbers are varints.
    lists: Buffer<u8>,
    /// The start of each term's list in the bytes.
    starts: Vec<u32>,
    skips: Skips,
    /// The number of words of all documents.
    pub(crate) words: u64,
    /// The number of documents.
    pub(crate) documents: usize,
    /// The terms by their first letters and by their last ones, computed on first use.
    families: [OnceLock<Families>; 2],
    /// How many documents have a word with a stem, for the stems that were asked for.
    with_stems: [Frequencies; 2],
}

/// Document frequencies of stems, by the first of each one's words; 0 is not known. They are computed once.
#[derive(Debug, Default)]
struct Frequencies(OnceLock<Vec<AtomicU32>>);

impl Clone for Frequencies {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Frequencies {
    /// What was asked for makes no difference.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An inverted index under construction.
#[derive(Debug, Clone, Default)]
pub struct Counting {
    /// Those of the documents' language: an unknown word also counts as the words that it is made of.
    translations: Option<Arc<Translations>>,
    terms: Interner,
    /// The list of each term, by its number.
    lists: Vec<Growing>,
    /// For each term, as far as they are known, the terms that it is made of.
    parts: Vec<Option<Box<[u32]>>>,
    words: u64,
    documents: usize,
}

/// The list of a term under construction.
#[derive(Debug, Clone, Default)]
struct Growing {
    /// The number of documents.
    documents: u32,
    /// The last document, and the count of the term in it.
    last: (u32, u32),
    /// The document before it.
    before: u32,
    /// All documents but the last, as in [`Postings`].
    bytes: Vec<u8>,
}

impl Growing {
    fn add(&mut self, place: u32, times: u32) {
        if self.documents > 0 && self.last.0 == place {
            self.last.1 += times;
            return;
        }
        if self.documents > 0 {
            let (last, count) = self.last;
            list::push(&mut self.bytes, last - self.before, count);
            self.before = last;
        }
        self.documents += 1;
        self.last = (place, times);
    }

    fn write(&self, lists: &mut Vec<u8>) {
        let (last, count) = self.last;
        varint::push(lists, self.documents);
        lists.extend_from_slice(&self.bytes);
        list::push(lists, last - self.before, count);
    }
}

impl Counting {
    /// An index of documents in the language of these translations.
    pub fn of(translations: Option<Arc<Translations>>) -> Self {
        Self { translations, ..Self::default() }
    }

    /// Counts the words of a document, whose position must exceed the previous one's; returns their
    /// number.
    pub fn push(&mut self, place: usize, text: &str, scratch: &mut Scratch) -> u32 {
        let (mut length, place) = (0, place as u32);
        let translations = self.translations.clone().filter(|table| table.affixes.is_some());
        for_each_token(text, scratch, |token| {
            let term = self.term(token);
            length += 1;
            self.lists[term].add(place, 1);
            let Some(translations) = &translations else { return };
            if self.parts.get(term).is_none_or(Option::is_none) {
                let parts = translations.parts(token);
                let parts = parts.into_iter().map(|part| self.term(part) as u32).collect();
                self.parts.resize(self.lists.len(), None);
                self.parts[term] = Some(parts);
            }
            for &part in self.parts[term].iter().flatten() {
                length += 1;
                self.lists[part as usize].add(place, 1);
            }
        });
        self.documents += 1;
        self.words += u64::from(length);
        length
    }

    /// Adds documents that were counted, whose positions begin at `start` here.
    pub fn append(&mut self, counted: &Postings, start: usize) {
        for row in 0..counted.terms.len() {
            let token = counted.terms.token(row);
            let term = self.term(token);
            let list = &mut self.lists[term];
            counted.of(token).for_each(|(place, count)| list.add((start + place) as u32, count));
        }
        self.documents += counted.documents;
        self.words += counted.words;
    }

    /// The number of a term, which has a list from now on.
    fn term(&mut self, token: &str) -> usize {
        let term = self.terms.number(token);
        if term == self.lists.len() {
            self.lists.push(Growing::default());
        }
        term
    }

    /// Finishes the index.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond 4 GiB.
    pub fn finish(self) -> Result<Postings, Error> {
        let token = |&term: &u32| self.terms.word(term as usize);
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_unstable_by(|a, b| token(a).cmp(token(b)));
        let terms = Vocabulary::from_tokens(order.iter().map(token))?;
        let (mut lists, mut skips) = (Vec::new(), Skips::default());
        let mut starts = Vec::with_capacity(terms.len());
        for &term in &order {
            starts.push(lists.len() as u32);
            self.lists[term as usize].write(&mut lists);
        }
        let (found, most) = (lists.len(), u32::MAX as usize);
        if found > most {
            return Err(Error::TooLarge { what: "postings", found, most });
        }
        starts.iter().for_each(|&start| skips.list(&lists, start));
        let Self { words, documents, .. } = self;
        let (lists, families) = (lists.into(), Default::default());
        let with_stems = Default::default();
        Ok(Postings { terms, lists, starts, skips, words, documents, families, with_stems })
    }
}

impl Postings {
    /// The terms that any document contains.
    pub fn terms(&self) -> &Vocabulary {
        &self.terms
    }

    /// The documents that contain a term, in rising order, with its counts; none for an unknown
    /// term.
    pub fn of(&self, token: &str) -> List<'_> {
        let row = self.terms.row(token);
        row.map_or_else(List::default, |row| self.list(row as usize))
    }

    /// The documents that contain the term of a row of the [`terms`](Self::terms).
    pub fn list(&self, row: usize) -> List<'_> {
        List::at(&self.lists, self.starts[row])
    }

    /// The rows of the words that a term stands for: of the word itself or, with an end, of all words whose stem it is.
    pub(super) fn rows(&self, (term, end): (&str, Option<End>)) -> Rows {
        let Some(end) = end else { return Rows::Word(self.terms.row(term)) };
        let number = usize::from(end == End::Tail);
        let families = self.families[number].get_or_init(|| Families::new(&self.terms, end));
        let has_stem = |row: &usize| end.of(self.terms.token(*row)) == term;
        let mut rows = families.of(term).filter(has_stem).map(|row| row as u32);
        match (rows.next(), rows.next()) {
            (first, None) => Rows::Word(first),
            (Some(first), Some(second)) => {
                Rows::Family(number, [first, second].into_iter().chain(rows).collect())
            }
            (None, Some(_)) => Rows::Word(None),
        }
    }

    /// Adds the lists of a term, which stands for the words of some rows, to those of a query's word.
    pub(super) fn find<'a>(&'a self, rows: &Rows, probability: f32, found: &mut Found<'a>) {
        let mut most = 0.0;
        for row in rows.each() {
            found.list(self.cursor(row), self.list(row).documents());
            most += self.skips.most(row);
        }
        found.end(probability, most);
    }

    /// The lists of the words of some rows, to be asked for single documents.
    pub(super) fn cursors(&self, rows: &Rows) -> impl Iterator<Item = Cursor<'_>> {
        rows.each().map(|row| self.cursor(row))
    }

    /// The list of the word of a row, to be asked for single documents.
    fn cursor(&self, row: usize) -> Cursor<'_> {
        let list = self.list(row);
        let skips = self.skips.of(row, list.documents());
        Cursor::new(list, skips)
    }

    /// How many documents contain a word of some rows. `room`, which has a bit for each position, is zero, and is so again
    /// afterwards.
    pub(super) fn documents_with(&self, rows: &Rows, room: &mut Vec<u64>) -> u32 {
        match rows {
            Rows::Word(row) => row.map_or(0, |row| self.list(row as usize).documents()),
            Rows::Family(number, family) => {
                let zeros = || (0..self.terms.len()).map(|_| AtomicU32::new(0)).collect();
                let known = &self.with_stems[*number].0.get_or_init(zeros)[family[0] as usize];
                if known.load(Relaxed) == 0 {
                    let mut documents = 0;
                    for (place, _) in rows.each().flat_map(|row| self.list(row)) {
                        let (number, bit) = (place / 64, 1 << (place % 64));
                        if number >= room.len() {
                            room.resize(2 * number + 1, 0);
                        }
                        documents += u32::from(room[number] & bit == 0);
                        room[number] |= bit;
                    }
                    room.fill(0);
                    known.store(documents, Relaxed);
                }
                known.load(Relaxed)
            }
        }
    }

    /// Writes the postings of a language to an index file.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        writer.text(&format!("terms.{language}"), self.terms.as_joined());
        writer.bytes(&format!("lists.{language}"), &self.lists);
    }

    /// Reads the postings of a language; `None` if the file has none. `lengths` are those of all
    /// documents, and `is` tells whether a document is in the language.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        language: &str,
        lengths: &[u32],
        is: impl Fn(usize) -> bool,
    ) -> Result<Option<Self>, Error> {
        let name = format!("terms.{language}");
        if !reader.has(&name) {
            return Ok(None);
        }
        let terms = Vocabulary::from_joined(&name, reader.text(&name)?)?;
        let name = format!("lists.{language}");
        let lists = reader.bytes(&name)?;
        let own = || (0..lengths.len()).filter(|&place| is(place));
        let words = own().fold(0, |sum, place| sum + u64::from(lengths[place]));
        let (mut starts, mut at, mut counted) = (Vec::with_capacity(terms.len()), 0, 0);
        let mut skips = Skips::default();
        for _ in 0..terms.len() {
            starts.push(at as u32);
            skips.begin();
            counted += check(&lists, &mut at, &is, lengths.len(), &name, &mut skips)?;
        }
        if at != lists.len() || counted != words {
            return Err(wrong(&name, at, "a list for each term that counts each word once"));
        }
        let (documents, families) = (own().count(), Default::default());
        let with_stems = Default::default();
        Ok(Some(Self { terms, lists, starts, skips, words, documents, families, with_stems }))
    }
}

/// The words that a term stands for, by their rows.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    /// One, or none.
    Word(Option<u32>),
    /// Several with one stem, and the number of the end that it is.
    Family(usize, Vec<u32>),
}

impl Rows {
    pub(super) fn each(&self) -> impl Iterator<Item = usize> {
        let (word, family) = match self {
            Self::Word(row) => (*row, &[][..]),
            Self::Family(_, family) => (None, &family[..]),
        };
        word.into_iter().chain(family.iter().copied()).map(|row| row as usize)
    }
}

/// The sum of the counts of a list.
fn check(
    lists: &[u8],
    at: &mut usize,
    is: impl Fn(usize) -> bool,
    documents: usize,
    name: &str,
    skips: &mut Skips,
) -> Result<u64, Error> {
    let start = *at;
    let wrong = || wrong(name, start, "a list of rising documents of the language and counts");
    let length = varint::take(lists, at).filter(|&length| length > 0).ok_or_else(wrong)?;
    let (mut place, mut counted) = (0usize, 0);
    for number in 0..length {
        let (begin, before) = (*at, place as u32);
        let (step, count) = list::take(lists, at).ok_or_else(wrong)?;
        place = place.saturating_add(step as usize);
        if (step == 0 && number > 0) || place >= documents || !is(place) || count == 0 {
            return Err(wrong());
        }
        skips.push(number as usize, before, begin, count);
        counted += u64::from(count);
    }
    Ok(counted)
}

fn wrong(name: &str, position: usize, expected: &'static str) -> Error {
    Error::TensorValue { name: name.into(), position, found: "what begins there".into(), expected }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::lexical::found::Room;
    use crate::lexical::translation::Entry;
    use crate::math::random::Random;

    #[test]
    fn a_term_has_the_documents_that_have_it_and_how_often() {
        let mut counting = Counting::default();
        for (place, text) in [(0, "vent pluie vent"), (3, "soleil"), (300, "pluie et vent")] {
            counting.push(place, text, &mut Scratch::default());
        }
        let postings = counting.finish().unwrap();
        let found = |token| postings.of(token).collect::<Vec<_>>();
        assert_eq!(found("vent"), [(0, 2), (300, 1)]);
        assert_eq!(found("soleil"), [(3, 1)]);
        assert_eq!(found("neige"), []);
        assert_eq!(postings.of("pluie").documents(), 2);
        assert_eq!((postings.words, postings.documents), (7, 3));
    }

    #[test]
    fn an_unknown_word_is_counted_with_the_known_words_that_it_is_made_of() {
        let entry = |query, document| Entry { query, document, strength: 0.5 };
        let entries = [entry("insurance", "versicherung"), entry("sick", "kranken")];
        let none = Vocabulary::default();
        let mut table = Translations::new(&entries, &none, &none).unwrap();
        let affixes = Vocabulary::from_tokens(["--", "-s-", "-en"]).unwrap();
        table.affixes = Some(Arc::new(affixes));
        let count = |table| {
            let mut counting = Counting::of(table);
            let mut scratch = Scratch::default();
            let lengths = [
                counting.push(0, "Die Krankenversicherungen", &mut scratch),
                counting.push(2, "Versicherung", &mut scratch),
            ];
            (counting.finish().unwrap(), lengths)
        };
        let (postings, lengths) = count(Some(Arc::new(table)));
        let found = |token| postings.of(token).collect::<Vec<_>>();
        assert_eq!(found("krankenversicherungen"), [(0, 1)]);
        assert_eq!(found("versicherung"), [(0, 1), (2, 1)]);
        assert_eq!(found("kranken"), [(0, 1)]);
        assert_eq!((lengths, postings.words), ([4, 1], 5));
        assert_eq!(count(None).1, [2, 1]);
        // As they were counted, among other documents.
        let mut joined = Counting::default();
        joined.push(0, "kranken", &mut Scratch::default());
        joined.append(&postings, 1);
        let joined = joined.finish().unwrap();
        assert_eq!(joined.of("kranken").collect::<Vec<_>>(), [(0, 1), (1, 1)]);
        assert_eq!(joined.of("versicherung").collect::<Vec<_>>(), [(1, 1), (3, 1)]);
        assert_eq!((joined.words, joined.documents), (6, 3));
    }

    #[test]
    fn terms_are_sorted_and_counted_as_in_a_tree_of_words() {
        let mut random = Random::new(7, "words");
        let (mut counting, mut scratch) = (Counting::default(), Scratch::default());
        let mut expected: BTreeMap<String, Vec<(usize, u32)>> = BTreeMap::new();
        for place in (0..2000).step_by(3) {
            let words =
                (0..random.below(30)).map(|_| format!("w{}", random.below(400).pow(2) / 97));
            let words: Vec<String> = words.collect();
            for word in &words {
                let list = expected.entry(word.clone()).or_default();
                match list.last_mut() {
                    Some((last, count)) if *last == place => *count += 1,
                    _ => list.push((place, 1)),
                }
            }
            assert_eq!(counting.push(place, &words.join(" "), &mut scratch) as usize, words.len());
        }
        let postings = counting.finish().unwrap();
        let terms = (0..postings.terms.len()).map(|row| postings.terms.token(row));
        assert!(terms.eq(expected.keys()));
        for (word, list) in &expected {
            assert_eq!(&postings.of(word).collect::<Vec<_>>(), list, "{word}");
        }
    }

    #[test]
    fn a_stem_has_the_documents_of_all_its_words_and_how_often() {
        let mut counting = Counting::default();
        for (place, text) in [(0, "kwenda anaenda mvua"), (2, "mvua"), (7, "kuenda mvua mvua")] {
            counting.push(place, text, &mut Scratch::default());
        }
        let postings = counting.finish().unwrap();
        let (mut room, mut bits) = (Room::default(), Vec::new());
        let mut found = |end, stem| {
            let rows = postings.rows((stem, Some(end)));
            let (mut lists, mut found) = (Found::default(), Vec::new());
            postings.find(&rows, 0.5, &mut lists);
            lists.count(&(0..8), &mut room, |place, count| found.push((place, count)));
            found.retain(|(_, count)| *count > 0.0);
            found.sort_unstable_by_key(|(place, _)| *place);
            for _ in 0..2 {
                let documents = postings.documents_with(&rows, &mut bits);
                assert_eq!(documents as usize, found.len());
            }
            found
        };
        assert_eq!(found(End::Tail, "enda"), [(0, 1.0), (7, 0.5)]);
        assert_eq!(found(End::Head, "kwen"), [(0, 0.5)]);
        assert_eq!(found(End::Tail, "mvua"), [(0, 0.5), (2, 0.5), (7, 1.0)]);
        assert_eq!(found(End::Tail, "kwenda"), []);
    }
}
