//! The top k by hybrid scores, exactly, without looking up every word in every document.
//!
//! No word contributes more than so much to a score. Words are added to the dense scores of all documents, those first that
//! contribute most for their postings, until few documents can still be among the best: those whose score so far, with all that
//! the other words could add, reaches the k-th best score so far. The other words, which are the most frequent ones, are looked
//! up in these documents only, and fewer after each word. The last few are scored anew as [`scan::rank`](super::scan::rank) scores
//! them, in the order of the query's words, so that places and scores have the same bits. (MaxScore, after Turtle and Flood, 1995,
//! with a dense score that is known beforehand.)

use super::scan::{Ranking, Scored, TopK};
use crate::lexical::score::{Found, LexicalQuery, Part, Room, Word};
use crate::math::kernels;

/// A query's words in the documents of a language.
#[derive(Debug)]
pub struct InLanguage<'a> {
    /// The number of the language.
    pub language: u8,
    /// The query for its documents.
    pub query: &'a LexicalQuery<'a>,
    /// The documents.
    pub part: Part<'a>,
}

/// A word that is to be added to scores.
struct Step<'a> {
    /// The number of its language's [`InLanguage`].
    words: usize,
    word: &'a Word<'a>,
    found: Found,
    postings: usize,
    /// No document's score gains more by it.
    most: f32,
}

/// Documents that can be among the best, in rising order, with their scores so far.
#[derive(Debug, Clone, Default)]
struct Candidates {
    places: Vec<usize>,
    scores: Vec<f32>,
}

/// A scan of the scores of so many documents is taken to cost as much as adding one posting.
const SCAN: usize = 8;
/// Of so many documents one may be left for them to be few.
const FEW: usize = 32;

