//! Python's pickles, as far as lists, tuples, strings, numbers and NumPy's arrays go.
//!
//! Unpickling runs what a pickle asks for, so it runs nothing here: the globals that an array
//! needs are known by name and stand for themselves; every other is refused. Values lie in tables
//! and name each other by number, so that nesting or circles cost nothing. Long strings stay in
//! the file: an array's numbers are read from there, row by row.

use std::collections::HashMap;

use super::bytes::Encoding;
use super::source::Source;
use crate::data::tsv::shown;
use crate::error::Error;
use crate::limits::{PICKLED_BYTES, PICKLED_VALUES};

/// Strings of up to so many bytes are held: words, and names of types.
const LONG: u64 = 256;

/// A value of Python's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// `None`, or a number too large to be one that matters here.
    Nothing,
    /// `True` or `False`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string, by its number.
    Text(u32),
    /// A list or tuple, by its number.
    List(u32),
    /// One of the globals allowed.
    Global(Global),
    /// A type of numbers, by its number.
    Type(u32),
    /// An array, by its number.
    Array(u32),
}

/// The globals that a NumPy array needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Global {
    /// `numpy.core.multiarray._reconstruct`: makes an empty array
    Reconstruct,
    /// `numpy.ndarray`
    Array,
    /// `numpy.dtype`
    Type,
    /// `_codecs.encode`: bytes as protocols below 3 hold them
    Encode,
}

impl Global {
    fn named(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => {
                Self::Reconstruct
            }
            ("numpy", "ndarray") => Self::Array,
            ("numpy", "dtype") => Self::Type,
            ("_codecs", "encode") => Self::Encode,
            _ => return None,
        })
    }
}

/// Where the characters of a string are.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    /// How they are held.
    pub encoding: Encoding,
    /// Whether they are still in the file.
    pub long: bool,
    /// The place of the first byte, in the file or in what is held.
    pub start: u64,
    /// How many bytes there are.
    pub length: u64,
}

/// What an array was built from: `(version, shape, type, Fortran order, numbers)`.
pub type State = [Value; 5];

/// A number's type: `f4` and its order of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberType {
    /// `f4` or `f8`.
    pub name: String,
    /// Whether the first byte is the one that weighs most.
    pub big_endian: bool,
}

/// All values of a pickle.
#[derive(Default)]
pub struct Pickle {
    texts: Vec<Text>,
    held: Vec<u8>,
    lists: Vec<Vec<Value>>,
    types: Vec<NumberType>,
    arrays: Vec<Option<State>>,
    stack: Vec<Value>,
    marks: Vec<usize>,
    memo: HashMap<u64, Value>,
    /// Values made so far, for the limit.
    made: usize,
}

/// Why a pickle is refused; the source adds where.
type Refusal = String;

impl Pickle {
    /// Reads a pickle to its end; gives it and the value it is of.
    pub fn read(source: &mut Source) -> Result<(Self, Value), Error> {
        let mut pickle = Self::default();
        loop {
            let [opcode] = source.array()?;
            if opcode == b'.' {
                let root = pickle.pop().map_err(|problem| source.refuse(problem))?;
                return Ok((pickle, root));
            }
            pickle.step(opcode, source)?;
        }
    }

    /// The items of a list or tuple.
    pub fn list(&self, value: Value) -> Option<&[Value]> {
        match value {
            Value::List(list) => self.lists.get(list as usize).map(|list| &list[..]),
            _ => None,
        }
    }

    /// Where a string's characters are.
    pub fn text(&self, value: Value) -> Option<Text> {
        match value {
            Value::Text(text) => self.texts.get(text as usize).copied(),
            _ => None,
        }
    }

    /// The bytes of a string that is held.
    pub fn held(&self, text: Text) -> &[u8] {
        let start = text.start as usize;
        match text.long {
            true => &[],
            false => &self.held[start..start + text.length as usize],
        }
    }

    /// What an array was built from.
    pub fn array(&self, value: Value) -> Option<State> {
        match value {
            Value::Array(array) => self.arrays.get(array as usize).copied().flatten(),
            _ => None,
        }
    }

    /// A type of numbers.
    pub fn number_type(&self, value: Value) -> Option<&NumberType> {
        match value {
            Value::Type(number_type) => self.types.get(number_type as usize),
            _ => None,
        }
    }

