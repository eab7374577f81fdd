//! Document encoders that are made of translations, in models whose files have none.

use std::collections::BTreeMap;
use std::sync::Arc;

use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::Engine;
use smooth_clir::index::{Builder, Document};
use smooth_clir::learning::finetune::{FineTuning, Judgement, Options};
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

/// "rain" points right and "snow" up; "pluie" is rain, and "neige" snow or, a third as likely, rain.
fn model() -> Model {
    let vocabulary = Vocabulary::from_tokens(["rain", "snow"]).unwrap();
    let entry = |query, document, strength| Entry { query, document, strength };
    let entries =
        [entry("rain", "pluie", 0.8), entry("snow", "neige", 0.6), entry("rain", "neige", 0.2)];
    let mut table = Translations::new(&entries, &vocabulary, &Vocabulary::default()).unwrap();
    // A word with a thousandth of all words weighs a half.
    table.set_frequencies(|word| if word == "pluie" { 1e-3 } else { 1e-7 });
    let rows = Table::new(2, vec![1.0, 0.0, 0.0, 1.0]);
    let mut model = Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.01,
            thresholds: vec![0.2, 0.7],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: BTreeMap::from([(
                "fr".to_owned(),
                Calibration { dense: 0.5, lexical: 0.5, norms: [1.0, 1.0], deep: None },
            )]),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "a training".into(),
        query: Some(Encoder::new(vocabulary, Network::Average(rows.into()))),
        documents: BTreeMap::new(),
        translations: BTreeMap::from([("fr".to_owned(), Arc::new(table))]),
        deep: None,
    };
    model.translate();
    model
}

#[test]
fn a_text_is_the_mean_of_the_query_words_that_its_words_may_stand_for() {
    let model = model();
    let encoder = model.document_encoder("fr").unwrap();
    // (1, 0) + (1/4, 3/4), over weights of 1/2 and 1; strengths and frequencies are stored in steps.
    let vector = encoder.encode("Pluie, neige inconnue");
    for (found, mean) in vector.iter().zip([1.25 / 1.5, 0.75 / 1.5]) {
        assert!((f64::from(*found) - libm::tanh(mean)).abs() < 0.02, "{found} {mean}");
    }
    assert_eq!(encoder.encode("inconnue"), [0.0, 0.0]);
}

#[test]
fn files_have_translations_and_no_document_encoder_and_may_come_in_any_order() {
    let model = model();
    let parts = model.write_parts(Precision::F32);
    let names: Vec<&str> = parts.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["query.safetensors", "document.fr.safetensors"]);
    let [query, french] = [0, 1].map(|part| parts[part].1.clone());
    assert!(!String::from_utf8_lossy(&french).contains("document.fr."));
    for files in [[query.clone(), french.clone()], [french.clone(), query.clone()]] {
        assert_eq!(Model::read_parts(files).unwrap(), model);
    }
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
    // One after the other, as a page loads them.
    let mut engine = Engine::new(Model::read(&query).unwrap()).unwrap();
    engine.add_encoders(Model::read(&french).unwrap()).unwrap();
    let vector = engine.encoder("document.fr").unwrap().encode("neige");
    assert_eq!(vector, model.document_encoder("fr").unwrap().encode("neige"));
    // Twice is once too often.
    assert!(engine.add_encoders(Model::read(&french).unwrap()).is_err());
}

#[test]
fn feedback_turns_queries_and_leaves_documents_as_they_are() {
    let model = model();
    let mut builder = Builder::new(&model);
    let document = Document { id: "a", language: "fr", text: "neige", ..Document::default() };
    builder.push(&document, model.document_encoder("fr").unwrap()).unwrap();
    let index = builder.finish(Precision::F32).unwrap();
    let before = index.vector(0);
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    let judgement = Judgement { query: "rain", document: 0, grade: 2 };
    let mut run = FineTuning::new(&engine, &[judgement], Options::default()).unwrap();
    (0..20).for_each(|_| {
        run.step();
    });
    engine.exchange(run.changes()).unwrap();
    assert_eq!(engine.indexes()[0].vector(0), before);
    let query = engine.query().encode("rain");
    assert!(query[1] > 0.05, "{query:?} did not turn to the document");
    assert!(engine.learned().iter().all(|(name, _)| name == "query"));
}
