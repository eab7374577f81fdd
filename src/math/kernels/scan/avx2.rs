//! Kernels in x86 vectors of 256 bits: compilers do not find the instruction that multiplies 16-bit integers and adds neighbouring
//! products.

use std::arch::x86_64::*;

use crate::math::kernels::{CACHE_LINE, LANES, dot_in_lanes, integers_one_by_one, prefetch_line};

/// The order in which vectors are read, four at a time.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// Neighbours, with far prefetches: the fastest on Intel's processors.
    Sequence,
    /// One from each quarter of the vectors: on AMD's processors this takes half the time to two thirds from main memory, because
    /// they fetch by themselves what follows in each of several places.
    Quarters,
}

impl Order {
    /// The faster order on this processor.
    pub fn fastest() -> Self {
        // AMD alone has built processors with SSE4a.
        if std::arch::is_x86_feature_detected!("sse4a") { Self::Quarters } else { Self::Sequence }
    }

    /// The prefetch distance in bytes, for vectors of so many bytes: in a sequence as much as arrives during the latency of
    /// memory.
    #[inline(always)]
    fn ahead(self, vector: usize) -> usize {
        match self {
            Self::Sequence => 8192,
            Self::Quarters => vector,
        }
    }
}

/// The positions of `count` vectors of a length and their starts, in groups of four; up to three at the end are in none.
#[inline(always)]
fn groups<T>(
    order: Order,
    vectors: &[T],
    length: usize,
    count: usize,
) -> impl Iterator<Item = [(usize, *const T); 4]> {
    assert!(vectors.len() >= count * length, "as many vectors as dot products");
    // How far apart two successive groups are, and two vectors of a group.
    let [step, apart] = match order {
        Order::Sequence => [4, 1],
        Order::Quarters => [1, count / 4],
    };
    let vector = move |position: usize| {
        // SAFETY: no position reaches the count, and there are as many vectors.
        #[allow(unsafe_code)]
        let start = unsafe { vectors.as_ptr().add(position * length) };
        (position, start)
    };
    (0..count / 4).map(move |group| [0, 1, 2, 3].map(|place| vector(group * step + place * apart)))
}

/// The query's length is a multiple of [`LANES`], and not 0.
#[target_feature(enable = "avx2")]
pub fn dots(order: Order, query: &[f32], vectors: &[f32], dots: &mut [f32]) {
    let (length, ahead) = (query.len(), order.ahead(size_of_val(query)));
    let (chunks, _) = query.as_chunks::<LANES>();
    for group in groups(order, vectors, length, dots.len()) {
        let vectors = group.map(|(_, vector)| vector);
        let mut sums = [[_mm256_setzero_ps(); 2]; 4];
        for (place, chunk) in chunks.iter().enumerate() {
            // SAFETY: a vector has as many chunks as the query.
            #[allow(unsafe_code)]
            let vectors = vectors.map(|vector| unsafe { vector.add(place * LANES) });
            for half in 0..2 {
                // SAFETY: a chunk has two halves; any alignment is allowed.
                #[allow(unsafe_code)]
                let eight = |chunk: *const f32| unsafe { _mm256_loadu_ps(chunk.add(8 * half)) };
                let part = eight(chunk.as_ptr());
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    sum[half] = _mm256_add_ps(sum[half], _mm256_mul_ps(part, eight(vector)));
                }
            }
            for vector in vectors {
                prefetch_line(vector.wrapping_byte_add(ahead));
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
        let mut four = [0.0; 4];
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm_storeu_ps(four.as_mut_ptr(), _mm_unpacklo_ps(ac, bd));
        }
        for ((position, _), dot) in group.into_iter().zip(four) {
            dots[position] = dot;
        }
    }
    let done = dots.len() / 4 * 4;
    for (vector, dot) in vectors.chunks_exact(length).zip(dots).skip(done) {
        *dot = dot_in_lanes(query, vector);
    }
}

/// The query's length is a multiple of [`LANES`], and not 0.
#[target_feature(enable = "avx2")]
pub fn dots_of_integers(order: Order, query: &[i16], vectors: &[i8], dots: &mut [i32]) {
    let (length, ahead) = (query.len(), order.ahead(query.len()));
    let (chunks, _) = query.as_chunks::<LANES>();
    for group in groups(order, vectors, length, dots.len()) {
        let vectors = group.map(|(_, vector)| vector);
        for vector in vectors {
            for line in (0..length).step_by(CACHE_LINE) {
                prefetch_line(vector.wrapping_byte_add(ahead + line));
            }
        }
        let mut sums = [_mm256_setzero_si256(); 4];
        for (place, chunk) in chunks.iter().enumerate() {
            let part = wide(chunk);
            for (sum, vector) in sums.iter_mut().zip(vectors) {
                // SAFETY: a vector has as many chunks as the query; any alignment is allowed.
                #[allow(unsafe_code)]
                let sixteen = unsafe { _mm_loadu_si128(vector.add(place * LANES).cast()) };
                let products = _mm256_madd_epi16(part, _mm256_cvtepi8_epi16(sixteen));
                *sum = _mm256_add_epi32(*sum, products);
            }
        }
        let ab = _mm256_hadd_epi32(sums[0], sums[1]);
        let cd = _mm256_hadd_epi32(sums[2], sums[3]);
        let both = _mm256_hadd_epi32(ab, cd);
        let low = _mm256_castsi256_si128(both);
        let sum = _mm_add_epi32(low, _mm256_extracti128_si256::<1>(both));
        let mut four = [0; 4];
        // SAFETY: the 16 bytes exist; any alignment is allowed.
        #[allow(unsafe_code)]
        unsafe {
            _mm_storeu_si128(four.as_mut_ptr().cast(), sum);
        }
        for ((position, _), dot) in group.into_iter().zip(four) {
            dots[position] = dot;
        }
    }
    let done = dots.len() / 4 * 4;
    for (vector, dot) in vectors.chunks_exact(length).zip(dots).skip(done) {
        integers_one_by_one(query, vector, std::slice::from_mut(dot));
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
