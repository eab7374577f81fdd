//! The engine as JavaScript sees it.

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::bindings::values::{object, thrown as to_js};
use crate::engine;
use crate::engine::Search;
use crate::index::{BlockFile, Filter, Index};
use crate::model::Model;
use crate::ranking::scan::{Query, Scored};
use crate::storage::SharedBytes;

/// A model and its documents.
#[wasm_bindgen]
pub struct Engine {
    pub(super) engine: engine::Engine,
    /// The last query: moving epsilon asks the same again and again.
    pub(super) asked: Option<(String, engine::EncodedQuery)>,
    /// What it was made of: see [`Engine::files`].
    files: Vec<File>,
    #[cfg(all(feature = "learn", feature = "gpu"))]
    pub(super) history: crate::learning::finetune::History,
}

/// A file that an engine holds.
struct File {
    of: Of,
    bytes: SharedBytes,
}

/// What a file is of.
enum Of {
    /// The document side of a language and nothing else, or other sides.
    Model(Option<String>),
    Index(usize),
    /// Of an index.
    Texts(usize),
}

#[wasm_bindgen]
impl Engine {
    /// An engine without documents, from the bytes of a model's files.
    #[wasm_bindgen(constructor)]
    pub fn new(model: Vec<Uint8Array>) -> Result<Engine, JsValue> {
        let (model, files) = read_model(&model)?;
        let engine = engine::Engine::new(model).map_err(to_js)?;
        Ok(Engine {
            engine,
            asked: None,
            files,
            #[cfg(all(feature = "learn", feature = "gpu"))]
            history: Default::default(),
        })
    }

    /// Adds an index file.
    #[wasm_bindgen(js_name = addDocuments)]
    pub fn add_documents(&mut self, index: Vec<u8>) -> Result<(), JsValue> {
        let bytes = SharedBytes::from(index);
        let index = Index::read_in_place(bytes.clone()).map_err(to_js)?;
        self.engine.add(index).map_err(to_js)?;
        self.files.push(File { of: Of::Index(self.engine.indexes().len() - 1), bytes });
        Ok(())
    }

    /// Adds further sides of the model.
    #[wasm_bindgen(js_name = addSides)]
    pub fn add_sides(&mut self, model: Vec<Uint8Array>) -> Result<(), JsValue> {
        let (model, files) = read_model(&model)?;
        self.asked = None;
        self.engine.add_sides(model).map_err(to_js)?;
        self.files.extend(files);
        Ok(())
    }

    /// Takes away the documents of a language and its side of the model; gives back the numbers of
    /// the indexes that are gone, rising. Those behind them move up.
    #[wasm_bindgen(js_name = removeLanguage)]
    pub fn remove_language(&mut self, language: &str) -> Result<Vec<usize>, JsValue> {
        self.asked = None;
        let gone = self.engine.remove_language(language).map_err(to_js)?;
        #[cfg(all(feature = "learn", feature = "gpu"))]
        self.history.forget(language);
        let of_side = |of: &Of| matches!(of, Of::Model(Some(side)) if side == language);
        self.files.retain(|file| !of_side(&file.of));
        self.forget_files(&gone);
        Ok(gone)
    }

    /// Adds a file of the texts of an index, by its number in the order of adding.
    #[wasm_bindgen(js_name = addTexts)]
    pub fn add_texts(&mut self, index: usize, texts: Vec<u8>) -> Result<(), JsValue> {
        let bytes = SharedBytes::from(texts);
        let file = BlockFile::read(bytes.clone()).map_err(to_js)?;
        self.engine.add_texts(index, file).map_err(to_js)?;
        self.asked = None;
        self.files.push(File { of: Of::Texts(index), bytes });
        Ok(())
    }

    /// The files that it was made of, in the order of adding, for a module that does more. Of each
    /// three numbers: what it is (0 for a model, 1 for an index, 2 and more for texts of the index of
    /// that number less 2), and where in memory its bytes begin and how many there are.
    pub fn files(&self) -> Vec<u32> {
        let file = |File { of, bytes }: &File| {
            let kind = match of {
                Of::Model(_) => 0,
                Of::Index(_) => 1,
                Of::Texts(index) => 2 + *index as u32,
            };
            [kind, bytes.as_ptr() as usize as u32, bytes.len() as u32]
        };
        self.files.iter().flat_map(file).collect()
    }

    /// The files of texts that a search would show and that have not been added: the number of an
    /// index and that of its block, one after the other. `filters` are a name and one of its values
    /// after the other.
    pub fn missing(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<String>,
        dense: Option<f32>,
        filters: Vec<String>,
    ) -> Result<Vec<u32>, JsValue> {
        let ranked = self.rank(query, epsilon, limit, language.as_deref(), dense, &filters)?;
        let missing = self.engine.missing(&ranked).into_iter();
        Ok(missing.flat_map(|(index, block)| [index as u32, block as u32]).collect())
    }

