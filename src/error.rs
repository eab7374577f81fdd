//! Every way in which input is refused.

use crate::decimal::{decimal, decimals};
use crate::limits;

/// A refusal of input: it says what was wrong, what was found and what was expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The bytes are no safetensors file, or only a part of one.
    #[error("not a whole safetensors file ({length} bytes): {reason}")]
    NotSafetensors {
        /// The number of bytes.
        length: usize,
        /// The part that could not be read.
        reason: String,
    },
    /// The file is safetensors, but its metadata does not say what this library reads.
    #[error("metadata `{key}`: found {found}, expected {expected}")]
    Metadata {
        /// The key in `__metadata__`.
        key: String,
        /// Its value, or that there is none.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// The file was made by a later version of the format.
    #[error("format version {found} is newer than this program, which reads version {supported}")]
    NewerVersion {
        /// The file's version.
        found: String,
        /// The version this library reads.
        supported: u32,
    },
    /// The bytes are not those that the file's own digest was computed of.
    #[error(
        "digest {found} does not match the file's own, {expected}: the file was damaged or edited"
    )]
    Digest {
        /// The digest of the bytes.
        found: String,
        /// The digest that the file states.
        expected: String,
    },
    /// A tensor that should be there is not.
    #[error("tensor `{name}` is missing")]
    MissingTensor {
        /// Its name.
        name: String,
    },
    /// A tensor that this version does not know and the file does not name under `extensions`.
    #[error("tensor `{name}` is unknown and not named under `extensions`")]
    UnknownTensor {
        /// Its name.
        name: String,
    },
    /// A tensor of another element type.
    #[error("tensor `{name}` has type {found}, expected {expected}")]
    TensorType {
        /// Its name.
        name: String,
        /// Its type.
        found: String,
        /// The types it may have.
        expected: String,
    },
    /// A tensor of another shape.
    #[error("tensor `{name}` has shape {found:?}, expected {expected}")]
    TensorShape {
        /// Its name.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape it should have.
        expected: String,
    },
    /// A number that is not finite, or outside its range.
    #[error("tensor `{name}`, element {position}: {found} is not {expected}")]
    TensorValue {
        /// The tensor's name.
        name: String,
        /// Which element, counted from 0.
        position: usize,
        /// Its value.
        found: String,
        /// The expected value.
        expected: &'static str,
    },
    /// Text in a tensor that is not UTF-8.
    #[error("tensor `{name}` is not UTF-8 at byte {position}")]
    TensorText {
        /// The tensor's name.
        name: String,
        /// Where the text breaks.
        position: usize,
    },
    /// A vocabulary whose tokens are not sorted, unique and non-empty.
    #[error("vocabulary `{name}`, token {position}: `{token}` {problem}")]
    Vocabulary {
        /// The tensor's name.
        name: String,
        /// Which token, counted from 0.
        position: usize,
        /// The token.
        token: String,
        /// The problem.
        problem: &'static str,
    },
    /// Files of different trainings, or an index and a model that did not make it.
    #[error("{what} belongs to model {found}, but the model loaded is {expected}")]
    Mismatch {
        /// Which file or part.
        what: String,
        /// The model it belongs to.
        found: String,
        /// The model in use.
        expected: String,
    },
    /// A language pack for the query encoder of another model.
    #[error(
        "the language pack of {languages} belongs to model {found}, but the model loaded is {expected}: load the pack for this model, or make it with `smooth-clir language add`"
    )]
    OtherPack {
        /// Its languages.
        languages: String,
        /// The model that it was made for.
        found: String,
        /// The model in use.
        expected: String,
    },
    /// A model was to be read from no file at all.
    #[error("no model files were given")]
    NoFiles,
    /// The files loaded hold no encoder of this kind.
    #[error(
        "the model has no {encoder}{}{available}",
        if available.is_empty() { "" } else { "; it has " }
    )]
    MissingEncoder {
        /// The encoder that is needed.
        encoder: String,
        /// The encoders that are loaded.
        available: String,
    },
    /// No document that is loaded is in this language.
    #[error(
        "no documents in `{language}` are loaded; loaded: {}",
        if available.is_empty() { "none" } else { available }
    )]
    UnknownLanguage {
        /// The language.
        language: String,
        /// The languages that are loaded.
        available: String,
    },
    /// The language that was chosen for a query has no encoder here.
    #[error(
        "queries in `{language}` cannot be read: its model file is not loaded; loaded: {available}"
    )]
    UnknownQueryLanguage {
        /// The language.
        language: String,
        /// The languages that queries may be in.
        available: String,
    },
    /// No document that is loaded has a field of this name.
    #[error(
        "no document has a field `{field}`; fields: {}",
        if available.is_empty() { "none" } else { available }
    )]
    UnknownField {
        /// The field's name.
        field: String,
        /// The fields that documents have.
        available: String,
    },
    /// Documents of a language lie in one index with others, and cannot be removed alone.
    #[error(
        "documents in `{language}` share an index with other languages and cannot be removed alone"
    )]
    SharedIndex {
        /// The language.
        language: String,
    },
    /// There is no index of this number.
    #[error("index {number} does not exist: {count} are loaded, numbered from 0")]
    NoSuchIndex {
        /// Its number.
        number: usize,
        /// The number of them.
        count: usize,
    },
    /// The block of texts that holds a document has not been loaded.
    #[error("block {block} of the texts is not loaded")]
    MissingTexts {
        /// The block's number.
        block: usize,
    },
    /// A block of texts has a number or a length that the index has no place for.
    #[error(
        "block {number} of {documents} documents does not fit an index of {blocks} blocks of {size}"
    )]
    WrongBlock {
        /// The block's number.
        number: usize,
        /// The number of its documents.
        documents: usize,
        /// The number of the index's blocks.
        blocks: usize,
        /// The number of documents of each block but the last.
        size: usize,
    },
    /// Of the queries to train on, none fell to a split that needs some.
    #[error("too few queries: of {queries}, none is left to {purpose}")]
    TooFewQueries {
        /// The purpose of the split.
        purpose: &'static str,
        /// The number of queries.
        queries: usize,
    },
    /// More negatives for each query than there are documents to sample from.
    #[error("{requested} negatives requested, only {eligible} documents are eligible")]
    TooFewDocuments {
        /// The number requested.
        requested: usize,
        /// The number of documents that a query may sample from.
        eligible: usize,
    },
    /// Indexes whose documents different teachers encoded, or one of them a teacher and the other the model.
    #[error("documents of one index were encoded by different teachers: {found} and {expected}")]
    OtherTeacher {
        /// The digest of the one, or "none".
        found: String,
        /// That of the other.
        expected: String,
    },
    /// A part that is already there.
    #[error("{what} is given twice")]
    Twice {
        /// The part that is there twice.
        what: String,
    },
    /// The share of the dense score is not a number from 0 to 1.
    #[error("`dense` must be a number from 0 to 1, got {}", decimal(*found))]
    Dense {
        /// The share.
        found: f32,
    },
    /// Epsilon must be a finite number, 0 or greater.
    #[error("`epsilon` must be a finite number of 0 or more, got {}", decimal(*found))]
    Epsilon {
        /// The value given.
        found: f32,
    },
    /// Thresholds must rise strictly between -1 and 1.
    #[error("`thresholds` must rise strictly between -1 and 1, got {}", decimals(found))]
    Thresholds {
        /// The values given.
        found: Vec<f32>,
    },
    /// Three-part L2 has its own thresholds.
    #[error(
        "three-part thresholds {}: expected two or three between -1 and 1, the first below the second, the third not below that",
        decimals(found)
    )]
    ThreePart {
        /// The values given.
        found: Vec<f32>,
    },
    /// The scale of proportional odds is no finite number above 0.
    #[error("`scale` must be a finite number above 0, got {}", decimal(*found))]
    Scale {
        /// The value given.
        found: f32,
    },
    /// The highest grade's interval begins where no score can reach.
    #[error(
        "threshold {} is out of reach: with dimension {dimension} and epsilon {} no score exceeds {}",
        decimal(*threshold), decimal(*epsilon), decimal(*reach)
    )]
    ThresholdOutOfReach {
        /// The highest threshold.
        threshold: f32,
        /// The vectors' dimension.
        dimension: usize,
        /// Epsilon.
        epsilon: f32,
        /// The largest score there can be.
        reach: f32,
    },
    /// A query longer than is searched for.
    #[error("`query` must have at most {most} bytes, got {found}")]
    QueryTooLong {
        /// Its length in bytes.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// A relevance judgement that a model cannot be trained with.
    #[error("relevance judgement {number}: {problem}")]
    Judgement {
        /// Which, counted from 0.
        number: usize,
        /// The problem.
        problem: String,
    },
    /// An option of training or fine-tuning out of its range.
    #[error("`{option}` must be {expected}, got {}", decimal(*found))]
    LearningOption {
        /// Its name in JavaScript.
        option: &'static str,
        /// Its value.
        found: f32,
        /// The allowed values.
        expected: String,
    },
    /// More documents or bytes than the format's 32-bit offsets can count.
    #[error("{what}: {found} is more than the file format holds ({most})")]
    TooLarge {
        /// The part that is too large.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// There is no GPU that can be used.
    #[cfg(feature = "gpu")]
    #[error("no GPU can be used: {reason}")]
    NoGpu {
        /// Why not.
        reason: String,
    },
    /// The GPU was lost, ran out of memory or refused its work.
    #[cfg(feature = "gpu")]
    #[error("the GPU failed: {reason}")]
    GpuFailed {
        /// Its message.
        reason: String,
    },
    /// The GPU does not support the request.
    #[cfg(feature = "gpu")]
    #[error("{what}: found {found}, expected {expected}")]
    NotForGpu {
        /// The part that is not supported.
        what: String,
        /// The value found.
        found: String,
        /// The expected value.
        expected: String,
    },
}

impl Error {
    /// A stable, documented name for the kind of refusal, for programs to act on.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NotSafetensors { .. } => "not-safetensors",
            Error::Metadata { .. } => "metadata",
            Error::NewerVersion { .. } => "newer-version",
            Error::Digest { .. } => "digest",
            Error::MissingTensor { .. } => "missing-tensor",
            Error::UnknownTensor { .. } => "unknown-tensor",
            Error::TensorType { .. } => "tensor-type",
            Error::TensorShape { .. } => "tensor-shape",
            Error::TensorValue { .. } => "tensor-value",
            Error::TensorText { .. } => "tensor-text",
            Error::Vocabulary { .. } => "vocabulary",
            Error::Mismatch { .. } | Error::OtherTeacher { .. } | Error::OtherPack { .. } => {
                "mismatch"
            }
            Error::NoFiles => "no-files",
            Error::MissingEncoder { .. } => "missing-encoder",
            Error::UnknownLanguage { .. } | Error::UnknownQueryLanguage { .. } => {
                "unknown-language"
            }
            Error::UnknownField { .. } => "unknown-field",
            Error::SharedIndex { .. } => "shared-index",
            Error::NoSuchIndex { .. } => "no-such-index",
            Error::MissingTexts { .. } => "missing-texts",
            Error::WrongBlock { .. } => "wrong-block",
            Error::TooFewQueries { .. } => "too-few-queries",
            Error::TooFewDocuments { .. } => "too-few-documents",
            Error::Twice { .. } => "twice",
            Error::Dense { .. } => "dense",
            Error::Epsilon { .. } => "epsilon",
            Error::Thresholds { .. } | Error::ThreePart { .. } => "thresholds",
            Error::Scale { .. } => "scale",
            Error::ThresholdOutOfReach { .. } => "threshold-out-of-reach",
            Error::QueryTooLong { .. } => "query-too-long",
            Error::Judgement { .. } => "judgement",
            Error::LearningOption { .. } => "learning-option",
            Error::TooLarge { .. } => "too-large",
            #[cfg(feature = "gpu")]
            Error::NoGpu { .. } => "no-gpu",
            #[cfg(feature = "gpu")]
            Error::GpuFailed { .. } => "gpu-failed",
            #[cfg(feature = "gpu")]
            Error::NotForGpu { .. } => "not-for-gpu",
        }
    }
}

/// What a message shows of a text from a file.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(limits::SHOWN_CHARACTERS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Refuses more than the file format holds.
///
/// # Errors
/// [`Error::TooLarge`].
pub(crate) fn check_at_most(what: &'static str, found: usize, most: usize) -> Result<(), Error> {
    match found <= most {
        true => Ok(()),
        false => Err(Error::TooLarge { what, found, most }),
    }
}

/// Refuses an epsilon that is negative, infinite or not a number.
///
/// # Errors
/// [`Error::Epsilon`].
pub fn check_epsilon(epsilon: f32) -> Result<f32, Error> {
    if epsilon.is_finite() && epsilon >= 0.0 {
        Ok(epsilon)
    } else {
        Err(Error::Epsilon { found: epsilon })
    }
}

/// Refuses a share of the dense score out of range.
///
/// # Errors
/// [`Error::Dense`].
pub fn check_dense(share: Option<f32>) -> Result<(), Error> {
    match share {
        Some(found) if !(0.0..=1.0).contains(&found) => Err(Error::Dense { found }),
        _ => Ok(()),
    }
}
