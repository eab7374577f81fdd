//! Refusals as exceptions, each with a code.

use std::io;
use std::path::Path;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smooth_clir::ranking::metrics::MetricError;

pyo3::create_exception!(
    smooth_clir,
    SmoothClirError,
    PyValueError,
    "Input that is refused; its `code` names the kind of refusal."
);

/// Why a call ends with an exception.
#[derive(Debug)]
pub enum Error {
    /// The core refuses its input; which file, if it was one.
    Core(smooth_clir::Error, Option<String>),
    /// A name is no metric's.
    Metric(MetricError),
    /// A file cannot be read.
    Read(io::Error, String),
    /// An argument, or a file or folder as a whole, is not as it should be: a code and a message.
    Other(&'static str, String),
}

impl Error {
    /// A file that is refused.
    pub fn of_file(path: &Path) -> impl FnOnce(smooth_clir::Error) -> Self {
        let path = path.display().to_string();
        |error| Self::Core(error, Some(path))
    }

    /// A file that cannot be read.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        |error| Self::Read(error, path)
    }
}

impl From<smooth_clir::Error> for Error {
    fn from(error: smooth_clir::Error) -> Self {
        Self::Core(error, None)
    }
}

impl From<MetricError> for Error {
    fn from(error: MetricError) -> Self {
        Self::Metric(error)
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let (code, message) = match error {
            Error::Core(error, None) => (error.code(), error.to_string()),
            Error::Core(error, Some(path)) => (error.code(), format!("{path}: {error}")),
            Error::Metric(error) => (error.code(), error.to_string()),
            Error::Other(code, message) => (code, message),
            Error::Read(error, path) => {
                // FileNotFoundError, PermissionError and the like.
                let message = format!("{path}: cannot be read: {error}");
                return with_code(io::Error::new(error.kind(), message).into(), "cannot-read");
            }
        };
        with_code(SmoothClirError::new_err(message), code)
    }
}

fn with_code(error: PyErr, code: &str) -> PyErr {
    Python::attach(|py| match error.value(py).setattr("code", code) {
        Ok(()) => error,
        Err(other) => other,
    })
}
