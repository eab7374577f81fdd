//! The model and index that are searched, opened again when there are others.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use super::ids::Ids;
use crate::error::Error;
use crate::search::Searcher;
use crate::segments;

/// How often the list of segments is looked at.
const PERIOD: Duration = Duration::from_secs(1);
/// How often a request looks for texts whose segments were put together meanwhile.
const TRIES: usize = 5;

/// Where the model and the index are, and both as they were opened last.
pub struct Collection {
    model: PathBuf,
    index: PathBuf,
    current: RwLock<Arc<Opened>>,
    /// Held while it is opened again; what was wrong the last time.
    opening: Mutex<Option<String>>,
    /// How often it was opened again.
    pub reopened: AtomicU64,
    /// Number of failed attempts to reopen the index.
    pub failed: AtomicU64,
}

/// A model and an index.
pub struct Opened {
    /// Both.
    pub searcher: Searcher,
    /// The places of documents by their ids, once a request has needed them.
    pub ids: OnceCell<Ids>,
    /// The list of segments, as it was written before they were opened.
    list: Option<Vec<u8>>,
}

impl Collection {
    /// Opens a model and an index.
    pub fn open(model: &Path, index: &Path) -> Result<Self, Error> {
        Ok(Self {
            current: RwLock::new(Arc::new(Opened::open(model, index)?)),
            model: model.into(),
            index: index.into(),
            opening: Mutex::default(),
            reopened: AtomicU64::default(),
            failed: AtomicU64::default(),
        })
    }

    /// What is searched now. Whoever has it goes on with it, whatever is opened meanwhile.
    pub fn current(&self) -> Arc<Opened> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Searches; again where the texts of what was found are gone, because its segments were put together.
    pub fn ask<T>(&self, ask: impl Fn(&Opened) -> Result<T, Error>) -> Result<T, Error> {
        let mut tries = 1;
        loop {
            let opened = self.current();
            match ask(&opened) {
                Err(error) if opened.is_gone(&error) && tries < TRIES => {
                    self.open_after(&opened);
                    tries += 1;
                }
                done => return done,
            }
        }
    }

    /// Reads the ids of all documents, if none has done so: once for all that ask meanwhile, however many.
    pub async fn read_ids(self: Arc<Self>) -> Result<(), Error> {
        let mut tries = 1;
        loop {
            let opened = self.current();
            let read = || async {
                let opened = Arc::clone(&opened);
                let reading = spawn_blocking(move || Ids::read(&opened.searcher)).await;
                let stopped =
                    |_| Err(Error::Thread { work: "the reader of ids", problem: "stopped".into() });
                reading.unwrap_or_else(stopped)
            };
            let done = opened.ids.get_or_try_init(read).await.map(|_| ());
            if !done.as_ref().is_err_and(|error| opened.is_gone(error)) || tries == TRIES {
                return done;
            }
            let collection = Arc::clone(&self);
            let _next_time = spawn_blocking(move || collection.open_after(&opened)).await;
            tries += 1;
        }
    }

    /// Opens the index again if its list of segments is another one.
    fn look(&self) {
        let opened = self.current();
        let list = segments::written(&self.index);
        if list.is_some() && list != opened.list {
            self.open_after(&opened);
        }
    }

    /// Opens model and index again, unless there are others already than those seen. Where they cannot
    /// be opened, those that are here stay.
    fn open_after(&self, seen: &Arc<Opened>) {
        let mut wrong = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(seen, &self.current()) {
            return;
        }
        match Opened::open(&self.model, &self.index) {
            Ok(opened) => {
                let documents = opened.searcher.documents();
                let before = {
                    let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
                    std::mem::replace(&mut *current, Arc::new(opened))
                };
                drop(before);
                *wrong = None;
                self.reopened.fetch_add(1, Ordering::Relaxed);
                eprintln!("{}: opened again, {documents} documents", self.index.display());
            }
            Err(error) => {
                let error = error.to_string();
                self.failed.fetch_add(1, Ordering::Relaxed);
                // Once, not every second.
                if wrong.as_ref() != Some(&error) {
                    eprintln!("error: {error}; searches continue on the earlier index");
                    *wrong = Some(error);
                }
            }
        }
    }
}

impl Opened {
    /// Whether an error means that segments were put together, so that the files of these are gone.
    fn is_gone(&self, error: &Error) -> bool {
        error.is_of_missing_file() && self.list.is_some()
    }

    fn open(model: &Path, index: &Path) -> Result<Self, Error> {
        let list = segments::written(index);
        Ok(Self { searcher: Searcher::open(model, index)?, ids: OnceCell::new(), list })
    }
}

/// Opens a collection again when its segments are others, and, at SIGHUP, whatever it is.
#[cfg(unix)]
pub fn watch(collection: Arc<Collection>) -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut told = signal(SignalKind::hangup())?;
    Ok(async move {
        loop {
            let is_told = tokio::time::timeout(PERIOD, told.recv()).await.is_ok();
            look(&collection, is_told).await;
        }
    })
}

/// Opens a collection again when its segments are others.
#[cfg(not(unix))]
pub fn watch(collection: Arc<Collection>) -> io::Result<impl Future<Output = ()>> {
    Ok(async move {
        loop {
            tokio::time::sleep(PERIOD).await;
            look(&collection, false).await;
        }
    })
}

async fn look(collection: &Arc<Collection>, is_told: bool) {
    let collection = Arc::clone(collection);
    let looked = spawn_blocking(move || match is_told {
        true => collection.open_after(&collection.current()),
        false => collection.look(),
    });
    let _next_time = looked.await;
}
