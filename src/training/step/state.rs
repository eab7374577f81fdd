//! The state that a trainer on another device needs to continue from this one, and back.

use super::{Adam, PairTrainer, Part, Settings, TrainedTable, Weighting};
use crate::encoder::Table;
use crate::math::arrays::{into_values, view_of_rows};

/// The complete state of a trainer.
#[derive(Debug)]
pub(crate) struct State {
    pub adam: Adam,
    /// For each table the weights, their first and their second moments.
    pub tables: Vec<[Vec<f32>; 3]>,
}

impl PairTrainer {
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The tables that the pull is towards; the tables themselves without a pull.
    pub(crate) fn homes(&self) -> Vec<Table> {
        self.tables.iter().map(TrainedTable::home).collect()
    }

    /// For each table the weights of its rows; `None` if all weigh 1.
    pub(crate) fn weightings(&self) -> Vec<Option<Weighting>> {
        self.tables.iter().map(|table| table.weighting.clone()).collect()
    }

    pub(crate) fn state(&self) -> State {
        let parts = |table: &TrainedTable| Part::ALL.map(|part| into_values(table.get(part)));
        State { adam: self.adam.clone(), tables: self.tables.iter().map(parts).collect() }
    }

    /// Takes over the state of a trainer whose tables have the same shapes.
    pub(crate) fn take(&mut self, State { adam, tables }: State) {
        self.adam = adam;
        for (table, parts) in self.tables.iter_mut().zip(tables) {
            for (part, values) in Part::ALL.into_iter().zip(parts) {
                table.set(part, view_of_rows(table.dimension(), &values));
            }
            table.touched.move_all(table.rows());
        }
    }
}
