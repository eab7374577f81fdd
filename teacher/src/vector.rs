//! Sixteen numbers of 32 bits in the registers of a host: one of 512 bits, two of 256, four of 128, or an array.
//!
//! Functions are written for any [`Vector`], and compiled for each; a host runs the one with its widest registers. All
//! operations are those of IEEE 754 on each lane, none of them fused, so every host gets the same bits. Compilers make such code of plain
//! loops too, but of the loops over a head's tokens they made code that gathers lanes from memory.

/// Lanes of a vector.
pub const LANES: usize = 16;
/// The numbers of a vector in memory.
pub type Lanes = [f32; LANES];

/// Sixteen numbers.
pub trait Vector: Copy {
    /// All lanes the same.
    fn splat(value: f32) -> Self;
    /// Reads the lanes.
    fn load(lanes: &Lanes) -> Self;
    /// Writes the lanes.
    fn store(self, lanes: &mut Lanes);
    /// The sum of each lane.
    fn plus(self, other: Self) -> Self;
    /// The difference of each lane.
    fn minus(self, other: Self) -> Self;
    /// The product of each lane.
    fn times(self, other: Self) -> Self;
    /// The quotient of each lane.
    fn over(self, other: Self) -> Self;
    /// The larger number of each lane; the other's, where this one's is no number.
    fn or_larger(self, other: Self) -> Self;
    /// Two to the power of each lane's lowest bits, taken as an integer of -127 to 127; 0 for -127.
    fn power(self) -> Self;
    /// The lanes that are not below a bound, by `self`, and 0 in the others.
    fn unless_below(self, tested: Self, bound: f32) -> Self;
}

/// Calls a generic function for the widest registers of the host: with the type of its vectors, and how many of them it
/// should keep in registers while it reads others.
macro_rules! widest {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident = $body:ident(
            $($argument:ident: $type:ty),* $(,)?
        ) $(-> $result:ty)?
    ) => {
        $(#[$attribute])*
        $visibility fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::vector::{One, Two, has_avx512};
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
                fn avx512($($argument: $type),*) $(-> $result)? {
                    $body::<One, 8>($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    $body::<Two, 4>($($argument),*)
                }
                if has_avx512() {
                    // SAFETY: the processor supports the features that the function is compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { avx512($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: as above.
                    #[allow(unsafe_code)]
                    return unsafe { avx2($($argument),*) };
                }
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            return $body::<$crate::vector::Four, 2>($($argument),*);
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            $body::<$crate::vector::Lanes, 2>($($argument),*)
        }
    };
}
pub(crate) use widest;

#[cfg(target_arch = "x86_64")]
pub use x86::{One, Two, has_avx512};

