//! Writes the tables of Unicode normalisation form NFKC for `src/text/normal.rs`: in the order of the
//! characters, of which each is close to the one before. So they pack into a quarter of the bytes that
//! tables in the order of a hash take, and a page downloads the fewer.

use std::error::Error;
use std::path::Path;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    println!("cargo:rerun-if-changed=build.rs");
    decompositions()?;
    classes()
}

/// All characters that decompose but Hangul syllables, which arithmetic composes.
fn decompositions() -> Outcome<()> {
    let [mut gaps, mut shapes, mut firsts, mut others] = [const { String::new() }; 4];
    let (mut next, mut last_first) = (0, 0);
    for c in ('\0'..='\u{abff}').chain('\u{d7a4}'..=char::MAX) {
        let pair = pair(c);
        let mut parts = Vec::new();
        match pair {
            Some(pair) => parts.extend(pair),
            None => decompose_compatible(c, |part| parts.push(part)),
        }
        if parts == [c] {
            continue;
        }
        gaps.push(number(c as u32 - next)?);
        next = c as u32 + 1;
        shapes.push(number(parts.len() as u32 * 2 + u32::from(pair.is_some()))?);
        let first = parts.remove(0) as i32;
        firsts.push(number(zigzag(first - last_first))?);
        last_first = first;
        others.extend(parts);
    }
    write("gaps", &gaps)?;
    write("shapes", &shapes)?;
    write("firsts", &firsts)?;
    write("others", &others)
}

/// The two that compose to a character, if any do: of more than two the first have composed before.
fn pair(c: char) -> Option<[char; 2]> {
    let mut parts = Vec::new();
    decompose_canonical(c, |part| parts.push(part));
    let last = parts.pop()?;
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    let first = parts.try_fold(first, compose)?;
    (compose(first, last) == Some(c)).then_some([first, last])
}

/// The canonical combining classes other than 0.
fn classes() -> Outcome<()> {
    let class = |c: u32| char::from_u32(c).map_or(0, canonical_combining_class);
    let mut runs = String::new();
    let (mut at, mut next) = (0, 0);
    while at <= char::MAX as u32 {
        let start = at;
        while class(at) == class(start) && at <= char::MAX as u32 {
            at += 1;
        }
        if class(start) != 0 {
            runs.extend([number(start - next)?, number(at - start)?, char::from(class(start))]);
            next = at;
        }
    }
    write("classes", &runs)
}

/// Rising from 0 for distances that alternate between the two directions.
fn zigzag(distance: i32) -> u32 {
    distance.unsigned_abs() * 2 - u32::from(distance < 0)
}

/// A number as a character: as UTF-8, a small one takes a byte. No character has a surrogate's number.
fn number(number: u32) -> Outcome<char> {
    let after_surrogates = if number < 0xd800 { number } else { number + 0x800 };
    Ok(char::try_from(after_surrogates)?)
}

fn write(name: &str, text: &str) -> Outcome<()> {
    Ok(std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join(name), text)?)
}
