//! A training that was stopped: saved after an epoch, taken up where it was.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smooth_clir::encoder::Precision;
use smooth_clir::model::{read_network, write_network};
use smooth_clir::storage::container::{Reader, Writer};

use super::{Trained, Trainer};
use crate::error::Error;
use crate::files;

const KIND: &str = "training";
/// Another version may train otherwise.
pub const PROGRAM: &str = concat!("smooth-clir ", env!("CARGO_PKG_VERSION"));

/// What fixes the outcome of a training, or of an experiment.
pub fn identity(options: &Value, data: &[String]) -> Value {
    json!({ "data": data.concat(), "options": options, "program": PROGRAM })
}

/// The first thing in which two identities differ: how the one found was begun.
fn difference(found: &Value, expected: &Value) -> Option<String> {
    if found["program"] != expected["program"] {
        return Some(format!("by {}, not {PROGRAM}", found["program"]));
    }
    if found["data"] != expected["data"] {
        return Some("on other data".into());
    }
    let (found, expected) = (&found["options"], &expected["options"]);
    let names =
        expected.as_object().into_iter().chain(found.as_object()).flat_map(|map| map.keys());
    let mut differ = names.filter(|&name| found[name] != expected[name]);
    differ.next().map(|name| format!("with {name} {}, not {}", found[name], expected[name]))
}

/// Reads what an earlier run wrote as JSON. `at` is the JSON pointer of what it says of itself, and
/// `remedy` what to do where that is not `identity`.
///
/// # Errors
/// If the file cannot be read, is no JSON or is of something else.
pub fn read_of(path: &Path, at: &str, identity: &Value, remedy: &str) -> Result<Value, Error> {
    let wrong = |problem: String| Error::data(path, problem);
    let found: Value = serde_json::from_slice(&files::read(path)?)
        .map_err(|error| wrong(format!("not JSON: {error}")))?;
    match difference(found.pointer(at).unwrap_or_default(), identity) {
        Some(difference) => Err(wrong(format!("it was begun {difference}; {remedy}"))),
        None => Ok(found),
    }
}

/// Where a training saves itself, and how often.
pub struct Checkpoint {
    path: PathBuf,
    /// Says which training it is: [`identity`].
    identity: Value,
    /// Saves are at least so far apart.
    every: Duration,
    last: Instant,
}

/// How far a training has come.
#[derive(Default)]
pub struct Stand {
    /// Epochs done.
    pub epoch: u64,
    /// The best epoch so far.
    pub best: Option<Trained>,
    /// Pairs whose gradient was undefined.
    pub undefined: u64,
    /// Steps whose gradient was shortened.
    pub clipped: u64,
    /// Steps taken.
    pub steps: u64,
}

impl Checkpoint {
    /// A checkpoint beside the model that the training will write.
    pub fn beside(out: &Path, identity: Value, every: Duration) -> Self {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let path = out.with_file_name(format!("{name}.training"));
        Self { path, identity, every, last: Instant::now() }
    }

    /// Refuses to begin anew where saving would replace something that is no saved training.
    ///
    /// # Errors
    /// If there is a link, a folder, or a file of another kind.
    pub fn check_place(&self) -> Result<(), Error> {
        let Ok(about) = self.path.symlink_metadata() else { return Ok(()) };
        let is_own = about.is_file() && Reader::open(&files::read(&self.path)?, KIND).is_ok();
        if is_own {
            return Ok(());
        }
        let problem =
            "is there already and is no saved training: move it away, trainings are saved there";
        Err(Error::data(&self.path, problem))
    }

    /// Whether the last save is long enough ago for another.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// A file to save in.
    pub fn writer() -> Writer {
        Writer::new(KIND)
    }

    /// Saves a file and, as its `config`, where the training stands.
    pub fn write(&mut self, mut config: Value, mut writer: Writer) -> Result<(), Error> {
        config["identity"] = self.identity.clone();
        writer.metadata("config", config.to_string());
        files::write_all([(self.path.clone(), writer.into_bytes())])?;
        self.last = Instant::now();
        Ok(())
    }

    /// What `take` makes of the `config` and the tensors saved; `None` where nothing was.
    pub fn read<T>(
        &self,
        take: impl FnOnce(&Value, &mut Reader<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        if !self.path.exists() {
            return Ok(None);
        }
        let bytes = files::read(&self.path)?;
        let refused = |source| Error::File { path: self.path.clone(), source };
        let mut reader = Reader::open(&bytes, KIND).map_err(refused)?;
        let config = reader.json("config").map_err(refused)?;
        if let Some(difference) = difference(&config["identity"], &self.identity) {
            let problem = format!("it was begun {difference}; delete it to start anew");
            return Err(Error::data(&self.path, problem));
        }
        let taken = take(&config, &mut reader).map_err(|error| match error {
            Error::Core(source) => refused(source),
            other => other,
        })?;
        reader.finish().map_err(refused)?;
        Ok(Some(taken))
    }

    /// Saves after an epoch, if the last time is long enough ago.
    pub fn save(&mut self, stand: &Stand, learner: &dyn Trainer) -> Result<(), Error> {
        if !self.is_due() {
            return Ok(());
        }
        let mut writer = Self::writer();
        let best = stand.best.as_ref();
        let config = json!({
            "best": best.map(|best| json!({ "epoch": best.epoch, "selected": best.selected.map(f64::to_bits) })),
            "clipped": stand.clipped,
            "epoch": stand.epoch,
            "steps": stand.steps,
            "undefined": stand.undefined,
        });
        learner.save(&mut writer)?;
        for (side, network) in best.iter().flat_map(|best| &best.networks).enumerate() {
            write_network(&mut writer, &format!("best.{side}"), network, Precision::F32);
        }
        self.write(config, writer)
    }

    /// Takes up a saved training; `None` where there is none.
    pub fn restore(&self, learner: &mut dyn Trainer) -> Result<Option<Stand>, Error> {
        self.read(|config, reader| {
            let number = |value: &Value| value.as_u64().unwrap_or_default();
            let mut stand = Stand {
                epoch: number(&config["epoch"]),
                best: None,
                undefined: number(&config["undefined"]),
                clipped: number(&config["clipped"]),
                steps: number(&config["steps"]),
            };
            learner.restore(reader)?;
            if let Some(best) = config["best"].as_object() {
                let now = learner.networks()?;
                let networks = now.iter().enumerate().map(|(side, network)| {
                    let (name, rows) = (format!("best.{side}"), network.words().len());
                    read_network(reader, &name, network.kind(), rows, network.dimension())
                });
                let networks = networks.collect::<Result<Vec<_>, _>>()?;
                let selected = best["selected"].as_u64().map(f64::from_bits);
                let epoch = number(&best["epoch"]);
                stand.best = Some(Trained { networks, epoch, selected, ..Trained::default() });
            }
            Ok(stand)
        })
    }

    /// Whether there is a saved training.
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Removes it: the training is over.
    pub fn remove(&self) -> Result<(), Error> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Write { path: self.path.clone(), source: error })
            }
            _ => Ok(()),
        }
    }
}
