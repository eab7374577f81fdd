//! Fine-tuning and user documents as JavaScript sees them.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::crossing::{from_js, thrown, to_js};
use super::engine::{Engine, Revision};
use super::shapes::engine::fields_of;
use super::shapes::learning::{
    Exported, FineTuningOptions, IndexedDocument, PlacedJudgement, Reencoded, StepReport,
    UserDocument, WordCounts,
};
use crate::Error;
use crate::encoder::Words;
use crate::gpu;
use crate::index::{self, Document, Index};
use crate::learning::finetune::{self, Judgement, Options, STEPS};
use crate::training::lengths::Lengths;
use crate::training::step::Report;

/// A GPU that fine-tuning runs and trainings can be moved to.
#[wasm_bindgen]
pub struct Gpu {
    gpu: gpu::Gpu,
}

#[wasm_bindgen]
impl Gpu {
    /// Requests a GPU.
    pub async fn request() -> Result<Gpu, JsValue> {
        Ok(Gpu { gpu: gpu::Gpu::request().await.map_err(thrown)? })
    }

    /// The name that it reports; empty where the browser does not say.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.gpu.name().into()
    }

    /// Whether a processor emulates it, as far as can be detected.
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

/// A fine-tuning run on some relevance judgements.
#[wasm_bindgen]
pub struct FineTuningSteps {
    run: finetune::FineTuning,
}

#[wasm_bindgen]
impl FineTuningSteps {
    /// Takes the next steps on a GPU, once its gradients have been seen to be right.
    #[wasm_bindgen(js_name = moveTo)]
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), JsValue> {
        self.run.move_to(&gpu.gpu).await.map_err(thrown)
    }

    /// One step on all judgements.
    #[wasm_bindgen(unchecked_return_type = "StepReport")]
    pub async fn step(&mut self) -> Result<JsValue, JsValue> {
        step_report(self.run.step_there().await, None)
    }

    /// Brings what is taken over up to date; says why the GPU failed, if it did.
    pub async fn settle(&mut self) -> Option<String> {
        self.run.settle().await.err().map(|error| error.to_string())
    }

    /// Whether the next step is taken on a GPU.
    #[wasm_bindgen(getter, js_name = onGpu)]
    pub fn on_gpu(&self) -> bool {
        self.run.is_on_gpu()
    }

    /// The number of judgements that it learns from.
    #[wasm_bindgen(getter)]
    pub fn judgements(&self) -> usize {
        self.run.judgements()
    }

    /// The number of rows that it moves.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.run.rows()
    }
}

/// The report of a step, for JavaScript, with the lengths of its gradients where they are known.
pub(super) fn step_report(
    step: Result<Report, (Report, Error)>,
    lengths: Option<Lengths>,
) -> Result<JsValue, JsValue> {
    let (report, failed) = match step {
        Ok(report) => (report, None),
        Err((report, error)) => (report, Some(error.to_string())),
    };
    let [longest, median] =
        lengths.map_or([f32::NAN; 2], |lengths| [lengths.largest, lengths.median]);
    let Report { loss, clipped, .. } = report;
    to_js(&StepReport { loss, longest, median, clipped, failed })
}

/// A batch of user documents of one language, to be added to an engine.
#[wasm_bindgen]
pub struct EncodedDocuments {
    documents: crate::engine::UserDocuments,
}

#[wasm_bindgen]
impl EncodedDocuments {
    /// Encodes more documents; returns the word counts of each.
    #[wasm_bindgen(unchecked_return_type = "WordCounts[]")]
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "readonly UserDocument[]")] texts: JsValue,
    ) -> Result<JsValue, JsValue> {
        let texts: Vec<UserDocument> = from_js("texts", texts)?;
        let mut words = Vec::with_capacity(texts.len());
        for UserDocument { id, title, section, text, fields } in texts {
            let pairs = fields.into_iter();
            let pairs = pairs.flat_map(|(name, values)| {
                values.into_iter().map(move |value| (name.clone(), value))
            });
            let pairs: Vec<(String, String)> = pairs.collect();
            let (id, title, section, text) = (&*id, &*title, &*section, &*text);
            let document = Document { id, language: "", title, section, text, fields: &pairs };
            let Words { known, all } = self.documents.push(&document).map_err(thrown)?;
            words.push(WordCounts { known, all });
        }
        to_js(&words)
    }
}

/// The documents of an index file: nothing of their vectors.
#[wasm_bindgen(js_name = documentsOf, unchecked_return_type = "IndexedDocument[]")]
pub fn documents_of(index: Vec<u8>) -> Result<JsValue, JsValue> {
    let index = Index::read_in_place(index).map_err(thrown)?;
    let text = |place: usize| {
        let shown = index.shown(place)?;
        Some(IndexedDocument {
            id: shown.id,
            title: shown.title,
            section: shown.section,
            text: shown.text,
            language: index.language(place),
            fields: fields_of(index.fields(place)),
        })
    };
    let texts: Option<Vec<IndexedDocument<'_>>> = (0..index.len()).map(text).collect();
    to_js(&texts.ok_or_else(|| thrown(Error::MissingTexts { block: 0 }))?)
}

