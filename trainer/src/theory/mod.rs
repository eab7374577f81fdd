//! The theory of paper 1 (section 4 and appendix), computed: how smooth the loss is in the weights,
//! how stable that makes plain SGD, and what follows for queries not trained on; each beside what
//! the data show.

mod met;
mod report;
mod stability;
mod study;
mod study_report;

pub use smooth_clir::lab::theory::{Constants, bound, decimal};

pub use met::{Met, Vectors};
pub use report::{Bound, Report, Sgd};
pub use stability::{Descent, Outcome};
pub use study::{Point, Setting, Study};
pub use study_report::{figure as study_figure, table as study_table};
