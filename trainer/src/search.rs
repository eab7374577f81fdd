//! A model and an index that are searched, and what is told of it in JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use smooth_clir::engine::{EncodedQuery, Engine, Hit, Search, Token};
use smooth_clir::index::{Filter, texts_file};
use smooth_clir::ranking::scan::Scored;

use crate::error::Error;
use crate::files;
use crate::segments;

/// A model with an index, whose texts are read when they are shown.
pub struct Searcher {
    /// The model and the index.
    pub engine: Engine,
    /// Of each index of the engine, where its texts are, if they have files of their own.
    folders: Vec<Option<PathBuf>>,
}

/// What is searched for, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// The query.
    pub query: String,
    /// Its language, if it is not to be detected.
    pub query_language: Option<String>,
    /// Epsilon, if not the model's own.
    pub epsilon: Option<f32>,
    /// The share of SCS in scores, if not the model's own.
    pub dense: Option<f32>,
    /// How many documents at most.
    pub limit: usize,
    /// Documents of one language only.
    pub language: Option<String>,
    /// Fields and their values; of a field given several times, one of them.
    pub filters: Vec<(String, String)>,
}

impl Question {
    /// The search that it is, with its filters as the engine takes them.
    pub fn search<'a>(&'a self, filters: &'a [Filter<'a>]) -> Search<'a> {
        Search {
            query: &self.query,
            query_language: self.query_language.as_deref(),
            epsilon: self.epsilon,
            limit: self.limit,
            language: self.language.as_deref(),
            dense: self.dense,
            filters,
        }
    }
}

/// What was found.
pub struct Found<'a> {
    /// The documents, best first.
    pub hits: Vec<Hit<'a>>,
    /// The query's words.
    pub tokens: Vec<Token>,
}

/// A field and a value of it.
pub fn filter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected FIELD=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Searcher {
    /// Opens a model, and an index that it made: a file, a folder, or segments.
    pub fn open(model: &Path, index: &Path) -> Result<Self, Error> {
        let mut engine = Engine::new(files::read_model(model)?)?;
        let mut folders = Vec::new();
        for (part, folder) in segments::open(index)? {
            let path = folder.clone().unwrap_or_else(|| index.to_path_buf());
            engine.add(part).map_err(|source| Error::File { path, source })?;
            folders.push(folder);
        }
        Ok(Self { engine, folders })
    }

    /// The best documents.
    pub fn search(&self, question: &Question) -> Result<Found<'_>, Error> {
        self.search_by(question, rank_here)
    }

    /// The best documents, as something else ranks them.
    pub fn search_by(
        &self,
        question: &Question,
        rank: impl FnOnce(&Engine, &mut EncodedQuery, Search<'_>) -> Result<Vec<Scored>, Error>,
    ) -> Result<Found<'_>, Error> {
        let (encoded, ranked) = self.rank_by(question, rank)?;
        let hits = self.engine.hits(&encoded, question.search(&[]), &ranked)?;
        Ok(Found { hits, tokens: self.engine.tokens(question.search(&[]).text())? })
    }

    /// The best documents, whose texts are here then.
    #[cfg(feature = "serve")]
    pub fn rank(&self, question: &Question) -> Result<(EncodedQuery, Vec<Scored>), Error> {
        self.rank_by(question, rank_here)
    }

    fn rank_by(
        &self,
        question: &Question,
        rank: impl FnOnce(&Engine, &mut EncodedQuery, Search<'_>) -> Result<Vec<Scored>, Error>,
    ) -> Result<(EncodedQuery, Vec<Scored>), Error> {
        let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in &question.filters {
            values.entry(name).or_default().push(value);
        }
        let filters: Vec<Filter<'_>> =
            values.iter().map(|(name, values)| Filter { name, values }).collect();
        let search = question.search(&filters);
        let mut encoded = self.engine.encode_query(search.text())?;
        let ranked = rank(&self.engine, &mut encoded, search)?;
        self.add_texts(self.engine.missing(&ranked))?;
        Ok((encoded, ranked))
    }

    /// The folder of the texts of an index of the engine, if they have files of their own.
    #[cfg(feature = "serve")]
    pub fn folder(&self, index: usize) -> Option<&Path> {
        self.folders.get(index)?.as_deref()
    }

    /// Reads blocks of texts, as the engine names those that are missing.
    pub fn add_texts(&self, missing: Vec<(usize, usize)>) -> Result<(), Error> {
        for (number, block) in missing {
            if let Some(folder) = &self.folders[number] {
                let refused = |source| Error::File { path: folder.join(texts_file(block)), source };
                let texts = segments::open_texts(folder, block)?;
                self.engine.indexes()[number].add_texts(texts).map_err(refused)?;
            }
        }
        Ok(())
    }
}

fn rank_here(
    engine: &Engine,
    encoded: &mut EncodedQuery,
    search: Search<'_>,
) -> Result<Vec<Scored>, Error> {
    Ok(engine.rank(encoded, search)?)
}

impl Found<'_> {
    /// All of it.
    pub fn to_json(&self) -> Value {
        let hit = |hit: &Hit<'_>| {
            let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for &(name, value) in &hit.fields {
                fields.entry(name).or_default().push(value);
            }
            json!({
                "fields": fields, "id": hit.id, "language": hit.language, "title": hit.title,
                "section": hit.section,                "text": hit.text, "score": hit.score, "probability": hit.probability,
                "fits": hit.fits(), "similarity": hit.similarity, "lexical": hit.lexical,
                "dot": hit.dot, "documentNorm": hit.document_norm,
            })
        };
        let token = |token: &Token| json!({ "token": token.token, "known": token.known, "interpreted": token.interpreted });
        let hits: Vec<_> = self.hits.iter().map(hit).collect();
        let tokens: Vec<_> = self.tokens.iter().map(token).collect();
        json!({ "hits": hits, "tokens": tokens })
    }
}
