//! Learning from judgements: the training's own steps, on a model's own files, and back.

mod weights;

use std::collections::BTreeMap;

use smooth_clir::Error;
use smooth_clir::encoder::{Encoder, Network, Precision, Rows, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{BlockFile, Document, Index};
use smooth_clir::learning::finetune::{FineTuning, History, Judgement, Options};
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::model::changes::Changes;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;
use smooth_clir::training::step::{Pair, PairTrainer, Settings};

const DIMENSION: usize = 16;
const ENGLISH: [&str; 6] = ["bread", "lake", "mountain", "rain", "salt", "snow"];
const FRENCH: [&str; 6] = ["lac", "montagne", "neige", "pain", "pluie", "sel"];
const ITALIAN: [&str; 3] = ["lago", "pane", "pioggia"];
const TEXTS: [(&str, &str); 7] = [
    ("fr", "pluie pluie montagne"),
    ("fr", "pain sel"),
    ("it", "pioggia lago"),
    ("fr", "neige lac"),
    ("it", "pane"),
    ("fr", "inconnu"),
    ("fr", "lac montagne neige"),
];

fn encoder(words: &[&str], seed: u64, precision: Precision) -> Encoder {
    let values = Random::new(seed, "rows").normals(words.len() * DIMENSION, 0.5);
    let rows = Rows::new(Table::new(DIMENSION, values), precision);
    let vocabulary = Vocabulary::from_tokens(words.iter().copied()).unwrap();
    Encoder::new(vocabulary, Network::Average(rows))
}

fn model(precision: Precision) -> Model {
    let documents = [("fr", &FRENCH[..], 2), ("it", &ITALIAN[..], 3)];
    let encoder_of = |(language, words, seed): (&str, &[&str], u64)| {
        (language.to_owned(), encoder(words, seed, precision))
    };
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: DIMENSION,
            epsilon: 0.5,
            thresholds: vec![0.2, 0.6],
            languages: vec!["fr".into(), "it".into()],
            subwords: 0,
            calibration: Default::default(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: r#"{"seed":1}"#.into(),
        space: "the space".into(),
        query: Some(encoder(&ENGLISH, 1, precision)),
        documents: documents.map(encoder_of).into(),
        translations: Default::default(),
        deep: None,
    }
}

fn index(model: &Model, precision: Precision) -> Index {
    let ids: Vec<String> = (0..TEXTS.len()).map(|at| at.to_string()).collect();
    let documents = TEXTS.iter().zip(&ids);
    let documents = documents.map(|((language, text), id)| Document {
        id,
        language,
        text,
        ..Document::default()
    });
    Index::build(model, documents, precision).unwrap()
}

fn engine(precision: Precision) -> Engine {
    let model = model(precision);
    let index = index(&model, precision);
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    engine
}

fn judgement(query: &str, document: usize, grade: u8) -> Judgement<'_> {
    Judgement { query, document, grade }
}

const JUDGEMENTS: [Judgement<'static>; 3] = [
    Judgement { query: "rain mountain", document: 0, grade: 2 },
    Judgement { query: "bread", document: 4, grade: 2 },
    Judgement { query: "rain lake rain", document: 1, grade: 0 },
];

