//! CLIRMatrix (Sun and Duh, 2020), BI-139 and MULTI-8: queries with graded documents, a JSON object a
//! line, and documents, id and text a line.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;

use super::compressed;
use super::options::Clirmatrix;
use super::progress::Progress;
use super::stages::stopped_by;
use super::whole::{self, Whole};
use crate::data::tsv::{self, shown};
use crate::error::Error;
use crate::files;

/// Grades go up to this one, that of the page in the other language.
const MOST_GRADE: f64 = 6.0;

#[derive(Deserialize)]
struct Line {
    src_id: Id,
    src_query: String,
    tgt_results: Vec<(Id, f64)>,
}

/// A number, with quotes or without.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(u64),
}

impl Id {
    fn into_text(self) -> Result<String, String> {
        let id = match self {
            Id::Text(id) => id,
            Id::Number(id) => id.to_string(),
        };
        match id.is_empty() || id.contains(char::is_whitespace) {
            true => Err(format!("id `{}`, expected one word", shown(&id))),
            false => Ok(id),
        }
    }
}

/// Does the import.
///
/// # Errors
/// If a file is not as it should be, a query names a document that is not there, or the output cannot be
/// written.
pub fn run(options: &Clirmatrix) -> Result<(), Error> {
    let mut total = compressed::length(&options.documents)?;
    for path in &options.queries {
        total += compressed::length(path)?;
    }
    let progress = Arc::new(Progress::new("clirmatrix", total));
    files::make_folder(&options.out)?;
    let place = |name: &str| Whole::new(&options.out.join(name));
    let [mut queries, mut relevance, mut documents] =
        [place("queries.tsv")?, place("relevance.tsv")?, place("documents.tsv")?];
    // Where each document is asked for first: file and line.
    let mut wanted: HashMap<String, (usize, u64)> = HashMap::new();
    let (mut asked, mut graded, mut failed) = (HashSet::new(), 0u64, None);
    for (file, path) in options.queries.iter().enumerate() {
        let reader = compressed::open(path, &progress)?;
        let read = tsv::read_lines_of(path, reader, |line, text| {
            let Line { src_id, src_query, tgt_results } = serde_json::from_str(text).map_err(|error| {
                format!("{error}; expected {{\"src_id\", \"src_query\", \"tgt_results\": [[id, grade], ...]}}")
            })?;
            let id = src_id.into_text()?;
            if !src_query.contains(char::is_alphanumeric) {
                return Err(format!("query `{id}` has no words"));
            }
            stopped_by(queries.row(&[&id, &id, src_query.trim()]), &mut failed)?;
            let mut seen = HashSet::new();
            for (document, grade) in tgt_results {
                let document = document.into_text()?;
                if !(0.0..=MOST_GRADE).contains(&grade) {
                    return Err(format!("grade {grade}, expected one from 0 to {MOST_GRADE}"));
                }
                if !seen.insert(document.clone()) {
                    return Err(format!("document `{}` is graded twice", shown(&document)));
                }
                let least = [1.0, f64::from(options.relevant)];
                let grade = match options.keep_grades {
                    true => grade.round() as usize,
                    false => least.iter().filter(|&&least| grade >= least).count(),
                };
                let grade = grade.to_string();
                stopped_by(relevance.row(&[&id, &document, &grade]), &mut failed)?;
                graded += 1;
                wanted.entry(document).or_insert((file, line));
            }
            match asked.insert(id) {
                true => Ok(()),
                false => Err("a duplicate query".into()),
            }
        });
        failed.take().map_or(read, Err)?;
    }
    let mut found = 0u64;
    let reader = compressed::open(&options.documents, &progress)?;
    let read = tsv::read_lines_of(&options.documents, reader, |_, text| {
        let (id, text) = text
            .split_once('\t')
            .ok_or_else(|| format!("`{}`, expected id, tab, text", shown(text)))?;
        match wanted.remove(id) {
            Some(_) => {
                found += 1;
                stopped_by(documents.row(&[id, id, text.trim()]), &mut failed)
            }
            None => Ok(()),
        }
    });
    failed.map_or(read, Err)?;
    if let Some((document, &(file, line))) = wanted.iter().min_by_key(|(_, place)| **place) {
        let documents = options.documents.display();
        let problem = format!("document `{}` is not in {documents}", shown(document));
        return Err(Error::Line { path: options.queries[file].clone(), line, problem });
    }
    whole::finish([documents, relevance, queries])?;
    progress.finish(&format!("{} queries, {found} documents, {graded} grades", asked.len()));
    Ok(())
}
