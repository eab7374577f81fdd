//! Text that the rule splits alike without Unicode tables: ASCII, the Latin letters of most
//! European languages, and the punctuation between them.
//!
//! A text is plain up to the white space before the first piece that has any other character.
//! What white space divides, the rule reads apart: nothing composes across it, it decides where a
//! sigma is final, and no word goes on behind it. Only a mark that combines with what is before
//! it may take white space in, so that what follows a plain beginning starts with white space.

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
    let mut at = 0;
    while let Some(gap) = bytes[at..].iter().position(|&byte| IN_WORD[usize::from(byte)]) {
        let start = at + gap;
        at = word_end(bytes, start);
        while plain[start..at].ends_with("ng") && starts_swahili_syllable(&bytes[at..]) {
            at = word_end(bytes, at + 1);
        }
        each(&plain[start..at]);
    }
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().position(|&byte| !IN_WORD[usize::from(byte)]);
    length.map_or(bytes.len(), |length| start + length)
}

fn starts_swahili_syllable(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\'', vowel, ..] if super::is_vowel(char::from(*vowel)))
}

/// Beyond ASCII only letters are left.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte >= 0x80 || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// What is written instead of a character.
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
            'Ā'..='ž' => Some(c).filter(|c| !c.is_lowercase()).and_then(lower),
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

fn lower(c: char) -> Option<StandIn> {
    c.to_lowercase().next().map(StandIn::Letter)
}

fn ascii_length(bytes: &[u8]) -> usize {
    const NOT_ASCII: u128 = u128::from_ne_bytes([0x80; 16]);
    let (chunks, _) = bytes.as_chunks();
    let ascii = |chunk: &&[u8; 16]| u128::from_ne_bytes(**chunk) & NOT_ASCII == 0;
    let whole = chunks.iter().take_while(ascii).count() * 16;
    whole + bytes[whole..].iter().take_while(|byte| byte.is_ascii()).count()
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{a0}'
}
