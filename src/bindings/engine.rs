//! The engine as JavaScript sees it.

use std::sync::atomic::{AtomicU32, Ordering};

use js_sys::{Array, Float32Array, JSON, Uint8Array};
use wasm_bindgen::prelude::*;

use super::crossing::{refused, thrown, to_js};
use super::shapes::engine::{
    Documents, EngineFile, EngineState, ExplainOptions, Explanation, FileKind, Hit, LexicalMatch,
    QueryDots, RankOptions, TextBlock, Token,
};
use crate::engine;
use crate::engine::{QueryText, Search};
use crate::index::{BlockFile, Filter, Index};
use crate::model::Model;
use crate::ranking::scan::{Query, Scored};
use crate::storage::{DIGEST_BYTES, SharedBytes};

/// A model and its documents.
#[wasm_bindgen]
pub struct Engine {
    pub(super) engine: engine::Engine,
    pub(super) revision: Revision,
    /// The files that it was loaded from: see [`Engine::files`].
    files: Vec<File>,
    #[cfg(all(feature = "learn", feature = "gpu"))]
    pub(super) history: crate::learning::finetune::History,
}

/// Names a state of an engine's vectors: no other state has the same, of no other engine either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Revision(u32);

impl Revision {
    pub(super) fn next() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A query that was encoded, and the documents that it was ranked with last. It keeps its dot products with the
/// documents: ranking it again, at another epsilon, say, looks at no vector.
#[wasm_bindgen]
pub struct EncodedQuery {
    text: String,
    language: Option<String>,
    pub(super) encoded: engine::EncodedQuery,
    pub(super) epsilon: Option<f32>,
    pub(super) dense: Option<f32>,
    pub(super) ranked: Vec<Scored>,
    /// Of the engine when it was encoded.
    pub(super) revision: Revision,
}

#[wasm_bindgen]
impl EncodedQuery {
    /// The query as it was typed.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.text.clone()
    }

    /// Its language, if that was chosen.
    #[wasm_bindgen(getter)]
    pub fn language(&self) -> Option<String> {
        self.language.clone()
    }

    /// The places of the documents that were ranked, best first.
    pub fn places(&self) -> Vec<u32> {
        self.ranked.iter().map(|scored| scored.position as u32).collect()
    }
}

/// A file that an engine holds.
struct File {
    contents: Contents,
    bytes: SharedBytes,
}

/// The contents of a file.
enum Contents {
    /// Encoders: the language, if it is the document encoder of one language alone.
    Model(Option<String>),
    Index(usize),
    /// Texts: the number of the index, and that of the block.
    Texts(usize, usize),
}

#[wasm_bindgen]
impl Engine {
    /// An engine without documents, from the bytes of a model's files. Of each, one after the other, the host may give the
    /// file's own digest as it computed it of the bytes; any that is missing or another one is computed here.
    #[wasm_bindgen(constructor)]
    pub fn new(model: Vec<Uint8Array>, digests: &[u8]) -> Result<Engine, JsValue> {
        let (model, files) = read_model(&model, digests)?;
        let engine = engine::Engine::new(model).map_err(thrown)?;
        Ok(Engine {
            engine,
            revision: Revision::next(),
            files,
            #[cfg(all(feature = "learn", feature = "gpu"))]
            history: Default::default(),
        })
    }

    /// Adds an index file, whose digest may be given as those of a model's files.
    #[wasm_bindgen(js_name = addDocuments)]
    pub fn add_documents(&mut self, index: Vec<u8>, digest: &[u8]) -> Result<(), JsValue> {
        let bytes = SharedBytes::from(index).with_digest(digest);
        let index = Index::read_in_place(bytes.clone()).map_err(thrown)?;
        self.revision = Revision::next();
        self.engine.add(index).map_err(thrown)?;
        self.files.push(File { contents: Contents::Index(self.engine.indexes().len() - 1), bytes });
        Ok(())
    }

    /// Adds further encoders of the model.
    #[wasm_bindgen(js_name = addEncoders)]
    pub fn add_encoders(&mut self, model: Vec<Uint8Array>, digests: &[u8]) -> Result<(), JsValue> {
        let (model, files) = read_model(&model, digests)?;
        self.revision = Revision::next();
        self.engine.add_encoders(model).map_err(thrown)?;
        self.files.extend(files);
        Ok(())
    }

