//! The result of a pair's forward pass.

/// The loss of a pair, and whether it has a gradient.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairOutcome {
    pub loss: f32,
    /// Whether the pair has a gradient.
    pub active: bool,
    pub undefined: bool,
}
