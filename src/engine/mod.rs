//! A model with its indexes, in which a host searches.
//!
//! ```
//! use smooth_clir::engine::{Engine, Search};
//! use smooth_clir::index::Index;
//! use smooth_clir::model::Model;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
//! let model = Model::read(&std::fs::read(format!("{folder}/model.safetensors"))?)?;
//! let index = Index::read(&std::fs::read(format!("{folder}/index.safetensors"))?)?;
//! let mut engine = Engine::new(model)?;
//! engine.add(index)?;
//! let hits = engine.search(Search { query: "rain", limit: 3, ..Search::default() })?;
//! assert_eq!(hits[0].id, "d25");
//! assert!(hits[0].score > hits[1].score);
//! # Ok(())
//! # }
//! ```

mod among;
mod encoded;
mod explain;
mod gloss;
mod interpreted;
mod languages;
#[cfg(feature = "learn")]
mod learned;
mod parts;
mod search;
mod shards;
#[cfg(feature = "learn")]
mod user_documents;
mod weights;

#[cfg(feature = "learn")]
pub(crate) use encoded::check_query;
pub use encoded::{EncodedQuery, QueryText};
pub use explain::{Explanation, LexicalMatch, Term, WordContribution};
pub use parts::Engine;
pub use search::{Hit, Search, Token};
#[cfg(feature = "learn")]
pub use user_documents::UserDocuments;
