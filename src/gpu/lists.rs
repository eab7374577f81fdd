//! The host's input to shaders, in one buffer.

use std::ops::Range;

use wgpu::{BindingResource, Buffer, BufferBinding};

/// Lists of values, each at an offset that a binding may have.
#[derive(Default)]
pub(super) struct Lists {
    pub bytes: Vec<u8>,
}

impl Lists {
    /// The alignment in bytes that every device allows for a binding's offset.
    const ALIGNMENT: usize = 256;

    /// Adds a list and returns its range of bytes. An empty list gets 16 bytes, because a binding
    /// cannot be empty.
    pub fn add<T: bytemuck::NoUninit>(&mut self, list: &[T]) -> Range<u64> {
        let start = self.bytes.len().next_multiple_of(Self::ALIGNMENT);
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytemuck::cast_slice(list));
        if list.is_empty() {
            self.bytes.resize(start + 16, 0);
        }
        start as u64..self.bytes.len() as u64
    }
}

/// The binding of a list in the uploaded buffer.
pub(super) fn section<'a>(buffer: &'a Buffer, range: &Range<u64>) -> BindingResource<'a> {
    BindingResource::Buffer(BufferBinding {
        buffer,
        offset: range.start,
        size: std::num::NonZeroU64::new(range.end - range.start),
    })
}
