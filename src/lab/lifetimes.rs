//! The epsilons at which each document is among the first ones of a ranking.

use std::cmp::Ordering;

use crate::math::similarity::swap_epsilon;

/// A range of epsilon within which a document stays among the first ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lifetime {
    /// The document: its place in the list.
    pub document: usize,
    /// The lower end, 0 or a swap point.
    pub from: f64,
    /// The upper end, a swap point or the end of the range that was asked for.
    pub to: f64,
}

/// The ranges of epsilon from 0 to `most` in which each document is among the first `count`, from
/// the documents' dot products with the query and their norms. Sorted by document, then epsilon;
/// documents that are never among the first have none. Documents with equal scores keep the order
/// of the list.
///
/// The ends are exact: a rank changes only at a swap point, `((q.b)|a| - (q.a)|b|)/(q.a - q.b)` for
/// documents a and b. Beyond it the one with the larger dot product is ahead, before it the other.
/// So the number of documents ahead of one is a sum of steps, of which each pair gives at most one;
/// a document can leave the first ones and come back. Takes O(n) for each document that is never
/// among the first because `count` others are ahead at both ends, O(n log n) for each other one.
pub fn lifetimes(dots: &[f32], norms: &[f32], count: usize, most: f64) -> Vec<Lifetime> {
    let documents: Vec<(f32, f32)> = dots.iter().copied().zip(norms.iter().copied()).collect();
    let mut lifetimes = Vec::new();
    for place in 0..documents.len() {
        let Some(changes) = changes(&documents, place, count, most) else { continue };
        let Changes { mut ahead, steps } = changes;
        let mut from = (ahead < count).then_some(0.0);
        for group in steps.chunk_by(|a, b| a.0 == b.0) {
            for &(_, passes) in group {
                ahead = if passes { ahead + 1 } else { ahead - 1 };
            }
            let at = group[0].0;
            match from {
                None if ahead < count => from = Some(at),
                Some(start) if ahead >= count => {
                    lifetimes.push(Lifetime { document: place, from: start, to: at });
                    from = None;
                }
                _ => (),
            }
        }
        if let Some(from) = from {
            lifetimes.push(Lifetime { document: place, from, to: most });
        }
    }
    lifetimes
}

/// How many documents are ahead of one just above epsilon 0, and how that changes.
struct Changes {
    ahead: usize,
    /// Swap points by ascending epsilon, and whether the other document passes this one there.
    steps: Vec<(f64, bool)>,
}