impl Vector for Lanes {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        [value; LANES]
    }
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        *lanes
    }
    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        *lanes = self;
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] + other[lane])
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] - other[lane])
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] * other[lane])
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] / other[lane])
    }
    #[inline(always)]
    fn or_larger(self, other: Self) -> Self {
        std::array::from_fn(|lane| if self[lane] > other[lane] { self[lane] } else { other[lane] })
    }
    #[inline(always)]
    fn power(self) -> Self {
        self.map(|lane| f32::from_bits((lane.to_bits() << 23).wrapping_add(127 << 23)))
    }
    #[inline(always)]
    fn unless_below(self, tested: Self, bound: f32) -> Self {
        std::array::from_fn(|lane| if tested[lane] < bound { 0.0 } else { self[lane] })
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{LANES, Lanes, Vector};

    /// Whether the processor has the parts of AVX-512 that are used.
    pub fn has_avx512() -> bool {
        use std::arch::is_x86_feature_detected;
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }

    /// A register of 512 bits, for functions that are compiled with AVX-512.
    #[derive(Clone, Copy)]
    pub struct One(__m512);

    // SAFETY, of all: the functions are inlined into ones that are compiled with AVX-512, which only run where it is.
    impl Vector for One {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(unsafe { _mm512_set1_ps(value) })
        }
        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            Self(unsafe { _mm512_loadu_ps(lanes.as_ptr()) })
        }
        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(unsafe { _mm512_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Self(unsafe { _mm512_sub_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            Self(unsafe { _mm512_mul_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn over(self, other: Self) -> Self {
            Self(unsafe { _mm512_div_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn or_larger(self, other: Self) -> Self {
            Self(unsafe { _mm512_max_ps(self.0, other.0) })
        }
        #[inline(always)]
        fn power(self) -> Self {
            Self(unsafe {
                let shifted = _mm512_slli_epi32::<23>(_mm512_castps_si512(self.0));
                _mm512_castsi512_ps(_mm512_add_epi32(shifted, _mm512_set1_epi32(127 << 23)))
            })
        }
        #[inline(always)]
        fn unless_below(self, tested: Self, bound: f32) -> Self {
            Self(unsafe {
                let kept = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(tested.0, _mm512_set1_ps(bound));
                _mm512_maskz_mov_ps(kept, self.0)
            })
        }
    }

    /// Two registers of 256 bits, for functions that are compiled with AVX2.
    #[derive(Clone, Copy)]
    pub struct Two([__m256; 2]);

    impl Two {
        #[inline(always)]
        fn each(self, other: Self, operation: impl Fn(__m256, __m256) -> __m256) -> Self {
            Self([operation(self.0[0], other.0[0]), operation(self.0[1], other.0[1])])
        }
    }

    // SAFETY, of all: the functions are inlined into ones that are compiled with AVX2, which only run where it is.
    impl Vector for Two {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self(unsafe { [_mm256_set1_ps(value); 2] })
        }
        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            let first = lanes.as_ptr();
            Self(unsafe { [_mm256_loadu_ps(first), _mm256_loadu_ps(first.add(LANES / 2))] })
        }
        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            let first = lanes.as_mut_ptr();
            unsafe {
                _mm256_storeu_ps(first, self.0[0]);
                _mm256_storeu_ps(first.add(LANES / 2), self.0[1]);
            }
        }
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self.each(other, |a, b| unsafe { _mm256_add_ps(a, b) })
        }
        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            self.each(other, |a, b| unsafe { _mm256_sub_ps(a, b) })
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            self.each(other, |a, b| unsafe { _mm256_mul_ps(a, b) })
        }
        #[inline(always)]
        fn over(self, other: Self) -> Self {
            self.each(other, |a, b| unsafe { _mm256_div_ps(a, b) })
        }
        #[inline(always)]
        fn or_larger(self, other: Self) -> Self {
            self.each(other, |a, b| unsafe { _mm256_max_ps(a, b) })
        }
        #[inline(always)]
        fn power(self) -> Self {
            self.each(self, |lanes, _| unsafe {
                let shifted = _mm256_slli_epi32::<23>(_mm256_castps_si256(lanes));
                _mm256_castsi256_ps(_mm256_add_epi32(shifted, _mm256_set1_epi32(127 << 23)))
            })
        }
        #[inline(always)]
        fn unless_below(self, tested: Self, bound: f32) -> Self {
            self.each(tested, |lanes, tested| unsafe {
                let kept = _mm256_cmp_ps::<_CMP_NLT_UQ>(tested, _mm256_set1_ps(bound));
                _mm256_and_ps(kept, lanes)
            })
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Four;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use core::arch::wasm32::*;

    use super::{Lanes, Vector};

    /// Four registers of 128 bits.
    #[derive(Clone, Copy)]
    pub struct Four([v128; 4]);

    impl Four {
        #[inline(always)]
        fn each(self, other: Self, operation: impl Fn(v128, v128) -> v128) -> Self {
            Self(std::array::from_fn(|part| operation(self.0[part], other.0[part])))
        }
    }

    impl Vector for Four {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            Self([f32x4_splat(value); 4])
        }
        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            let first = lanes.as_ptr();
            // SAFETY: the lanes have four times 16 bytes; any alignment is allowed.
            #[allow(unsafe_code)]
            Self(std::array::from_fn(|part| unsafe { v128_load(first.add(4 * part).cast()) }))
        }
        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            for (lanes, part) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(self.0) {
                // SAFETY: four lanes have 16 bytes; any alignment is allowed.
                #[allow(unsafe_code)]
                unsafe {
                    v128_store(lanes.as_mut_ptr().cast(), part);
                }
            }
        }
        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self.each(other, |one, other| f32x4_add(one, other))
        }
        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            self.each(other, |one, other| f32x4_sub(one, other))
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            self.each(other, |one, other| f32x4_mul(one, other))
        }
        #[inline(always)]
        fn over(self, other: Self) -> Self {
            self.each(other, |one, other| f32x4_div(one, other))
        }
        #[inline(always)]
        fn or_larger(self, other: Self) -> Self {
            // The smaller of the two is other < self ? other : self; pmax(b, a) is b < a ? a : b.
            self.each(other, |a, b| f32x4_pmax(b, a))
        }
        #[inline(always)]
        fn power(self) -> Self {
            self.each(self, |lanes, _| i32x4_add(i32x4_shl(lanes, 23), i32x4_splat(127 << 23)))
        }
        #[inline(always)]
        fn unless_below(self, tested: Self, bound: f32) -> Self {
            self.each(tested, |lanes, tested| {
                v128_andnot(lanes, f32x4_lt(tested, f32x4_splat(bound)))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of all operations, with numbers that are not exact.
    #[inline(always)]
    fn all<V: Vector, const TILE: usize>(one: &Lanes, other: &Lanes) -> Vec<[u32; LANES]> {
        let (a, b) = (V::load(one), V::load(other));
        let results = [
            a.plus(b),
            a.minus(b),
            a.times(b),
            a.over(b),
            a.or_larger(b),
            a.power(),
            a.unless_below(b, 0.5),
        ];
        let bits = |result: V| {
            let mut lanes = [0.0; LANES];
            result.store(&mut lanes);
            lanes.map(f32::to_bits)
        };
        results.into_iter().chain([V::splat(0.1)]).map(bits).collect()
    }

    widest! { fn on_this_host = all(one: &Lanes, other: &Lanes) -> Vec<[u32; LANES]> }

    #[test]
    fn every_width_gives_the_same_bits() {
        let mut one: Lanes = std::array::from_fn(|lane| (lane as f32 - 7.3) / 3.0);
        let mut other: Lanes = std::array::from_fn(|lane| 1.0 / (lane as f32 + 0.7));
        (one[3], other[4], other[5]) = (f32::NAN, f32::NEG_INFINITY, 0.5);
        let expected = all::<Lanes, 2>(&one, &other);
        assert_eq!(on_this_host(&one, &other), expected);
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[target_feature(enable = "avx2")]
            fn avx2(one: &Lanes, other: &Lanes) -> Vec<[u32; LANES]> {
                all::<Two, 4>(one, other)
            }
            // SAFETY: the processor supports AVX2.
            #[allow(unsafe_code)]
            let found = unsafe { avx2(&one, &other) };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn lanes_are_added_subtracted_multiplied_divided_and_compared() {
        let row = |first: f32| std::array::from_fn(|lane| first + lane as f32);
        let (one, other): (Lanes, Lanes) = (row(-1.0), row(2.0));
        let [sum, difference, product, quotient, larger, _, kept, tenth] =
            <[_; 8]>::try_from(all::<Lanes, 2>(&one, &other)).unwrap();
        let first = |bits: [u32; LANES]| [f32::from_bits(bits[0]), f32::from_bits(bits[15])];
        assert_eq!(first(sum), [1.0, 31.0]);
        assert_eq!(first(difference), [-3.0, -3.0]);
        assert_eq!(first(product), [-2.0, 14.0 * 17.0]);
        assert_eq!(first(quotient), [-0.5, 14.0 / 17.0]);
        assert_eq!(first(larger), [2.0, 17.0]);
        assert_eq!(first(kept), [-1.0, 14.0]);
        assert_eq!(first(tenth), [0.1, 0.1]);
    }

    #[test]
    fn powers_of_two_are_taken_of_the_lowest_bits() {
        for power in [-126_i32, -1, 0, 1, 23, 127] {
            let lanes = Lanes::splat(f32::from_bits(power as u32)).power();
            assert_eq!(lanes, [libm::exp2f(power as f32); LANES]);
        }
        assert_eq!(Lanes::splat(f32::from_bits(-127_i32 as u32)).power(), [0.0; LANES]);
    }
}
