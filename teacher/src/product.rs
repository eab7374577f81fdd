//! Exact products of 8-bit weights and 12-bit activations, several outputs of several tokens at a time.
//!
//! A sum of at most 8192 products of magnitudes up to 128 and 2047 fits 32 bits, so it is exact, and its order does not
//! matter. Each host may therefore use its widest instruction: `vpdpwssd` of AVX-512 VNNI, `vpmaddwd` of AVX2,
//! `i32x4.dot_i16x8_s` of WebAssembly, or plain code, which other hosts compile for their own registers. All of them
//! multiply pairs of 16-bit integers. Weights are kept in 8 bits and widened when they are loaded, in groups of 16 outputs:
//! first the inputs 0 and 1 of each of the 16 outputs, then the inputs 2 and 3, and so on. One register then holds a pair
//! for 16 outputs (a quarter of them in WebAssembly); a token's pair of activations is broadcast against it, and no sum has
//! to be taken across a register. Tokens are kept in blocks of 12 in the same way: with AVX-512 the sums of two groups for a
//! block take 24 of the 32 registers. As many independent sums hide the latency of the instruction, a register of widened
//! weights serves 12 products, and one of activations two: with one group and 24 tokens each product would read from memory,
//! which takes as long as the products. Of a block that is not full, only the quads of tokens that exist are multiplied.

/// Outputs of a group.
pub const GROUP: usize = 16;
/// Tokens of a block.
pub const BLOCK: usize = 12;
/// Tokens that are multiplied together at least.
const QUAD: usize = 4;
/// The weights of one pair of inputs for the outputs of a group.
pub type Weights = [i8; 2 * GROUP];
/// The activations of one pair of inputs for the tokens of a block: two 16-bit integers in one of 32 bits, the first
/// in the lower half.
pub type Activations = [i32; BLOCK];
/// The sums of a group for the tokens of a block.
pub type Sums = [[i32; GROUP]; BLOCK];

/// Writes `sums[token][output]` of one or two groups for the first `tokens` of a block, with the widest instruction of this
/// host; the sums of other tokens may be anything. Each group has as many pairs as the block.
pub fn multiply(weights: &[Weights], block: &[Activations], tokens: usize, sums: &mut [Sums; 2]) {
    let [one, other] = sums;
    let (first, second) = weights.split_at(block.len().min(weights.len()));
    if second.is_empty() {
        multiply_groups([first], block, tokens, [one]);
    } else {
        multiply_groups([first, second], block, tokens, [one, other]);
    }
}

#[inline(always)]
fn multiply_groups<const GROUPS: usize>(
    weights: [&[Weights]; GROUPS],
    block: &[Activations],
    tokens: usize,
    sums: [&mut Sums; GROUPS],
) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512vnni")
            && std::arch::is_x86_feature_detected!("avx512bw")
        {
            // SAFETY: the processor supports the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { x86::vnni(weights, block, tokens, sums) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            for (weights, sums) in weights.into_iter().zip(sums) {
                // SAFETY: as above.
                #[allow(unsafe_code)]
                unsafe {
                    x86::avx2(weights, block, tokens, sums);
                }
            }
            return;
        }
    }
    for (weights, sums) in weights.into_iter().zip(sums) {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        wasm::simd128(weights, block, tokens, sums);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        plain(weights, block, tokens, sums);
    }
}

