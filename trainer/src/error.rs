//! Every way in which the command fails.

use std::path::{Path, PathBuf};

use smooth_clir_documents as documents;

/// What failed, and where.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line is wrong: an option is out of range, or options do not go together.
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
    #[error("{address}: cannot listen: {source}")]
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
    /// A figure could not be drawn.
    #[error("the figure cannot be drawn: {problem}")]
    Figure {
        /// What the library says.
        problem: String,
    },
    /// A thread could not be started, or ended before its work was done.
    #[error("a thread of {work} {problem}")]
    Thread {
        /// What the thread worked on.
        work: &'static str,
        /// What happened to it.
        problem: String,
    },
    /// A model lacks a part that is needed.
    #[error("the model has no {part}")]
    Model {
        /// Which part.
        part: &'static str,
    },
    /// A variable of the environment is not as it should be.
    #[cfg(feature = "clickhouse")]
    #[error("the environment variable {name}: {problem}")]
    Environment {
        /// Which variable.
        name: String,
        /// What was found and what was expected.
        problem: &'static str,
    },
    /// Documents cannot be exported.
    #[cfg(feature = "clickhouse")]
    #[error("the documents cannot be exported: {problem}")]
    Export {
        /// What was found and what was expected.
        problem: &'static str,
    },
    /// A matrix could not be taken apart.
    #[error("--init lsi: {problem}")]
    Decomposition {
        /// What the library says.
        problem: String,
    },
    /// No dictionaries can be learned from some pairs of texts.
    #[error("dictionaries: {problem}")]
    Dictionaries {
        /// What was found and what was expected.
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

    /// Documents of a file that are refused.
    pub fn documents(path: &Path, error: documents::Error) -> Self {
        let path = path.into();
        match error {
            documents::Error::Read(source) => Self::Read { path, source },
            documents::Error::Line { line, problem } => Self::Line { path, line, problem },
            documents::Error::Whole(problem) => Self::Data { path, problem },
            error @ (documents::Error::Limit { .. } | documents::Error::NotUtf8 { .. }) => {
                Self::Data { path, problem: error.to_string() }
            }
            error @ documents::Error::NoField { .. } => Self::Usage(format!("--field {error}")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wrong_command_line_is_status_2() {
        let usage = Error::Usage("--pairs: supported only with --loss contrastive".into());
        assert_eq!(usage.exit_status(), 2);
        assert_eq!(usage.to_string(), "--pairs: supported only with --loss contrastive");
        let figure = Error::Figure { problem: "no font".into() };
        let thread = Error::Thread { work: "the search", problem: "stopped".into() };
        let model = Error::Model { part: "document encoder" };
        let data = Error::data(Path::new("data"), "no documents");
        for (error, message) in [
            (figure, "the figure cannot be drawn: no font"),
            (thread, "a thread of the search stopped"),
            (model, "the model has no document encoder"),
            (data, "data: no documents"),
        ] {
            assert_eq!((error.exit_status(), error.to_string()), (1, message.into()));
        }
    }

    #[cfg(feature = "clickhouse")]
    #[test]
    fn what_is_wrong_with_an_export_is_status_1() {
        let name = "CLICKHOUSE_PASSWORD".into();
        let environment =
            Error::Environment { name, problem: "expected printable ASCII characters" };
        let documents = Error::Export { problem: "there are none" };
        for (error, message) in [
            (
                environment,
                "the environment variable CLICKHOUSE_PASSWORD: expected printable ASCII characters",
            ),
            (documents, "the documents cannot be exported: there are none"),
        ] {
            assert_eq!((error.exit_status(), error.to_string()), (1, message.into()));
        }
    }
}
