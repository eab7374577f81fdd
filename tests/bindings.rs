//! The bindings as JavaScript sees them, in Node, in a page and in a worker.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

use js_sys::{Array, Float32Array, JSON, Object, Reflect, Uint8Array};
use smooth_clir::bindings::engine::{EncodedQuery, Engine};
use smooth_clir::bindings::lab;
use smooth_clir::bindings::learn::{default_steps, documents_of};
use smooth_clir::bindings::training::Training;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::index::{Document, Index};
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::ImageData;

/// Two words for each encoder: rows of length 2, in the vocabulary's order.
fn encoder(words: [&str; 2], rows: [f32; 4]) -> Encoder {
    Encoder::new(
        Vocabulary::from_tokens(words).unwrap(),
        Network::Average(Table::new(2, rows.to_vec()).into()),
    )
}

fn model() -> Model {
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.5,
            thresholds: vec![0.1, 0.4],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: Default::default(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        query: Some(encoder(["rain", "salt"], [1.0, 0.0, 0.0, 1.0])),
        documents: [("fr".to_owned(), encoder(["pluie", "sel"], [2.0, 0.0, 0.0, 1.0]))].into(),
        translations: Default::default(),
        deep: None,
    }
}

const TEXTS: [(&str, &str); 3] = [("a", "sel"), ("b", "pluie sel"), ("c", "pluie")];

fn index() -> Index {
    let topics = [("topic", "sea"), ("topic", "weather"), ("year", "2024")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fields = [&topics[..1], &topics[..], &[]];
    let documents = TEXTS.iter().zip(fields).map(|(&(id, text), fields)| Document {
        id,
        language: "fr",
        title: "A title",
        text,
        fields,
        ..Document::default()
    });
    Index::build(&model(), documents, Precision::F32).unwrap()
}

fn engine_without_documents() -> Engine {
    got(Engine::new(vec![Uint8Array::from(&model().write(Precision::F32)[..])], &[]))
}

fn engine() -> Engine {
    let mut engine = engine_without_documents();
    engine.add_documents(index().write(), &[]).unwrap();
    engine
}

/// The vector of a text: the tanh of the mean of its rows.
fn vector(rows: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|at| libm::tanh(rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64))
}

const RAIN: [f64; 2] = [1.0, 0.0];
const SALT: [f64; 2] = [0.0, 1.0];
const PLUIE: [f64; 2] = [2.0, 0.0];
const SEL: [f64; 2] = [0.0, 1.0];

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn norm(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}

/// Smooth cosine similarity (paper 1, eq. 1).
fn similarity(q: [f64; 2], d: [f64; 2], epsilon: f64) -> f64 {
    dot(q, d) / ((norm(q) + epsilon) * (norm(d) + epsilon))
}

