//! `compare --methods`: the second paper's method, its rivals and the first paper's, side by side.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};
use smooth_clir::math::metrics::NAMES;

use super::options::{Compare, one_number_of_negatives, one_split};
use crate::corpus::Drawing;
use crate::data::comparable::Comparable;
use crate::data::{Collection, Split, builtin};
use crate::error::Error;
use crate::files;
use crate::methods::{Figures, Lexicon, Method, MethodName, Task, Trained};
use crate::terminal::output;
use crate::terminal::values::name_of;
use crate::train;

/// The grades of folders: irrelevant, partially relevant, relevant.
const GRADES: usize = 3;
/// Fixes what methods begin with.
const SEED: u64 = 1;
/// The kinds of tasks in a folder of corpora.
const GRADED: [&str; 2] = ["documents", "verses"];

/// Trains each method with each setting, chooses the setting on the validation queries, and tells
/// how the test queries rank. What the folder of outcomes has is not done again.
pub fn compare(arguments: &Compare) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    one_number_of_negatives(common)?;
    let drawing = Drawing {
        seed: common.split_seed,
        by: common.split_by[0],
        negatives: common.negatives.from as usize,
        most_queries: None,
        grades: None,
    };
    if let Some(out) = &common.out {
        files::make_folder(out)?;
    }
    let mut results = Vec::new();
    for task in tasks(arguments, drawing)? {
        let row = |&name: &MethodName| done_or_best(name, &task, arguments);
        let rows: Vec<Value> = arguments.methods.iter().map(row).collect::<Result<_, _>>()?;
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
        output::json(&results);
    }
    Ok(())
}

/// How a method did: as the folder of outcomes says, or [`best`] finds.
fn done_or_best(name: MethodName, task: &Task, arguments: &Compare) -> Result<Value, Error> {
    let tried = tried(name, task, arguments);
    let Some(path) = model_path(task, name, arguments) else {
        return Ok(best(name, &tried, task, None)?.0);
    };
    let settings: Vec<String> = tried.iter().map(Method::to_string).collect();
    let Drawing { seed, by, negatives, .. } = task.drawing;
    let options = json!({
        "settings": settings, "seed": SEED, "split seed": seed, "split by": name_of(by), "negatives": negatives,
    });
    let lexicon = task.lexicon.as_ref().map(Lexicon::digest);
    let data = [vec![task.collection.digest()], lexicon.into_iter().collect()].concat();
    let identity = train::identity(&options, &data);
    let done = path.with_extension("json");
    if done.exists() {
        let found = train::read_of(&done, "/identity", &identity, "delete it to run it again")?;
        return Ok(found["row"].clone());
    }
    let (row, trained) = best(name, &tried, task, Some(&path))?;
    if let Some(file) = trained.file() {
        files::write(&path, &file)?;
    }
    let outcome = json!({ "identity": identity, "row": row });
    files::write(&done, outcome.to_string().as_bytes())?;
    Ok(row)
}

/// The settings of a method that are tried.
fn tried(name: MethodName, task: &Task, arguments: &Compare) -> Vec<Method> {
    let most = arguments.most_dimension.map_or(usize::MAX, |most| most as usize);
    let mut methods = name.methods(task.training_places().len(), most);
    methods.truncate(arguments.trials as usize);
    methods
}

/// The setting that ranks validation queries best, and how test queries rank with it.
fn best(
    name: MethodName,
    tried: &[Method],
    task: &Task,
    out: Option<&Path>,
) -> Result<(Value, Trained), Error> {
    let name = name_of(name);
    let mut best: Option<(f64, Method, Trained, f64)> = None;
    for &method in tried {
        let begun = Instant::now();
        let trained = method.train(task, SEED, out)?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut told = format!("{}: {name}, {method}: {seconds:.1} s", task.name);
        let mut merit = 0.0;
        if tried.len() > 1 {
            merit = Figures::of(&trained, task, Split::Validation)?.merit();
            told += &format!(", validation {merit:.4}");
        }
        eprintln!("{told}");
        if best.as_ref().is_none_or(|(most, ..)| merit > *most) {
            best = Some((merit, method, trained, seconds));
        }
    }
    let nothing = || Error::Usage("--trials must be at least 1".into());
    let (_, method, trained, seconds) = best.ok_or_else(nothing)?;
    let figures = Figures::of(&trained, task, Split::Test)?;
    let mut row = json!({
        "method": name,
        "setting": format!("{method}{}", trained.chosen()),
        "settings tried": tried.len(),
        "MRR": figures.mrr(),
        "en-xx": figures.there.to_json(),
        "xx-en": figures.back.to_json(),
        "seconds": seconds,
        "bytes": trained.bytes(),
    });
    if let Some(sampled) = figures.sampled {
        row["sampled"] = Value::Object(sampled.to_json());
    }
    Ok((row, trained))
}

