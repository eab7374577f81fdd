//! Pseudo-random numbers, the same on every host: SplitMix64 and Box-Muller.

/// A stream of pseudo-random numbers, determined by its seed and its purpose.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Creates the stream of a seed for a purpose: streams for different purposes are unrelated.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut random = Self { state: seed };
        for byte in purpose.bytes() {
            random.state = random.next_u64() ^ u64::from(byte);
        }
        random
    }

    /// 64 random bits (Steele, Lea and Flood, 2014).
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A uniform number in [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Uniform numbers between `-bound` and `bound`.
    pub fn uniforms(&mut self, count: usize, bound: f32) -> Vec<f32> {
        (0..count).map(|_| (2.0 * self.unit() - 1.0) * bound).collect()
    }

    /// A uniform integer from 0 to `below` - 1 (Lemire, 2019); 0 if `below` is 0.
    pub fn below(&mut self, below: usize) -> usize {
        let below = below as u64;
        let unfair = below.wrapping_neg().checked_rem(below).unwrap_or(0);
        loop {
            let product = u128::from(self.next_u64()) * u128::from(below);
            if product as u64 >= unfair {
                return (product >> 64) as usize;
            }
        }
    }

    /// Two independent normal numbers of mean 0 and standard deviation 1 (Box-Muller).
    pub fn normal_pair(&mut self) -> [f64; 2] {
        let unit = |bits: u64| ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let radius = (-2.0 * libm::log(unit(self.next_u64()))).sqrt();
        let angle = std::f64::consts::TAU * unit(self.next_u64());
        [radius * libm::cos(angle), radius * libm::sin(angle)]
    }

    /// Normal numbers of mean 0 and the given standard deviation.
    pub fn normals(&mut self, count: usize, standard_deviation: f32) -> Vec<f32> {
        let mut numbers = Vec::with_capacity(count + 1);
        while numbers.len() < count {
            let pair = self.normal_pair();
            numbers.extend(pair.map(|x| (x * f64::from(standard_deviation)) as f32));
        }
        numbers.truncate(count);
        numbers
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // Published test vector for seed 1234567.
        let mut random = Random { state: 1_234_567 };
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_the_deviation_asked_for() {
        let numbers = Random::new(1, "test").normals(100_001, 0.1);
        let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / 100_001.0;
        let square = numbers.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>() / 100_001.0;
        assert!(mean.abs() < 0.001 && (square.sqrt() - 0.1).abs() < 0.001, "{mean} {square}");
    }

    #[test]
    fn uniform_numbers_fill_their_range_and_nothing_else() {
        let numbers = Random::new(1, "test").uniforms(100_000, 3.0);
        let mean = numbers.iter().sum::<f32>() / 100_000.0;
        let square = numbers.iter().map(|x| x * x).sum::<f32>() / 100_000.0;
        // The square's mean is bound^2 / 3.
        assert!(mean.abs() < 0.03 && (square - 3.0).abs() < 0.05, "{mean} {square}");
        let (least, most) = numbers.iter().fold((0f32, 0f32), |(a, b), &x| (a.min(x), b.max(x)));
        assert!((-3.0..-2.99).contains(&least) && (2.99..3.0).contains(&most), "{least} {most}");
    }

    #[test]
    fn a_shuffle_keeps_every_element_and_depends_on_seed_and_purpose() {
        let shuffled = |seed, purpose| {
            let mut list: Vec<u32> = (0..100).collect();
            Random::new(seed, purpose).shuffle(&mut list);
            list
        };
        let mut sorted = shuffled(1, "a");
        assert_ne!(sorted, shuffled(2, "a"));
        assert_ne!(sorted, shuffled(1, "b"));
        assert_eq!(sorted, shuffled(1, "a"));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
    }

    #[test]
    fn below_is_fair_and_in_range() {
        let mut random = Random::new(3, "test");
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[random.below(3)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn a_shuffle_may_leave_elements_where_they_are() {
        let stays = |seed: &u64| {
            let mut pair = [0, 1];
            Random::new(*seed, "test").shuffle(&mut pair);
            pair == [0, 1]
        };
        let count = (0..1000).filter(stays).count();
        assert!((400..600).contains(&count), "{count}");
    }
}
