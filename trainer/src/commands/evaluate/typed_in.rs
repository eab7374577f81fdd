//! `evaluate --typed-in`: queries as people type them, of each language, over the built-in corpus in each of its languages, and
//! the languages that they are taken for.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::model::{Model, QUERY_LANGUAGE};

use super::typed::{FIRST, engine, is_expected};
use crate::data::tsv;
use crate::error::Error;
use crate::terminal::output;
use crate::terminal::phase::Phases;

/// Reciprocal ranks are of so many documents.
const RANKED: usize = 10;

/// The queries of a language.
struct Row {
    language: String,
    queries: usize,
    /// success@3 and MRR@10 for the documents of each language.
    cells: Vec<[f64; 2]>,
    /// The languages that the queries are taken for, with how many.
    taken: BTreeMap<String, usize>,
}

/// Prints tables of queries by rows and documents by columns, of the files `xx.tsv` (kind, expected ids, query) of a folder whose
/// language the model has. With `vectors`, documents have those of that file; if `chosen`, the language of each query is
/// not detected.
pub fn run(
    model: &Model,
    folder: &Path,
    vectors: Option<&Path>,
    (dense, chosen, as_json): (Option<f32>, bool, bool),
) -> Result<(), Error> {
    let installed = model.documents.keys().map(String::as_str);
    let files = std::iter::once(QUERY_LANGUAGE).chain(installed).filter_map(|language| {
        let path = folder.join(format!("{language}.tsv"));
        path.exists().then_some((language, path))
    });
    let files: Vec<_> = files.collect();
    if files.is_empty() {
        let problem = "has no file of queries in a language of the model, such as fr.tsv";
        return Err(Error::data(folder, problem));
    }
    let encoding = Phases::Shown.wait("encoding the built-in corpus");
    let engine = engine(model, vectors, true)?;
    encoding.finish_and_clear();
    let columns = engine.languages();
    let searching = Phases::Shown.phase("searching", files.len(), "languages");
    let mut rows = Vec::new();
    for (language, path) in files {
        let mut queries: Vec<[String; 3]> = Vec::new();
        tsv::read(&path, ["kind", "expected", "query"], |_, columns| {
            queries.push(columns.map(str::to_owned));
            Ok(())
        })?;
        let chosen = chosen.then_some(language);
        rows.push(row(&engine, (language, &columns), &queries, (dense, chosen))?);
        searching.step(1);
    }
    drop(searching);
    if as_json {
        output::json(&Value::Array(rows.iter().map(|row| row.to_json(&columns)).collect()));
        return Ok(());
    }
    for (number, name) in ["success@3", "MRR@10"].into_iter().enumerate() {
        let heads: String = columns.iter().map(|name| format!("{name:>8}")).collect();
        println!("{name:<14}{heads}");
        for row in &rows {
            let cells = row.cells.iter().map(|cell| format!("{:>8.3}", cell[number]));
            println!("{:<14}{}", row.language, cells.collect::<String>());
        }
    }
    println!("{:<14}{:>8}  taken for", "detected", "right");
    for row in &rows {
        let taken = row.taken.iter().map(|(name, count)| format!("{name} {count}"));
        let right = row.share_detected();
        println!("{:<14}{right:>8.3}  {}", row.language, taken.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// The metrics of the queries of a language.
fn row(
    engine: &Engine,
    (language, columns): (&str, &[&str]),
    queries: &[[String; 3]],
    (dense, chosen): (Option<f32>, Option<&str>),
) -> Result<Row, Error> {
    let (mut cells, mut taken) = (vec![[0.0; 2]; columns.len()], BTreeMap::new());
    for [_, expected, query] in queries {
        *taken.entry(engine.language_of(query)?.to_owned()).or_default() += 1;
        let search = Search { query, query_language: chosen, ..Search::default() };
        let mut encoded = engine.encode_query(search.text())?;
        for (column, cell) in columns.iter().zip(&mut cells) {
            let search = Search { limit: RANKED, language: Some(column), dense, ..search };
            let ranked = engine.rank(&mut encoded, search)?;
            let hits = engine.hits(&encoded, search, &ranked)?;
            if let Some(place) = hits.iter().position(|hit| is_expected(hit, expected)) {
                cell[0] += f64::from(u8::from(place < FIRST));
                cell[1] += 1.0 / (place + 1) as f64;
            }
        }
    }
    let count = queries.len().max(1) as f64;
    cells.iter_mut().flatten().for_each(|sum| *sum /= count);
    Ok(Row { language: language.into(), queries: queries.len(), cells, taken })
}

impl Row {
    /// The share of the queries that are taken for their own language.
    fn share_detected(&self) -> f64 {
        let right = self.taken.get(&self.language).copied().unwrap_or(0);
        right as f64 / self.queries.max(1) as f64
    }

    fn to_json(&self, columns: &[&str]) -> Value {
        let of = |number: usize| -> Map<String, Value> {
            let cells = self.cells.iter().map(|cell| json!(cell[number]));
            columns.iter().map(|&name| name.to_owned()).zip(cells).collect()
        };
        json!({
            "language": self.language, "queries": self.queries,
            "success@3": of(0), "MRR@10": of(1), "taken": self.taken,
        })
    }
}