/// The same in plain code, of one group.
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
fn plain(weights: &[Weights], block: &[Activations], tokens: usize, sums: &mut Sums) {
    let sums = &mut sums[..tokens];
    sums.fill([0; GROUP]);
    for (weights, activations) in weights.iter().zip(block) {
        for (sums, pair) in sums.iter_mut().zip(activations) {
            let (first, second) = (i32::from(*pair as i16), pair >> 16);
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
                *sum += i32::from(weights[0]) * first + i32::from(weights[1]) * second;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use std::arch::x86_64::*;

    use super::{Activations, BLOCK, QUAD, Sums, Weights};

    /// With AVX-512 VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub fn vnni<const GROUPS: usize>(
        weights: [&[Weights]; GROUPS],
        block: &[Activations],
        tokens: usize,
        sums: [&mut Sums; GROUPS],
    ) {
        match tokens.div_ceil(QUAD) {
            0 => (),
            1 => vnni_of::<GROUPS, 4>(weights, block, sums),
            2 => vnni_of::<GROUPS, 8>(weights, block, sums),
            _ => vnni_of::<GROUPS, BLOCK>(weights, block, sums),
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn vnni_of<const GROUPS: usize, const TOKENS: usize>(
        weights: [&[Weights]; GROUPS],
        block: &[Activations],
        found: [&mut Sums; GROUPS],
    ) {
        let weights = weights.map(|weights| &weights[..block.len()]);
        let mut sums = [[_mm512_setzero_si512(); TOKENS]; GROUPS];
        for (pair, activations) in block.iter().enumerate() {
            // SAFETY: the weights of a pair have 32 bytes; unaligned loads are allowed.
            let weights = weights.map(|weights| unsafe {
                _mm512_cvtepi8_epi16(_mm256_loadu_si256(weights[pair].as_ptr().cast()))
            });
            for (token, activations) in activations.iter().take(TOKENS).enumerate() {
                let activations = _mm512_set1_epi32(*activations);
                for (sums, weights) in sums.iter_mut().zip(weights) {
                    sums[token] = _mm512_dpwssd_epi32(sums[token], weights, activations);
                }
            }
        }
        for (found, sums) in found.into_iter().zip(sums) {
            for (found, sum) in found.iter_mut().zip(sums) {
                // SAFETY: the sums of a token have 64 bytes; unaligned stores are allowed.
                unsafe { _mm512_storeu_si512(found.as_mut_ptr().cast(), sum) };
            }
        }
    }

    /// With AVX2, four tokens at a time: their sums for a group fill half of the registers.
    #[target_feature(enable = "avx2")]
    pub fn avx2(weights: &[Weights], block: &[Activations], tokens: usize, sums: &mut Sums) {
        let quads = sums.as_chunks_mut::<QUAD>().0.iter_mut();
        for (quad, found) in quads.enumerate().take(tokens.div_ceil(QUAD)) {
            let mut sums = [[_mm256_setzero_si256(); 2]; QUAD];
            for (weights, activations) in weights.iter().zip(block) {
                let first = weights.as_ptr().cast::<__m128i>();
                // SAFETY: the weights of a pair have two times 16 bytes; unaligned loads are allowed.
                let weights = unsafe { [_mm_loadu_si128(first), _mm_loadu_si128(first.add(1))] };
                let weights = weights.map(|weights| _mm256_cvtepi8_epi16(weights));
                let activations = &activations.as_chunks::<QUAD>().0[quad];
                for (sums, activations) in sums.iter_mut().zip(activations) {
                    let activations = _mm256_set1_epi32(*activations);
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weights, activations));
                    }
                }
            }
            for (found, sums) in found.iter_mut().zip(sums) {
                let first = found.as_mut_ptr().cast::<__m256i>();
                // SAFETY: the sums of a token have two times 32 bytes; unaligned stores are allowed.
                unsafe {
                    _mm256_storeu_si256(first, sums[0]);
                    _mm256_storeu_si256(first.add(1), sums[1]);
                }
            }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use core::arch::wasm32::*;

    use super::{Activations, QUAD, Sums, Weights};

    /// With 128 bits, four tokens and eight outputs at a time: of the 16 registers that browsers have on x86-64, the sums take
    /// eight.
    pub fn simd128(weights: &[Weights], block: &[Activations], tokens: usize, sums: &mut Sums) {
        let quads = sums.as_chunks_mut::<QUAD>().0.iter_mut();
        for (quad, found) in quads.enumerate().take(tokens.div_ceil(QUAD)) {
            for outputs in [0, 8] {
                let mut sums = [[i32x4_splat(0); 2]; QUAD];
                for (weights, activations) in weights.iter().zip(block) {
                    let weights = [0, 8].map(|place| widened(weights, 2 * outputs + place));
                    let activations = &activations.as_chunks::<QUAD>().0[quad];
                    for (sums, activations) in sums.iter_mut().zip(activations) {
                        let activations = i32x4_splat(*activations);
                        for (sum, weights) in sums.iter_mut().zip(weights) {
                            *sum = i32x4_add(*sum, i32x4_dot_i16x8(weights, activations));
                        }
                    }
                }
                for (found, [first, second]) in found.iter_mut().zip(sums) {
                    let eight = &mut found[outputs..outputs + 8];
                    // SAFETY: the slice has two times 16 bytes; any alignment is allowed.
                    #[allow(unsafe_code)]
                    unsafe {
                        v128_store(eight.as_mut_ptr().cast(), first);
                        v128_store(eight.as_mut_ptr().add(4).cast(), second);
                    }
                }
            }
        }
    }

    /// Eight weights from a place on, a multiple of 8.
    #[inline(always)]
    fn widened(weights: &Weights, place: usize) -> v128 {
        let eight = &weights.as_chunks::<8>().0[place / 8];
        // SAFETY: the 8 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            i16x8_load_extend_i8x8(eight.as_ptr())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -`most` to `most`, both ends included.
    fn numbers(count: usize, most: i64, factor: i64) -> Vec<i64> {
        (0..count as i64).map(|i| (i * factor + 7) % (2 * most + 1) - most).collect()
    }

    type Way = fn(&[Weights], &[Activations], usize, &mut [Sums; 2]);

    /// The ways that this host has.
    fn ways() -> Vec<Way> {
        fn each(
            weights: &[Weights],
            pairs: usize,
            sums: &mut [Sums; 2],
            way: impl Fn(&[Weights], &mut Sums),
        ) {
            weights.chunks(pairs).zip(sums).for_each(|(weights, sums)| way(weights, sums));
        }
        let mut ways: Vec<Way> = vec![multiply, |weights, block, tokens, sums| {
            each(weights, block.len(), sums, |weights, sums| plain(weights, block, tokens, sums));
        }];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            ways.push(|weights, block, tokens, sums| {
                each(weights, block.len(), sums, |weights, sums| {
                    // SAFETY: the processor supports AVX2.
                    #[allow(unsafe_code)]
                    unsafe {
                        x86::avx2(weights, block, tokens, sums);
                    }
                });
            });
        }
        ways
    }

    #[test]
    fn every_way_gives_the_sums_of_the_definition() {
        for (pairs, groups) in [(1, 1), (3, 2), (192, 2), (4096, 1)] {
            let weights = numbers(groups * GROUP * pairs * 2, 127, 7919);
            let tokens = numbers(BLOCK * pairs * 2, 2047, 104_729);
            let weight = |output: usize, input: usize| weights[output * pairs * 2 + input];
            let activation = |token: usize, input: usize| tokens[token * pairs * 2 + input];
            let packed: Vec<Weights> = (0..groups * pairs)
                .map(|row| {
                    let (group, pair) = (row / pairs, row % pairs);
                    std::array::from_fn(|place| {
                        weight(group * GROUP + place / 2, pair * 2 + place % 2) as i8
                    })
                })
                .collect();
            let block: Vec<Activations> = (0..pairs)
                .map(|pair| {
                    std::array::from_fn(|token| {
                        let value = |input| activation(token, pair * 2 + input) as i32;
                        value(0) & 0xFFFF | value(1) << 16
                    })
                })
                .collect();
            let sum = |token: usize, output: usize| -> i64 {
                (0..pairs * 2).map(|i| weight(output, i) * activation(token, i)).sum()
            };
            for way in ways() {
                for count in 0..=BLOCK {
                    let mut sums = [[[7; GROUP]; BLOCK]; 2];
                    way(&packed, &block, count, &mut sums);
                    for (group, sums) in sums.iter().enumerate().take(groups) {
                        for (token, sums) in sums.iter().enumerate().take(count) {
                            for (place, &found) in sums.iter().enumerate() {
                                assert_eq!(i64::from(found), sum(token, group * GROUP + place));
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_largest_sum_fits() {
        let pairs = 4096;
        let activations = vec![[2047 << 16 | 2047; BLOCK]; pairs];
        for way in ways() {
            let mut sums = [[[0; GROUP]; BLOCK]; 2];
            way(&vec![[-128; 2 * GROUP]; 2 * pairs], &activations, BLOCK, &mut sums);
            assert_eq!(sums, [[[-128 * 2047 * 8192; GROUP]; BLOCK]; 2]);
        }
    }
}
