//! The rival in Rust of `benches/encode.py`: as `examples/encode.rs`, with a folder of model2vec's.

use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

use anyhow::{Result, bail};
use model2vec_rs::model::StaticModel;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, texts] = &arguments[..] else { bail!("usage: model2vec-rs-encode MODEL TEXTS") };
    let model = StaticModel::from_pretrained(model, None, Some(false), None)?;
    let texts: Vec<String> = std::fs::read_to_string(texts)?.lines().map(str::to_owned).collect();
    for line in stdin().lines() {
        line?;
        let start = Instant::now();
        let vectors = model.encode_flat_with_args(&texts, None);
        let seconds = start.elapsed().as_secs_f64();
        let sum: f64 = black_box(&vectors).iter().map(|&x| f64::from(x)).sum();
        println!(r#"{{"seconds": {seconds}, "sum": {sum}}}"#);
    }
    Ok(())
}
