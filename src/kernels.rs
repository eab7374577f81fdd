//! The inner loops, each in one fixed order, so that every host gives the same bits.
//!
//! A reduction keeps 16 partial sums: element `i` goes to lane `i % 16`, in order; then lane `i`
//! takes lane `i + 8`, `i + 4`, `i + 2`, `i + 1`. Nothing is fused, and nothing depends on the
//! width of the machine's registers.

const LANES: usize = 16;

/// Compiles a function twice where the processor may have wider registers, and runs the version
/// that it can. Both do the same operations in the same order: neither fuses nor reorders them.
macro_rules! dispatched {
    ($(#[$doc:meta])* pub fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        pub fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn same($($argument: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    same($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has what `wide` was compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { wide($($argument),*) };
                }
            }
            same($($argument),*)
        }
    };
}

dispatched! {
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
}

dispatched! {
/// The sum of some rows of a table, in the order given: element by element, from 0.
///
/// # Panics
/// If the table lacks one of the rows.
pub fn sum_rows(table: &[f32], rows: &[u32], sum: &mut [f32]) {
    sum.fill(0.0);
    for &row in rows {
        let start = row as usize * sum.len();
        let row = &table[start..start + sum.len()];
        for (sum, x) in sum.iter_mut().zip(row) {
            *sum += x;
        }
    }
}
}

dispatched! {
/// One step of Adam on a row: its weights and both moments, which are moved toward the gradient
/// and its square by `rates`.
pub fn adam(
    step_size: f32,
    rates: [f32; 2],
    epsilon: f32,
    gradient: &[f32],
    weights: &mut [f32],
    first: &mut [f32],
    second: &mut [f32]
) {
    let moments = first.iter_mut().zip(second);
    for ((weight, gradient), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
        *first += (gradient - *first) * rates[0];
        *second += (gradient * gradient - *second) * rates[1];
        *weight -= step_size * *first / (second.sqrt() + epsilon);
    }
}
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

    proptest! {
        #[test]
        fn rows_are_summed_in_the_order_given_to_the_bit(
            table in prop::collection::vec(-1e3f32..1e3, 60), rows in prop::collection::vec(0u32..4, 0..20)
        ) {
            let mut sum = [7.0; 15];
            sum_rows(&table, &rows, &mut sum);
            for (column, sum) in sum.iter().enumerate() {
                let expected =
                    rows.iter().fold(0.0f32, |sum, &row| sum + table[row as usize * 15 + column]);
                prop_assert_eq!(sum.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn norms_of_known_triangles() {
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
        assert_eq!(norm(&[]), 0.0);
    }
}
