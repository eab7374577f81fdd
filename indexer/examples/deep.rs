//! Where the time of deep documents goes, on one thread, and the glosses that the teacher reads:
//!
//! `cargo run --release --package smooth-clir-indexer --features teacher --example deep -- MODEL TEACHER LANGUAGE [GLOSSES] < TEXTS`
//!
//! MODEL is a folder of a model's files, TEACHER a teacher's folder or a file of `compact-teacher`; standard input has a text a line. Prints the seconds
//! of each part as JSON, once for each line that standard input has after an empty one; GLOSSES is written, a gloss a line.

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs, io};

use smooth_clir::encoder::Precision;
use smooth_clir::index::Document;
use smooth_clir::model::Model;
use smooth_clir::storage::SharedBytes;
use smooth_clir_indexer::{DeepDocuments, Glossed};
use smooth_clir_teacher::{Files, Teacher};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, teacher, language, glosses @ ..] = &arguments[..] else {
        return Err("usage: deep MODEL TEACHER LANGUAGE [GLOSSES] < TEXTS".into());
    };
    let model = read_model(Path::new(model))?;
    let teacher = read_teacher(Path::new(teacher))?;
    let mut deep = DeepDocuments::new(&model, teacher.origin(), Precision::F32)?;
    let mut texts = Vec::new();
    for line in io::stdin().lines() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        texts.push(line);
    }
    let documents: Vec<Document<'_>> =
        texts.iter().map(|text| Document { language, text, ..Document::default() }).collect();
    let (_, prepared) = timed(|| deep.prepare(language));
    let round = || -> Result<String, Box<dyn Error>> {
        let (glossed, gloss) = timed(|| {
            documents.iter().map(|one| deep.gloss(one)).collect::<Result<Vec<Glossed>, _>>()
        });
        let glossed = glossed?;
        let encoder = model.encoder_of(language)?;
        let (_, light) =
            timed(|| texts.iter().map(|text| encoder.encode(text)).collect::<Vec<_>>());
        let read: Vec<&str> = glossed.iter().map(|one| &one.gloss[..]).collect();
        let (tokens, tokenizer) = timed(|| {
            read.iter()
                .map(|text| teacher.tokens(text).map(|found| found.len()))
                .sum::<Result<usize, _>>()
        });
        let (vectors, encoded) = timed(|| teacher.encode(&read));
        let vectors = vectors?;
        let (_, mixed) = timed(|| {
            let vectors = vectors.chunks_exact(teacher.dimension());
            glossed
                .iter()
                .zip(vectors)
                .map(|(one, vector)| deep.mix(one, vector))
                .collect::<Vec<_>>()
        });
        if let [path] = glosses {
            fs::write(path, read.join("\n") + "\n")?;
        }
        Ok(format!(
            r#"{{"passages": {}, "tokens": {}, "prepare": {prepared}, "gloss": {}, "light": {light}, "tokenizer": {tokenizer}, "teacher": {}, "mix": {mixed}}}"#,
            texts.len(),
            tokens?,
            gloss - light,
            encoded - tokenizer,
        ))
    };
    println!("{}", round()?);
    for line in io::stdin().lines() {
        line?;
        println!("{}", round()?);
    }
    Ok(())
}

/// A result, and the seconds that it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn read_model(folder: &Path) -> Result<Model, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.extension().is_some_and(|end| end == "safetensors") && name != "vectors.safetensors"
        {
            files.push(fs::read(path)?);
        }
    }
    Ok(Model::read_parts(files)?)
}

fn read_teacher(path: &Path) -> Result<Teacher, Box<dyn Error>> {
    if path.is_file() {
        return Ok(Teacher::read_compact(&SharedBytes::new(fs::read(path)?))?);
    }
    let read = |name: &str| fs::read(path.join(name));
    let optional = ["1_Pooling/config.json", "modules.json", "sentence_bert_config.json"];
    let [pooling, modules, sentence] = optional.map(|name| read(name).ok());
    Ok(Teacher::read(&Files {
        config: &read("config.json")?,
        tokenizer: &read("tokenizer.json")?,
        weights: &read("model.safetensors")?,
        pooling: pooling.as_deref(),
        modules: modules.as_deref(),
        sentence: sentence.as_deref(),
    })?)
}
