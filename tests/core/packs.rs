//! Language packs: files of one language each, which are made later and join any model of their query encoder.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use smooth_clir::Error;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, Hit, Search};
use smooth_clir::index::{Document, Index, Slimming};
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::probability::ProbabilityCurve;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

use crate::tampering::with_tensor;

const OWN: Calibration = Calibration { dense: 0.5, lexical: 0.5, norms: [1.0, 1.0], deep: None };
const OF_PACK: Calibration =
    Calibration { dense: 0.25, lexical: 0.5, norms: [1.0, 2.0], deep: Some(0.75) };
const CURVE: ProbabilityCurve = ProbabilityCurve { slope: 4.0, offset: -2.0, size: 0.5 };
const CURVE_OF_PACK: ProbabilityCurve = ProbabilityCurve { slope: 8.0, offset: -3.0, size: 0.25 };

/// A model of English queries, "rain" and "snow", and documents in a language with words for both.
fn model_of(language: &str, words: [&str; 2]) -> Model {
    let vocabulary = Vocabulary::from_tokens(["rain", "snow"]).unwrap();
    let entry = |query, document| Entry { query, document, strength: 0.8 };
    let entries = [entry("rain", words[0]), entry("snow", words[1])];
    let mut table = Translations::new(&entries, &vocabulary, &Vocabulary::default()).unwrap();
    table.set_frequencies(|_| 1e-3);
    let rows = Table::new(2, vec![1.0, 0.0, 0.0, 1.0]);
    let mut model = Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.01,
            thresholds: vec![0.2, 0.7],
            languages: vec![language.into()],
            subwords: 0,
            calibration: BTreeMap::from([(language.to_owned(), OWN)]),
            probability: BTreeMap::from([(language.to_owned(), CURVE)]),
            packs: Vec::new(),
        },
        provenance: r#"{"sources":[{"licence":"CC0","name":"A"}]}"#.into(),
        space: "a training".into(),
        query: Some(Encoder::new(vocabulary, Network::Average(rows.into()))),
        documents: BTreeMap::new(),
        translations: BTreeMap::from([(language.to_owned(), Arc::new(table))]),
        deep: None,
    };
    model.translate();
    model
}

fn model() -> Model {
    model_of("fr", ["pluie", "neige"])
}

/// The file of a pack.
fn pack(language: &str, words: [&str; 2]) -> Vec<u8> {
    let mut pack = model_of(language, words);
    pack.config.packs = vec![language.into()];
    pack.config.calibration = BTreeMap::from([(language.to_owned(), OF_PACK)]);
    pack.config.probability = BTreeMap::from([(language.to_owned(), CURVE_OF_PACK)]);
    pack.provenance = r#"{"sources":[{"licence":"CC BY 4.0","name":"B"}]}"#.into();
    pack.write_parts(Precision::F32).remove(1).1
}

fn german() -> Vec<u8> {
    pack("de", ["regen", "schnee"])
}

