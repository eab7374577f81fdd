//! TREC run and qrels files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use smooth_clir::ranking::metrics::trec_order;

use super::tsv::{self, shown};
use crate::error::Error;

/// One line of a run: a document at its place, with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The document's id.
    pub document: String,
    /// Its score.
    pub score: f32,
}

/// Lines of a run for one query, best first. Every score is at most one unit in the last place
/// below the one before it, so that a tool that breaks ties its own way sees this order.
pub fn run_lines(query: &str, ranked: &[Ranked]) -> String {
    let mut lines = String::new();
    let mut above = f32::INFINITY;
    for (place, Ranked { document, score }) in ranked.iter().enumerate() {
        above = if place == 0 { *score } else { score.min(above.next_down()) };
        lines.push_str(&format!("{query} Q0 {document} {} {above:.8e} smooth-clir\n", place + 1));
    }
    lines
}

/// A line of qrels.
pub fn qrels_line(query: &str, document: &str, grade: u8) -> String {
    format!("{query} 0 {document} {grade}\n")
}

/// Refuses an id that would be two columns in a TREC file.
pub fn check_id(path: &Path, id: &str) -> Result<(), Error> {
    if id.contains(char::is_whitespace) {
        let problem = format!("id `{}` has a space, which TREC files cannot hold", shown(id));
        return Err(Error::data(path, problem));
    }
    Ok(())
}

/// Documents and scores of each query.
pub type Run = BTreeMap<String, Vec<Ranked>>;
/// Documents and grades of each query.
pub type Qrels = BTreeMap<String, HashMap<String, u8>>;

/// Reads a run. Ranks are those of the scores, ties broken by document id in falling order, as
/// trec_eval does.
pub fn read_run(path: &Path) -> Result<Run, Error> {
    let mut run = Run::new();
    read_columns(path, 6, "query, Q0, document, rank, score, tag", |columns| {
        let score: f32 = columns[4].parse().unwrap_or(f32::NAN);
        if !score.is_finite() {
            return Err(format!("score `{}`, expected a finite number", shown(columns[4])));
        }
        let ranked = Ranked { document: columns[2].into(), score };
        run.entry(columns[0].into()).or_default().push(ranked);
        Ok(())
    })?;
    for (query, ranked) in &mut run {
        ranked.sort_by(|a, b| trec_order((&a.document, a.score), (&b.document, b.score)));
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = ranked.iter().find(|ranked| !seen.insert(&ranked.document)) {
            let (query, document) = (shown(query), shown(&twice.document));
            let problem = format!("query `{query}` has document `{document}` twice");
            return Err(Error::data(path, problem));
        }
    }
    Ok(run)
}

/// Reads qrels.
pub fn read_qrels(path: &Path) -> Result<Qrels, Error> {
    let mut qrels = Qrels::new();
    read_columns(path, 4, "query, iteration, document, grade", |columns| {
        // A negative grade means unjudged.
        let grade: i64 = columns[3]
            .parse()
            .map_err(|_| format!("grade `{}`, expected a whole number", shown(columns[3])))?;
        let grade = u8::try_from(grade.max(0)).map_err(|_| format!("grade {grade} is over 255"))?;
        let documents = qrels.entry(columns[0].into()).or_default();
        if documents.insert(columns[2].into(), grade).is_some() {
            return Err(format!("document `{}` is graded twice", shown(columns[2])));
        }
        Ok(())
    })?;
    Ok(qrels)
}

fn read_columns(
    path: &Path,
    count: usize,
    names: &str,
    mut take: impl FnMut(&[&str]) -> Result<(), String>,
) -> Result<(), Error> {
    tsv::read_lines(path, |_, line| {
        // As C splits them: other spaces may be part of an id.
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        match columns.len() == count {
            true => take(&columns),
            false => Err(format!("{} column(s), expected {count}: {names}", columns.len())),
        }
    })
}
