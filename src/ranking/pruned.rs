//! The top k by hybrid scores, exactly, without looking up every word in every document.
//!
//! No word contributes more than so much to the score of a document of a length. In a range of documents, words are added to the
//! dense scores of all, those first that contribute most for their postings, until few documents can still be among the best: those
//! whose score so far, with all that the other words could add, reaches the k-th best score so far. The other words, which are the
//! most frequent ones, are looked up in these documents only, and fewer after each word. The last few are scored anew as
//! [`scan::rank`](super::scan::rank) scores them, in the order of the query's words, so that places and scores have the same bits.
//! (MaxScore, after Turtle and Flood, 1995, with a dense score that is known beforehand.) The numbers of a range fit into the
//! processor's cache, and the best documents of the ranges before leave fewer in the next one.

use std::ops::Range;

use super::scan::{Fusion, Ranking, Scored, TopK};
use crate::lexical::found::{Found, Room};
use crate::lexical::score::{Curve, LexicalQuery, Part, Word};
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
    /// The number of the language.
    language: usize,
    word: &'a Word<'a>,
    /// Its lists from the range on.
    found: Found<'a>,
    /// How many of a range, about.
    postings: usize,
    curve: Curve,
    /// What it contributes to candidates, where it was looked up in them, each with its place.
    known: Option<Vec<(u32, f32)>>,
}

/// What the words ahead can add to documents, by their language and their length.
struct Ahead<'a> {
    languages: &'a [u8],
    lengths: &'a [u32],
    /// For each language, times the length of a document, the number of its class among those of its language.
    scales: Vec<f32>,
    /// What can be added to a document of each class, [`CLASSES`] of each language.
    most: Vec<f32>,
}

/// Documents that can be among the best, with their scores so far.
struct Candidates {
    /// Those in the language of each [`InLanguage`], and then all others.
    groups: Vec<Group>,
    /// At the place of each in the range, its number in its group, from 1; 0 at all others.
    numbers: Vec<u32>,
    room: Room,
}

/// Documents in rising order, with their scores so far.
#[derive(Default)]
struct Group {
    places: Vec<usize>,
    scores: Vec<f32>,
}

/// The ranking of a range of documents.
struct Pruning<'a, W> {
    words: &'a [InLanguage<'a>],
    /// The words that any document has, in the order of the query.
    steps: Vec<Step<'a>>,
    /// Their numbers, those first that add most to scores for their postings.
    order: Vec<usize>,
    fusion: &'a Fusion<'a>,
    wanted: W,
    /// The k.
    limit: usize,
    /// The k-th best score is at least this.
    bar: f32,
    /// Sums in another order differ by rounding, of which this is more than the most.
    slack: f32,
    range: Range<usize>,
    /// How many such ranges are left, with this one.
    ranges: usize,
    /// The score of each document of the range so far.
    scores: Vec<f32>,
    ahead: Ahead<'a>,
    candidates: Candidates,
}

/// So many documents are ranked at once; fewer in tests, so that their indexes have several ranges.
const RANGE: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// A scan of the scores of so many documents is taken to cost as much as adding one posting.
const SCAN: usize = 8;
/// To look a word up in one document is taken to cost as much as adding so many postings.
const LOOKUP: usize = 8;
/// Of so many documents one may be left for them to be few.
const FEW: usize = 128;
/// Documents are classed by length, those of the mean length in this class.
const MEAN: f32 = 8.0;
/// The number of classes of lengths.
const CLASSES: usize = 24;
/// So many scores are looked at one by one where one of them may be large enough.
const CHUNK: usize = 64;

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
    let dense = |range: Range<usize>, scores: &mut [f32]| {
        let (dots, norms) = (&dots[range.clone()], &norms[range.clone()]);
        kernels::scores(dots, query.norm(), norms, epsilon, scores);
        fusion.add(range.start, scores);
    };
    let steps = steps(words, fusion.weights, norms.len().div_ceil(RANGE).max(1));
    let sizes = fusion.weights.iter().map(|[dense, lexical]| dense.abs() + lexical);
    let lists = steps.iter().map(|step| step.found.lists()).fold(16, usize::max);
    let mut pruning = Pruning {
        words,
        order: order(&steps, words),
        fusion: &fusion,
        wanted,
        limit: top.limit(),
        bar: f32::NEG_INFINITY,
        slack: (steps.len() + lists) as f32 * f32::EPSILON * 4.0 * sizes.fold(0.0, f32::max),
        range: 0..0,
        ranges: 0,
        scores: vec![0.0; RANGE.min(norms.len())],
        ahead: Ahead::new(words, &fusion),
        candidates: Candidates {
            groups: words.iter().map(|_| Group::default()).chain([Group::default()]).collect(),
            numbers: vec![0; RANGE.min(norms.len())],
            room: Room::default(),
        },
        steps,
    };
    let mut offered = Vec::new();
    for start in (0..norms.len()).step_by(RANGE) {
        let range = start..norms.len().min(start + RANGE);
        pruning.move_to(range.clone(), norms.len());
        pruning.scores.truncate(range.len());
        dense(range.clone(), &mut pruning.scores);
        pruning.bar = pruning.bar.max(top.bar());
        pruning.prune();
        pruning.score_anew(|place, lexical| {
            let mut score = [0.0];
            dense(place..place + 1, &mut score);
            let [_, weight] = fusion.weights[usize::from(fusion.language[place])];
            let score = score[0] + weight * lexical;
            top.offer(Scored { position: first_place + place, score, dot: dots[place] });
            offered.push((place, lexical));
        });
    }
    offered
}

