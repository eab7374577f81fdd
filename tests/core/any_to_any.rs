//! Queries in a document language: for documents in every other language, in their own and in English.

use std::sync::Arc;

use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, QueryText, Search, Term};
use smooth_clir::index::{Document, Index};
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::stem::End;
use smooth_clir::text::vocabulary::Vocabulary;

const CALIBRATION: Calibration =
    Calibration { dense: 0.2, lexical: 0.6, norms: [0.8, 0.8], deep: None };

const FRENCH: [(&str, &str, f32); 6] = [
    ("storm", "orage", 0.75),
    ("thunder", "orage", 0.25),
    ("storm", "tempête", 0.25),
    ("rain", "pluie", 1.0),
    ("boat", "navires", 0.5),
    ("salt", "sel", 1.0),
];
const SWAHILI: [(&str, &str, f32); 5] = [
    ("storm", "dhoruba", 1.0),
    ("thunder", "radi", 1.0),
    ("rain", "mvua", 1.0),
    ("boat", "mashua", 1.0),
    ("salt", "chumvi", 1.0),
];

const TEXTS: [(&str, &str, &str); 8] = [
    ("orage", "fr", "un orage"),
    ("tempete", "fr", "une tempête"),
    ("pluie", "fr", "la pluie"),
    ("dhoruba", "sw", "dhoruba kubwa"),
    ("radi", "sw", "radi moja"),
    ("mvua", "sw", "mvua 1984"),
    ("storm", "en", "a storm"),
    ("rain", "en", "the rain"),
];