fn learn(engine: &mut Engine, history: &mut History, judgements: &[Judgement<'_>], steps: usize) {
    let mut fine_tuning = FineTuning::new(engine, judgements, Options::default()).unwrap();
    for _ in 0..steps {
        fine_tuning.step();
    }
    history.apply(engine, fine_tuning.changes()).unwrap();
}

/// Every document's score, for some queries.
fn scores(engine: &Engine) -> Vec<(String, u32)> {
    let queries = ["rain mountain", "bread and salt", "snow lake"];
    let search = |query| Search { query, limit: 100, ..Search::default() };
    let hits = queries.into_iter().flat_map(|query| engine.search(search(query)).unwrap());
    hits.map(|hit| (hit.id.to_owned(), hit.score.to_bits())).collect()
}

#[test]
fn fine_tuning_takes_the_steps_of_training() {
    let mut engine = engine(Precision::F32);
    let whole = model(Precision::F32);
    let table = |encoder: &Encoder| encoder.network.words().widened();
    let settings = Settings {
        epsilon: 0.5,
        loss: Loss::Sosl(Thresholds::new(&[0.2, 0.6]).unwrap()),
        learning_rate: 0.02,
        clip: Some(0.05),
        pull: 0.3,
    };
    let documents = whole.documents.values().map(table).collect();
    let mut trainer = PairTrainer::new(settings, table(&whole.query.unwrap()), documents);
    // The rows of the words, looked up by hand in the sorted lists above.
    let example = |query, document, language, grade| Pair { query, document, language, grade };
    let batch = [
        example(&[3, 2], &[4, 4, 1], 0, 2),
        example(&[0], &[1], 1, 2),
        example(&[3, 1, 3], &[3, 5], 0, 0),
    ];
    let options = Options { learning_rate: 0.02, clip: Some(0.05), pull: 0.3 };
    let mut fine_tuning = FineTuning::new(&engine, &JUDGEMENTS, options).unwrap();
    let mut clipped = 0;
    for _ in 0..12 {
        let (found, expected) = (fine_tuning.step(), trainer.step(&batch));
        assert_eq!(found, expected);
        clipped += usize::from(found.clipped);
    }
    assert!(clipped > 0, "the clip was met");
    History::default().apply(&mut engine, fine_tuning.changes()).unwrap();
    let names = ["query", "document.fr", "document.it"];
    for (name, table) in names.into_iter().zip(trainer.tables()) {
        assert_eq!(engine.encoder(name).unwrap().network.words().widened(), table, "{name}");
    }
}

#[test]
fn documents_are_encoded_again_as_an_index_built_anew_has_them() {
    for precision in [Precision::F32, Precision::I8] {
        let mut engine = engine(precision);
        let mut fine_tuning =
            FineTuning::new(&engine, &JUDGEMENTS[..2], Options::default()).unwrap();
        fine_tuning.step();
        let done = History::default().apply(&mut engine, fine_tuning.changes()).unwrap();
        // Those with pluie, montagne or pane.
        assert_eq!((done.documents, done.pending), (3, 0));
        let mut tuned = model(precision);
        for (language, encoder) in &mut tuned.documents {
            *encoder = engine.encoder(&format!("document.{language}")).unwrap().clone();
        }
        assert_eq!(engine.indexes()[0], index(&tuned, precision));
        assert_ne!(engine.indexes()[0], index(&model(precision), precision));
    }
}

#[test]
fn what_is_marked_relevant_rises_and_what_is_not_falls() {
    let mut engine = engine(Precision::I8);
    let score = |engine: &Engine, judgement: Judgement<'_>| {
        let search = Search { query: judgement.query, limit: 100, ..Search::default() };
        let id = judgement.document.to_string();
        engine.search(search).unwrap().iter().find(|hit| hit.id == id).unwrap().score
    };
    learn(&mut engine, &mut History::default(), &JUDGEMENTS, 200);
    assert!(score(&engine, JUDGEMENTS[0]) > 0.59, "{}", score(&engine, JUDGEMENTS[0]));
    assert!(score(&engine, JUDGEMENTS[1]) > 0.59, "{}", score(&engine, JUDGEMENTS[1]));
    assert!(score(&engine, JUDGEMENTS[2]) < 0.21, "{}", score(&engine, JUDGEMENTS[2]));
}

#[test]
fn each_lesson_is_undone_by_itself_down_to_the_files_own_bits() {
    for precision in [Precision::F32, Precision::I8] {
        let (mut engine, mut history) = (engine(precision), History::default());
        let mut states = vec![scores(&engine)];
        for judgements in [&JUDGEMENTS[..1], &JUDGEMENTS[1..], &JUDGEMENTS[..]] {
            learn(&mut engine, &mut history, judgements, 4);
            states.push(scores(&engine));
        }
        assert_eq!(history.len(), 3);
        while let Some(after) = states.pop() {
            assert_eq!(scores(&engine), after);
            assert_eq!(history.undo(&mut engine).unwrap().is_some(), !states.is_empty());
        }
        assert!(engine.learned().is_empty());
        assert_eq!(engine.indexes()[0], index(&model(precision), precision));
    }
}

#[test]
fn a_reset_goes_back_to_the_files_and_can_be_undone() {
    let (mut engine, mut history) = (engine(Precision::I8), History::default());
    let fresh = scores(&engine);
    learn(&mut engine, &mut history, &JUDGEMENTS, 4);
    let tuned = scores(&engine);
    history.reset(&mut engine).unwrap();
    assert_eq!(scores(&engine), fresh);
    history.undo(&mut engine).unwrap();
    assert_eq!(scores(&engine), tuned);
}

