//! Slim models: the part of a model that an index needs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::tampering::with_tensor;
use ndarray::arr2;
use smooth_clir::Error;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, LexicalMatch, Search, Token};
use smooth_clir::index::{Builder, Document, Index, Slimming};
use smooth_clir::lexical::bigrams::Bigrams;
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::deep::Deep;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::stem::End;
use smooth_clir::text::tokens;
use smooth_clir::text::vocabulary::Vocabulary;

const ALL_ROWS: Slimming<'static> = Slimming { rows: None, asked: &[] };

/// The lines of a file of the built-in corpus, as their columns.
fn lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("trainer/corpus").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The general model, as a visitor of a site in one language loads it.
fn general(language: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("npm/models");
    let files = ["query".to_owned(), format!("document.{language}")];
    let read = |name| fs::read(folder.join(format!("{name}.safetensors"))).unwrap();
    Model::read_parts(files.map(read)).unwrap()
}

/// The built-in corpus in one language, every other text of it.
fn corpus(model: &Model, language: &str) -> Index {
    let lines = lines(&format!("{language}.tsv"));
    let document = |line: &'static [String]| Document {
        id: &line[0],
        language: "",
        text: &line[2],
        ..Document::default()
    };
    let lines: &'static [Vec<String>] = lines.leak();
    let language: &'static str = language.to_owned().leak();
    let documents =
        lines.iter().step_by(2).map(|line| Document { language, ..document(&line[..]) });
    Index::build(model, documents, Precision::I8).unwrap()
}

fn engine(model: Model, index: Index) -> Engine {
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    engine
}

/// The engines of a full model and of its slim one.
fn engines(model: &Model, index: &Index, slimming: Slimming<'_>) -> [Engine; 2] {
    let mut own = index.clone();
    let files = own.slim_model(model, slimming).unwrap();
    let slim = Model::read_parts(files.into_iter().map(|(_, bytes)| bytes)).unwrap();
    [engine(model.clone(), index.clone()), engine(slim, own)]
}

/// All that a search says of a query, with the bits of its numbers.
#[derive(Debug, PartialEq)]
struct Answer {
    tokens: Vec<Token>,
    hits: Vec<(String, [Option<u32>; 4])>,
    matches: Vec<Vec<(LexicalMatch, u32)>>,
}

fn answer(engine: &Engine, query: &str) -> Answer {
    let hits = engine.search(Search { query, limit: 1000, ..Search::default() }).unwrap();
    let bits = |number: f32| Some(number.to_bits());
    let places: Vec<usize> = (0..10).collect();
    let matches = engine.matches(query, &places).unwrap();
    let contribution = |found: LexicalMatch| {
        let bits = found.contribution.to_bits();
        (found, bits)
    };
    Answer {
        tokens: engine.tokens(query).unwrap(),
        hits: hits
            .iter()
            .map(|hit| {
                let optional = [hit.lexical, hit.probability].map(|x| x.map(f32::to_bits));
                let [lexical, probability] = optional;
                (hit.id.to_owned(), [bits(hit.score), bits(hit.similarity), lexical, probability])
            })
            .collect(),
        matches: matches
            .into_iter()
            .map(|all| all.into_iter().map(contribution).collect())
            .collect(),
    }
}