/// The changes of a document's rank up to `most`; `None` if `count` others are always ahead.
fn changes(documents: &[(f32, f32)], place: usize, count: usize, most: f64) -> Option<Changes> {
    let (mut ahead, mut always, mut steps) = (0, 0, Vec::new());
    let own = documents[place];
    for (other_place, &other) in documents.iter().enumerate() {
        if other_place == place {
            continue;
        }
        let swap = swap_epsilon(own.0, own.1, other.0, other.1).filter(|&at| at < most);
        let ends_ahead = ahead_at_large_epsilon(other, own, other_place < place);
        match swap {
            Some(at) => {
                // The other is ahead either before the swap point or after it.
                ahead += usize::from(!ends_ahead);
                steps.push((at, ends_ahead));
            }
            None => {
                // Within the range nothing changes, though a swap point may lie beyond.
                let swaps_later = swap_epsilon(own.0, own.1, other.0, other.1).is_some();
                let is_ahead = ends_ahead != swaps_later;
                ahead += usize::from(is_ahead);
                always += usize::from(is_ahead);
                if always >= count {
                    return None;
                }
            }
        }
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(Changes { ahead, steps })
}

/// Whether a document is ahead of another beyond any swap point of theirs.
fn ahead_at_large_epsilon(one: (f32, f32), other: (f32, f32), comes_first: bool) -> bool {
    match one.0.total_cmp(&other.0) {
        Ordering::Greater => true,
        Ordering::Less => false,
        // With equal dot products the one whose divisor makes the score larger, at any epsilon.
        Ordering::Equal if one.1 == other.1 || one.0 == 0.0 => comes_first,
        Ordering::Equal => (one.1 < other.1) == (one.0 > 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: f64 = 100.0;

    /// The first documents at an epsilon, by sorting all scores.
    fn first(dots: &[f32], norms: &[f32], count: usize, epsilon: f64) -> Vec<usize> {
        let score = |at: usize| f64::from(dots[at]) / (f64::from(norms[at]) + epsilon);
        let mut order: Vec<usize> = (0..dots.len()).collect();
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
        order.truncate(count);
        order.sort_unstable();
        order
    }

    proptest! {
        #[test]
        fn on_a_dense_grid_of_epsilons_the_first_are_those_that_live(
            documents in prop::collection::vec((-3f32..9.0, 0.1f32..5.0), 1..30),
            count in 1usize..12
        ) {
            let (dots, norms): (Vec<f32>, Vec<f32>) = documents.into_iter().unzip();
            let lifetimes = lifetimes(&dots, &norms, count, MOST);
            for step in 0..600 {
                let epsilon = 1e-4 * libm::pow(10.0, f64::from(step) * 0.01);
                // At an end itself two scores are equal up to rounding.
                let near = |end: f64| (end - epsilon).abs() <= 1e-9 * epsilon;
                if epsilon > MOST || lifetimes.iter().any(|life| near(life.from) || near(life.to)) {
                    continue;
                }
                let alive = lifetimes.iter().filter(|life| life.from < epsilon && epsilon < life.to);
                let alive: Vec<usize> = alive.map(|life| life.document).collect();
                prop_assert_eq!(alive, first(&dots, &norms, count, epsilon), "at {}", epsilon);
            }
        }
    }

    #[test]
    fn a_short_document_gives_its_place_to_a_long_one_at_their_swap_point() {
        // Cosines .9 and .6, norms 1 and 3: they swap at (1.8 * 1 - .9 * 3)/(.9 - 1.8) = 1.
        let found = lifetimes(&[0.9, 1.8], &[1.0, 3.0], 1, 10.0);
        assert_eq!(found.iter().map(|life| life.document).collect::<Vec<_>>(), [0, 1]);
        assert!((found[0].from, found[1].to) == (0.0, 10.0));
        assert!((found[0].to - 1.0).abs() < 1e-6 && found[0].to == found[1].from);
    }

    #[test]
    fn a_document_can_leave_and_come_back() {
        let (dots, norms) = ([3.6, 0.1, 3.3, 3.4], [3.9, 2.5, 0.9, 3.6]);
        let found = lifetimes(&dots, &norms, 2, MOST);
        // The first passes the last at (3.4 * 3.9 - 3.6 * 3.6)/(3.6 - 3.4) = 1.5; the last passes the
        // third at (3.3 * 3.6 - 3.4 * .9)/(3.4 - 3.3) = 88.2.
        let last: Vec<_> = found.iter().filter(|life| life.document == 3).collect();
        assert_eq!((last.len(), last[0].from, last[1].to), (2, 0.0, MOST));
        assert!((last[0].to - 1.5).abs() < 1e-4 && (last[1].from - 88.2).abs() < 1e-2, "{last:?}");
    }

    #[test]
    fn equal_documents_keep_the_order_of_the_list() {
        let found = lifetimes(&[1.0, 1.0, 0.0, 0.0], &[2.0, 2.0, 0.0, 1.0], 1, MOST);
        assert_eq!(found, [Lifetime { document: 0, from: 0.0, to: MOST }]);
        let found = lifetimes(&[0.0, 0.0], &[1.0, 0.0], 1, MOST);
        assert_eq!(found, [Lifetime { document: 0, from: 0.0, to: MOST }]);
    }

    #[test]
    fn where_there_is_room_for_all_all_live_everywhere() {
        let found = lifetimes(&[0.9, 1.8], &[1.0, 3.0], 5, 10.0);
        let all = [0, 1].map(|document| Lifetime { document, from: 0.0, to: 10.0 });
        assert_eq!(found, all);
        assert!(lifetimes(&[], &[], 5, 10.0).is_empty());
        assert!(lifetimes(&[1.0], &[1.0], 0, 10.0).is_empty());
    }
}
