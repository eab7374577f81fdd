//! The lexical score: BM25 over the expected counts of a query's words in documents of another
//! language (probabilistic structured queries; Darwish and Oard, 2003).
//!
//! With P(f|e) the probability of the translation f of a word e: `tf(e, D) = sum P(f|e) tf(f, D)`,
//! `df(e) = sum P(f|e) df(f)`, at most N, `idf(e) = ln(1 + (N - df + 1/2) / (df + 1/2))`, and
//!
//! `score(D) = sum idf tf (k1 + 1) / (tf + k1 (1 - b + b |D| / mean |D|)) / ((k1 + 1) sum idf)`
//!
//! over the words of the query with their repetitions. The divisor is an upper bound that no
//! document reaches, so scores lie in 0..1, and a word without any match lowers them all. If the
//! model translates stems, each word's stem is a further query word, counted in documents' stems.
//! Translated words count by their weight w in the query encoder, 0.3 + 0.7 w times, and their idf to
//! the power of 1.3. Frequent words say little of a subject, and idf does not lower them enough, because
//! the probability of their translations is spread over many words.
//!
//! Rationale. A repeated word says more about a document's subject, but each repetition less than
//! the one before: `tf (k1 + 1) / (tf + k1)` saturates at k1 + 1, so ten occurrences of one word do
//! not outweigh one occurrence each of two words. A long document contains more of every word by
//! chance, so its length counts against it; with b below 1 only in part, because documents are also
//! long because they say more (Robertson and Zaragoza, 2009). Translations are uncertain, so counts
//! are expectations over them. The expectation is taken before the saturation: three translations
//! of one word are one frequent word. Adding three saturated scores would favour words with many
//! synonyms. An expected count is a fraction where a document has one of a word's translations, so that it saturates sooner than
//! a count does: k1 is 0.3 with translations, and 1.2 without, as is usual.

use crate::lexical::found::{Found, Room};
use crate::lexical::pivot::Pivot;
use crate::lexical::postings::{Postings, Rows};
use crate::lexical::translation::Translator;
use crate::text::stem::End;

/// The constants of BM25.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Constants {
    /// Term-frequency saturation.
    k1: f32,
    /// Document-length normalisation, from 0 (none) to 1 (full).
    b: f32,
    /// The power of idf.
    power: f32,
}

/// How often the most frequent words of a translated query count.
const LEAST_IMPORTANCE: f32 = 0.3;
/// Of counts.
const OF_COUNTS: Constants = Constants { k1: 1.2, b: 0.75, power: 1.0 };
/// Of expected counts.
const OF_EXPECTED_COUNTS: Constants = Constants { k1: 0.3, b: 0.9, power: 1.3 };

/// The lookup of a query's words in documents.
#[derive(Debug, Clone)]
pub enum Matching<'a> {
    /// The words themselves and, if an end is given, their stems of that end.
    Untranslated(Option<End>),
    /// The words' translations; the translations of their stems, if the table has stems.
    Translated(Translator<'a>),
    /// Words of another document language by way of the queries' language: in translation or, where there is no translator, for
    /// documents in the queries' language.
    ByWayOf(&'a Pivot<'a>, Option<Translator<'a>>),
}

/// Consecutive documents of one language, scored together.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The postings of the documents.
    pub postings: &'a Postings,
    /// The length of each document in words, at its position; other documents may lie between.
    pub lengths: &'a [u32],
}

impl<'a> Matching<'a> {
    fn word(&self, token: &'a str) -> Vec<(&'a str, f32)> {
        match self {
            Self::Untranslated(_) => vec![(token, 1.0)],
            Self::Translated(translator) => translator.translations(token),
            Self::ByWayOf(pivot, to) => pivot.terms(token, *to),
        }
    }

    fn constants(&self) -> Constants {
        match self {
            Self::Untranslated(_) => OF_COUNTS,
            _ => OF_EXPECTED_COUNTS,
        }
    }

    /// How often a word of the query counts: least for the most frequent words, and once for rare ones, by the weights of the
    /// query encoder.
    fn importance(&self, token: &str) -> f32 {
        let weight = match self {
            Self::Untranslated(_) => return 1.0,
            Self::Translated(translator) => translator.weight(token),
            Self::ByWayOf(pivot, _) => pivot.weight(token),
        };
        LEAST_IMPORTANCE + (1.0 - LEAST_IMPORTANCE) * weight
    }

