//! The blocks of an index: which are here, and what the others are known by.

use std::sync::OnceLock;

use super::block::Block;

/// The blocks of what is shown, as far as they are here.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blocks {
    /// Documents in each but the last.
    pub size: usize,
    /// The digest that identifies each; empty where all are in the index's file.
    pub spaces: Vec<String>,
    pub blocks: Vec<OnceLock<Block>>,
}

impl Blocks {
    /// All in one.
    pub fn whole(block: Block) -> Self {
        Self { size: block.len(), spaces: Vec::new(), blocks: vec![block.into()] }
    }

    /// The only one that there may be, if it is here.
    pub fn only(&self) -> Option<&Block> {
        match &self.blocks[..] {
            [block] => block.get(),
            _ => None,
        }
    }
}
