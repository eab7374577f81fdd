//! Numbers of a file, read where they lie.

use std::fmt;
use std::ops::{Deref, Range};

use bytemuck::AnyBitPattern;

use super::SharedBytes;

/// Numbers that own their memory, or that lie in a file's shared bytes.
#[derive(Clone)]
pub struct Buffer<T> {
    own: Vec<T>,
    file: Option<Box<Shared>>,
}

/// A file, and which of its bytes.
type Shared = (SharedBytes, Range<usize>);

impl<T: AnyBitPattern> Buffer<T> {
    /// The numbers that a range of a file's bytes holds; `None` where they cannot be read there as
    /// they are: where they are not aligned, or the host's bytes have another order.
    pub(in crate::storage) fn in_file(file: &SharedBytes, range: Range<usize>) -> Option<Self> {
        let bytes = file.get(range.clone())?;
        let fits =
            cfg!(target_endian = "little") && bytemuck::try_cast_slice::<_, T>(bytes).is_ok();
        fits.then(|| Self { own: Vec::new(), file: Some(Box::new((file.clone(), range))) })
    }

    /// The numbers, to be changed: copied out of their file first, if they lie in one.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if self.file.is_some() {
            *self = Self::from(self.to_vec());
        }
        &mut self.own
    }

    /// The numbers by themselves.
    pub fn into_vec(mut self) -> Vec<T> {
        std::mem::take(self.to_mut())
    }
}

impl Buffer<i8> {
    /// Numbers of a byte each, which clones share.
    pub(in crate::storage) fn shared(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self { own: Vec::new(), file: Some(Box::new((bytes.into(), range))) }
    }
}

impl<T: AnyBitPattern> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self.file.as_deref() {
            // It was seen to be aligned, and shared bytes do not move.
            Some((file, range)) => bytemuck::cast_slice(&file[range.clone()]),
            None => &self.own,
        }
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(own: Vec<T>) -> Self {
        Self { own, file: None }
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T: AnyBitPattern + PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: AnyBitPattern + fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::container::{Reader, Writer};
    use super::*;

    /// Some bytes, and a place in them where a number of four may lie.
    fn aligned() -> (Vec<u8>, usize) {
        let bytes = vec![0; 20];
        let start = bytes.as_ptr().align_offset(4);
        (bytes, start)
    }

    #[test]
    fn numbers_are_read_where_they_lie_and_copied_to_be_changed() {
        let (mut bytes, start) = aligned();
        for (place, number) in [1.5f32, -2.0, 0.25].iter().enumerate() {
            bytes[start + 4 * place..][..4].copy_from_slice(&number.to_le_bytes());
        }
        let file = SharedBytes::from(bytes);
        let mut numbers = Buffer::<f32>::in_file(&file, start + 4..start + 12).unwrap();
        assert_eq!(*numbers, [-2.0, 0.25]);
        assert_eq!(numbers.as_ptr().cast::<u8>(), file[start + 4..].as_ptr());
        numbers.to_mut()[0] = 7.0;
        assert_eq!(*numbers, [7.0, 0.25]);
        assert_eq!(file[start + 4..start + 8], (-2.0f32).to_le_bytes());
    }

    #[test]
    fn clones_share_their_numbers_until_one_is_changed() {
        let numbers = Buffer::shared(vec![1, 255]);
        let mut clone = numbers.clone();
        assert_eq!((&*clone, clone.as_ptr()), (&[1, -1][..], numbers.as_ptr()));
        clone.to_mut()[0] = 7;
        assert_eq!((&*numbers, &*clone), (&[1, -1][..], &[7, -1][..]));
    }

    #[test]
    fn what_cannot_be_read_in_place_is_not() {
        let (bytes, start) = aligned();
        let file = SharedBytes::from(bytes);
        assert!(Buffer::<f32>::in_file(&file, start..start + 4).is_some());
        assert!(Buffer::<f32>::in_file(&file, start + 1..start + 5).is_none());
        assert!(Buffer::<f32>::in_file(&file, start..start + 6).is_none());
        assert!(Buffer::<f32>::in_file(&file, start + 8..start + 24).is_none());
        assert_eq!(Buffer::<i8>::in_file(&file, 1..4).unwrap().len(), 3);
    }

    #[test]
    fn a_reader_of_a_file_that_is_held_copies_nothing() {
        let mut writer = Writer::new("test");
        writer.bytes("before", &[1, 2, 3]);
        writer.bytes("numbers", &[4, 5, 6]);
        let file = SharedBytes::from(writer.into_bytes());
        let mut reader = Reader::open_in_place(&file, "test").unwrap();
        let numbers = reader.bytes("numbers").unwrap();
        assert_eq!(*numbers, [4, 5, 6]);
        assert!(file.as_ptr_range().contains(&numbers.as_ptr()));
        let mut reader = Reader::open(&file, "test").unwrap();
        let copied = reader.bytes("numbers").unwrap();
        assert_eq!(*copied, [4, 5, 6]);
        assert!(!file.as_ptr_range().contains(&copied.as_ptr()));
    }
}
