//! Files: read, mapped, and written whole or not at all.

pub mod interruption;
pub mod mapped;
mod model;
pub mod own;
pub mod partial;
mod paths;
mod places;
mod whole;
mod within;

pub use model::{has_model, model_files, of_model, read_model};
pub use paths::{check_distinct, check_writable, make_folder, names_folder, scratch};
pub use places::{LeftOut, Places, places};
#[cfg(feature = "download")]
pub use whole::digest_by;
pub use whole::{digest, read, write, write_all, write_and_tell};
pub use within::Within;
#[cfg(feature = "serve")]
pub use within::is_hidden;
