//! The format of a file, by its first bytes.

use super::fasttext;

/// A format of word vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A word and its numbers a line.
    Text {
        /// Whether the first line says how many words and numbers there are.
        header: bool,
    },
    /// The same header, then words and little-endian numbers.
    Word2vecBinary,
    /// fastText's `.bin`.
    FastText,
    /// A Python pickle.
    Pickle,
}

/// Says which format begins so.
pub fn detect(head: &[u8]) -> Result<Format, String> {
    if head.is_empty() {
        return Err("is empty; expected word vectors".into());
    }
    if let Some((name, with)) = compression(head) {
        return Err(format!("is compressed ({name}): unpack it with {with} first"));
    }
    if head.starts_with(&fasttext::MAGIC.to_le_bytes()) {
        return Ok(Format::FastText);
    }
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let (first, rest) = split_once(head, b'\n').unwrap_or((head, &[]));
    if header(first).is_some() {
        return Ok(match rest.is_empty() || is_text_row(rest) {
            true => Format::Text { header: true },
            false => Format::Word2vecBinary,
        });
    }
    if head.first() == Some(&0x80) || is_old_pickle(head) {
        return Ok(Format::Pickle);
    }
    if is_text_row(head) {
        return Ok(Format::Text { header: false });
    }
    Err("has an unknown format, expected word2vec's text or binary, fastText's, GloVe's, or Polyglot's pickle".into())
}

/// How many words and how many numbers a header promises.
pub fn header(line: &[u8]) -> Option<(u64, u64)> {
    let line = std::str::from_utf8(line).ok()?;
    let mut numbers = line.split_ascii_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(count)), Some(Ok(dimension)), None) => Some((count, dimension)),
        _ => None,
    }
}

fn compression(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let block = |at: usize| head.get(at..).is_some_and(|rest| rest.starts_with(b"1AY&SY"));
    match head {
        [0x1f, 0x8b, ..] => Some(("gzip", "gunzip")),
        [b'B', b'Z', b'h', ..] if block(4) => Some(("bzip2", "bunzip2")),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(("xz", "unxz")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(("zstd", "unzstd")),
        [b'P', b'K', 3, 4, ..] => Some(("zip", "unzip")),
        _ => None,
    }
}

/// Whether bytes begin with a word and, after a space, a number in characters.
fn is_text_row(bytes: &[u8]) -> bool {
    let line = split_once(bytes, b'\n').map_or(bytes, |(line, _)| line);
    let printable = |bytes: &[u8]| bytes.iter().all(|b| matches!(b, b'\t' | b'\r' | b' '..=b'~'));
    let is_number =
        |field: &[u8]| std::str::from_utf8(field).is_ok_and(|text| text.parse::<f32>().is_ok());
    let mut fields = line.split(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    fields.next();
    let after = fields.find(|field| is_number(field));
    // The bytes of binary numbers are hardly ever all printable.
    let numbers = split_once(line, b' ').or_else(|| split_once(line, b'\t'));
    after.is_some() && numbers.is_some_and(|(_, numbers)| printable(numbers))
}

/// Whether bytes begin as a pickle of protocol 0 or 1: with an opcode for a list, a tuple or a
/// global.
fn is_old_pickle(head: &[u8]) -> bool {
    match head {
        [b'(' | b']' | b')', next, ..] => !next.is_ascii_whitespace(),
        [b'c', ..] => {
            let mut lines = head.split(|&byte| byte == b'\n');
            lines.by_ref().take(2).filter(|line| !line.contains(&b' ')).count() == 2
                && lines.next().is_some()
        }
        _ => false,
    }
}

fn split_once(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|&byte| byte == at)?;
    Some((&bytes[..place], &bytes[place + 1..]))
}
