//! Writes the vectors of the lines on standard input, as little-endian 32-bit numbers:
//!
//! `cargo run --release --package smooth-clir-teacher --example vectors -- TEACHER < LINES > VECTORS`; TEACHER is a folder or a
//! compact file

use std::error::Error;
use std::io::{self, Read, Write};
use std::path::Path;
use std::{env, fs};

use smooth_clir_teacher::{Files, Teacher};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: encode TEACHER < LINES > VECTORS")?;
    let teacher = open(Path::new(&path))?;
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    for value in teacher.encode(&lines)? {
        io::stdout().lock().write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

fn open(path: &Path) -> Result<Teacher, Box<dyn Error>> {
    if path.is_file() {
        return Ok(Teacher::read_compact(&fs::read(path)?.into())?);
    }
    let read = |name: &str| fs::read(path.join(name));
    let (config, tokenizer, weights) =
        (read("config.json")?, read("tokenizer.json")?, read("model.safetensors")?);
    let (pooling, modules) = (read("1_Pooling/config.json").ok(), read("modules.json").ok());
    let sentence = read("sentence_bert_config.json").ok();
    Ok(Teacher::read(&Files {
        config: &config,
        tokenizer: &tokenizer,
        weights: &weights,
        pooling: pooling.as_deref(),
        modules: modules.as_deref(),
        sentence: sentence.as_deref(),
    })?)
}