#[test]
fn every_query_gets_the_same_bits_from_the_general_model_and_its_slim_one() {
    for language in ["fr", "sw"] {
        let model = general(language);
        let index = corpus(&model, language);
        let [full, slim] = engines(&model, &index, ALL_ROWS);
        let terms: BTreeSet<String> =
            (0..index.len()).flat_map(|place| tokens(index.shown(place).unwrap().text)).collect();
        let encoder = &model.documents[language].vocabulary;
        let english = &model.query.as_ref().unwrap().vocabulary;
        let without_row = model.translations[language].query_words_without_row();
        let is_gone = |word: &&String| encoder.row(word).is_some() && !terms.contains(*word);
        let is_english =
            |word: &String| english.row(word).is_some() || without_row.row(word).is_some();
        // English queries, queries in the language of the documents, and whole English texts.
        let typed = lines("typed.tsv").into_iter().map(|line| line[3].clone());
        let texts = lines("en.tsv").into_iter().take(30).map(|line| line[2].clone());
        let words = |text: &str| text.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let own = (0..60).map(|place| words(index.shown(place).unwrap().text));
        let (mut same, mut others) = (0, 0);
        for query in typed.chain(texts).chain(own) {
            let read = full.tokens(&query).unwrap().into_iter();
            let words: Vec<String> =
                read.map(|word| word.interpreted.unwrap_or(word.token)).collect();
            let gone: Vec<&String> = words.iter().filter(is_gone).collect();
            let language = || full.explain(&query, 0, None, None).unwrap().unwrap().query_language;
            // Forms of known words are read as these, of which the slim model has fewer.
            let is_form = |word: &String| encoder.row(word).is_none();
            let is_other = !gone.iter().all(|word| is_english(word))
                || (!gone.is_empty() || words.iter().any(is_form)) && language().is_some();
            if is_other {
                others += 1;
                continue;
            }
            assert!(answer(&slim, &query) == answer(&full, &query), "{query}");
            same += 1;
        }
        assert!(same > 250 && others < 60, "{same} {others}");
        // Words of documents have the same glosses.
        let words: Vec<String> = terms.into_iter().collect();
        assert_eq!(slim.gloss(language, &words), full.gloss(language, &words));
    }
}

#[test]
fn a_slim_model_of_the_general_one_is_smaller_and_shared_rows_make_it_less_than_half() {
    let model = general("fr");
    let index = corpus(&model, "fr");
    let bytes = |slimming| {
        let files = index.clone().slim_model(&model, slimming).unwrap();
        files.iter().map(|(_, bytes)| bytes.len()).collect::<Vec<_>>()
    };
    let (all, shared) = (bytes(ALL_ROWS), bytes(Slimming { rows: Some(10_000), asked: &[] }));
    let full = model.write_parts(Precision::I2);
    assert!(all[1] * 3 < full[1].1.len() * 2, "{all:?}");
    assert!(shared[0] * 2 < full[0].1.len(), "{shared:?}");
}

fn words(tokens: &[&str]) -> Vocabulary {
    Vocabulary::from_tokens(tokens.iter().copied()).unwrap()
}

const ENGLISH: [(&str, [f32; 2]); 6] = [
    ("fog", [0.9, 0.5]),
    ("hail", [0.1, 0.8]),
    ("mist", [0.8, 0.5]),
    ("rain", [0.9, 0.1]),
    ("sleet", [0.2, 0.9]),
    ("snow", [0.0, 1.0]),
];

/// "rain" is "pluie" or, in no document, "averse"; "storm", without a row, "orage" or "tempête"; "fog" is "brume" alone, which no
/// document has. The first letters of words are translated too.
fn model(with_deep: bool) -> Model {
    let query = words(&ENGLISH.map(|(word, _)| word));
    let rows = Table::new(2, ENGLISH.iter().flat_map(|(_, row)| *row).collect());
    let entry = |query, document, strength| Entry { query, document, strength };
    let entries = [
        entry("rain", "averse", 0.2),
        entry("rain", "pluie", 0.6),
        entry("storm", "orage", 0.3),
        entry("storm", "tempête", 0.7),
        entry("fog", "brume", 0.8),
        entry("snow", "neige", 0.9),
    ];
    let mut table = Translations::new(&entries, &query, &Vocabulary::default()).unwrap();
    table.set_frequencies(|word| if word == "pluie" { 1e-3 } else { 1e-5 });
    let entry = |query, document| Entry { query, document, strength: 0.5 };
    let stems = [entry("rain", "plui"), entry("rain", "aver"), entry("stor", "temp")];
    table.stems = Some(Stems::new(&stems, [End::Head; 2]).unwrap());
    let bigrams = Bigrams::new(words(&["rain"]), vec![1], []);
    let deep = Deep::new("0f".repeat(32), vec![0.0], arr2(&[[1.0], [0.5]]), bigrams);
    let calibration = Calibration { dense: 0.3, lexical: 0.6, norms: [0.8, 0.8], deep: Some(0.5) };
    let mut model = Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.01,
            thresholds: vec![0.2, 0.7],
            languages: vec!["fr".into(), "sw".into()],
            subwords: 0,
            calibration: BTreeMap::from([("fr".to_owned(), calibration)]),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: r#"{"sources":[{"name":"a corpus"}],"seed":1}"#.into(),
        space: "a training".into(),
        query: Some(Encoder {
            weights: Some([0.9, 0.8, 0.7, 0.2, 0.6, 0.3].into()),
            ..Encoder::new(query, Network::Average(rows.into()))
        }),
        documents: BTreeMap::new(),
        translations: BTreeMap::from([("fr".to_owned(), Arc::new(table))]),
        deep: with_deep.then(|| Arc::new(deep)),
    };
    model.translate();
    model
}

