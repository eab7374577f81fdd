//! `search`: the best documents for a query.

use std::io::ErrorKind;

use crate::cli;
use crate::error::Error;
use crate::searcher::{Found, Question, Searcher};
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

fn search(arguments: &cli::Search) -> Result<(), Error> {
    let searcher = Searcher::open(&arguments.model, &arguments.index)?;
    let question = Question {
        query: arguments.query.clone(),
        epsilon: arguments.epsilon,
        dense: arguments.dense,
        limit: arguments.limit,
        language: arguments.language.clone(),
        filters: arguments.filters.clone(),
    };
    let found = searcher.search(&question)?;
    if arguments.json {
        println!("{}", found.to_json());
        return Ok(());
    }
    let Found { hits, tokens } = found;
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
