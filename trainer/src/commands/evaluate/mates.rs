//! `evaluate --pairs`: finds each text's mate among all texts of its set, in both directions.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use smooth_clir::model::Model;

use crate::data::Direction;
use crate::data::tsv;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;
use crate::evaluation::mates::find_mates;
use crate::terminal::output;
use crate::terminal::phase::Phases;

/// The texts of a set: place by place, each other's mates.
#[derive(Default)]
struct Set {
    english: Vec<String>,
    foreign: Vec<String>,
}

/// Prints accuracy@1 and MRR of each set.
pub fn run(
    model: &Model,
    path: &Path,
    language: &str,
    dense: Option<f32>,
    as_json: bool,
) -> Result<(), Error> {
    let mut sets: BTreeMap<String, Set> = BTreeMap::new();
    tsv::read(path, ["set", "group", "id", "en", "xx"], |_, [set, _, _, english, foreign]| {
        let set = sets.entry(set.into()).or_default();
        set.english.push(english.into());
        set.foreign.push(foreign.into());
        Ok(())
    })?;
    if sets.is_empty() {
        return Err(Error::data(
            path,
            "no lines; expected set, group, id, English and foreign text",
        ));
    }
    let mut results = serde_json::Map::new();
    for (name, set) in &sets {
        let english: Vec<&str> = set.english.iter().map(String::as_str).collect();
        let foreign: Vec<&str> = set.foreign.iter().map(String::as_str).collect();
        let found = |direction, [from, to]: [&[&str]; 2], texts: &[String]| {
            let asked = (language, direction);
            let hybrid = Hybrid::watched(model, asked, [from, to], dense, Phases::Shown)?;
            let ranking = Phases::Shown.phase("ranking", to.len(), "texts");
            Ok::<_, Error>(find_mates(texts, |at| {
                ranking.step(1);
                hybrid.scores(at, 0..to.len())
            }))
        };
        let there = found(Direction::Forward, [&english, &foreign], &set.foreign)?;
        let back = found(Direction::Back, [&foreign, &english], &set.english)?;
        if !as_json {
            println!(
                "{name:<24}{:>7} pairs   en-{language} accuracy@1 {:.4} MRR {:.4}   {language}-en accuracy@1 {:.4} MRR {:.4}",
                set.english.len(),
                there.accuracy,
                there.mrr,
                back.accuracy,
                back.mrr
            );
        }
        results.insert(
            name.clone(),
            json!({
                format!("en-{language}"): { "accuracy@1": there.accuracy, "MRR": there.mrr },
                format!("{language}-en"): { "accuracy@1": back.accuracy, "MRR": back.mrr },
            }),
        );
    }
    if as_json {
        output::json(&json!({ "sets": Value::Object(results) }));
    }
    Ok(())
}
