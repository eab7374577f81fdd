//! Documents -> an index, one at a time.

use std::collections::BTreeMap;

use super::blocks::Blocks;
use super::words::{self, Counter};
use super::{Block, Document, Index, fields};
use crate::Error;
use crate::encoder::{Encoder, Precision, Rows, Scratch, Table, Words};
use crate::error::check_at_most;
use crate::lexical::postings::Counting;
use crate::limits;
use crate::math::kernels;
use crate::model::{Model, QUERY_LANGUAGE};

/// An index that is being built.
#[derive(Debug)]
pub struct Builder {
    model: String,
    teacher: Option<String>,
    dimension: usize,
    languages: Vec<String>,
    language: Vec<u8>,
    values: Vec<f32>,
    words: Counter,
    fields: fields::Gathering,
    block: Block,
    /// Of each language, that of its encoder.
    scratches: Vec<Scratch>,
}

impl Builder {
    /// An index of a model's, without documents.
    pub fn new(model: &Model) -> Self {
        // A model that calibrates a lexical score also matches documents in the language of queries.
        let is_lexical = !model.config.calibration.is_empty();
        let of_queries = is_lexical.then(|| (QUERY_LANGUAGE.to_owned(), Counting::default()));
        let counted = model
            .translations
            .iter()
            .map(|(language, table)| (language.clone(), Counting::of(Some(table.clone()))));
        // Where documents in the language of queries have translations, these tell how their words are read.
        let counted = of_queries.into_iter().chain(counted).collect();
        Self::counting(model.space.clone(), model.config.dimension, counted)
    }

    /// As [`new`](Self::new), of the model with this space; in these languages words are counted.
    pub(super) fn counting(
        model: String,
        dimension: usize,
        languages: BTreeMap<String, Counting>,
    ) -> Self {
        Self {
            model,
            teacher: None,
            dimension,
            languages: Vec::new(),
            language: Vec::new(),
            values: Vec::new(),
            words: Counter::new(languages),
            fields: fields::Gathering::default(),
            block: Block::default(),
            scratches: Vec::new(),
        }
    }

    /// As [`new`](Self::new), of deep documents: their vectors are given to [`push_vector`](Self::push_vector), and are
    /// not those of the model's document encoders. `teacher` is the digest of the encoder that they come from.
    pub fn deep(model: &Model, teacher: String) -> Self {
        Self { teacher: Some(teacher), ..Self::new(model) }
    }

    /// Adds a document with its vector.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if there is no place for it.
    ///
    /// # Panics
    /// If the vector is of another dimension than the model's.
    pub fn push_vector(&mut self, document: &Document<'_>, vector: &[f32]) -> Result<(), Error> {
        assert_eq!(vector.len(), self.dimension, "the dimension of a vector");
        self.add(document)?;
        self.values.extend_from_slice(vector);
        Ok(())
    }

    /// Encodes one more document by the model's document encoder of its language.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where it has no place any more.
    pub fn push(&mut self, document: &Document<'_>, encoder: &Encoder) -> Result<Words, Error> {
        self.add(document)?;
        let start = self.values.len();
        self.values.resize(start + self.dimension, 0.0);
        let which = self.language.last().map_or(0, |&which| usize::from(which));
        self.scratches.resize_with(self.languages.len(), Scratch::default);
        let (scratch, vector) = (&mut self.scratches[which], &mut self.values[start..]);
        Ok(encoder.encode_into(document.text, scratch, vector))
    }

    /// Adds all of a document but its vector.
    pub(super) fn add(&mut self, document: &Document<'_>) -> Result<(), Error> {
        self.show(document)?;
        self.words.push(document.language, document.text);
        Ok(())
    }

    /// Adds words that were counted, of the documents [shown](Self::show) since the last ones.
    pub(super) fn add_words(&mut self, words: &words::Words) {
        self.words.append(words);
    }

    /// Adds all of a document but its vector and its words.
    pub(super) fn show(&mut self, document: &Document<'_>) -> Result<(), Error> {
        let known = self.languages.iter().position(|l| l == document.language);
        let which = known.unwrap_or(self.languages.len());
        check_at_most("languages", which + 1, limits::LANGUAGES)?;
        let name = document.language;
        check_at_most("bytes of a language's name", name.len(), limits::NAME_BYTES)?;
        self.block.push(document)?;
        if known.is_none() {
            self.languages.push(document.language.into());
        }
        self.fields.push(self.language.len(), document.fields);
        self.language.push(which as u8);
        Ok(())
    }

    /// The number of its documents.
    pub fn len(&self) -> usize {
        self.language.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.language.is_empty()
    }

    /// The index. Vectors are rounded to `precision`, of which 16 bits count as 32, before their
    /// norms are taken.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn finish(mut self, precision: Precision) -> Result<Index, Error> {
        let precision = if precision == Precision::F16 { Precision::F32 } else { precision };
        let values = std::mem::take(&mut self.values);
        let vectors = Rows::new(Table::new(self.dimension, values), precision);
        self.with_vectors(vectors)
    }

    /// The index of the documents that were added, with these vectors.
    pub(super) fn with_vectors(self, vectors: Rows) -> Result<Index, Error> {
        let norms = (0..vectors.len()).map(|i| kernels::norm(&vectors.row(i)));
        let norms = norms.collect::<Vec<_>>().into();
        let (model, teacher) = (self.model, self.teacher);
        let (languages, language) = (self.languages, self.language.into());
        let words = self.words.finish(&languages)?;
        let fields = self.fields.finish(vectors.len())?;
        let texts = Blocks::whole(self.block);
        Ok(Index { model, languages, language, vectors, norms, words, fields, texts, teacher })
    }
}

impl Index {
    /// Encodes documents; those in [`QUERY_LANGUAGE`], where the model has no document encoder for it, by the query
    /// encoder. Vectors are rounded to `precision` before their norms are taken, so
    /// that an index scores alike before it is written and after it is read.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] for a language that the model does not have, [`Error::TooLarge`].
    pub fn build<'a>(
        model: &Model,
        documents: impl IntoIterator<Item = Document<'a>>,
        precision: Precision,
    ) -> Result<Self, Error> {
        let mut builder = Builder::new(model);
        for document in documents {
            builder.push(&document, model.encoder_of(document.language)?)?;
        }
        builder.finish(precision)
    }
}
