//! fastText's `.bin`, version 12: options, dictionary, input matrix, output matrix, all
//! little-endian. A word's vector is the mean of its own row and of those of its character n-grams
//! (Bojanowski et al., 2017); a word that is not in the dictionary has its n-grams alone.

use super::rows::Rows;
use super::source::Source;
use crate::error::Error;
use crate::limits::WORD_BYTES;

/// The number that such a file begins with.
pub const MAGIC: i32 = 793_712_314;
const VERSION: i32 = 12;
/// The end of a sentence, which is a word without n-grams.
const END: &[u8] = b"</s>";
/// The most characters of an n-gram: fastText's own are 6, and all of a word's are held at once.
const LONGEST: i32 = 32;

/// What the vectors depend on.
struct Options {
    dimension: u64,
    /// N-grams share so many rows.
    buckets: u64,
    shortest: usize,
    longest: usize,
}

/// Reads the dictionary, then the rows of the input matrix.
pub fn read(source: &mut Source, rows: &mut Rows<'_>) -> Result<(), Error> {
    let _magic = integer(source)?;
    let version = integer(source)?;
    if version != VERSION {
        return Err(source.refuse(format!("fastText's version {version}, expected {VERSION}")));
    }
    let options = options(source)?;
    rows.check_dimension(options.dimension).map_err(|problem| source.refuse(problem))?;
    let (words, mut parts) = dictionary(source, rows, &options)?;
    if source.array::<1>()? != [0] {
        return Err(source.refuse(
            "the matrix is quantised (.ftz), its numbers are lost: use the .bin it was made from",
        ));
    }
    let matrix = size(source)?;
    if matrix != (words + options.buckets, options.dimension) {
        return Err(source.refuse(format!(
            "a matrix of {matrix:?}, expected {:?} from the options before it",
            (words + options.buckets, options.dimension)
        )));
    }
    let composed: Vec<usize> = rows.unclaimed().map(|(row, _)| row).collect();
    let sums = sums(source, rows.dimension(), matrix.0, &mut parts)?;
    for sum in sums.into_iter() {
        let mean = sum.values.iter().map(|value| (value / sum.count) as f32);
        match composed.binary_search(&sum.row) {
            Ok(_) => rows.compose(sum.row, mean),
            Err(_) => rows.set(sum.row, mean),
        }
    }
    let quantised = source.array::<1>()? != [0];
    let (height, width) = size(source)?;
    let bytes = height.checked_mul(width).and_then(|numbers| numbers.checked_mul(4));
    match bytes {
        Some(bytes) if !quantised => source.skip(bytes),
        _ => Err(source.refuse(format!("invalid output matrix of {height} x {width}"))),
    }
}

fn options(source: &mut Source) -> Result<Options, Error> {
    let dimension = integer(source)?;
    for _window_epochs_least_count_negatives_word_ngrams_loss_model in 0..7 {
        integer(source)?;
    }
    let [buckets, shortest, longest] = [integer(source)?, integer(source)?, integer(source)?];
    source.skip(4 + 8)?; // how often the rate is updated, the sampling threshold
    if dimension < 1 || buckets < 0 || shortest < 0 || longest < 0 || (buckets == 0 && longest > 0)
    {
        return Err(source.refuse(format!(
            "invalid options: dimension {dimension}, {buckets} buckets, n-grams of {shortest} to {longest}"
        )));
    }
    if longest > LONGEST {
        return Err(source.refuse(format!("n-grams of {longest} characters, more than {LONGEST}")));
    }
    Ok(Options {
        dimension: dimension as u64,
        buckets: buckets as u64,
        shortest: shortest as usize,
        longest: longest as usize,
    })
}

/// Which row of the matrix is a part of which row of the table.
type Parts = Vec<(u64, usize)>;

