//! Kernels of one vector against many, the inner loops of exact search.
//!
//! Floating-point dot products are sums in the order of [`super`]; integer ones are exact in any
//! order.

use super::LANES;

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use lanes as host;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as host;

/// The dot products of a vector with consecutive vectors of its length in `vectors`, as many as
/// `vectors` and `dots` hold.
pub fn dots(query: &[f32], vectors: &[f32], dots: &mut [f32]) {
    let count = dots.len().min(vectors.len() / query.len().max(1));
    host::dots(query, vectors, &mut dots[..count]);
}

/// The dot products of a vector of 16-bit integers with consecutive vectors of 8-bit integers of
/// its length. No sum may exceed 32 bits.
pub fn dots_of_integers(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
    let count = dots.len().min(vectors.len() / query.len().max(1));
    host::dots_of_integers(query, vectors, &mut dots[..count]);
}

/// Smooth cosine similarity (paper 1, eq. 1) from the dot products of a query with some documents
/// and their norms; 0 if the denominator is 0.
pub fn scores(dots: &[f32], query_norm: f32, norms: &[f32], epsilon: f32, scores: &mut [f32]) {
    host::scores(dots, query_norm, norms, epsilon, scores);
}

dispatched! {
/// The position of the first value above a bar.
pub fn first_above(numbers: &[f32], bar: f32) -> Option<usize> {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let above = |x: &f32| *x > bar;
    for (number, chunk) in chunks.iter().enumerate() {
        // Compares all values of a chunk, so that they are compared at once.
        if chunk.iter().fold(false, |any, x| any | above(x)) {
            return chunk.iter().position(above).map(|place| number * LANES + place);
        }
    }
    rest.iter().position(above).map(|place| chunks.len() * LANES + place)
}
}

/// Plain Rust, in a form that compilers vectorise.
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod lanes {
    #[cfg(target_arch = "x86_64")]
    use super::avx2;
    use crate::math::kernels::{dot_in_lanes, integers_one_by_one};
    use crate::math::similarity::from_parts;

    dispatched! {
    /// [`super::scores`].
    pub fn scores(dots: &[f32], query_norm: f32, norms: &[f32], epsilon: f32, scores: &mut [f32]) {
        for ((score, dot), norm) in scores.iter_mut().zip(dots).zip(norms) {
            *score = from_parts(*dot, query_norm, *norm, epsilon);
        }
    }
    }

    pub fn dots(query: &[f32], vectors: &[f32], dots: &mut [f32]) {
        if query.is_empty() {
            return dots.fill(0.0);
        }
        #[cfg(target_arch = "x86_64")]
        if query.len().is_multiple_of(super::LANES) && std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor supports the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { avx2::dots(avx2::Order::fastest(), query, vectors, dots) };
        }
        for (vector, dot) in vectors.chunks_exact(query.len()).zip(dots) {
            *dot = dot_in_lanes(query, vector);
        }
    }

    pub fn dots_of_integers(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        if query.is_empty() {
            return dots.fill(0);
        }
        #[cfg(target_arch = "x86_64")]
        if query.len().is_multiple_of(super::LANES) && std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor supports the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { avx2::dots_of_integers(avx2::Order::fastest(), query, vectors, dots) };
        }
        integers_one_by_one(query, vectors, dots);
    }
}

