//! `statistics`: the data of folders in numbers (paper 1, Table 1).

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use smooth_clir::text;

use crate::data::Collection;
use crate::error::Error;
use crate::terminal::output;

/// Any grade that a file may have.
const GRADES: usize = 256;

/// `statistics`
#[derive(Debug, Args)]
pub struct Statistics {
    /// Folders of queries.tsv, documents.tsv and relevance.tsv
    #[arg(required = true)]
    pub data: Vec<PathBuf>,
    /// Print one JSON object, of lists
    #[arg(long)]
    pub json: bool,
}

/// Texts in numbers.
#[derive(Debug, Clone, PartialEq)]
struct Texts {
    count: usize,
    /// Those whose text another one before them has.
    copies: usize,
    words: usize,
    vocabulary: usize,
}

impl Texts {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let (mut seen, mut vocabulary) = (HashSet::new(), HashSet::new());
        let (mut count, mut words) = (0, 0);
        for text in texts {
            count += 1;
            seen.insert(text);
            for token in text::tokens(text) {
                words += 1;
                vocabulary.insert(token);
            }
        }
        Self { count, copies: count - seen.len(), words, vocabulary: vocabulary.len() }
    }

    fn mean_words(&self) -> f64 {
        self.words as f64 / self.count.max(1) as f64
    }
}

/// Prints a row for each folder.
pub fn run(arguments: &Statistics) -> Result<(), Error> {
    let mut folders = Vec::new();
    for path in &arguments.data {
        // Nothing depends on the language here.
        let collection = Collection::read(path, "en", GRADES)?;
        folders.push((path.display().to_string(), statistics(collection)));
    }
    if arguments.json {
        let named = folders.into_iter().map(|(folder, mut statistics)| {
            statistics["folder"] = json!(folder);
            statistics
        });
        output::json(&json!({ "folders": named.collect::<Vec<_>>() }));
    } else {
        print!("{}", to_table(&folders));
    }
    Ok(())
}

fn statistics(mut collection: Collection) -> Value {
    let queries = Texts::of(collection.queries.iter().map(|query| &query.text[..]));
    let documents = Texts::of(collection.documents.iter().map(|document| &document.text[..]));
    let graded = |wanted: &dyn Fn(u8) -> bool| {
        collection.judged.iter().flatten().filter(|graded| wanted(graded.grade)).count()
    };
    let has_relevant = |list: &&Vec<_>| {
        list.iter().any(|graded: &smooth_clir::training::corpus::Graded| graded.grade >= 2)
    };
    let with_relevant = collection.judged.iter().filter(has_relevant).count();
    let highest = collection.judged.iter().flatten().map(|graded| graded.grade).max();
    let per_query = |count: usize| count as f64 / queries.count.max(1) as f64;
    let (relevant, partially) = (graded(&|grade| grade >= 2), graded(&|grade| grade == 1));
    let counts: Vec<usize> =
        (0..=highest.unwrap_or(0)).map(|wanted| graded(&|grade| grade == wanted)).collect();
    let most =
        |titles: &mut dyn Iterator<Item = &str>| -> usize { titles.collect::<HashSet<_>>().len() };
    let titles = most(&mut collection.queries.iter().map(|query| &query.title[..]));
    collection.group_by_clusters();
    let clusters = most(&mut collection.queries.iter().map(|query| &query.title[..]));
    json!({
        "clusters": clusters,
        "document-copies": documents.copies,
        "document-vocabulary": documents.vocabulary,
        "documents": documents.count,
        "mean-document-words": documents.mean_words(),
        "mean-query-words": queries.mean_words(),
        "pairs-by-grade": counts,
        "partially-relevant-per-query": per_query(partially),
        "queries": queries.count,
        "queries-with-relevant": with_relevant,
        "query-copies": queries.copies,
        "query-vocabulary": queries.vocabulary,
        "relevant-per-query": per_query(relevant),
        "titles": titles,
    })
}

fn to_table(folders: &[(String, Value)]) -> String {
    let mut text = String::from(
        "| folder | queries | MR/query | SR/query | documents | words/query | words/document | query vocabulary | document vocabulary | document copies | titles | clusters |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (folder, statistics) in folders {
        let mean = |name: &str| statistics[name].as_f64().unwrap_or_default();
        text.push_str(&format!(
            "| {folder} | {} | {:.2} | {:.2} | {} | {:.1} | {:.1} | {} | {} | {} | {} | {} |\n",
            statistics["queries"],
            mean("relevant-per-query"),
            mean("partially-relevant-per-query"),
            statistics["documents"],
            mean("mean-query-words"),
            mean("mean-document-words"),
            statistics["query-vocabulary"],
            statistics["document-vocabulary"],
            statistics["document-copies"],
            statistics["titles"],
            statistics["clusters"],
        ));
    }
    text
}