    /// The ends of words that stems are, of query words and of document words; `None` if stems do
    /// not count.
    fn ends(&self) -> Option<[End; 2]> {
        match self {
            Self::Untranslated(end) => end.map(|end| [end; 2]),
            Self::Translated(translator) => Some(translator.table.stems.as_ref()?.ends),
            Self::ByWayOf(pivot, to) => {
                let [query, own] = pivot.table().stems.as_ref()?.ends;
                let end = match to {
                    Some(to) => to.table.stems.as_ref()?.ends[1],
                    None => query,
                };
                Some([own, end])
            }
        }
    }

    fn stem(&self, token: &'a str) -> Vec<(&'a str, f32)> {
        match self {
            Self::Untranslated(end) => end.map(|end| (end.of(token), 1.0)).into_iter().collect(),
            Self::Translated(translator) => {
                let stems = translator.table.stems.as_ref();
                stems.map_or_else(Vec::new, |stems| stems.translations(token))
            }
            Self::ByWayOf(pivot, to) => pivot.stems(token, *to),
        }
    }
}

/// A query prepared for documents of a language.
#[derive(Debug, Clone)]
pub struct LexicalQuery<'a> {
    /// The distinct words, in the order of the text.
    pub words: Vec<Word<'a>>,
    /// The mean length of the documents in words.
    pub mean_length: f32,
    /// The upper bound of the unnormalised scores.
    most: f32,
    constants: Constants,
}

/// A word of a query, or a stem of one.
#[derive(Debug, Clone)]
pub struct Word<'a> {
    /// The token.
    pub token: &'a str,
    /// For a stem, the ends of query words and document words that stems are.
    pub stem: Option<[End; 2]>,
    /// The translations, each with its probability.
    pub terms: Vec<(&'a str, f32)>,
    /// The count in the query, times the word's importance.
    times: f32,
    idf: f32,
}

/// The contributions of a word to scores, as they grow with its expected count:
/// `gain * count / (count + base + slope * length)`.
#[derive(Debug, Clone, Copy)]
pub struct Curve {
    /// No contribution is larger.
    pub gain: f32,
    /// Half of the gain is reached at a count of `base + slope * length`: the part that does not depend on the document.
    pub base: f32,
    /// The part for each word of the document.
    pub slope: f32,
    /// The largest expected count.
    most: f32,
}

/// A term of a query's word in a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occurrence<'a> {
    /// A word or the stem of one.
    pub term: &'a str,
    /// Its probability among all terms of the word.
    pub probability: f32,
    /// Its number of occurrences in the document.
    pub count: u32,
}

impl Word<'_> {
    /// The words of a part's documents that it stands for: those of each term, with its probability.
    // Separate, because inlining would cost code size.
    #[inline(never)]
    fn rows(&self, part: Part<'_>) -> Vec<(Rows, f32)> {
        let rows = |&(term, probability)| (part.postings.rows((term, self.end())), probability);
        self.terms.iter().map(rows).collect()
    }

    /// The rows of a part's [terms](Postings::terms) that it stands for, each with its probability.
    pub fn each_row(&self, part: Part<'_>, mut take: impl FnMut(usize, f32)) {
        for (rows, probability) in self.rows(part) {
            rows.each().for_each(|row| take(row, probability));
        }
    }

    /// Looks its terms up in a part.
    pub fn find<'p>(&self, part: Part<'p>) -> Found<'p> {
        let mut found = Found::default();
        for (rows, probability) in self.rows(part) {
            part.postings.find(&rows, probability, &mut found);
        }
        found
    }

    /// The word as displayed: a stem has a hyphen in place of the missing letters.
    pub fn shown(&self) -> String {
        self.stem.map_or_else(|| self.token.into(), |[end, _]| end.shown(self.token))
    }

    /// The end of documents' words that the terms are, for a stem.
    fn end(&self) -> Option<End> {
        self.stem.map(|[_, end]| end)
    }

    /// A term as displayed.
    pub fn shown_term(&self, term: &str) -> String {
        self.end().map_or_else(|| term.into(), |end| end.shown(term))
    }
}