impl<W: Fn(usize) -> bool> Pruning<'_, W> {
    /// Moves to a range, which stands behind those before, of so many documents.
    fn move_to(&mut self, range: Range<usize>, documents: usize) {
        self.ahead.most.fill(0.0);
        for step in &mut self.steps {
            step.found.move_to(range.start);
            step.known = None;
            self.ahead.add(step, 1.0);
        }
        self.ranges = (documents - range.start).div_ceil(range.len());
        self.range = range;
    }

    /// Makes those documents candidates that can be among the best.
    fn prune(&mut self) {
        for at in self.add()..self.order.len() {
            let number = self.order[at];
            let known = self.look_up(number);
            self.steps[number].known = Some(known);
            self.ahead.add(&self.steps[number], -1.0);
            self.bar = self.candidates.bar(self.limit).max(self.bar);
            let bar = self.bar - self.slack;
            let ahead = &self.ahead;
            self.candidates.retain(self.range.start, |at, score| score + ahead.of(at) > bar);
        }
    }

    /// Adds words to the scores of all documents until few documents can still be among the best, which are the candidates then.
    /// Returns the number of words.
    fn add(&mut self) -> usize {
        let documents = self.range.len();
        let mut left: usize = self.steps.iter().map(|step| step.postings).sum();
        let (mut unscanned, mut added) = (0, 0);
        for done in 0..self.order.len() {
            let postings = self.steps[self.order[done]].postings;
            unscanned += postings;
            added += postings;
            if unscanned > documents / SCAN / 2 + added / 8 && left > documents / SCAN {
                self.raise_bar(done, unscanned);
                if self.find_candidates(documents / FEW) {
                    return done;
                }
                unscanned = postings;
            }
            let step = &self.steps[self.order[done]];
            let lengths = &self.ahead.lengths[self.range.start..];
            step.found.count(&self.range, &mut self.candidates.room, |number, count| {
                self.scores[number] += step.curve.at(count, lengths[number] as f32);
            });
            self.ahead.add(step, -1.0);
            left -= postings;
        }
        self.raise_bar(self.order.len(), 0);
        self.find_candidates(usize::MAX);
        self.order.len()
    }

    /// Raises the bar to the lowest score of those documents that are the best so far. They get the words ahead too, after so many,
    /// unless that costs more than adding so many postings.
    #[inline(never)]
    fn raise_bar(&mut self, done: usize, postings: usize) {
        let (mut best, mut next) = (TopK::new(self.limit), 0);
        while let Some(above) = kernels::first_above(&self.scores[next..], best.bar().max(self.bar))
        {
            let number = next + above;
            let position = self.range.start + number;
            if (self.wanted)(position) {
                best.offer(Scored { position, score: self.scores[number], dot: 0.0 });
            }
            next = number + 1;
        }
        self.bar = best.bar().max(self.bar);
        let ahead = self.order[done..].iter();
        let lists: usize = ahead.map(|&number| self.steps[number].found.lists()).sum();
        if lists * LOOKUP > postings / self.limit {
            return;
        }
        // In rising order, since their scores are equal here.
        let mut rising = TopK::new(self.limit);
        for Scored { position, .. } in best.into_vec() {
            rising.offer(Scored { position, score: 0.0, dot: 0.0 });
        }
        rising.into_vec().iter().for_each(|scored| self.propose(scored.position));
        for at in done..self.order.len() {
            self.look_up(self.order[at]);
        }
        self.bar = self.candidates.bar(self.limit).max(self.bar);
        self.candidates.clear(self.range.start);
    }

    /// Makes those documents candidates that can still be among the best; none, and false, if there are more than so many.
    #[inline(never)]
    fn find_candidates(&mut self, most: usize) -> bool {
        let bar = self.bar - self.slack;
        let least = bar - self.ahead.largest() - self.slack;
        let (mut next, mut count) = (0, 0);
        while let Some(above) = kernels::first_above(&self.scores[next..], least) {
            let start = next + above;
            next = self.scores.len().min(start + CHUNK);
            for number in start..next {
                let (place, score) = (self.range.start + number, self.scores[number]);
                if score > least && score + self.ahead.of(place) > bar && (self.wanted)(place) {
                    count += 1;
                    if count > most {
                        self.candidates.clear(self.range.start);
                        return false;
                    }
                    self.propose(place);
                }
            }
        }
        true
    }

    /// Makes a document a candidate, which stands behind those before.
    #[inline(never)]
    fn propose(&mut self, place: usize) {
        let (language, number) = (self.fusion.language[place], place - self.range.start);
        let own = self.words.iter().position(|words| words.language == language);
        let group = &mut self.candidates.groups[own.unwrap_or(self.words.len())];
        group.places.push(place);
        group.scores.push(self.scores[number]);
        self.candidates.numbers[number] = group.places.len() as u32;
    }

    /// Adds the word of a step to the scores of candidates, and returns what it contributes to each.
    #[inline(never)]
    fn look_up(&mut self, number: usize) -> Vec<(u32, f32)> {
        let step = &self.steps[number];
        let InLanguage { query, part, .. } = &self.words[step.words];
        let weight = self.fusion.weights[step.language][1];
        let Candidates { groups, numbers, room } = &mut self.candidates;
        let Group { places, scores } = &mut groups[step.words];
        let mut contributions = Vec::new();
        step.found.count_few((&self.range, self.ranges), places, numbers, room);
        room.drain(places, &mut |number, place, count| {
            let contribution = query.contribution(step.word, count, part.lengths[place]);
            scores[number] += weight * contribution;
            contributions.push((place as u32, contribution));
        });
        contributions
    }

    /// Calls `take` with the place and the lexical score of each candidate, with the bits of a sum in the order of the query's
    /// words. No candidate is left.
    fn score_anew(&mut self, mut take: impl FnMut(usize, f32)) {
        let Candidates { groups, numbers, room } = &mut self.candidates;
        let start = self.range.start;
        groups.iter_mut().for_each(|group| group.scores.fill(0.0));
        for step in &self.steps {
            let InLanguage { query, part, .. } = &self.words[step.words];
            let Group { places, scores } = &mut groups[step.words];
            if let Some(known) = &step.known {
                for &(place, contribution) in known {
                    if let Some(number) = numbers[place as usize - start].checked_sub(1) {
                        scores[number as usize] += contribution;
                    }
                }
                continue;
            }
            step.found.count_few((&self.range, self.ranges), places, numbers, room);
            room.drain(places, &mut |number, place, count| {
                scores[number] += query.contribution(step.word, count, part.lengths[place]);
            });
        }
        for Group { places, scores } in groups {
            places.iter().zip(scores).for_each(|(&place, lexical)| take(place, *lexical));
        }
        self.candidates.clear(start);
    }
}

