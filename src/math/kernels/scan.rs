//! Kernels of one vector against many, the inner loops of exact search.
//!
//! Floating-point dot products are sums in the order of [`super`]; integer ones are exact in any
//! order.

use super::LANES;

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
    use crate::math::kernels::dot_in_lanes;
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
            return unsafe { super::avx2::dots(query, vectors, dots) };
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
            return unsafe { super::avx2::dots_of_integers(query, vectors, dots) };
        }
        one_by_one(query, vectors, dots);
    }

    pub fn one_by_one(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        for (vector, dot) in vectors.chunks_exact(query.len()).zip(dots) {
            let products = query.iter().zip(vector).map(|(&a, &b)| i32::from(a) * i32::from(b));
            *dot = products.fold(0, i32::wrapping_add);
        }
    }
}

/// x86 vectors of 256 bits: compilers do not find the instruction that multiplies 16-bit integers
/// and adds neighbouring products.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use crate::math::kernels::{LANES, dot_in_lanes, prefetch};

    /// The prefetch distance in bytes: as much as arrives during the latency of memory.
    const AHEAD: usize = 8192;

    /// The query's length is a multiple of [`LANES`], and not 0.
    #[target_feature(enable = "avx2")]
    pub fn dots(query: &[f32], vectors: &[f32], dots: &mut [f32]) {
        let (query, _) = query.as_chunks::<LANES>();
        let (vectors, _) = vectors.as_chunks::<LANES>();
        let ahead = AHEAD / size_of::<[f32; LANES]>();
        let (fours, rest) = dots.as_chunks_mut::<4>();
        let mut start = 0;
        for four in fours {
            let Some(here) = vectors.get(start..start + 4 * query.len()) else { return };
            let next = vectors.get(start + ahead..start + ahead + 4 * query.len()).unwrap_or(here);
            start += 4 * query.len();
            let zero = _mm256_setzero_ps();
            let mut sums = [[zero; 2]; 4];
            for (place, part) in query.iter().enumerate() {
                for doc in 0..4 {
                    prefetch(&next[doc * query.len() + place]);
                }
                for half in 0..2 {
                    let part = eight(part, half);
                    for (doc, sum) in sums.iter_mut().enumerate() {
                        let vector = eight(&here[doc * query.len() + place], half);
                        sum[half] = _mm256_add_ps(sum[half], _mm256_mul_ps(part, vector));
                    }
                }
            }
            // Lane i takes lane i + 8, then i + 4, i + 2, i + 1.
            let [a, b, c, d] = sums.map(|[low, high]| _mm256_add_ps(low, high));
            let ab = _mm256_add_ps(
                _mm256_permute2f128_ps::<0x20>(a, b),
                _mm256_permute2f128_ps::<0x31>(a, b),
            );
            let cd = _mm256_add_ps(
                _mm256_permute2f128_ps::<0x20>(c, d),
                _mm256_permute2f128_ps::<0x31>(c, d),
            );
            let pairs =
                _mm256_add_ps(_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0xee>(ab, cd));
            let sums = _mm256_hadd_ps(pairs, pairs);
            let ac = _mm256_castps256_ps128(sums);
            let bd = _mm256_extractf128_ps::<1>(sums);
            let sums = _mm_unpacklo_ps(ac, bd);
            // SAFETY: the 16 bytes exist; any alignment is allowed.
            #[allow(unsafe_code)]
            unsafe {
                _mm_storeu_ps((&raw mut *four).cast(), sums);
            }
        }
        let vectors = vectors.get(start..).unwrap_or_default().chunks_exact(query.len());
        for (vector, dot) in vectors.zip(rest) {
            *dot = dot_in_lanes(query.as_flattened(), vector.as_flattened());
        }
    }

    #[target_feature(enable = "avx2")]
    fn eight(numbers: &[f32; LANES], half: usize) -> __m256 {
        let (halves, _) = numbers.as_chunks::<8>();
        // SAFETY: the 32 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_loadu_ps((&raw const halves[half]).cast())
        }
    }

    /// The query's length is a multiple of [`LANES`], and not 0.
    #[target_feature(enable = "avx2")]
    pub fn dots_of_integers(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        let (query, _) = query.as_chunks::<LANES>();
        let (vectors, _) = vectors.as_chunks::<LANES>();
        let ahead = AHEAD / size_of::<[i8; LANES]>();
        let (fours, rest) = dots.as_chunks_mut::<4>();
        let mut start = 0;
        for four in fours {
            let Some(here) = vectors.get(start..start + 4 * query.len()) else { return };
            if let Some(next) = vectors.get(start + ahead..start + ahead + 4 * query.len()) {
                prefetch(next.as_flattened());
            }
            start += 4 * query.len();
            let mut sums = [_mm256_setzero_si256(); 4];
            for (place, query_part) in query.iter().enumerate() {
                let query_part = wide(query_part);
                for (doc, sum) in sums.iter_mut().enumerate() {
                    let vector = widened(&here[doc * query.len() + place]);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(query_part, vector));
                }
            }
            let ab = _mm256_hadd_epi32(sums[0], sums[1]);
            let cd = _mm256_hadd_epi32(sums[2], sums[3]);
            let both = _mm256_hadd_epi32(ab, cd);
            let low = _mm256_castsi256_si128(both);
            let sum = _mm_add_epi32(low, _mm256_extracti128_si256::<1>(both));
            // SAFETY: the 16 bytes exist; any alignment is allowed.
            #[allow(unsafe_code)]
            unsafe {
                _mm_storeu_si128((&raw mut *four).cast(), sum);
            }
        }
        let vectors = vectors.get(start..).unwrap_or_default().chunks_exact(query.len());
        for (vector, dot) in vectors.zip(rest) {
            super::lanes::one_by_one(
                query.as_flattened(),
                vector.as_flattened(),
                std::slice::from_mut(dot),
            );
        }
    }

    #[target_feature(enable = "avx2")]
    fn wide(numbers: &[i16; LANES]) -> __m256i {
        // SAFETY: the 32 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm256_loadu_si256((&raw const *numbers).cast())
        }
    }

    #[target_feature(enable = "avx2")]
    fn widened(numbers: &[i8; LANES]) -> __m256i {
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128((&raw const *numbers).cast()) })
    }
}

