//! `compare --methods`: the second paper's method, its rivals and the first paper's, side by side.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use smooth_clir::math::metrics::NAMES;
use smooth_clir::storage::container::sha256_hex;

use super::curves::{self, Outcome};
use super::method_options::Text;
use super::options::{Compare, one_number_of_negatives, one_split};
use super::rows::{self, Row};
use crate::corpus::Drawing;
use crate::data::comparable::Comparable;
use crate::data::{Collection, builtin};
use crate::error::Error;
use crate::files;
use crate::methods::{Figures, Lexicon, Method, MethodName, Part, Task, Unlabelled};
use crate::terminal::output;
use crate::terminal::values::name_of;
use crate::train;

/// The grades of folders: irrelevant, partially relevant, relevant.
const GRADES: usize = 3;
/// The kinds of tasks in a folder of corpora.
const GRADED: [&str; 2] = ["documents", "verses"];

/// Trains each method with each setting on each share of the pairs, chooses the setting on the validation
/// queries, and tells how the test queries rank. What the folder of outcomes has is not done again.
pub fn compare(arguments: &Compare) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    one_number_of_negatives(common)?;
    let negatives = common.negatives.from as usize;
    let drawing = Drawing::of_all(common.split_seed, common.split_by[0], negatives);
    if let Some(out) = &common.out {
        files::make_folder(out)?;
    }
    let mut results = Vec::new();
    let mut outcomes = Vec::new();
    for mut task in tasks(arguments, drawing)? {
        for &percent in &arguments.learning.shares {
            task.part = Part { percent, seed: 1 };
            let pairs = task.training_places().len();
            let row = |&name: &MethodName| {
                // Trainings leave their last seed.
                task.part.seed = 1;
                done_or_best(name, &mut task, arguments)
            };
            let rows: Vec<Row> = arguments.methods.iter().map(row).collect::<Result<_, _>>()?;
            if !arguments.json {
                println!("{}", to_table(&task, percent, &rows));
            }
            results.push(to_json(&task, (percent, pairs), &rows));
            outcomes.push(Outcome { task: task.name.clone(), percent, pairs, rows });
        }
    }
    let results = json!({ "tasks": results });
    if let Some(out) = &common.out {
        files::write(&out.join("results.json"), results.to_string().as_bytes())?;
        files::write(&out.join("methods.md"), curves::report(&outcomes).as_bytes())?;
        files::write(&out.join("shares.svg"), curves::shares(&outcomes)?.as_bytes())?;
        files::write(&out.join("methods.svg"), curves::methods(&outcomes)?.as_bytes())?;
    }
    if arguments.json {
        output::json(&results);
    }
    Ok(())
}

