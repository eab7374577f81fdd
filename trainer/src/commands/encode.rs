//! `encode`: texts in, their vectors out: files, or lines of programs that drive this one through a pipe.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::{BufReader, Read, stdin};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use smooth_clir::encoder::{Encoder, Scratch};
use smooth_clir::model::Model;
use smooth_clir::storage::container::Writer;
use smooth_clir_documents::json::string_or_number;

use super::language::language_of;
use crate::data::tsv;
use crate::error::Error;
use crate::files;
use crate::terminal::phase::Phases;
use crate::terminal::values::{language, name_of};

const INPUT: &str = "Input";
const OUTPUT: &str = "Output";

/// `encode`
#[derive(Debug, Args)]
#[command(override_usage = "smooth-clir encode [OPTIONS] <MODEL> <TEXTS|--stdin>")]
#[command(group(ArgGroup::new("input").required(true).args(["texts", "stdin"])))]
pub struct Encode {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// Encode them as queries
    #[arg(long)]
    pub queries: bool,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language, conflicts_with = "queries")]
    pub language: Option<String>,
    /// A file of texts, a line each; - is standard input
    pub texts: Option<PathBuf>,
    /// Read lines from standard input
    #[arg(long, help_heading = INPUT)]
    pub stdin: bool,
    /// The format of the input lines [default: of a file, by its name: .tsv, .jsonl or .ndjson, else lines; of standard
    /// input tsv]
    #[arg(long, value_enum, help_heading = INPUT)]
    pub from: Option<LineFormat>,
    /// The format of the vectors [default: by the name of --out: .npy, .safetensors, else jsonl]
    #[arg(long = "as", value_enum, help_heading = OUTPUT)]
    pub to: Option<VectorFormat>,
    /// Write the vectors to a file [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
}

/// The format of the lines that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineFormat {
    /// A text, whose id is the line's number from 1
    Lines,
    /// id, tab, text
    Tsv,
    /// An object with `id` and `text`
    Jsonl,
}

/// The format of the vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VectorFormat {
    /// An object with `id` and `vector` in a line, whose digits give the exact bits
    Jsonl,
    /// id, tab, the bytes of little-endian 32-bit values in hexadecimal, in a line
    F32,
    /// NumPy's format: an array of 32-bit values with a row for each line, without ids; requires --out
    Npy,
    /// `vectors` with a row for each line, `ids` and `ids.offsets` as in an index; requires --out
    Safetensors,
}

impl LineFormat {
    /// That of a file, by its name.
    fn of(path: &Path) -> Self {
        match ending(path).as_str() {
            "tsv" => Self::Tsv,
            "jsonl" | "ndjson" => Self::Jsonl,
            _ => Self::Lines,
        }
    }
}