fn files() -> Vec<Vec<u8>> {
    model().write_parts(Precision::F32).into_iter().map(|(_, bytes)| bytes).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_pack_joins_a_model_in_any_order_and_each_language_keeps_what_was_fitted_to_it() {
    let [query, french] = [0, 1].map(|part| files()[part].clone());
    let (german, arabic) = (german(), pack("ar", ["مطر", "ثلج"]));
    let whole = Model::read_parts([&query, &french, &german, &arabic].map(Clone::clone)).unwrap();
    for order in [
        [&german, &arabic, &french, &query],
        [&arabic, &query, &german, &french],
        [&french, &german, &query, &arabic],
    ] {
        let joined = Model::read_parts(order.map(Clone::clone)).unwrap();
        assert_eq!(json(&joined.provenance), json(&whole.provenance));
        assert_eq!(joined, Model { provenance: joined.provenance.clone(), ..whole.clone() });
    }
    let Config { languages, calibration, probability, packs, .. } = &whole.config;
    assert_eq!(languages[..], ["ar", "de", "fr"].map(str::to_owned));
    assert_eq!(packs[..], ["ar", "de"].map(str::to_owned));
    let of = |name: &str| (calibration[name], probability[name]);
    assert_eq!(of("fr"), (OWN, CURVE));
    assert_eq!((of("ar"), of("de")), ((OF_PACK, CURVE_OF_PACK), (OF_PACK, CURVE_OF_PACK)));
    // Whose text it is made of.
    let provenance = json(&whole.provenance);
    assert_eq!(provenance["sources"][0]["name"], "A");
    for language in ["ar", "de"] {
        assert_eq!(provenance["packs"][language]["sources"][0]["name"], "B");
    }
}

#[test]
fn what_is_joined_is_written_and_read_back_whole_and_in_parts() {
    let mut model = Model::read_parts(files().into_iter().chain([german()])).unwrap();
    model.join(Model::read(&pack("it", ["pioggia", "neve"])).unwrap()).unwrap();
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
    let parts = model.write_parts(Precision::F32).into_iter().map(|(_, bytes)| bytes);
    assert_eq!(Model::read_parts(parts).unwrap(), model);
    // A pack alone, too.
    let alone = Model::read(&german()).unwrap();
    assert_eq!(alone.write(Precision::F32), german());
}

#[test]
fn a_pack_leaves_the_files_of_a_model_as_they_are() {
    let config = |bytes: &[u8]| json(&Model::read(bytes).unwrap().description())["config"].clone();
    let own = config(&files()[1]);
    assert!(own["pack"].is_null() && own["probability"]["slope"].is_number(), "{own}");
    let pack = config(&german());
    assert_eq!(pack["pack"], json(r#"{"version":1}"#));
    assert_eq!(pack["probability"]["slope"], 8.0);
}

#[test]
fn a_pack_of_another_version_is_refused() {
    // Without a digest.
    let mut german = with_tensor(&german(), "none", |_| {});
    assert!(Model::read(&german).is_ok());
    let version = br#"\"pack\":{\"version\":1}"#;
    let start = german.windows(version.len()).position(|bytes| bytes == version).unwrap();
    german[start + version.len() - 2] = b'2';
    let refused = Model::read(&german).unwrap_err();
    assert_eq!(refused.code(), "metadata");
    assert!(refused.to_string().contains("version 1, the only one"), "{refused}");
}

#[test]
fn a_pack_of_another_query_encoder_is_refused_with_what_to_do() {
    let mut other = Model::read(&german()).unwrap();
    other.space = "another".into();
    let expected = "the language pack of de belongs to model another, but the model loaded is a training: \
        load the pack for this model, or make it with `smooth-clir language add`";
    let refused = model().join(other.clone()).unwrap_err();
    assert_eq!((refused.code(), &refused.to_string()[..]), ("mismatch", expected));
    // Whichever comes first.
    assert_eq!(other.clone().join(model()).unwrap_err().to_string(), expected);
    // Also if its table is of another number of words.
    let mut engine = Engine::new(model()).unwrap();
    let words = Vocabulary::from_tokens(["rain"]).unwrap();
    let entries = [Entry { query: "rain", document: "regen", strength: 1.0 }];
    let table = Translations::new(&entries, &words, &Vocabulary::default()).unwrap();
    other.translations.insert("de".into(), Arc::new(table));
    assert_eq!(engine.add_encoders(other).unwrap_err().to_string(), expected);
}

#[test]
fn two_packs_of_a_language_are_refused_and_so_is_one_of_a_language_that_is_here() {
    let other = pack("de", ["niederschlag", "schnee"]);
    let twice = |parts: Vec<Vec<u8>>| match Model::read_parts(parts).unwrap_err() {
        Error::Twice { what } => what,
        error => panic!("{error}"),
    };
    let with = |more: &[Vec<u8>]| files().into_iter().chain(more.iter().cloned()).collect();
    assert_eq!(twice(with(&[german(), other])), "the document encoder of de");
    let french = pack("fr", ["pluie", "neige"]);
    assert_eq!(twice(with(std::slice::from_ref(&french))), "the document encoder of fr");
    // In place of the model's own file it is welcome, and its weights hold.
    for files in [[files()[0].clone(), french.clone()], [french, files()[0].clone()]] {
        let model = Model::read_parts(files).unwrap();
        assert_eq!(model.config.calibration["fr"], OF_PACK);
        assert_eq!(model.config.probability["fr"], CURVE_OF_PACK);
        assert_eq!(model.config.packs, ["fr"]);
    }
}

#[test]
fn a_pack_that_disagrees_in_more_than_its_language_is_refused() {
    let mut other = Model::read(&german()).unwrap();
    other.config.epsilon = 0.25;
    let refused = model().join(other).unwrap_err();
    assert_eq!(refused.code(), "mismatch");
    assert!(refused.to_string().contains(r#""epsilon":0.25"#), "{refused}");
}

fn hits_of<'a>(engine: &'a Engine, query: &'a str) -> Vec<Hit<'a>> {
    engine.search(Search { query, limit: 9, ..Search::default() }).unwrap()
}

fn index(model: &Model, texts: &[(&'static str, &'static str)]) -> Index {
    let document = |&(language, text)| Document { id: text, language, text, ..Document::default() };
    Index::build(model, texts.iter().map(document), Precision::F32).unwrap()
}

#[test]
fn an_engine_adds_packs_and_removes_them_and_other_languages_score_as_before() {
    let english_and_french = [("en", "rain and snow"), ("fr", "la pluie")];
    let model = model();
    let mut engine = Engine::new(model.clone()).unwrap();
    engine.add(index(&model, &english_and_french)).unwrap();
    let scores = |engine: &Engine| -> Vec<(f32, Option<f32>)> {
        let hits = hits_of(engine, "rain");
        let hits = hits.iter().filter(|hit| hit.language != "de" && hit.language != "ar");
        hits.map(|hit| (hit.score, hit.probability)).collect()
    };
    let before = scores(&engine);
    assert_eq!(before.len(), 2);
    // Arabic comes before French.
    for (language, bytes) in [("de", german()), ("ar", pack("ar", ["مطر", "ثلج"]))] {
        let alone = Model::read(&bytes).unwrap();
        engine.add_encoders(alone.clone()).unwrap();
        assert_eq!(scores(&engine), before, "{language}");
        assert!(engine.add_encoders(alone).is_err());
    }
    let joined = Model::read_parts(files().into_iter().chain([german()])).unwrap();
    engine.add(index(&joined, &[("de", "regen"), ("de", "schnee")])).unwrap();
    assert_eq!(scores(&engine), before);
    let hits = hits_of(&engine, "rain");
    let rain = hits.iter().find(|hit| hit.id == "regen").unwrap();
    // A quarter of SCS, half of the lexical score, and two documents count as thirty.
    let score = 0.25 * rain.similarity + 0.5 * rain.lexical.unwrap();
    assert!((rain.score - score).abs() < 1e-6, "{rain:?}");
    let odds = 8.0 * f64::from(score) - 3.0 - 0.25 * libm::log(30.0);
    let expected = 1.0 / (1.0 + libm::exp(-odds));
    assert!((f64::from(rain.probability.unwrap()) - expected).abs() < 1e-5, "{rain:?}");
    assert_eq!(engine.remove_language("de").unwrap(), [1]);
    assert_eq!(scores(&engine), before);
    // And back again, with other weights.
    let mut again = Model::read(&german()).unwrap();
    again.config.calibration.insert("de".into(), OWN);
    engine.add_encoders(again).unwrap();
    assert_eq!(engine.model().config.calibration["de"], OWN);
}

#[test]
fn a_slim_model_of_a_pack_scores_as_the_full_one_and_names_its_sources() {
    let joined = Model::read_parts(files().into_iter().chain([german()])).unwrap();
    let texts = [("fr", "pluie"), ("de", "regen"), ("de", "schnee")];
    let engine_of = |model: &Model, index: Index| {
        let mut engine = Engine::new(model.clone()).unwrap();
        engine.add(index).unwrap();
        engine
    };
    let full = engine_of(&joined, index(&joined, &texts));
    let mut of_slim = index(&joined, &texts);
    let parts = of_slim.slim_model(&joined, Slimming::default()).unwrap();
    let slim = Model::read_parts(parts.into_iter().map(|(_, bytes)| bytes)).unwrap();
    let slim_engine = engine_of(&slim, of_slim);
    let scores = |engine: &Engine| -> Vec<(String, f32, Option<f32>)> {
        let hits = hits_of(engine, "rain snow");
        hits.iter().map(|hit| (hit.id.to_owned(), hit.score, hit.probability)).collect()
    };
    assert_eq!(scores(&slim_engine), scores(&full));
    let provenance = json(&slim.provenance);
    assert_eq!(provenance["packs"]["de"]["sources"][0]["licence"], "CC BY 4.0");
}

#[test]
fn packs_without_documents_leave_a_slim_model_as_it_is() {
    let slim = |model: &Model| {
        let mut of_slim = index(model, &[("fr", "pluie")]);
        of_slim.slim_model(model, Slimming::default()).unwrap()
    };
    let own = Model::read_parts(files()).unwrap();
    let joined = Model::read_parts(files().into_iter().chain([german()])).unwrap();
    assert!(slim(&joined) == slim(&own));
}

#[test]
fn languages_that_are_asked_in_are_whole_in_a_slim_model_with_documents_in_them_or_without() {
    let joined = Model::read_parts(files().into_iter().chain([german()])).unwrap();
    let asked = ["de".to_owned()];
    for texts in [&[("fr", "pluie"), ("fr", "neige")][..], &[("fr", "pluie"), ("de", "schnee")]] {
        let mut of_slim = index(&joined, texts);
        let parts = of_slim.slim_model(&joined, Slimming { asked: &asked, ..Slimming::default() });
        let slim = Model::read_parts(parts.unwrap().into_iter().map(|(_, bytes)| bytes)).unwrap();
        assert_eq!(slim.translations["de"], joined.translations["de"]);
        let answers =
            [(joined.clone(), index(&joined, texts)), (slim, of_slim)].map(|(model, index)| {
                let mut engine = Engine::new(model).unwrap();
                engine.add(index).unwrap();
                let hits = engine
                    .search(Search {
                        query: "regen",
                        query_language: Some("de"),
                        limit: 10,
                        ..Search::default()
                    })
                    .unwrap();
                hits.iter().map(|hit| (hit.id.to_owned(), hit.score)).collect::<Vec<_>>()
            });
        assert_eq!(answers[0], answers[1]);
        assert!(answers[0][0].1 > answers[0][1].1);
    }
}