#[test]
fn the_pull_is_towards_the_files_rows_however_many_lessons_there_were() {
    let (mut engine, mut history) = (engine(Precision::F32), History::default());
    let original = model(Precision::F32).query.unwrap();
    let away = |engine: &Engine| -> f32 {
        let now = engine.query().network.words().widened();
        let original = original.network.words().widened();
        now.values().iter().zip(original.values()).map(|(a, b)| (a - b).abs()).sum()
    };
    learn(&mut engine, &mut history, &JUDGEMENTS, 30);
    let far = away(&engine);
    // Nothing but the pull is left to learn from: the words of a pair inside its interval.
    let inside = judgement("rain mountain", 0, 2);
    let options = Options { pull: 10.0, ..Options::default() };
    for _ in 0..20 {
        let mut fine_tuning = FineTuning::new(&engine, &[inside], options).unwrap();
        for _ in 0..5 {
            fine_tuning.step();
        }
        history.apply(&mut engine, fine_tuning.changes()).unwrap();
    }
    assert!(away(&engine) < far, "{} {far}", away(&engine));
}

#[test]
fn what_was_learned_is_written_and_remembered_on_another_visit() {
    let (mut tuned, mut history) = (engine(Precision::I8), History::default());
    learn(&mut tuned, &mut history, &JUDGEMENTS, 4);
    let bytes = tuned.learned().write(&tuned.model().space);
    let (mut fresh, mut empty) = (engine(Precision::I8), History::default());
    empty.remember(&mut fresh, &bytes).unwrap();
    assert_eq!(scores(&fresh), scores(&tuned));
    empty.undo(&mut fresh).unwrap();
    assert_eq!(scores(&fresh), scores(&engine(Precision::I8)));
}

#[test]
fn what_belongs_to_another_model_or_is_broken_is_not_remembered() {
    let mut tuned = engine(Precision::I8);
    learn(&mut tuned, &mut History::default(), &JUDGEMENTS, 1);
    let learned = tuned.learned();
    let before = scores(&engine(Precision::I8));
    let refused = |bytes: &[u8], expected: &str| {
        let mut engine = engine(Precision::I8);
        let error = History::default().remember(&mut engine, bytes).unwrap_err();
        assert_eq!(error.code(), expected, "{error}");
        assert_eq!(scores(&engine), before);
    };
    refused(&learned.write("another space"), "mismatch");
    let bytes = learned.write("the space");
    refused(&bytes[..bytes.len() - 1], "not-safetensors");
    refused(b"", "not-safetensors");
    let row = |row| [("query".to_owned(), row, Some(vec![0.5; DIMENSION]))];
    refused(&Changes::from_iter(row(6)).write("the space"), "tensor-value");
    let nan = [("query".to_owned(), 1, Some(vec![f32::NAN; DIMENSION]))];
    refused(&Changes::from_iter(nan).write("the space"), "tensor-value");
    let short = [("query".to_owned(), 1, Some(vec![0.5; 3]))];
    refused(&Changes::from_iter(short).write("the space"), "tensor-shape");
    let unknown = [("document.sw".to_owned(), 1, Some(vec![0.5; DIMENSION]))];
    refused(&Changes::from_iter(unknown).write("the space"), "unknown-tensor");
}

