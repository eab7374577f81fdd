//! Indexes of a model, searched.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use smooth_clir::engine::{self, EncodedQuery, Engine, QueryText, Search};
use smooth_clir::index::Filter;

use crate::error::Error;
use crate::files::{self, Paths};
use crate::model::Model;

/// Queries that are ranked together: each block of documents is read once for all of them.
const TOGETHER: usize = 16;

/// A document found.
#[pyclass(frozen, get_all, module = "smooth_clir")]
pub struct Hit {
    id: String,
    language: String,
    title: String,
    section: String,
    text: String,
    score: f32,
    probability: Option<f32>,
    fits: bool,
    similarity: f32,
    lexical: Option<f32>,
    dot: f32,
    document_norm: f32,
    fields: BTreeMap<String, Vec<String>>,
}

#[pymethods]
impl Hit {
    fn __repr__(&self) -> String {
        let Self { id, language, score, .. } = self;
        format!("<smooth_clir.Hit: {id:?} ({language}), score {score}>")
    }
}

impl From<engine::Hit<'_>> for Hit {
    fn from(hit: engine::Hit<'_>) -> Self {
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in &hit.fields {
            fields.entry((*name).into()).or_default().push((*value).into());
        }
        Self {
            id: hit.id.into(),
            language: hit.language.into(),
            title: hit.title.into(),
            section: hit.section.into(),
            text: hit.text.into(),
            score: hit.score,
            probability: hit.probability,
            fits: hit.fits(),
            similarity: hit.similarity,
            lexical: hit.lexical,
            dot: hit.dot,
            document_norm: hit.document_norm,
            fields,
        }
    }
}

/// Indexes that a model made, with the model: what is searched.
#[pyclass(frozen, module = "smooth_clir")]
pub struct Index(Engine);

/// The options of a search.
struct Options<'a> {
    query_language: Option<&'a str>,
    limit: usize,
    language: Option<&'a str>,
    epsilon: Option<f32>,
    dense: Option<f32>,
    filters: BTreeMap<String, Vec<String>>,
}

#[pymethods]
impl Index {
    /// Reads an index that the model made: its file, a folder, or a folder of segments; or several.
    #[staticmethod]
    fn load(py: Python<'_>, path: Paths, model: &Model) -> PyResult<Self> {
        let engine = py.detach(|| -> Result<Engine, Error> {
            let mut engine = Engine::new((*model.0).clone())?;
            for index in files::indexes(path)? {
                engine.add(index)?;
            }
            Ok(engine)
        });
        Ok(Self(engine?))
    }

    /// The best documents for a query, best first; of equal scores the one that was indexed first. `filters` maps names
    /// of fields to the values of which a document must have one.
    #[pyo3(signature = (query, limit = 10, language = None, epsilon = None, *, dense = None, filters = None, query_language = None))]
    #[expect(clippy::too_many_arguments)] // They are Python's keyword arguments.
    fn search(
        &self,
        py: Python<'_>,
        query: String,
        limit: usize,
        language: Option<&str>,
        epsilon: Option<f32>,
        dense: Option<f32>,
        filters: Option<BTreeMap<String, Vec<String>>>,
        query_language: Option<&str>,
    ) -> PyResult<Vec<Hit>> {
        let filters = filters.unwrap_or_default();
        let options = Options { query_language, limit, language, epsilon, dense, filters };
        let mut found = py.detach(|| self.found(&[query], &options))?;
        Ok(found.pop().unwrap_or_default())
    }

    /// The best documents for each of many queries, on all processors.
    #[pyo3(signature = (queries, limit = 10, language = None, epsilon = None, *, dense = None, filters = None, query_language = None))]
    #[expect(clippy::too_many_arguments)] // They are Python's keyword arguments.
    fn search_many(
        &self,
        py: Python<'_>,
        queries: Vec<String>,
        limit: usize,
        language: Option<&str>,
        epsilon: Option<f32>,
        dense: Option<f32>,
        filters: Option<BTreeMap<String, Vec<String>>>,
        query_language: Option<&str>,
    ) -> PyResult<Vec<Vec<Hit>>> {
        let filters = filters.unwrap_or_default();
        let options = Options { query_language, limit, language, epsilon, dense, filters };
        let found = py.detach(|| -> Result<Vec<Vec<Vec<Hit>>>, Error> {
            queries.par_chunks(TOGETHER).map(|queries| self.found(queries, &options)).collect()
        });
        Ok(found?.into_iter().flatten().collect())
    }

    /// The languages of the documents.
    #[getter]
    fn languages(&self) -> Vec<&str> {
        self.0.languages()
    }

    /// The ids of all documents, in the order of the index.
    #[getter]
    fn ids(&self) -> Vec<&str> {
        let places = self.0.indexes().iter().flat_map(|index| {
            (0..index.len()).map(|place| index.shown(place).map_or("", |shown| shown.id))
        });
        places.collect()
    }

    /// The vectors of all documents, in the order of the index: a new array.
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let indexes = self.0.indexes();
        let values = py.detach(|| {
            let vectors = indexes
                .iter()
                .flat_map(|index| (0..index.len()).flat_map(|place| index.vector(place)));
            vectors.collect::<Vec<f32>>()
        });
        PyArray1::from_vec(py, values).reshape([self.__len__(), self.0.model().config.dimension])
    }

    fn __len__(&self) -> usize {
        self.0.indexes().iter().map(smooth_clir::index::Index::len).sum()
    }

    fn __repr__(&self) -> String {
        format!(
            "<smooth_clir.Index: {} documents in {}>",
            self.__len__(),
            self.0.languages().join(", ")
        )
    }
}

impl Index {
    fn found(&self, queries: &[String], options: &Options<'_>) -> Result<Vec<Vec<Hit>>, Error> {
        let Options { query_language, limit, language, epsilon, dense, filters } = options;
        let values: Vec<(&str, Vec<&str>)> = filters
            .iter()
            .map(|(name, values)| (&**name, values.iter().map(String::as_str).collect()))
            .collect();
        let filters: Vec<Filter<'_>> =
            values.iter().map(|&(name, ref values)| Filter { name, values }).collect();
        let search = Search {
            query: "",
            query_language: *query_language,
            epsilon: *epsilon,
            limit: *limit,
            language: *language,
            dense: *dense,
            filters: &filters,
        };
        let encoded = queries
            .iter()
            .map(|query| self.0.encode_query(QueryText { text: query, language: *query_language }));
        let mut encoded: Vec<EncodedQuery> = encoded.collect::<Result<_, _>>()?;
        let ranked = self.0.rank_all(&mut encoded, search)?;
        let hits = encoded.iter().zip(&ranked).map(|(encoded, ranked)| {
            let hits = self.0.hits(encoded, search, ranked)?;
            Ok(hits.into_iter().map(Hit::from).collect())
        });
        hits.collect()
    }
}
