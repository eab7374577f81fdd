//! Exact products of 8-bit weights and 12-bit activations, several outputs of several tokens at a time.
//!
//! A sum of at most 8192 products of magnitudes up to 128 and 2047 fits 32 bits, so it is exact, and its order does not
//! matter. Each host may therefore use its widest instruction: `vpdpwssd` of AVX-512 VNNI, `vpmaddwd` of AVX2,
//! `i32x4.dot_i16x8_s` of WebAssembly, or plain code, which other hosts compile for their own registers. All of them
//! multiply pairs of 16-bit integers. Weights are kept in 8 bits and widened when they are loaded, in groups of 16 outputs:
//! first the inputs 0 and 1 of each of the 16 outputs, then the inputs 2 and 3, and so on. One register then holds a pair
//! for 16 outputs (a quarter of them in WebAssembly); a token's pair of activations is broadcast against it, and no sum has
//! to be taken across a register. Tokens are kept in blocks of 8 in the same way. The sums of two groups for a block stay in
//! registers: 16 independent chains hide the latency of the instruction. Two groups are multiplied with all blocks before
//! the next two, so that their weights are read from the cache that is nearest.

/// Outputs of a group.
pub const GROUP: usize = 16;
/// Tokens of a block.
pub const BLOCK: usize = 8;
/// The weights of one pair of inputs for the outputs of a group.
pub type Weights = [i8; 2 * GROUP];
/// The activations of one pair of inputs for the tokens of a block: two 16-bit integers in one of 32 bits, the first
/// in the lower half.
pub type Activations = [i32; BLOCK];
/// The sums of a group for the tokens of a block.
type Sums = [[i32; GROUP]; BLOCK];

/// Writes `sums[token][output]`, a row of whole groups for each token of whole blocks.
///
/// `weights` has the pairs of each group one after another, `tokens` those of each block.
pub fn multiply(weights: &[Weights], tokens: &[Activations], pairs: usize, sums: &mut [i32]) {
    if pairs == 0 || weights.is_empty() {
        return;
    }
    let outputs = weights.len() / pairs * GROUP;
    for (number, weights) in weights.chunks(2 * pairs).enumerate() {
        let (first, second) = weights.split_at(pairs);
        for (block, sums) in tokens.chunks_exact(pairs).zip(sums.chunks_exact_mut(BLOCK * outputs))
        {
            if second.is_empty() {
                let [last] = multiply_block([first], block);
                store(&last, 2 * number, outputs, sums);
            } else {
                let [first, second] = multiply_block([first, second], block);
                store(&first, 2 * number, outputs, sums);
                store(&second, 2 * number + 1, outputs, sums);
            }
        }
    }
}

/// Copies the sums of a group into the rows of a block.
fn store(found: &Sums, group: usize, outputs: usize, sums: &mut [i32]) {
    for (row, found) in sums.chunks_exact_mut(outputs).zip(found) {
        row[group * GROUP..][..GROUP].copy_from_slice(found);
    }
}

/// The sums of some groups for a block, with the widest instruction of this host.
#[inline(always)]
fn multiply_block<const GROUPS: usize>(
    weights: [&[Weights]; GROUPS],
    block: &[Activations],
) -> [Sums; GROUPS] {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512vnni")
            && std::arch::is_x86_feature_detected!("avx512bw")
        {
            // SAFETY: the processor supports the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { x86::vnni(weights, block) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            #[allow(unsafe_code)]
            return unsafe { x86::avx2(weights, block) };
        }
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return weights.map(|weights| wasm::simd128(weights, block));
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    weights.map(|weights| plain(weights, block))
}

