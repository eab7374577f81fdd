//! What a host tells shaders, all in one buffer.

use std::ops::Range;

use wgpu::{BindingResource, Buffer, BufferBinding};

/// Lists of numbers, each beginning where a binding may.
#[derive(Default)]
pub(super) struct Lists {
    pub bytes: Vec<u8>,
}

impl Lists {
    /// What every device allows.
    const ALIGNMENT: usize = 256;

    /// Adds a list; an empty one is given some room, as nothing can be bound that is empty.
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

/// A list in the buffer that they were written to.
pub(super) fn section<'a>(buffer: &'a Buffer, range: &Range<u64>) -> BindingResource<'a> {
    BindingResource::Buffer(BufferBinding {
        buffer,
        offset: range.start,
        size: std::num::NonZeroU64::new(range.end - range.start),
    })
}
