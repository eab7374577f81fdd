//! Every way in which an index is refused.

/// Why no index is made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A model, an index or a document is refused.
    #[error(transparent)]
    Core(#[from] smooth_clir::Error),
    /// A page or a record is refused.
    #[error(transparent)]
    Documents(#[from] smooth_clir_documents::Error),
    /// No teacher made the model, so it has no deep documents.
    #[error("the model has no projection of a teacher's vectors (made by train --teacher)")]
    NoProjection,
    /// The model has no translations of a language.
    #[error("the model has no translations of `{0}`")]
    NoTranslations(String),
    /// Another teacher made the model.
    #[error(
        "is another teacher than the model was trained with: its digest is {found}, expected {expected}"
    )]
    OtherTeacher {
        /// The digest of the folder that the teacher's weights come from.
        found: String,
        /// The digest that the model states.
        expected: String,
    },
    /// The teacher is refused, or refuses a text.
    #[cfg(feature = "teacher")]
    #[error(transparent)]
    Teacher(#[from] smooth_clir_teacher::Error),
}