/// How a method did: as the folder of outcomes says, or [`rows::best`] finds.
fn done_or_best(name: MethodName, task: &mut Task, arguments: &Compare) -> Result<Row, Error> {
    let tried = tried(name, task, arguments);
    let seeds = arguments.seeds;
    let Some(path) = model_path(task, name, arguments) else {
        return Ok(rows::best(name, &tried, task, seeds, None)?.0);
    };
    let settings: Vec<String> = tried.iter().map(Method::to_string).collect();
    let Drawing { seed, by, negatives, .. } = task.drawing;
    let options = json!({
        "settings": settings, "seeds": seeds, "share": task.part.percent, "split seed": seed,
        "split by": name_of(by), "negatives": negatives, "figures": Figures::names(task),
    });
    let lexicon = task.lexicon.as_ref().map(Lexicon::digest);
    let texts = task.unlabelled.each_ref().map(|texts| texts.join("\n"));
    let texts = sha256_hex(&[texts[0].as_bytes(), b"\t", texts[1].as_bytes()]);
    let data = [vec![task.collection.digest(), texts], lexicon.into_iter().collect()].concat();
    let identity = train::identity(&options, &data);
    let done = path.with_extension("json");
    if done.exists() {
        let found = train::read_of(&done, "/identity", &identity, "delete it to run it again")?;
        return Ok(Row::from_json(&found));
    }
    let (row, trained) = rows::best(name, &tried, task, seeds, Some(&path))?;
    if let Some(file) = trained.file().filter(|_| task.part.percent == 100) {
        files::write(&path, &file)?;
    }
    let mut outcome = row.to_json();
    outcome["identity"] = identity;
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

/// What there is to compare on: a folder of corpora (`sentences/en-xx.tsv`, `lexicon/en-xx.tsv`,
/// `documents/en-xx`, `verses/en-xx`), one of queries, documents and grades, or the built-in corpus.
fn tasks(arguments: &Compare, drawing: Drawing) -> Result<Vec<Task>, Error> {
    let common = &arguments.common;
    let wanted = |language: &str| common.language.as_deref().is_none_or(|name| name == language);
    let task =
        |name: String, collection: Collection, lexicon: Option<&Path>| -> Result<Task, Error> {
            let lexicon =
                arguments.lexicon.as_deref().or(lexicon).map(Lexicon::read).transpose()?;
            Ok(Task {
                name,
                collection,
                drawing,
                sentences: Vec::new(),
                lexicon,
                is_comparable: false,
                part: Part { percent: 100, seed: 1 },
                unlabelled: [Vec::new(), Vec::new()],
            })
        };
    let Some(data) = &common.data else {
        let languages: Vec<String> = builtin::LANGUAGES
            .iter()
            .filter(|name| wanted(name))
            .map(|&name| name.to_owned())
            .collect();
        let collections = builtin::collections(&languages, builtin::GRADES)?;
        let named = |collection: Collection| {
            let named = task(format!("corpus en-{}", collection.language), collection, None)?;
            with_texts(named, arguments)
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
        let task = task(format!("en-{language}"), collection, None)?;
        return Ok(vec![with_texts(task, arguments)?]);
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
            let task = Task { sentences, is_comparable: true, ..task };
            tasks.push(with_texts(task, arguments)?);
        }
        for kind in GRADED {
            let folder = data.join(kind).join(&pair);
            let is_requested =
                arguments.on.is_empty() || arguments.on.iter().any(|name| name == kind);
            if is_requested && folder.is_dir() {
                let collection = Collection::read(&folder, language, GRADES)?;
                let task = task(format!("{kind} {pair}"), collection, lexicon.as_deref())?;
                tasks.push(with_texts(task, arguments)?);
            }
        }
    }
    match tasks.is_empty() {
        true => Err(Error::data(data, "no corpus of the requested language to compare on")),
        false => Ok(tasks),
    }
}

/// The task with the texts of its languages that the command names.
fn with_texts(mut task: Task, arguments: &Compare) -> Result<Task, Error> {
    let languages = ["en", &task.collection.language];
    let mut texts = [Vec::new(), Vec::new()];
    for Text { language, path } in &arguments.learning.text {
        for (side, own) in languages.iter().enumerate() {
            if own != language {
                continue;
            }
            let held_out = &task.held_out_texts()[side];
            let Unlabelled { texts: found, held_out } = Unlabelled::read(path, held_out)?;
            eprintln!(
                "{}: {} texts in {language}; {held_out} more have words of validation or test texts",
                task.name,
                found.len()
            );
            texts[side].extend(found);
        }
    }
    task.unlabelled = texts;
    Ok(task)
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

fn to_json(task: &Task, (percent, pairs): (u8, usize), rows: &[Row]) -> Value {
    let documents = task.collection.documents.len();
    let rows: Vec<&Value> = rows.iter().map(|row| &row.json).collect();
    json!({
        "task": task.name,
        "share": percent,
        "training pairs": pairs,
        "documents": documents,
        "methods": rows,
    })
}

/// A table for people, in Markdown.
fn to_table(task: &Task, percent: u8, rows: &[Row]) -> String {
    let names: &[&str] = if task.is_comparable { &[] } else { &NAMES };
    let metrics = names.iter().map(|name| format!(" {name} |")).collect::<String>();
    let documents = task.collection.documents.len();
    let kinds = match task.is_comparable {
        true => "",
        false => "; MRR is among all documents, the metrics right of it are on sampled candidates",
    };
    let mut lines = vec![
        format!("{}: {documents} documents, {percent} % of the training pairs{kinds}", task.name),
        String::new(),
        format!("| method | setting | MRR | en-xx | xx-en |{metrics} seconds | MB |"),
        format!("|---|---|---|---|---|{}---|---|", "---|".repeat(names.len())),
    ];
    let cell = |value: &Value, digits: usize| {
        value.as_f64().map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
    };
    for Row { json: row, .. } in rows {
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
    let share = match task.part.percent {
        100 => String::new(),
        percent => format!(".{percent}"),
    };
    let file = format!("{}{share}.{}.safetensors", task.name.replace(' ', "."), name_of(name));
    arguments.common.out.as_ref().map(|out| out.join(file))
}
