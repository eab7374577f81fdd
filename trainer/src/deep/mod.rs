//! Deep documents and light queries: a sentence encoder, the teacher, reads documents when they are indexed; the words of
//! queries are averaged in the same space.

mod distil;
mod documents;
mod english;
mod query;
mod space;
mod teacher;

pub use documents::index;
pub use english::English;
pub use query::{LightQuery, QueryWords, light_query};
pub use teacher::OpenTeacher;
