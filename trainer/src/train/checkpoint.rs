//! A training that was stopped: saved after an epoch, taken up where it was.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smooth_clir::encoder::Precision;
use smooth_clir::model::{read_network, write_network};
use smooth_clir::storage::container::{Reader, Writer};

use super::identity::difference;
use super::trained::Trained;
use super::trainer::Trainer;
use crate::error::Error;
use crate::evaluation::networks::Epsilons;
use crate::files;

const KIND: &str = "training";

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
pub struct State {
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
    fn check_place(&self) -> Result<(), Error> {
        let Ok(about) = self.path.symlink_metadata() else { return Ok(()) };
        let is_own = about.is_file() && Reader::open(&files::read(&self.path)?, KIND).is_ok();
        if is_own {
            return Ok(());
        }
        let problem = "exists and is not a saved training: move it away, trainings are saved there";
        Err(Error::data(&self.path, problem))
    }

    /// Before a training: says where one was saved that this one replaces, or, where one is to be resumed, that there is none.
    ///
    /// # Errors
    /// If there is a link, a folder, or a file of another kind where it would be saved.
    pub fn begin(&self, resumes: bool) -> Result<(), Error> {
        if !resumes {
            self.check_place()?;
        }
        match (resumes, self.exists()) {
            (true, false) => eprintln!("no saved training: starting from the beginning"),
            (false, true) => {
                let path = self.path.display();
                eprintln!(
                    "note: this replaces the training saved in {path}; --resume goes on with it"
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the last save is long enough ago for another.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// A file to save in.
    pub fn writer() -> Writer {
        Writer::new(KIND)
    }

    /// Saves a file and, as its `config`, where the training states.
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
            let problem = format!("it was started {difference}; delete it to start anew");
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
    pub fn save(&mut self, state: &State, trainer: &dyn Trainer) -> Result<(), Error> {
        if !self.is_due() {
            return Ok(());
        }
        let mut writer = Self::writer();
        let best = state.best.as_ref();
        let config = json!({
            "best": best.map(|best| json!({
                "epoch": best.epoch,
                "epsilons": [best.epsilons.query.to_bits(), best.epsilons.document.to_bits()],
                "selected": best.selected.map(f64::to_bits),
                "thresholds": best.thresholds.as_ref().map(|list| {
                    list.iter().map(|t| t.to_bits()).collect::<Vec<_>>()
                }),
            })),
            "clipped": state.clipped,
            "epoch": state.epoch,
            "steps": state.steps,
            "undefined": state.undefined,
        });
        trainer.save(&mut writer)?;
        for (side, network) in best.iter().flat_map(|best| &best.networks).enumerate() {
            write_network(&mut writer, &format!("best.{side}"), network, Precision::F32);
        }
        self.write(config, writer)
    }

    /// Takes up a saved training; `None` where there is none.
    pub fn restore(&self, trainer: &mut dyn Trainer) -> Result<Option<State>, Error> {
        self.read(|config, reader| {
            let number = |value: &Value| value.as_u64().unwrap_or_default();
            let mut state = State {
                epoch: number(&config["epoch"]),
                best: None,
                undefined: number(&config["undefined"]),
                clipped: number(&config["clipped"]),
                steps: number(&config["steps"]),
            };
            trainer.restore(reader)?;
            if let Some(best) = config["best"].as_object() {
                let now = trainer.networks()?;
                let networks = now.iter().enumerate().map(|(side, network)| {
                    let (name, rows) = (format!("best.{side}"), network.words().len());
                    read_network(reader, &name, network.kind(), rows, network.dimension())
                });
                let networks = networks.collect::<Result<Vec<_>, _>>()?;
                let selected = best["selected"].as_u64().map(f64::from_bits);
                let epoch = number(&best["epoch"]);
                let epsilon = |side: usize| f32::from_bits(number(&best["epsilons"][side]) as u32);
                let epsilons = Epsilons { query: epsilon(0), document: epsilon(1) };
                let thresholds = best["thresholds"]
                    .as_array()
                    .map(|list| list.iter().map(|t| f32::from_bits(number(t) as u32)).collect());
                state.best = Some(Trained {
                    networks,
                    epoch,
                    epsilons,
                    thresholds,
                    selected,
                    ..Trained::default()
                });
            }
            Ok(state)
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
