//! A query in a document language, by way of the queries' language: for each of its words the query words that it may stand for,
//! and of these the translations into another document language.
//!
//! `P(g | f) = sum P(g | e) P(e | f)` over the query words e, each factor by the table of its language. A word that the table
//! does not know is copied, as names and numbers are, and its stem stands for the stems that the table has of it.

use crate::lexical::translation::{Translations, Translator};

/// Terms that are less probable than this are left out: they are noise of two tables, and cost time.
const LEAST_PROBABILITY: f32 = 0.02;
/// The share that a word, or its stem, has among its own terms for documents in its own language. The rest is of its synonyms, the
/// translations of its translations: they find 2 of 100 queries more than the word alone.
const ITSELF: f32 = 0.5;

/// Terms with their probabilities.
pub type Terms<'a> = Vec<(&'a str, f32)>;

/// The words of a query by way of the queries' language.
#[derive(Debug, Clone)]
pub struct Pivot<'a> {
    /// The table of the query's language.
    table: &'a Translations,
    /// Each word once, rising.
    words: Vec<Glossed<'a>>,
}

/// A word of the query, in the queries' language.
#[derive(Debug, Clone)]
struct Glossed<'a> {
    token: &'a str,
    /// How often it counts, from 0 to 1: the less, the more common.
    weight: f32,
    /// The query words that it may stand for.
    words: Terms<'a>,
    /// The stems of query words that it may stand for.
    stems: Terms<'a>,
}

impl<'a> Pivot<'a> {
    /// A pivot without words yet, from the language of a table.
    pub fn new(table: &'a Translations) -> Self {
        Self { table, words: Vec::new() }
    }

    /// Adds a word once, with its weight and the query words that it may stand for.
    pub fn push(&mut self, token: &'a str, weight: f32, words: Terms<'a>) {
        let mut stems = Vec::new();
        if let Some(table) = &self.table.stems {
            for &(word, probability) in &words {
                add(&mut stems, (table.ends[0].of(word), probability));
            }
        }
        self.insert(Glossed { token, weight, words, stems });
    }

    /// Adds words that the table does not know, with their weights, unless they are here.
    pub fn push_unknown(&mut self, mut unknown: Vec<(&'a str, f32)>) {
        unknown.retain(|(token, _)| self.place(token).is_err());
        let tokens: Vec<&str> = unknown.iter().map(|(token, _)| *token).collect();
        let table = self.table.stems.as_ref();
        let mut stems = table.map_or_else(Vec::new, |table| table.turned(&tokens)).into_iter();
        for (token, weight) in unknown {
            let (words, stems) = (vec![(token, 1.0)], stems.next().unwrap_or_default());
            self.insert(Glossed { token, weight, words, stems });
        }
    }

    fn insert(&mut self, word: Glossed<'a>) {
        if let Err(place) = self.place(word.token) {
            self.words.insert(place, word);
        }
    }

    fn place(&self, token: &str) -> Result<usize, usize> {
        self.words.binary_search_by(|word| word.token.cmp(token))
    }

    fn word(&self, token: &str) -> Option<&Glossed<'a>> {
        self.place(token).ok().map(|place| &self.words[place])
    }

    /// The table of the query's language.
    pub(super) fn table(&self) -> &'a Translations {
        self.table
    }

    /// The weight of a word.
    pub(super) fn weight(&self, token: &str) -> f32 {
        self.word(token).map_or(1.0, |word| word.weight)
    }

    /// A word in the language of `to`, or in the queries' where it is `None`; of its own language, itself among its synonyms.
    pub(super) fn terms(&self, token: &'a str, to: Option<Translator<'a>>) -> Terms<'a> {
        let words = self.word(token).map_or(&[][..], |word| &word.words);
        let terms = through(words, |word| match to {
            Some(to) => to.translations(word),
            None => vec![(word, 1.0)],
        });
        self.with_itself(terms, token, to)
    }

    /// The stem of a word, as [`terms`](Self::terms).
    pub(super) fn stems(&self, token: &'a str, to: Option<Translator<'a>>) -> Terms<'a> {
        let stems = self.word(token).map_or(&[][..], |word| &word.stems);
        let terms = through(stems, |stem| match to {
            Some(to) => to.table.stems.as_ref().map_or_else(Vec::new, |to| to.translations(stem)),
            None => vec![(stem, 1.0)],
        });
        let end = self.table.stems.as_ref().map(|stems| stems.ends[1]);
        self.with_itself(terms, end.map_or(token, |end| end.of(token)), to)
    }

    fn with_itself(
        &self,
        mut terms: Terms<'a>,
        term: &'a str,
        to: Option<Translator<'a>>,
    ) -> Terms<'a> {
        if to.is_some_and(|to| std::ptr::eq(to.table, self.table)) {
            terms.iter_mut().for_each(|term| term.1 *= 1.0 - ITSELF);
            add(&mut terms, (term, ITSELF));
        }
        terms
    }
}

/// Terms in another language: the probabilities of each step are multiplied, those of the same term added.
fn through<'a>(terms: &[(&'a str, f32)], to: impl Fn(&'a str) -> Terms<'a>) -> Terms<'a> {
    let mut all = Vec::new();
    for &(term, probability) in terms {
        for (other, share) in to(term) {
            add(&mut all, (other, probability * share));
        }
    }
    all.retain(|&(_, probability)| probability >= LEAST_PROBABILITY);
    all
}

/// Adds a term to others, which rise.
fn add<'a>(terms: &mut Terms<'a>, (term, probability): (&'a str, f32)) {
    match terms.binary_search_by(|(other, _)| (*other).cmp(term)) {
        Ok(place) => terms[place].1 += probability,
        Err(place) => terms.insert(place, (term, probability)),
    }
}
