//! Values that belong together: the queries of a title.

use std::collections::HashMap;

/// A group's values.
#[derive(Debug, Clone, Copy, Default)]
pub struct Group {
    /// Their sum.
    pub sum: f64,
    /// How many there are.
    pub count: f64,
}

/// The groups in the order in which they first appear.
pub fn groups(values: &[(&str, f64)]) -> Vec<Group> {
    let mut places = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for &(name, value) in values {
        let place = *places.entry(name).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group::default());
        }
        groups[place].sum += value;
        groups[place].count += 1.0;
    }
    groups
}
