//! The inner loops, each in one fixed order, so that every host gives the same bits.
//!
//! A reduction keeps 16 partial sums: element `i` goes to lane `i % 16`, in order; then lane `i`
//! takes lane `i + 8`, `i + 4`, `i + 2`, `i + 1`. Nothing is fused, and nothing depends on the
//! width of the machine's registers.
//!
//! Rationale. Floating-point addition is not associative, so the bits of a sum depend on its order.
//! One sum from left to right is a chain: each addition waits for the one before, and a compiler
//! may not split it. Sixteen partial sums suit every host: one AVX-512 register, two of AVX2, four
//! of SSE2, NEON or WebAssembly's SIMD, with enough independent chains to hide the latency of an
//! addition on each. A host with narrower registers processes the sixteen lanes in turn. The lanes
//! are added as a tree: its four levels are the halving that vector instructions do, and a tree's
//! rounding error grows with its depth rather than with the number of its leaves (Higham, 1993). A
//! fused multiply-add would round once instead of twice: faster, but with other bits, and
//! WebAssembly has no deterministic one.

const LANES: usize = 16;
/// The number of columns of a table that are summed at once.
const COLUMNS: usize = 32;
/// The size of a cache line in bytes.
const CACHE_LINE: usize = 64;

/// Compiles a function for each register width of x86 processors, and runs the widest version that
/// the processor supports. All versions do the same operations in the same order, without fusing or
/// reordering.
macro_rules! dispatched {
    ($(#[$doc:meta])* pub fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {
        $(#[$doc])*
        pub fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn same($($argument: $type),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
                fn widest($($argument: $type),*) $(-> $result)? {
                    same($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    same($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor supports the features that `widest` is compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { widest($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor supports the features that `wide` is compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { wide($($argument),*) };
                }
            }
            same($($argument),*)
        }
    };
}

mod pairs;
mod scan;

pub use pairs::{Codes, Products, sums_of_pairs};
pub use scan::{dots, dots_of_integers, first_above, scores};

dispatched! {
/// The dot product of two vectors of equal length; excess elements of the longer one are ignored.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    dot_in_lanes(a, b)
}
}

#[inline(always)]
fn dot_in_lanes(a: &[f32], b: &[f32]) -> f32 {
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

/// Dot products of integers in plain Rust, for the last vectors, beyond groups of four, and for any length.
// Separate, because inlining would cost code size.
#[inline(never)]
fn integers_one_by_one(query: &[i16], vectors: &[i8], sums: &mut [i32]) {
    for (vector, sum) in vectors.chunks_exact(query.len().max(1)).zip(sums) {
        let products = query.iter().zip(vector).map(|(&a, &b)| i32::from(a) * i32::from(b));
        *sum = products.fold(0, i32::wrapping_add);
    }
}

/// Prefetches values that will be used soon; affects the time only.
#[inline(always)]
pub fn prefetch<T>(numbers: &[T]) {
    for line in numbers.chunks((CACHE_LINE / size_of::<T>()).max(1)) {
        prefetch_line(line.as_ptr());
    }
}

/// Prefetches the cache line of an address, which may be any; affects the time only.
#[inline(always)]
fn prefetch_line<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch has no effect that the program can observe.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

dispatched! {
/// The sum of some rows of a table, in the given order: element by element, from 0. Rows are
/// `stride` values apart and are summed over the length of `sum`.
///
/// # Panics
/// If the table lacks one of the rows.
pub fn sum_rows(table: &[f32], stride: usize, rows: &[u32], sum: &mut [f32]) {
    let mut column = 0;
    // A block of columns stays in registers during the pass over the rows.
    let (blocks, rest) = sum.as_chunks_mut::<COLUMNS>();
    for block in blocks {
        let mut lanes = [0.0f32; COLUMNS];
        for &row in rows {
            let start = row as usize * stride + column;
            let row = &table[start..start + COLUMNS];
            for (lane, x) in lanes.iter_mut().zip(row) {
                *lane += x;
            }
        }
        *block = lanes;
        column += COLUMNS;
    }
    rest.fill(0.0);
    let width = rest.len();
    for &row in rows {
        let start = row as usize * stride + column;
        for (sum, x) in rest.iter_mut().zip(&table[start..start + width]) {
            *sum += x;
        }
    }
}
}

dispatched! {
/// [`sum_rows`] with each row multiplied by its factor; rows beyond the factors have factor 1.
///
/// # Panics
/// If the table lacks one of the rows.
pub fn sum_weighted_rows(table: &[f32], stride: usize, rows: &[u32], factors: &[f32], sum: &mut [f32]) {
    let mut column = 0;
    for block in sum.chunks_mut(COLUMNS) {
        let mut lanes = [0.0f32; COLUMNS];
        for &row in rows {
            let factor = factors.get(row as usize).copied().unwrap_or(1.0);
            let start = row as usize * stride + column;
            for (lane, x) in lanes.iter_mut().zip(&table[start..start + block.len()]) {
                *lane += x * factor;
            }
        }
        block.copy_from_slice(&lanes[..block.len()]);
        column += COLUMNS;
    }
}
}

dispatched! {
/// The sum of all rows of a table, each of the length of `sum` and multiplied by its factor:
/// element by element, from 0, in the order of the rows. Rows without a factor are left out.
pub fn weighted_sum(table: &[f32], factors: &[f32], sum: &mut [f32]) {
    let stride = sum.len();
    let mut column = 0;
    for block in sum.chunks_mut(COLUMNS) {
        let mut lanes = [0.0f32; COLUMNS];
        for (row, &factor) in table.chunks_exact(stride).zip(factors) {
            for (lane, x) in lanes.iter_mut().zip(&row[column..column + block.len()]) {
                *lane += x * factor;
            }
        }
        block.copy_from_slice(&lanes[..block.len()]);
        column += COLUMNS;
    }
}
}

dispatched! {
/// [`sum_rows`] of 8-bit integers, each row multiplied by its scale.
///
/// # Panics
/// If a row does not exist.
pub fn sum_scaled_rows(values: &[i8], scales: &[f32], stride: usize, rows: &[u32], sum: &mut [f32]) {
    let mut column = 0;
    for block in sum.chunks_mut(COLUMNS) {
        let mut lanes = [0.0f32; COLUMNS];
        for &row in rows {
            let start = row as usize * stride + column;
            let scale = scales[row as usize];
            for (lane, &x) in lanes.iter_mut().zip(&values[start..start + block.len()]) {
                *lane += f32::from(x) * scale;
            }
        }
        block.copy_from_slice(&lanes[..block.len()]);
        column += COLUMNS;
    }
}
}

dispatched! {
/// Adds a row, each value multiplied by a factor, to a sum.
pub fn add_scaled(row: &[f32], factor: f32, sum: &mut [f32]) {
    for (sum, x) in sum.iter_mut().zip(row) {
        *sum += x * factor;
    }
}
}

dispatched! {
/// [`add_scaled`] of a row of 8-bit integers, each multiplied by the row's scale first.
pub fn add_scaled_integers(row: &[i8], scale: f32, factor: f32, sum: &mut [f32]) {
    for (sum, &x) in sum.iter_mut().zip(row) {
        *sum += f32::from(x) * scale * factor;
    }
}
}

dispatched! {
/// Takes one step of Adam on a row: updates its weights, and its two moments towards the gradient
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

dispatched! {
/// The hyperbolic tangent of each value, in place, with the bits of `libm::tanhf`.
///
/// The operations are libm's (FreeBSD's `s_tanhf.c` and `s_expm1f.c`), in its order. Every branch
/// that some value needs is computed and the right result selected, so several values are processed
/// at once.
pub fn tanh(values: &mut [f32]) {
    for x in values {
        *x = tanh_by_selection(*x);
    }
}
}

#[inline(always)]
fn tanh_by_selection(x: f32) -> f32 {
    const LN_2_HIGH: f32 = f32::from_bits(0x3f31_7180);
    const LN_2_LOW: f32 = f32::from_bits(0x3717_f7d1);
    const INVERSE_LN_2: f32 = f32::from_bits(0x3fb8_aa3b);
    const HALF_LN_2: f32 = f32::from_bits(0x3eb1_7218);
    const ONE_AND_A_HALF_LN_2: f32 = f32::from_bits(0x3f85_1592);
    const LOG_3_HALF: f32 = f32::from_bits(0x3f0c_9f54);
    const LOG_5_THIRDS_HALF: f32 = f32::from_bits(0x3e82_c578);
    const Q1: f32 = -3.333_321_2e-2;
    const Q2: f32 = 1.580_717e-3;

    let size = x.abs();
    let small = size <= LOG_5_THIRDS_HALF;
    // Beyond 10 the result is 1; until then this stays in range.
    let double = 2.0 * if size > 10.0 { 10.0 } else { size };
    let argument = if small { -double } else { double };

    // expm1: argument = k ln 2 + rest.
    let k_small = if double > HALF_LN_2 { -1.0 } else { 0.0 };
    // Rounds without a conversion to an integer, which lanes do not have.
    let quotient = INVERSE_LN_2 * argument + 0.5;
    let rounded = (quotient + WHOLE) - WHOLE;
    let k_large = if rounded > quotient { rounded - 1.0 } else { rounded };
    let k_large = if argument < ONE_AND_A_HALF_LN_2 { 1.0 } else { k_large };
    let k = if small { k_small } else { k_large };
    let high = argument - k * LN_2_HIGH;
    let low = k * LN_2_LOW;
    let rest = high - low;
    let correction = (high - rest) - low;

    let half = 0.5 * rest;
    let square = rest * half;
    let r1 = 1.0 + square * (Q1 + square * Q2);
    let t = 3.0 - r1 * half;
    let e = square * ((r1 - t) / (6.0 - rest * t));
    let at_k_0 = rest - (rest * e - square);
    let e = rest * (e - correction) - correction;
    let e = e - square;
    let at_k_minus_1 = 0.5 * (rest - e) - 0.5;
    let at_k_1 = 1.0 + 2.0 * (rest - e);
    let two_to_k = power_of_two(k);
    let two_to_minus_k = power_of_two(-k);
    let below_23 = (rest - e + (1.0 - two_to_minus_k)) * two_to_k;
    let from_23 = (rest - (e + two_to_minus_k) + 1.0) * two_to_k;
    let large = if k < 23.0 { below_23 } else { from_23 };
    let large = if k == 1.0 { at_k_1 } else { large };
    let small_power = if k == 0.0 { at_k_0 } else { at_k_minus_1 };
    let power = if small { small_power } else { large };

    // tanh from expm1.
    let middle = if small { -power } else { power };
    let above = if size > LOG_3_HALF { 2.0 } else { middle };
    let ratio = above / (power + 2.0);
    let result = if size > LOG_3_HALF { 1.0 - ratio } else { ratio };
    result.copysign(x)
}

/// From this value on, floating-point numbers are integers.
const WHOLE: f32 = 8_388_608.0;

/// 2^k for a whole k from -126 to 127: the sum has k + 127 in its last bits, the exponent's.
#[inline(always)]
fn power_of_two(k: f32) -> f32 {
    f32::from_bits((k + (WHOLE + 127.0)).to_bits() << 23)
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

/// The logistic function, `1 / (1 + e^-x)`.
pub fn logistic(x: f32) -> f32 {
    let e = libm::expf(-x.abs());
    if x >= 0.0 { 1.0 / (1.0 + e) } else { e / (1.0 + e) }
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
            sum_rows(&table, 15, &rows, &mut sum);
            for (column, sum) in sum.iter().enumerate() {
                let expected =
                    rows.iter().fold(0.0f32, |sum, &row| sum + table[row as usize * 15 + column]);
                prop_assert_eq!(sum.to_bits(), expected.to_bits());
            }
        }

        #[test]
        fn rows_are_summed_each_times_its_factor_and_those_without_one_as_they_are(
            table in prop::collection::vec(-1e3f32..1e3, 160), rows in prop::collection::vec(0u32..4, 0..20)
        ) {
            let factors = [0.3, 1.7, 0.9];
            let mut sum = [7.0; 40];
            sum_weighted_rows(&table, 40, &rows, &factors, &mut sum);
            for (column, sum) in sum.iter().enumerate() {
                let expected = rows.iter().fold(0.0f32, |sum, &row| {
                    let factor = if row == 3 { 1.0 } else { factors[row as usize] };
                    sum + table[row as usize * 40 + column] * factor
                });
                prop_assert_eq!(sum.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn tanh_has_the_bits_of_libm() {
        // Every 1,021st of all numbers there are (all of them in `release-check tanh`), and both sides
        // of every border; fewer where each is interpreted.
        let step = if std::env::var_os("EVERY_NUMBER").is_some() { 1 } else { 1021 };
        let (step, side) = if cfg!(miri) { (10_000_019, 10) } else { (step, 1000) };
        let borders = [
            0u32,
            0x0080_0000,
            0x32ff_ffff,
            0x3280_0000,
            0x3e31_7218,
            0x3e82_c578,
            0x3f05_1592,
            0x3f0c_9f54,
            0x4120_0000,
            0x417f_0000,
            0x7f80_0000,
        ];
        let near =
            borders.iter().flat_map(|&b| (0..2 * side).map(move |i| (b + i).wrapping_sub(side)));
        let all = (0..=u32::MAX).step_by(step).chain(near.clone()).chain(near.map(|b| b | 1 << 31));
        let mut all = all.map(f32::from_bits).filter(|x| !x.is_nan()).peekable();
        while all.peek().is_some() {
            let numbers: Vec<f32> = all.by_ref().take(4096).collect();
            let mut ours = numbers.clone();
            tanh(&mut ours);
            for (x, ours) in numbers.iter().zip(ours) {
                assert_eq!(ours.to_bits(), libm::tanhf(*x).to_bits(), "tanh of {x}");
            }
        }
        let mut nan = [f32::NAN];
        tanh(&mut nan);
        assert!(nan[0].is_nan());
    }

    #[test]
    fn norms_of_known_triangles() {
        assert_eq!(norm(&[3.0, 4.0]), 5.0);
        assert_eq!(norm(&[]), 0.0);
    }
}
