//! How sure a figure is: slices of per-query values in, numbers out.
//!
//! Every function is fixed by its arguments, the seed among them, on any number of threads.

pub mod bootstrap;
mod groups;
pub mod holm;
pub mod paired;
pub mod randomisation;
pub mod seeds;

/// How often to draw, unless there is reason for another number.
pub const DRAWS: usize = 10_000;

/// Lines of one kind of `tests/reference/significance.tsv`: each column a list of numbers.
#[cfg(test)]
fn reference(kind: &str) -> Vec<Vec<Vec<f64>>> {
    let numbers = |column: &str| column.split(' ').map(|x| x.parse().unwrap()).collect();
    include_str!("../../../tests/reference/significance.tsv")
        .lines()
        .filter_map(|line| line.strip_prefix(kind)?.strip_prefix('\t'))
        .map(|columns| columns.split('\t').map(numbers).collect())
        .collect()
}
