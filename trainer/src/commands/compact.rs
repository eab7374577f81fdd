//! `compact`: puts the segments of an index together.

use crate::error::Error;
use crate::segments;
use clap::Args;
use std::path::PathBuf;

/// `compact`
#[derive(Debug, Args)]
pub struct Compact {
    /// The folder of an index in segments
    pub index: PathBuf,
    /// Largest number of documents in a segment, which are held in memory at once
    #[arg(long, default_value_t = 262_144, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub segment: u64,
    /// Documents in each file of texts
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub block: u64,
}

/// Puts neighbours together as far as they may be.
pub fn run(arguments: &Compact) -> Result<(), Error> {
    let (most, block) = (arguments.segment as usize, arguments.block as usize);
    let (before, after) = segments::compact(&arguments.index, most, block)?;
    eprintln!("{}: {after} segments, there were {before}", arguments.index.display());
    Ok(())
}
