//! `compact-teacher`: a sentence encoder as one file.

use std::path::PathBuf;

use clap::Args;

use crate::deep::{FILES, compact};
use crate::error::Error;
use crate::files;

/// `compact-teacher`
#[derive(Debug, Args)]
pub struct CompactTeacher {
    /// The folder of a sentence encoder: config.json, tokenizer.json, model.safetensors
    pub folder: PathBuf,
    /// The output file, which --teacher and --deep take like the folder. Its vectors of tokens are rounded to 8 bits, so the
    /// vectors of texts differ slightly from the folder's
    #[arg(long)]
    pub out: PathBuf,
}

/// Writes the file.
pub fn run(arguments: &CompactTeacher) -> Result<(), Error> {
    let inputs = FILES.map(|name| arguments.folder.join(name));
    files::check_distinct([&*arguments.out], inputs.iter().map(|path| &**path))?;
    files::check_writable(&arguments.out)?;
    let bytes = compact(&arguments.folder)?;
    files::write(&arguments.out, &bytes)?;
    eprintln!("{}: {} bytes", arguments.out.display(), bytes.len());
    Ok(())
}
