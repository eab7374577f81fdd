//! Deep documents and light queries: a sentence encoder, the teacher, reads documents when they are indexed; the words of
//! queries are averaged in the same space. All but made queries and the file of vectors needs the feature
//! `teacher`.

#[cfg(feature = "teacher")]
mod answers;
mod asked;
#[cfg(feature = "teacher")]
mod distil;
#[cfg(feature = "teacher")]
mod documents;
#[cfg(feature = "teacher")]
mod english;
#[cfg(feature = "teacher")]
mod kept;
mod keyed;
#[cfg(feature = "teacher")]
mod query;
#[cfg(feature = "teacher")]
mod space;
#[cfg(feature = "teacher")]
mod teacher;
mod vectors;

#[cfg(feature = "teacher")]
pub use answers::{Answered, learn_answers};
pub use asked::queries;
#[cfg(feature = "teacher")]
pub use documents::encode;
#[cfg(feature = "teacher")]
pub use english::English;
#[cfg(feature = "teacher")]
pub use query::{LightQuery, QueryWords, light_query};
#[cfg(feature = "teacher")]
pub use teacher::{FILES, OpenTeacher, compact};
pub use vectors::Vectors;
