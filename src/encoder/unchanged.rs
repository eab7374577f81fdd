//! Rows that were changed, in a program that changes none: without the feature `learn` this type
//! has no value, so that what others do with it takes no room.

use super::Rows;

/// Nothing: no row changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Changed {}

impl Changed {
    /// The rows of the file.
    pub fn base(&self) -> &Rows {
        match *self {}
    }

    pub(super) fn sum(&self, _: &[u32], _: &mut [f32]) {
        match *self {}
    }

    /// All rows in the file's own precision.
    pub fn rounded(&self) -> Rows {
        match *self {}
    }
}
