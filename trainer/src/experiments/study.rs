//! An experiment's folder: every training once, each with a file of its own, so that an experiment
//! that was stopped goes on where it was.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::ProgressBar;
use serde_json::{Value, json};
use smooth_clir::storage::container::sha256_hex;

use super::run::{Outcome, Run};
use crate::corpus::{Drawing, Prepared};
use crate::data::Collection;
use crate::error::Error;
use crate::files;
use crate::files::partial;
use crate::terminal::progress_bar::progress_bar;
use crate::terminal::values::name_of;
use crate::train::{Checkpoint, LossName, identity, read_of};

/// Seconds between the saves of a training.
const SAVE_EVERY: Duration = Duration::from_secs(30);

/// An experiment on one collection, and its folder.
pub struct Study {
    folder: PathBuf,
    options: Value,
    collection: Collection,
    digest: String,
    prepared: Mutex<BTreeMap<String, Arc<Prepared>>>,
}

impl Study {
    /// Opens an experiment's folder, or makes it. `options` is all that the command was told.
    ///
    /// A folder of another experiment, or of other data, is refused and stays as it is.
    pub fn open(folder: &Path, options: &Value, collection: Collection) -> Result<Self, Error> {
        files::make_folder(&folder.join("runs"))?;
        let digest = collection.digest();
        let path = folder.join("experiment.json");
        let identity = identity(options, std::slice::from_ref(&digest));
        if path.exists() {
            read_of(&path, "", &identity, "choose another folder")?;
        } else {
            files::write(&path, pretty(&identity).as_bytes())?;
        }
        // The folder is this experiment's; a run of it that was killed may have left something.
        partial::remove_stale(folder);
        partial::remove_stale(&folder.join("runs"));
        let (folder, options) = (folder.into(), options.clone());
        Ok(Self { folder, options, collection, digest, prepared: Mutex::default() })
    }

    /// The documents' language.
    pub fn language(&self) -> &str {
        &self.collection.language
    }