/// Steps of a fine-tuning run, where nobody says how many.
#[wasm_bindgen(js_name = defaultSteps)]
pub fn default_steps() -> usize {
    STEPS
}

#[wasm_bindgen]
impl Engine {
    /// Starts a batch of user documents in a language.
    #[wasm_bindgen(js_name = startUserDocuments)]
    pub fn start_user_documents(&self, language: &str) -> Result<EncodedDocuments, JsValue> {
        Ok(EncodedDocuments {
            documents: self.engine.start_user_documents(language).map_err(thrown)?,
        })
    }

    /// Adds a batch of user documents.
    #[wasm_bindgen(js_name = addUserDocuments)]
    pub fn add_user_documents(&mut self, encoded: EncodedDocuments) -> Result<(), JsValue> {
        self.revision = Revision::next();
        self.engine.add_user_documents(encoded.documents).map_err(thrown)
    }

    /// The user documents as an index file; undefined if there are none.
    #[wasm_bindgen(js_name = userDocuments)]
    pub fn user_documents(&self) -> Result<Option<Vec<u8>>, JsValue> {
        Ok(self.engine.user_documents().map_err(thrown)?.map(|index| index.write()))
    }

    /// Removes the user documents; returns the numbers that their indexes had, which rise. The indexes
    /// behind them move up.
    #[wasm_bindgen(js_name = removeUserDocuments)]
    pub fn remove_user_documents(&mut self) -> Vec<usize> {
        self.revision = Revision::next();
        let gone = self.engine.remove_user_documents();
        self.forget_files(&gone);
        gone
    }

    /// The place of the first document of this id, and of this language if one is given.
    pub fn find(&self, id: &str, language: Option<String>) -> Option<usize> {
        self.engine.find(id, language.as_deref())
    }

    /// A fine-tuning run on some judgements.
    #[wasm_bindgen(js_name = fineTune)]
    pub fn fine_tune(
        &self,
        #[wasm_bindgen(unchecked_param_type = "readonly PlacedJudgement[]")] judgements: JsValue,
        #[wasm_bindgen(unchecked_param_type = "FineTuningOptions")] options: JsValue,
    ) -> Result<FineTuningSteps, JsValue> {
        let judgements: Vec<PlacedJudgement> = from_js("judgements", judgements)?;
        let judgements: Vec<Judgement<'_>> = judgements
            .iter()
            .map(|judgement| Judgement {
                query: &judgement.query,
                document: judgement.document,
                grade: judgement.grade,
            })
            .collect();
        let given: FineTuningOptions = from_js("options", options)?;
        let default = Options::default();
        let options = Options {
            learning_rate: given.learning_rate.unwrap_or(default.learning_rate),
            clip: given.clip.or(default.clip),
            pull: given.pull.unwrap_or(default.pull),
        };
        let run = finetune::FineTuning::new(&self.engine, &judgements, options);
        Ok(FineTuningSteps { run: run.map_err(thrown)? })
    }

    /// Takes over what a run learned, as of the last time that it settled.
    #[wasm_bindgen(unchecked_return_type = "Reencoded")]
    pub fn take(&mut self, run: &FineTuningSteps) -> Result<JsValue, JsValue> {
        let changes = run.run.changes();
        reencoded(self.change(|history, engine| history.apply(engine, changes))?)
    }

    /// Takes back the last change; nothing if there is none.
    #[wasm_bindgen(unchecked_return_type = "Reencoded | undefined")]
    pub fn undo(&mut self) -> Result<JsValue, JsValue> {
        let undone = self.change(|history, engine| history.undo(engine))?;
        undone.map_or(Ok(JsValue::UNDEFINED), reencoded)
    }

    /// Goes back to the rows of the model's files.
    #[wasm_bindgen(unchecked_return_type = "Reencoded")]
    pub fn reset(&mut self) -> Result<JsValue, JsValue> {
        reencoded(self.change(|history, engine| history.reset(engine))?)
    }

    /// Every row that is not that of the model's files, as a file; nothing if there is none.
    pub fn learned(&self) -> Option<Vec<u8>> {
        let learned = self.engine.learned();
        (!learned.is_empty()).then(|| learned.write(&self.engine.model().space))
    }

    /// Takes what `learned` gave on an earlier visit in place of what is learned now.
    #[wasm_bindgen(unchecked_return_type = "Reencoded")]
    pub fn remember(&mut self, learned: &[u8]) -> Result<JsValue, JsValue> {
        reencoded(self.change(|history, engine| history.remember(engine, learned))?)
    }

    /// The model with what it learned, as a file, and what rounding it cost.
    #[wasm_bindgen(unchecked_return_type = "Exported")]
    pub fn export(&self) -> Result<JsValue, JsValue> {
        let exported = self.engine.export();
        to_js(&Exported {
            bytes: Uint8Array::from(&exported.bytes[..]),
            largest_error: exported.largest_error,
            mean_error: exported.mean_error,
        })
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
        // The dot products of encoded queries are those of vectors that may be gone.
        self.revision = Revision::next();
        change(&mut self.history, &mut self.engine).map_err(thrown)
    }
}

fn reencoded(reencoded: index::Reencoded) -> Result<JsValue, JsValue> {
    to_js(&Reencoded::from(reencoded))
}
