//! How long gradients are, summed up.

/// The lengths of some gradients, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lengths {
    /// The number of gradients.
    pub count: usize,
    /// The largest length; 0 without gradients.
    pub largest: f32,
    /// The median, the lower one of an even count; 0 without gradients.
    pub median: f32,
    /// The proportion of lengths above a limit.
    pub share_above: f64,
}

impl Lengths {
    /// Sums up lengths, with the share of them above `limit`.
    pub fn of(lengths: impl IntoIterator<Item = f32>, limit: f32) -> Self {
        let mut lengths: Vec<f32> = lengths.into_iter().collect();
        let Some(largest) = lengths.iter().copied().reduce(f32::max) else {
            return Self::default();
        };
        let count = lengths.len();
        let above = lengths.iter().filter(|&&length| length > limit).count();
        let (_, &mut median, _) = lengths.select_nth_unstable_by((count - 1) / 2, f32::total_cmp);
        Self { count, largest, median, share_above: above as f64 / count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_by_hand() {
        let found = Lengths::of([3.0, 1.0, 2.0, 8.0], 2.0);
        assert_eq!(found, Lengths { count: 4, largest: 8.0, median: 2.0, share_above: 0.5 });
        assert_eq!(Lengths::of([], 2.0), Lengths::default());
    }
}