impl<'a> Ahead<'a> {
    /// Without any words.
    fn new(words: &[InLanguage<'a>], fusion: &Fusion<'a>) -> Self {
        let mut scales = vec![0.0; fusion.weights.len()];
        for InLanguage { language, query, .. } in words {
            scales[usize::from(*language)] = MEAN / query.mean_length;
        }
        let lengths = words.first().map_or(&[][..], |words| words.part.lengths);
        let most = vec![0.0; CLASSES * scales.len()];
        Self { languages: fusion.language, lengths, scales, most }
    }

    /// Adds what a word can contribute, so many times.
    #[inline(never)]
    fn add(&mut self, step: &Step<'_>, times: f32) {
        let scale = self.scales[step.language];
        for (class, most) in self.most[CLASSES * step.language..][..CLASSES].iter_mut().enumerate()
        {
            *most += times * step.curve.most(class as f32 / scale);
        }
    }

    /// What can be added to a document.
    fn of(&self, place: usize) -> f32 {
        let language = usize::from(self.languages[place]);
        let length = self.lengths.get(place).map_or(0.0, |&length| length as f32);
        let class = (length * self.scales[language]) as usize;
        self.most[CLASSES * language + class.min(CLASSES - 1)]
    }

    /// What can be added to any document.
    fn largest(&self) -> f32 {
        self.most.iter().copied().fold(0.0, f32::max)
    }
}

/// The words that any document has, of an index of so many ranges.
fn steps<'a>(words: &'a [InLanguage<'a>], weights: &[[f32; 2]], ranges: usize) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for (words, InLanguage { language, query, part }) in words.iter().enumerate() {
        let language = usize::from(*language);
        for word in &query.words {
            let found = word.find(*part);
            if found.postings > 0 {
                let postings = found.postings.div_ceil(ranges);
                let curve = query.curve(word, weights[language][1], found.most);
                let known = None;
                steps.push(Step { words, language, word, found, postings, curve, known });
            }
        }
    }
    steps
}

