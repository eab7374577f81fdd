//! The space of deep documents: how the vectors of a sentence encoder, the teacher, become vectors of the model.
//!
//! The centre and the projection are constants of the model, estimated on its training text, so no vector depends on
//! which other documents an index has.

use ndarray::Array2;

use crate::Error;
use crate::lexical::bigrams::Bigrams;
use crate::math::arrays::{row, values};
use crate::math::kernels;
use crate::storage::container::{Reader, Writer};

/// The prefix of the tensors' names, and the name of their file.
pub const DEEP: &str = "deep";
const CENTRE: &str = "deep.centre";
const PROJECTION: &str = "deep.projection";
/// The metadata with the teacher's digest.
const TEACHER: &str = "teacher";

/// How a teacher's vectors become vectors of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Deep {
    /// The SHA-256 of the teacher's files.
    pub teacher: String,
    /// The mean of the teacher's vectors of training text: [teacher's dimension].
    centre: Vec<f32>,
    /// [dimension, teacher's dimension].
    projection: Array2<f32>,
    /// What glosses of documents are chosen by.
    bigrams: Bigrams,
}

impl Deep {
    /// Creates the map of a teacher's vectors to `projection (vector - centre)`.
    ///
    /// # Panics
    /// If the projection has not as many columns as the centre.
    pub fn new(
        teacher: String,
        centre: Vec<f32>,
        projection: Array2<f32>,
        bigrams: Bigrams,
    ) -> Self {
        assert_eq!(projection.ncols(), centre.len(), "the columns of the projection");
        Self { teacher, centre, projection, bigrams }
    }

    /// The bigram model of English that glosses are chosen by.
    pub fn bigrams(&self) -> &Bigrams {
        &self.bigrams
    }

    /// A teacher's vector in the model's space. A vector of zeros, of a text without tokens, stays one.
    pub fn project(&self, vector: &[f32]) -> Vec<f32> {
        if vector.iter().all(|&value| value == 0.0) {
            return vec![0.0; self.projection.nrows()];
        }
        let centred: Vec<f32> = vector.iter().zip(&self.centre).map(|(x, mean)| x - mean).collect();
        let rows = 0..self.projection.nrows();
        rows.map(|number| kernels::dot(row(&self.projection, number), &centred)).collect()
    }

    /// Writes the map to a model's file.
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.metadata(TEACHER, self.teacher.clone());
        writer.f32(CENTRE, &[self.centre.len()], &self.centre);
        writer.f32(PROJECTION, self.projection.shape(), values(&self.projection));
        self.bigrams.write(writer);
    }

    /// Reads the map to vectors of a dimension; `None` if the file has none.
    pub(crate) fn read(reader: &mut Reader<'_>, dimension: usize) -> Result<Option<Self>, Error> {
        if !reader.has(CENTRE) {
            return Ok(None);
        }
        let teacher = reader.space(TEACHER)?;
        let centre = reader.numbers(CENTRE, None)?;
        let projection = reader.table(PROJECTION, Some(dimension), centre.len())?;
        let bigrams = Bigrams::read(reader)?;
        Ok(Some(Self { teacher, centre, projection: projection.into_array(), bigrams }))
    }
}
