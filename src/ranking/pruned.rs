//! The top k by hybrid scores, exactly, without looking up every word in every document.
//!
//! No word contributes more than so much to the score of a document of a length. Words are added to the dense scores of all
//! documents, those first that contribute most for their postings, until few documents can still be among the best: those whose
//! score so far, with all that the other words could add, reaches the k-th best score so far. The other words, which are the most
//! frequent ones, are looked up in these documents only, and fewer after each word. The last few are scored anew as
//! [`scan::rank`](super::scan::rank) scores them, in the order of the query's words, so that places and scores have the same bits.
//! (MaxScore, after Turtle and Flood, 1995, with a dense score that is known beforehand.)

use super::scan::{Fusion, Ranking, Scored, TopK};
use crate::lexical::score::{Curve, Few, Found, LexicalQuery, Part, Word};
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
    /// The number of the word among them.
    number: usize,
    /// The number of the language.
    language: usize,
    word: &'a Word<'a>,
    found: &'a Found,
    postings: usize,
    curve: Curve,
}

/// What the words ahead can add to documents.
struct Bounds {
    /// The class of each document, by its language and its length.
    classes: Vec<u16>,
    /// What can be added to a document of each class.
    ahead: Vec<f32>,
    /// Times the length of a document, the number of its class among those of its language, for each language.
    scales: Vec<f32>,
}

/// Documents that can be among the best, in rising order, with their scores so far.
#[derive(Debug, Clone, Default)]
struct Candidates {
    places: Vec<usize>,
    scores: Vec<f32>,
}

/// The contributions of a word, each with the place of its document.
type Hits = Vec<(u32, f32)>;

/// A scan of the scores of so many documents is taken to cost as much as adding one posting.
const SCAN: usize = 8;
/// Of so many documents one may be left for them to be few.
const FEW: usize = 32;
/// Documents are classed by length, those of the mean length in this class.
const MEAN: f32 = 8.0;
/// The number of classes of lengths.
const CLASSES: usize = 24;

