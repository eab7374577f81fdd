//! The built-in corpus as a folder, and the core's training a step at a time on it.

use std::collections::HashMap;
use std::fs;

use crate::toy::Place;
use smooth_clir::learning::scratch::{Options, Texts, Training};
use smooth_clir::model::Model;

const TRAIN: &str = "train corpus --language sw --dimension 16 --epsilon 0.5 --epochs 1 \
     --batch-size 128 --negatives 40 --init-deviation 0.2 --learning-rate 0.01 --seed 5 \
     --split-seed 5 --precision f32 --out trained";

fn columns(place: &Place, name: &str) -> Vec<[String; 3]> {
    let text = fs::read_to_string(place.path("corpus").join(name)).unwrap();
    let columns = |line: &str| -> [String; 3] {
        line.split('\t').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap()
    };
    text.lines().map(columns).collect()
}

fn texts(place: &Place) -> Texts {
    let (queries, documents) = (columns(place, "queries.tsv"), columns(place, "documents.tsv"));
    let places = |list: &[[String; 3]]| -> HashMap<String, u32> {
        list.iter().map(|[id, ..]| id.clone()).zip(0..).collect()
    };
    let (query, document) = (places(&queries), places(&documents));
    let judged = columns(place, "relevance.tsv");
    Texts {
        judged: judged
            .iter()
            .map(|[q, d, grade]| (query[q], document[d], grade.parse().unwrap()))
            .collect(),
        queries: queries.into_iter().map(|[id, _, text]| (id, text)).collect(),
        documents: documents.into_iter().map(|[_, _, text]| text).collect(),
    }
}

#[test]
fn a_training_step_by_step_has_the_bits_of_the_command() {
    let place = Place::new();
    place.run("corpus --language sw --out corpus").success();
    place.run(TRAIN).success();
    let model = Model::read(&fs::read(place.path("trained")).unwrap()).unwrap();

    let options = Options { language: "sw".into(), dimension: 16, seed: 5, ..Options::default() };
    let mut training = Training::new(texts(&place), options).unwrap();
    for _ in 0..training.steps_in_epoch() {
        training.step();
    }
    assert_eq!(training.epoch(), 1);
    let sides = [model.query_encoder().unwrap(), model.document_encoder("sw").unwrap()];
    for (table, side) in training.tables().into_iter().zip(sides) {
        assert!(table.len() > 1000);
        for row in 0..table.len() {
            assert_eq!(table.row(row), &side.network.words().row(row)[..]);
        }
    }
}

#[test]
fn a_language_that_the_corpus_does_not_have_is_refused() {
    Place::new().refuses("corpus --language de --out corpus", 2, &["fr, it, sw, tl", "de"]);
}
