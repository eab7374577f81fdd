//! Metrics of a run.

use std::collections::{BTreeMap, HashMap};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use smooth_clir::ranking::measured::Measured;
use smooth_clir::ranking::metrics::{Metric, trec_order};

use crate::error::Error;

/// The largest grade; a negative one means unjudged.
const GRADES: i64 = 255;

/// The metrics of a run: of each query its documents with their scores.
///
/// `qrels` has of each query its judged documents with their grades. All its queries count, those that the run lacks as
/// zero; without `metrics`, the first paper's seven, of the queries with a document of grade 2. Ties in a score are
/// broken as trec_eval does. Returns `{"queries": n, "metrics": {name: mean}}`, and with `per_query` also
/// `"per_query": {query: {name: value}}`.
#[pyfunction]
#[pyo3(signature = (run, qrels, metrics = None, *, per_query = false))]
pub fn evaluate<'py>(
    py: Python<'py>,
    run: BTreeMap<String, HashMap<String, f32>>,
    qrels: BTreeMap<String, HashMap<String, i64>>,
    metrics: Option<Vec<String>>,
    per_query: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let named = metrics.unwrap_or_default();
    let named = named.iter().map(|name| name.parse().map_err(Error::from));
    let named: Vec<Metric> = named.collect::<Result<_, Error>>()?;
    let measured = Measured::new(&named);
    let values = py.detach(|| values(&run, &qrels, &measured))?;
    let names = measured.names();
    let mut sums = vec![0.0; names.len()];
    for (_, values) in &values {
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let means = PyDict::new(py);
    for (name, sum) in names.iter().zip(sums) {
        means.set_item(name, sum / values.len() as f64)?;
    }
    let result = PyDict::new(py);
    result.set_item("queries", values.len())?;
    result.set_item("metrics", means)?;
    if per_query {
        let queries = PyDict::new(py);
        for (query, values) in values {
            let of_query = PyDict::new(py);
            for (name, value) in names.iter().zip(values) {
                of_query.set_item(name, value)?;
            }
            queries.set_item(query, of_query)?;
        }
        result.set_item("per_query", queries)?;
    }
    Ok(result)
}

/// The values of each query that counts, in the order of their ids.
fn values<'a>(
    run: &BTreeMap<String, HashMap<String, f32>>,
    qrels: &'a BTreeMap<String, HashMap<String, i64>>,
    measured: &Measured,
) -> Result<Vec<(&'a str, Vec<f64>)>, Error> {
    let wrong = |problem: String| Error::Other("invalid-argument", problem);
    if run.is_empty() {
        return Err(wrong("`run` has no queries".into()));
    }
    if !qrels.is_empty() && run.keys().all(|query| !qrels.contains_key(query)) {
        return Err(wrong("none of the queries of `run` is in `qrels`".into()));
    }
    let mut all = Vec::new();
    for (query, judged) in qrels {
        let mut grades = HashMap::with_capacity(judged.len());
        for (document, &grade) in judged {
            if grade > GRADES {
                let problem =
                    format!("grade {grade} of `{query}` and `{document}` is over {GRADES}");
                return Err(wrong(problem));
            }
            // In range: from 0 to 255.
            grades.insert(document.clone(), grade.max(0) as u8);
        }
        let scores = run.get(query).into_iter().flatten();
        let mut ranked: Vec<(&str, f32)> =
            scores.map(|(document, &score)| (&**document, score)).collect();
        if let Some((document, score)) = ranked.iter().find(|(_, score)| !score.is_finite()) {
            let problem =
                format!("score {score} of `{query}` and `{document}` is not a finite number");
            return Err(wrong(problem));
        }
        ranked.sort_unstable_by(|&a, &b| trec_order(a, b));
        let ranked = ranked.iter().map(|(document, _)| *document);
        if let Some(values) = measured.of_query(ranked, &grades) {
            all.push((&**query, values));
        }
    }
    if all.is_empty() {
        let problem = match measured {
            Measured::Paper => {
                "no query of `qrels` has a document of grade 2: metrics of lower grades have names, such as ndcg@10"
            }
            Measured::Named(_) => "`qrels` has no queries",
        };
        return Err(wrong(problem.into()));
    }
    Ok(all)
}
