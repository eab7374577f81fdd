//! Every way in which the command fails.

use std::path::{Path, PathBuf};

/// What failed, and where.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The options do not go together.
    #[error("{0}")]
    Usage(String),
    /// A file could not be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line of a file is not as it should be.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: u64,
        /// What was found and what was expected.
        problem: String,
    },
    /// A file or folder as a whole is not as it should be.
    #[error("{}: {problem}", path.display())]
    Data {
        /// Which file or folder.
        path: PathBuf,
        /// What was found and what was expected.
        problem: String,
    },
    /// A model or index file is refused.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: smooth_clir::Error,
    },
    /// Nothing can be served at an address.
    #[cfg(feature = "serve")]
    #[error("{address}: cannot be listened on: {source}")]
    Listen {
        /// Which address.
        address: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A step of training could not be computed.
    #[cfg(feature = "neural")]
    #[error("the training step failed: {0}")]
    Step(String),
    /// A matrix could not be taken apart.
    #[error("--init lsi: {problem}")]
    Decomposition {
        /// What the library says.
        problem: String,
    },
    /// No topics can be found in some documents.
    #[error("topics: {problem}")]
    Topics {
        /// What was found and what was expected.
        problem: String,
    },
    /// No projection can be learned from some pairs of texts.
    #[error("projection: {problem}")]
    Projection {
        /// What was found and what was expected.
        problem: String,
    },
    /// A server could not be reached, or refuses what it was asked.
    #[cfg(feature = "clickhouse")]
    #[error("{address}: {problem}")]
    Server {
        /// Its address.
        address: String,
        /// What went wrong.
        problem: String,
    },
    /// The core refuses what it was asked.
    #[error(transparent)]
    Core(#[from] smooth_clir::Error),
}

impl Error {
    /// Whether a file that was to be read is not there.
    pub fn is_of_missing_file(&self) -> bool {
        matches!(self, Self::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }

    /// 2 where the command line is wrong, else 1.
    pub fn exit_status(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            _ => 1,
        }
    }

    /// A file or folder that is wrong as a whole.
    pub fn data(path: &Path, problem: impl Into<String>) -> Self {
        Error::Data { path: path.into(), problem: problem.into() }
    }
}

/// Whether a file is refused; so that it is, the error is written out.
#[cfg(any(fuzzing, test))]
pub(crate) fn refused<T>(read: Result<T, Error>) -> bool {
    read.is_err_and(|error| !error.to_string().is_empty())
}