/// What there is to compare on: a folder of corpora (`sentences/en-xx.tsv`, `lexicon/en-xx.tsv`,
/// `documents/en-xx`, `verses/en-xx`), one of queries, documents and grades, or the built-in corpus.
fn tasks(arguments: &Compare, drawing: Drawing) -> Result<Vec<Task>, Error> {
    let common = &arguments.common;
    let wanted = |language: &str| common.language.as_deref().is_none_or(|name| name == language);
    let task = |name: String,
                collection: Collection,
                lexicon: Option<&Path>|
     -> Result<Task, Error> {
        let lexicon = arguments.lexicon.as_deref().or(lexicon).map(Lexicon::read).transpose()?;
        Ok(Task { name, collection, drawing, sentences: Vec::new(), lexicon, is_comparable: false })
    };
    let Some(data) = &common.data else {
        let languages: Vec<String> = builtin::LANGUAGES
            .iter()
            .filter(|name| wanted(name))
            .map(|&name| name.to_owned())
            .collect();
        let collections = builtin::collections(&languages, builtin::GRADES)?;
        let named = |collection: Collection| {
            task(format!("corpus en-{}", collection.language), collection, None)
        };
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
        if arguments.on.is_empty() || arguments.on.iter().any(|name| name == "comparable") {
            let Comparable { collection, sentences } = Comparable::read(&file, language)?;
            let task = task(format!("comparable {pair}"), collection, lexicon.as_deref())?;
            tasks.push(Task { sentences, is_comparable: true, ..task });
        }
        for kind in GRADED {
            let folder = data.join(kind).join(&pair);
            let is_requested =
                arguments.on.is_empty() || arguments.on.iter().any(|name| name == kind);
            if is_requested && folder.is_dir() {
                let collection = Collection::read(&folder, language, GRADES)?;
                tasks.push(task(format!("{kind} {pair}"), collection, lexicon.as_deref())?);
            }
        }
    }
    match tasks.is_empty() {
        true => Err(Error::data(data, "no corpus of the requested language to compare on")),
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

fn to_json(task: &Task, rows: &[Value]) -> Value {
    let pairs = task.training_places().len();
    let documents = task.collection.documents.len();
    json!({ "task": task.name, "training pairs": pairs, "documents": documents, "methods": rows })
}

/// A table for people, in Markdown.
fn to_table(task: &Task, rows: &[Value]) -> String {
    let names: &[&str] = if task.is_comparable { &[] } else { &NAMES };
    let metrics = names.iter().map(|name| format!(" {name} |")).collect::<String>();
    let mut lines = vec![
        format!("{}: {} documents", task.name, task.collection.documents.len()),
        String::new(),
        format!("| method | setting | MRR | en-xx | xx-en |{metrics} seconds | MB |"),
        format!("|---|---|---|---|---|{}---|---|", "---|".repeat(names.len())),
    ];
    let cell = |value: &Value, digits: usize| {
        value.as_f64().map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
    };
    for row in rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let mut cells = vec![text("method"), text("setting"), cell(&row["MRR"], 3)];
        cells.extend(["en-xx", "xx-en"].map(|side| cell(&row[side]["metrics"]["MRR_mr"], 3)));
        cells.extend(names.iter().map(|&name| cell(&row["sampled"]["metrics"][name], 3)));
        cells.push(cell(&row["seconds"], 1));
        cells.push(cell(&json!(row["bytes"].as_f64().map(|bytes| bytes / 1e6)), 2));
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Where a method's model goes.
fn model_path(task: &Task, name: MethodName, arguments: &Compare) -> Option<PathBuf> {
    let file = format!("{}.{}.safetensors", task.name.replace(' ', "."), name_of(name));
    arguments.common.out.as_ref().map(|out| out.join(file))
}