    fn step(&mut self, opcode: u8, source: &mut Source) -> Result<(), Error> {
        let made = match opcode {
            // Values in the stream.
            b'N' => Some(Value::Nothing),
            0x88 => Some(Value::Boolean(true)),
            0x89 => Some(Value::Boolean(false)),
            b'J' => Some(Value::Integer(i32::from_le_bytes(source.array()?).into())),
            b'K' => Some(Value::Integer(u8::from_le_bytes(source.array()?).into())),
            b'M' => Some(Value::Integer(u16::from_le_bytes(source.array()?).into())),
            b'G' => Some(Value::Float(f64::from_be_bytes(source.array()?))),
            0x8a => Some(long(source)?),
            b'I' | b'L' => Some(integer(&line(source)?).map_err(|p| source.refuse(p))?),
            b'F' => {
                let text = line(source)?;
                let number = text.parse().map(Value::Float);
                Some(
                    number.map_err(|_| {
                        source.refuse(format!("`{}` is not a number", shown(&text)))
                    })?,
                )
            }
            // Strings: their length first, or a line.
            b'U' | b'C' => Some(self.counted::<1>(Encoding::Raw, source)?),
            b'T' | b'B' => Some(self.counted::<4>(Encoding::Raw, source)?),
            0x8e => Some(self.counted::<8>(Encoding::Raw, source)?),
            0x8c => Some(self.counted::<1>(Encoding::Utf8, source)?),
            b'X' => Some(self.counted::<4>(Encoding::Utf8, source)?),
            0x8d => Some(self.counted::<8>(Encoding::Utf8, source)?),
            b'S' => Some(self.line_text(Encoding::Quoted, source)?),
            b'V' => Some(self.line_text(Encoding::UnicodeEscape, source)?),
            b'c' => {
                let (module, name) = (line(source)?, line(source)?);
                Some(global(&module, &name).map_err(|problem| source.refuse(problem))?)
            }
            // What needs no more than a number from the stream.
            0x80 => {
                let [protocol] = source.array()?;
                if protocol > 5 {
                    return Err(source.refuse(format!("protocol {protocol}, expected 5 at most")));
                }
                None
            }
            0x95 => {
                source.array::<8>()?;
                None
            }
            b'p' | b'q' | b'r' | 0x94 => {
                let at = match opcode {
                    b'p' => memo_number(&line(source)?).map_err(|p| source.refuse(p))?,
                    b'q' => u8::from_le_bytes(source.array()?).into(),
                    b'r' => u32::from_le_bytes(source.array()?).into(),
                    _ => self.memo.len() as u64,
                };
                let top = self.top().and_then(|top| self.count(1).map(|()| top));
                self.memo.insert(at, top.map_err(|problem| source.refuse(problem))?);
                None
            }
            b'g' | b'h' | b'j' => {
                let at = match opcode {
                    b'g' => memo_number(&line(source)?).map_err(|p| source.refuse(p))?,
                    b'h' => u8::from_le_bytes(source.array()?).into(),
                    _ => u32::from_le_bytes(source.array()?).into(),
                };
                let value = self.memo.get(&at).copied();
                Some(value.ok_or_else(|| source.refuse(format!("no value was stored as {at}")))?)
            }
            other => self.combine(other).map_err(|problem| source.refuse(problem))?,
        };
        if let Some(value) = made {
            self.push(value).map_err(|problem| source.refuse(problem))?;
        }
        Ok(())
    }

    /// The opcodes that work on the stack alone; gives what they add to it.
    fn combine(&mut self, opcode: u8) -> Result<Option<Value>, Refusal> {
        Ok(match opcode {
            b'(' => {
                self.count(1)?;
                self.marks.push(self.stack.len());
                None
            }
            b'0' => self.pop().map(|_| None)?,
            b'1' => self.pop_items().map(|_| None)?,
            b'2' => Some(self.top()?),
            b']' | b')' => Some(self.new_list(Vec::new())?),
            b'l' | b't' => {
                let items = self.pop_items()?;
                Some(self.new_list(items)?)
            }
            0x85..=0x87 => {
                let mut items = Vec::new();
                for _ in 0x84..opcode {
                    items.push(self.pop()?);
                }
                items.reverse();
                Some(self.new_list(items)?)
            }
            b'a' => {
                let item = self.pop()?;
                self.append(&[item])?;
                None
            }
            b'e' => {
                let items = self.pop_items()?;
                self.append(&items)?;
                None
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let text =
                    |value| self.text(value).map(|text| String::from_utf8_lossy(self.held(text)));
                match (text(module), text(name)) {
                    (Some(module), Some(name)) => Some(global(&module, &name)?),
                    _ => return Err("a global without a name".into()),
                }
            }
            b'R' => {
                let (arguments, callable) = (self.pop()?, self.pop()?);
                Some(self.call(callable, arguments)?)
            }
            b'b' => {
                let (state, built) = (self.pop()?, self.top()?);
                self.build(built, state)?;
                None
            }
            other => {
                return Err(format!(
                    "opcode {:?} is not one that words and an array of numbers need",
                    char::from(other)
                ));
            }
        })
    }

