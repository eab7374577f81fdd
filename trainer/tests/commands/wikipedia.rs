//! The files of the large-scale CLIR Wikipedia set, under the names that they come with.

use std::fs;

use crate::toy::{Place, QUICK};

/// A folder `wiki/` with the toy under the Wikipedia set's names.
fn wikipedia() -> Place {
    let place = Place::new();
    fs::create_dir(place.path("wiki")).unwrap();
    for (own, name) in [
        ("queries.tsv", "wiki_en.queries"),
        ("documents.tsv", "wiki_xx.documents"),
        ("relevance.tsv", "en2xx.rel"),
    ] {
        fs::copy(place.path("data").join(own), place.path("wiki").join(name)).unwrap();
    }
    place
}

#[test]
fn the_wikipedia_sets_files_are_read_under_their_own_names() {
    let place = wikipedia();
    place.run(&format!("{QUICK} --out own")).success();
    place.run(&format!("{} --out wikipedia", QUICK.replace("data", "wiki"))).success();
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    assert!(bytes("own") == bytes("wikipedia"), "the same data give another model");
    assert_eq!(place.output("evaluate own data --json"), place.output("evaluate own wiki --json"));
    place.run("index own data --out own.index").success();
    place.run("index own wiki --out wikipedia.index").success();
    assert!(bytes("own.index") == bytes("wikipedia.index"));
}

#[test]
fn a_folder_with_both_is_read_under_our_names() {
    let place = wikipedia();
    for name in ["queries.tsv", "documents.tsv", "relevance.tsv"] {
        fs::copy(place.path("data").join(name), place.path("wiki").join(name)).unwrap();
    }
    for name in ["wiki_en.queries", "wiki_xx.documents", "en2xx.rel"] {
        place.write(&format!("wiki/{name}"), "broken");
    }
    place.run(&format!("{} --out m", QUICK.replace("data", "wiki"))).success();
}

#[test]
fn names_that_are_missing_are_told_beside_those_that_are_there() {
    let place = wikipedia();
    let train = |language: &str| {
        let line = QUICK.replace("data", "wiki").replace("xx", language);
        format!("{line} --out out/m")
    };
    // Another language only.
    let found = "found en2xx.rel, wiki_en.queries, wiki_xx.documents";
    let expected = "wiki: expected queries.tsv, documents.tsv, relevance.tsv, \
                    or wiki_en.queries, wiki_fr.documents, en2fr.rel; ";
    place.refuses(&train("fr"), 1, &[expected, found]);
    // Grades of another language only.
    fs::rename(place.path("wiki/en2xx.rel"), place.path("wiki/en2fr.rel")).unwrap();
    let found = "found en2fr.rel, wiki_en.queries, wiki_xx.documents";
    place.refuses(&train("xx"), 1, &["wiki_xx.documents, en2xx.rel; ", found]);

    fs::create_dir(place.path("empty")).unwrap();
    let line = train("xx").replace("wiki", "empty");
    place.refuses(&line, 1, &["empty: expected queries.tsv", "en2xx.rel; found nothing"]);
    for number in 0..100 {
        place.write(&format!("empty/{}{number:02}", "long".repeat(30)), "");
    }
    place.refuses(&line, 1, &["found longlong", "…, longlong", "… and 88 more"]);

    place.run(&format!("{QUICK} --out m")).success();
    let expected = "empty: expected documents.tsv, or wiki_xx.documents, or pages with words";
    place.refuses("index m empty --out out/i", 1, &[expected, "; found long"]);
}

#[test]
fn lines_that_are_wrong_are_told_under_the_files_own_name() {
    let place = wikipedia();
    place.write("wiki/en2xx.rel", "q0\td0\t0\n");
    let line = format!("{} --out out/m", QUICK.replace("data", "wiki"));
    place.refuses(&line, 1, &["wiki/en2xx.rel: no relevant pair"]);
    place.write("wiki/en2xx.rel", "q0\td0\n");
    place.refuses(&line, 1, &["wiki/en2xx.rel, line 1: 2 tab-separated column(s), expected 3"]);
}