    /// Removes the documents of a language and its document encoder; returns the numbers of the removed
    /// indexes, which rise. The indexes behind them move up.
    #[wasm_bindgen(js_name = removeLanguage)]
    pub fn remove_language(&mut self, language: &str) -> Result<Vec<usize>, JsValue> {
        self.revision = Revision::next();
        let gone = self.engine.remove_language(language).map_err(thrown)?;
        #[cfg(all(feature = "learn", feature = "gpu"))]
        self.history.forget(language);
        let is_removed = |contents: &Contents| matches!(contents, Contents::Model(Some(name)) if name == language);
        self.files.retain(|file| !is_removed(&file.contents));
        self.forget_files(&gone);
        Ok(gone)
    }

    /// Adds a file of the texts of an index, by its number in the order of adding.
    #[wasm_bindgen(js_name = addTexts)]
    pub fn add_texts(&mut self, index: usize, texts: Vec<u8>) -> Result<(), JsValue> {
        let bytes = SharedBytes::from(texts);
        let file = BlockFile::read(bytes.clone()).map_err(thrown)?;
        let block = file.number();
        self.engine.add_texts(index, file).map_err(thrown)?;
        // What was learned holds for their documents too, whose vectors have changed then.
        #[cfg(feature = "learn")]
        if !self.engine.learned().is_empty() {
            self.revision = Revision::next();
        }
        self.files.push(File { contents: Contents::Texts(index, block), bytes });
        Ok(())
    }

    /// Forgets a block of texts that was added.
    #[wasm_bindgen(js_name = forgetTexts)]
    pub fn forget_texts(&mut self, index: usize, block: usize) {
        self.engine.forget_texts(index, block);
        let is_of = |contents: &Contents| matches!(contents, Contents::Texts(i, b) if (*i, *b) == (index, block));
        self.files.retain(|file| !is_of(&file.contents));
    }

    /// The files that it was loaded from, in the order of adding, for the full module.
    #[wasm_bindgen(unchecked_return_type = "EngineFile[]")]
    pub fn files(&self) -> Result<JsValue, JsValue> {
        let file = |File { contents, bytes }: &File| {
            let (kind, index) = match contents {
                Contents::Model(_) => (FileKind::Model, None),
                Contents::Index(_) => (FileKind::Index, None),
                Contents::Texts(index, _) => (FileKind::Texts, Some(*index)),
            };
            EngineFile { kind, index, start: bytes.as_ptr() as usize, length: bytes.len() }
        };
        to_js(&self.files.iter().map(file).collect::<Vec<_>>())
    }

    /// The language that a query is taken for where none is chosen.
    #[wasm_bindgen(js_name = languageOf)]
    pub fn language_of(&self, query: &str) -> Result<String, JsValue> {
        Ok(self.engine.language_of(query).map_err(thrown)?.to_owned())
    }

    /// Encodes a query, in its language where that is chosen.
    pub fn encode(&self, query: &str, language: Option<String>) -> Result<EncodedQuery, JsValue> {
        let encoded = self.engine.encode_query(text(query, &language)).map_err(thrown)?;
        Ok(EncodedQuery {
            text: query.to_owned(),
            language,
            encoded,
            epsilon: None,
            dense: None,
            ranked: Vec::new(),
            revision: self.revision,
        })
    }

    /// Ranks the documents for a query, which is encoded again where the engine has changed since. Returns the
    /// texts that its hits need and that have not been added.
    #[wasm_bindgen(unchecked_return_type = "TextBlock[]")]
    pub fn rank(
        &self,
        query: &mut EncodedQuery,
        #[wasm_bindgen(unchecked_param_type = "RankOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let options = RankOptions::read(options)?;
        if query.revision != self.revision {
            *query = self.encode(&query.text, query.language.take())?;
        }
        let filters: Vec<(&str, Vec<&str>)> = options
            .filters
            .iter()
            .map(|(name, values)| (name.as_str(), values.iter().map(String::as_str).collect()))
            .collect();
        // A field without values chooses all documents.
        let filters = filters.iter().filter(|(_, values)| !values.is_empty());
        let filters: Vec<Filter<'_>> =
            filters.map(|(name, values)| Filter { name, values }).collect();
        let search = Search {
            query: &query.text,
            query_language: None,
            epsilon: options.epsilon,
            limit: options.limit,
            language: options.language.as_deref(),
            dense: options.dense,
            filters: &filters,
        };
        query.ranked = self.engine.rank(&mut query.encoded, search).map_err(thrown)?;
        (query.epsilon, query.dense) = (options.epsilon, options.dense);
        self.missing(query)
    }