/// The same in plain code.
#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
fn plain(weights: &[Weights], block: &[Activations]) -> Sums {
    let mut sums = [[0; GROUP]; BLOCK];
    for (weights, activations) in weights.iter().zip(block) {
        for (sums, pair) in sums.iter_mut().zip(activations) {
            let (first, second) = (i32::from(*pair as i16), pair >> 16);
            for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<2>().0) {
                *sum += i32::from(weights[0]) * first + i32::from(weights[1]) * second;
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)]
    use std::arch::x86_64::*;

    use super::{Activations, BLOCK, GROUP, Sums, Weights};

    /// With AVX-512 VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub fn vnni<const GROUPS: usize>(
        weights: [&[Weights]; GROUPS],
        block: &[Activations],
    ) -> [Sums; GROUPS] {
        let weights = weights.map(|weights| &weights[..block.len()]);
        let mut sums = [[_mm512_setzero_si512(); BLOCK]; GROUPS];
        for (pair, activations) in block.iter().enumerate() {
            for (sums, weights) in sums.iter_mut().zip(&weights) {
                // SAFETY: the weights of a pair have 32 bytes; unaligned loads are allowed.
                let weights = unsafe { _mm256_loadu_si256(weights[pair].as_ptr().cast()) };
                let weights = _mm512_cvtepi8_epi16(weights);
                for (sum, activations) in sums.iter_mut().zip(activations) {
                    *sum = _mm512_dpwssd_epi32(*sum, weights, _mm512_set1_epi32(*activations));
                }
            }
        }
        sums.map(|sums| {
            sums.map(|sum| {
                let mut found = [0; GROUP];
                // SAFETY: the sums of a token have 64 bytes; unaligned stores are allowed.
                unsafe { _mm512_storeu_si512(found.as_mut_ptr().cast(), sum) };
                found
            })
        })
    }

    /// With AVX2, four tokens at a time: their sums for a group fill half of the registers.
    #[target_feature(enable = "avx2")]
    pub fn avx2<const GROUPS: usize>(
        weights: [&[Weights]; GROUPS],
        block: &[Activations],
    ) -> [Sums; GROUPS] {
        let mut found = [[[0; GROUP]; BLOCK]; GROUPS];
        for (found, weights) in found.iter_mut().zip(weights) {
            for (quarter, found) in found.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let mut sums = [[_mm256_setzero_si256(); 2]; 4];
                for (weights, activations) in weights.iter().zip(block) {
                    let first = weights.as_ptr().cast::<__m128i>();
                    // SAFETY: the weights of a pair have two times 16 bytes; unaligned loads are allowed.
                    let weights =
                        unsafe { [_mm_loadu_si128(first), _mm_loadu_si128(first.add(1))] };
                    let weights = weights.map(|weights| _mm256_cvtepi8_epi16(weights));
                    for (sums, activations) in sums.iter_mut().zip(&activations[4 * quarter..]) {
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
        found
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use core::arch::wasm32::*;

    use super::{Activations, BLOCK, GROUP, Sums, Weights};

    /// With 128 bits, four tokens and eight outputs at a time: of the 16 registers that browsers have on x86-64, the sums take
    /// eight.
    pub fn simd128(weights: &[Weights], block: &[Activations]) -> Sums {
        let mut found = [[0; GROUP]; BLOCK];
        for (half, found) in found.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            for outputs in [0, 8] {
                let mut sums = [[i32x4_splat(0); 2]; 4];
                for (weights, activations) in weights.iter().zip(block) {
                    let weights = [0, 8].map(|place| widened(weights, 2 * outputs + place));
                    let activations = &activations[4 * half..4 * half + 4];
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
        found
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

    #[test]
    fn every_way_gives_the_sums_of_the_definition() {
        for (pairs, groups, blocks) in [(1, 1, 1), (3, 2, 1), (192, 3, 2), (4096, 1, 1)] {
            let weights = numbers(groups * GROUP * pairs * 2, 127, 7919);
            let tokens = numbers(blocks * BLOCK * pairs * 2, 2047, 104_729);
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
            let blocked: Vec<Activations> = (0..blocks * pairs)
                .map(|row| {
                    let (block, pair) = (row / pairs, row % pairs);
                    std::array::from_fn(|place| {
                        let value =
                            |input| activation(block * BLOCK + place, pair * 2 + input) as i32;
                        value(0) & 0xFFFF | value(1) << 16
                    })
                })
                .collect();
            let mut sums = vec![0; blocks * BLOCK * groups * GROUP];
            multiply(&packed, &blocked, pairs, &mut sums);
            for token in 0..blocks * BLOCK {
                for output in 0..groups * GROUP {
                    let expected: i64 =
                        (0..pairs * 2).map(|i| weight(output, i) * activation(token, i)).sum();
                    assert_eq!(i64::from(sums[token * groups * GROUP + output]), expected);
                }
            }
            // The narrower ways, which this machine would not choose.
            let (group, block) = (&packed[..pairs], &blocked[..pairs]);
            let expected: Vec<&[i32]> =
                sums.chunks(groups * GROUP).take(BLOCK).map(|row| &row[..GROUP]).collect();
            assert_eq!(plain(group, block).to_vec(), expected);
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor supports AVX2.
                #[allow(unsafe_code)]
                let [found] = unsafe { x86::avx2([group], block) };
                assert_eq!(found.to_vec(), expected);
            }
        }
    }

    #[test]
    fn the_largest_sum_fits() {
        let pairs = 4096;
        let mut sums = [0; BLOCK * GROUP];
        let activations = vec![[2047 << 16 | 2047; BLOCK]; pairs];
        multiply(&vec![[-128; 2 * GROUP]; pairs], &activations, pairs, &mut sums);
        assert_eq!(sums, [-128 * 2047 * 8192; BLOCK * GROUP]);
    }
}
