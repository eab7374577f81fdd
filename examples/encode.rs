//! Encodes texts again and again: the side of `benches/encode.py` that is ours.
//!
//!     cargo run --release --example encode -- MODEL LANGUAGE TEXTS
//!
//! MODEL is one file, LANGUAGE one of its documents' languages, and every line of TEXTS a text.
//! For each line on standard input all texts are encoded once, on one thread, and one JSON object
//! goes to standard output: the seconds that it took, and the sum of all components.

use std::error::Error;
use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

use smooth_clir::encoder::Scratch;
use smooth_clir::model::Model;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, language, texts] = &arguments[..] else {
        return Err("usage: encode MODEL LANGUAGE TEXTS".into());
    };
    let model = Model::read(&std::fs::read(model)?)?;
    let encoder = model.document_encoder(language)?;
    let texts = std::fs::read_to_string(texts)?;
    let texts: Vec<&str> = texts.lines().collect();
    let dimension = encoder.network.dimension();
    let mut vectors = vec![0.0; texts.len() * dimension];
    let mut scratch = Scratch::default();
    for line in stdin().lines() {
        line?;
        let start = Instant::now();
        for (text, vector) in texts.iter().zip(vectors.chunks_mut(dimension)) {
            encoder.encode_into(text, &mut scratch, vector);
        }
        let seconds = start.elapsed().as_secs_f64();
        let sum: f64 = black_box(&vectors).iter().map(|&x| f64::from(x)).sum();
        println!(r#"{{"seconds": {seconds}, "sum": {sum}}}"#);
    }
    Ok(())
}
