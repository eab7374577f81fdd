//! Text that the rule splits alike without Unicode tables: ASCII, the Latin letters of most
//! European languages, and the punctuation between them.
//!
//! A text is plain up to the white space before the first piece that has any other character.
//! The rule reads texts on either side of white space separately: nothing composes across it, no sigma is
//! other than final before it, and no word continues behind it. Only a combining mark makes one segment
//! with white space before it, so the white space goes with what follows.

/// Writes the plain beginning of a text to `plain` and gives its length: in lower case, and with
/// ASCII marks instead of others, each as long as what it stands for.
pub fn beginning(text: &str, plain: &mut String) -> usize {
    plain.clear();
    let mut copied = 0;
    let end = scan(text, |at, stand_in| {
        plain.push_str(&text[copied..at]);
        match stand_in {
            StandIn::Letter(lower) => plain.push(lower),
            StandIn::Marks(marks) => plain.push_str(marks),
        }
        copied = plain.len();
    });
    plain.push_str(&text[copied..end]);
    if end < text.len() {
        let piece = plain.rfind(is_space).map_or(0, |at| at + 1);
        plain.truncate(plain[..piece].trim_end_matches(is_space).len());
    }
    plain.make_ascii_lowercase();
    plain.len()
}

/// The length of what follows a plain beginning, its first piece and all that are not plain.
pub fn length_of_other(text: &str) -> usize {
    let mut end = 0;
    loop {
        let start = text.len() - text[end..].trim_start_matches(is_space).len();
        let length = text[start..].find(is_space).unwrap_or(text.len() - start);
        let piece = &text[start..start + length];
        if end > 0 && scan(piece, |_, _| {}) == piece.len() {
            return end;
        }
        end = start + length;
    }
}

/// The words of what [`beginning`] wrote.
pub fn for_each_word(plain: &str, each: &mut impl FnMut(&str)) {
    let bytes = plain.as_bytes();
    let (mut start, mut inside, mut goes_on) = (0, false, false);
    for_each_edge(bytes, |at| {
        if !inside {
            start = if goes_on { start } else { at };
        } else {
            goes_on = is_swahili_letter(bytes, at);
            if !goes_on {
                each(&plain[start..at]);
            }
        }
        inside = !inside;
    });
}

/// Whether `ng'`, of which two letters are before a position, goes on with a vowel.
fn is_swahili_letter(bytes: &[u8], at: usize) -> bool {
    let vowel = |byte: &u8| is_vowel(char::from(*byte));
    bytes[..at].ends_with(b"ng")
        && bytes[at..].starts_with(b"'")
        && bytes.get(at + 1).is_some_and(vowel)
}

const BLOCK: usize = 64;

/// Calls `each` with the places where a word begins or ends: a block of bytes at a time, as no
/// processor foresees how long the next word is.
fn for_each_edge(bytes: &[u8], mut each: impl FnMut(usize)) {
    let mut last = 0;
    let mut block_edges = |start: usize, block: &[u8; BLOCK]| {
        let words = words(block);
        let mut edges = words ^ (words << 1 | last);
        last = words >> 63;
        while edges != 0 {
            each(start + edges.trailing_zeros() as usize);
            edges &= edges - 1;
        }
    };
    let (blocks, rest) = bytes.as_chunks();
    for (number, block) in blocks.iter().enumerate() {
        block_edges(number * BLOCK, block);
    }
    let mut padded = [b' '; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    block_edges(blocks.len() * BLOCK, &padded);
}

/// A bit for each byte: whether it is of a letter or digit. Beyond ASCII only letters are left.
fn words(block: &[u8; BLOCK]) -> u64 {
    let (eights, _) = block.as_chunks();
    eights
        .iter()
        .rev()
        .fold(0, |words, eight| words << 8 | words_of_eight(u64::from_le_bytes(*eight)))
}

/// The same for eight bytes at once: a sum has a byte's top bit where the byte is large enough.
fn words_of_eight(bytes: u64) -> u64 {
    let ascii = bytes & !TOP_BITS;
    let from = |least: u8| ascii + ONES * u64::from(0x80 - least);
    let letter = from(b'a') & !from(b'z' + 1);
    let digit = from(b'0') & !from(b'9' + 1);
    let top_bits = (bytes | letter | digit) & TOP_BITS;
    // Each byte's top bit goes to a bit of the product's first byte.
    (top_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const TOP_BITS: u64 = ONES << 7;

/// The replacement of a character.
enum StandIn {
    Letter(char),
    Marks(&'static str),
}

/// Where the first character is that is not plain. `replace` hears of those that something else
/// stands in for.
fn scan(text: &str, mut replace: impl FnMut(usize, StandIn)) -> usize {
    let mut at = 0;
    loop {
        at += ascii_length(&text.as_bytes()[at..]);
        let Some(c) = text[at..].chars().next() else { return at };
        let stand_in = match c {
            'ß'..='ö' | 'ø'..='ÿ' => None,
            'À'..='Ö' | 'Ø'..='Þ' => char::from_u32(c as u32 + 32).map(StandIn::Letter),
            // Normal forms or lower cases of their own.
            'İ' | 'Ĳ' | 'ĳ' | 'Ŀ' | 'ŀ' | 'ŉ' => return at,
            'Ā'..='ž' => c.to_lowercase().next().filter(|&lower| lower != c).map(StandIn::Letter),
            '\u{a0}' => Some(StandIn::Marks("  ")),
            '¡'..='§' | '©' | '«' | '¬' | '®' | '°' | '±' | '¶' | '·' | '»' | '¿' | '×' | '÷' => {
                Some(StandIn::Marks("--"))
            }
            // The Swahili letter is left to the book.
            '’' if text[..at].ends_with(['g', 'G']) => return at,
            '‐' | '‒'..='―' | '‘'..='„' | '†'..='•' | '‹' | '›' | '€' | '→' => {
                Some(StandIn::Marks("---"))
            }
            '…' => Some(StandIn::Marks("...")),
            _ => return at,
        };
        if let Some(stand_in) = stand_in {
            replace(at, stand_in);
        }
        at += c.len_utf8();
    }
}

fn ascii_length(bytes: &[u8]) -> usize {
    let (eights, rest) = bytes.as_chunks();
    for (number, eight) in eights.iter().enumerate() {
        let top_bits = u64::from_le_bytes(*eight) & TOP_BITS;
        if top_bits != 0 {
            return number * 8 + top_bits.trailing_zeros() as usize / 8;
        }
    }
    let ascii = rest.iter().take_while(|byte| byte.is_ascii()).count();
    eights.len() * 8 + ascii
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{a0}'
}

/// After `ng'` Swahili has a vowel; an English possessive has `s`.
pub(super) fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}
