//! Pairs of texts as rows: in memory, or where they are many in a scratch file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use smooth_clir::storage::varint;

use crate::alignment::Take;
use crate::error::Error;
use crate::files;

/// Bytes that go to the scratch file at once.
const AT_ONCE: usize = 1 << 20;
/// Bytes of pairs that are taken at once, in their order.
const CHUNK: u64 = 8 << 20;

/// Where a scratch file goes, and from what size on.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// The output that it lies beside.
    pub beside: PathBuf,
    /// So many bytes stay in memory.
    pub above: usize,
}

impl Scratch {
    /// Bytes of pairs, as rows, that memory holds before a scratch file does, where nobody says another number.
    pub const IN_MEMORY: usize = 256 << 20;
}

/// Pairs of texts as rows.
#[derive(Debug, Default)]
pub struct Store {
    scratch: Scratch,
    /// Where there is one, it holds what comes before `bytes`.
    file: Option<Mutex<File>>,
    in_file: u64,
    /// Of each pair the number of the first text's rows, these, and the second's, as varints.
    bytes: Vec<u8>,
    /// Where each pair begins.
    starts: Vec<u64>,
}

/// Texts as rows, one after the other.
#[derive(Debug, Default)]
pub struct Texts {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl Store {
    /// One with nothing in it.
    pub fn new(scratch: Scratch) -> Self {
        Self { scratch, ..Self::default() }
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Adds a pair.
    pub fn push(&mut self, [first, second]: [&[u32]; 2]) -> Result<(), Error> {
        self.starts.push(self.end());
        varint::push(&mut self.bytes, first.len() as u32);
        first.iter().chain(second).for_each(|&row| varint::push(&mut self.bytes, row));
        let most = if self.file.is_some() { AT_ONCE } else { self.scratch.above };
        if self.bytes.len() > most { self.spill() } else { Ok(()) }
    }

    /// Moves what is in memory to the scratch file.
    fn spill(&mut self) -> Result<(), Error> {
        let file = match self.file.take() {
            Some(file) => file,
            None => Mutex::new(files::scratch(&self.scratch.beside)?),
        };
        let mut open = file.lock().unwrap_or_else(PoisonError::into_inner);
        let written =
            open.seek(SeekFrom::Start(self.in_file)).and_then(|_| open.write_all(&self.bytes));
        written.map_err(|source| Error::Write { path: self.scratch.beside.clone(), source })?;
        drop(open);
        self.file = Some(file);
        self.in_file += self.bytes.len() as u64;
        // A buffer that held all that memory may hold is given back.
        self.bytes = Vec::with_capacity(AT_ONCE);
        Ok(())
    }

    /// Some pairs, in the order asked for.
    pub fn texts(&self, pairs: &[u32]) -> Result<[Texts; 2], Error> {
        let (mut texts, mut bytes) = (<[Texts; 2]>::default(), Vec::new());
        for &pair in pairs {
            self.read(pair as usize..pair as usize + 1, &mut bytes, &mut texts)?;
        }
        Ok(texts)
    }

    /// Calls `take` with some pairs after others in order, the first so many of all.
    pub fn for_each_chunk(&self, pairs: usize, take: Take<'_>) -> Result<(), Error> {
        let (mut texts, mut bytes) = (<[Texts; 2]>::default(), Vec::new());
        let mut start = 0;
        while start < pairs {
            let most = self.starts[start] + CHUNK;
            let end = self.starts.partition_point(|&at| at < most).min(pairs);
            texts.iter_mut().for_each(Texts::clear);
            self.read(start..end, &mut bytes, &mut texts)?;
            let [first, second] = &texts;
            let pairs: Vec<[&[u32]; 2]> =
                first.iter().zip(second.iter()).map(|(first, second)| [first, second]).collect();
            take(&pairs);
            start = end;
        }
        Ok(())
    }

    /// Adds pairs that follow each other to texts.
    fn read(
        &self,
        pairs: Range<usize>,
        buffer: &mut Vec<u8>,
        texts: &mut [Texts; 2],
    ) -> Result<(), Error> {
        let end_of = |pair: usize| self.starts.get(pair + 1).copied().unwrap_or(self.end());
        let (start, end) = (self.starts[pairs.start], end_of(pairs.end - 1));
        let failed = |source| Error::Read { path: self.scratch.beside.clone(), source };
        let in_file = self.in_file.clamp(start, end);
        buffer.resize((in_file - start) as usize, 0);
        if let Some(file) = self.file.as_ref().filter(|_| start < in_file) {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start))
                .and_then(|_| file.read_exact(buffer))
                .map_err(failed)?;
        }
        let range = [in_file, end].map(|at| (at - self.in_file.min(at)) as usize);
        buffer.extend_from_slice(&self.bytes[range[0]..range[1]]);
        for pair in pairs {
            let record = [self.starts[pair], end_of(pair)].map(|at| (at - start) as usize);
            decode(&buffer[record[0]..record[1]], texts)
                .ok_or_else(|| failed(io::Error::other("the scratch file was changed")))?;
        }
        Ok(())
    }

    fn end(&self) -> u64 {
        self.in_file + self.bytes.len() as u64
    }
}

fn decode(record: &[u8], [first, second]: &mut [Texts; 2]) -> Option<()> {
    let mut place = 0;
    for _ in 0..varint::take(record, &mut place)? {
        first.rows.push(varint::take(record, &mut place)?);
    }
    while place < record.len() {
        second.rows.push(varint::take(record, &mut place)?);
    }
    [first, second].into_iter().for_each(|texts| texts.ends.push(texts.rows.len()));
    Some(())
}

impl Texts {
    fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
    }

    /// The rows of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair of texts of up to 400 rows, large ones too, some empty.
    fn pair(at: u32) -> [Vec<u32>; 2] {
        [
            (0..at % 400).map(|row| row * at * 500).collect(),
            (0..at % 3).map(|row| u32::MAX - row).collect(),
        ]
    }

    #[test]
    fn pairs_come_back_from_memory_from_a_file_and_from_both() {
        let folder = tempfile::tempdir().unwrap();
        for above in [usize::MAX, 0, 100_000] {
            let mut store = Store::new(Scratch { beside: folder.path().join("out"), above });
            (0..20_000).for_each(|at| store.push([&pair(at)[0], &pair(at)[1]]).unwrap());
            assert_eq!(store.file.is_some(), above < usize::MAX);
            let asked = [19_999, 3, 3, 0, 4711];
            let texts = store.texts(&asked).unwrap();
            for (side, texts) in texts.iter().enumerate() {
                let expected = asked.map(|at| pair(at)[side].clone());
                assert!(texts.iter().eq(expected.iter().map(Vec::as_slice)));
            }
            let (mut next, mut chunks) = (0, 0);
            let mut check = |chunk: &[[&[u32]; 2]]| {
                chunks += 1;
                for texts in chunk {
                    assert!(pair(next).iter().map(Vec::as_slice).eq(*texts));
                    next += 1;
                }
            };
            store.for_each_chunk(20_000, &mut check).unwrap();
            assert!(next == 20_000 && chunks > 1);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