    /// All files of texts that have not been added, as [`Engine::missing`] names them.
    #[wasm_bindgen(js_name = missingTexts)]
    pub fn missing_texts(&self) -> Vec<u32> {
        let missing = self.engine.missing_texts().into_iter();
        missing.flat_map(|(index, block)| [index as u32, block as u32]).collect()
    }

    /// The best documents, as plain objects.
    pub fn search(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<String>,
        dense: Option<f32>,
        filters: Vec<String>,
    ) -> Result<Array, JsValue> {
        let ranked = self.rank(query, epsilon, limit, language.as_deref(), dense, &filters)?;
        let Some((_, asked)) = &self.asked else { return Ok(Array::new()) };
        Ok(shown(&self.engine.hits(asked, epsilon, &ranked).map_err(to_js)?))
    }

    /// The query's tokens, whether the model knows each and, of a misspelt one, what it is taken for.
    pub fn tokens(&self, query: &str) -> Result<Array, JsValue> {
        let tokens = self.engine.tokens(query).map_err(to_js)?;
        let token = |of: &engine::Token| {
            let mut fields = vec![("token", of.token.as_str().into()), ("known", of.known.into())];
            fields.extend(of.meant.as_deref().map(|meant| ("meant", meant.into())));
            object(&fields)
        };
        Ok(tokens.iter().map(token).collect())
    }

    /// What the score of a document is made of, by its id and, where given, its language; undefined
    /// where no text that is here has them.
    pub fn explain(
        &self,
        query: &str,
        document: &str,
        language: Option<String>,
        epsilon: Option<f32>,
        dense: Option<f32>,
    ) -> Result<Option<Object>, JsValue> {
        let Some(place) = self.engine.find(document, language.as_deref()) else { return Ok(None) };
        let explained = self.engine.explain(query, place, epsilon, dense).map_err(to_js)?;
        let words = |words: &[engine::Word]| {
            let words = words.iter();
            let word = |word: &engine::Word| {
                object(&[
                    ("token", word.token.as_str().into()),
                    ("meant", word.meant.as_deref().into()),
                    ("adds", word.adds.into()),
                ])
            };
            words.map(word).collect::<Array>()
        };
        Ok(explained.map(|explained| {
            object(&[
                ("query", words(&explained.query).into()),
                ("document", words(&explained.document).into()),
                ("queryNorm", explained.query_norm.into()),
                ("documentNorm", explained.document_norm.into()),
                ("dot", explained.dot.into()),
                ("similarity", explained.similarity.into()),
                ("lexical", explained.lexical.into()),
                ("weights", Array::from_iter(explained.weights.map(JsValue::from)).into()),
                ("score", explained.score.into()),
                ("queryLanguage", explained.query_language.as_deref().into()),
                ("taken", explained.taken.iter().map(taken).collect::<Array>().into()),
            ])
        }))
    }

    /// The names of the fields that documents have, their values, and how many documents of an index
    /// have each, one after the other.
    pub fn fields(&self) -> Array {
        let fields = Array::new();
        for index in self.engine.indexes() {
            index.each_value(|name, value, count| {
                fields.push(&name.into());
                fields.push(&value.into());
                fields.push(&(count as u32).into());
            });
        }
        fields
    }

    /// A query's norm, then its dot products with all documents, in the order of adding.
    pub fn dots(&self, query: &str) -> Result<Vec<f32>, JsValue> {
        let asked = self.engine.ask(query).map_err(to_js)?;
        let norm = asked.query().map_or(0.0, Query::norm);
        Ok([vec![norm], self.engine.dots(&asked)].concat())
    }

    /// The norms of all documents.
    pub fn norms(&self) -> Vec<f32> {
        self.engine.indexes().iter().flat_map(|index| index.norms().iter().copied()).collect()
    }

