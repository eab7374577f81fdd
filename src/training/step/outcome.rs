//! The outcome of a pair in the forward pass.

/// The outcome of a pair in the forward pass.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairOutcome {
    pub loss: f32,
    /// Whether anything flows back.
    pub active: bool,
    pub undefined: bool,
}
