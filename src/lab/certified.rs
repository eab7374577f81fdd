//! How far a query vector may move before a document's rank can change.

use crate::math::similarity::from_parts;

/// A document among the first ones, and how far its rank holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certified {
    /// The document: its place in the list.
    pub document: usize,
    /// The query vector can move by less than this Euclidean distance, in any direction, and the
    /// document keeps its rank. Infinite without another document.
    pub radius: f64,
    /// The same distance by the Lipschitz constant of SCS alone, which is smaller.
    pub lipschitz: f64,
    /// The document that `radius` keeps it apart from.
    pub rival: Option<usize>,
}

/// Certifies the ranks of the first `count` documents at an epsilon, best first, from all documents'
/// dot products with the query, their norms, and the query's norm.
///
/// Take two documents i and j, i ahead, and write `w = d_i/(|d_i|+eps) - d_j/(|d_j|+eps)`. The
/// difference of their scores at a query vector x is `f(x) = x.w/(|x|+eps)`.
///
/// - *By the Lipschitz constant.* `f` is SCS with w in the place of `d/(|d|+eps)`, so its gradient is
///   nowhere longer than `|w|/eps` (paper 1, Lemma 2, whose constant 2/eps is twice the tight one). From f(q)
///   to 0 it therefore takes a move of at least `f(q) eps/|w|`, and `|w| <= a_i + a_j` with
///   `a = |d|/(|d|+eps)`.
/// - *By geometry.* The denominator is positive, so f changes its sign only where x crosses the
///   plane `x.w = 0`, at the distance `q.w/|w|` from q. Of w, dot products and norms tell the part
///   along q, `p = q.w/|q| = a_i cos_i - a_j cos_j`, and that the part at right angles to q is at
///   most `s = a_i sin_i + a_j sin_j` long. So the distance is at least `|q| p/sqrt(p^2 + s^2)`,
///   which is reached where the two documents lean to opposite sides of q. This is `radius`.
///
/// `radius` is never below the Lipschitz distance: `p^2 + s^2 <= (a_i + a_j)^2`, and
/// `|q| p = f(q)(|q|+eps)`. Each is the smallest over all rivals. The distance is in the space of
/// the vectors; at most `|q|`.
pub fn certified(
    dots: &[f32],
    norms: &[f32],
    query_norm: f32,
    epsilon: f32,
    count: usize,
) -> Vec<Certified> {
    let scores: Vec<f32> = dots
        .iter()
        .zip(norms)
        .map(|(&dot, &norm)| from_parts(dot, query_norm, norm, epsilon))
        .collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    order.truncate(count);
    let query = f64::from(query_norm);
    let parts: Vec<Part> = (dots.iter().zip(norms))
        .map(|(&dot, &norm)| Part::of(f64::from(dot), f64::from(norm), query, f64::from(epsilon)))
        .collect();
    order.into_iter().map(|place| of_one(&parts, place, query, f64::from(epsilon))).collect()
}

/// The vector `d/(|d|+eps)` as the query sees it.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// Its component along the query, `a cos`.
    along: f64,
    /// Its length at right angles to the query, `a sin`.
    aside: f64,
    /// Its length, `a`.
    length: f64,
}

impl Part {
    fn of(dot: f64, norm: f64, query_norm: f64, epsilon: f64) -> Self {
        if norm == 0.0 || query_norm == 0.0 {
            let length = if norm == 0.0 { 0.0 } else { norm / (norm + epsilon) };
            return Self { along: 0.0, aside: length, length };
        }
        let length = norm / (norm + epsilon);
        // After rounding, a dot product can exceed the product of the norms.
        let cosine = (dot / (norm * query_norm)).clamp(-1.0, 1.0);
        Self { along: length * cosine, aside: length * (1.0 - cosine * cosine).sqrt(), length }
    }
}