#[test]
fn an_export_is_a_model_of_its_own_in_which_only_learned_rows_were_rounded() {
    for precision in [Precision::F32, Precision::F16, Precision::I8] {
        let model = model(precision);
        let mut engine = Engine::new(model.clone()).unwrap();
        engine.add(index(&model, Precision::F32)).unwrap();
        learn(&mut engine, &mut History::default(), &JUDGEMENTS[..1], 5);
        let exported = engine.export();
        let read = Model::read(&exported.bytes).unwrap();
        assert_ne!(read.space, model.space);
        assert_eq!(read.config, model.config);
        let (mut most, mut squares, mut numbers) = (0.0f32, 0.0, 0);
        let encoders = |model: &Model| -> BTreeMap<String, Encoder> {
            let documents = model.documents.clone().into_iter();
            documents.chain([("query".to_owned(), model.query.clone().unwrap())]).collect()
        };
        let (before, after) = (encoders(&model), encoders(&read));
        let learned = engine.learned();
        assert_eq!(learned.len(), 4);
        for (name, before) in &before {
            let (before, after) = (before.network.words(), after[name].network.words());
            assert_eq!(after.precision(), precision);
            let encoder = if name == "query" { name.clone() } else { format!("document.{name}") };
            let changed =
                learned.iter().find(|(learned, _)| **learned == encoder).map(|(_, rows)| rows);
            for row in 0..before.len() {
                let exact = changed.and_then(|rows| rows.get(&(row as u32))).cloned().flatten();
                let expected = exact.clone().unwrap_or_else(|| before.row(row));
                let wrong: Vec<f32> =
                    after.row(row).into_iter().zip(expected).map(|(a, b)| (a - b).abs()).collect();
                if exact.is_some() {
                    squares += wrong.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>();
                    numbers += wrong.len();
                }
                let wrong = wrong.into_iter().fold(0.0, f32::max);
                assert!(exact.is_some() || wrong == 0.0, "row {row} of {name} kept its bits");
                most = most.max(wrong);
            }
        }
        assert_eq!(exported.largest_error, most);
        let mean = (squares / numbers as f64).sqrt();
        assert!((f64::from(exported.mean_error) - mean).abs() <= 1e-6 * mean, "{mean}");
        assert_eq!(precision == Precision::F32, most == 0.0);
    }
}

#[test]
fn an_engine_that_learned_nothing_exports_the_model_that_it_has() {
    let model = model(Precision::I8);
    let engine = Engine::new(model.clone()).unwrap();
    assert_eq!(Model::read(&engine.export().bytes).unwrap(), model);
}

#[test]
fn texts_that_come_later_are_encoded_with_what_was_learned() {
    let model = model(Precision::F32);
    // The French documents among the first so many, and those that are not here yet.
    for (first, pending) in [(2, 3), (4, 2), (6, 1)] {
        let parts = index(&model, Precision::F32).write_parts(first);
        let mut engine = Engine::new(model.clone()).unwrap();
        engine.add(Index::read(&parts[0].1).unwrap()).unwrap();
        let add = |engine: &mut Engine, block: usize| {
            let file = BlockFile::read(parts[block + 1].1.clone()).unwrap();
            engine.add_texts(0, file).unwrap();
        };
        let missing = FineTuning::new(&engine, &JUDGEMENTS[..1], Options::default()).unwrap_err();
        assert_eq!(missing, Error::MissingTexts { block: 0 });
        add(&mut engine, 0);
        let mut fine_tuning =
            FineTuning::new(&engine, &JUDGEMENTS[..1], Options::default()).unwrap();
        fine_tuning.step();
        let done = History::default().apply(&mut engine, fine_tuning.changes()).unwrap();
        assert_eq!((done.documents, done.pending), (1, pending));
        (1..parts.len() - 1).for_each(|block| add(&mut engine, block));
        let mut tuned = model.clone();
        tuned.documents.insert("fr".into(), engine.encoder("document.fr").unwrap().clone());
        let whole = index(&tuned, Precision::F32);
        for place in 0..TEXTS.len() {
            assert_eq!(engine.indexes()[0].vector(place), whole.vector(place), "{place}");
            assert_eq!(engine.indexes()[0].norm(place), whole.norm(place), "{place}");
        }
    }
}

#[test]
fn of_judgements_on_the_same_query_and_document_the_last_counts() {
    let engine = engine(Precision::F32);
    let both = [judgement("rain", 0, 0), judgement("bread", 1, 2), judgement("rain", 0, 2)];
    let mut found = FineTuning::new(&engine, &both, Options::default()).unwrap();
    let mut expected = FineTuning::new(&engine, &both[1..], Options::default()).unwrap();
    assert_eq!(found.judgements(), 2);
    assert_eq!(found.step(), expected.step());
    assert_eq!(found.changes(), expected.changes());
}

#[test]
fn models_of_other_methods_do_not_learn_and_say_so() {
    let mut model = model(Precision::F32);
    model.config.encoder = "linear".into();
    for encoder in model.query.iter_mut().chain(model.documents.values_mut()) {
        encoder.network = Network::Linear(encoder.network.words().clone());
    }
    let index = index(&model, Precision::F32);
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    let Err(error) = FineTuning::new(&engine, &JUDGEMENTS, Options::default()) else {
        panic!("it learns")
    };
    assert_eq!(error.code(), "judgement");
    assert!(error.to_string().contains("kind linear"), "{error}");
}

