//! The native side of `benches/scan.py`: makes the data, and times ours and a plain stream.
//!
//! `scan-bench data COUNT FOLDER` writes vectors. `scan-bench f32|i8|stream FOLDER` reads them, says
//! `ready`, and answers each line `FIRST COUNT` with the milliseconds that these queries took
//! together, and the places found for the last.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write, stdin};
use std::path::Path;
use std::time::Instant;

use scan_bench::{DIMENSION, Documents};
use smooth_clir::kernels;
use smooth_clir::random::Random;

const QUERIES: usize = 1000;
const LIMIT: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["data", count, folder] => write(count.parse()?, folder.as_ref()),
        ["stream", folder] => {
            let documents = read(&Path::new(folder).join("documents.f32"))?;
            serve(folder.as_ref(), |query| vec![stream(&documents, query).to_bits()])
        }
        [precision @ ("f32" | "i8"), folder] => {
            let values = read(&Path::new(folder).join("documents.f32"))?;
            let documents = Documents::new(values, precision == "i8");
            serve(folder.as_ref(), |query| documents.search(query.to_vec(), LIMIT))
        }
        _ => Err("expected `data COUNT FOLDER`, or one of `f32`, `i8`, `stream` and FOLDER".into()),
    }
}

/// Vectors as an encoder's are: hyperbolic tangents.
fn write(count: usize, folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, count) in [("documents", count), ("queries", QUERIES)] {
        let mut random = Random::new(1, name);
        let mut file = BufWriter::new(File::create(folder.join(name).with_extension("f32"))?);
        for _ in 0..count {
            let mut vector = random.normals(DIMENSION, 0.5);
            kernels::tanh(&mut vector);
            for x in vector {
                file.write_all(&x.to_le_bytes())?;
            }
        }
        file.flush()?;
    }
    Ok(())
}

fn read(path: &Path) -> std::io::Result<Vec<f32>> {
    let mut file = File::open(path)?;
    let mut values = Vec::with_capacity(file.metadata()?.len() as usize / size_of::<f32>());
    let mut bytes = vec![0; 1 << 20];
    while values.len() < values.capacity() {
        let wanted = bytes.len().min((values.capacity() - values.len()) * size_of::<f32>());
        file.read_exact(&mut bytes[..wanted])?;
        let (numbers, _) = bytes[..wanted].as_chunks();
        values.extend(numbers.iter().map(|&number| f32::from_le_bytes(number)));
    }
    Ok(values)
}

fn serve(folder: &Path, search: impl Fn(&[f32]) -> Vec<u32>) -> Result<(), Box<dyn Error>> {
    let queries = read(&folder.join("queries.f32"))?;
    let queries: Vec<&[f32]> = queries.chunks_exact(DIMENSION).collect();
    println!("ready");
    for line in stdin().lines() {
        let line = line?;
        let (first, count) = line.split_once(' ').ok_or("expected FIRST COUNT")?;
        let (first, count): (usize, usize) = (first.parse()?, count.parse()?);
        let mut found = Vec::new();
        let start = Instant::now();
        for query in queries.iter().cycle().skip(first).take(count) {
            found = search(query);
        }
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        println!("{{\"milliseconds\": {milliseconds}, \"found\": {found:?}}}");
    }
    Ok(())
}

/// Reads every number and does next to nothing with it.
fn stream(numbers: &[f32], query: &[f32]) -> f32 {
    let mode: usize = std::env::var("STREAM").ok().and_then(|x| x.parse().ok()).unwrap_or(0);
    let mut l = [0f32; 64];
    l.copy_from_slice(&query[..64]);
    let ahead: usize = std::env::var("AHEAD").ok().and_then(|x| x.parse().ok()).unwrap_or(1024);
    match mode {
        0 => unsafe { s0(numbers, &mut l) },
        1 => unsafe { s1(numbers, &mut l, ahead) },
        2 => { let q = numbers.len() / 4; unsafe { s2(&numbers[..q], &numbers[q..2*q], &numbers[2*q..3*q], &numbers[3*q..], &mut l) } }
        3 => unsafe { s3(numbers, &mut l) },
        _ => sse(numbers, &mut l),
    }
    l.iter().sum()
}
fn sse(numbers: &[f32], l: &mut [f32; 64]) {
    for c in numbers.as_chunks::<64>().0 { for i in 0..64 { l[i] += c[i]; } }
}
#[target_feature(enable = "avx2")]
fn s0(numbers: &[f32], l: &mut [f32; 64]) {
    for c in numbers.as_chunks::<64>().0 { for i in 0..64 { l[i] += c[i]; } }
}
#[target_feature(enable = "avx2")]
fn s1(numbers: &[f32], l: &mut [f32; 64], ahead: usize) {
    let mut at = 0;
    for c in numbers.as_chunks::<64>().0 {
        if let Some(n) = numbers.get(at + ahead..at + ahead + 64) { kernels::prefetch(n); }
        at += 64;
        for i in 0..64 { l[i] += c[i]; }
    }
}
#[target_feature(enable = "avx2")]
fn s2(a: &[f32], b: &[f32], c: &[f32], d: &[f32], l: &mut [f32; 64]) {
    for (((a, b), c), d) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0).zip(c.as_chunks::<16>().0).zip(d.as_chunks::<16>().0) {
        for i in 0..16 { l[i] += a[i]; l[i+16] += b[i]; l[i+32] += c[i]; l[i+48] += d[i]; }
    }
}
#[target_feature(enable = "avx2")]
fn s3(numbers: &[f32], l: &mut [f32; 64]) {
    // pages interleaved: 4 pages of 4096 bytes at once
    for group in numbers.as_chunks::<4096>().0 {
        let (a, r) = group.split_at(1024); let (b, r) = r.split_at(1024); let (c, d) = r.split_at(1024);
        s2(a, b, c, d, l);
    }
}
