//! Dot products of vectors of 2-bit integers, by looking up the products of pairs of numbers.
//!
//! Two numbers of 2 bits have 16 values. A vector thus has 16 sums of two products for each pair of its places, in a table that one
//! instruction looks 16 or 32 codes up in, each of another vector. Sums of [`MOST`] of them stay within 8 bits if no product exceeds 9.

/// The codes of a pair of places in 32 vectors, each below 16.
pub type Codes = [u8; 32];
/// The sum of two products for each code.
pub type Products = [i8; 16];

/// Pairs whose sums, of at most 18 each, are added up in 8 bits.
const MOST: usize = 7;

/// For each of 32 vectors the sum of the products of its codes, one for each pair of places. None may exceed 16 bits.
pub fn sums_of_pairs(products: &[Products], codes: &[Codes]) -> [i16; 32] {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return simd128::sums(products, codes);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor supports the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { avx2::sums(products, codes) };
        }
        one_by_one(products, codes)
    }
}

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
fn one_by_one(products: &[Products], codes: &[Codes]) -> [i16; 32] {
    let mut sums = [0; 32];
    for (products, codes) in products.iter().zip(codes) {
        for (sum, code) in sums.iter_mut().zip(codes) {
            *sum += i16::from(products[usize::from(code % 16)]);
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Codes, MOST, Products};

    #[target_feature(enable = "avx2")]
    pub fn sums(products: &[Products], codes: &[Codes]) -> [i16; 32] {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (products, codes) in products.chunks(MOST).zip(codes.chunks(MOST)) {
            let mut few = _mm256_setzero_si256();
            for (products, codes) in products.iter().zip(codes) {
                // SAFETY: the 16 and 32 bytes exist; any alignment is allowed.
                #[allow(unsafe_code)]
                let (products, codes) = unsafe {
                    let products = _mm_loadu_si128((&raw const *products).cast());
                    (products, _mm256_loadu_si256((&raw const *codes).cast()))
                };
                let products = _mm256_broadcastsi128_si256(products);
                few = _mm256_add_epi8(few, _mm256_shuffle_epi8(products, codes));
            }
            let halves = [_mm256_castsi256_si128(few), _mm256_extracti128_si256::<1>(few)];
            for (sum, half) in sums.iter_mut().zip(halves) {
                *sum = _mm256_add_epi16(*sum, _mm256_cvtepi8_epi16(half));
            }
        }
        let mut found = [0; 32];
        for (found, sum) in found.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
            // SAFETY: the 32 bytes exist; any alignment is allowed.
            #[allow(unsafe_code)]
            unsafe {
                _mm256_storeu_si256((&raw mut *found).cast(), sum);
            }
        }
        found
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{Codes, MOST, Products};

    pub fn sums(products: &[Products], codes: &[Codes]) -> [i16; 32] {
        let mut sums = [i16x8_splat(0); 4];
        for (products, codes) in products.chunks(MOST).zip(codes.chunks(MOST)) {
            let mut few = [i8x16_splat(0); 2];
            for (products, codes) in products.iter().zip(codes) {
                // SAFETY: the 16 bytes exist; any alignment is allowed.
                #[allow(unsafe_code)]
                let products = unsafe { v128_load((&raw const *products).cast()) };
                for (few, codes) in few.iter_mut().zip(codes.as_chunks::<16>().0) {
                    // SAFETY: the 16 bytes exist; any alignment is allowed.
                    #[allow(unsafe_code)]
                    let codes = unsafe { v128_load((&raw const *codes).cast()) };
                    *few = i8x16_add(*few, i8x16_swizzle(products, codes));
                }
            }
            for (sums, few) in sums.as_chunks_mut::<2>().0.iter_mut().zip(few) {
                sums[0] = i16x8_add(sums[0], i16x8_extend_low_i8x16(few));
                sums[1] = i16x8_add(sums[1], i16x8_extend_high_i8x16(few));
            }
        }
        let mut found = [0; 32];
        for (found, sum) in found.as_chunks_mut::<8>().0.iter_mut().zip(sums) {
            // SAFETY: the 16 bytes exist; any alignment is allowed.
            #[allow(unsafe_code)]
            unsafe {
                v128_store((&raw mut *found).cast(), sum);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn looked_up_products_add_up_to_dot_products(
            pairs in prop::collection::vec((prop::array::uniform16(-18i8..=18), prop::array::uniform32(0u8..16)), 0..130)
        ) {
            let (products, codes): (Vec<Products>, Vec<Codes>) = pairs.into_iter().unzip();
            let sum = |vector: usize| -> i16 {
                let of_pair = |(products, codes): (&Products, &Codes)| i16::from(products[usize::from(codes[vector])]);
                products.iter().zip(&codes).map(of_pair).sum()
            };
            let expected: [i16; 32] = std::array::from_fn(sum);
            prop_assert_eq!(sums_of_pairs(&products, &codes), expected);
            prop_assert_eq!(one_by_one(&products, &codes), expected);
        }
    }
}