/// Reads the words; gives how many there are, and the parts of the rows wanted.
fn dictionary(
    source: &mut Source,
    rows: &mut Rows<'_>,
    options: &Options,
) -> Result<(u64, Parts), Error> {
    let [size, words, labels] = [integer(source)?, integer(source)?, integer(source)?];
    source.skip(8)?; // how many tokens it was trained on
    let pruned = i64::from_le_bytes(source.array()?);
    if words < 0 || labels < 0 || words.checked_add(labels) != Some(size) {
        return Err(
            source.refuse(format!("{words} words and {labels} labels, expected {size} in all"))
        );
    }
    if pruned >= 0 {
        return Err(source.refuse("the n-grams are pruned: use the .bin it was made from"));
    }
    let mut word = Vec::new();
    let mut words_of = Vec::new();
    for entry in 0..size {
        source.reading("word", entry as u64 + 1);
        if !source.until(0, &mut word)? {
            return Err(source.refuse("the file ends within the word"));
        }
        let [.., kind] = source.array::<9>()?; // after how often it was seen
        if kind != u8::from(entry >= words) {
            return Err(source.refuse(format!("type {kind}, expected that of a word or a label")));
        }
        if entry < words
            && word.len() <= WORD_BYTES
            && let Some(row) = rows.claim(&word, entry as u64)
        {
            words_of.push((entry as u64, row, word.clone()));
        }
    }
    source.reading("the matrix after word", size as u64);
    let words = words as u64;
    let mut parts = rows.claimed();
    // A word that was claimed for a row may have lost it to one spelled better.
    let kept: Vec<_> = words_of
        .iter()
        .filter(|(entry, row, _)| parts.binary_search(&(*entry, *row)).is_ok())
        .map(|(_, row, word)| (*row, &word[..]))
        .collect();
    let unknown = rows.unclaimed().map(|(row, word)| (row, word.as_bytes()));
    for (row, word) in kept.into_iter().chain(unknown) {
        parts.extend(buckets(word, options).into_iter().map(|bucket| (words + bucket, row)));
    }
    Ok((words, parts))
}

/// The sum of a row's parts, and how many they are.
struct Sum {
    row: usize,
    values: Vec<f64>,
    count: f64,
}

/// Reads the matrix and adds up the parts of each row that has any.
fn sums(
    source: &mut Source,
    dimension: usize,
    height: u64,
    parts: &mut Parts,
) -> Result<Vec<Sum>, Error> {
    parts.sort_unstable();
    let mut wanted: Vec<usize> = parts.iter().map(|&(_, row)| row).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let sum = |row| Sum { row, values: vec![0.0; dimension], count: 0.0 };
    let mut sums: Vec<Sum> = wanted.iter().map(|&row| sum(row)).collect();
    let mut bytes = vec![0; 4 * dimension];
    let mut numbers = vec![0.0; dimension];
    let mut parts = parts.iter().peekable();
    for part in 0..height {
        source.reading("row", part + 1);
        source.row(&mut bytes, &mut numbers)?;
        while let Some((_, row)) = parts.next_if(|(number, _)| *number == part) {
            let sum = &mut sums[wanted.partition_point(|other| other < row)];
            sum.count += 1.0;
            for (value, &number) in sum.values.iter_mut().zip(&numbers) {
                *value += f64::from(number);
            }
        }
    }
    Ok(sums)
}

/// The buckets of a word's n-grams, as `Dictionary::computeSubwords` has them: the word between
/// `<` and `>`, characters of several bytes kept whole, neither mark alone.
fn buckets(word: &[u8], options: &Options) -> Vec<u64> {
    if word == END {
        return Vec::new();
    }
    let word = [b"<", word, b">"].concat();
    let starts_character = |at: usize| word.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let mut buckets = Vec::new();
    for start in (0..word.len()).filter(|&at| starts_character(at)) {
        let mut end = start;
        for length in 1..=options.longest {
            if end == word.len() {
                break;
            }
            end = (end + 1..).find(|&at| starts_character(at)).unwrap_or(word.len());
            let mark_alone = length == 1 && (start == 0 || end == word.len());
            if length >= options.shortest && !mark_alone {
                buckets.push(u64::from(hash(&word[start..end])) % options.buckets);
            }
        }
    }
    buckets
}

/// FNV-1a of bytes that are signed, as fastText's are.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(2_166_136_261, |hash, &byte| {
        (hash ^ i32::from(byte as i8) as u32).wrapping_mul(16_777_619)
    })
}

fn integer(source: &mut Source) -> Result<i32, Error> {
    Ok(i32::from_le_bytes(source.array()?))
}

/// The height and width of a matrix.
fn size(source: &mut Source) -> Result<(u64, u64), Error> {
    let [height, width] =
        [i64::from_le_bytes(source.array()?), i64::from_le_bytes(source.array()?)];
    match (u64::try_from(height), u64::try_from(width)) {
        (Ok(height), Ok(width)) => Ok((height, width)),
        _ => Err(source.refuse(format!("invalid matrix of {height} x {width}"))),
    }
}