    /// The ids and languages of all documents, one after the other; an id is empty where its text is
    /// not here.
    pub fn names(&self) -> Vec<String> {
        let names = |index: &'_ Index| {
            let name = |place| {
                let id = index.shown(place).map_or(String::new(), |shown| shown.id.to_owned());
                [id, index.language(place).to_owned()]
            };
            (0..index.len()).flat_map(name).collect::<Vec<_>>()
        };
        self.engine.indexes().iter().flat_map(names).collect()
    }

    /// The model's own epsilon.
    #[wasm_bindgen(getter)]
    pub fn epsilon(&self) -> f32 {
        self.engine.model().config.epsilon
    }

    /// The length of its vectors.
    #[wasm_bindgen(getter)]
    pub fn dimension(&self) -> usize {
        self.engine.model().config.dimension
    }

    /// How many documents there are.
    #[wasm_bindgen(getter, js_name = documentCount)]
    pub fn document_count(&self) -> usize {
        self.engine.indexes().iter().map(Index::len).sum()
    }

    /// The documents' languages.
    #[wasm_bindgen(getter)]
    pub fn languages(&self) -> Vec<String> {
        self.engine.languages().into_iter().map(str::to_owned).collect()
    }

    /// The model's config, provenance and space, as JSON.
    #[wasm_bindgen(getter)]
    pub fn description(&self) -> String {
        self.engine.model().description()
    }
}

impl Engine {
    /// Lets go of the files of indexes that are gone; the numbers of those behind them move up.
    pub(super) fn forget_files(&mut self, gone: &[usize]) {
        self.files.retain_mut(|File { of, .. }| match of {
            Of::Model(_) => true,
            Of::Index(number) | Of::Texts(number) => {
                let is_gone = gone.contains(number);
                *number -= gone.iter().filter(|gone| *gone < number).count();
                !is_gone
            }
        });
    }

    fn rank(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<&str>,
        dense: Option<f32>,
        filters: &[String],
    ) -> Result<Vec<Scored>, JsValue> {
        let [names, values] = [0, 1].map(|first| {
            filters.iter().skip(first).step_by(2).map(String::as_str).collect::<Vec<_>>()
        });
        let mut rest = &values[..];
        let filters = names.chunk_by(|a, b| a == b).map(|names| {
            let (values, others) = rest.split_at(names.len().min(rest.len()));
            rest = others;
            Filter { name: names[0], values }
        });
        let filters: Vec<Filter<'_>> = filters.collect();
        let search = Search { query, epsilon, limit, language, dense, filters: &filters };
        let mut asked = match self.asked.take() {
            Some((text, asked)) if text == query => asked,
            _ => self.engine.ask(query).map_err(to_js)?,
        };
        let ranked = self.engine.rank(&mut asked, search).map_err(to_js);
        self.asked = Some((query.to_owned(), asked));
        ranked
    }
}

/// The sides of a model in some files.
fn read_model(files: &[Uint8Array]) -> Result<(Model, Vec<File>), JsValue> {
    let mut kept = Vec::new();
    let mut read = |file: &Uint8Array| {
        let bytes = SharedBytes::from(file.to_vec());
        let model = Model::read_in_place(bytes.clone())?;
        let languages: Vec<&String> = model.documents.keys().collect();
        let alone = match (&model.query, &languages[..]) {
            (None, [language]) => Some((*language).clone()),
            _ => None,
        };
        kept.push(File { of: Of::Model(alone), bytes });
        Ok(model)
    };
    let model = Model::joined(files.iter().map(&mut read)).map_err(to_js)?;
    Ok((model, kept))
}

/// A word of the query, and what it was taken for.
fn taken(of: &engine::Taken) -> Object {
    let term = |(token, share, count): &(String, f32, u32)| {
        object(&[("token", token.into()), ("share", (*share).into()), ("count", (*count).into())])
    };
    let terms = of.terms.iter().map(term).collect::<Array>();
    object(&[
        ("token", of.token.as_str().into()),
        ("terms", terms.into()),
        ("adds", of.adds.into()),
    ])
}

/// Names and values, sorted by name, as a plain object of lists.
pub(super) fn values_of<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Object {
    let mut lists: Vec<(&str, Array)> = Vec::new();
    for (name, value) in fields {
        if lists.last().is_none_or(|(last, _)| *last != name) {
            lists.push((name, Array::new()));
        }
        if let Some((_, list)) = lists.last() {
            list.push(&value.into());
        }
    }
    let lists: Vec<_> = lists.into_iter().map(|(name, list)| (name, list.into())).collect();
    object(&lists)
}

/// Hits as plain objects.
pub(super) fn shown(hits: &[engine::Hit<'_>]) -> Array {
    let object = |hit: &engine::Hit<'_>| {
        object(&[
            ("id", hit.id.into()),
            ("language", hit.language.into()),
            ("title", hit.title.into()),
            ("text", hit.text.into()),
            ("score", hit.score.into()),
            ("similarity", hit.similarity.into()),
            ("lexical", hit.lexical.into()),
            ("dot", hit.dot.into()),
            ("documentNorm", hit.document_norm.into()),
            ("fields", values_of(hit.fields.iter().copied()).into()),
        ])
    };
    hits.iter().map(object).collect()
}
