//! Numbers sorted on the disk: of any count, in bounded memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// So many are sorted in memory: 64 MiB.
const IN_MEMORY: usize = 8 << 20;

/// Numbers that are given in any order and come out sorted, each once.
pub struct Sorter {
    folder: PathBuf,
    most: usize,
    numbers: Vec<u64>,
    runs: Vec<File>,
}

impl Sorter {
    /// Scratch files without names go into `folder`.
    pub fn new(folder: &Path) -> Self {
        Self::with_most(folder, IN_MEMORY)
    }

    fn with_most(folder: &Path, most: usize) -> Self {
        Self { folder: folder.into(), most, numbers: Vec::new(), runs: Vec::new() }
    }

    /// Adds a number.
    ///
    /// # Errors
    /// If a scratch file cannot be written.
    pub fn push(&mut self, number: u64) -> Result<(), Error> {
        self.numbers.push(number);
        if self.numbers.len() < self.most {
            return Ok(());
        }
        self.sort();
        let run = self.write_run().map_err(|source| self.failed(source))?;
        self.runs.push(run);
        self.numbers.clear();
        Ok(())
    }

    /// Calls `take` with each number, rising.
    ///
    /// # Errors
    /// Those of `take`, and if a scratch file cannot be read.
    pub fn finish(mut self, mut take: impl FnMut(u64) -> Result<(), Error>) -> Result<(), Error> {
        self.sort();
        let runs = std::mem::take(&mut self.runs);
        let mut runs: Vec<_> =
            runs.into_iter().map(|run| BufReader::with_capacity(1 << 16, run)).collect();
        let mut in_memory = std::mem::take(&mut self.numbers).into_iter();
        let memory = runs.len();
        let mut next = |run: usize| match run == memory {
            true => Ok(in_memory.next()),
            false => read_number(&mut runs[run]).map_err(|source| self.failed(source)),
        };
        let mut heads = BinaryHeap::new();
        for run in 0..=memory {
            if let Some(number) = next(run)? {
                heads.push(Reverse((number, run)));
            }
        }
        let mut last = None;
        while let Some(Reverse((number, run))) = heads.pop() {
            if last != Some(number) {
                take(number)?;
                last = Some(number);
            }
            if let Some(number) = next(run)? {
                heads.push(Reverse((number, run)));
            }
        }
        Ok(())
    }

    fn sort(&mut self) {
        self.numbers.sort_unstable();
        self.numbers.dedup();
    }

    fn write_run(&self) -> std::io::Result<File> {
        let mut writer = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for number in &self.numbers {
            writer.write_all(&number.to_le_bytes())?;
        }
        let mut file = writer.into_inner().map_err(|error| error.into_error())?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Write { path: self.folder.clone(), source }
    }
}

/// The next number of 8 bytes, none at the file's end.
pub fn read_number(reader: &mut impl Read) -> std::io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    match reader.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u64::from_le_bytes(bytes))),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sorted_in_runs_comes_out_as_from_a_set() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 1, 6, 7, 8, 500] {
            let numbers: Vec<u64> = (0..count).map(|n: u64| n * 7919 % 311).collect();
            let mut sorter = Sorter::with_most(folder.path(), 7);
            for &number in &numbers {
                sorter.push(number).unwrap();
            }
            let mut sorted = Vec::new();
            sorter
                .finish(|number| {
                    sorted.push(number);
                    Ok(())
                })
                .unwrap();
            let expected: std::collections::BTreeSet<u64> = numbers.into_iter().collect();
            assert_eq!(sorted, expected.into_iter().collect::<Vec<_>>(), "{count}");
        }
    }
}
