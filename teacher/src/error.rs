//! Every way in which a teacher is refused.

/// What is wrong with a teacher's files, and in which of them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of JSON cannot be read as what it should be.
    #[error("{file}: {problem}")]
    Json {
        /// The file's name.
        file: &'static str,
        /// What the parser says.
        problem: String,
    },
    /// The encoder is of another kind than this program computes.
    #[error("{file}: `{field}` is {found}, expected {expected}")]
    Unsupported {
        /// The file's name.
        file: &'static str,
        /// The field of the file.
        field: &'static str,
        /// Its value.
        found: String,
        /// The values that are supported.
        expected: String,
    },
    /// The weights are not a safetensors file.
    #[error("model.safetensors: {0}")]
    Container(String),
    /// A tensor is not there.
    #[error("model.safetensors: there is no tensor `{0}`")]
    NoTensor(String),
    /// A tensor has another type or shape than the configuration says.
    #[error("model.safetensors: `{name}` is {found}, expected {expected}")]
    Shape {
        /// The tensor's name.
        name: String,
        /// Its type and shape.
        found: String,
        /// The type and shape that the configuration asks for.
        expected: String,
    },
    /// A tensor has a value that is NaN or infinite.
    #[error("model.safetensors: `{name}` has the value {value} at {position}")]
    NotFinite {
        /// The tensor's name.
        name: String,
        /// The value.
        value: f32,
        /// Its position in the tensor, counted from 0.
        position: usize,
    },
    /// The tokenizer cannot be read, or does not belong to the weights.
    #[error("tokenizer.json: {0}")]
    Tokenizer(String),
    /// A compact file is refused.
    #[error(transparent)]
    Compact(#[from] smooth_clir::Error),
}
