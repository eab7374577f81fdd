//! What JavaScript sees, and nothing else.

#[cfg(all(feature = "learn", feature = "gpu"))]
mod learn;
#[cfg(all(feature = "learn", feature = "gpu"))]
mod ranking;

use std::sync::Arc;

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::engine::Search;
use crate::error::check_epsilon;
use crate::index::{BlockFile, Index};
use crate::model::Model;
use crate::scan::Scored;
use crate::{Error, engine};

/// A model and its documents.
#[wasm_bindgen]
pub struct Engine {
    engine: engine::Engine,
    /// The last query: moving epsilon asks the same again and again.
    asked: Option<(String, engine::Asked)>,
    /// What it was made of: see [`Engine::files`].
    files: Vec<(u32, Arc<Vec<u8>>)>,
    #[cfg(all(feature = "learn", feature = "gpu"))]
    history: crate::finetune::History,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without documents, from the bytes of a model's files.
    #[wasm_bindgen(constructor)]
    pub fn new(model: Vec<Uint8Array>) -> Result<Engine, JsValue> {
        let bytes: Vec<Arc<Vec<u8>>> = model.iter().map(|file| Arc::new(file.to_vec())).collect();
        let model = Model::read_parts(bytes.iter().cloned()).map_err(to_js)?;
        let engine = engine::Engine::new(model).map_err(to_js)?;
        Ok(Engine {
            engine,
            asked: None,
            files: bytes.into_iter().map(|bytes| (0, bytes)).collect(),
            #[cfg(all(feature = "learn", feature = "gpu"))]
            history: Default::default(),
        })
    }

    /// Adds an index file.
    #[wasm_bindgen(js_name = addDocuments)]
    pub fn add_documents(&mut self, index: Vec<u8>) -> Result<(), JsValue> {
        let bytes = Arc::new(index);
        let index = Index::read_in_place(bytes.clone()).map_err(to_js)?;
        self.engine.add(index).map_err(to_js)?;
        self.files.push((1, bytes));
        Ok(())
    }

    /// Adds a file of the texts of an index, by its number in the order of adding.
    #[wasm_bindgen(js_name = addTexts)]
    pub fn add_texts(&mut self, index: usize, texts: Vec<u8>) -> Result<(), JsValue> {
        let bytes = Arc::new(texts);
        let file = BlockFile::read(bytes.clone()).map_err(to_js)?;
        self.engine.add_texts(index, file).map_err(to_js)?;
        self.asked = None;
        self.files.push((2 + index as u32, bytes));
        Ok(())
    }

    /// The files that it was made of, in the order of adding, for a module that does more. Of each
    /// three numbers: what it is (0 for a model, 1 for an index, 2 and more for texts of the index of
    /// that number less 2), and where in memory its bytes begin and how many there are.
    pub fn files(&self) -> Vec<u32> {
        let file = |(kind, bytes): &(u32, Arc<Vec<u8>>)| {
            [*kind, bytes.as_ptr() as usize as u32, bytes.len() as u32]
        };
        self.files.iter().flat_map(file).collect()
    }

    /// The files of texts that a search would show and that have not been added: the number of an
    /// index and that of its block, one after the other.
    pub fn missing(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<String>,
    ) -> Result<Vec<u32>, JsValue> {
        let ranked = self.rank(query, epsilon, limit, language.as_deref())?;
        let missing = self.engine.missing(&ranked).into_iter();
        Ok(missing.flat_map(|(index, block)| [index as u32, block as u32]).collect())
    }

    /// The best documents, as plain objects.
    pub fn search(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<String>,
    ) -> Result<Array, JsValue> {
        let ranked = self.rank(query, epsilon, limit, language.as_deref())?;
        Ok(shown(&self.engine.hits(&ranked).map_err(to_js)?))
    }

    /// The query's tokens, and whether the model knows each.
    pub fn tokens(&self, query: &str) -> Result<Array, JsValue> {
        let tokens = self.engine.tokens(query).map_err(to_js)?;
        let tokens = tokens.iter();
        Ok(tokens
            .map(|(token, known)| object(&[("token", token.into()), ("known", (*known).into())]))
            .collect())
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

    /// The model's config and provenance, as JSON.
    #[wasm_bindgen(getter)]
    pub fn description(&self) -> String {
        self.engine.model().description()
    }
}

impl Engine {
    fn rank(
        &mut self,
        query: &str,
        epsilon: Option<f32>,
        limit: usize,
        language: Option<&str>,
    ) -> Result<Vec<Scored>, JsValue> {
        let search = Search { query, epsilon, limit, language };
        let mut asked = match self.asked.take() {
            Some((text, asked)) if text == query => asked,
            _ => self.engine.ask(query).map_err(to_js)?,
        };
        let ranked = self.engine.rank(&mut asked, search).map_err(to_js);
        self.asked = Some((query.to_owned(), asked));
        ranked
    }
}

/// The heat map of the gradient; see `lab::gradient_map`.
#[cfg(feature = "lab")]
#[wasm_bindgen(js_name = gradientMap)]
pub fn gradient_map(size: usize, extent: f32, epsilon: f32) -> Result<Vec<f32>, JsValue> {
    let most = 2048;
    if size > most {
        return Err(to_js(Error::TooLarge { what: "heat map", found: size, most }));
    }
    let epsilon = check_epsilon(epsilon).map_err(to_js)?;
    Ok(crate::lab::gradient_map(size, extent, epsilon))
}

/// Hits as plain objects.
fn shown(hits: &[engine::Hit<'_>]) -> Array {
    let object = |hit: &engine::Hit<'_>| {
        object(&[
            ("id", hit.id.into()),
            ("language", hit.language.into()),
            ("title", hit.title.into()),
            ("text", hit.text.into()),
            ("score", hit.score.into()),
            ("dot", hit.dot.into()),
            ("documentNorm", hit.document_norm.into()),
        ])
    };
    hits.iter().map(object).collect()
}

fn object(entries: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (key, value) in entries {
        // Setting a property of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object
}

fn to_js(error: Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.to_string());
    let _ = Reflect::set(&thrown, &"code".into(), &error.code().into());
    thrown.into()
}