    /// For each document that a query was ranked with, the numbers of its index and of its block of texts.
    #[wasm_bindgen(js_name = blocksOf)]
    pub fn blocks_of(&self, query: &EncodedQuery) -> Vec<u32> {
        let blocks = self.engine.blocks(&query.ranked);
        blocks.flat_map(|(index, block)| [index as u32, block as u32]).collect()
    }

    /// The documents that a query was ranked with; undefined where the engine has changed since.
    #[wasm_bindgen(unchecked_return_type = "Hit[] | undefined")]
    pub fn hits(&self, query: &EncodedQuery) -> Result<JsValue, JsValue> {
        if query.revision != self.revision {
            return Ok(JsValue::UNDEFINED);
        }
        let search = Search { epsilon: query.epsilon, dense: query.dense, ..Search::default() };
        let hits = self.engine.hits(&query.encoded, search, &query.ranked).map_err(thrown)?;
        to_js(&hits.into_iter().map(Hit::from).collect::<Vec<_>>())
    }

    /// All files of texts that have not been added.
    #[wasm_bindgen(js_name = missingTexts, unchecked_return_type = "TextBlock[]")]
    pub fn missing_texts(&self) -> Result<JsValue, JsValue> {
        blocks(self.engine.missing_texts())
    }

    /// The query's tokens, whether the model knows each, the weight of each and, of a misspelt one, the spelling that it is
    /// interpreted as.
    #[wasm_bindgen(unchecked_return_type = "Token[]")]
    pub fn tokens(&self, query: &str, language: Option<String>) -> Result<JsValue, JsValue> {
        let tokens = self.engine.tokens(text(query, &language)).map_err(thrown)?;
        to_js(&tokens.into_iter().map(Token::from).collect::<Vec<_>>())
    }

    /// For each of some words of documents in a language, the word of queries that it most likely stands for; undefined
    /// where the model has no translation of it.
    #[wasm_bindgen(unchecked_return_type = "(string | undefined)[]")]
    pub fn gloss(&self, language: &str, words: Vec<String>) -> Result<JsValue, JsValue> {
        to_js(&self.engine.gloss(language, &words))
    }