#[test]
fn what_nothing_can_be_learned_from_is_refused_with_the_reason() {
    let engine = engine(Precision::F32);
    let refused = |judgements: &[Judgement<'_>], options| {
        FineTuning::new(&engine, judgements, options).unwrap_err()
    };
    let usual = Options::default();
    let problem = |number, problem: &str| Error::Judgement { number, problem: problem.into() };
    assert_eq!(refused(&[], usual), problem(0, "there is none"));
    let good = judgement("rain", 0, 2);
    assert_eq!(
        refused(&[good, judgement("rain", 0, 3)], usual),
        problem(1, "its grade is 3, expected 0 to 2")
    );
    assert_eq!(refused(&[judgement("rain", 7, 2)], usual), problem(0, "there is no document 7"));
    assert_eq!(
        refused(&[good, judgement("xyzzy", 0, 2)], usual),
        problem(1, "no word of its query is known")
    );
    assert_eq!(
        refused(&[judgement("rain", 5, 2)], usual),
        problem(0, "no word of its document is known")
    );
    let long = "a ".repeat(1 << 20);
    assert_eq!(refused(&[judgement(&long, 0, 2)], usual).code(), "query-too-long");
    for options in [
        Options { learning_rate: 0.0, ..usual },
        Options { learning_rate: f32::NAN, ..usual },
        Options { clip: Some(-1.0), ..usual },
        Options { pull: -0.1, ..usual },
        Options { pull: f32::INFINITY, ..usual },
    ] {
        assert_eq!(refused(&[good], options).code(), "learning-option", "{options:?}");
    }
    // Only the query encoder is loaded.
    let mut queries_only = model(Precision::F32);
    queries_only.documents.clear();
    let mut queries_only = Engine::new(queries_only).unwrap();
    queries_only.add(index(&model(Precision::F32), Precision::F32)).unwrap();
    let error = FineTuning::new(&queries_only, &[good], usual).unwrap_err();
    let expected = "the model has no document encoder for `fr`";
    assert_eq!((error.code(), &*error.to_string()), ("missing-encoder", expected));
    // The others come later.
    let mut encoders = model(Precision::F32);
    encoders.query = None;
    queries_only.add_encoders(encoders).unwrap();
    assert!(FineTuning::new(&queries_only, &[good], usual).is_ok());
}

mod documents_of_ones_own {
    use super::*;

    const OWN: [(&str, &str, &str); 3] = [
        ("mine 1", "Rain", "Pluie, pluie et neige"),
        ("mine 2", "", "rien de connu"),
        ("mine 3", "Bread", "du pain, du sel"),
    ];

    fn add(engine: &mut Engine, language: &str) -> Result<Vec<(usize, usize)>, Error> {
        let mut batch = engine.start_user_documents(language)?;
        let words = OWN.iter().map(|(id, title, text)| {
            let words = batch.push(&Document { id, title, text, ..Document::default() }).unwrap();
            (words.known, words.all)
        });
        let words = words.collect();
        engine.add_user_documents(batch).map(|()| words)
    }

    fn built(model: &Model, language: &str, precision: Precision) -> Index {
        let document =
            |&(id, title, text)| Document { id, language, title, text, ..Document::default() };
        Index::build(model, OWN.iter().map(document), precision).unwrap()
    }

    /// The model with what an engine learned.
    fn tuned(engine: &Engine, precision: Precision) -> Model {
        let mut tuned = model(precision);
        for (language, encoder) in &mut tuned.documents {
            *encoder = engine.encoder(&format!("document.{language}")).unwrap().clone();
        }
        tuned
    }

    #[test]
    fn they_have_the_bytes_of_an_index_that_was_built_elsewhere() {
        for precision in [Precision::F32, Precision::I8] {
            let mut engine = engine(precision);
            assert_eq!(engine.user_documents().unwrap(), None);
            assert_eq!(add(&mut engine, "fr").unwrap(), [(3, 4), (0, 3), (2, 4)]);
            let expected = built(&model(precision), "fr", precision);
            assert_eq!(engine.user_documents().unwrap().unwrap().write(), expected.write());
            assert_eq!(engine.indexes()[1], expected);
        }
    }

