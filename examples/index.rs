//! Indexes texts again and again, natively or in WebAssembly, to compare the times and the bytes of two versions.
//!
//!     cargo run --release --example index -- QUERY DOCUMENT LANGUAGE TEXTS
//!
//! QUERY and DOCUMENT are the files of a model's query encoder and of one of its languages, LANGUAGE, and every line of TEXTS
//! has an id, a title and a text. For each line on standard input all are indexed once, on one thread, and one JSON object
//! goes to standard output: the seconds that it took to encode the texts, to encode and count them, to make the files of
//! the index, and those of the part of the model that a site needs; and a hash of either.

use std::error::Error;
use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

use smooth_clir::encoder::{Precision, Scratch};
use smooth_clir::index::{Builder, Document, Slimming};
use smooth_clir::model::Model;

/// Texts in a file of texts.
const BLOCK: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [query, document, language, texts] = &arguments[..] else {
        return Err("usage: index QUERY DOCUMENT LANGUAGE TEXTS".into());
    };
    let mut model = Model::read(&std::fs::read(query)?)?;
    model.join(Model::read(&std::fs::read(document)?)?)?;
    let encoder = model.document_encoder(language)?;
    let texts = std::fs::read_to_string(texts)?;
    let documents = texts.lines().filter_map(|line| {
        let (id, rest) = line.split_once('\t')?;
        let (title, text) = rest.split_once('\t')?;
        Some(Document { id, language, title, section: "", text, fields: &[] })
    });
    let documents: Vec<Document<'_>> = documents.collect();
    for line in stdin().lines() {
        line?;
        let start = Instant::now();
        let mut scratch = Scratch::default();
        let mut vector = vec![0.0; encoder.network.dimension()];
        for document in &documents {
            encoder.encode_into(document.text, &mut scratch, &mut vector);
            black_box(&vector);
        }
        let vectors = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut builder = Builder::new(&model);
        for document in &documents {
            builder.push(document, encoder)?;
        }
        let documents = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut index = builder.finish(Precision::I8)?;
        let files = index.write_parts(BLOCK);
        let written = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let slimming = Slimming { rows: Some(Slimming::ROWS), asked: &[] };
        let slim_files = index.slim_model(&model, slimming)?;
        let slim = start.elapsed().as_secs_f64();
        let [hash, slim_hash] = [files, slim_files].map(hash);
        println!(
            r#"{{"vectors": {vectors}, "documents": {documents}, "files": {written}, "slim": {slim}, "hash": "{hash:016x}", "slim hash": "{slim_hash:016x}"}}"#
        );
    }
    Ok(())
}

/// FNV-1a.
fn hash(files: Vec<(String, Vec<u8>)>) -> u64 {
    let bytes = files.iter().flat_map(|(_, bytes)| bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