/// Offers every document that is `wanted` to a query's top k, as [`scan::rank`](super::scan::rank) does with a fusion that has their
/// lexical scores. The ranking has the dot products of all documents, and a fusion without lexical scores. Returns the place and the
/// lexical score of each document that was offered.
pub fn rank(
    norms: &[f32],
    wanted: impl Fn(usize) -> bool,
    first_place: usize,
    ranking: Ranking<'_>,
    words: &[InLanguage<'_>],
) -> Vec<(usize, f32)> {
    let Ranking { query, epsilon, dots, fusion, top } = ranking;
    let Some(fusion) = fusion.filter(|_| top.limit() > 0) else { return Vec::new() };
    let dense = |start: usize, scores: &mut [f32]| {
        let places = start..start + scores.len();
        kernels::scores(&dots[places.clone()], query.norm(), &norms[places], epsilon, scores);
        fusion.add(start, scores);
    };
    let mut scores = vec![0.0; norms.len()];
    dense(0, &mut scores);
    let find = |InLanguage { query, part, .. }: &InLanguage<'_>| {
        query.words.iter().map(|word| word.find(*part)).collect::<Vec<_>>()
    };
    let founds: Vec<Vec<Found>> = words.iter().map(find).collect();
    let steps = steps(words, &founds, fusion.weights);
    // Sums in another order differ by rounding, of which this is more than the most.
    let sizes = fusion.weights.iter().map(|[dense, lexical]| dense.abs() + lexical);
    let lists = steps.iter().map(|step| step.found.lists().count()).fold(16, usize::max);
    let slack = (steps.len() + lists) as f32 * f32::EPSILON * 4.0 * sizes.fold(0.0, f32::max);
    let mut bounds = Bounds::new(words, &fusion, norms.len());
    steps.iter().for_each(|step| bounds.add(step, 1.0));
    let mut left: usize = steps.iter().map(|step| step.postings).sum();
    let group = |place: usize| {
        let own = words.iter().position(|words| words.language == fusion.language[place]);
        own.unwrap_or(words.len())
    };
    // The documents that can be among the best, by the group that they are in; `None` if there are more than so many.
    let candidates = |scores: &[f32], bounds: &Bounds, bar: &mut f32, most: usize| {
        *bar = of_best(scores, &wanted, *bar, top.limit());
        let bar = *bar - slack;
        let mut found = vec![Candidates::default(); words.len() + 1];
        let mut count = 0;
        for (place, (score, class)) in scores.iter().zip(&bounds.classes).enumerate() {
            if score + bounds.ahead[usize::from(*class)] > bar && wanted(place) {
                count += 1;
                if count > most {
                    return None;
                }
                let group = &mut found[group(place)];
                group.places.push(place);
                group.scores.push(*score);
            }
        }
        Some(found)
    };
    let (mut expected, mut touched) = (vec![0.0; norms.len()], Vec::<u32>::new());
    let (mut unscanned, mut added, mut done, mut bar) = (0, 0, 0, top.bar());
    let mut found = None;
    while let Some(step) = steps.get(done) {
        unscanned += step.postings;
        added += step.postings;
        if unscanned > norms.len() / SCAN / 2 + added / 8 && left > norms.len() / SCAN {
            found = candidates(&scores, &bounds, &mut bar, norms.len() / FEW);
            unscanned = step.postings;
        }
        if found.is_some() {
            break;
        }
        let InLanguage { part, .. } = &words[step.words];
        // A document may be touched again; its count is 0 then.
        for (list, probability) in step.found.lists_in(*part) {
            for (place, count) in list {
                expected[place] += probability * count as f32;
                touched.push(place as u32);
            }
        }
        for place in touched.drain(..) {
            let place = place as usize;
            let count = std::mem::take(&mut expected[place]);
            scores[place] += step.curve.at(count, part.lengths[place] as f32);
        }
        bounds.add(step, -1.0);
        left -= step.postings;
        done += 1;
    }
    let found = found.or_else(|| candidates(&scores, &bounds, &mut bar, usize::MAX));
    let mut found = found.unwrap_or_default();
    // The number of each candidate in its group, from 1.
    let mut numbers = vec![0; norms.len()];
    found.iter().for_each(|group| group.number(&mut numbers));
    // Of the words that were looked up in candidates.
    let none = |founds: &Vec<Found>| vec![None; founds.len()];
    let mut contributions: Vec<Vec<Option<Hits>>> = founds.iter().map(none).collect();
    let mut few = Few::default();
    for step in &steps[done..] {
        let InLanguage { query, part, .. } = &words[step.words];
        let weight = fusion.weights[step.language][1];
        let Candidates { places, scores } = &mut found[step.words];
        let mut hits = Hits::new();
        step.found.count_few(*part, places, &numbers, &mut few);
        few.drain(places, &mut |number, place, count| {
            let contribution = query.contribution(step.word, count, part.lengths[place]);
            scores[number] += weight * contribution;
            hits.push((place as u32, contribution));
        });
        contributions[step.words][step.number] = Some(hits);
        bounds.add(step, -1.0);
        let mut best = TopK::new(top.limit());
        for &score in found.iter().flat_map(|group| &group.scores) {
            best.offer(Scored { position: 0, score, dot: 0.0 });
        }
        bar = bar.max(best.bar());
        for group in &mut found {
            group.places.iter().for_each(|&place| numbers[place] = 0);
            group.retain(|place, score| score + bounds.of(place) > bar - slack);
            group.number(&mut numbers);
        }
    }
    let mut offered = Vec::new();
    for (number, Candidates { places, mut scores }) in found.into_iter().enumerate() {
        scores.fill(0.0);
        if let Some(InLanguage { query, part, .. }) = words.get(number) {
            let words = query.words.iter().zip(&founds[number]).zip(&contributions[number]);
            for ((word, found), contributions) in words {
                if let Some(hits) = contributions {
                    for &(place, contribution) in hits {
                        if let Some(number) = numbers[place as usize].checked_sub(1) {
                            scores[number as usize] += contribution;
                        }
                    }
                    continue;
                }
                found.count_few(*part, &places, &numbers, &mut few);
                few.drain(&places, &mut |number, place, count| {
                    scores[number] += query.contribution(word, count, part.lengths[place]);
                });
            }
        }
        for (place, lexical) in places.into_iter().zip(scores) {
            let mut score = [0.0];
            dense(place, &mut score);
            let [_, weight] = fusion.weights[usize::from(fusion.language[place])];
            let score = score[0] + weight * lexical;
            top.offer(Scored { position: first_place + place, score, dot: dots[place] });
            offered.push((place, lexical));
        }
    }
    offered
}