    #[test]
    fn of_several_additions_one_index_is_made() {
        let mut engine = engine(Precision::I8);
        add(&mut engine, "fr").unwrap();
        add(&mut engine, "it").unwrap();
        let index = engine.user_documents().unwrap().unwrap();
        let read = Index::read(&index.write()).unwrap();
        assert_eq!((read.len(), &read.languages[..]), (6, &["fr".into(), "it".into()][..]));
        let shown = read.shown(3).unwrap();
        assert_eq!((shown.id, shown.title, read.language(3)), ("mine 1", "Rain", "it"));
        assert_eq!(read.vector(2), built(&model(Precision::I8), "fr", Precision::I8).vector(2));
    }

    #[test]
    fn what_was_learned_before_and_after_holds_for_them_and_is_taken_back() {
        for precision in [Precision::F32, Precision::I8] {
            let (mut engine, mut history) = (engine(precision), History::default());
            learn(&mut engine, &mut history, &JUDGEMENTS[..1], 3);
            add(&mut engine, "fr").unwrap();
            let mine = |engine: &Engine| engine.indexes()[1].clone();
            let fresh = built(&model(precision), "fr", precision);
            let once = built(&tuned(&engine, precision), "fr", precision);
            assert_ne!(once, fresh);
            assert_eq!(mine(&engine), once);
            // Their place is 7: they can be judged.
            learn(&mut engine, &mut history, &[judgement("snow", 7, 2)], 3);
            assert_eq!(mine(&engine), built(&tuned(&engine, precision), "fr", precision));
            assert_ne!(mine(&engine), once);
            assert_eq!(
                engine.user_documents().unwrap().unwrap(),
                fresh,
                "saved as by the model's files"
            );
            history.undo(&mut engine).unwrap();
            assert_eq!(mine(&engine), once);
            history.reset(&mut engine).unwrap();
            assert_eq!(mine(&engine), fresh);
            history.undo(&mut engine).unwrap();
            assert_eq!(mine(&engine), once);
            history.undo(&mut engine).unwrap();
            assert_eq!((mine(&engine), engine.learned().is_empty()), (fresh, true));
        }
    }

    #[test]
    fn an_index_file_that_is_added_after_a_lesson_is_as_one_that_was_there() {
        let mut engine = engine(Precision::I8);
        learn(&mut engine, &mut History::default(), &JUDGEMENTS, 3);
        engine.add(index(&model(Precision::I8), Precision::I8)).unwrap();
        assert_eq!(engine.indexes()[1], engine.indexes()[0]);
    }

    #[test]
    fn those_in_the_queries_language_are_encoded_as_queries_are() {
        for precision in [Precision::F32, Precision::I8] {
            let mut engine = engine(precision);
            let text = "rain snow rain";
            let mut batch = engine.start_user_documents("en").unwrap();
            assert!(
                batch.push(&Document { id: "mine 1", text, ..Document::default() }).unwrap().known
                    > 0
            );
            engine.add_user_documents(batch).unwrap();
            let query = engine.encode_query(text).unwrap().query().unwrap().clone();
            let index = engine.user_documents().unwrap().unwrap();
            assert_eq!((index.len(), index.language(0)), (1, "en"));
            let search =
                Search { query: text, limit: 9, language: Some("en"), ..Search::default() };
            let hits = engine.search(search).unwrap();
            assert_eq!(hits.len(), 1);
            assert_eq!((hits[0].id, hits[0].lexical), ("mine 1", None));
            // Their vectors are those of the index, in its precision.
            let cosine = hits[0].dot / (query.norm() * hits[0].document_norm);
            assert!((cosine - 1.0).abs() < 0.01, "{cosine}");
        }
    }

    #[test]
    fn feedback_on_them_turns_the_query_and_leaves_their_vectors() {
        let mut engine = engine(Precision::F32);
        let mut batch = engine.start_user_documents("en").unwrap();
        for (id, text) in [("mine 1", "snow lake"), ("mine 2", "salt")] {
            batch.push(&Document { id, text, ..Document::default() }).unwrap();
        }
        engine.add_user_documents(batch).unwrap();
        let vectors = |engine: &Engine| [0, 1].map(|place| engine.indexes()[1].vector(place));
        let dot = |engine: &Engine| {
            let search =
                Search { query: "rain", limit: 9, language: Some("en"), ..Search::default() };
            let hits = engine.search(search).unwrap();
            hits.iter().find(|hit| hit.id == "mine 2").unwrap().similarity
        };
        let (before, similarity) = (vectors(&engine), dot(&engine));
        let mut run =
            FineTuning::new(&engine, &[judgement("rain", TEXTS.len() + 1, 2)], Options::default())
                .unwrap();
        (0..20).for_each(|_| {
            run.step();
        });
        History::default().apply(&mut engine, run.changes()).unwrap();
        assert_eq!(vectors(&engine), before);
        assert!(dot(&engine) > similarity);
    }