/// WebAssembly vectors of 128 bits, because compilers vectorise these loops poorly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::math::kernels::{LANES, dot_in_lanes, integers_one_by_one};
    use crate::math::similarity::from_parts;

    /// Reads four vectors at once, from the start of each quarter of the vectors: memory delivers
    /// sooner when it is read in several places, and WebAssembly has no prefetch.
    pub fn dots(query: &[f32], vectors: &[f32], dots: &mut [f32]) {
        let (chunks, rest) = query.as_chunks::<LANES>();
        let vector = |number: usize| &vectors[number * query.len()..(number + 1) * query.len()];
        let apart = if rest.is_empty() && !chunks.is_empty() { dots.len() / 4 } else { 0 };
        for place in 0..apart {
            let four = [0, 1, 2, 3].map(|lane| vector(place + lane * apart).as_chunks().0);
            let sums = totals(quarter_sums(chunks, four), |a, b| f32x4_add(a, b));
            // Sums that start at 0, like those of [`dot_in_lanes`], are never -0.
            let sums = f32x4_add(sums, f32x4_splat(0.0));
            dots[place] = f32x4_extract_lane::<0>(sums);
            dots[place + apart] = f32x4_extract_lane::<1>(sums);
            dots[place + 2 * apart] = f32x4_extract_lane::<2>(sums);
            dots[place + 3 * apart] = f32x4_extract_lane::<3>(sums);
        }
        for (number, dot) in dots.iter_mut().enumerate().skip(4 * apart) {
            *dot = dot_in_lanes(query, vector(number));
        }
    }

    /// The sum of each vector's four lanes: lane 0 takes 2, and 1 takes 3, then 0 takes 1.
    #[inline(always)]
    fn totals([a, b, c, d]: [v128; 4], add: impl Fn(v128, v128) -> v128) -> v128 {
        let ab = add(i32x4_shuffle::<0, 1, 4, 5>(a, b), i32x4_shuffle::<2, 3, 6, 7>(a, b));
        let cd = add(i32x4_shuffle::<0, 1, 4, 5>(c, d), i32x4_shuffle::<2, 3, 6, 7>(c, d));
        add(i32x4_shuffle::<0, 2, 4, 6>(ab, cd), i32x4_shuffle::<1, 3, 5, 7>(ab, cd))
    }

    /// Reduces the 16 lanes of each of four dot products to 4.
    #[inline(always)]
    fn quarter_sums(query: &[[f32; LANES]], vectors: [&[[f32; LANES]]; 4]) -> [v128; 4] {
        // Four lanes of all vectors at a time, as many sums as stay in registers.
        let sums = |which: usize| {
            let product = |place: usize, vector: &[[f32; LANES]]| {
                f32x4_mul(quarter(&query[place], which), quarter(&vector[place], which))
            };
            let mut sums = vectors.map(|vector| product(0, vector));
            for place in 1..query.len() {
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    *sum = f32x4_add(*sum, product(place, vector));
                }
            }
            sums
        };
        let add = |a: [v128; 4], b: [v128; 4]| {
            let [a0, a1, a2, a3] = a;
            let [b0, b1, b2, b3] = b;
            [f32x4_add(a0, b0), f32x4_add(a1, b1), f32x4_add(a2, b2), f32x4_add(a3, b3)]
        };
        let even = add(sums(0), sums(2));
        add(even, add(sums(1), sums(3)))
    }

    #[inline(always)]
    fn quarter(numbers: &[f32; LANES], which: usize) -> v128 {
        let (quarters, _) = numbers.as_chunks::<4>();
        four(&quarters[which])
    }

    #[inline(always)]
    fn four(numbers: &[f32; 4]) -> v128 {
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            v128_load((&raw const *numbers).cast())
        }
    }

    pub fn dots_of_integers(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        match query.as_chunks::<LANES>() {
            (chunks @ [_, ..], []) => integers_in_quarters(chunks, vectors, dots),
            _ => integers_one_by_one(query, vectors, dots),
        }
    }

    /// Reads four vectors at once, from the start of each quarter, like [`dots`].
    // A function of its own, whose loop is not unrolled: within a long one, or before a long straight line of code, engines run out
    // of registers.
    #[inline(never)]
    fn integers_in_quarters(query: &[[i16; LANES]], vectors: &[i8], dots: &mut [i32]) {
        let (chunks, _) = vectors.as_chunks::<LANES>();
        let apart = dots.len() / 4;
        for place in 0..apart {
            let places = [0, 1, 2, 3].map(|quarter| place + quarter * apart);
            let vectors = places.map(|place| &chunks[place * query.len()..][..query.len()]);
            let sums = totals(sums_of_four(query, vectors), |a, b| i32x4_add(a, b));
            let [a, b, c, d] = places;
            dots[a] = i32x4_extract_lane::<0>(sums);
            dots[b] = i32x4_extract_lane::<1>(sums);
            dots[c] = i32x4_extract_lane::<2>(sums);
            dots[d] = i32x4_extract_lane::<3>(sums);
        }
        let others = chunks.get(4 * apart * query.len()..).unwrap_or_default().as_flattened();
        let dots = dots.get_mut(4 * apart..).unwrap_or_default();
        integers_one_by_one(query.as_flattened(), others, dots);
    }

    /// Reduces each of four dot products with vectors of the query's length to 4.
    #[inline(always)]
    fn sums_of_four(query: &[[i16; LANES]], vectors: [&[[i8; LANES]]; 4]) -> [v128; 4] {
        let [a, b, c, d] = vectors;
        let mut sums = [i32x4_splat(0); 4];
        for ((((query, a), b), c), d) in query.iter().zip(a).zip(b).zip(c).zip(d) {
            let (query, _) = query.as_chunks::<8>();
            let (low, high) = (eight(&query[0]), eight(&query[1]));
            for (sum, part) in sums.iter_mut().zip([a, b, c, d]) {
                let (part, _) = part.as_chunks::<8>();
                // Widened as they are read: one instruction on x86, where the high half of a register takes two.
                let low = i32x4_dot_i16x8(low, eight_widened(&part[0]));
                let high = i32x4_dot_i16x8(high, eight_widened(&part[1]));
                *sum = i32x4_add(*sum, i32x4_add(low, high));
            }
        }
        sums
    }

    #[inline(always)]
    fn eight(numbers: &[i16; 8]) -> v128 {
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            v128_load((&raw const *numbers).cast())
        }
    }

    #[inline(always)]
    fn eight_widened(numbers: &[i8; 8]) -> v128 {
        // SAFETY: the 8 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            i16x8_load_extend_i8x8(numbers.as_ptr())
        }
    }

    pub fn scores(dots: &[f32], query_norm: f32, norms: &[f32], epsilon: f32, scores: &mut [f32]) {
        let (query_length, epsilons) = (f32x4_splat(query_norm + epsilon), f32x4_splat(epsilon));
        let (fours, rest) = scores.as_chunks_mut::<4>();
        let ((dots, dots_rest), (norms, norms_rest)) = (dots.as_chunks(), norms.as_chunks());
        for ((scores, dots), norms) in fours.iter_mut().zip(dots).zip(norms) {
            let denominators = f32x4_mul(query_length, f32x4_add(four(norms), epsilons));
            let positive = f32x4_gt(denominators, f32x4_splat(0.0));
            let quotients = v128_and(f32x4_div(four(dots), denominators), positive);
            // SAFETY: the 16 bytes exist; any alignment is allowed.
            #[allow(unsafe_code)]
            unsafe {
                v128_store((&raw mut *scores).cast(), quotients);
            }
        }
        for ((score, dot), norm) in rest.iter_mut().zip(dots_rest).zip(norms_rest) {
            *score = from_parts(*dot, query_norm, *norm, epsilon);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::kernels::dot;
    use proptest::prelude::*;

    /// Both orders, on any processor that has 256-bit registers, if vectors of this length are read by them.
    #[cfg(target_arch = "x86_64")]
    fn orders(dimension: usize) -> impl Iterator<Item = avx2::Order> {
        let wide = dimension.is_multiple_of(LANES) && std::arch::is_x86_feature_detected!("avx2");
        [avx2::Order::Sequence, avx2::Order::Quarters].into_iter().filter(move |_| wide)
    }

    proptest! {
        #[test]
        fn many_dot_products_have_the_bits_of_one_by_one(
            dimension in prop::sample::select(vec![1usize, 3, 16, 17, 32, 48, 64, 80]),
            count in 0usize..11,
            numbers in prop::collection::vec(-1e3f32..1e3, 80 * 12)
        ) {
            let (query, vectors) = numbers.split_at(dimension);
            let vectors = &vectors[..dimension * count];
            let mut found = vec![7.0; count];
            dots(query, vectors, &mut found);
            let expected: Vec<u32> =
                vectors.chunks_exact(dimension).map(|vector| dot(query, vector).to_bits()).collect();
            let bits = |found: &[f32]| found.iter().map(|dot| dot.to_bits()).collect::<Vec<u32>>();
            prop_assert_eq!(&bits(&found), &expected);
            #[cfg(target_arch = "x86_64")]
            for order in orders(dimension) {
                found.fill(7.0);
                // SAFETY: the processor has these registers if there is an order.
                #[allow(unsafe_code)]
                unsafe { avx2::dots(order, query, vectors, &mut found) };
                prop_assert_eq!(&bits(&found), &expected, "{:?}", order);
            }
        }

        #[test]
        fn dot_products_of_integers_are_exact(
            dimension in prop::sample::select(vec![1usize, 3, 16, 17, 64, 80]),
            count in 0usize..11,
            query in prop::collection::vec(-26_000i16..=26_000, 80),
            vectors in prop::collection::vec(i8::MIN..=i8::MAX, 80 * 11)
        ) {
            let (query, vectors) = (&query[..dimension], &vectors[..dimension * count]);
            let mut found = vec![7; count];
            dots_of_integers(query, vectors, &mut found);
            let product = |vector: &[i8]| {
                query.iter().zip(vector).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum::<i64>() as i32
            };
            let expected: Vec<i32> = vectors.chunks_exact(dimension).map(product).collect();
            prop_assert_eq!(&found, &expected);
            #[cfg(target_arch = "x86_64")]
            for order in orders(dimension) {
                found.fill(7);
                // SAFETY: the processor has these registers if there is an order.
                #[allow(unsafe_code)]
                unsafe { avx2::dots_of_integers(order, query, vectors, &mut found) };
                prop_assert_eq!(&found, &expected, "{:?}", order);
            }
        }

        #[test]
        fn the_first_above_a_bar_is_found(
            numbers in prop::collection::vec(0f32..1.0, 0..70), bar in 0f32..1.2
        ) {
            prop_assert_eq!(first_above(&numbers, bar), numbers.iter().position(|&x| x > bar));
        }
    }

    #[test]
    fn as_many_are_done_as_there_are_vectors_and_room() {
        let (query, vectors) = ([1.0f32; 16], [2.0f32; 16 * 3]);
        let mut dots_found = [-1.0; 5];
        dots(&query, &vectors, &mut dots_found);
        assert_eq!(dots_found[..3], [32.0; 3]);
        dots(&query, &vectors, &mut dots_found[..1]);
        let mut sums = [-1; 6];
        dots_of_integers(&[1; 16], &[2; 16 * 5], &mut sums);
        assert_eq!(sums[..5], [32; 5]);
    }
}