/// Offers every document that is `wanted` to a query's top k, as [`scan::rank`](super::scan::rank) does with a fusion that has their
/// lexical scores. The ranking has the dot products of all documents, and a fusion without lexical scores.
pub fn rank(
    norms: &[f32],
    wanted: impl Fn(usize) -> bool,
    first_place: usize,
    ranking: Ranking<'_>,
    words: &[InLanguage<'_>],
) {
    let Ranking { query, epsilon, dots, fusion, top } = ranking;
    let Some(fusion) = fusion.filter(|_| top.limit() > 0) else { return };
    let dense = |start: usize, scores: &mut [f32]| {
        let places = start..start + scores.len();
        kernels::scores(&dots[places.clone()], query.norm(), &norms[places], epsilon, scores);
        fusion.add(start, scores);
    };
    let mut scores = vec![0.0; norms.len()];
    dense(0, &mut scores);
    let steps = steps(words, fusion.weights);
    // Sums in another order differ by rounding, of which this is more than the most.
    let sizes = fusion.weights.iter().map(|[dense, lexical]| dense.abs() + lexical);
    let slack = (steps.len() + 8) as f32 * f32::EPSILON * 4.0 * sizes.fold(0.0, f32::max);
    // What the words ahead can add to a document, by the number of its language, and their postings.
    let mut ahead = vec![0.0; fusion.weights.len()];
    steps.iter().for_each(|step| ahead[usize::from(words[step.words].language)] += step.most);
    let mut left: usize = steps.iter().map(|step| step.postings).sum();
    let group = |place: usize| {
        let own = words.iter().position(|words| words.language == fusion.language[place]);
        own.unwrap_or(words.len())
    };
    // The documents that can be among the best, by the group that they are in; `None` if there are more than so many.
    let candidates = |scores: &[f32], ahead: &[f32], bar: f32, most: usize| {
        let bar = of_best(scores, &wanted, bar, top.limit()) - slack;
        let highest = ahead.iter().copied().fold(0.0, f32::max);
        let mut found = vec![Candidates::default(); words.len() + 1];
        let (mut next, mut count) = (0, 0);
        while let Some(above) = kernels::first_above(&scores[next..], bar - highest) {
            let place = next + above;
            next = place + 1;
            let reaches = scores[place] + ahead[usize::from(fusion.language[place])] > bar;
            if reaches && wanted(place) {
                count += 1;
                if count > most {
                    return None;
                }
                let group = &mut found[group(place)];
                group.places.push(place);
                group.scores.push(scores[place]);
            }
        }
        Some(found)
    };
    let (mut room, mut unscanned, mut done) = (Room::default(), 0, 0);
    let mut found = None;
    while let Some(Step { words: number, word, found: its, postings, most }) = steps.get(done) {
        unscanned += postings;
        if unscanned > norms.len() / SCAN / 2 && left > norms.len() / SCAN {
            found = candidates(&scores, &ahead, top.bar(), norms.len() / FEW);
            unscanned = *postings;
        }
        if found.is_some() {
            break;
        }
        let InLanguage { language, query, part } = &words[*number];
        let weight = fusion.weights[usize::from(*language)][1];
        query.for_each(word, *part, its, &mut room, |place, contribution| {
            scores[place] += weight * contribution;
        });
        ahead[usize::from(*language)] -= most;
        left -= postings;
        done += 1;
    }
    let found = found.or_else(|| candidates(&scores, &ahead, top.bar(), usize::MAX));
    let mut found = found.unwrap_or_default();
    let mut expected = Vec::new();
    for Step { words: number, word, found: its, most, .. } in &steps[done..] {
        let InLanguage { language, query, part } = &words[*number];
        let weight = fusion.weights[usize::from(*language)][1];
        let Candidates { places, scores } = &mut found[*number];
        query.for_few(word, *part, its, places, &mut expected, &mut |at, contribution| {
            scores[at] += weight * contribution;
        });
        ahead[usize::from(*language)] -= most;
        let mut best = TopK::new(top.limit());
        for &score in found.iter().flat_map(|group| &group.scores) {
            best.offer(Scored { position: 0, score, dot: 0.0 });
        }
        let bar = best.bar().max(top.bar()) - slack;
        for group in &mut found {
            group.retain(|place, score| score + ahead[usize::from(fusion.language[place])] > bar);
        }
    }
    for (number, Candidates { places, mut scores }) in found.into_iter().enumerate() {
        scores.fill(0.0);
        if let Some(InLanguage { query, part, .. }) = words.get(number) {
            for word in &query.words {
                let its = word.find(*part);
                query.for_few(
                    word,
                    *part,
                    &its,
                    &places,
                    &mut expected,
                    &mut |at, contribution| {
                        scores[at] += contribution;
                    },
                );
            }
        }
        for (place, lexical) in places.into_iter().zip(scores) {
            let mut score = [0.0];
            dense(place, &mut score);
            let [_, weight] = fusion.weights[usize::from(fusion.language[place])];
            let score = score[0] + weight * lexical;
            top.offer(Scored { position: first_place + place, score, dot: dots[place] });
        }
    }
}

/// The words that any document has, those first that add most to scores for their postings.
fn steps<'a>(words: &'a [InLanguage<'a>], weights: &[[f32; 2]]) -> Vec<Step<'a>> {
    let mut steps: Vec<Option<Step<'_>>> = Vec::new();
    for (number, InLanguage { language, query, part }) in words.iter().enumerate() {
        for word in &query.words {
            let found = word.find(*part);
            let postings = found.postings(*part);
            if postings > 0 {
                let most = weights[usize::from(*language)][1] * query.most(word, *part, &found);
                steps.push(Some(Step { words: number, word, found, postings, most }));
            }
        }
    }
    // The heap that is in the module already sorts them.
    let mut sorted = TopK::new(steps.len());
    for (position, step) in steps.iter().flatten().enumerate() {
        sorted.offer(Scored { position, score: step.most / step.postings as f32, dot: 0.0 });
    }
    sorted.into_vec().iter().filter_map(|scored| steps[scored.position].take()).collect()
}

/// The bar, or the lowest of the best scores if it is higher.
fn of_best(scores: &[f32], wanted: impl Fn(usize) -> bool, bar: f32, limit: usize) -> f32 {
    let (mut best, mut next) = (TopK::new(limit), 0);
    while let Some(above) = kernels::first_above(&scores[next..], best.bar().max(bar)) {
        let place = next + above;
        if wanted(place) {
            best.offer(Scored { position: place, score: scores[place], dot: 0.0 });
        }
        next = place + 1;
    }
    best.bar().max(bar)
}

impl Candidates {
    fn retain(&mut self, keeps: impl Fn(usize, f32) -> bool) {
        let pairs =
            std::mem::take(&mut self.places).into_iter().zip(std::mem::take(&mut self.scores));
        let kept = pairs.filter(|&(place, score)| keeps(place, score));
        (self.places, self.scores) = kept.unzip();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Precision, Rows, Table};
    use crate::lexical::postings::{Counting, Postings};
    use crate::lexical::score::Matching;
    use crate::lexical::translation::{Entry, Translations, Translator};
    use crate::math::random::Random;
    use crate::ranking::scan::{self, Fusion, Query};
    use crate::text::Scratch;
    use crate::text::vocabulary::Vocabulary;

    const DIMENSION: usize = 8;
    const DOCUMENTS: usize = 2500;

    /// A word: the first are frequent, as in any language.
    fn word(random: &mut Random, words: usize) -> String {
        let rare = libm::expf(random.unit() * libm::logf(words as f32)) as usize;
        format!("w{}", rare.min(words - 1))
    }

    /// Documents of two languages with words and of one without, with the language of each.
    struct Collection {
        vectors: Rows,
        norms: Vec<f32>,
        language: Vec<u8>,
        postings: [Postings; 2],
        lengths: Vec<u32>,
    }

    impl Collection {
        fn new(random: &mut Random) -> Self {
            let values = random.normals(DOCUMENTS * DIMENSION, 0.3);
            let vectors = Rows::new(Table::new(DIMENSION, values), Precision::F32);
            let norms = (0..DOCUMENTS).map(|at| kernels::norm(&vectors.row(at))).collect();
            let language = (0..DOCUMENTS).map(|_| random.below(3) as u8).collect::<Vec<_>>();
            let mut counting = [Counting::default(), Counting::default()];
            let mut lengths = Vec::new();
            for (place, &language) in language.iter().enumerate() {
                let words = 1 + random.below(30);
                let text: Vec<_> = (0..words).map(|_| word(random, 300)).collect();
                lengths.push(match counting.get_mut(usize::from(language)) {
                    Some(own) => own.push(place, &text.join(" "), &mut Scratch::default()),
                    None => 0,
                });
            }
            let postings = counting.map(|counting| counting.finish().unwrap());
            Self { vectors, norms, language, postings, lengths }
        }
    }

    #[test]
    fn places_and_scores_are_those_of_a_whole_scan_to_the_bit() {
        let random = &mut Random::new(7, "pruned");
        let none = Vocabulary::default();
        for _ in 0..6 {
            let Collection { vectors, norms, language, postings, lengths } =
                &Collection::new(random);
            let pairs: Vec<_> = (0..900)
                .map(|_| (word(random, 300), word(random, 300), random.unit() + 0.01))
                .collect();
            let pairs = pairs.iter();
            let entries: Vec<Entry<'_>> = pairs
                .map(|(query, document, strength)| Entry { query, document, strength: *strength })
                .collect();
            let table = Translations::new(&entries, &none, &none).unwrap();
            let translator =
                Translator { table: &table, query: &none, document: &none, weights: None };
            for words in [1, 3, 12, 80] {
                let tokens: Vec<_> = (0..words).map(|_| word(random, 310)).collect();
                let queries: Vec<LexicalQuery<'_>> = [
                    (Matching::Translated(translator), &postings[0]),
                    (Matching::Untranslated(None), &postings[1]),
                ]
                .iter()
                .map(|(matching, postings)| {
                    LexicalQuery::new(&tokens, matching, &[Part { postings, lengths }])
                })
                .collect();
                let query = Query::new(random.normals(DIMENSION, 0.4));
                let weights: Vec<[f32; 2]> =
                    (0..3).map(|_| [random.unit(), random.unit()]).collect();
                let mut lexical = vec![0.0; DOCUMENTS];
                for (query, postings) in queries.iter().zip(postings) {
                    query.score(Part { postings, lengths }, &mut lexical);
                }
                for (limit, every) in [(0, 1), (1, 1), (10, 1), (10, 7), (40, 2), (DOCUMENTS, 1)] {
                    let wanted = |place: usize| place.is_multiple_of(every);
                    let fusion = |lexical| Some(Fusion { lexical, language, weights: &weights });
                    // Some documents were found before.
                    let before = Scored { position: 0, score: 0.25, dot: 0.0 };
                    let [mut expected, mut found] = [TopK::new(limit), TopK::new(limit)];
                    expected.offer(before);
                    found.offer(before);
                    let (epsilon, mut dots) = (0.3, Vec::new());
                    scan::rank(
                        vectors,
                        norms,
                        wanted,
                        100,
                        &mut [Ranking {
                            query: &query,
                            epsilon,
                            dots: &mut dots,
                            fusion: fusion(&lexical),
                            top: &mut expected,
                        }],
                    );
                    let of_language = |(number, query)| InLanguage {
                        language: number as u8,
                        query,
                        part: Part { postings: &postings[number], lengths },
                    };
                    let words: Vec<_> = queries.iter().enumerate().map(of_language).collect();
                    let ranking = Ranking {
                        query: &query,
                        epsilon,
                        dots: &mut dots,
                        fusion: fusion(&[]),
                        top: &mut found,
                    };
                    rank(norms, wanted, 100, ranking, &words);
                    let bits = |top: TopK| {
                        let all = top.into_vec().into_iter();
                        all.map(|one| (one.position, one.score.to_bits(), one.dot.to_bits()))
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(bits(found), bits(expected), "{tokens:?}, {limit}, {every}");
                }
            }
        }
    }
}
