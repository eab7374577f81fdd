//! A row of `compare --methods`: a method's setting chosen on the validation queries, and how the test
//! queries rank with it over several seeds.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::data::Split;
use crate::error::Error;
use crate::methods::{
    Epsilon, Figures, Method, MethodName, OfQueries, Part, Task, Trained, choose_epsilon,
};
use crate::statistics::DRAWS;
use crate::statistics::bootstrap::interval_of_mean;
use crate::statistics::seeds::spread;
use crate::terminal::values::name_of;

/// Fixes the draws of intervals.
const SEED: u64 = 1;

/// What a row holds: for reports, and for comparisons with other rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Figures.
    pub json: Value,
    /// For each of its figures, of each test query the group and the number, averaged over seeds.
    pub values: Vec<Vec<(String, f64)>>,
}

impl Row {
    /// What [`to_json`](Self::to_json) wrote.
    pub fn from_json(stored: &Value) -> Self {
        let value = |entry: &Value| Some((entry[0].as_str()?.to_owned(), entry[1].as_f64()?));
        let figures = stored["values"].as_array().into_iter().flatten();
        let values = figures
            .map(|values| values.as_array().into_iter().flatten().filter_map(value).collect());
        Self { json: stored["row"].clone(), values: values.collect() }
    }

    /// All of it.
    pub fn to_json(&self) -> Value {
        json!({ "row": self.json, "values": self.values })
    }

    /// How one of its figures differs from another row's on the same test queries, with the 95 % interval over groups.
    pub fn difference(&self, other: &Self, figure: usize) -> Option<Value> {
        let [own, other] = [self, other].map(|row| row.values.get(figure));
        let (own, other) = (own?, other?);
        let same = own.len() == other.len();
        let pairs = own.iter().zip(other);
        let values: Vec<(&str, f64)> =
            pairs.map(|((group, x), (_, y))| (&group[..], x - y)).collect();
        same.then(|| mean_with_interval(&values)).flatten()
    }
}

/// Trains with each setting by seed 1, chooses the one that ranks validation queries best, trains with it by
/// the other seeds and ranks for the test queries. Gives the first seed's training too.
///
/// # Errors
/// If a training fails, or there is nothing to rank.
pub fn best(
    name: MethodName,
    tried: &[Method],
    task: &mut Task,
    seeds: u64,
    out: Option<&Path>,
) -> Result<(Row, Trained), Error> {
    let percent = task.part.percent;
    let mut best: Option<(f64, Method, Attempt)> = None;
    for &method in tried {
        let attempt = Attempt::new(method, task, 1, out)?;
        let merit = match (&attempt.epsilon, tried.len()) {
            (Some(epsilon), _) => epsilon.merit,
            (None, 1) => 0.0,
            _ => Figures::of(&attempt.trained, task, Split::Validation)?.merit(),
        };
        let name = name_of(name);
        // A method without a choice is not validated.
        let validated = match (&attempt.epsilon, tried.len()) {
            (None, 1) => String::new(),
            _ => format!(", validation {merit:.4}"),
        };
        eprintln!(
            "{}, {percent} %: {name}, {method}: {:.1} s{validated}",
            task.name, attempt.seconds
        );
        if best.as_ref().is_none_or(|(most, ..)| merit > *most) {
            best = Some((merit, method, attempt));
        }
    }
    let nothing = || Error::Usage("--trials must be at least 1".into());
    let (_, method, mut first) = best.ok_or_else(nothing)?;
    let seeds = match (name.learns(), name.depends_on_seed() || percent < 100) {
        (true, true) => seeds,
        _ => 1,
    };
    let mut tested = vec![Tested::new(&mut first, task)?];
    let (mut seconds, mut epsilons) = (first.seconds, vec![first.epsilon]);
    for seed in 2..=seeds {
        let mut attempt = Attempt::new(method, task, seed, out)?;
        tested.push(Tested::new(&mut attempt, task)?);
        seconds += attempt.seconds;
        epsilons.push(attempt.epsilon);
    }
    let trained = first.trained;
    let row = row(name, (method, &trained), (tried.len(), &epsilons, seconds), &tested, percent)?;
    Ok((row, trained))
}

/// A training by a seed, with its epsilon chosen where there is one to choose.
struct Attempt {
    trained: Trained,
    epsilon: Option<Epsilon>,
    seconds: f64,
}