impl Bounds {
    /// Without any words ahead.
    fn new(words: &[InLanguage<'_>], fusion: &Fusion<'_>, documents: usize) -> Self {
        let mut scales = vec![0.0; fusion.weights.len()];
        for InLanguage { language, query, .. } in words {
            scales[usize::from(*language)] = MEAN / query.mean_length;
        }
        let class = |place: usize| {
            let language = usize::from(fusion.language[place]);
            let length = words.first().map_or(0, |words| words.part.lengths[place]);
            let class = (length as f32 * scales[language]) as usize;
            (CLASSES * language + class.min(CLASSES - 1)) as u16
        };
        let classes = (0..documents).map(class).collect();
        Self { classes, ahead: vec![0.0; CLASSES * scales.len()], scales }
    }

    /// Adds what a word can contribute, so many times.
    fn add(&mut self, step: &Step<'_>, times: f32) {
        let scale = self.scales[step.language];
        for (class, ahead) in
            self.ahead[CLASSES * step.language..][..CLASSES].iter_mut().enumerate()
        {
            *ahead += times * step.curve.most(class as f32 / scale);
        }
    }

    /// What can be added to a document.
    fn of(&self, place: usize) -> f32 {
        self.ahead[usize::from(self.classes[place])]
    }
}

/// The words that any document has, those first that add most to scores for their postings.
fn steps<'a>(
    words: &'a [InLanguage<'a>],
    founds: &'a [Vec<Found>],
    weights: &[[f32; 2]],
) -> Vec<Step<'a>> {
    let mut steps: Vec<Option<Step<'_>>> = Vec::new();
    for (group, InLanguage { language, query, part }) in words.iter().enumerate() {
        for (number, (word, found)) in query.words.iter().zip(&founds[group]).enumerate() {
            let postings = found.postings(*part);
            if postings > 0 {
                let (words, language) = (group, usize::from(*language));
                let curve = query.curve(word, weights[language][1], found.most(*part));
                steps.push(Some(Step { words, number, language, word, found, postings, curve }));
            }
        }
    }
    // The heap that is in the module already sorts them.
    let mut sorted = TopK::new(steps.len());
    for (position, step) in steps.iter().flatten().enumerate() {
        let InLanguage { query, .. } = words[step.words];
        let score = step.curve.most(query.mean_length) / step.postings as f32;
        sorted.offer(Scored { position, score, dot: 0.0 });
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

    /// Writes the number of each, from 1, at its place.
    fn number(&self, numbers: &mut [u32]) {
        (1..).zip(&self.places).for_each(|(number, &place)| numbers[place] = number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Precision, Rows, Table};
    use crate::lexical::postings::{Counting, Postings};
    use crate::lexical::score::{Matching, Room};
    use crate::lexical::translation::{Entry, Translations, Translator};
    use crate::math::random::Random;
    use crate::ranking::scan::{self, Query};
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
                // Few are much longer than the mean.
                let words = libm::expf(random.unit() * libm::logf(120.0)) as usize;
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
    fn no_word_adds_more_to_a_document_than_its_bound() {
        let random = &mut Random::new(8, "bounds");
        let Collection { language, postings, lengths, .. } = &Collection::new(random);
        let tokens: Vec<_> = (0..40).map(|_| word(random, 300)).collect();
        let part = |number: usize| Part { postings: &postings[number], lengths };
        let matching = Matching::Untranslated(None);
        let queries = [0, 1].map(|number| LexicalQuery::new(&tokens, &matching, &[part(number)]));
        let words = [0, 1].map(|number| InLanguage {
            language: number as u8,
            query: &queries[number],
            part: part(number),
        });
        let find = |InLanguage { query, part, .. }: &InLanguage<'_>| {
            query.words.iter().map(|word| word.find(*part)).collect::<Vec<_>>()
        };
        let founds: Vec<Vec<Found>> = words.iter().map(find).collect();
        let weights = [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]];
        let fusion = Fusion { lexical: &[], language, weights: &weights };
        let (mut room, mut gains) = (Room::default(), 0);
        for step in steps(&words, &founds, &weights) {
            let mut bounds = Bounds::new(&words, &fusion, DOCUMENTS);
            bounds.add(&step, 1.0);
            let InLanguage { query, part, .. } = &words[step.words];
            query.for_each(step.word, *part, step.found, &mut room, |place, contribution| {
                let gain = weights[step.language][1] * contribution;
                assert!(gain <= bounds.of(place) * 1.000_001, "{} of {place}", step.word.token);
                gains += 1;
            });
            let of_another = language.iter().position(|&own| usize::from(own) != step.language);
            assert_eq!(bounds.of(of_another.unwrap()), 0.0);
        }
        assert!(gains > DOCUMENTS, "{gains}");
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
                    for (place, score) in rank(norms, wanted, 100, ranking, &words) {
                        assert_eq!(
                            score.to_bits(),
                            lexical[place].to_bits(),
                            "{tokens:?}, {place}"
                        );
                    }
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
