//! How the words of a text weigh in its mean.

/// How the rows of a table count in the mean of a text, where they do not all weigh 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighting {
    /// Of each row that is learned the weight of its word, above 0; of each row after these, how
    /// many words of weight 1 it is the sum of.
    pub weights: Vec<f32>,
    /// How many rows are learned, the first ones: no step moves the others.
    pub learned: usize,
}

impl Weighting {
    /// What a row is multiplied by in the sum of a text.
    pub(crate) fn factor(&self, row: u32) -> f32 {
        if self.learns(row) { self.weights[row as usize] } else { 1.0 }
    }

    /// What the gradient of a row is multiplied by.
    pub(crate) fn slope(&self, row: u32) -> f32 {
        if self.learns(row) { self.weights[row as usize] } else { 0.0 }
    }

    fn learns(&self, row: u32) -> bool {
        (row as usize) < self.learned
    }
}

/// What the sum of a text's rows is divided by.
pub(crate) fn total(weighting: Option<&Weighting>, rows: &[u32]) -> f32 {
    match weighting {
        _ if rows.is_empty() => 1.0,
        None => rows.len() as f32,
        Some(Weighting { weights, .. }) => {
            rows.iter().fold(0.0, |sum, &row| sum + weights[row as usize])
        }
    }
}

/// Multiplies what flows to a word of weight 1 by what the gradient of a row takes of it.
pub(super) fn weigh(weighting: Option<&Weighting>, row: usize, gradient: &mut [f32]) {
    if let Some(weighting) = weighting {
        let slope = weighting.slope(row as u32);
        gradient.iter_mut().for_each(|x| *x *= slope);
    }
}
