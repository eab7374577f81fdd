//! What JavaScript sees of learning from marks.

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use super::engine::{Engine, values_of};
use super::values::{object, thrown as to_js};
use crate::Error;
use crate::encoder::Words;
use crate::gpu;
use crate::index::{Index, Reencoded};
use crate::learning::finetune::{self, Judgement, Options, STEPS};
use crate::training::step::Report;

/// A GPU that lessons and trainings can be moved to.
#[wasm_bindgen]
pub struct Gpu {
    gpu: gpu::Gpu,
}

#[wasm_bindgen]
impl Gpu {
    /// Asks for one.
    pub async fn request() -> Result<Gpu, JsValue> {
        Ok(Gpu { gpu: gpu::Gpu::request().await.map_err(to_js)? })
    }

    /// What it calls itself; empty where the browser does not say.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.gpu.name().into()
    }

    /// Whether a processor stands in for it, as far as that can be told.
    #[wasm_bindgen(getter)]
    pub fn software(&self) -> bool {
        self.gpu.is_software()
    }

    /// Gives it up, as if it were lost.
    pub fn destroy(&self) {
        self.gpu.destroy();
    }
}

impl Gpu {
    pub(super) fn gpu(&self) -> &gpu::Gpu {
        &self.gpu
    }
}

/// Marks, and the rows of their texts on their way.
#[wasm_bindgen]
pub struct Lesson {
    lesson: finetune::FineTuning,
}

#[wasm_bindgen]
impl Lesson {
    /// Takes the next steps on a GPU, once its gradients have been seen to be right.
    #[wasm_bindgen(js_name = moveTo)]
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), JsValue> {
        self.lesson.move_to(&gpu.gpu).await.map_err(to_js)
    }

    /// One step on all marks: `loss`, their mean loss before it, and `failed`, why the GPU could
    /// not take it, if that was so. It was taken all the same.
    pub async fn step(&mut self) -> Object {
        taken(self.lesson.step_there().await)
    }

    /// Brings what is taken over up to date; says why the GPU failed, if it did.
    pub async fn settle(&mut self) -> Option<String> {
        self.lesson.settle().await.err().map(|error| error.to_string())
    }

    /// Whether the next step is taken on a GPU.
    #[wasm_bindgen(getter, js_name = onGpu)]
    pub fn on_gpu(&self) -> bool {
        self.lesson.is_on_gpu()
    }

    /// How many marks it learns from.
    #[wasm_bindgen(getter)]
    pub fn marks(&self) -> usize {
        self.lesson.judgements()
    }

    /// How many rows it moves.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.lesson.rows()
    }
}

/// What a step met, for JavaScript.
pub(super) fn taken(step: Result<Report, (Report, Error)>) -> Object {
    let (report, failed) = match step {
        Ok(report) => (report, JsValue::UNDEFINED),
        Err((report, error)) => (report, error.to_string().into()),
    };
    object(&[("loss", report.loss.into()), ("failed", failed)])
}

/// Documents of one language on their way into an engine.
#[wasm_bindgen]
pub struct Own {
    own: crate::engine::UserDocuments,
}

#[wasm_bindgen]
impl Own {
    /// Encodes some more documents. Of each, how many of its words are known, and how many it has.
    /// `fields` has a name and a value after the other, of all documents; `counts`, how many each has.
    pub fn push(
        &mut self,
        ids: Vec<String>,
        titles: Vec<String>,
        texts: Vec<String>,
        counts: &[u32],
        fields: Vec<String>,
    ) -> Result<Vec<u32>, JsValue> {
        let mut words = Vec::with_capacity(2 * ids.len());
        let mut fields =
            fields.as_chunks().0.iter().map(|[name, value]| (name.clone(), value.clone()));
        for (((id, title), text), &count) in ids.iter().zip(&titles).zip(&texts).zip(counts) {
            let own: Vec<_> = fields.by_ref().take(count as usize).collect();
            let Words { known, all } = self.own.push(id, title, text, &own).map_err(to_js)?;
            words.extend([known as u32, all as u32]);
        }
        Ok(words)
    }
}

/// The documents of an index file, as plain objects: nothing of their vectors.
#[wasm_bindgen(js_name = textsOf)]
pub fn texts_of(index: Vec<u8>) -> Result<Array, JsValue> {
    let index = Index::read_in_place(index).map_err(to_js)?;
    let text = |place: usize| {
        let shown = index.shown(place)?;
        Some(object(&[
            ("id", shown.id.into()),
            ("title", shown.title.into()),
            ("text", shown.text.into()),
            ("language", index.language(place).into()),
            ("fields", values_of(index.fields(place)).into()),
        ]))
    };
    let texts: Option<Array> = (0..index.len()).map(text).collect();
    texts.ok_or_else(|| to_js(Error::MissingTexts { block: 0 }))
}

