//! `search`: the best documents for a query.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use serde_json::json;
use smooth_clir::engine::{Asked, Engine, Search, Token};
use smooth_clir::index::{Filter, texts_file};
use smooth_clir::scan::Scored;

use crate::cli;
#[cfg(feature = "clickhouse")]
use crate::clickhouse::{self, Cluster, Documents};
use crate::error::Error;
use crate::files;
use crate::segments;

/// Prints the best documents, or why there are none.
pub fn run(arguments: &cli::Search) -> Result<(), Error> {
    match search(arguments) {
        // Its segments were put together meanwhile: others have their texts.
        Err(Error::Read { source, .. })
            if source.kind() == ErrorKind::NotFound && segments::is_in(&arguments.index) =>
        {
            search(arguments)
        }
        done => done,
    }
}

/// The best documents, as they are found here.
#[cfg(not(feature = "clickhouse"))]
fn rank(
    _: &cli::Search,
    engine: &Engine,
    asked: &mut Asked,
    search: Search<'_>,
) -> Result<Vec<Scored>, Error> {
    Ok(engine.rank(asked, search)?)
}

/// The best documents, as they are found here or on other machines.
#[cfg(feature = "clickhouse")]
fn rank(
    arguments: &cli::Search,
    engine: &Engine,
    asked: &mut Asked,
    search: Search<'_>,
) -> Result<Vec<Scored>, Error> {
    let Some(servers) = &arguments.engine else { return Ok(engine.rank(asked, search)?) };
    if !search.filters.is_empty() {
        let problem = "--filter: fields are not exported; search without --engine";
        return Err(Error::Usage(problem.into()));
    }
    if engine.has_lexical_scores() && search.dense != Some(1.0) {
        let problem = "--engine: the documents have lexical scores, which are not exported; for vectors alone add --dense 1";
        return Err(Error::Usage(problem.into()));
    }
    let epsilon = search.epsilon.unwrap_or(engine.model().config.epsilon);
    let cluster = Cluster::find(&servers.0, &arguments.clickhouse)?;
    let documents = Documents::new(engine.indexes(), epsilon)?;
    clickhouse::best(&cluster, &documents, engine, asked, search)
}

fn search(arguments: &cli::Search) -> Result<(), Error> {
    let mut engine = Engine::new(files::read_model(&arguments.model)?)?;
    let mut folders = Vec::new();
    for (index, folder) in segments::open(&arguments.index)? {
        let path = folder.clone().unwrap_or_else(|| arguments.index.clone());
        engine.add(index).map_err(|source| Error::File { path, source })?;
        folders.push(folder);
    }
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in &arguments.filters {
        values.entry(name).or_default().push(value);
    }
    let filters: Vec<Filter<'_>> =
        values.iter().map(|(name, values)| Filter { name, values }).collect();
    let search = Search {
        query: &arguments.query,
        epsilon: arguments.epsilon,
        limit: arguments.limit,
        language: arguments.language.as_deref(),
        dense: arguments.dense,
        filters: &filters,
    };
    let mut asked = engine.ask(search.query)?;
    let ranked = rank(arguments, &engine, &mut asked, search)?;
    for (index, block) in engine.missing(&ranked) {
        if let Some(folder) = &folders[index] {
            let refused = |source| Error::File { path: folder.join(texts_file(block)), source };
            engine.add_texts(index, segments::open_texts(folder, block)?).map_err(refused)?;
        }
    }
    let hits = engine.hits(&asked, search.epsilon, &ranked)?;
    let tokens = engine.tokens(&arguments.query)?;
    if arguments.json {
        let hit = |hit: &smooth_clir::engine::Hit<'_>| {
            let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for &(name, value) in &hit.fields {
                fields.entry(name).or_default().push(value);
            }
            json!({
                "fields": fields, "id": hit.id, "language": hit.language, "title": hit.title, "text": hit.text,
                "score": hit.score, "similarity": hit.similarity, "lexical": hit.lexical, "dot": hit.dot, "documentNorm": hit.document_norm,
            })
        };
        let token = |of: &Token| json!({ "token": of.token, "known": of.known, "meant": of.meant });
        let hits: Vec<_> = hits.iter().map(hit).collect();
        let tokens: Vec<_> = tokens.iter().map(token).collect();
        println!("{}", json!({ "hits": hits, "tokens": tokens }));
        return Ok(());
    }
    let unknown: Vec<&str> =
        tokens.iter().filter(|of| !of.known).map(|of| of.token.as_str()).collect();
    for of in &tokens {
        if let Some(meant) = &of.meant {
            eprintln!("{} is taken for {meant}", of.token);
        }
    }
    if tokens.is_empty() {
        eprintln!("nothing found: the query has no words");
    } else if unknown.len() == tokens.len() {
        eprintln!("nothing found: the model knows none of {}", unknown.join(", "));
    } else if !unknown.is_empty() {
        eprintln!("not known to the model, left out: {}", unknown.join(", "));
    }
    for hit in hits {
        println!("{:.4}\t{}\t{}\t{}", hit.score, hit.language, hit.id, hit.title);
    }
    Ok(())
}
