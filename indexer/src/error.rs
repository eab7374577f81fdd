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
}
