//! `compare --methods`: the second paper's method, its rivals and the first paper's, side by side.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value, json};
use smooth_clir::metrics::NAMES;

use super::experiment::{one_number_of_negatives, one_split};
use crate::cli::{self, name_of};
use crate::data::comparable::Comparable;
use crate::data::{Collection, Split, builtin};
use crate::error::Error;
use crate::files;
use crate::methods::{Figures, Lexicon, Method, MethodName, Task, Trained};
use crate::train::Drawing;

/// The grades of folders: irrelevant, partially relevant, relevant.
const GRADES: usize = 3;
/// Fixes what methods begin with.
const SEED: u64 = 1;
/// The kinds of tasks in a folder of corpora.
const GRADED: [&str; 2] = ["documents", "verses"];

/// How a method did.
struct Row {
    name: String,
    method: Method,
    figures: Figures,
    seconds: f64,
    bytes: usize,
    tried: usize,
}

/// Trains each method with each setting, chooses the setting on the validation queries, and tells
/// how the test queries rank.
pub fn compare(arguments: &cli::Compare) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    one_number_of_negatives(common)?;
    let drawing = Drawing {
        seed: common.split_seed,
        by: common.split_by[0],
        negatives: common.negatives.from as usize,
    };
    if let Some(out) = &common.out {
        files::make_folder(out)?;
    }
    let mut results = Vec::new();
    for task in tasks(arguments, drawing)? {
        let mut rows = Vec::new();
        for &name in &arguments.methods {
            let (row, trained) = best(name, &task, arguments)?;
            if let (Some(path), Some(file)) = (model_path(&task, name, arguments), trained.file()) {
                files::write(&path, &file)?;
            }
            rows.push(row);
        }
        if !arguments.json {
            println!("{}", to_table(&task, &rows));
        }
        results.push(to_json(&task, &rows));
    }
    let results = json!({ "tasks": results });
    if let Some(out) = &common.out {
        files::write(&out.join("results.json"), results.to_string().as_bytes())?;
    }
    if arguments.json {
        println!("{results}");
    }
    Ok(())
}

/// The setting of a method that ranks validation queries best, and how test queries rank with it.
fn best(name: MethodName, task: &Task, arguments: &cli::Compare) -> Result<(Row, Trained), Error> {
    let most = arguments.most_numbers.map_or(usize::MAX, |most| most as usize);
    let methods = name.methods(task.training_places().len(), most);
    let tried = methods.len().min(arguments.tries as usize);
    let mut best: Option<(f64, Method, Trained, f64)> = None;
    for &method in &methods[..tried] {
        let begun = Instant::now();
        let trained = method.train(task, SEED, model_path(task, name, arguments).as_deref())?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut told = format!("{}: {}, {method}: {seconds:.1} s", task.name, name_of(name));
        let merit = match tried {
            1 => 0.0,
            _ => Figures::of(&trained, task, Split::Validation)?.merit(),
        };
        if tried > 1 {
            told += &format!(", validation {merit:.4}");
        }
        eprintln!("{told}");
        if best.as_ref().is_none_or(|(most, ..)| merit > *most) {
            best = Some((merit, method, trained, seconds));
        }
    }
    let nothing = || Error::Usage("--tries: at least 1".into());
    let (_, method, trained, seconds) = best.ok_or_else(nothing)?;
    let figures = Figures::of(&trained, task, Split::Test)?;
    let (name, bytes) = (name_of(name), trained.bytes());
    Ok((Row { name, method, figures, seconds, bytes, tried }, trained))
}

