//! The undo history of an engine's fine-tuning.

use crate::Error;
use crate::engine::Engine;
use crate::index::Reencoded;
use crate::model::DOCUMENT;
use crate::model::changes::Changes;

/// The inverses of the changes that were applied to an engine.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// In order of application: the last element is undone first.
    undo: Vec<Changes>,
}

impl History {
    /// Applies changed rows to the engine.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn apply(&mut self, engine: &mut Engine, changes: Changes) -> Result<Reencoded, Error> {
        let (back, reencoded) = engine.exchange(changes)?;
        self.undo.push(back);
        Ok(reencoded)
    }

    /// Undoes the last change; `None` if the history is empty.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn undo(&mut self, engine: &mut Engine) -> Result<Option<Reencoded>, Error> {
        let Some(back) = self.undo.pop() else { return Ok(None) };
        Ok(Some(engine.exchange(back)?.1))
    }

    /// Drops the rows of a removed language's document encoder from the history.
    pub fn forget(&mut self, language: &str) {
        let name = format!("{DOCUMENT}{language}");
        self.undo.iter_mut().for_each(|changes| changes.forget(&name));
        self.undo.retain(|changes| !changes.is_empty());
    }

    /// The number of changes that can be undone.
    pub fn len(&self) -> usize {
        self.undo.len()
    }

    /// Whether no change can be undone.
    pub fn is_empty(&self) -> bool {
        self.undo.is_empty()
    }

    /// Restores the rows of the model's files; undo reverts the reset.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn reset(&mut self, engine: &mut Engine) -> Result<Reencoded, Error> {
        let learned = engine.learned();
        if learned.is_empty() {
            Ok(Reencoded::default())
        } else {
            self.apply(engine, learned.without())
        }
    }

    /// Replaces the current changes by those of a file that [`Changes::write`] wrote on an earlier
    /// visit; undo reverts this.
    ///
    /// # Errors
    /// As [`Changes::read`].
    pub fn remember(&mut self, engine: &mut Engine, bytes: &[u8]) -> Result<Reencoded, Error> {
        let model = engine.model();
        let encoders = engine.encoders();
        let rows = encoders.iter().map(|(name, encoder)| (&name[..], encoder.vocabulary.len()));
        let remembered = Changes::read(bytes, &model.space, model.config.dimension, rows)?;
        let mut changes = engine.learned().without();
        changes.extend(remembered);
        self.apply(engine, changes)
    }
}