    /// Calls one of the globals allowed.
    fn call(&mut self, callable: Value, arguments: Value) -> Result<Value, Refusal> {
        let arguments = self.list(arguments).unwrap_or_default();
        match (callable, arguments) {
            (Value::Global(Global::Reconstruct), [Value::Global(Global::Array), ..]) => {
                self.arrays.push(None);
                Ok(Value::Array(self.arrays.len() as u32 - 1))
            }
            (Value::Global(Global::Type), [name, ..]) => {
                let name = self.text(*name).map(|text| self.short(text)).unwrap_or_default();
                let name = name.trim_start_matches(['<', '=', '|']).to_owned();
                self.types.push(NumberType { name, big_endian: false });
                Ok(Value::Type(self.types.len() as u32 - 1))
            }
            (Value::Global(Global::Encode), [text @ Value::Text(_), ..]) => Ok(*text),
            _ => Err("a call that words and an array of numbers do not need".into()),
        }
    }

    /// Gives a type its order of bytes, or an array all it consists of.
    fn build(&mut self, built: Value, state: Value) -> Result<(), Refusal> {
        let state = self.list(state).unwrap_or_default();
        match (built, state) {
            (Value::Type(at), [_version, order, ..]) => {
                let order = self.text(*order).map(|text| self.short(text));
                self.types[at as usize].big_endian = order.as_deref() == Some(">");
                Ok(())
            }
            (Value::Array(at), &[version, shape, number_type, fortran, numbers]) => {
                self.arrays[at as usize] = Some([version, shape, number_type, fortran, numbers]);
                Ok(())
            }
            _ => Err("a state that is neither an array's nor a type's".into()),
        }
    }

    /// A short string of plain characters, without quotation marks.
    fn short(&self, text: Text) -> String {
        let text = String::from_utf8_lossy(self.held(text));
        text.trim_matches(['\'', '"']).chars().take(20).collect()
    }

    fn counted<const BYTES: usize>(
        &mut self,
        encoding: Encoding,
        source: &mut Source,
    ) -> Result<Value, Error> {
        let mut eight = [0; 8];
        eight[..BYTES].copy_from_slice(&source.array::<BYTES>()?);
        let length = u64::from_le_bytes(eight);
        let start = source.position();
        if length > LONG {
            source.skip(length)?;
            let text = Text { encoding, long: true, start, length };
            return self.new_text(text).map_err(|problem| source.refuse(problem));
        }
        let mut bytes = vec![0; length as usize];
        source.exact(&mut bytes)?;
        self.hold(&bytes, encoding).map_err(|problem| source.refuse(problem))
    }

    fn line_text(&mut self, encoding: Encoding, source: &mut Source) -> Result<Value, Error> {
        let start = source.position();
        let mut bytes = Vec::new();
        let mut length = 0;
        loop {
            let there = source.head()?;
            let end = there.iter().position(|&byte| byte == b'\n');
            let (count, past) = (end.unwrap_or(there.len()), there.len());
            length += count as u64;
            if length <= LONG {
                bytes.extend_from_slice(&there[..count]);
            }
            match end {
                _ if past == 0 => return Err(source.refuse("the file ends within a string")),
                Some(_) => {
                    source.take(count + 1);
                    break;
                }
                None => source.take(count),
            }
        }
        let made = match length > LONG {
            true => self.new_text(Text { encoding, long: true, start, length }),
            false => self.hold(&bytes, encoding),
        };
        made.map_err(|problem| source.refuse(problem))
    }

