//! `evaluate --pairs`: finds each text's mate among all texts of its set, in both directions.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde_json::{Value, json};
use smooth_clir::model::Model;

use crate::data::tsv;
use crate::error::Error;
use crate::ranking::Encoded;

/// The texts of a set: place by place, each other's mates.
#[derive(Default)]
struct Set {
    english: Vec<String>,
    foreign: Vec<String>,
}

/// How often, and how high, mates are found.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    accuracy: f64,
    mrr: f64,
}

/// Prints accuracy@1 and MRR of each set.
pub fn run(model: &Model, path: &Path, language: &str, as_json: bool) -> Result<(), Error> {
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
        let query_side = model.query_encoder()?;
        let document_side = model.document_encoder(language)?;
        let english = Encoded::of_texts(query_side, &set.english, String::as_str);
        let foreign = Encoded::of_texts(document_side, &set.foreign, String::as_str);
        let epsilon = model.config.epsilon;
        let there = find_mates(&english, &foreign, &set.foreign, epsilon);
        let back = find_mates(&foreign, &english, &set.english, epsilon);
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

/// Ranks all of `to` for each of `from`. A mate with g rivals above it and e tied with it counts
/// as every place from g + 1 to g + 1 + e alike; rivals whose text is the mate's are left out.
fn find_mates(from: &Encoded, to: &Encoded, texts: &[String], epsilon: f32) -> Found {
    let found = |place: usize| {
        let mate = from.score(place, to, place, epsilon);
        let (mut above, mut tied) = (0, 0);
        for rival in (0..to.len()).filter(|&rival| texts[rival] != texts[place]) {
            let score = from.score(place, to, rival, epsilon);
            above += usize::from(score > mate);
            tied += usize::from(score == mate);
        }
        expected(above, tied)
    };
    let each: Vec<Found> = (0..from.len()).into_par_iter().map(found).collect();
    let mean = |value: fn(&Found) -> f64| {
        each.iter().map(value).fold(0.0, |sum, x| sum + x) / each.len() as f64
    };
    Found { accuracy: mean(|found| found.accuracy), mrr: mean(|found| found.mrr) }
}

/// What a mate with `above` rivals over it and `tied` beside it is worth on average.
fn expected(above: usize, tied: usize) -> Found {
    let places = above + 1..=above + 1 + tied;
    let mrr = places.map(|place| 1.0 / place as f64).fold(0.0, |sum, x| sum + x);
    let share = 1.0 / (1 + tied) as f64;
    Found { accuracy: if above == 0 { share } else { 0.0 }, mrr: mrr * share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_worth_the_mean_of_their_places() {
        assert_eq!(expected(0, 0), Found { accuracy: 1.0, mrr: 1.0 });
        assert_eq!(expected(0, 1), Found { accuracy: 0.5, mrr: 0.75 });
        assert_eq!(expected(1, 0), Found { accuracy: 0.0, mrr: 0.5 });
        assert_eq!(expected(1, 1), Found { accuracy: 0.0, mrr: (0.5 + 1.0 / 3.0) / 2.0 });
    }
}
