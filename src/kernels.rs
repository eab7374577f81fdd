//! The inner loops, each in one fixed order, so that every host gives the same bits.
//!
//! A reduction keeps 16 partial sums: element `i` goes to lane `i % 16`, in order; then lane `i`
//! takes lane `i + 8`, `i + 4`, `i + 2`, `i + 1`. Nothing is fused, and nothing depends on the
//! width of the machine's registers.

const LANES: usize = 16;

/// The dot product of two vectors of equal length; what one has beyond the other is left out.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<LANES>();
    let (b, b_rest) = b[..length].as_chunks::<LANES>();
    let mut lanes = [0.0f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    for ((lane, a), b) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane += a * b;
    }
    sum_lanes(lanes)
}

fn sum_lanes(mut lanes: [f32; LANES]) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

/// The Euclidean norm.
pub fn norm(a: &[f32]) -> f32 {
    dot(a, a).sqrt()
}

/// `a += b`.
pub fn add(a: &mut [f32], b: &[f32]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
}

/// `a += factor * b`.
pub fn add_scaled(a: &mut [f32], factor: f32, b: &[f32]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The order that the module promises, written the slow way.
    fn dot_by_the_book(a: &[f32], b: &[f32]) -> f32 {
        let lane = |k: usize| (k..a.len()).step_by(16).fold(0.0f32, |sum, i| sum + a[i] * b[i]);
        let l: Vec<f32> = (0..16).map(lane).collect();
        let e: Vec<f32> = (0..8).map(|i| l[i] + l[i + 8]).collect();
        let f: Vec<f32> = (0..4).map(|i| e[i] + e[i + 4]).collect();
        (f[0] + f[2]) + (f[1] + f[3])
    }

    proptest! {
        #[test]
        fn dot_has_the_promised_order_to_the_bit(
            pairs in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 0..200)
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            prop_assert_eq!(dot(&a, &b).to_bits(), dot_by_the_book(&a, &b).to_bits());
        }
    }

    #[test]
    fn norms_of_known_triangles() {
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
        assert_eq!(norm(&[]), 0.0);
    }
}