    fn hold(&mut self, bytes: &[u8], encoding: Encoding) -> Result<Value, Refusal> {
        let start = self.held.len() as u64;
        if self.held.len() + bytes.len() > PICKLED_BYTES {
            return Err(format!("its words have more than {PICKLED_BYTES} bytes"));
        }
        self.held.extend_from_slice(bytes);
        self.new_text(Text { encoding, long: false, start, length: bytes.len() as u64 })
    }

    fn new_text(&mut self, text: Text) -> Result<Value, Refusal> {
        self.count(1)?;
        self.texts.push(text);
        Ok(Value::Text(self.texts.len() as u32 - 1))
    }

    fn new_list(&mut self, items: Vec<Value>) -> Result<Value, Refusal> {
        self.count(1)?;
        self.lists.push(items);
        Ok(Value::List(self.lists.len() as u32 - 1))
    }

    fn append(&mut self, items: &[Value]) -> Result<(), Refusal> {
        match self.top()? {
            Value::List(list) => {
                self.lists[list as usize].extend_from_slice(items);
                Ok(())
            }
            _ => Err("items for a value that is not a list".into()),
        }
    }

    fn push(&mut self, value: Value) -> Result<(), Refusal> {
        self.count(1)?;
        self.stack.push(value);
        Ok(())
    }

    fn count(&mut self, more: usize) -> Result<(), Refusal> {
        self.made += more;
        match self.made > PICKLED_VALUES {
            true => Err(format!(
                "more than {PICKLED_VALUES} values: pickle the vectors as an array, or write them as text"
            )),
            false => Ok(()),
        }
    }

    /// The bottom of what may be popped: values below a mark belong to others.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn top(&self) -> Result<Value, Refusal> {
        match self.stack.last() {
            Some(&value) if self.stack.len() > self.floor() => Ok(value),
            _ => Err("a value is missing".into()),
        }
    }

    fn pop(&mut self) -> Result<Value, Refusal> {
        let top = self.top()?;
        self.stack.pop();
        Ok(top)
    }

    fn pop_items(&mut self) -> Result<Vec<Value>, Refusal> {
        match self.marks.pop() {
            Some(mark) => Ok(self.stack.split_off(mark)),
            None => Err("an end of items without a start".into()),
        }
    }
}

fn global(module: &str, name: &str) -> Result<Value, Refusal> {
    Global::named(module, name).map(Value::Global).ok_or_else(|| {
        let asked = format!("{module}.{name}");
        format!("it requests `{}`: refused, and no code was run", shown(&asked).escape_debug())
    })
}

/// A short line of characters.
fn line(source: &mut Source) -> Result<String, Error> {
    let mut bytes = Vec::new();
    if !source.until(b'\n', &mut bytes)? {
        return Err(source.refuse("the file ends within a line"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn integer(text: &str) -> Result<Value, Refusal> {
    match text.trim_end_matches('L') {
        "00" => Ok(Value::Boolean(false)),
        "01" => Ok(Value::Boolean(true)),
        digits => digits
            .parse()
            .map(Value::Integer)
            .map_err(|_| format!("`{}` is not an integer of 64 bits", shown(text))),
    }
}

/// An integer of up to eight bytes.
fn long(source: &mut Source) -> Result<Value, Error> {
    let [length] = source.array()?;
    let mut bytes = vec![0; usize::from(length)];
    source.exact(&mut bytes)?;
    let sign = if bytes.last().is_some_and(|last| last & 0x80 != 0) { 0xFF } else { 0 };
    if bytes.len() > 8 {
        return Ok(Value::Nothing);
    }
    bytes.resize(8, sign);
    Ok(Value::Integer(bytes.as_chunks::<8>().0.first().copied().map_or(0, i64::from_le_bytes)))
}

fn memo_number(text: &str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| "a value is stored without a number".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pickle_makes_so_many_values_and_holds_so_many_bytes() {
        let mut pickle = Pickle { made: PICKLED_VALUES - 1, ..Pickle::default() };
        assert_eq!(pickle.push(Value::Nothing), Ok(()));
        let refused = pickle.push(Value::Nothing).unwrap_err();
        assert!(refused.contains("more than 16777216 values"), "{refused}");
        let mut pickle = Pickle { held: vec![0; PICKLED_BYTES - 2], ..Pickle::default() };
        for _ in 0..2 {
            assert!(pickle.hold(b"a", Encoding::Utf8).is_ok());
        }
        let refused = pickle.hold(b"a", Encoding::Utf8).unwrap_err();
        assert!(refused.contains("more than 67108864 bytes"), "{refused}");
    }
}
