//! A model with its indexes, in which a host searches.

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
#[cfg(feature = "learn")]
mod user_documents;
mod weights;

pub use encoded::EncodedQuery;
#[cfg(feature = "learn")]
pub(crate) use encoded::check_query;
pub use explain::{Explanation, LexicalMatch, Term, WordContribution};
pub use parts::Engine;
pub use search::{Hit, Search, Token};
#[cfg(feature = "learn")]
pub use user_documents::UserDocuments;