/// The numbers of steps, those first that add most to scores for their postings.
fn order(steps: &[Step<'_>], words: &[InLanguage<'_>]) -> Vec<usize> {
    // The heap that is in the module already sorts them.
    let mut sorted = TopK::new(steps.len());
    for (position, step) in steps.iter().enumerate() {
        let most = step.curve.most(words[step.words].query.mean_length);
        let score = most / step.found.postings as f32;
        sorted.offer(Scored { position, score, dot: 0.0 });
    }
    sorted.into_vec().iter().map(|scored| scored.position).collect()
}

impl Candidates {
    /// The k-th best score.
    // Separate, as other functions here, because inlining would cost code size.
    #[inline(never)]
    fn bar(&self, limit: usize) -> f32 {
        let mut best = TopK::new(limit);
        for &score in self.groups.iter().flat_map(|group| &group.scores) {
            best.offer(Scored { position: 0, score, dot: 0.0 });
        }
        best.bar()
    }

    /// Drops all, of a range that starts at a place.
    #[inline(never)]
    fn clear(&mut self, start: usize) {
        for Group { places, scores } in &mut self.groups {
            places.drain(..).for_each(|place| self.numbers[place - start] = 0);
            scores.clear();
        }
    }

    /// Keeps those that `keeps` chooses by place and score, of a range that starts at a place.
    fn retain(&mut self, start: usize, keeps: impl Fn(usize, f32) -> bool) {
        for Group { places, scores } in &mut self.groups {
            let mut kept = 0;
            for number in 0..places.len() {
                let (place, score) = (places[number], scores[number]);
                self.numbers[place - start] = 0;
                if keeps(place, score) {
                    (places[kept], scores[kept]) = (place, score);
                    kept += 1;
                    self.numbers[place - start] = kept as u32;
                }
            }
            places.truncate(kept);
            scores.truncate(kept);
        }
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
        let weights = [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]];
        let fusion = Fusion { lexical: &[], language, weights: &weights };
        let (mut room, mut gains) = (Room::default(), 0);
        for step in steps(&words, &weights, 1) {
            let mut ahead = Ahead::new(&words, &fusion);
            ahead.add(&step, 1.0);
            let InLanguage { query, part, .. } = &words[step.words];
            step.found.count(&(0..DOCUMENTS), &mut room, |place, count| {
                let contribution = query.contribution(step.word, count, part.lengths[place]);
                let gain = weights[step.language][1] * contribution;
                assert!(gain <= ahead.of(place) * 1.000_001, "{} of {place}", step.word.token);
                gains += usize::from(count > 0.0);
            });
            let of_another = language.iter().position(|&own| usize::from(own) != step.language);
            assert_eq!(ahead.of(of_another.unwrap()), 0.0);
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
