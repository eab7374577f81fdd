//! The lexical score of documents for a statement: BM25 over the expected counts of a query's words.
//!
//! A server joins its rows of words with the terms that a word of the query stands for, adds up each word's expected count in a
//! document, and the contributions of all words. It needs nothing of other shards: the document frequencies and the mean lengths
//! are those of the local index, and already in the contributions' [curves](smooth_clir::lexical::score::Curve).

use std::collections::BTreeMap;

use smooth_clir::engine::{EncodedQuery, Engine};
use smooth_clir::lexical::score::{LexicalQuery, Part, Word};

use super::documents::Documents;
use super::words::key;

/// The half of a unit in the last place of f32 numbers from 1 to 2.
pub const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
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

    /// How far the lexical score of the core, in f32, can be from that of a server, in f64, at most.
    ///
    /// The core adds up the counts of each term, one after the other, and then the contributions of the words. A contribution takes 14
    /// steps besides, the curve that is sent 8, and the hybrid score 2. All of these numbers are positive, so that n steps
    /// change a sum by less than nu/(1-nu) of it, u being [`ROUNDING`]; it is no larger than 1. A hundredth more is for the server's f64.
    pub fn difference(&self) -> f64 {
        let [terms, words] = self.most;
        let steps = (terms + words + 32) as f64 * ROUNDING;
        let relative = steps / (1.0 - steps);
        if self.is_empty() { 0.0 } else { relative * (1.0 + relative) * 1.01 }
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
        let mut own: BTreeMap<u64, f64> = BTreeMap::new();
        word.each_row(*part, |row, probability| {
            let term = key(language, part.postings.terms().token(row));
            *own.entry(term).or_default() += f64::from(probability);
        });
        all.append(&mut own);
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use smooth_clir::lexical::postings::Counting;
    use smooth_clir::lexical::score::Matching;
    use smooth_clir::lexical::stems::Stems;
    use smooth_clir::lexical::translation::{Entry, Translations, Translator};
    use smooth_clir::math::random::Random;
    use smooth_clir::text::Scratch;
    use smooth_clir::text::stem::End;
    use smooth_clir::text::vocabulary::Vocabulary;

    /// What a server computes of rows: the lexical score of each document.
    fn scores_of_server(all: &Lexical, part: Part<'_>) -> Vec<f64> {
        let mut expected: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        let terms = part.postings.terms();
        for row in 0..terms.len() {
            let name = key(0, terms.token(row));
            for (_, word, share) in all.terms.iter().filter(|(term, ..)| *term == name) {
                for (place, times) in part.postings.list(row) {
                    *expected.entry((place, *word)).or_default() += share * f64::from(times);
                }
            }
        }
        let mut scores = vec![0.0; part.lengths.len()];
        for ((place, word), count) in expected {
            let [gain, base, slope] = all.curves[word].map(f64::from);
            scores[place] += gain * count / (count + base + slope * f64::from(part.lengths[place]));
        }
        scores
    }

    #[test]
    fn a_servers_score_is_the_cores_up_to_rounding() {
        let random = &mut Random::new(11, "shards");
        let word = |random: &mut Random, most: usize| format!("wor{}", random.below(most) * 7);
        let mut entries = BTreeSet::new();
        while entries.len() < 600 {
            entries.insert((format!("q{}", random.below(40)), word(random, 200)));
        }
        let stem = |(query, document): &(String, String)| {
            (query.clone(), document.chars().take(4).collect::<String>())
        };
        let stems: BTreeSet<_> = entries.iter().map(stem).collect();
        let entry = |(query, document): &'_ (String, String)| {
            Entry::clone(&Entry {
                query: query.clone().leak(),
                document: document.clone().leak(),
                strength: 0.3,
            })
        };
        let none = Vocabulary::default();
        let of_words: Vec<Entry<'_>> = entries.iter().map(entry).collect();
        let of_stems: Vec<Entry<'_>> = stems.iter().map(entry).collect();
        let mut table = Translations::new(&of_words, &none, &none).unwrap();
        table.stems = Some(Stems::new(&of_stems, [End::Head; 2]).unwrap());
        let mut counting = Counting::default();
        let lengths: Vec<u32> = (0..300)
            .map(|place| {
                let text: Vec<String> = (0..=random.below(60)).map(|_| word(random, 300)).collect();
                counting.push(place, &text.join(" "), &mut Scratch::default())
            })
            .collect();
        let postings = counting.finish().unwrap();
        let part = Part { postings: &postings, lengths: &lengths };
        let places: Vec<usize> = (0..lengths.len()).collect();
        let mut largest = 0.0;
        for words in [1, 3, 30] {
            let tokens: Vec<String> =
                (0..words).map(|_| format!("q{}", random.below(45))).collect();
            let translator =
                Translator { table: &table, query: &none, document: &none, weights: None };
            let query = LexicalQuery::new(&tokens, &Matching::Translated(translator), &[part]);
            let mut all = Lexical::default();
            all.add(0, &query, &[part]);
            let there = scores_of_server(&all, part);
            let here = query.scores_of(part, &places);
            for (there, here) in there.iter().zip(here) {
                let off = (there - f64::from(here)).abs();
                assert!(off <= all.difference(), "{off} {}", all.difference());
                largest = f64::max(largest, off / all.difference());
            }
            assert!(there.iter().filter(|score| **score > 0.1).count() > 20);
        }
        // The bound is no wider than rounding.
        assert!(largest > 1e-3, "{largest}");
    }
}