/// Steps of a lesson, where nobody says how many.
#[wasm_bindgen(js_name = usualSteps)]
pub fn usual_steps() -> usize {
    STEPS
}

#[wasm_bindgen]
impl Engine {
    /// Begins documents of a language that are encoded here.
    #[wasm_bindgen(js_name = beginOwn)]
    pub fn begin_own(&self, language: &str) -> Result<Own, JsValue> {
        Ok(Own { own: self.engine.begin_own(language).map_err(to_js)? })
    }

    /// Adds documents that were encoded here.
    #[wasm_bindgen(js_name = addOwn)]
    pub fn add_own(&mut self, own: Own) -> Result<(), JsValue> {
        self.engine.add_own(own.own).map_err(to_js)
    }

    /// The documents that were encoded here as an index file; nothing if there is none.
    pub fn own(&self) -> Result<Option<Vec<u8>>, JsValue> {
        Ok(self.engine.own().map_err(to_js)?.map(|index| index.write()))
    }

    /// Takes away the documents that were encoded here; gives back the numbers that their indexes
    /// had, rising. Those behind them move up.
    #[wasm_bindgen(js_name = removeOwn)]
    pub fn remove_own(&mut self) -> Vec<usize> {
        self.asked = None;
        let gone = self.engine.remove_own();
        self.forget_files(&gone);
        gone
    }

    /// The place of the first document of this id, and of this language if one is given.
    pub fn find(&self, id: &str, language: Option<String>) -> Option<usize> {
        self.engine.find(id, language.as_deref())
    }

    /// A lesson on marks: a query, a document's place and a grade each.
    pub fn lesson(
        &self,
        queries: Vec<String>,
        documents: &[u32],
        grades: &[u8],
        learning_rate: Option<f32>,
        clip: Option<f32>,
        pull: Option<f32>,
    ) -> Result<Lesson, JsValue> {
        let marks = queries.iter().zip(documents).zip(grades);
        let marks: Vec<Judgement<'_>> = marks
            .map(|((query, &document), &grade)| Judgement {
                query,
                document: document as usize,
                grade,
            })
            .collect();
        let usual = Options::default();
        let options = Options {
            learning_rate: learning_rate.unwrap_or(usual.learning_rate),
            clip: clip.or(usual.clip),
            pull: pull.unwrap_or(usual.pull),
        };
        let lesson = finetune::FineTuning::new(&self.engine, &marks, options).map_err(to_js)?;
        Ok(Lesson { lesson })
    }

    /// Takes over what a lesson learned, as of the last time that it settled.
    pub fn take(&mut self, lesson: &Lesson) -> Result<Object, JsValue> {
        let changes = lesson.lesson.changes();
        self.change(|history, engine| history.apply(engine, changes, false)).map(told)
    }

    /// Takes back the last change; nothing if there is none.
    pub fn undo(&mut self) -> Result<Option<Object>, JsValue> {
        Ok(self.change(|history, engine| history.undo(engine))?.map(told))
    }

    /// Goes back to the rows of the model's files.
    pub fn reset(&mut self) -> Result<Object, JsValue> {
        self.change(|history, engine| history.reset(engine)).map(told)
    }

    /// Every row that is not that of the model's files, as a file; nothing if there is none.
    pub fn learned(&self) -> Option<Vec<u8>> {
        let learned = self.engine.learned();
        (!learned.is_empty()).then(|| learned.write(&self.engine.model().space))
    }

    /// Takes what `learned` gave on an earlier visit in place of what is learned now.
    pub fn remember(&mut self, learned: &[u8]) -> Result<Object, JsValue> {
        self.change(|history, engine| history.remember(engine, learned)).map(told)
    }

    /// The model with what it learned, as a file, and what rounding it cost.
    pub fn export(&self) -> Object {
        let exported = self.engine.export();
        object(&[
            ("bytes", Uint8Array::from(&exported.bytes[..]).into()),
            ("largestError", exported.largest_error.into()),
            ("meanError", exported.mean_error.into()),
        ])
    }
}

impl Engine {
    fn change<T>(
        &mut self,
        change: impl FnOnce(
            &mut finetune::History,
            &mut crate::engine::Engine,
        ) -> Result<T, crate::Error>,
    ) -> Result<T, JsValue> {
        // Its dot products are those of vectors that may be gone.
        self.asked = None;
        change(&mut self.history, &mut self.engine).map_err(to_js)
    }
}

fn told(reencoded: Reencoded) -> Object {
    object(&[("documents", reencoded.documents.into()), ("unseen", reencoded.unseen.into())])
}