/// WebAssembly vectors of 128 bits, because compilers vectorise these loops poorly.
///
/// Four vectors are read at once, one from each quarter of the vectors: memory delivers sooner when it is read in several
/// places, and WebAssembly has no prefetch. The loops over the parts of a vector are not unrolled: engines load everything that
/// a straight line of code needs first, and beyond 16 registers put it down again.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::math::kernels::{LANES, dot_in_lanes};
    use crate::math::similarity::from_parts;

    // Functions of their own: within a long one engines run out of registers.
    #[inline(never)]
    pub fn dots(query: &[f32], vectors: &[f32], dots: &mut [f32]) {
        let done = in_quarters(query, vectors, dots, four_dots);
        let rest = vectors[done * query.len()..].chunks_exact(query.len().max(1));
        for (vector, dot) in rest.zip(&mut dots[done..]) {
            *dot = dot_in_lanes(query, vector);
        }
    }

    #[inline(never)]
    pub fn dots_of_integers(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        let done = in_quarters(query, vectors, dots, four_dots_of_integers);
        integers_one_by_one(query, &vectors[done * query.len()..], &mut dots[done..]);
    }

    /// Computes the dot products of the vectors of all quarters, if their length is a multiple of [`LANES`]; how many there are.
    #[inline(always)]
    fn in_quarters<Q, V, D: Copy>(
        query: &[Q],
        vectors: &[V],
        dots: &mut [D],
        four: impl Fn(&[[Q; LANES]], [&[[V; LANES]]; 4]) -> [D; 4],
    ) -> usize {
        let (query, rest) = query.as_chunks::<LANES>();
        let quarter = if rest.is_empty() && !query.is_empty() { dots.len() / 4 } else { 0 };
        let (vectors, _) = vectors.as_chunks::<LANES>();
        for place in 0..quarter {
            let places = [0, 1, 2, 3].map(|number| place + number * quarter);
            let vector = |place: usize| &vectors[place * query.len()..][..query.len()];
            for (place, dot) in places.into_iter().zip(four(query, places.map(vector))) {
                dots[place] = dot;
            }
        }
        4 * quarter
    }

    #[inline(always)]
    fn four_dots(query: &[[f32; LANES]], [a, b, c, d]: [&[[f32; LANES]]; 4]) -> [f32; 4] {
        let ([a, b], [c, d]) = (two_sums(query, [a, b]), two_sums(query, [c, d]));
        let sums = totals([a, b, c, d], |a, b| f32x4_add(a, b));
        [
            f32x4_extract_lane::<0>(sums),
            f32x4_extract_lane::<1>(sums),
            f32x4_extract_lane::<2>(sums),
            f32x4_extract_lane::<3>(sums),
        ]
    }

    /// The sums of the products with two vectors in 16 lanes, as many as stay in registers, reduced to 4.
    #[inline(always)]
    fn two_sums(query: &[[f32; LANES]], vectors: [&[[f32; LANES]]; 2]) -> [v128; 2] {
        let mut parts = vectors.map(<[_]>::as_ptr);
        let mut sums = [[f32x4_splat(0.0); 4]; 2];
        for query in query {
            let (query, _) = query.as_chunks::<4>();
            for (sums, next) in sums.iter_mut().zip(&mut parts) {
                // SAFETY: the vectors are as long as the query.
                #[allow(unsafe_code)]
                let (part, _) = unsafe { &**next }.as_chunks::<4>();
                *next = next.wrapping_add(1);
                for ((sum, query), part) in sums.iter_mut().zip(query).zip(part) {
                    *sum = f32x4_add(*sum, f32x4_mul(floats(query), floats(part)));
                }
            }
        }
        sums.map(|[a, b, c, d]| f32x4_add(f32x4_add(a, c), f32x4_add(b, d)))
    }

    #[inline(always)]
    fn four_dots_of_integers(query: &[[i16; LANES]], vectors: [&[[i8; LANES]]; 4]) -> [i32; 4] {
        let mut parts = vectors.map(<[_]>::as_ptr);
        let mut sums = [i32x4_splat(0); 4];
        for query in query {
            let (query, _) = query.as_chunks::<8>();
            let (low, high) = (eight(&query[0]), eight(&query[1]));
            for (sum, next) in sums.iter_mut().zip(&mut parts) {
                // SAFETY: the vectors are as long as the query.
                #[allow(unsafe_code)]
                let (part, _) = unsafe { &**next }.as_chunks::<8>();
                *next = next.wrapping_add(1);
                // Widened as they are read: one instruction on x86, where the high half of a register takes two.
                let low = i32x4_dot_i16x8(low, eight_widened(&part[0]));
                let high = i32x4_dot_i16x8(high, eight_widened(&part[1]));
                *sum = i32x4_add(*sum, i32x4_add(low, high));
            }
        }
        let sums = totals(sums, |a, b| i32x4_add(a, b));
        [
            i32x4_extract_lane::<0>(sums),
            i32x4_extract_lane::<1>(sums),
            i32x4_extract_lane::<2>(sums),
            i32x4_extract_lane::<3>(sums),
        ]
    }

    /// The sum of each vector's four lanes: lane 0 takes 2, and 1 takes 3, then 0 takes 1.
    #[inline(always)]
    fn totals([a, b, c, d]: [v128; 4], add: impl Fn(v128, v128) -> v128) -> v128 {
        let ab = add(i32x4_shuffle::<0, 1, 4, 5>(a, b), i32x4_shuffle::<2, 3, 6, 7>(a, b));
        let cd = add(i32x4_shuffle::<0, 1, 4, 5>(c, d), i32x4_shuffle::<2, 3, 6, 7>(c, d));
        add(i32x4_shuffle::<0, 2, 4, 6>(ab, cd), i32x4_shuffle::<1, 3, 5, 7>(ab, cd))
    }

    #[inline(always)]
    fn floats(numbers: &[f32; 4]) -> v128 {
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            v128_load((&raw const *numbers).cast())
        }
    }

    // Separate, because inlining would cost code size.
    #[inline(never)]
    fn integers_one_by_one(query: &[i16], vectors: &[i8], dots: &mut [i32]) {
        let (parts, query_rest) = query.as_chunks::<8>();
        for (vector, dot) in vectors.chunks_exact(query.len().max(1)).zip(dots) {
            let (vector, vector_rest) = vector.as_chunks::<8>();
            let mut sums = i32x4_splat(0);
            for (part, vector) in parts.iter().zip(vector) {
                sums = i32x4_add(sums, i32x4_dot_i16x8(eight(part), eight_widened(vector)));
            }
            let rest = query_rest.iter().zip(vector_rest);
            let rest = rest.map(|(&a, &b)| i32::from(a) * i32::from(b));
            let pairs = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
            *dot = rest.fold(i32x4_extract_lane::<0>(pairs), i32::wrapping_add);
            *dot = dot.wrapping_add(i32x4_extract_lane::<1>(pairs));
        }
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
            let denominators = f32x4_mul(query_length, f32x4_add(floats(norms), epsilons));
            let positive = f32x4_gt(denominators, f32x4_splat(0.0));
            let quotients = v128_and(f32x4_div(floats(dots), denominators), positive);
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
            for (vector, found) in vectors.chunks_exact(dimension).zip(found) {
                prop_assert_eq!(found.to_bits(), dot(query, vector).to_bits());
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
            for (vector, found) in vectors.chunks_exact(dimension).zip(found) {
                let products = query.iter().zip(vector).map(|(&a, &b)| i64::from(a) * i64::from(b));
                prop_assert_eq!(i64::from(found), products.sum::<i64>());
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