/// What there is to compare on: a folder of corpora (`sentences/en-xx.tsv`, `lexicon/en-xx.tsv`,
/// `documents/en-xx`, `verses/en-xx`), one of queries, documents and grades, or the built-in corpus.
fn tasks(arguments: &cli::Compare, drawing: Drawing) -> Result<Vec<Task>, Error> {
    let common = &arguments.common;
    let wanted = |language: &str| common.language.as_deref().is_none_or(|of| of == language);
    let task = |name: String,
                collection: Collection,
                lexicon: Option<&Path>|
     -> Result<Task, Error> {
        let lexicon = arguments.lexicon.as_deref().or(lexicon).map(Lexicon::read).transpose()?;
        Ok(Task { name, collection, drawing, sentences: Vec::new(), lexicon, is_comparable: false })
    };
    let Some(data) = &common.data else {
        let languages: Vec<String> =
            builtin::LANGUAGES.iter().filter(|of| wanted(of)).map(|&of| of.to_owned()).collect();
        let collections = builtin::collections(&languages, builtin::GRADES)?;
        let named = |of: Collection| task(format!("corpus en-{}", of.language), of, None);
        return collections.into_iter().map(named).collect();
    };
    let sentences = data.join("sentences");
    if !sentences.is_dir() {
        let language = common
            .language
            .as_deref()
            .ok_or_else(|| Error::Usage("name the documents' language with --language".into()))?;
        let collection = Collection::read(data, language, GRADES)?;
        return Ok(vec![task(format!("en-{language}"), collection, None)?]);
    }
    let mut tasks = Vec::new();
    for language in languages(&sentences)?.iter().filter(|language| wanted(language)) {
        let pair = format!("en-{language}");
        let lexicon =
            Some(data.join("lexicon").join(format!("{pair}.tsv"))).filter(|at| at.exists());
        let file = sentences.join(format!("{pair}.tsv"));
        if arguments.on.is_empty() || arguments.on.iter().any(|of| of == "comparable") {
            let Comparable { collection, sentences } = Comparable::read(&file, language)?;
            let task = task(format!("comparable {pair}"), collection, lexicon.as_deref())?;
            tasks.push(Task { sentences, is_comparable: true, ..task });
        }
        for kind in GRADED {
            let folder = data.join(kind).join(&pair);
            let asked = arguments.on.is_empty() || arguments.on.iter().any(|of| of == kind);
            if asked && folder.is_dir() {
                let collection = Collection::read(&folder, language, GRADES)?;
                tasks.push(task(format!("{kind} {pair}"), collection, lexicon.as_deref())?);
            }
        }
    }
    match tasks.is_empty() {
        true => Err(Error::data(data, "nothing to compare on in the language asked for")),
        false => Ok(tasks),
    }
}

/// The languages of the files `en-xx.tsv` in a folder, sorted.
fn languages(folder: &Path) -> Result<Vec<String>, Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    let mut languages = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        let language = name.strip_prefix("en-").and_then(|name| name.strip_suffix(".tsv"));
        languages.extend(language.map(str::to_owned));
    }
    languages.sort_unstable();
    Ok(languages)
}

fn to_json(task: &Task, rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let Figures { there, back, sampled } = &row.figures;
        let mut object = Map::new();
        object.insert("method".into(), json!(row.name));
        object.insert("setting".into(), json!(row.method.to_string()));
        object.insert("settings tried".into(), json!(row.tried));
        object.insert("MRR".into(), json!(row.figures.mrr()));
        object.insert("en-xx".into(), Value::Object(there.to_json()));
        object.insert("xx-en".into(), Value::Object(back.to_json()));
        if let Some(sampled) = sampled {
            object.insert("sampled".into(), Value::Object(sampled.to_json()));
        }
        object.insert("seconds".into(), json!(row.seconds));
        object.insert("bytes".into(), json!(row.bytes));
        Value::Object(object)
    };
    let pairs = task.training_places().len();
    let documents = task.collection.documents.len();
    let methods: Vec<Value> = rows.iter().map(row).collect();
    json!({ "task": task.name, "training pairs": pairs, "documents": documents, "methods": methods })
}

/// A table for people, in Markdown.
fn to_table(task: &Task, rows: &[Row]) -> String {
    let names: &[&str] = if task.is_comparable { &[] } else { &NAMES };
    let metrics = names.iter().map(|name| format!(" {name} |")).collect::<String>();
    let mut lines = vec![
        format!("{}: {} documents", task.name, task.collection.documents.len()),
        String::new(),
        format!("| method | setting | MRR | en-xx | xx-en |{metrics} seconds | MB |"),
        format!("|---|---|---|---|---|{}---|---|", "---|".repeat(names.len())),
    ];
    for row in rows {
        let Figures { there, back, sampled } = &row.figures;
        let mut cells = vec![row.name.clone(), row.method.to_string()];
        let all = [row.figures.mrr(), there.metrics.mrr_mr, back.metrics.mrr_mr];
        let sampled = sampled.iter().flat_map(|sampled| sampled.metrics.values());
        cells.extend(all.into_iter().chain(sampled).map(|value| format!("{value:.3}")));
        cells.push(format!("{:.1}", row.seconds));
        cells.push(format!("{:.2}", row.bytes as f64 / 1e6));
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Where a method's model goes.
fn model_path(task: &Task, name: MethodName, arguments: &cli::Compare) -> Option<PathBuf> {
    let file = format!("{}.{}.safetensors", task.name.replace(' ', "."), name_of(name));
    arguments.common.out.as_ref().map(|out| out.join(file))
}
