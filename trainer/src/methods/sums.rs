//! Sums of products of 64-bit numbers, each in one fixed order: the same bits on every host and on any
//! number of threads.

use multiversion::multiversion;

/// Sums of products are taken in this many lanes, which are then added in order.
const LANES: usize = 8;

/// Adds four rows, each times its factor: the sums are read and written once.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn add_four(sums: &mut [f64], factors: [f64; 4], rows: [&[f64]; 4]) {
    let ([x, y, z, w], [a, b, c, d]) = (factors, rows);
    if factors == [0.0; 4] {
        return;
    }
    for (sum, ((a, b), (c, d))) in sums.iter_mut().zip(a.iter().zip(b).zip(c.iter().zip(d))) {
        *sum += (x * a + y * b) + (z * c + w * d);
    }
}

/// Adds `factor` times `other`.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn add_scaled(sums: &mut [f64], factor: f64, other: &[f64]) {
    sums.iter_mut().zip(other).for_each(|(sum, x)| *sum += factor * x);
}

/// The sum of products, in one fixed order.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in rest_a.iter().zip(rest_b).enumerate() {
        lanes[lane] += a * b;
    }
    lanes.into_iter().fold(0.0, |sum, x| sum + x)
}

/// The sums of products with four others, of the same length, in one fixed order: `a` is read once.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn dot_four(a: &[f64], others: [&[f64]; 4]) -> [f64; 4] {
    const LANES: usize = 4;
    let mut lanes = [[0.0; LANES]; 4];
    let (chunks, rest) = a.as_chunks::<LANES>();
    let [b, c, d, e] = others.map(|other| other.as_chunks::<LANES>().0.iter());
    for (a, (((b, c), d), e)) in chunks.iter().zip(b.zip(c).zip(d).zip(e)) {
        for (sums, other) in lanes.iter_mut().zip([b, c, d, e]) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * other[lane];
            }
        }
    }
    let whole = a.len() - rest.len();
    let sum = |n: usize| {
        let own = lanes[n].into_iter().fold(0.0, |sum, x| sum + x);
        rest.iter().zip(&others[n][whole..]).fold(own, |sum, (a, b)| sum + a * b)
    };
    std::array::from_fn(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_length_are_summed() {
        for length in 0..20 {
            let numbers: Vec<f64> = (0..length).map(f64::from).collect();
            let expected: f64 = numbers.iter().map(|x| x * x).sum();
            assert_eq!(dot(&numbers, &numbers), expected);
            let ones = vec![1.0; length as usize];
            let sum: f64 = numbers.iter().sum();
            let four = dot_four(&numbers, [&numbers, &ones, &numbers, &ones]);
            assert_eq!(four, [expected, sum, expected, sum]);
        }
    }
}
