//! bzip2, its streams decoded at the same time where a file has several.
//!
//! The dumps called multistream are thousands of streams one after the other, each of which begins at a
//! byte and can be decoded without the others. A file of one stream is decoded from beginning to end.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use bzip2::{Decompress, Status};
use rayon::prelude::*;

use crate::limits::import::{STREAM_BYTES, STREAMS};

/// How much is read at once, and how much of a long stream is handed on at once.
const CHUNK: usize = 1 << 20;
/// A stream's first bytes, up to its level.
const HEADER: &[u8] = b"BZh";
/// What follows the level: of a block, and of a stream without one.
const MAGICS: [[u8; 6]; 2] =
    [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];

type Chunk = io::Result<Vec<u8>>;

/// What a file of bzip2 streams holds, in order.
pub struct Streams {
    chunks: Receiver<Chunk>,
    current: Vec<u8>,
    at: usize,
}

impl Streams {
    /// Begins to decode on a thread of its own, which stays ahead by a few chunks.
    pub fn new(file: impl Read + Send + 'static) -> Self {
        let (sender, chunks) = sync_channel(at_once());
        std::thread::spawn(move || {
            let mut decoder = Decoder { file, input: Vec::new(), ended: false };
            if let Err(error) = decoder.run(&sender) {
                let _ = sender.send(Err(error));
            }
        });
        Self { chunks, current: Vec::new(), at: 0 }
    }
}

