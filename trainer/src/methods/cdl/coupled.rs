//! What coupled dictionary learning gives: dictionaries of unit atoms, and mappings of their codes.

use ndarray::Array2;
use smooth_clir::encoder::Table;

use super::Side;
use super::dictionary::Dictionary;

/// A shorter atom is dropped.
const LEAST_NORM: f64 = 1e-9;

/// Dictionaries and mappings of both sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coupled {
    /// Atoms of unit length. One that had none is dropped: it is zero, no code has it, and its row
    /// and column in the mappings are zero.
    pub dictionaries: [Dictionary; 2],
    /// From the codes of a side to the other's, each [atoms of the target, atoms of the source].
    pub maps: [Array2<f64>; 2],
    /// The joint objective before the first round and after each part of every round: in mode
    /// `paper` after each side, in mode `exact` after each side and after both mappings.
    pub objective: Vec<f64>,
}

impl Coupled {
    /// Brings atoms to unit length (paper 2, section 3). Codes for unit atoms are S x, S being the
    /// atoms' lengths, so the mapping from side 1 to side 2 becomes S2 T S1^-1, and the other S1 T S2^-1.
    pub fn new(sides: [Side; 2], objective: Vec<f64>) -> Self {
        let norms = sides.each_ref().map(|side| side.dictionary.norms());
        let norms = norms.map(|norms| {
            norms.into_iter().map(|x| if x > LEAST_NORM { x } else { 0.0 }).collect::<Vec<f64>>()
        });
        let inverse = norms.each_ref().map(|norms| {
            norms.iter().map(|&x| if x > 0.0 { 1.0 / x } else { 0.0 }).collect::<Vec<f64>>()
        });
        let mut coupled = Self { objective, ..Self::default() };
        for (number, side) in sides.into_iter().enumerate() {
            coupled.dictionaries[number] = side.dictionary.scaled(&inverse[number]);
            let mut map = side.map;
            for (row, own) in map.rows_mut().into_iter().zip(&norms[1 - number]) {
                let columns = row.into_iter().zip(&inverse[number]);
                columns.for_each(|(x, other)| *x *= own * other);
            }
            coupled.maps[number] = map;
        }
        coupled
    }

    /// A side's dictionary, a row for each word: [words, atoms].
    pub fn words(&self, side: usize) -> Table {
        narrow(&self.dictionaries[side].values).into()
    }

    /// The inner products of a side's atoms: [atoms, atoms].
    pub fn gram(&self, side: usize) -> Array2<f32> {
        narrow(&self.dictionaries[side].gram)
    }

    /// The mapping from a side's codes to the other's, a row for each atom of the other side.
    pub fn map(&self, side: usize) -> Array2<f32> {
        narrow(&self.maps[side])
    }
}

fn narrow(matrix: &Array2<f64>) -> Array2<f32> {
    matrix.mapv(|x| x as f32)
}
