//! What a step finds out about a pair on its way forward.

/// What came of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PairOutcome {
    pub loss: f32,
    /// Whether anything flows back.
    pub active: bool,
    pub undefined: bool,
}
