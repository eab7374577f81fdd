//! `import`: other people's collections as what training reads.

use crate::error::Error;
use crate::import::options::{From, Import};
use crate::import::{clirmatrix, moses, tmx, topics, wikipedia};

/// Imports what the command line names.
pub fn run(arguments: &Import) -> Result<(), Error> {
    match &arguments.from {
        From::Wikipedia(options) => wikipedia::run(options),
        From::Clirmatrix(options) => clirmatrix::run(options),
        From::Moses(options) => moses::run(options),
        From::Tmx(options) => tmx::run(options),
        From::Topics(options) => topics::run(options),
    }
}
