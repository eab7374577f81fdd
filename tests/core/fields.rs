//! Documents that are chosen by what they are about, and the index that says what that is.

use std::collections::BTreeMap;

use crate::tampering::with_tensor;
use proptest::prelude::*;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{Document, Filter, Index};
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

type Fields = Vec<(String, String)>;

fn model() -> Model {
    let encoder = |words: &[&str]| {
        let vocabulary = Vocabulary::from_tokens(words.iter().copied()).unwrap();
        let values = (0..2 * words.len()).map(|at| [1.0, 0.5, 0.5, 1.0][at % 4]).collect();
        Encoder::new(vocabulary, Network::Average(Table::new(2, values).into()))
    };
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.5,
            thresholds: vec![0.1],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: BTreeMap::new(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        query: Some(encoder(&["rain", "sun"])),
        documents: [("fr".to_owned(), encoder(&["pluie", "soleil"]))].into(),
        translations: BTreeMap::new(),
        deep: None,
    }
}

fn fields(pairs: &[(&str, &str)]) -> Fields {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Documents 0, 1, ... with these fields.
fn index(all: &[Fields]) -> Index {
    let ids: Vec<String> = (0..all.len()).map(|id| id.to_string()).collect();
    let document = |(id, fields)| Document {
        id,
        language: "fr",
        text: "pluie",
        fields,
        ..Document::default()
    };
    let documents = ids.iter().map(String::as_str).zip(all.iter().map(Vec::as_slice));
    Index::build(&model(), documents.map(document), Precision::F32).unwrap()
}

fn engine(indexes: impl IntoIterator<Item = Index>) -> Engine {
    let mut engine = Engine::new(model()).unwrap();
    indexes.into_iter().for_each(|index| engine.add(index).unwrap());
    engine
}

fn ids(engine: &Engine, filters: &[(&str, &[&str])]) -> Vec<String> {
    let filters: Vec<Filter<'_>> =
        filters.iter().map(|&(name, values)| Filter { name, values }).collect();
    let search = Search { query: "rain", limit: 100, filters: &filters, ..Search::default() };
    engine.search(search).unwrap().iter().map(|hit| hit.id.to_owned()).collect()
}

fn weather() -> Vec<Fields> {
    vec![
        fields(&[("topic", "sea"), ("year", "1984")]),
        fields(&[("year", "2024"), ("topic", "sky"), ("topic", "sea"), ("topic", "sea")]),
        fields(&[]),
        fields(&[("topic", "sky")]),
    ]
}

#[test]
fn documents_have_one_of_the_values_in_each_field_that_is_asked_for() {
    let engine = engine([index(&weather())]);
    for (filters, expected) in [
        (&[][..], &["0", "1", "2", "3"][..]),
        (&[("topic", &["sea"][..])], &["0", "1"]),
        (&[("topic", &["sea", "sky"])], &["0", "1", "3"]),
        (&[("topic", &["sky"]), ("year", &["1984", "2024"])], &["1"]),
        (&[("topic", &["desert"])], &[]),
        (&[("topic", &[])], &[]),
    ] {
        assert_eq!(ids(&engine, filters), expected, "{filters:?}");
    }
}

#[test]
fn hits_have_their_fields_and_each_value_its_count_over_all_indexes() {
    let engine =
        engine([index(&weather()), index(&[fields(&[("topic", "fire"), ("topic", "sea")])])]);
    let search = Search { query: "rain", limit: 2, ..Search::default() };
    let hits = engine.search(search).unwrap();
    assert_eq!(hits[1].fields, [("topic", "sea"), ("topic", "sky"), ("year", "2024")]);
    let expected = BTreeMap::from([
        ("topic", BTreeMap::from([("fire", 1), ("sea", 3), ("sky", 2)])),
        ("year", BTreeMap::from([("1984", 1), ("2024", 1)])),
    ]);
    assert_eq!(engine.fields(), expected);
}

#[test]
fn documents_of_an_index_without_the_field_are_not_chosen_and_a_field_that_none_has_is_refused() {
    let engine = engine([index(&[fields(&[])]), index(&weather())]);
    assert_eq!(ids(&engine, &[("year", &["1984"])]), ["0"]);
    let filters = [Filter { name: "yaer", values: &["1984"] }];
    let search = Search { query: "rain", limit: 1, filters: &filters, ..Search::default() };
    let error = engine.search(search).unwrap_err();
    let expected = "no document has a field `yaer`; fields: topic, year";
    assert_eq!((error.code(), &*error.to_string()), ("unknown-field", expected));
}

#[test]
fn an_index_without_fields_is_the_file_that_it_was_before_there_were_any() {
    let file = index(&[fields(&[])]).write();
    let header = String::from_utf8_lossy(&file);
    assert!(!header.contains("field"));
}

#[test]
fn broken_fields_are_refused_with_their_place() {
    let whole = index(&weather()).write();
    for (name, change, expected) in [
        (
            "field.0.of",
            (|bytes: &mut Vec<u8>| bytes[0] = 9) as fn(&mut Vec<u8>),
            "`field.0.of`, element 0: 9",
        ),
        // The second document has the values 0 and 1.
        ("field.0.of", |bytes| bytes[8] = 0, "`field.0.of`, element 2: 0"),
        ("field.0.starts", |bytes| bytes[0] = 1, "`field.0.starts`, element 0: 1"),
        ("field.0.starts", |bytes| bytes[8] = 0, "`field.0.starts`, element 2: 0"),
        ("field.1.values", |bytes| bytes.fill(b'2'), "`field.1.values`, element 1: 2222"),
    ] {
        let said = Index::read(&with_tensor(&whole, name, change)).unwrap_err().to_string();
        assert!(said.contains(expected), "{name}: {said}");
    }
}

proptest! {
    #[test]
    fn any_fields_are_read_back_and_chosen_by_as_one_by_one(
        all in prop::collection::vec(
            prop::collection::vec(("[ab.]{1,2}", "[xyé\n]{0,2}"), 0..5), 0..12
        ),
        chosen in prop::collection::vec("[xyé\n]{0,2}", 0..3)
    ) {
        let built = index(&all);
        let again = Index::read(&built.write()).unwrap();
        prop_assert_eq!(&again, &built);
        let values: Vec<&str> = chosen.iter().map(String::as_str).collect();
        for (place, own) in all.iter().enumerate() {
            let mut expected: Vec<(&str, &str)> = own.iter().map(|(n, v)| (&n[..], &v[..])).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(again.fields(place).collect::<Vec<_>>(), expected);
        }
        for name in built.field_names() {
            let has = |fields: &Fields| fields.iter().any(|(n, v)| n == name && chosen.contains(v));
            let expected = (0..all.len()).filter(|&place| has(&all[place])).map(|at| at.to_string());
            let found = ids(&engine([again.clone()]), &[(name, &values)]);
            prop_assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }
}
