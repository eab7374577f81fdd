//! smooth-clir for Python: models, indexes and metrics of the core, with NumPy's arrays.
//!
//! `files.rs` reads models and indexes, `error.rs` turns refusals into exceptions with codes, and the others are the
//! classes and the function that `smooth_clir/__init__.py` exports. Work is done without the interpreter's lock.

mod error;
mod evaluate;
mod files;
mod index;
mod model;

use pyo3::prelude::*;

/// The native part of `smooth_clir`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::error::SmoothClirError;
    #[pymodule_export]
    use crate::evaluate::evaluate;
    #[pymodule_export]
    use crate::index::{Hit, Index};
    #[pymodule_export]
    use crate::model::Model;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
