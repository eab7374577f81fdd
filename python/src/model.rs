//! Models, and texts as vectors.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use smooth_clir::encoder::Scratch;
use smooth_clir::model::QUERY_LANGUAGE;

use crate::error::Error;
use crate::files::{self, Paths};

/// A trained model: a query encoder, and a document encoder for each language.
#[pyclass(frozen, module = "smooth_clir")]
pub struct Model(pub Arc<smooth_clir::model::Model>);

#[pymethods]
impl Model {
    /// Reads a model: its file, its files, or a folder of them. Files are checked whole before use.
    #[staticmethod]
    fn load(py: Python<'_>, path: Paths) -> PyResult<Self> {
        Ok(Self(Arc::new(py.detach(|| files::model(path))?)))
    }

    /// The languages of documents that it encodes.
    #[getter]
    fn languages(&self) -> Vec<&str> {
        self.0.documents.keys().map(String::as_str).collect()
    }

    /// The length of the vectors.
    #[getter]
    fn dimension(&self) -> usize {
        self.0.config.dimension
    }

    /// Epsilon of smooth cosine similarity.
    #[getter]
    fn epsilon(&self) -> f32 {
        self.0.config.epsilon
    }

    /// The vectors of texts, a row of 32-bit values for each: by the query encoder if `language` is "en", else by the
    /// document encoder of that language. A text without a known word has zeros.
    #[pyo3(signature = (texts, language = "en"))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        language: &str,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let dimension = self.0.config.dimension;
        let values = py.detach(|| -> Result<Vec<f32>, Error> {
            let encoder = match language {
                QUERY_LANGUAGE => self.0.query_encoder()?,
                other => self.0.document_encoder(other)?,
            };
            let mut values = vec![0.0; texts.len() * dimension];
            values.par_chunks_mut(dimension).zip(&texts).for_each_init(
                Scratch::default,
                |scratch, (vector, text)| {
                    encoder.encode_into(text, scratch, vector);
                },
            );
            Ok(values)
        })?;
        PyArray1::from_vec(py, values).reshape([texts.len(), dimension])
    }

    fn __repr__(&self) -> String {
        let (languages, dimension) = (self.languages().join(", "), self.dimension());
        format!("<smooth_clir.Model: en -> {languages}; {dimension} dimensions>")
    }
}
