//! The mathematics of the two papers on plain slices: no module here depends on texts or files.

pub mod arrays;
pub mod curvature;
pub mod kernels;
pub mod loss;
pub mod metrics;
pub mod random;
pub mod similarity;
