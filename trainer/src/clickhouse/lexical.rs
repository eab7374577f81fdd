//! The lexical score of documents for a statement: BM25 over the expected counts of a query's words.
//!
//! A server joins its rows of words with the terms that a word of the query stands for, adds up each word's expected count in a
//! document, and the contributions of all words. It needs nothing of other shards: the document frequencies and the mean lengths
//! are those of the local index, and already in the contributions' [curves](smooth_clir::lexical::score::Curve).

use std::collections::BTreeMap;

use smooth_clir::engine::{EncodedQuery, Engine};
use smooth_clir::lexical::score::{Found, LexicalQuery, Part, Word};

use super::documents::Documents;
use super::words::key;

/// A query has fewer words: each has two bytes and more, and counts once for each of 256 languages, with its stem.
const WORDS: u64 = 1 << 28;

/// The words of a query.
#[derive(Debug, Default)]
pub struct Lexical {
    /// The terms that each word stands for: name, number of the word, probability.
    terms: Vec<(u64, usize, f64)>,
    /// How each word contributes: gain, base and slope.
    curves: Vec<[f32; 3]>,
    /// The most terms that a word of a text stands for, and the most words of a language's query.
    most: [usize; 2],
}

impl Lexical {
    /// The words of a query for documents of one language, or all.
    pub fn new(
        documents: &Documents<'_>,
        engine: &Engine,
        encoded: &EncodedQuery,
        language: Option<&str>,
    ) -> Self {
        let mut all = Self::default();
        engine.with_lexical_queries(encoded, &mut |queries| {
            for (name, query) in queries {
                let Some(number) = documents.language(name) else { continue };
                if language.is_none_or(|language| language == *name) {
                    let parts = documents.indexes().filter_map(|(_, index)| index.words(name));
                    all.add(number, query, &parts.collect::<Vec<_>>());
                }
            }
        });
        all
    }

    /// Adds the words of the query for a language's documents.
    fn add(&mut self, language: usize, query: &LexicalQuery<'_>, parts: &[Part<'_>]) {
        for word in &query.words {
            let curve = query.curve(word, 1.0, f32::INFINITY);
            let terms = terms(language, word, parts);
            if !terms.is_empty() && curve.gain > 0.0 {
                let number = self.curves.len();
                self.curves.push([curve.gain, curve.base, curve.slope]);
                self.terms.extend(terms.into_iter().map(|(term, p)| (term, number, p)));
            }
            self.most[0] = self.most[0].max(word.terms.len());
        }
        self.most[1] = self.most[1].max(query.words.len());
    }

    /// Whether no document has any of the words.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How far the lexical score of the core, in f32, can be from that of a server, in f64, at most, in units of [`ROUNDING`].
    ///
    /// The core adds up the counts of each term, at most as many as it has terms, and of each word, as many as there are. A contribution
    /// takes 14 steps, and the curve that is sent 9 more. All of these numbers are positive, and the score is no larger than 1.
    ///
    /// [`ROUNDING`]: super::answer::ROUNDING
    pub fn steps(&self) -> f64 {
        let [terms, words] = self.most;
        (terms + words + 32) as f64
    }

    /// A subquery for the documents of a table that have a word: `id` and the score, `lexical`. With `trace`, also the document's
    /// `length`, and `trace`, which is the same for documents in which each term is as often.
    pub fn scores(&self, table: &str, trace: bool) -> String {
        let list =
            |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(", ");
        let terms = list(&mut self.terms.iter().map(|(term, ..)| term.to_string()));
        let words = list(&mut self.terms.iter().map(|(_, word, _)| word.to_string()));
        let shares = list(&mut self.terms.iter().map(|(.., share)| format!("{share:?}")));
        let mut each: Vec<u64> = self.terms.iter().map(|(term, ..)| *term).collect();
        each.sort_unstable();
        each.dedup();
        let each = list(&mut each.iter().map(u64::to_string));
        let numbers = list(&mut (0..self.curves.len()).map(|number| number.to_string()));
        let curve = |at: usize| {
            let numbers_of =
                list(&mut self.curves.iter().map(|curve| format!("{:?}", f64::from(curve[at]))));
            format!("transform(word, [{numbers}], [{numbers_of}], 0.)")
        };
        let [gain, base, slope] = [0, 1, 2].map(curve);
        let [of_word, of_all] = match trace {
            true => [
                ", sum(intHash64(bitXor(term, toUInt64(times)))) AS traced",
                ", any(words) AS length, sum(traced) AS trace",
            ],
            false => [""; 2],
        };
        let traced = if trace { ", traced" } else { "" };
        // A document and a word are one number, by which a server groups faster than by two.
        format!(
            "SELECT id, sum(gain * expected / (expected + base + slope * words)) AS lexical{of_all} FROM (\
             SELECT intDiv(place, {WORDS}) AS id, place % {WORDS} AS word, expected, length_of AS words{traced}, \
             {gain} AS gain, {base} AS base, {slope} AS slope FROM (\
             SELECT id * {WORDS} + of_word AS place, sum(times * share) AS expected, any(words) AS length_of{of_word} FROM (\
             SELECT term, id, times, words FROM {table} WHERE term IN (SELECT arrayJoin([{each}]))) AS found \
             ALL INNER JOIN (\
             SELECT toUInt64(a_term) AS term, a_word AS of_word, a_share AS share FROM (\
             SELECT [{terms}] AS terms, [{words}] AS words_of, [{shares}] AS shares) \
             ARRAY JOIN terms AS a_term, words_of AS a_word, shares AS a_share) AS asked USING term \
             GROUP BY place)) GROUP BY id"
        )
    }
}

/// The names of the terms of parts that a word stands for, each with its probability.
fn terms(language: usize, word: &Word<'_>, parts: &[Part<'_>]) -> BTreeMap<u64, f64> {
    let mut all = BTreeMap::new();
    for part in parts {
        let found: Found = word.find(*part);
        let mut own: BTreeMap<u64, f64> = BTreeMap::new();
        for (row, probability) in found.lists() {
            let term = key(language, part.postings.terms().token(row));
            *own.entry(term).or_default() += f64::from(probability);
        }
        all.append(&mut own);
    }
    all
}