    #[test]
    fn an_id_that_is_there_already_is_refused_and_nothing_is_added() {
        let mut engine = engine(Precision::F32);
        add(&mut engine, "fr").unwrap();
        let error = add(&mut engine, "fr").unwrap_err();
        assert_eq!(error.to_string(), "document `mine 1` in fr is given twice");
        // `1` is a French document of the first index.
        for (ids, language, right) in
            [(["1", "x"], "fr", false), (["x", "x"], "fr", false), (["1", "x"], "it", true)]
        {
            let mut batch = engine.start_user_documents(language).unwrap();
            for id in ids {
                batch.push(&Document { id, text: "lac", ..Document::default() }).unwrap();
            }
            let before = engine.indexes().len();
            assert_eq!(engine.add_user_documents(batch).is_ok(), right, "{ids:?}");
            assert_eq!(engine.indexes().len(), before + usize::from(right));
        }
    }

    #[test]
    fn removed_they_are_found_no_more_and_all_else_stays() {
        let (mut engine, mut history) = (engine(Precision::I8), History::default());
        let before = scores(&engine);
        let mut without = model(Precision::I8);
        without.documents.remove("it");
        engine = {
            let mut only_french = Engine::new(without).unwrap();
            only_french.add(engine.indexes()[0].clone()).unwrap();
            only_french
        };
        assert_eq!(add(&mut engine, "it").unwrap_err().code(), "missing-encoder");
        add(&mut engine, "fr").unwrap();
        assert_ne!(scores(&engine), before);
        engine.remove_user_documents();
        assert_eq!(scores(&engine), before);
        assert_eq!(engine.user_documents().unwrap(), None);
        add(&mut engine, "fr").unwrap();
        learn(&mut engine, &mut history, &JUDGEMENTS[..1], 2);
        engine.remove_user_documents();
        history.undo(&mut engine).unwrap();
        assert_eq!(scores(&engine), before);
    }

    #[test]
    fn of_a_language_that_is_taken_away_nothing_is_left_to_undo() {
        let (mut engine, mut history) =
            (Engine::new(model(Precision::I8)).unwrap(), History::default());
        add(&mut engine, "it").unwrap();
        add(&mut engine, "fr").unwrap();
        let changes = |encoder: &str| {
            let mut changes = Changes::default();
            changes.extend([(encoder.to_owned(), 0, Some(vec![0.5; 2]))].into_iter().collect());
            changes
        };
        history.apply(&mut engine, changes("document.it")).unwrap();
        history.apply(&mut engine, changes("query")).unwrap();
        assert_eq!(engine.remove_language("it").unwrap(), [0]);
        history.forget("it");
        assert!(engine.learned().iter().all(|(encoder, _)| encoder == "query"));
        assert!(history.undo(&mut engine).unwrap().is_some());
        assert!(history.undo(&mut engine).unwrap().is_none());
        assert!(engine.learned().is_empty());
        // What was encoded here is still known as such.
        assert_eq!(engine.remove_user_documents(), [0]);
        let mut engine = Engine::new(model(Precision::I8)).unwrap();
        for language in ["fr", "it"] {
            add(&mut engine, language).unwrap();
        }
        assert_eq!(engine.remove_language("it").unwrap(), [1]);
        assert_eq!(engine.remove_user_documents(), [0]);
    }

    #[test]
    fn an_engine_without_other_documents_has_only_them() {
        let mut engine = Engine::new(model(Precision::I8)).unwrap();
        add(&mut engine, "it").unwrap();
        assert_eq!(engine.languages(), ["it"]);
        engine.remove_user_documents();
        assert!(engine.languages().is_empty());
        let search = Search { query: "rain", limit: 3, ..Search::default() };
        assert_eq!(engine.search(search).unwrap(), []);
    }
}

