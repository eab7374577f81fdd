//! How epsilon orders documents.

use crate::math::similarity::{from_parts, swap_epsilon};

/// Where two documents of a list swap places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swap {
    /// Below it `first` is ahead of `second`, above it behind.
    pub epsilon: f64,
    /// The one with the shorter vector: its place in the list.
    pub first: usize,
    /// The one with the longer vector.
    pub second: usize,
}

/// Every swap of two documents, by rising epsilon, from their dot products with a query and their
/// norms.
pub fn swaps(dots: &[f32], norms: &[f32]) -> Vec<Swap> {
    let documents: Vec<(f32, f32)> = dots.iter().copied().zip(norms.iter().copied()).collect();
    let mut swaps = Vec::new();
    for (a, &(a_dot, a_norm)) in documents.iter().enumerate() {
        for (b, &(b_dot, b_norm)) in documents.iter().enumerate().skip(a + 1) {
            let Some(epsilon) = swap_epsilon(a_dot, a_norm, b_dot, b_norm) else { continue };
            // With the larger dot product b is ahead in the end.
            let (first, second) = if a_dot < b_dot { (a, b) } else { (b, a) };
            swaps.push(Swap { epsilon, first, second });
        }
    }
    swaps.sort_by(|a, b| a.epsilon.total_cmp(&b.epsilon));
    swaps
}

/// A document's score at each epsilon.
pub fn curve(dot: f32, query_norm: f32, document_norm: f32, epsilons: &[f32]) -> Vec<f32> {
    epsilons.iter().map(|&epsilon| from_parts(dot, query_norm, document_norm, epsilon)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn at_each_swap_and_nowhere_else_two_documents_change_places(
            documents in prop::collection::vec((0.01f32..9.0, 0.1f32..5.0), 2..7)
        ) {
            let (dots, norms): (Vec<f32>, Vec<f32>) = documents.into_iter().unzip();
            let key = |at: usize, epsilon: f64| f64::from(dots[at]) / (f64::from(norms[at]) + epsilon);
            let swaps = swaps(&dots, &norms);
            for swap in &swaps {
                let (before, after) = (swap.epsilon * 0.999, swap.epsilon * 1.001);
                prop_assert!(key(swap.first, before) > key(swap.second, before));
                prop_assert!(key(swap.first, after) < key(swap.second, after));
            }
            // Cosine's order and the dot product's differ in as many pairs as there are swaps.
            let differ = (0..dots.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| {
                (key(a, 0.0) - key(b, 0.0)) * f64::from(dots[a] - dots[b]) < 0.0
            });
            prop_assert_eq!(differ.count(), swaps.len());
        }
    }

    #[test]
    fn a_short_and_a_long_document_swap_where_the_formula_says() {
        // Cosines .9 and .6, norms 1 and 3: (1.8 * 1 - .9 * 3) / (.9 - 1.8) = 1.
        let swaps = swaps(&[0.9, 1.8], &[1.0, 3.0]);
        assert_eq!((swaps.len(), swaps[0].first, swaps[0].second), (1, 0, 1));
        assert!((swaps[0].epsilon - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_curve_has_the_score_at_each_epsilon() {
        // A dot product of 6, norms 2 and 3.
        assert_eq!(curve(6.0, 2.0, 3.0, &[0.0, 1.0]), [1.0, 0.5]);
    }
}
