//! The result of a pair's forward pass.

/// The loss of a pair, and whether it has a gradient.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairOutcome {
    pub loss: f32,
    /// Whether the pair has a gradient.
    pub active: bool,
    pub undefined: bool,
    /// The length of the score's gradient in the query's or the document's vector, the longer one;
    /// 0 without a gradient.
    pub gradient: f32,
}