impl Curve {
    /// The contribution to a document of a length with an expected count; rounding aside.
    pub fn at(&self, count: f32, length: f32) -> f32 {
        self.gain * count / (count + self.base + self.slope * length)
    }

    /// No document of this length or a larger one has a larger contribution; rounding aside.
    pub fn most(&self, length: f32) -> f32 {
        if self.most.is_finite() { self.at(self.most, length) } else { self.gain }
    }
}

impl<'a> LexicalQuery<'a> {
    /// Prepares a query for the documents of some parts.
    pub fn new(tokens: &'a [String], matching: &Matching<'a>, parts: &[Part<'_>]) -> Self {
        let sum = |count: fn(&Postings) -> u64| {
            parts.iter().map(|part| count(part.postings)).sum::<u64>() as f32
        };
        let documents = sum(|postings| postings.documents as u64);
        let (ends, constants) = (matching.ends(), matching.constants());
        let power = constants.power;
        let mut room = Vec::new();
        let mut word = |token, stem: Option<[End; 2]>, terms: Vec<(&'a str, f32)>| {
            let end = stem.map(|[_, end]| end);
            let mut count = |term| {
                let of_part = |part: &Part<'_>| {
                    part.postings.documents_with(&part.postings.rows((term, end)), &mut room)
                };
                parts.iter().map(of_part).sum::<u32>()
            };
            let df = terms
                .iter()
                .fold(0.0, |df, (term, probability)| df + probability * count(*term) as f32);
            let df = df.min(documents);
            let idf = libm::logf(1.0 + (documents - df + 0.5) / (df + 0.5));
            let idf = if power == 1.0 { idf } else { libm::powf(idf, power) };
            Word { token, stem, terms, times: 1.0, idf }
        };
        // `order` holds the positions of words by token, because a query may be a page long.
        let (mut words, mut order): (Vec<Word<'_>>, Vec<usize>) = Default::default();
        for token in tokens {
            let importance = matching.importance(token);
            let stem = ends.map(|ends| (ends[0].of(token), Some(ends)));
            for (name, stem) in std::iter::once((&token[..], None)).chain(stem) {
                let key = |word: &Word<'a>| (word.token, word.stem.is_some());
                let is_stem = stem.is_some();
                let found = order.binary_search_by(|&at| key(&words[at]).cmp(&(name, is_stem)));
                match found {
                    Ok(at) => words[order[at]].times += importance,
                    Err(at) => {
                        let terms =
                            if is_stem { matching.stem(token) } else { matching.word(token) };
                        order.insert(at, words.len());
                        words.push(Word { times: importance, ..word(name, stem, terms) });
                    }
                }
            }
        }
        let idf = words.iter().fold(0.0, |sum, word| sum + word.times * word.idf);
        let mean_length = sum(|postings| postings.words) / documents.max(1.0);
        Self { words, mean_length, most: idf * (constants.k1 + 1.0), constants }
    }

    /// Whether any document of a part has a word.
    pub fn is_in(&self, part: Part<'_>) -> bool {
        self.words.iter().any(|word| word.idf > 0.0 && word.find(part).postings > 0)
    }

    /// Adds the score of each document of a part to `scores`, at the document's position.
    pub fn score(&self, part: Part<'_>, scores: &mut [f32]) {
        let (mut room, range) = (Room::default(), 0..scores.len());
        for word in &self.words {
            word.find(part).count(&range, &mut room, |place, count| {
                scores[place] += self.contribution(word, count, part.lengths[place]);
            });
        }
    }

    /// The scores of some documents of a part, whose places rise, with the bits of [`score`](Self::score).
    pub fn scores_of(&self, part: Part<'_>, places: &[usize]) -> Vec<f32> {
        let [first, ..] = places else { return Vec::new() };
        let range = *first..places[places.len() - 1] + 1;
        let ranges = (part.lengths.len() - range.start).div_ceil(range.len());
        let mut numbers = vec![0; range.len()];
        (1..).zip(places).for_each(|(number, &place)| numbers[place - range.start] = number);
        let (mut scores, mut room) = (vec![0.0; places.len()], Room::default());
        for word in &self.words {
            let mut found = word.find(part);
            found.move_to(range.start);
            found.count_few((&range, ranges), places, &numbers, &mut room);
            room.drain(places, &mut |number, place, count| {
                scores[number] += self.contribution(word, count, part.lengths[place]);
            });
        }
        scores
    }

    /// The terms of a word that a document contains.
    pub fn occurrences(
        &self,
        word: &Word<'a>,
        part: Part<'_>,
        place: usize,
    ) -> Vec<Occurrence<'a>> {
        let mut occurrences = Vec::new();
        for (&(term, _), (rows, probability)) in word.terms.iter().zip(word.rows(part)) {
            let count = part.postings.cursors(&rows).map(|mut cursor| cursor.count(place)).sum();
            if count > 0 {
                occurrences.push(Occurrence { term, probability, count });
            }
        }
        occurrences
    }

