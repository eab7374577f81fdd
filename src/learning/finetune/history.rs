//! What an engine learned, and the way back.

use crate::Error;
use crate::engine::Engine;
use crate::index::Reencoded;
use crate::model::DOCUMENT;
use crate::model::changes::Changes;

/// The changes that an engine took over, each with what takes it back.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The latest is the last.
    undo: Vec<Changes>,
}

impl History {
    /// Has the engine take over changed rows. It can be [undone](Self::undo): by itself, or, where
    /// it goes `further` than the change before, together with that.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn apply(
        &mut self,
        engine: &mut Engine,
        changes: Changes,
        further: bool,
    ) -> Result<Reencoded, Error> {
        let (mut back, reencoded) = engine.exchange(changes)?;
        if further && let Some(before) = self.undo.pop() {
            // Of a row that both changed, the first change knows what it was.
            back.extend(before);
        }
        self.undo.push(back);
        Ok(reencoded)
    }

    /// Takes back the last change; `None` if there is none.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn undo(&mut self, engine: &mut Engine) -> Result<Option<Reencoded>, Error> {
        let Some(back) = self.undo.pop() else { return Ok(None) };
        Ok(Some(engine.exchange(back)?.1))
    }

    /// Forgets the undo history of a language's document encoder, which was removed.
    pub fn forget(&mut self, language: &str) {
        let name = format!("{DOCUMENT}{language}");
        self.undo.iter_mut().for_each(|changes| changes.forget(&name));
        self.undo.retain(|changes| !changes.is_empty());
    }

    /// How many changes can be taken back.
    pub fn len(&self) -> usize {
        self.undo.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.undo.is_empty()
    }

    /// Goes back to the rows of the model's files; it can be undone in turn.
    ///
    /// # Errors
    /// As [`Engine::exchange`].
    pub fn reset(&mut self, engine: &mut Engine) -> Result<Reencoded, Error> {
        let learned = engine.learned();
        if learned.is_empty() {
            Ok(Reencoded::default())
        } else {
            self.apply(engine, learned.without(), false)
        }
    }

    /// Takes what an earlier visit learned, a file that [`Changes::write`] wrote, in place of what
    /// is learned now; it can be undone.
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
        self.apply(engine, changes, false)
    }
}
