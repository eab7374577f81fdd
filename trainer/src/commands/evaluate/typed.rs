//! `evaluate --typed`: how often a query as people type it has an expected document among the first
//! three, by its kind, in each language and in all together.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use smooth_clir::encoder::Precision;
use smooth_clir::engine::{Engine, Hit, Search};
use smooth_clir::index::{Document, Index};
use smooth_clir::model::{Model, QUERY_LANGUAGE};

use crate::data::{builtin, tsv};
use crate::deep::Vectors;
use crate::error::Error;
use crate::terminal::output::{self, in_line};
use crate::terminal::phase::Phases;

/// A success has an expected document among so many.
pub(super) const FIRST: usize = 3;
/// The language of a query that is asked in each.
const EACH: &str = "*";

/// Queries that succeeded, and all.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    found: usize,
    all: usize,
}

impl Count {
    fn share(self) -> f64 {
        self.found as f64 / self.all.max(1) as f64
    }
}

/// Prints success@3 over the built-in corpus for a file of kind, language or `*`, expected ids
/// (joined by commas) and query. With `vectors`, documents have those of that file. With `show`, each query that failed.
pub fn run(
    model: &Model,
    path: &Path,
    vectors: Option<&Path>,
    (dense, show, as_json): (Option<f32>, bool, bool),
) -> Result<(), Error> {
    let mut typed: Vec<[String; 4]> = Vec::new();
    tsv::read(path, ["kind", "language", "expected", "query"], |_, columns| {
        typed.push(columns.map(str::to_owned));
        Ok(())
    })?;
    if typed.is_empty() {
        return Err(Error::data(path, "no lines; expected kind, language, ids, query"));
    }
    let encoding = Phases::Shown.wait("encoding the built-in corpus");
    let engine = engine(model, vectors, false)?;
    encoding.finish_and_clear();
    let languages = engine.languages();
    let mut table: BTreeMap<&str, BTreeMap<&str, Count>> = BTreeMap::new();
    let searching = Phases::Shown.phase("searching", typed.len(), "queries");
    for [kind, language, expected, query] in &typed {
        searching.step(1);
        let own = languages.iter().copied().filter(|own| language == EACH || language == own);
        let all = (language == EACH).then_some(None);
        for searched in own.map(Some).chain(all) {
            let search =
                Search { query, limit: FIRST, language: searched, dense, ..Search::default() };
            let hits = engine.search(search)?;
            let found = hits.iter().any(|hit| is_expected(hit, expected));
            let column = searched.unwrap_or("all");
            let count = table.entry(kind).or_default().entry(column).or_default();
            count.all += 1;
            count.found += usize::from(found);
            if show && !found {
                let first: Vec<&str> = hits.iter().map(|hit| hit.id).collect();
                let [query, first] = [query, &*first.join(",")].map(in_line);
                searching.suspend(|| println!("{column}\t{kind}\t{expected}\t{first}\t{query}"));
            }
        }
    }
    drop(searching);
    let sums = table.values().flatten().fold(BTreeMap::new(), |mut sums, (column, count)| {
        let sum: &mut Count = sums.entry(*column).or_default();
        sum.found += count.found;
        sum.all += count.all;
        sums
    });
    table.insert("", sums);
    if as_json {
        let shares = |row: &BTreeMap<&str, Count>| -> Map<String, Value> {
            row.iter().map(|(name, count)| ((*name).to_owned(), json!(count.share()))).collect()
        };
        let kinds: Map<String, Value> = table
            .iter()
            .map(|(kind, row)| {
                let name = if kind.is_empty() { "all" } else { kind };
                (name.to_owned(), Value::Object(shares(row)))
            })
            .collect();
        output::json(&json!({ "queries": typed.len(), "success@3": kinds }));
        return Ok(());
    }
    let columns: Vec<&str> = languages.iter().copied().chain(["all"]).collect();
    let heads: String = columns.iter().map(|name| format!("{name:>8}")).collect();
    println!("{:<14}{heads}", "success@3");
    for (kind, row) in &table {
        let cell = |name: &&str| match row.get(name) {
            Some(count) => format!("{:>8.3}", count.share()),
            None => format!("{:>8}", ""),
        };
        let name = if kind.is_empty() { "all kinds" } else { kind };
        println!("{name:<14}{}", columns.iter().map(cell).collect::<String>());
    }
    Ok(())
}

/// Whether a document is of one of the expected entries, whose ids commas part.
pub(super) fn is_expected(hit: &Hit<'_>, expected: &str) -> bool {
    let entry = hit.id.strip_suffix(hit.language).and_then(|id| id.strip_suffix('.'));
    expected.split(',').any(|id| Some(id) == entry)
}

/// The model over the built-in corpus, in each of its languages that the model has; in English too if `with_english`.
pub(super) fn engine(
    model: &Model,
    vectors: Option<&Path>,
    with_english: bool,
) -> Result<Engine, Error> {
    let has = |language: &&str| model.documents.contains_key(*language);
    let languages = builtin::LANGUAGES.iter().copied().filter(has);
    let languages: Vec<String> = with_english
        .then_some(QUERY_LANGUAGE)
        .into_iter()
        .chain(languages)
        .map(str::to_owned)
        .collect();
    let collections = builtin::documents(&languages);
    let documents = collections.iter().flat_map(|(language, documents)| {
        documents.iter().map(move |document| Document {
            id: &document.id,
            language,
            title: &document.title,
            text: &document.text,
            ..Document::default()
        })
    });
    let index = match vectors {
        None => Index::build(model, documents, Precision::I8)?,
        Some(path) => Vectors::open(Some(path), model, Precision::I8)?
            .index(model, &documents.collect::<Vec<_>>())?,
    };
    let mut engine = Engine::new(model.clone())?;
    engine.add(index)?;
    Ok(engine)
}