    /// The contributions of a word times a weight, where no document has a larger expected count of it.
    pub fn curve(&self, word: &Word<'_>, weight: f32, most: f32) -> Curve {
        let Constants { k1, b, .. } = self.constants;
        let gain = weight * word.times * word.idf * (k1 + 1.0) / self.most;
        Curve { gain, base: k1 * (1.0 - b), slope: k1 * b / self.mean_length, most }
    }

    /// The contribution of a word with the given expected count to the score of a document.
    pub fn contribution(&self, word: &Word<'_>, count: f32, length: u32) -> f32 {
        let Constants { k1, b, .. } = self.constants;
        let length = 1.0 - b + b * length as f32 / self.mean_length;
        word.times * word.idf * count * (k1 + 1.0) / (count + k1 * length) / self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::postings::Counting;
    use crate::lexical::translation::{Entry, Translations};
    use crate::text::Scratch;
    use crate::text::vocabulary::Vocabulary;

    const DOCUMENTS: [&str; 4] =
        ["orage et pluie", "tempête sur la mer la nuit", "le soleil", "pluie pluie pluie"];

    fn entries() -> [Entry<'static>; 3] {
        let entry = |query, document, strength| Entry { query, document, strength };
        [entry("storm", "orage", 1.0), entry("storm", "tempête", 1.0), entry("rain", "pluie", 1.0)]
    }

    fn with_documents(look: impl FnOnce(Translator<'_>, Part<'_>)) {
        let none = Vocabulary::default();
        let table = Translations::new(&entries(), &none, &none).unwrap();
        let mut counting = Counting::default();
        let mut lengths = Vec::new();
        for (place, text) in DOCUMENTS.iter().enumerate() {
            lengths.push(counting.push(place, text, &mut Scratch::default()));
        }
        let postings = counting.finish().unwrap();
        let translator = Translator { table: &table, query: &none, document: &none, weights: None };
        look(translator, Part { postings: &postings, lengths: &lengths });
    }

    fn scores(query: &[&str]) -> Vec<f32> {
        let tokens: Vec<String> = query.iter().map(|&token| token.to_owned()).collect();
        let mut scores = vec![0.0; DOCUMENTS.len()];
        with_documents(|translator, part| {
            let matching = Matching::Translated(translator);
            LexicalQuery::new(&tokens, &matching, &[part]).score(part, &mut scores);
        });
        scores
    }

    #[test]
    fn scores_are_those_of_the_formula_by_hand() {
        // N 4, mean length 14/4. storm: terms of probability 1/2 in a document each, so df 1 and idf
        // ln(1 + 3.5/1.5); rain: df 2, idf ln 2, both to the power of 1.3. Divided by 1.3 times their sum.
        let close = |found: f32, expected: f64| {
            assert!((f64::from(found) - expected).abs() < 1e-6, "{found} {expected}");
        };
        let found = scores(&["storm", "rain"]);
        let (storm, rain) =
            (libm::pow(libm::log(1.0 + 3.5 / 1.5), 1.3), libm::pow(libm::log(2.0), 1.3));
        let part =
            |tf: f64, length: f64| tf / (tf + 0.3 * (0.1 + 0.9 * length / 3.5)) / (storm + rain);
        close(found[0], storm * part(0.5, 3.0) + rain * part(1.0, 3.0));
        close(found[1], storm * part(0.5, 6.0));
        close(found[2], 0.0);
        close(found[3], rain * part(3.0, 3.0));
    }

    #[test]
    fn a_word_that_stands_for_itself_is_found_and_one_that_is_nowhere_lowers_all() {
        assert!(scores(&["soleil"])[2] > 0.0);
        let (alone, beside) = (scores(&["rain"]), scores(&["rain", "xyzzy"]));
        assert!(alone[3] > beside[3] && beside[3] > 0.0);
        assert_eq!(scores(&[]), [0.0; 4]);
        // Twice the query is the same query.
        assert_eq!(scores(&["rain", "rain"])[3].to_bits(), alone[3].to_bits());
    }

    #[test]
    fn no_document_gains_more_of_a_word_than_its_bound_at_its_length_or_a_smaller_one() {
        with_documents(|translator, part| {
            let tokens = ["storm".to_owned(), "rain".to_owned(), "soleil".to_owned()];
            let query = LexicalQuery::new(&tokens, &Matching::Translated(translator), &[part]);
            let (mut room, mut gains) = (Room::default(), 0);
            for word in &query.words {
                let found = word.find(part);
                let curve = query.curve(word, 2.0, found.most);
                found.count(&(0..DOCUMENTS.len()), &mut room, |place, count| {
                    let contribution = query.contribution(word, count, part.lengths[place]);
                    let length = part.lengths[place] as f32;
                    for length in [0.0, length / 2.0, length] {
                        assert!(2.0 * contribution <= curve.most(length) * 1.000_001);
                    }
                    gains += usize::from(count > 0.0);
                });
                let of_any = (0..=100).map(|length| curve.most(length as f32));
                assert!(of_any.is_sorted_by(|a, b| a > b), "shorter ones gain more");
            }
            assert_eq!(gains, 5);
        });
    }

    #[test]
    fn parts_score_as_the_whole_does() {
        let tokens = ["storm".to_owned(), "rain".to_owned()];
        let whole = scores(&["storm", "rain"]);
        let none = Vocabulary::default();
        let table = Translations::new(&entries(), &none, &none).unwrap();
        let translator = Translator { table: &table, query: &none, document: &none, weights: None };
        let parts = [&DOCUMENTS[..1], &DOCUMENTS[1..]].map(|texts| {
            let (mut counting, mut scratch) = (Counting::default(), Scratch::default());
            let texts = texts.iter().enumerate();
            let lengths: Vec<u32> =
                texts.map(|(place, text)| counting.push(place, text, &mut scratch)).collect();
            (counting.finish().unwrap(), lengths)
        });
        let parts = [0, 1].map(|at| Part { postings: &parts[at].0, lengths: &parts[at].1 });
        let query = LexicalQuery::new(&tokens, &Matching::Translated(translator), &parts);
        let mut found = Vec::new();
        for part in parts {
            let mut scores = vec![0.0; part.lengths.len()];
            query.score(part, &mut scores);
            found.extend(scores);
        }
        assert_eq!(found, whole);
    }

    #[test]
    fn the_most_frequent_words_of_a_translated_query_count_least() {
        let query = Vocabulary::from_tokens(["rain", "storm"]).unwrap();
        let none = Vocabulary::default();
        let table = Translations::new(&entries(), &query, &none).unwrap();
        let tokens = ["storm".to_owned(), "rain".to_owned()];
        let importance = |weights| {
            let translator = Translator { table: &table, query: &query, document: &none, weights };
            let query = LexicalQuery::new(&tokens, &Matching::Translated(translator), &[]);
            query.words.iter().map(|word| word.times).collect::<Vec<_>>()
        };
        assert_eq!(importance(None), [1.0, 1.0]);
        // Of "rain", then of "storm".
        assert_eq!(importance(Some(&[0.0, 1.0])), [1.0, 0.3]);
        // 0.3 + 0.7 / 4, and 0.3 + 0.7 / 2.
        let between = importance(Some(&[0.5, 0.25]));
        let far = between.iter().zip([0.475, 0.65]).any(|(found, it)| (found - it).abs() > 1e-6);
        assert!(!far, "{between:?}");
    }
}
