//! `evaluate --pairs`: finds each text's mate among all texts of its set, in both directions.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use smooth_clir::model::Model;

use crate::cli::Direction;
use crate::data::tsv;
use crate::error::Error;
use crate::halves::Halves;
use crate::mates::find_mates;

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
        let side = String::as_str;
        let (english, foreign) = ((&set.english[..], side), (&set.foreign[..], side));
        let there = Halves::new(model, (language, Direction::Forward), english, foreign, dense)?;
        let there = find_mates(&set.foreign, |at| there.scores(at, 0..set.foreign.len()));
        let back = Halves::new(model, (language, Direction::Back), foreign, english, dense)?;
        let back = find_mates(&set.english, |at| back.scores(at, 0..set.english.len()));
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
        println!("{}", json!({ "sets": Value::Object(results) }));
    }
    Ok(())
}
