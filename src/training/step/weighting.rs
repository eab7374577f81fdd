//! The weights of words in the mean of a text.

/// The weights of a table's rows in the mean of a text, where not all are 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weighting {
    /// The weight, above 0, of the word of each trainable row; these are the first rows.
    pub weights: Vec<f32>,
    /// The number of words of weight 1 in the sum that each further row is; no step changes these
    /// rows.
    pub counts: Vec<u32>,
}

impl Weighting {
    /// The factor of a row in the sum of a text.
    #[cfg(feature = "gpu")]
    pub(crate) fn factor(&self, row: u32) -> f32 {
        self.weights.get(row as usize).copied().unwrap_or(1.0)
    }

    /// The factor of a row's gradient.
    pub(crate) fn slope(&self, row: u32) -> f32 {
        self.weights.get(row as usize).copied().unwrap_or(0.0)
    }

    /// The contribution of a row to the divisor of a text's sum.
    fn share(&self, row: u32) -> f32 {
        let weight = self.weights.get(row as usize).copied();
        weight.unwrap_or_else(|| self.counts[row as usize - self.weights.len()] as f32)
    }
}

/// The divisor of the sum of a text's rows.
pub(crate) fn total(weighting: Option<&Weighting>, rows: &[u32]) -> f32 {
    match weighting {
        _ if rows.is_empty() => 1.0,
        None => rows.len() as f32,
        Some(weighting) => rows.iter().fold(0.0, |sum, &row| sum + weighting.share(row)),
    }
}

/// Multiplies the gradient for a word of weight 1 by the factor of a row's gradient.
pub(super) fn weigh(weighting: Option<&Weighting>, row: usize, gradient: &mut [f32]) {
    if let Some(weighting) = weighting {
        let slope = weighting.slope(row as u32);
        gradient.iter_mut().for_each(|x| *x *= slope);
    }
}
