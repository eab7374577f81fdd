//! Deep documents: the part of a model that projects a teacher's vectors, and indexes of given vectors.

use std::collections::BTreeMap;
use std::sync::Arc;

use ndarray::arr2;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::Engine;
use smooth_clir::index::{Builder, Document, Index};
use smooth_clir::lexical::bigrams::Bigrams;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::deep::Deep;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

const TEACHER: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

fn encoder(words: &[&str]) -> Encoder {
    let vocabulary = Vocabulary::from_tokens(words.iter().copied()).unwrap();
    let values = (0..2 * words.len()).map(|number| number as f32 * 0.1).collect();
    Encoder::new(vocabulary, Network::Average(Table::new(2, values).into()))
}

fn model() -> Model {
    let words = Vocabulary::from_tokens(["rain", "snow"]).unwrap();
    let bigrams = Bigrams::new(words, vec![3, 2], [(None, 0, 2), (Some(0), 1, 1)]);
    // A teacher of three dimensions.
    let projection = arr2(&[[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]);
    let deep = Deep::new(TEACHER.into(), vec![0.5, 0.0, -0.5], projection, bigrams);
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.1,
            thresholds: vec![0.2, 0.7],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: BTreeMap::new(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "a training".into(),
        query: Some(encoder(&["rain", "snow"])),
        documents: BTreeMap::from([("fr".to_owned(), encoder(&["neige", "pluie"]))]),
        translations: BTreeMap::new(),
        deep: Some(Arc::new(deep)),
    }
}

fn in_french<'a>(id: &'a str, text: &'a str) -> Document<'a> {
    Document { id, language: "fr", text, ..Document::default() }
}

fn deep_index(model: &Model) -> Index {
    let mut builder = Builder::deep(model, TEACHER.into());
    builder.push_vector(&in_french("a", "pluie"), &[0.3, -0.4]).unwrap();
    builder.push_vector(&in_french("b", "neige"), &[0.0, 0.5]).unwrap();
    builder.finish(Precision::F32).unwrap()
}

#[test]
fn a_teachers_vector_is_centred_and_projected() {
    let deep = model().deep.unwrap();
    // (1, 2, 0.5) - (0.5, 0, -0.5) = (0.5, 2, 1); 0.6 * 2 + 0.8 * 1 = 2.
    assert_eq!(deep.project(&[1.0, 2.0, 0.5]), [0.5, 2.0]);
    assert_eq!(deep.project(&[0.0; 3]), [0.0; 2], "a text without tokens");
}

#[test]
fn a_models_deep_part_is_a_file_of_its_own_and_no_search_needs_it() {
    let model = model();
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
    let parts: BTreeMap<String, Vec<u8>> = model.write_parts(Precision::F32).into_iter().collect();
    let names: Vec<&String> = parts.keys().collect();
    assert_eq!(names, ["deep.safetensors", "document.fr.safetensors", "query.safetensors"]);
    assert_eq!(Model::read_parts(parts.values().cloned()).unwrap(), model);
    let searching =
        ["query.safetensors", "document.fr.safetensors"].map(|name| parts[name].clone());
    assert_eq!(Model::read_parts(searching).unwrap(), Model { deep: None, ..model.clone() });
    let twice =
        Model::read_parts([parts["deep.safetensors"].clone(), parts["deep.safetensors"].clone()]);
    assert_eq!(twice.unwrap_err().to_string(), "the projection of deep documents is given twice");
}

#[test]
fn an_index_of_given_vectors_names_their_teacher() {
    let index = deep_index(&model());
    assert_eq!((index.vector(0), index.norm(0)), (vec![0.3, -0.4], 0.5));
    let read = Index::read(&index.write()).unwrap();
    assert_eq!(read.teacher.as_deref(), Some(TEACHER));
    assert_eq!(read, index);
}

#[test]
fn an_index_is_of_one_teacher() {
    let model = model();
    let (deep, light) = (
        deep_index(&model),
        Index::build(&model, [in_french("c", "pluie")], Precision::F32).unwrap(),
    );
    assert_eq!(light.teacher, None);
    let joined = Index::joined(&[&deep, &deep]).unwrap();
    assert_eq!((joined.len(), joined.teacher.as_deref()), (4, Some(TEACHER)));
    assert_eq!(
        Index::joined(&[&deep, &light]).unwrap_err().to_string(),
        format!("documents of one index were encoded by different teachers: none and {TEACHER}")
    );
}

#[test]
fn deep_documents_have_a_share_of_scs_of_their_own() {
    let mut model = model();
    let entry = Entry { query: "rain", document: "pluie", strength: 1.0 };
    let [query, document] =
        [&model.query.as_ref().unwrap().vocabulary, &model.documents["fr"].vocabulary];
    let table = Translations::new(&[entry], query, document).unwrap();
    model.translations.insert("fr".to_owned(), Arc::new(table));
    let norms = [1.0, 1.0];
    let calibration = Calibration { dense: 0.3, lexical: 0.5, norms, deep: Some(0.75) };
    model.config.calibration.insert("fr".to_owned(), calibration);
    let light = Index::build(&model, [in_french("c", "pluie")], Precision::F32).unwrap();
    let weights = |index: Index, dense| {
        let mut engine = Engine::new(model.clone()).unwrap();
        engine.add(index).unwrap();
        engine.explain("rain", 0, None, dense).unwrap().unwrap().weights
    };
    let close = |found: [f32; 2], expected: [f32; 2]| {
        let far =
            found.iter().zip(expected).any(|(found, expected)| (found - expected).abs() > 1e-6);
        assert!(!far, "{found:?} {expected:?}");
    };
    close(weights(light, None), [0.3, 0.5]);
    // 0.75 of 0.8, and the rest.
    close(weights(deep_index(&model), None), [0.6, 0.2]);
    close(weights(deep_index(&model), Some(0.5)), [0.4, 0.4]);
}

#[cfg(feature = "learn")]
#[test]
fn what_is_learned_leaves_deep_vectors_alone() {
    let model = model();
    let encoder = &model.documents["fr"];
    let mut deep = deep_index(&model);
    let before = deep.clone();
    assert_eq!(deep.encode_again(0..2, "fr", encoder, |_| true).documents, 0);
    assert_eq!(deep, before);
    // A light index is encoded again.
    let mut light = Index::build(&model, [in_french("c", "pluie")], Precision::F32).unwrap();
    assert_eq!(light.encode_again(0..1, "fr", encoder, |_| true).documents, 1);
}

#[cfg(feature = "learn")]
#[test]
fn feedback_on_a_deep_document_turns_the_query_to_its_vector_and_can_be_undone() {
    use smooth_clir::learning::finetune::{FineTuning, History, Judgement, Options};

    // Neither the encoder of the documents' language nor their texts are needed.
    let model = Model { documents: BTreeMap::new(), ..model() };
    let index = deep_index(&model);
    let before: Vec<Vec<f32>> = (0..2).map(|place| index.vector(place)).collect();
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    let row = |engine: &Engine, row: usize| engine.query().network.words().row(row);
    let (rain, snow) = (row(&engine, 0), row(&engine, 1));
    let judgements = [
        Judgement { query: "snow", document: 0, grade: 2 },
        Judgement { query: "snow", document: 1, grade: 0 },
    ];
    let cosine = |row: &[f32], to: &[f32]| {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        dot(row, to) / (dot(row, row) * dot(to, to)).sqrt()
    };
    let mut run = FineTuning::new(&engine, &judgements, Options::default()).unwrap();
    let losses: Vec<f64> = (0..60).map(|_| run.step().loss).collect();
    assert!(losses[59] < 0.8 * losses[0], "{losses:?}");
    let mut history = History::default();
    history.apply(&mut engine, run.changes()).unwrap();
    // (0.3, -0.4) was judged relevant, (0, 0.5) not.
    assert!(cosine(&row(&engine, 1), &before[0]) > cosine(&snow, &before[0]) + 0.1);
    assert!(cosine(&row(&engine, 1), &before[1]) < cosine(&snow, &before[1]) - 0.1);
    assert_eq!(row(&engine, 0), rain);
    let after: Vec<Vec<f32>> = (0..2).map(|place| engine.indexes()[0].vector(place)).collect();
    assert_eq!(after, before, "a deep vector moved");
    history.undo(&mut engine).unwrap();
    assert_eq!(row(&engine, 1), snow);
}