impl Attempt {
    fn new(method: Method, task: &mut Task, seed: u64, out: Option<&Path>) -> Result<Self, Error> {
        task.part = Part { seed, ..task.part };
        let begun = Instant::now();
        let mut trained = method.train(task, seed, out)?;
        let seconds = begun.elapsed().as_secs_f64();
        let epsilon = match method.chooses_epsilon() {
            true => choose_epsilon(&mut trained, task)?,
            false => None,
        };
        Ok(Self { trained, epsilon, seconds })
    }
}

/// How the test queries rank, and how they do by cosine where another epsilon was chosen.
struct Tested {
    figures: Figures,
    cosine: Option<Figures>,
}

impl Tested {
    fn new(attempt: &mut Attempt, task: &Task) -> Result<Self, Error> {
        let Attempt { trained, epsilon, .. } = attempt;
        let figures = Figures::of(trained, task, Split::Test)?;
        let cosine = match epsilon {
            Some(epsilon) if epsilon.value > 0.0 => {
                trained.set_epsilon(0.0);
                let cosine = Figures::of(trained, task, Split::Test)?;
                trained.set_epsilon(epsilon.value);
                Some(cosine)
            }
            Some(_) => Some(figures.clone()),
            None => None,
        };
        Ok(Self { figures, cosine })
    }
}

fn row(
    name: MethodName,
    (method, trained): (Method, &Trained),
    (tried, epsilons, seconds): (usize, &[Option<Epsilon>], f64),
    tested: &[Tested],
    percent: u8,
) -> Result<Row, Error> {
    let nothing = || Error::Usage("--seeds must be at least 1".into());
    let each: Vec<Figures> = tested.iter().map(|tested| tested.figures.clone()).collect();
    let figures = Figures::mean(&each).ok_or_else(nothing)?;
    let shares: Vec<f64> =
        epsilons.iter().flatten().map(|epsilon| crate::theory::decimal(epsilon.share)).collect();
    let cosine: Option<Vec<Figures>> = tested.iter().map(|tested| tested.cosine.clone()).collect();
    let cosine = cosine.and_then(|each| Figures::mean(&each));
    let reported = (0..figures.parts.len()).map(|part| reported(&figures, &each, part));
    let reported: Vec<Value> = reported.collect();
    let mut json = json!({
        "method": name_of(name),
        "setting": format!("{method}{}", trained.chosen()),
        "settings tried": tried,
        "share": percent,
        "seeds": tested.len(),
        "MRR": figures.mrr(),
        "figures": reported,
        "en-xx": figures.there.to_json(),
        "xx-en": figures.back.to_json(),
        "seconds": seconds / tested.len() as f64,
        "bytes": trained.bytes(),
    });
    if let Some(sampled) = figures.sampled {
        json["sampled"] = Value::Object(sampled.to_json());
    }
    if let Some(cosine) = cosine {
        let pairs = figures.parts[0].values.iter().zip(&cosine.parts[0].values);
        let gains: Vec<(&str, f64)> =
            pairs.map(|((group, x), (_, y))| (&group[..], x - y)).collect();
        json["epsilon"] = json!({ "shares": shares, "gain": mean_with_interval(&gains) });
    }
    let values = figures.parts.into_iter().map(|part| part.values).collect();
    Ok(Row { json, values })
}

/// A figure's mean over trainings with its interval, and how far it spreads over them.
fn reported(mean: &Figures, each: &[Figures], part: usize) -> Value {
    let OfQueries { name, values } = &mean.parts[part];
    let values: Vec<(&str, f64)> = values.iter().map(|(group, x)| (&group[..], *x)).collect();
    let of_training = |figures: &Figures| {
        let values = &figures.parts[part].values;
        values.iter().fold(0.0, |sum, (_, x)| sum + x) / values.len() as f64
    };
    let trainings: Vec<f64> = each.iter().map(of_training).collect();
    let mut reported = mean_with_interval(&values).unwrap_or_else(|| json!({}));
    reported["name"] = json!(name);
    reported["deviation"] = json!(spread(&trainings).and_then(|spread| spread.deviation));
    reported
}

/// A mean with the ends of its 95 % interval over groups.
fn mean_with_interval(values: &[(&str, f64)]) -> Option<Value> {
    let interval = interval_of_mean(values, DRAWS, SEED)?;
    let mean = values.iter().fold(0.0, |sum, (_, x)| sum + x) / values.len() as f64;
    Some(json!({ "mean": mean, "low": interval.low, "high": interval.high }))
}