fn of_one(parts: &[Part], place: usize, query_norm: f64, epsilon: f64) -> Certified {
    let own = parts[place];
    let mut found =
        Certified { document: place, radius: f64::INFINITY, lipschitz: f64::INFINITY, rival: None };
    for (rival, other) in parts.iter().enumerate().filter(|&(rival, _)| rival != place) {
        let lead = (own.along - other.along).abs();
        let aside = own.aside + other.aside;
        let size = (lead * lead + aside * aside).sqrt();
        let radius = if lead == 0.0 { 0.0 } else { query_norm * lead / size };
        let lengths = own.length + other.length;
        let difference = query_norm * lead / (query_norm + epsilon);
        let lipschitz = if difference == 0.0 { 0.0 } else { difference * epsilon / lengths };
        if radius < found.radius {
            (found.radius, found.rival) = (radius, Some(rival));
        }
        found.lipschitz = found.lipschitz.min(lipschitz);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn length(a: &[f64]) -> f64 {
        dot(a, a).sqrt()
    }

    /// The rank of each document: eq. (1) by itself, in f64.
    fn ranks(query: &[f64], documents: &[Vec<f64>], epsilon: f64) -> Vec<usize> {
        let score =
            |d: &Vec<f64>| dot(query, d) / ((length(query) + epsilon) * (length(d) + epsilon));
        let scores: Vec<f64> = documents.iter().map(score).collect();
        let ahead = |at: usize| scores.iter().filter(|&&other| other > scores[at]).count();
        (0..documents.len()).map(ahead).collect()
    }

    fn found(query: &[f64], documents: &[Vec<f64>], epsilon: f64) -> Vec<Certified> {
        let dots: Vec<f32> = documents.iter().map(|d| dot(query, d) as f32).collect();
        let norms: Vec<f32> = documents.iter().map(|d| length(d) as f32).collect();
        certified(&dots, &norms, length(query) as f32, epsilon as f32, documents.len())
    }

    fn vectors(count: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
        prop::collection::vec(prop::collection::vec(-1f64..1.0, 3), count)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn no_move_within_the_radius_changes_a_rank(
            query in prop::collection::vec(-1f64..1.0, 3),
            documents in vectors(6),
            moves in vectors(40),
            epsilon in 0.01f64..3.0
        ) {
            let before = ranks(&query, &documents, epsilon);
            for certified in found(&query, &documents, epsilon) {
                let Certified { document, radius, lipschitz, .. } = certified;
                prop_assert!(lipschitz <= radius * (1.0 + 1e-9));
                // The numbers given were rounded to 32 bits.
                let reach = radius - 1e-5;
                if reach <= 0.0 {
                    continue;
                }
                for by in moves.iter().filter(|by| length(by.as_slice()) > 0.0) {
                    let moved: Vec<f64> =
                        query.iter().zip(by).map(|(q, step)| q + step * reach / length(by)).collect();
                    let after = ranks(&moved, &documents, epsilon);
                    prop_assert_eq!(after[document], before[document]);
                }
            }
        }
    }

    #[test]
    fn the_radius_is_reached_where_documents_lean_to_opposite_sides() {
        // Unit documents at 30 and -60 degrees of a query of length 2: the plane between them is at
        // right angles to d_1 - d_2, 15 degrees from the query: at the distance 2 sin 15.
        let at = |degrees: f64| {
            let angle = degrees.to_radians();
            vec![libm::cos(angle), libm::sin(angle)]
        };
        let documents = [at(30.0), at(-60.0)];
        let found = found(&[2.0, 0.0], &documents, 0.5);
        let expected = 2.0 * libm::sin(15f64.to_radians());
        assert!((found[0].radius - expected).abs() < 1e-6, "{found:?}");
        // Beyond it the other is ahead.
        let towards = [
            2.0 - expected * 1.001 * libm::cos(75f64.to_radians()),
            -expected * 1.001 * libm::sin(75f64.to_radians()),
        ];
        assert_eq!(ranks(&towards, &documents, 0.5), [1, 0]);
        assert_eq!(ranks(&[2.0, 0.0], &documents, 0.5), [0, 1]);
    }

    #[test]
    fn the_lipschitz_distance_by_hand() {
        // Documents of length 1 along the query and at right angles to it, epsilon 1: a = 1/2 for
        // both, the scores of the query (3, 0) are 3/8 and 0: 3/8 * 1 / (1/2 + 1/2).
        let documents = [vec![1.0, 0.0], vec![0.0, 1.0]];
        let found = found(&[3.0, 0.0], &documents, 1.0);
        assert!((found[0].lipschitz - 0.375).abs() < 1e-7, "{found:?}");
        assert_eq!((found[0].document, found[0].rival), (0, Some(1)));
    }

    #[test]
    fn a_tie_certifies_nothing_and_a_single_document_everything() {
        let same = vec![1.0, 0.5];
        let found = [
            found(&[1.0, 0.0], &[same.clone(), same.clone()], 0.5),
            found(&[1.0, 0.0], &[same], 0.5),
        ];
        assert_eq!(found[0].iter().map(|one| one.radius).collect::<Vec<_>>(), [0.0, 0.0]);
        assert_eq!((found[1][0].radius, found[1][0].rival), (f64::INFINITY, None));
    }
}