const TEXTS: [&str; 4] = ["la pluie et la neige", "un orage", "fog machine", "pluie, pluie"];

fn index(model: &Model, texts: &[&str]) -> Index {
    let document = |&text| Document { id: text, language: "fr", text, ..Document::default() };
    Index::build(model, texts.iter().map(document), Precision::F32).unwrap()
}

#[test]
fn translations_that_no_document_has_are_left_out_and_the_others_keep_their_probabilities() {
    let model = model(false);
    let index = index(&model, &TEXTS);
    let [full, slim] = engines(&model, &index, ALL_ROWS);
    let left = slim.model().translations["fr"].document_words_without_row().as_joined();
    assert_eq!(left, "neige\norage\npluie");
    for query in ["rain", "storm", "fog", "rain storm fog", "machine", "raining", "snow pluie"] {
        assert_eq!(answer(&slim, query), answer(&full, query), "{query}");
    }
    // "fog", whose only translation is gone, does not come to stand for itself.
    let terms = |word| -> usize {
        slim.matches(word, &[2]).unwrap()[0].iter().map(|found| found.terms.len()).sum()
    };
    assert_eq!([terms("fog"), terms("machine")], [1, 2], "a stem; a word and its stem");
    // A word of the language that no document has is unknown.
    let known = |engine: &Engine| engine.tokens("brume").unwrap()[0].known;
    assert!(known(&full) && !known(&slim));
}

#[test]
fn slim_files_come_back_as_they_were_and_slimming_again_changes_no_score() {
    let full = model(false);
    let mut index = index(&full, &TEXTS);
    let files = index.slim_model(&full, ALL_ROWS).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["query.safetensors", "document.fr.safetensors"]);
    let model = Model::read_parts(files.iter().map(|(_, bytes)| bytes.clone())).unwrap();
    assert_eq!(index.model, model.space);
    assert_ne!(model.space, full.space);
    assert_eq!((&model.config, &model.query), (&full.config, &full.query));
    assert!(model.provenance.contains("a training") && model.provenance.contains("a corpus"));
    assert_eq!(Index::read(&index.write()).unwrap(), index);
    // Files of the usual form hold it too.
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
    let [once, twice] = engines(&model, &index, ALL_ROWS);
    for query in ["rain", "storm", "fog rain"] {
        assert_eq!(answer(&twice, query), answer(&once, query), "{query}");
    }
}

#[test]
fn words_without_a_row_of_their_own_share_the_most_similar_one_and_stay_known() {
    let model = model(false);
    let index = index(&model, &TEXTS);
    // Of three rows, those of "fog", "rain" and "snow" stay, of which documents have translations or the words.
    let [full, slim] = engines(&model, &index, Slimming { rows: Some(3), asked: &[] });
    let row = |word: &str| slim.query().encode(word);
    for (word, like) in [("mist", "fog"), ("hail", "snow"), ("sleet", "snow")] {
        assert_eq!(row(word), row(like), "{word}");
    }
    for word in ["fog", "rain", "snow"] {
        assert_eq!(row(word), full.query().encode(word));
    }
    for query in ["hail storm", "mist rain", "sleet", "slet"] {
        let (found, expected) = (answer(&slim, query), answer(&full, query));
        assert_eq!(found.tokens, expected.tokens);
        assert_eq!(found.matches, expected.matches);
    }
    // The file has three rows.
    let file =
        &index.clone().slim_model(&model, Slimming { rows: Some(3), asked: &[] }).unwrap()[0].1;
    let tensors = safetensors::SafeTensors::deserialize(file).unwrap();
    assert_eq!(tensors.tensor("query.embedding").unwrap().shape(), [3, 2]);
    let shared = tensors.tensor("query.row").unwrap().data().to_vec();
    // Of fog and hail, which have the first two; mist, as fog; rain; sleet and snow, as hail.
    assert_eq!(shared, [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 2, 0]);
}