    /// The parts of the score of a document; undefined where no text that is here has its id and,
    /// where given, its language.
    #[wasm_bindgen(unchecked_return_type = "Explanation | undefined")]
    pub fn explain(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_param_type = "ExplainOptions")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let ExplainOptions { document, language, query_language, epsilon, dense } =
            ExplainOptions::read("options", options)?;
        let Some(place) = self.engine.find(&document, language.as_deref()) else {
            return Ok(JsValue::UNDEFINED);
        };
        let query = text(query, &query_language);
        let explained = self.engine.explain(query, place, epsilon, dense).map_err(thrown)?;
        to_js(&explained.map(Explanation::from))
    }

    /// For each of some documents, the query's words whose terms it contains; none of one that is not here.
    #[wasm_bindgen(unchecked_return_type = "LexicalMatch[][]")]
    pub fn matches(
        &self,
        query: &str,
        #[wasm_bindgen(unchecked_param_type = "ExplainOptions[]")] documents: JsValue,
        query_language: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let documents = documents.dyn_into::<Array>();
        let documents = documents.map_err(|_| refused("`documents` must be an array"))?;
        let place = |document: JsValue| {
            let document = ExplainOptions::read("documents", document)?;
            let place = self.engine.find(&document.document, document.language.as_deref());
            // There is no document at the last place that a number can name.
            Ok(place.unwrap_or(usize::MAX))
        };
        let places = documents.iter().map(place).collect::<Result<Vec<usize>, JsValue>>()?;
        let query = text(query, &query_language);
        let found = self.engine.matches(query, &places).map_err(thrown)?;
        let each = |words: Vec<_>| words.into_iter().map(LexicalMatch::from).collect::<Vec<_>>();
        to_js(&found.into_iter().map(each).collect::<Vec<_>>())
    }

    /// The fields that documents have: of each its name, and its values with the number of documents that have each.
    #[wasm_bindgen(
        unchecked_return_type = "[name: string, counts: [value: string, count: number][]][]"
    )]
    pub fn fields(&self) -> Result<JsValue, JsValue> {
        let fields = self.engine.fields();
        let counts = fields.into_iter().map(|(name, counts)| (name, Vec::from_iter(counts)));
        to_js(&counts.collect::<Vec<_>>())
    }

    /// A query's norm and its dot products with all documents, in the order of adding.
    #[wasm_bindgen(unchecked_return_type = "QueryDots")]
    pub fn dots(&self, query: &str, language: Option<String>) -> Result<JsValue, JsValue> {
        let encoded = self.engine.encode_query(text(query, &language)).map_err(thrown)?;
        let dots = Float32Array::from(&self.engine.dots(&encoded)[..]);
        to_js(&QueryDots { query_norm: encoded.query().map_or(0.0, Query::norm), dots })
    }

    /// All documents, in the order of adding.
    #[wasm_bindgen(unchecked_return_type = "Documents")]
    pub fn documents(&self) -> Result<JsValue, JsValue> {
        let indexes = self.engine.indexes();
        let each = || indexes.iter().flat_map(|index| (0..index.len()).map(move |at| (index, at)));
        let norms: Vec<f32> = indexes.iter().flat_map(Index::norms).copied().collect();
        to_js(&Documents {
            ids: each().map(|(index, at)| index.shown(at).map_or("", |shown| shown.id)).collect(),
            languages: each().map(|(index, at)| index.language(at)).collect(),
            norms: Float32Array::from(&norms[..]),
        })
    }

    /// Its properties.
    #[wasm_bindgen(unchecked_return_type = "EngineState")]
    pub fn state(&self) -> Result<JsValue, JsValue> {
        let model = self.engine.model();
        to_js(&EngineState {
            epsilon: model.config.epsilon,
            dimension: model.config.dimension,
            document_count: self.engine.indexes().iter().map(Index::len).sum(),
            languages: self.engine.languages(),
            description: JSON::parse(&model.description())?,
        })
    }
}

impl Engine {
    /// Forgets the files of removed indexes; the numbers of those behind them move up.
    pub(super) fn forget_files(&mut self, gone: &[usize]) {
        self.files.retain_mut(|File { contents, .. }| match contents {
            Contents::Model(_) => true,
            Contents::Index(number) | Contents::Texts(number, _) => {
                let is_gone = gone.contains(number);
                *number -= gone.iter().filter(|gone| *gone < number).count();
                !is_gone
            }
        });
    }

    /// The texts that a ranked query's hits need and that have not been added.
    pub(super) fn missing(&self, query: &EncodedQuery) -> Result<JsValue, JsValue> {
        blocks(self.engine.missing(&query.ranked))
    }
}

/// A query's text with its language, if that was chosen.
fn text<'a>(text: &'a str, language: &'a Option<String>) -> QueryText<'a> {
    QueryText { text, language: language.as_deref() }
}

fn blocks(blocks: Vec<(usize, usize)>) -> Result<JsValue, JsValue> {
    to_js(&blocks.into_iter().map(TextBlock::from).collect::<Vec<_>>())
}

/// The encoders of a model in some files.
fn read_model(files: &[Uint8Array], digests: &[u8]) -> Result<(Model, Vec<File>), JsValue> {
    let mut kept = Vec::new();
    let mut digests = digests.chunks(DIGEST_BYTES);
    let mut read = |file: &Uint8Array| {
        let digest = digests.next().unwrap_or_default();
        let bytes = SharedBytes::from(file.to_vec()).with_digest(digest);
        let model = Model::read_in_place(bytes.clone())?;
        // A file of translations alone has no document encoder.
        let mut languages: Vec<&String> =
            model.documents.keys().chain(model.translations.keys()).collect();
        languages.dedup();
        let alone = match (&model.query, &languages[..]) {
            (None, [language]) => Some((*language).clone()),
            _ => None,
        };
        kept.push(File { contents: Contents::Model(alone), bytes });
        Ok(model)
    };
    let model = Model::joined(files.iter().map(&mut read)).map_err(thrown)?;
    Ok((model, kept))
}
