//! `search`: the best documents for a query.

#[cfg(feature = "clickhouse")]
use crate::clickhouse::Clickhouse;
#[cfg(feature = "clickhouse")]
use crate::clickhouse::{self, Cluster, Documents};
use crate::error::Error;
use crate::search::filter;
use crate::search::{Found, Question, Searcher};
use crate::segments;
use crate::terminal::output::{in_line, json};
use crate::terminal::values::{dense, epsilon, language};
use clap::Args;
use smooth_clir::engine::Hit;
use std::path::PathBuf;

/// `search`
#[derive(Debug, Args)]
pub struct Search {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// An index that the model made
    pub index: PathBuf,
    /// The query
    pub query: String,
    /// Only documents with this value in this field; repeated for one field, any of the values
    #[arg(long = "filter", value_name = "FIELD=VALUE", value_parser = filter)]
    pub filters: Vec<(String, String)>,
    /// The language of the query: en, or one of the model; without it, it is detected
    #[arg(long, value_parser = language)]
    pub query_language: Option<String>,
    /// Epsilon, if not the model's own
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// The weight of the dense score, from 0 (lexical score alone) to 1 (dense score alone), if not
    /// the model's own
    #[arg(long, value_name = "SHARE", value_parser = dense, allow_negative_numbers = true)]
    pub dense: Option<f32>,
    /// The largest number of documents
    #[arg(long, default_value_t = 10, allow_negative_numbers = true)]
    pub limit: usize,
    /// Documents of one language only
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Search on the servers that the index was exported to, in the same order; http://HOST:PORT of
    /// each
    #[cfg(feature = "clickhouse")]
    #[arg(long, value_name = "clickhouse=URL,URL...", value_parser = engine)]
    pub engine: Option<Servers>,
    /// The connection to the servers
    #[cfg(feature = "clickhouse")]
    #[command(flatten)]
    pub clickhouse: Clickhouse,
}

/// The addresses of servers.
#[cfg(feature = "clickhouse")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Servers(pub Vec<String>);

/// Prints the best documents, or why there are none.
pub fn run(arguments: &Search) -> Result<(), Error> {
    match search(arguments) {
        // Its segments were put together meanwhile: others have their texts.
        Err(error) if error.is_of_missing_file() && segments::is_in(&arguments.index) => {
            search(arguments)
        }
        done => done,
    }
}

/// The best documents, as they are found here.
#[cfg(not(feature = "clickhouse"))]
fn found<'a>(_: &Search, searcher: &'a Searcher, question: &Question) -> Result<Found<'a>, Error> {
    searcher.search(question)
}

/// The best documents, as they are found here or on other machines.
#[cfg(feature = "clickhouse")]
fn found<'a>(
    arguments: &Search,
    searcher: &'a Searcher,
    question: &Question,
) -> Result<Found<'a>, Error> {
    let Some(servers) = &arguments.engine else { return searcher.search(question) };
    searcher.search_by(question, |engine, encoded, search| {
        if !search.filters.is_empty() {
            let problem = "--filter: fields are not exported; search without --engine";
            return Err(Error::Usage(problem.into()));
        }
        let epsilon = search.epsilon.unwrap_or(engine.model().config.epsilon);
        let cluster = Cluster::find(&servers.0, &arguments.clickhouse)?;
        let documents = Documents::new(engine.indexes(), epsilon)?;
        clickhouse::best(&cluster, &documents, engine, encoded, search)
    })
}

fn search(arguments: &Search) -> Result<(), Error> {
    let searcher = Searcher::open(&arguments.model, &arguments.index)?;
    let question = Question {
        query: arguments.query.clone(),
        query_language: arguments.query_language.clone(),
        epsilon: arguments.epsilon,
        dense: arguments.dense,
        limit: arguments.limit,
        language: arguments.language.clone(),
        filters: arguments.filters.clone(),
    };
    let found = found(arguments, &searcher, &question)?;
    if arguments.json {
        json(&found.to_json());
        return Ok(());
    }
    let Found { hits, tokens } = found;
    let unknown: Vec<&str> =
        tokens.iter().filter(|token| !token.known).map(|token| token.token.as_str()).collect();
    for token in &tokens {
        if let Some(interpreted) = &token.interpreted {
            eprintln!("{} is interpreted as {interpreted}", token.token);
        }
    }
    if tokens.is_empty() {
        eprintln!("no results: the query has no words");
    } else if unknown.len() == tokens.len() {
        eprintln!("no results: the model knows none of {}", unknown.join(", "));
    } else if !unknown.is_empty() {
        eprintln!("unknown words, ignored: {}", unknown.join(", "));
    }
    if !hits.is_empty() && !hits.iter().any(Hit::fits) {
        eprintln!("no document fits well; the nearest are:");
    }
    for hit in hits {
        let [language, id, title] = [hit.language, hit.id, hit.title].map(in_line);
        println!("{:.4}\t{language}\t{id}\t{title}", hit.score);
    }
    Ok(())
}

/// The engine of a search.
#[cfg(feature = "clickhouse")]
fn engine(text: &str) -> Result<Servers, String> {
    let servers = text.strip_prefix("clickhouse=").ok_or("expected clickhouse=URL,URL...")?;
    Ok(Servers(servers.split(',').map(str::to_owned).collect()))
}