impl VectorFormat {
    /// That of a file, by its name.
    fn of(path: &Path) -> Self {
        match ending(path).as_str() {
            "npy" => Self::Npy,
            "safetensors" => Self::Safetensors,
            _ => Self::Jsonl,
        }
    }
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// What is read and written at once, about, in bytes.
const BUFFER: usize = 1 << 16;

/// Writes the vector of each line, in their order. On standard output nothing that is ready waits for a line that is not
/// there yet.
pub fn run(arguments: &Encode) -> Result<(), Error> {
    let file = arguments.texts.as_deref().filter(|path| path.as_os_str() != "-");
    let from = arguments.from.unwrap_or_else(|| file.map_or(LineFormat::Tsv, LineFormat::of));
    let out = arguments.out.as_deref();
    let to = arguments.to.unwrap_or_else(|| out.map_or(VectorFormat::Jsonl, VectorFormat::of));
    if out.is_none() && matches!(to, VectorFormat::Npy | VectorFormat::Safetensors) {
        let problem = format!("--as {}: requires --out FILE", name_of(to));
        return Err(Error::Usage(problem));
    }
    if let Some(out) = out {
        files::check_distinct([out], file.into_iter().chain([&*arguments.model]))?;
        files::check_writable(out)?;
    }
    let model = files::read_model(&arguments.model)?;
    let encoder = match arguments.queries {
        true => model.query_encoder()?,
        false => model.document_encoder(&language_of(&model, arguments.language.as_deref())?)?,
    };
    let encoding = Encoding {
        encoder,
        from,
        scratch: Scratch::default(),
        vector: vec![0.0; model.config.dimension],
    };
    let mut written = match to {
        VectorFormat::Jsonl | VectorFormat::F32 => {
            Written::Lines { is_hexadecimal: to == VectorFormat::F32, ready: String::new() }
        }
        VectorFormat::Npy | VectorFormat::Safetensors => Written::Rows(Rows::default()),
    };
    match file {
        None => each(encoding, STANDARD_INPUT.as_ref(), stdin().lock(), &mut written, out)?,
        Some(path) => each(encoding, path, tsv::open(path)?, &mut written, out)?,
    }
    match (written, out) {
        (Written::Lines { ready, .. }, Some(out)) => files::write(out, ready.as_bytes()),
        (Written::Rows(rows), Some(out)) if to == VectorFormat::Npy => {
            files::write(out, &rows.to_npy(model.config.dimension))
        }
        (Written::Rows(rows), Some(out)) => {
            let of = if arguments.queries { "queries" } else { "documents" };
            files::write(out, &rows.to_safetensors(&model, of)?)
        }
        _ => Ok(()),
    }
}

const STANDARD_INPUT: &str = "standard input";

/// Encodes each line, and prints those that are ready unless they go to a file.
fn each(
    mut encoding: Encoding<'_>,
    path: &Path,
    reader: impl Read,
    written: &mut Written,
    out: Option<&Path>,
) -> Result<(), Error> {
    let mut reader = BufReader::with_capacity(BUFFER, reader);
    let mut bytes = Vec::new();
    let progress = match out {
        Some(_) => Phases::Shown.texts("encoding"),
        None => Phases::Hidden.texts(""),
    };
    for line in 1.. {
        let read = tsv::read_line(&mut reader, path, line, &mut bytes);
        let added = read.and_then(|text| match text {
            None => Ok(false),
            Some(text) => {
                let at_line = |problem| Error::Line { path: path.into(), line, problem };
                encoding.add(line, text, written).map(|()| true).map_err(at_line)
            }
        });
        progress.inc(1);
        if let (Written::Lines { ready, .. }, None) = (&mut *written, out) {
            let waits = !matches!(added, Ok(true)) || !reader.buffer().contains(&b'\n');
            if waits || ready.len() >= BUFFER {
                print!("{ready}");
                ready.clear();
            }
        }
        if !added? {
            break;
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// Lines that become vectors.
struct Encoding<'a> {
    encoder: &'a Encoder,
    from: LineFormat,
    scratch: Scratch,
    vector: Vec<f32>,
}

/// Vectors that are written.
enum Written {
    /// As lines, those that have not been written yet.
    Lines { is_hexadecimal: bool, ready: String },
    /// As a file, all of them.
    Rows(Rows),
}

/// Vectors one after the other, and their ids.
#[derive(Default)]
struct Rows {
    values: Vec<f32>,
    ids: Vec<String>,
}

impl Encoding<'_> {
    /// Encodes a line, or says what is wrong with it.
    fn add(&mut self, number: u64, line: &str, written: &mut Written) -> Result<(), String> {
        let (id, text) = match self.from {
            LineFormat::Lines => (Cow::from(number.to_string()), Cow::from(line)),
            LineFormat::Tsv => {
                let (id, text) = line.split_once('\t').ok_or("no tab between id and text")?;
                (Cow::from(id), Cow::from(text))
            }
            LineFormat::Jsonl => of_json(line)?,
        };
        self.encoder.encode_into(&text, &mut self.scratch, &mut self.vector);
        match written {
            Written::Rows(rows) => {
                rows.values.extend(&self.vector);
                rows.ids.push(id.into_owned());
            }
            Written::Lines { is_hexadecimal: false, ready } => {
                let numbers: Vec<String> = self.vector.iter().map(|&x| digits(x)).collect();
                let line = format!("{{\"id\":{},\"vector\":[{}]}}\n", json!(id), numbers.join(","));
                ready.push_str(&line);
            }
            Written::Lines { is_hexadecimal: true, ready } => {
                if id.contains(['\t', '\n', '\r']) {
                    return Err("the id has a tab or a line end, which --as f32 cannot".into());
                }
                ready.push_str(&id);
                ready.push('\t');
                for number in &self.vector {
                    // The bytes in their order: the lowest first. Writing to a string does not fail.
                    let _ = write!(ready, "{:08x}", number.to_bits().swap_bytes());
                }
                ready.push('\n');
            }
        }
        Ok(())
    }
}

impl Rows {
    /// The rows as a file of NumPy: version 1.0 of its format, little-endian, in C's order.
    fn to_npy(&self, dimension: usize) -> Vec<u8> {
        let shape = format!("({}, {dimension})", self.ids.len());
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
        // Spaces and a line end fill the file's head up to a multiple of 64 bytes.
        let head = NPY_START.len() + 2;
        let length = (head + header.len() + 1).next_multiple_of(64) - head;
        let mut bytes = NPY_START.to_vec();
        bytes.extend((length as u16).to_le_bytes());
        bytes.extend(format!("{header:<width$}\n", width = length - 1).into_bytes());
        bytes.extend(self.values.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }

    /// The rows with their ids and the name of their model.
    fn to_safetensors(&self, model: &Model, of: &str) -> Result<Vec<u8>, Error> {
        let mut offsets = vec![0];
        for id in &self.ids {
            let end = offsets[offsets.len() - 1] as usize + id.len();
            let too_large = |_| {
                let most = u32::MAX as usize;
                smooth_clir::Error::TooLarge { what: "ids in bytes", found: end, most }
            };
            offsets.push(u32::try_from(end).map_err(too_large)?);
        }
        let mut writer = Writer::new("vectors");
        writer.metadata("model", model.space.clone());
        writer.metadata("of", of.into());
        writer.text("ids", &self.ids.concat());
        writer.u32("ids.offsets", &offsets);
        writer.f32("vectors", &[self.ids.len(), model.config.dimension], &self.values);
        Ok(writer.into_bytes())
    }
}

/// How a file of NumPy begins: its magic string and version 1.0.
const NPY_START: &[u8] = b"\x93NUMPY\x01\x00";

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
