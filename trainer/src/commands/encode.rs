//! `encode`: texts in, their vectors out, for programs that drive this one through a pipe.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::{BufReader, stdin};
use std::path::Path;

use serde_json::{Value, json};
use smooth_clir::encoder::{Encoder, Scratch};

use super::language::language_of;
use crate::data::tsv;
use crate::error::Error;
use crate::files;
use crate::terminal::values::language;
use clap::{Args, ValueEnum};
use smooth_clir_documents::json::string_or_number;
use std::path::PathBuf;

/// `encode`
#[derive(Debug, Args)]
pub struct Encode {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// Read lines from standard input (required)
    #[arg(long, required = true)]
    pub stdin: bool,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language, conflicts_with = "queries")]
    pub language: Option<String>,
    /// Encode them as queries
    #[arg(long)]
    pub queries: bool,
    /// The format of the input lines
    #[arg(long, value_enum, default_value_t = LineFormat::Tsv)]
    pub from: LineFormat,
    /// The format of the output lines
    #[arg(long = "as", value_enum, default_value_t = VectorFormat::Jsonl)]
    pub to: VectorFormat,
}

/// The format of the lines of standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineFormat {
    /// id, tab, text
    Tsv,
    /// An object with `id` and `text`
    Jsonl,
}

/// The format of the vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VectorFormat {
    /// An object with `id` and `vector`, whose digits give the exact bits
    Jsonl,
    /// id, tab, the bytes of little-endian 32-bit values in hexadecimal
    F32,
}

/// What is read and written at once, about, in bytes.
const BUFFER: usize = 1 << 16;

/// Writes the vector of each line, in their order. Nothing that is ready waits for a line that is not
/// there yet.
pub fn run(arguments: &Encode) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    let encoder = match arguments.queries {
        true => model.query_encoder()?,
        false => model.document_encoder(&language_of(&model, arguments.language.as_deref())?)?,
    };
    let mut filter = Filter {
        encoder,
        from: arguments.from,
        to: arguments.to,
        scratch: Scratch::default(),
        vector: vec![0.0; model.config.dimension],
        ready: String::new(),
    };
    let mut reader = BufReader::with_capacity(BUFFER, stdin().lock());
    let (path, mut bytes) = (Path::new("standard input"), Vec::new());
    for line in 1.. {
        let read = tsv::read_line(&mut reader, path, line, &mut bytes);
        let added = read.and_then(|text| match text {
            None => Ok(false),
            Some(text) => {
                let at_line = |problem| Error::Line { path: path.into(), line, problem };
                filter.add(text).map(|()| true).map_err(at_line)
            }
        });
        let waits = !matches!(added, Ok(true)) || !reader.buffer().contains(&b'\n');
        if waits || filter.ready.len() >= BUFFER {
            print!("{}", filter.ready);
            filter.ready.clear();
        }
        if !added? {
            break;
        }
    }
    Ok(())
}

struct Filter<'a> {
    encoder: &'a Encoder,
    from: LineFormat,
    to: VectorFormat,
    scratch: Scratch,
    vector: Vec<f32>,
    /// Lines that have not been written yet.
    ready: String,
}

impl Filter<'_> {
    /// Encodes a line, or says what is wrong with it.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let (id, text) = match self.from {
            LineFormat::Tsv => {
                let (id, text) = line.split_once('\t').ok_or("no tab between id and text")?;
                (Cow::from(id), Cow::from(text))
            }
            LineFormat::Jsonl => of_json(line)?,
        };
        self.encoder.encode_into(&text, &mut self.scratch, &mut self.vector);
        match self.to {
            VectorFormat::Jsonl => {
                let numbers: Vec<String> = self.vector.iter().map(|&x| digits(x)).collect();
                self.write(format_args!(
                    "{{\"id\":{},\"vector\":[{}]}}\n",
                    json!(id),
                    numbers.join(",")
                ));
            }
            VectorFormat::F32 => {
                if id.contains(['\t', '\n', '\r']) {
                    return Err("the id has a tab or a line end, which --as f32 cannot".into());
                }
                self.write(format_args!("{id}\t"));
                for at in 0..self.vector.len() {
                    // The bytes in their order: the lowest first.
                    let bits = self.vector[at].to_bits().swap_bytes();
                    self.write(format_args!("{bits:08x}"));
                }
                self.ready.push('\n');
            }
        }
        Ok(())
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // Nothing fails that is written to a string.
        let _ = self.ready.write_fmt(text);
    }
}

/// `id` and `text` of an object.
fn of_json(line: &str) -> Result<(Cow<'_, str>, Cow<'_, str>), String> {
    let record: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let field = |name| {
        let text = string_or_number(name, record.get(name))?;
        text.map(Cow::from).ok_or_else(|| format!("no `{name}`"))
    };
    Ok((field("id")?, field("text")?))
}

/// Digits that are read back as the same number, also by a reader that knows only f64: the fewest
/// that stand for it as f32, or where rounding twice would miss it, as f64.
fn digits(number: f32) -> String {
    let fewest = format!("{number:?}");
    match fewest.parse::<f64>() {
        Ok(read) if (read as f32).to_bits() == number.to_bits() => fewest,
        _ => format!("{:?}", f64::from(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_back_to_the_bit_through_f64() {
        let step = 65_521;
        for bits in (0..u32::MAX / step).map(|number| number * step) {
            let number = f32::from_bits(bits);
            if number.is_finite() {
                let read: f64 = serde_json::from_str(&digits(number)).unwrap();
                assert_eq!((read as f32).to_bits(), bits, "{number:e}");
            }
        }
    }
}
