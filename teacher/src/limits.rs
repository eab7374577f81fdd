//! The limits of a teacher's sizes, as its `config.json` states them.

/// Inputs of a product: with 8-bit weights and 12-bit activations, larger sums could exceed 32 bits.
pub const INPUTS: usize = 8192;
/// Layers.
pub const LAYERS: usize = 64;
/// Tokens of its vocabulary; multilingual ones have 250,000.
pub const TOKENS: usize = 1 << 20;
/// Positions of a text.
pub const POSITIONS: usize = 1 << 14;
