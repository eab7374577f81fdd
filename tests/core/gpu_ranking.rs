//! Ranking on a GPU: it proposes, the core scores again, and the ten are those of the core alone.

use crate::device::gpu;
use pollster::block_on;
use smooth_clir::encoder::{Encoder, Network, Precision, Rows, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::gpu::Ranking;
use smooth_clir::index::{Document, Index};
use smooth_clir::math::random::Random;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

const DIMENSION: usize = 64;
const WORDS: usize = 300;

fn encoder(language: &str) -> Encoder {
    let mut words: Vec<String> = (0..WORDS).map(|number| format!("{language}{number}")).collect();
    words.sort();
    let values = Random::new(1, language).normals(WORDS * DIMENSION, 0.6);
    let rows = Rows::new(Table::new(DIMENSION, values), Precision::F32);
    let vocabulary = Vocabulary::from_tokens(words.iter().map(String::as_str)).unwrap();
    Encoder::new(vocabulary, Network::Average(rows))
}

fn text(random: &mut Random, language: &str, words: usize) -> String {
    let words = (0..words).map(|_| format!("{language}{}", random.below(WORDS)));
    words.collect::<Vec<_>>().join(" ")
}

/// An engine with two indexes, some of whose documents are the same or have no known word.
fn engine(precision: Precision) -> Engine {
    let config = Config {
        encoder: "average".into(),
        dimension: DIMENSION,
        epsilon: 0.5,
        thresholds: vec![0.2, 0.7],
        languages: vec!["fr".into(), "it".into()],
        subwords: 0,
        calibration: Default::default(),
        probability: Default::default(),
        packs: Vec::new(),
    };
    let documents = ["fr", "it"].map(|language| (language.to_owned(), encoder(language)));
    let model = Model {
        config,
        provenance: "{}".into(),
        space: "a space".into(),
        query: Some(encoder("en")),
        documents: documents.into(),
        translations: Default::default(),
        deep: None,
    };
    let mut engine = Engine::new(model.clone()).unwrap();
    for (language, count) in [("fr", 2500), ("it", 700)] {
        let random = &mut Random::new(2, language);
        let mut texts: Vec<String> =
            (0..count).map(|number| text(random, language, 1 + number % 9)).collect();
        texts[7] = "nothing known".into();
        texts[count - 1] = texts[3].clone();
        let ids: Vec<String> = (0..count).map(|number| format!("{language} {number}")).collect();
        let documents = ids.iter().zip(&texts);
        let documents =
            documents.map(|(id, text)| Document { id, language, text, ..Document::default() });
        engine.add(Index::build(&model, documents, precision).unwrap()).unwrap();
    }
    engine
}

#[test]
fn the_ten_are_those_of_the_core_alone_in_its_order_and_with_its_scores() {
    let gpu = gpu();
    for precision in [Precision::F32, Precision::I8] {
        let engine = engine(precision);
        let ranking = Ranking::new(&gpu, &engine).unwrap();
        let random = &mut Random::new(3, "queries");
        for number in 0..20 {
            let query = text(random, "en", 1 + number % 5);
            for (epsilon, limit) in [(0.0, 10), (0.5, 10), (100.0, 1), (0.5, 40)] {
                let search =
                    Search { query: &query, epsilon: Some(epsilon), limit, ..Search::default() };
                let mut encoded = engine.encode_query(&query).unwrap();
                let places = block_on(ranking.propose(&encoded, epsilon, limit)).unwrap();
                assert!(places.len() < 1000, "few are proposed: {}", places.len());
                let found = engine.rank_among(&encoded, search, &places).unwrap();
                assert_eq!(found, engine.rank(&mut encoded, search).unwrap(), "{query}, {epsilon}");
                assert_eq!(found.len(), limit);
            }
        }
    }
}

#[test]
fn a_query_without_a_known_word_finds_nothing() {
    let engine = engine(Precision::F32);
    let ranking = Ranking::new(&gpu(), &engine).unwrap();
    let encoded = engine.encode_query("xyzzy").unwrap();
    assert!(block_on(ranking.propose(&encoded, 0.5, 10)).unwrap().is_empty());
}

#[test]
fn among_places_only_documents_of_the_language_are_found() {
    let engine = engine(Precision::F32);
    let search = |language| Search { query: "en1 en2", limit: 5, language, ..Search::default() };
    let mut encoded = engine.encode_query("en1 en2").unwrap();
    let every_place: Vec<usize> = (0..3200).collect();
    let found = engine.rank_among(&encoded, search(Some("it")), &every_place).unwrap();
    assert_eq!(found, engine.rank(&mut encoded, search(Some("it"))).unwrap());
    assert!(found.iter().all(|scored| scored.position >= 2500));
    let error = engine.rank_among(&encoded, search(Some("sw")), &every_place).unwrap_err();
    assert_eq!(error.code(), "unknown-language");
}
