//! The mathematics of both papers, on plain slices: no module here knows of texts or files.

pub mod arrays;
pub mod curvature;
pub mod kernels;
pub mod loss;
pub mod metrics;
pub mod random;
pub mod similarity;