/// English, and two languages that have translations alone.
fn model() -> Model {
    let words = ["boat", "rain", "salt", "storm", "thunder"];
    let one_of = |row: usize| (0..5).map(move |place| f32::from(u8::from(place == row)));
    let values = (0..5).flat_map(one_of).collect();
    let vocabulary = Vocabulary::from_tokens(words).unwrap();
    let query = Encoder::new(vocabulary, Network::Average(Table::new(5, values).into()));
    let table = |entries: &[(&'static str, &'static str, f32)]| {
        let entry = |&(query, document, strength)| Entry { query, document, strength };
        let entries: Vec<Entry<'_>> = entries.iter().map(entry).collect();
        let none = Vocabulary::default();
        let mut table = Translations::new(&entries, &query.vocabulary, &none).unwrap();
        table.set_frequencies(|_| 1e-4);
        table.stems = Some(Stems::new(&[], [End::Head; 2]).unwrap());
        table.affixes = Some(Arc::new(Vocabulary::from_tokens(["-ni"]).unwrap()));
        Arc::new(table)
    };
    let calibration = ["fr", "sw"].map(|language| (language.to_owned(), CALIBRATION));
    let mut model = Model {
        config: Config {
            encoder: "average".into(),
            dimension: 5,
            epsilon: 0.5,
            thresholds: vec![0.1, 0.2],
            languages: vec!["fr".into(), "sw".into()],
            subwords: 0,
            calibration: calibration.into(),
            probability: Default::default(),
            packs: Default::default(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        documents: Default::default(),
        translations: [("fr".to_owned(), table(&FRENCH)), ("sw".to_owned(), table(&SWAHILI))]
            .into(),
        query: Some(query),
        deep: None,
    };
    model.translate();
    model
}

fn engine() -> Engine {
    let document =
        |&(id, language, text): &_| Document { id, language, text, ..Document::default() };
    let index = Index::build(&model(), TEXTS.iter().map(document), Precision::F32).unwrap();
    let mut engine = Engine::new(model()).unwrap();
    engine.add(index).unwrap();
    engine
}

/// The documents in a language that have a lexical score, best first.
fn found(query: &str, language: &str) -> Vec<String> {
    let engine = engine();
    let language = Some(language);
    let search = Search { query, language, limit: 9, dense: Some(0.0), ..Search::default() };
    let hits = engine.search(search).unwrap();
    let with_words = hits.iter().filter(|hit| hit.lexical > Some(0.0));
    with_words.map(|hit| hit.id.to_owned()).collect()
}

#[test]
fn a_query_in_one_document_language_finds_documents_in_another_and_in_english() {
    assert_eq!(found("pluie", "sw"), ["mvua"]);
    assert_eq!(found("pluie", "en"), ["rain"]);
    assert_eq!(found("mvua", "fr"), ["pluie"]);
    assert_eq!(found("mvua", "en"), ["rain"]);
    // Three quarters of "orage" are a storm.
    assert_eq!(found("orage", "sw"), ["dhoruba", "radi"]);
    // The dense score has the same order.
    let engine = engine();
    let dense = Search { query: "orage", limit: 2, dense: Some(1.0), ..Search::default() };
    let swahili = engine.search(Search { language: Some("sw"), ..dense }).unwrap();
    assert_eq!(swahili.iter().map(|hit| hit.id).collect::<Vec<_>>(), ["dhoruba", "radi"]);
}

#[test]
fn the_probabilities_of_both_tables_are_multiplied_and_the_word_that_answers_is_told() {
    let engine = engine();
    let matches = |id| {
        let place = engine.find(id, None).unwrap();
        let explained = engine.explain("orage", place, None, None).unwrap().unwrap();
        assert_eq!(
            engine.matches("orage", &[place]).unwrap(),
            std::slice::from_ref(&explained.matches)
        );
        let sum: f32 = explained.matches.iter().map(|found| found.contribution).sum();
        assert!((sum - explained.weights[1] * explained.lexical.unwrap()).abs() < 1e-6);
        explained.matches
    };
    for (id, term, expected) in [("dhoruba", "dhoruba", 0.75), ("radi", "radi", 0.25)] {
        let found = &matches(id)[0];
        let [Term { token, probability, count: 1 }] = &found.terms[..] else { panic!("{found:?}") };
        assert_eq!((&found.token[..], &token[..]), ("orage", term));
        // Strengths are stored in steps of 3 %.
        assert!((probability - expected).abs() < 0.02, "{probability}");
    }
}

#[test]
fn in_its_own_language_a_word_comes_before_its_synonyms() {
    assert_eq!(found("tempête", "fr"), ["tempete", "orage"]);
    assert_eq!(found("pluie", "fr"), ["pluie"]);
}

#[test]
fn numbers_and_unknown_names_are_copied() {
    assert_eq!(found("pluie 1984", "sw"), ["mvua"]);
    let chosen = QueryText { text: "1984", language: Some("fr") };
    let place = engine().find("mvua", None).unwrap();
    let matches = engine().matches(chosen, &[place]).unwrap();
    assert_eq!(matches[0][0].terms[0].token, "1984");
}

#[test]
fn a_word_with_an_affix_finds_what_its_base_finds() {
    // Too short for a form that shares most letters.
    for language in ["fr", "en", "sw"] {
        assert_eq!(found("mvuani", language), found("mvua", language), "{language}");
    }
    assert_eq!(engine().language_of("mvuani").unwrap(), "sw");
    let vector = |query: &str| {
        engine().encode_query(query).unwrap().query().map(|query| query.vector().to_vec())
    };
    assert!(vector("mvua").is_some());
    assert_eq!(vector("mvuani"), vector("mvua"));
}

#[test]
fn an_unknown_form_of_a_known_word_is_read_as_that_word() {
    let engine = engine();
    let vector = |text| {
        let query = QueryText { text, language: Some("fr") };
        engine.encode_query(query).unwrap().query().map(|query| query.vector().to_vec())
    };
    // "navires" is known; of "nageurs" only two letters are.
    assert!(vector("navires").is_some());
    assert_eq!(vector("navire"), vector("navires"));
    assert_eq!(vector("nageurs"), None);
}

#[test]
fn the_language_of_a_query_is_detected_unless_it_is_chosen() {
    let engine = engine();
    for (query, language) in
        [("la pluie", "fr"), ("mvua kubwa", "sw"), ("rain", "en"), ("xyzzy", "en"), ("", "en")]
    {
        assert_eq!(engine.language_of(query), Ok(language), "{query}");
    }
    let language = |language| {
        let query = QueryText { text: "pluie", language };
        engine.explain(query, 0, None, None).unwrap().unwrap().query_language
    };
    assert_eq!(language(None).as_deref(), Some("fr"));
    assert_eq!(language(Some("sw")).as_deref(), Some("sw"));
    assert_eq!(language(Some("en")), None);
}

#[test]
fn a_language_that_is_not_installed_is_refused_for_a_query() {
    let search = Search { query: "Regen", query_language: Some("de"), ..Search::default() };
    let error = engine().search(search).unwrap_err();
    let expected =
        "queries in `de` cannot be read: its model file is not loaded; loaded: en, fr, sw";
    assert_eq!((error.code(), &*error.to_string()), ("unknown-language", expected));
}

#[test]
fn the_dense_score_has_a_larger_share_for_a_query_by_way_of_english() {
    let engine = engine();
    let weights = |query, dense| engine.explain(query, 3, None, dense).unwrap().unwrap().weights;
    let close = |found: [f32; 2], expected: [f32; 2]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    };
    close(weights("rain", None), [0.2, 0.6]);
    // 5/4 of a quarter of 0.8.
    close(weights("pluie", None), [0.25, 0.55]);
    close(weights("pluie", Some(0.5)), [0.4, 0.4]);
}
