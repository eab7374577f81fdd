//! The native side of `benches/scan.py`: makes the data, and times ours and a plain stream.
//!
//! `scan-bench data COUNT FOLDER` writes vectors. `scan-bench f32|i8|stream|plain-stream FOLDER` reads them, says
//! `ready`, and answers each line `FIRST COUNT` with the milliseconds that these queries took
//! together, and the places found for the last. `scan-bench quality MODEL F32-INDEX I8-INDEX
//! QUERIES` says what the second index loses.

mod quality;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use scan_bench::{DIMENSION, Documents};
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;

const QUERIES: usize = 1000;
const LIMIT: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["data", count, folder] => write(count.parse()?, folder.as_ref()),
        [way @ ("stream" | "plain-stream"), folder] => {
            let documents = read(&Path::new(folder).join("documents.f32"))?;
            let ahead = way == "stream";
            serve(folder.as_ref(), |query| vec![stream(&documents, query[0], ahead).to_bits()])
        }
        [precision @ ("f32" | "i8"), folder] => {
            let values = read(&Path::new(folder).join("documents.f32"))?;
            let documents = Documents::new(values, precision == "i8");
            serve(folder.as_ref(), |query| documents.search(query.to_vec(), LIMIT))
        }
        ["quality", model, exact, rounded, queries] => {
            quality::compare([model, exact, rounded, queries], &mut stdout())
        }
        _ => Err(
            "expected `data COUNT FOLDER`, `f32|i8|stream|plain-stream FOLDER`, or `quality` and \
                files"
                .into(),
        ),
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

/// Reads every number and does next to nothing with it: the fastest that anything could be that
/// looks at all documents. Registers are as wide as ours. With `ahead` memory is read as ours is on this
/// kind of processor, by far prefetches or from four places, both of which made this faster. Without, the
/// processor alone guesses what comes.
fn stream(numbers: &[f32], first: f32, ahead: bool) -> f32 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn wide(numbers: &[f32], first: f32, ahead: bool) -> f32 {
            sum(numbers, first, ahead)
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what `wide` was compiled for.
            #[allow(unsafe_code)]
            return unsafe { wide(numbers, first, ahead) };
        }
    }
    sum(numbers, first, ahead)
}

#[inline(always)]
fn sum(numbers: &[f32], first: f32, ahead: bool) -> f32 {
    const AHEAD: usize = 2048;
    let (chunks, _) = numbers.as_chunks::<DIMENSION>();
    let mut sums = [first; DIMENSION];
    let mut add =
        |chunk: &[f32; DIMENSION]| sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x);
    #[cfg(target_arch = "x86_64")]
    if ahead && std::arch::is_x86_feature_detected!("sse4a") {
        let apart = chunks.len() / 4;
        for number in 0..apart {
            [0, 1, 2, 3].iter().for_each(|place| add(&chunks[number + place * apart]));
        }
        chunks[4 * apart..].iter().for_each(add);
        return sums.iter().sum();
    }
    let ahead = if ahead { AHEAD / DIMENSION } else { chunks.len() };
    for (number, chunk) in chunks.iter().enumerate() {
        if let Some(next) = chunks.get(number + ahead) {
            kernels::prefetch(next);
        }
        add(chunk);
    }
    sums.iter().sum()
}