/// The value of a result that did not fail.
fn got<T>(result: Result<T, JsValue>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

/// A value of JavaScript, as its literal.
fn js(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

/// A part of a value, by the names and numbers that lead there.
fn at(value: &JsValue, path: &str) -> JsValue {
    let step = |value: JsValue, name: &str| Reflect::get(&value, &name.into()).unwrap();
    path.split('.').fold(value.clone(), step)
}

fn text(value: &JsValue, path: &str) -> String {
    at(value, path).as_string().unwrap_or_else(|| panic!("{path} of {value:?}"))
}

fn number(value: &JsValue, path: &str) -> f64 {
    at(value, path).as_f64().unwrap_or_else(|| panic!("{path} of {value:?}"))
}

/// A value as JSON, without its undefined parts.
fn json(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

fn keys(value: &JsValue) -> Vec<String> {
    let keys = Object::keys(value.unchecked_ref::<Object>());
    keys.iter().map(|key| key.as_string().unwrap()).collect()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
}

/// The code and the message of what was thrown.
fn refused<T>(result: Result<T, JsValue>) -> (String, String) {
    let error = result.err().unwrap();
    assert!(error.is_instance_of::<js_sys::Error>());
    (text(&error, "code"), text(&error, "message"))
}

fn ids(hits: &JsValue) -> String {
    let ids = hits.unchecked_ref::<Array>().iter().map(|hit| text(&hit, "id"));
    ids.collect::<Vec<_>>().join(" ")
}

/// Ranks a query that needs no texts, and gives back its hits.
fn ranked(engine: &Engine, query: &mut EncodedQuery, options: &str) -> JsValue {
    assert_eq!(json(&engine.rank(query, js(options)).unwrap()), "[]");
    engine.hits(query).unwrap()
}

#[wasm_bindgen_test]
fn a_query_is_encoded_once_and_ranked_at_any_epsilon() {
    let engine = engine();
    let mut query = engine.encode("rain", None).unwrap();
    let (q, d) = (vector(&[RAIN]), vector(&[PLUIE]));
    for epsilon in [0.0, 0.5, 3.0] {
        let options = format!(r#"{{"limit": 3, "epsilon": {epsilon}}}"#);
        let hits = ranked(&engine, &mut query, &options);
        assert_eq!(ids(&hits), "c b a");
        close(number(&hits, "0.score"), similarity(q, d, epsilon));
        close(number(&hits, "1.score"), similarity(q, vector(&[PLUIE, SEL]), epsilon));
        close(number(&hits, "0.dot"), dot(q, d));
        close(number(&hits, "0.documentNorm"), norm(d));
        assert_eq!(query.places(), [2, 1, 0]);
    }
    let hit = at(&ranked(&engine, &mut query, r#"{"limit": 2}"#), "1");
    assert_eq!(
        keys(&hit).join(" "),
        "id language title section text score probability fits similarity lexical dot documentNorm fields"
    );
    assert!(at(&hit, "lexical").is_undefined(), "the model has no translations");
    assert!(at(&hit, "probability").is_undefined(), "none was fitted");
    assert_eq!(at(&hit, "fits"), true);
    assert_eq!(number(&hit, "similarity"), number(&hit, "score"));
    close(number(&hit, "score"), similarity(q, vector(&[PLUIE, SEL]), 0.5));
    assert_eq!(
        ["language", "title", "text"].map(|name| text(&hit, name)),
        ["fr", "A title", "pluie sel"]
    );
    assert_eq!(json(&at(&hit, "fields")), r#"{"topic":["sea","weather"],"year":["2024"]}"#);
}

#[wasm_bindgen_test]
fn documents_are_chosen_by_language_and_fields() {
    let engine = engine();
    let mut query = engine.encode("rain", None).unwrap();
    let mut found = |options: &str| ids(&ranked(&engine, &mut query, options));
    assert_eq!(found(r#"{"limit": 9, "language": "fr"}"#), "c b a");
    assert_eq!(found(r#"{"limit": 9, "filters": {"topic": ["sea"]}}"#), "b a");
    assert_eq!(found(r#"{"limit": 1, "filters": {"topic": ["sea"]}}"#), "b");
    assert_eq!(
        found(r#"{"limit": 9, "filters": {"topic": ["weather", "sky"], "year": ["2024"]}}"#),
        "b"
    );
    assert_eq!(
        found(r#"{"limit": 9, "filters": {"topic": []}}"#),
        "c b a",
        "no hits are requested"
    );
}

#[wasm_bindgen_test]
fn hits_of_an_engine_that_has_changed_are_not_given_until_the_query_is_ranked_again() {
    let mut engine = engine();
    let mut query = engine.encode("rain", None).unwrap();
    assert_eq!(ids(&ranked(&engine, &mut query, r#"{"limit": 1}"#)), "c");
    let gone = engine.remove_language("fr");
    assert_eq!(gone.unwrap(), [0]);
    assert!(engine.hits(&query).unwrap().is_undefined());
    assert_eq!(ids(&ranked(&engine, &mut query, r#"{"limit": 1}"#)), "");
    // Another engine's places are not this one's either.
    let other = self::engine();
    assert!(other.hits(&query).unwrap().is_undefined());
    assert_eq!(ids(&ranked(&other, &mut query, r#"{"limit": 1}"#)), "c");
}

#[wasm_bindgen_test]
fn texts_that_are_missing_are_told_before_the_hits() {
    let parts = index().write_parts(2);
    let mut engine = engine_without_documents();
    engine.add_documents(parts[0].1.clone(), &[]).unwrap();
    let all = r#"[{"index":0,"block":0},{"index":0,"block":1}]"#;
    assert_eq!(json(&engine.missing_texts().unwrap()), all);
    let mut query = engine.encode("rain", None).unwrap();
    let missing = engine.rank(&mut query, js(r#"{"limit": 1}"#)).unwrap();
    assert_eq!(json(&missing), r#"[{"index":0,"block":1}]"#);
    let (code, message) = refused(engine.hits(&query));
    assert_eq!(code, "missing-texts", "{message}");
    engine.add_texts(0, parts[2].1.clone()).unwrap();
    assert_eq!(ids(&engine.hits(&query).unwrap()), "c", "as it was ranked before");
    assert_eq!(json(&engine.missing_texts().unwrap()), r#"[{"index":0,"block":0}]"#);
    assert_eq!(json(&at(&engine.documents().unwrap(), "ids")), r#"["","","c"]"#);
}

#[wasm_bindgen_test]
fn arguments_that_are_wrong_are_refused_with_a_code() {
    let engine = engine();
    let mut query = engine.encode("rain", None).unwrap();
    let mut refusal = |options: &str| refused(engine.rank(&mut query, js(options)));
    let (code, message) = refusal(r#"{"limit": "ten"}"#);
    assert_eq!(
        (&*code, &*message),
        (
            "invalid-argument",
            "`options` cannot be read: `limit` must be a whole number, got \"ten\""
        )
    );
    for (options, expected) in [
        (r#"{"limit": 1.5}"#, "`limit` must be a whole number, got 1.5"),
        (r#"{"limit": -1}"#, "`limit` must be a whole number, got -1"),
        (r#"{"limit": 1, "epsilon": "1"}"#, "`epsilon` must be a number, got \"1\""),
        (r#"{"limit": 1, "language": 3}"#, "`language` must be a string, got 3"),
        (
            r#"{"limit": 1, "filters": {"topic": "sea"}}"#,
            "`filters` must be an object of lists of strings, got {\"topic\":\"sea\"}",
        ),
        ("null", "it is not an object"),
    ] {
        let (code, message) = refusal(options);
        assert_eq!(
            (&*code, message),
            ("invalid-argument", format!("`options` cannot be read: {expected}"))
        );
    }
    let (code, message) = refusal("{}");
    assert_eq!(
        (&*code, &*message),
        ("invalid-argument", "`options` cannot be read: missing field `limit`")
    );
    assert_eq!(refusal(r#"{"limit": 1, "epsilon": -1}"#).0, "epsilon");
    assert_eq!(refusal(r#"{"limit": 1, "language": "sw"}"#).0, "unknown-language");
    assert_eq!(
        refused(Engine::new(vec![Uint8Array::new_with_length(3)], &[])).0,
        "not-safetensors"
    );
}

#[wasm_bindgen_test]
fn a_score_is_taken_apart() {
    let engine = engine();
    let options = r#"{"document": "b", "language": "fr", "epsilon": 2}"#;
    let of = engine.explain("rain and salt", js(options)).unwrap();
    let (q, d) = (vector(&[RAIN, SALT]), vector(&[PLUIE, SEL]));
    let whole = similarity(q, d, 2.0);
    close(number(&of, "score"), whole);
    close(number(&of, "similarity"), whole);
    close(number(&of, "queryNorm"), norm(q));
    close(number(&of, "documentNorm"), norm(d));
    close(number(&of, "dot"), dot(q, d));
    close(number(&of, "query.0.contribution"), whole - similarity(vector(&[SALT]), d, 2.0));
    close(number(&of, "document.1.contribution"), whole - similarity(q, vector(&[PLUIE]), 2.0));
    assert_eq!(
        ["query.0", "query.1", "document.0"].map(|word| text(&at(&of, word), "token")),
        ["rain", "and", "pluie"]
    );
    assert!(at(&of, "query.1.contribution").is_undefined(), "no known word");
    assert_eq!(json(&at(&of, "weights")), "[1,0]");
    assert_eq!(json(&at(&of, "matches")), "[]");
    assert!(engine.explain("rain", js(r#"{"document": "nobody"}"#)).unwrap().is_undefined());
}

#[wasm_bindgen_test]
fn an_engine_tells_what_it_is_made_of() {
    let engine = engine();
    let state = engine.state().unwrap();
    assert_eq!(number(&state, "epsilon"), 0.5);
    assert_eq!(number(&state, "dimension"), 2.0);
    assert_eq!(number(&state, "documentCount"), 3.0);
    assert_eq!(json(&at(&state, "languages")), r#"["fr"]"#);
    assert_eq!(text(&state, "description.space"), "the space");
    assert_eq!(
        json(&engine.fields().unwrap()),
        r#"[["topic",[["sea",2],["weather",1]]],["year",[["2024",1]]]]"#
    );
    assert_eq!(
        json(&engine.tokens("Rain, nothing!", None).unwrap()),
        r#"[{"token":"rain","known":true},{"token":"nothing","known":false}]"#
    );
    let documents = engine.documents().unwrap();
    assert_eq!(json(&at(&documents, "ids")), r#"["a","b","c"]"#);
    assert_eq!(json(&at(&documents, "languages")), r#"["fr","fr","fr"]"#);
    let norms: Float32Array = at(&documents, "norms").dyn_into().unwrap();
    close(norms.get_index(2).into(), norm(vector(&[PLUIE])));
    let dots = engine.dots("rain", None).unwrap();
    close(number(&dots, "queryNorm"), norm(vector(&[RAIN])));
    let dots: Float32Array = at(&dots, "dots").dyn_into().unwrap();
    let expected =
        [[SEL, SEL], [PLUIE, SEL], [PLUIE, PLUIE]].map(|rows| dot(vector(&[RAIN]), vector(&rows)));
    dots.to_vec()
        .into_iter()
        .zip(expected)
        .for_each(|(found, expected)| close(found.into(), expected));
}

#[wasm_bindgen_test]
fn its_files_lie_where_it_says() {
    let engine = engine();
    let files = engine.files().unwrap();
    assert_eq!(files.unchecked_ref::<Array>().length(), 2);
    let memory = wasm_bindgen::memory();
    let buffer = at(&memory, "buffer");
    for (place, kind, bytes) in
        [(0, "model", model().write(Precision::F32)), (1, "index", index().write())]
    {
        let file = at(&files, &place.to_string());
        assert_eq!(text(&file, "kind"), kind);
        let [start, length] = ["start", "length"].map(|name| number(&file, name) as u32);
        let found = Uint8Array::new_with_byte_offset_and_length(&buffer, start, length).to_vec();
        assert_eq!(found, bytes, "{kind}");
    }
}

#[wasm_bindgen_test]
async fn fine_tuning_moves_a_document_up_and_is_undone() {
    let mut engine = engine();
    let scored = |engine: &Engine| {
        let mut query = engine.encode("rain", None).unwrap();
        let hits = ranked(engine, &mut query, r#"{"limit": 3}"#);
        let hits: Vec<JsValue> = hits.unchecked_ref::<Array>().iter().collect();
        let hit = hits.iter().find(|hit| text(hit, "id") == "a").unwrap().clone();
        number(&hit, "score")
    };
    let before = scored(&engine);
    let mut old = engine.encode("rain", None).unwrap();
    ranked(&engine, &mut old, r#"{"limit": 3}"#);

    let place = engine.find("a", Some("fr".into())).unwrap();
    let judgements = format!(r#"[{{"query": "rain", "document": {place}, "grade": 2}}]"#);
    let mut run = engine.fine_tune(js(&judgements), js(r#"{"learningRate": 0.1}"#)).unwrap();
    assert_eq!((run.judgements(), run.on_gpu()), (1, false));
    let mut losses = Vec::new();
    for _ in 0..default_steps() {
        let report = run.step().await.unwrap();
        assert!(at(&report, "failed").is_undefined());
        losses.push(number(&report, "loss"));
    }
    assert!(losses.last() < losses.first(), "{losses:?}");
    assert_eq!(run.settle().await, None);
    let applied = engine.take(&run).unwrap();
    assert_eq!(json(&applied), r#"{"documents":2,"pending":0}"#, "those with `sel`");
    assert!(engine.hits(&old).unwrap().is_undefined());
    let after = scored(&engine);
    assert!(after > before + 0.1, "{before}, then {after}");

    // As a file, and kept for another visit.
    let exported = engine.export().unwrap();
    assert_eq!(number(&exported, "largestError"), 0.0, "32 bits");
    let bytes: Uint8Array = at(&exported, "bytes").dyn_into().unwrap();
    let mut again = got(Engine::new(vec![bytes], &[]));
    let mut encoded = got(again.start_user_documents("fr"));
    got(encoded
        .push(js(r#"[{"id": "a", "title": "", "section": "", "text": "sel", "fields": {}}]"#)));
    got(again.add_user_documents(encoded));
    assert_eq!(scored(&again), after);
    let learned = engine.learned().unwrap();
    let mut other = self::engine();
    assert_eq!(json(&other.remember(&learned).unwrap()), r#"{"documents":2,"pending":0}"#);
    assert_eq!(scored(&other), after);

    assert_eq!(json(&engine.undo().unwrap()), r#"{"documents":2,"pending":0}"#);
    assert_eq!(scored(&engine), before);
    assert!(engine.undo().unwrap().is_undefined(), "nothing is left to undo");
    assert_eq!(json(&engine.reset().unwrap()), r#"{"documents":0,"pending":0}"#);
    assert_eq!(engine.learned(), None);
    let wrong =
        engine.fine_tune(js(r#"[{"query": "rain", "document": 0, "grade": 300}]"#), js("{}"));
    assert_eq!(refused(wrong).0, "invalid-argument");
}

#[wasm_bindgen_test]
fn documents_of_the_user_are_encoded_found_and_written() {
    let mut engine = engine_without_documents();
    let mut encoded = got(engine.start_user_documents("fr"));
    let documents = r#"[
        {"id": "x", "title": "", "section": "", "text": "pluie inconnu", "fields": {"topic": ["sea", "sky"]}},
        {"id": "y", "title": "Y", "section": "Le sel", "text": "sel", "fields": {}}
    ]"#;
    let counts = encoded.push(js(documents)).unwrap();
    assert_eq!(json(&counts), r#"[{"known":1,"all":2},{"known":1,"all":1}]"#);
    engine.add_user_documents(encoded).unwrap();
    let mut query = engine.encode("rain", None).unwrap();
    let hits = ranked(&engine, &mut query, r#"{"limit": 2}"#);
    assert_eq!(ids(&hits), "x y");
    assert_eq!(json(&at(&hits, "0.fields")), r#"{"topic":["sea","sky"]}"#);
    let file = engine.user_documents().unwrap().unwrap();
    let written = documents_of(file).unwrap();
    assert_eq!(
        json(&at(&written, "1")),
        r#"{"id":"y","title":"Y","section":"Le sel","text":"sel","language":"fr","fields":{}}"#
    );
    assert_eq!(engine.remove_user_documents(), [0]);
    assert!(engine.hits(&query).unwrap().is_undefined());
    assert_eq!(engine.user_documents().unwrap(), None);
}

#[wasm_bindgen_test]
async fn a_training_reports_each_step_and_evaluates() {
    let named = |prefix: &str, mark: &str| {
        let text = |at: usize| {
            format!(r#"{{"id": "{prefix}{at}", "text": "{mark}{} {mark}{}"}}"#, at % 10, at / 10)
        };
        (0..40).map(text).collect::<Vec<_>>().join(",")
    };
    let qrels: Vec<String> =
        (0..40).map(|at| format!(r#"{{"query": {at}, "document": {at}, "grade": 2}}"#)).collect();
    let collection = format!(
        r#"{{"queries": [{}], "documents": [{}], "qrels": [{}]}}"#,
        named("q", "word"),
        named("d", "mot"),
        qrels.join(",")
    );
    let settings = r#"{"language": "fr", "dimension": 8, "epsilon": 0.5, "thresholds": [0.2, 0.7],
        "learningRate": 0.01, "negatives": 5, "seed": 1}"#;
    let mut training = got(Training::new(js(&collection), js(settings)));
    assert_eq!(training.epoch(), 0);
    let mut losses = Vec::new();
    while training.epoch() < 20 {
        let report = training.step().await.unwrap();
        assert!(at(&report, "failed").is_undefined());
        losses.push(number(&report, "loss"));
    }
    assert!(losses.last().unwrap() < &(0.5 * losses[0]), "{losses:?}");
    assert_eq!(training.settle().await, None);
    let evaluation = training.evaluate(true).unwrap();
    let metrics = at(&evaluation, "metrics");
    let names = Reflect::own_keys(&metrics).unwrap();
    assert_eq!(json(&names), r#"["P_mr@1","P_mr@5","P_r@5","NDCG@5","MAP","MRR_mr","MRR_r"]"#);
    assert!(number(&metrics, "MAP") > 0.5);
    let scores: Float32Array = at(&evaluation, "scores").dyn_into().unwrap();
    let grades: Uint8Array = at(&evaluation, "grades").dyn_into().unwrap();
    assert_eq!(scores.length(), grades.length());
    assert!(grades.to_vec().contains(&2));
    let refusal = refused(Training::new(js("{}"), js(settings)));
    assert_eq!(refusal.1, "`collection` cannot be read: missing field `queries`");
}

#[wasm_bindgen_test]
fn the_lab_reads_the_plane() {
    let (q, d, epsilon) = ([0.3, -1.2], [1.0, 1.0], 0.5);
    let reading = lab::plane_reading(q[0] as f32, q[1] as f32, 1.0, 1.0, epsilon as f32).unwrap();
    close(number(&reading, "score"), similarity(q, d, epsilon));
    let slope = |along: usize| {
        let moved = |by: f64| {
            let mut q = q;
            q[along] += by;
            similarity(q, d, epsilon)
        };
        (moved(1e-5) - moved(-1e-5)) / 2e-5
    };
    close(number(&reading, "gradient.0"), slope(0));
    close(number(&reading, "gradient.1"), slope(1));
    close(number(&reading, "length"), norm([slope(0), slope(1)]));
    assert!(number(&reading, "curvature") > 0.0);

    for (quantity, value) in [("score", similarity([1.0, 2.0], d, epsilon)), ("x1", f64::NAN)] {
        let map = format!(
            r#"{{"quantity": "{quantity}", "document": [1, 1], "size": 5, "extent": 2, "epsilon": 0.5}}"#
        );
        let values = lab::plane_map(js(&map)).unwrap();
        assert_eq!(values.len(), 25);
        let reading = lab::plane_reading(1.0, 2.0, 1.0, 1.0, 0.5).unwrap();
        // The first row is that of the greatest x2.
        let expected = if value.is_nan() { number(&reading, "gradient.0") } else { value };
        close(values[3].into(), expected);
    }
    let bounds = lab::plane_bounds(3.0, 4.0, 0.5).unwrap();
    close(number(&bounds, "printed"), 4.0);
    close(number(&bounds, "tight"), 2.0);
    close(number(&bounds, "exact"), 5.0 / (5.5 * 0.5));
    let (code, message) = refused(lab::plane_map(js(r#"{"quantity": "x3"}"#)));
    assert_eq!(code, "invalid-argument");
    assert!(message.contains("unknown variant `x3`"), "{message}");
}

/// Ends of pure colours on black, a shade for each of 127 steps to either end.
fn colour_scale(limit: f64) -> JsValue {
    let colours = r#""low": [0, 0, 127], "middle": [0, 0, 0], "high": [127, 254, 0]"#;
    js(&format!(r#"{{{colours}, "limit": {limit}, "steps": 127}}"#))
}

/// The quantity over the square to `extent`, for the document (1, 1).
fn plane_map(quantity: &str, size: usize, extent: f64, epsilon: f64) -> JsValue {
    js(&format!(
        r#"{{"quantity": "{quantity}", "document": [1, 1], "size": {size}, "extent": {extent}, "epsilon": {epsilon}}}"#
    ))
}

/// Browsers have images in pages and workers, Node has none.
fn images_exist() -> bool {
    Reflect::has(&js_sys::global(), &"ImageData".into()).unwrap()
}

#[wasm_bindgen_test]
fn a_map_of_512_by_512_is_painted_in_one_call() {
    // Points of odd coordinates from -511 to 511, so that cosines with (1, 1) are (x1 + x2) / (sqrt 2 |q|).
    let (map, scale) = (plane_map("score", 512, 511.0, 0.0), colour_scale(1.0));
    if !images_exist() {
        let (code, message) = refused(lab::paint_map(map, scale));
        assert_eq!(code, "no-image-data");
        assert!(message.contains("in a page or a worker of a browser"), "{message}");
        return;
    }
    let painted = got(lab::paint_map(map, scale));
    let image: ImageData = at(&painted, "image").dyn_into().unwrap();
    assert_eq!((image.width(), image.height()), (512, 512));
    let pixels = image.data();
    let pixel = |x1: i32, x2: i32| {
        let (column, row) = ((x1 + 511) / 2, (511 - x2) / 2);
        let first = 4 * (row * 512 + column) as usize;
        <[u8; 4]>::try_from(&pixels[first..first + 4]).unwrap()
    };
    assert_eq!(pixel(511, 511), [127, 254, 0, 255]);
    assert_eq!(pixel(-511, -511), [0, 0, 127, 255]);
    assert_eq!(pixel(-3, 3), [0, 0, 0, 255]);
    // Cosine 0.8: 127 log 81 / log 101 = 120.9 steps to the end.
    assert_eq!(pixel(7, 1), [121, 242, 0, 255]);
    assert_eq!(pixel(-1, -7), [0, 0, 121, 255]);
    // Cosine -0.6: 127 log 61 / log 101 = 113.1.
    assert_eq!(pixel(1, -7), [0, 0, 113, 255]);
    // Cosine 12 / 13: 127 log(1 + 1200 / 13) / log 101 = 124.8.
    assert_eq!(pixel(17, 7), [125, 250, 0, 255]);

    // Another map, and what else uses memory, leave it as it is.
    got(lab::paint_map(plane_map("curvature", 700, 1.0, 0.5), colour_scale(10.0)));
    assert_eq!(image.data().0, pixels.0);
    let values: Float32Array = at(&painted, "values").dyn_into().unwrap();
    assert_eq!(values.length(), 512 * 512);
    close(values.get_index(0).into(), 0.0);
    close(values.get_index(511).into(), 1.0);
}

#[wasm_bindgen_test]
fn a_painted_map_says_where_its_extremes_are() {
    if !images_exist() {
        assert_eq!(refused(lab::paint_scale(colour_scale(1.0))).0, "no-image-data");
        return;
    }
    let painted = |quantity, epsilon| {
        got(lab::paint_map(plane_map(quantity, 5, 2.0, epsilon), colour_scale(10.0)))
    };
    // At the origin d / ((|d| + epsilon) epsilon).
    let smooth = painted("x1", 0.5);
    let largest = 1.0 / ((2f64.sqrt() + 0.5) * 0.5);
    close(number(&smooth, "origin"), largest);
    close(number(&smooth, "largest.value"), largest);
    assert_eq!(json(&at(&smooth, "largest.at")), "[0,0]");
    // Cosine has no gradient there.
    let cosine = painted("x1", 0.0);
    assert!(number(&cosine, "origin").is_nan());
    let middle = at(&cosine, "image").unchecked_into::<ImageData>().data()[4 * 12..4 * 13].to_vec();
    assert_eq!(middle, [0; 4]);

    let score = painted("score", 0.5);
    let farthest = 8f64.sqrt() / (8f64.sqrt() + 0.5) * 2f64.sqrt() / (2f64.sqrt() + 0.5);
    close(number(&score, "largest.value"), farthest);
    close(number(&score, "smallest.value"), -farthest);
    assert_eq!(json(&at(&score, "smallest.at")), "[-2,-2]");
    assert_eq!(json(&at(&score, "largest.at")), "[2,2]");

    let shades = got(lab::paint_scale(colour_scale(10.0)));
    assert_eq!((shades.width(), shades.height()), (255, 1));
    let shades = shades.data();
    assert_eq!(shades[..4], [0, 0, 127, 255]);
    assert_eq!(shades[4 * 128..4 * 129], [1, 2, 0, 255]);
}

#[wasm_bindgen_test]
fn a_colour_scale_is_checked() {
    let map = || plane_map("x1", 3, 1.0, 0.5);
    let message = |scale: JsValue| {
        let (code, message) = refused(lab::paint_map(map(), scale));
        assert_eq!(code, "invalid-argument");
        message
    };
    let with = |name: &str, value: JsValue| {
        let scale = colour_scale(1.0);
        Reflect::set(&scale, &name.into(), &value).unwrap();
        scale
    };
    for (found, shown) in [(0.0, "0"), (-1.0, "-1"), (f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        let expected = format!("`scale.limit` must be a finite number above 0, got {shown}");
        assert_eq!(message(with("limit", found.into())), expected);
    }
    for steps in [0, 1025] {
        let expected = format!("`scale.steps` must be an integer from 1 to 1024, got {steps}");
        assert_eq!(message(with("steps", steps.into())), expected);
    }
    let low = message(with("low", js("[256, 0, 0]")));
    assert!(low.starts_with("`scale` cannot be read: "), "{low}");
    let empty = refused(lab::paint_map(plane_map("x1", 0, 1.0, 0.5), colour_scale(1.0)));
    assert_eq!(empty.1, "`map.size` must be a positive integer, got 0");
    let large = refused(lab::paint_map(plane_map("x1", 2049, 1.0, 0.5), colour_scale(1.0)));
    assert_eq!(large.0, "too-large");
}

#[wasm_bindgen_test]
fn the_lab_descends_and_swaps() {
    let descent = r#"{"way": "plain", "start": [-1, 1], "document": [1, 1], "epsilon": 0.5, "rate": 0.5, "steps": 20}"#;
    let steps = lab::descend_from(js(descent)).unwrap();
    assert_eq!(steps.unchecked_ref::<Array>().length(), 20);
    let last = at(&steps, "19");
    let point = ["point.0", "point.1"].map(|path| number(&last, path));
    close(number(&last, "score"), similarity(point, [1.0, 1.0], 0.5));
    assert!(number(&last, "score") > number(&steps, "0.score"));
    let first = at(&steps, "0");
    close(number(&first, "length"), 0.5 * number(&first, "gradient"));

    // By hand: 1 / (1 + eps) and 3 / (4 + eps) are equal at eps = 0.5.
    let swaps = lab::swaps(&[1.0, 3.0], &[1.0, 4.0]).unwrap();
    assert_eq!(json(&swaps), r#"[{"epsilon":0.5,"first":0,"second":1}]"#);
}

#[wasm_bindgen_test]
fn the_lab_has_losses_and_metrics() {
    let loss = lab::loss_curve("mse", &[0.2, 0.6], 1.0, 0, &[0.9, -0.5]).unwrap();
    let [values, slopes] =
        ["values", "slopes"].map(|name| at(&loss, name).dyn_into::<Float32Array>().unwrap());
    assert_eq!((values.length(), slopes.length()), (2, 2));
    assert!(values.get_index(0) > 0.0 && slopes.get_index(0) > 0.0);
    assert_eq!(refused(lab::loss_curve("mse", &[0.6, 0.2], 1.0, 0, &[])).0, "thresholds");

    // By hand: ranked 0, 2, 1 of the grades 2, 1, 0.
    let metrics = lab::metrics_of(&[0, 2, 1], &[2, 1, 0]).unwrap();
    close(number(&metrics, "P_mr@1"), 0.0);
    close(number(&metrics, "P_mr@5"), 1.0);
    close(number(&metrics, "P_r@5"), 0.4);
    close(number(&metrics, "MAP"), (1.0 / 2.0 + 2.0 / 3.0) / 2.0);
    close(number(&metrics, "MRR_mr"), 0.5);
    assert!(lab::metrics_of(&[1], &[1]).unwrap().is_undefined());
    let best = lab::metrics_of(&[2, 1, 0], &[2, 1, 0]).unwrap();
    let mean = lab::mean_of_metrics(Array::of2(&metrics, &best).into()).unwrap();
    close(number(&mean, "MRR_mr"), 0.75);
    close(number(&mean, "P_r@5"), 0.4);

    let mut judged = lab::Judged::new();
    judged.add(1.0, &[0.9, 0.1, 0.5], &[1.0, 1.0, 1.0], &[2, 0, 1]);
    judged.add(1.0, &[0.3], &[1.0], &[1]);
    let each = judged.each(0.0).unwrap();
    close(number(&each, "0.MAP"), 1.0);
    assert!(at(&each, "1").is_undefined(), "no relevant document");
    close(number(&judged.mean(0.0).unwrap(), "MAP"), 1.0);
    // Of grade 0 one below 0.2; of grade 1 two between; of grade 2 one above 0.6.
    assert_eq!(json(&judged.confusion(0.0, &[0.2, 0.6]).unwrap()), "[[1,0,0],[0,2,0],[0,0,1]]");
}
