//! Pre-trained word vectors: a file in any of the usual formats -> rows of an embedding table.
//!
//! | module | format |
//! |---|---|
//! | [`text`] | word2vec's and fastText's text, with a header; GloVe's, without |
//! | [`word2vec`] | word2vec's binary |
//! | [`fasttext`] | fastText's `.bin`, with its character n-grams |
//! | [`polyglot`] | Polyglot's pickle of words and an array, by way of [`pickle`] |
//!
//! The content tells the format, not the name. Files are read as streams, whatever their size;
//! only the rows of words in the vocabulary are kept.

mod bytes;
mod fasttext;
mod format;
mod pickle;
mod polyglot;
mod rows;
mod source;
mod text;
mod word2vec;

use std::path::Path;

use smooth_clir::encoder::Table;
use smooth_clir::vocabulary::Vocabulary;

use crate::error::Error;
use format::Format;
use rows::Rows;
use source::Source;

/// What a file held for a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Words of the vocabulary that the file has.
    pub words: u64,
    /// Words that fastText's file does not have, put together from their n-grams.
    pub composed: u64,
    /// Entries left out: their word is no UTF-8.
    pub skipped: u64,
    /// SHA-256 of the file.
    pub digest: String,
}

/// Writes the vectors of a file into the rows of their words; other rows stay as they are.
///
/// An entry is of the word that is its only token. Where several are, the one spelled as the token
/// wins (`paris` over `Paris`), else the first: in these files the most frequent.
///
/// # Errors
/// A file that cannot be read, is of no known format, cut short, of another dimension than the
/// table, or in disagreement with itself.
pub fn read(path: &Path, vocabulary: &Vocabulary, table: &mut Table) -> Result<Found, Error> {
    let mut source = Source::open(path)?;
    let mut rows = Rows::new(vocabulary, table);
    match format::detect(source.head()?).map_err(|problem| Error::data(path, problem))? {
        Format::Text { header } => text::read(&mut source, &mut rows, header)?,
        Format::Word2vecBinary => word2vec::read(&mut source, &mut rows)?,
        Format::FastText => fasttext::read(&mut source, &mut rows)?,
        Format::Pickle => polyglot::read(&mut source, &mut rows)?,
    }
    let (words, composed, skipped) = rows.counts();
    Ok(Found { words, composed, skipped, digest: source.finish()? })
}