#[cfg(feature = "gpu")]
mod on_a_gpu {
    use super::*;
    use crate::device::{largest_or_nan, own_gpu};
    use pollster::block_on;

    fn fine_tuning(pull: f32) -> FineTuning {
        let options = Options { learning_rate: 0.02, clip: Some(0.2), pull };
        FineTuning::new(&engine(Precision::I8), &JUDGEMENTS, options).unwrap()
    }

    /// The largest difference of a row over its length.
    pub fn apart(one: &FineTuning, other: &FineTuning) -> f32 {
        let length = |row: &[f32]| row.iter().map(|x| x * x).sum::<f32>().sqrt();
        let (one, other) = (one.changes(), other.changes());
        let rows = one.iter().zip(other.iter()).flat_map(|((_, a), (_, b))| a.iter().zip(b));
        rows.map(|((_, a), (_, b))| {
            let (a, b) = (a.as_ref().unwrap(), b.as_ref().unwrap());
            let between: Vec<f32> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            length(&between) / length(a)
        })
        .fold(0.0, largest_or_nan)
    }

    #[test]
    fn a_lesson_learns_what_it_learns_on_the_processor() {
        for pull in [0.0, 0.01] {
            let (mut here, mut there) = (fine_tuning(pull), fine_tuning(pull));
            block_on(there.move_to(&own_gpu())).unwrap();
            assert!(there.is_on_gpu());
            for step in 0..100 {
                let (found, expected) = (block_on(there.step_there()).unwrap(), here.step());
                let difference = (found.loss - expected.loss).abs();
                assert!(
                    difference <= 1e-5 * expected.loss.max(1e-3),
                    "step {step}: {found:?} {expected:?}"
                );
            }
            block_on(there.settle()).unwrap();
            assert!(apart(&here, &there) < 1e-4, "{}", apart(&here, &there));
        }
    }

    #[test]
    fn a_lesson_goes_there_and_back_and_there_again() {
        let (gpu, mut here, mut there) = (own_gpu(), fine_tuning(0.01), fine_tuning(0.01));
        for turn in 0..4 {
            if turn % 2 == 0 {
                block_on(there.move_to(&gpu)).unwrap();
            }
            for _ in 0..5 {
                here.step();
                block_on(there.step_there()).unwrap();
            }
            block_on(there.settle()).unwrap();
        }
        assert!(apart(&here, &there) < 1e-4, "{}", apart(&here, &there));
    }

    #[test]
    fn a_device_that_is_lost_in_the_middle_takes_nothing_with_it() {
        // In the middle of a run of steps that the processor has not seen, and just after one.
        for before in [1, 5, 8, 13] {
            let (gpu, mut here, mut there) = (own_gpu(), fine_tuning(0.01), fine_tuning(0.01));
            block_on(there.move_to(&gpu)).unwrap();
            let mut failures = 0;
            for step in 0..20 {
                if step == before {
                    gpu.destroy();
                }
                here.step();
                failures += usize::from(block_on(there.step_there()).is_err());
            }
            assert_eq!(failures, 1);
            assert!(!there.is_on_gpu());
            assert!(apart(&here, &there) < 1e-4, "{before}: {}", apart(&here, &there));
        }
    }

    #[test]
    fn a_device_that_is_lost_before_the_end_is_told_when_the_lesson_settles() {
        let (gpu, mut here, mut there) = (own_gpu(), fine_tuning(0.0), fine_tuning(0.0));
        block_on(there.move_to(&gpu)).unwrap();
        for _ in 0..3 {
            here.step();
            block_on(there.step_there()).unwrap();
        }
        gpu.destroy();
        assert_eq!(block_on(there.settle()).unwrap_err().code(), "gpu-failed");
        assert!(apart(&here, &there) < 1e-4, "{}", apart(&here, &there));
        assert!(block_on(there.settle()).is_ok());
    }

    #[test]
    fn a_device_that_is_gone_is_not_moved_to() {
        let (gpu, mut fine_tuning) = (own_gpu(), fine_tuning(0.0));
        gpu.destroy();
        assert_eq!(block_on(fine_tuning.move_to(&gpu)).unwrap_err().code(), "gpu-failed");
        assert!(!fine_tuning.is_on_gpu());
        assert!(block_on(fine_tuning.step_there()).is_ok());
    }
}
