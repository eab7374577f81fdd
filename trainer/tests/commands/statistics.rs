//! `statistics`: a folder in numbers, counted by hand.

use crate::toy::Place;

fn small() -> Place {
    let place = Place::new();
    place.write_in("small", "queries.tsv", "a\tT\tone two\nb\tT\ttwo three four\nc\tU\tOne two\n");
    place.write_in(
        "small",
        "documents.tsv",
        "1\t\tun deux\n2\t\tdeux\n3\t\tun deux\n4\t\ttrois quatre cinq\n5\t\tsix\n",
    );
    // a and b share document 2; c is by itself and has no relevant document.
    place.write_in(
        "small",
        "relevance.tsv",
        "a\t1\t2\na\t2\t1\nb\t2\t2\nb\t3\t1\nb\t5\t0\nc\t4\t1\n",
    );
    place
}

#[test]
fn a_folder_is_counted_as_by_hand() {
    let counted = small().json("statistics small --json");
    let folder = &counted["folders"][0];
    for (name, expected) in [
        ("queries", 3.0),
        ("queries-with-relevant", 2.0),
        // "one two" and "One two" are two texts of the same words.
        ("query-copies", 0.0),
        ("query-vocabulary", 4.0),
        ("mean-query-words", 7.0 / 3.0),
        ("relevant-per-query", 2.0 / 3.0),
        ("partially-relevant-per-query", 1.0),
        ("documents", 5.0),
        ("document-copies", 1.0),
        ("document-vocabulary", 6.0),
        ("mean-document-words", 9.0 / 5.0),
        ("titles", 2.0),
        ("clusters", 2.0),
    ] {
        let found = folder[name].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{name}: {found}");
    }
    assert_eq!(folder["pairs-by-grade"], serde_json::json!([1, 3, 2]));
    assert_eq!(folder["folder"], "small");
}

#[test]
fn a_table_has_a_row_for_each_folder() {
    let table = small().output("statistics small data");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[0].starts_with("| folder | queries | MR/query | SR/query | documents |"));
    assert!(rows[2].starts_with("| small | 3 | 0.67 | 1.00 | 5 | 2.3 | 1.8 | 4 | 6 | 1 | 2 | 2 |"));
    assert!(rows[3].starts_with("| data | 60 | 1.00 |"));
}

#[test]
fn a_folder_without_its_files_is_refused() {
    let place = small();
    place.run("statistics nowhere").code(1);
    place.run("statistics").code(2);
}