    /// What a report begins with: its title, what it was made on and with which settings, and how intervals were made.
    pub fn head(&self, title: &str) -> String {
        let (queries, documents) = (self.collection.queries.len(), self.collection.documents.len());
        let told = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Array(all) => {
                all.iter().map(|one| one.to_string().replace('"', "")).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        let given = self.options.as_object().into_iter().flatten();
        let given = given.filter(|(name, value)| !value.is_null() && *name != "rows");
        let settings: Vec<String> = given
            .map(|(name, value)| format!("{} {}", name.replace('-', " "), told(value)))
            .collect();
        format!(
            "# {title}\n\nOf a collection of {queries} queries and {documents} documents. Settings: {}.\n\n\
             Intervals are 95 % percentile intervals of a bootstrap that resamples groups of queries; p is of a paired randomisation test over these groups, after Holm's correction.\n",
            settings.join("; ")
        )
    }

    /// The outcome of every run, in the order given; those that the folder holds are not run
    /// again. As many train at once as there are cores, each on one.
    pub fn outcomes(&self, what: &str, runs: &[Run]) -> Result<Vec<Outcome>, Error> {
        let mut seen = HashSet::new();
        let is_new = |run: &&Run| seen.insert(self.key(run)) && !self.path(run).exists();
        let todo: Vec<&Run> = runs.iter().filter(is_new).collect();
        self.do_all(what, &todo)?;
        runs.iter().map(|run| self.read(run)).collect()
    }

    /// Writes a file of results beside the runs.
    pub fn write(&self, name: &str, content: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        files::write(&path, content.as_bytes())?;
        eprintln!("{}", path.display());
        Ok(())
    }

    fn do_all(&self, what: &str, todo: &[&Run]) -> Result<(), Error> {
        if todo.is_empty() {
            return Ok(());
        }
        // Before the threads start: it uses all of them itself.
        for run in todo {
            self.prepared(&run.drawing)?;
        }
        let bar = bar(what, todo.len());
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failed: Mutex<Option<Error>> = Mutex::new(None);
        let fail = |error| {
            failed.lock().unwrap_or_else(|lock| lock.into_inner()).get_or_insert(error);
        };
        let work = || {
            let pool = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => pool,
                Err(error) => {
                    let problem = format!("could not be started: {error}");
                    return fail(Error::Thread { work: "the experiment", problem });
                }
            };
            while let Some(run) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                match pool.install(|| self.do_one(run)) {
                    Ok(outcome) => {
                        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                        tell(&bar, what, count, todo.len(), run, &outcome);
                    }
                    Err(error) => {
                        fail(error);
                        next.store(todo.len(), Ordering::Relaxed);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..rayon::current_num_threads().min(todo.len()) {
                scope.spawn(work);
            }
        });
        bar.finish_and_clear();
        match failed.into_inner().unwrap_or_else(|lock| lock.into_inner()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn do_one(&self, run: &Run) -> Result<Outcome, Error> {
        let path = self.path(run);
        let mut checkpoint = Checkpoint::beside(&path, self.identity(run), SAVE_EVERY);
        let prepared = self.prepared(&run.drawing)?;
        let outcome = run.outcome(&self.collection, &prepared, &mut checkpoint)?;
        files::write(&path, json!(outcome).to_string().as_bytes())?;
        checkpoint.remove()?;
        Ok(outcome)
    }

    fn prepared(&self, drawing: &Drawing) -> Result<Arc<Prepared>, Error> {
        let key = format!("{drawing:?}");
        let mut all = self.prepared.lock().unwrap_or_else(|lock| lock.into_inner());
        if let Some(prepared) = all.get(&key) {
            return Ok(prepared.clone());
        }
        let prepared = Prepared::new(std::slice::from_ref(&self.collection), drawing)?;
        for (name, examples) in [("validation", &prepared.validation), ("test", &prepared.test)] {
            if !examples.iter().any(|example| example.grade >= 2) {
                let problem = format!("no query of the {name} split has a document of grade 2");
                return Err(Error::data(&self.collection.path, problem));
            }
        }
        let prepared = Arc::new(prepared);
        all.insert(key, prepared.clone());
        Ok(prepared)
    }

    fn identity(&self, run: &Run) -> Value {
        identity(&run.describe(), std::slice::from_ref(&self.digest))
    }

    fn key(&self, run: &Run) -> String {
        sha256_hex(&[self.digest.as_bytes(), run.describe().to_string().as_bytes()])
    }

    fn path(&self, run: &Run) -> PathBuf {
        self.folder.join("runs").join(format!("{}.json", &self.key(run)[..16]))
    }

    fn read(&self, run: &Run) -> Result<Outcome, Error> {
        let path = self.path(run);
        let outcome: Outcome = serde_json::from_slice(&files::read(&path)?).map_err(|error| {
            Error::data(
                &path,
                format!("not the outcome of a run: {error}; delete it to run it again"),
            )
        })?;
        match outcome.run == run.describe() {
            true => Ok(outcome),
            false => Err(Error::data(&path, "the outcome of another run; delete it")),
        }
    }
}

/// JSON for people to read.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn bar(what: &str, runs: usize) -> ProgressBar {
    let template = "{msg} {wide_bar} {pos} of {len}, {eta} left";
    let bar = progress_bar(Some(runs as u64), template);
    bar.set_message(what.to_owned());
    bar
}

fn tell(bar: &ProgressBar, what: &str, done: usize, total: usize, run: &Run, outcome: &Outcome) {
    bar.inc(1);
    let line = format!(
        "{what} {done}/{total}: {} {}, epsilon {}, seed {}, by {}: validation {} {:.4} at epoch {}",
        run.plan.encoder.name(),
        name_of(LossName::parts(&run.plan.loss).0),
        run.plan.epsilon,
        run.plan.seed,
        name_of(run.drawing.by),
        run.plan.select.name(),
        outcome.selected,
        outcome.epoch,
    );
    match bar.is_hidden() {
        true => eprintln!("{line}"),
        false => bar.println(line),
    }
}