impl Read for Streams {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Streams {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.current.len() {
            // Nobody sends any more: all was decoded.
            let Ok(chunk) = self.chunks.recv() else { return Ok(&[]) };
            (self.current, self.at) = (chunk?, 0);
        }
        Ok(&self.current[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

/// How many streams are decoded, and how many chunks wait, at the same time.
fn at_once() -> usize {
    rayon::current_num_threads().min(STREAMS)
}

struct Decoder<R> {
    file: R,
    /// What is read and not yet decoded.
    input: Vec<u8>,
    ended: bool,
}

impl<'a> Decoder<&'a [u8]> {
    /// Of a stream that is here.
    fn of(stream: &'a [u8]) -> Self {
        Self { file: stream, input: Vec::new(), ended: false }
    }
}

impl<R: Read> Decoder<R> {
    fn run(&mut self, sender: &SyncSender<Chunk>) -> io::Result<()> {
        let ahead = (rayon::current_num_threads() * CHUNK).min(16 * CHUNK);
        self.fill(ahead)?;
        if self.input.is_empty() {
            return Err(broken("an empty file, expected bzip2"));
        }
        while !self.input.is_empty() {
            let mut starts = starts(&self.input);
            if starts.first() != Some(&0) {
                return Err(broken("expected the start of a bzip2 stream"));
            }
            if self.ended {
                starts.push(self.input.len());
            }
            let whole: Vec<&[u8]> =
                starts.windows(2).map(|ends| &self.input[ends[0]..ends[1]]).collect();
            match starts.last() {
                Some(&end) if !whole.is_empty() => {
                    for streams in whole.chunks(at_once()) {
                        let decoded: Vec<_> =
                            streams.par_iter().map(|stream| whole_of(stream)).collect();
                        for (decoded, stream) in decoded.into_iter().zip(streams) {
                            let is_wanted = match decoded? {
                                Some(bytes) => sender.send(Ok(bytes)).is_ok(),
                                None => Decoder::of(stream).one_stream(sender)?,
                            };
                            if !is_wanted {
                                return Ok(());
                            }
                        }
                    }
                    self.input.drain(..end);
                }
                _ => {
                    if !self.one_stream(sender)? {
                        return Ok(());
                    }
                }
            }
            self.fill(ahead)?;
        }
        Ok(())
    }

    /// Reads until so much is there, or the file ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        while !self.ended && self.input.len() < wanted {
            let limit = (wanted - self.input.len()) as u64;
            let count = self.file.by_ref().take(limit).read_to_end(&mut self.input)?;
            self.ended = count == 0;
        }
        Ok(())
    }

    /// Decodes the stream that the input begins with, chunk by chunk. Whether anybody still listens.
    fn one_stream(&mut self, sender: &SyncSender<Chunk>) -> io::Result<bool> {
        let mut decoder = Decompress::new(false);
        let mut at = 0;
        let mut decoded = Vec::with_capacity(CHUNK);
        loop {
            if at == self.input.len() && !self.ended {
                self.input.clear();
                at = 0;
                self.fill(CHUNK)?;
            }
            let before = (at, decoded.len());
            let status = step(&mut decoder, &self.input, &mut at, &mut decoded)?;
            let over = status == Status::StreamEnd;
            if !over && self.ended && before == (at, decoded.len()) {
                return Err(cut());
            }
            if over || decoded.len() == decoded.capacity() {
                let full = std::mem::replace(&mut decoded, Vec::with_capacity(CHUNK));
                if sender.send(Ok(full)).is_err() {
                    return Ok(false);
                }
            }
            if over {
                self.input.drain(..at);
                return Ok(true);
            }
        }
    }
}

/// A stream decoded as a whole; none if it is too long for that.
fn whole_of(stream: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut decoder = Decompress::new(false);
    let mut at = 0;
    let mut decoded = Vec::with_capacity(CHUNK.max(4 * stream.len()).min(STREAM_BYTES));
    loop {
        let before = (at, decoded.len());
        match step(&mut decoder, stream, &mut at, &mut decoded)? {
            Status::StreamEnd if at == stream.len() => return Ok(Some(decoded)),
            Status::StreamEnd => return Err(broken("unexpected bytes after a bzip2 stream")),
            _ if decoded.len() == decoded.capacity() => match decoded.len() < STREAM_BYTES {
                true => decoded.reserve_exact(decoded.len().min(STREAM_BYTES - decoded.len())),
                false => return Ok(None),
            },
            _ if before == (at, decoded.len()) => return Err(cut()),
            _ => {}
        }
    }
}

fn step(
    decoder: &mut Decompress,
    input: &[u8],
    at: &mut usize,
    decoded: &mut Vec<u8>,
) -> io::Result<Status> {
    let before = decoder.total_in();
    let status = decoder.decompress_vec(&input[*at..], decoded);
    *at += (decoder.total_in() - before) as usize;
    status.map_err(|_| broken("invalid bzip2 data"))
}

/// Where streams begin.
fn starts(input: &[u8]) -> Vec<usize> {
    let is_start = |at: &usize| {
        let (level, magic) = (input[at + 3], &input[at + 4..]);
        level.is_ascii_digit() && MAGICS.iter().any(|known| magic.starts_with(known))
    };
    let most = input.len().saturating_sub(HEADER.len() + 1);
    (0..most)
        .filter(|&at| input[at] == HEADER[0] && input[at..].starts_with(HEADER))
        .filter(is_start)
        .collect()
}

fn broken(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it ends in the middle of a bzip2 stream")
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use bzip2::Compression;
    use bzip2::write::BzEncoder;

    use super::*;

    #[test]
    fn streams_around_the_longest_that_is_decoded_whole_are_what_they_were() {
        let mut file = Vec::new();
        let mut expected = Vec::new();
        for (number, length) in
            [STREAM_BYTES - 1, STREAM_BYTES, STREAM_BYTES + 1, 0, 7].into_iter().enumerate()
        {
            let bytes: Vec<u8> = (0..length).map(|at| (at / 1000 + number) as u8).collect();
            let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&bytes).unwrap();
            file.extend(encoder.finish().unwrap());
            expected.extend(bytes);
        }
        let mut decoded = Vec::new();
        Streams::new(Cursor::new(file)).read_to_end(&mut decoded).unwrap();
        assert!(decoded == expected);
    }
}
