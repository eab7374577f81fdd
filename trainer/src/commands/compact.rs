//! `compact`: puts the segments of an index together.

use crate::cli;
use crate::error::Error;
use crate::segments;

/// Puts neighbours together as far as they may be.
pub fn run(arguments: &cli::Compact) -> Result<(), Error> {
    let (most, block) = (arguments.segment as usize, arguments.block as usize);
    let (before, after) = segments::compact(&arguments.index, most, block)?;
    eprintln!("{}: {after} segments, there were {before}", arguments.index.display());
    Ok(())
}
