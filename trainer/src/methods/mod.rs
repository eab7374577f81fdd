//! The second paper's method, its rivals and the first paper's, each trained on the same pairs of
//! English and another language, and judged alike.

mod bags;
mod cdl;
mod epsilon;
mod figures;
mod lexicon;
mod linear;
mod method;
mod psq;
mod sums;
mod task;
mod topics;
mod trained;
mod training;
mod unlabelled;

pub use epsilon::{Epsilon, choose as choose_epsilon};
pub use figures::{Figures, OfQueries};
pub use lexicon::Lexicon;
pub use method::{Method, Name as MethodName};
pub use task::{Part, Task};
pub use trained::Trained;
pub use unlabelled::Unlabelled;