#[test]
fn a_slim_model_and_an_index_of_another_are_refused() {
    let full = model(false);
    let (index, other) = (index(&full, &TEXTS), index(&full, &TEXTS[1..]));
    let slim = |index: &Index| {
        let mut own = index.clone();
        let files = own.slim_model(&full, ALL_ROWS).unwrap();
        (files.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>(), own)
    };
    let ((files, own), (other_files, other_own)) = (slim(&index), slim(&other));
    let adds = |model: Model, index: &Index| Engine::new(model).unwrap().add(index.clone());
    let read = |files: &[Vec<u8>]| Model::read_parts(files.to_vec()).unwrap();
    assert_eq!(adds(read(&files), &own), Ok(()));
    for (model, index) in [(read(&files), &index), (read(&files), &other_own), (full.clone(), &own)]
    {
        let expected = Error::Mismatch {
            what: "the index".into(),
            found: index.model.clone(),
            expected: model.space.clone(),
        };
        assert_eq!(adds(model, index), Err(expected));
    }
    // Files of two models, one of them the full one.
    let full_files: Vec<Vec<u8>> =
        full.write_parts(Precision::F32).into_iter().map(|(_, bytes)| bytes).collect();
    for files in [[&files[0], &other_files[1]], [&files[0], &full_files[1]]] {
        let refused = Model::read_parts(files.map(Vec::clone)).unwrap_err();
        assert!(matches!(refused, Error::Mismatch { .. }), "{refused}");
    }
    // An index that has a slim model already.
    let again = own.clone().slim_model(&full, ALL_ROWS).unwrap_err();
    assert!(matches!(again, Error::Mismatch { .. }), "{again}");
    // The same documents give the same model.
    assert_eq!(slim(&index).0, files);
}

#[test]
fn deep_documents_are_searched_without_the_map_of_a_teachers_vectors() {
    let model = model(true);
    let teacher = model.deep.as_ref().unwrap().teacher.clone();
    let mut builder = Builder::deep(&model, teacher);
    for (number, text) in TEXTS.into_iter().enumerate() {
        let document = Document { id: text, language: "fr", text, ..Document::default() };
        builder.push_vector(&document, &[0.1 * number as f32, 0.4]).unwrap();
    }
    let index = builder.finish(Precision::I8).unwrap();
    let [full, slim] = engines(&model, &index, ALL_ROWS);
    assert!(full.model().deep.is_some() && slim.model().deep.is_none());
    for query in ["rain", "storm snow", "mist"] {
        assert_eq!(answer(&slim, query), answer(&full, query), "{query}");
    }
}

#[test]
fn rows_and_sums_that_cannot_be_are_refused() {
    let model = model(false);
    let files =
        index(&model, &TEXTS).slim_model(&model, Slimming { rows: Some(3), asked: &[] }).unwrap();
    let refused = |file: usize, name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        Model::read(&with_tensor(&files[file].1, name, change)).unwrap_err().to_string()
    };
    // The fourth of three rows; four words with rows of their own; five words.
    let message = refused(0, "query.row", &|bytes| bytes[4] = 4);
    assert!(message.contains("query.row") && message.contains('4'), "{message}");
    let message = refused(0, "query.row", &|bytes| bytes[4] = 0);
    assert!(message.contains("query.embedding"), "{message}");
    let message = refused(0, "query.row", &|bytes| bytes.truncate(10));
    assert!(message.contains("query.row"), "{message}");
    let message = refused(0, "query.words", &|bytes| bytes[0] = 31);
    assert!(message.contains("query.words"), "{message}");
    let sums = "translation.fr.sums";
    let message = refused(1, sums, &|bytes| bytes[3] = 0xff);
    assert!(message.contains(sums), "{message}");
    let message = refused(1, sums, &|bytes| bytes.truncate(4));
    assert!(message.contains(sums), "{message}");
}
