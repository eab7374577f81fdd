//! Collections as rows: vocabularies, and every text as rows of them.

use rayon::prelude::*;
use smooth_clir::text::Scratch;
use smooth_clir::text::vocabulary::Vocabulary;
use smooth_clir::training::corpus::{Texts, Words};
use smooth_clir::training::step::Weighting;

use crate::data::Collection;
use crate::error::Error;

/// Vocabularies and texts of all collections.
pub struct Corpus {
    /// The words of the queries trained on.
    pub query_vocabulary: Vocabulary,
    /// Each language, sorted, with the words of its documents.
    pub document_vocabularies: Vec<(String, Vocabulary)>,
    /// The texts of each collection.
    pub collections: Vec<Texts>,
    /// What each word weighs in the mean of its text: of the queries' words, then of each
    /// language's; `None` where all weigh the same.
    pub weights: Option<Vec<Vec<f32>>>,
}

impl Corpus {
    /// Reads the words of the queries that `trains` names (by collection and query) and of all
    /// documents, and turns every text into rows.
    pub fn new(
        collections: &[Collection],
        trains: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Self, Error> {
        let query_texts = collections.par_iter().enumerate().flat_map(|(number, collection)| {
            let queries = collection.queries.par_iter().enumerate();
            let trains = &trains;
            queries.filter(move |&(query, _)| trains(number, query)).map(|(_, query)| &query.text)
        });
        let query_vocabulary = vocabulary(query_texts)?;
        let mut languages: Vec<&String> = collections.iter().map(|c| &c.language).collect();
        languages.sort();
        languages.dedup();
        let mut document_vocabularies = Vec::new();
        for language in &languages {
            let own = collections.par_iter().filter(|c| c.language == **language);
            let texts = own.flat_map(|c| c.documents.par_iter().map(|document| &document.text));
            document_vocabularies.push(((*language).clone(), vocabulary(texts)?));
        }
        let texts = |collection: &Collection| {
            let language = languages.partition_point(|language| **language < collection.language);
            let vocabulary = &document_vocabularies[language].1;
            let (queries, documents) = (&collection.queries, &collection.documents);
            Texts {
                language,
                queries: rows(&query_vocabulary, queries.par_iter().map(|query| &query.text)),
                documents: rows(vocabulary, documents.par_iter().map(|document| &document.text)),
            }
        };
        let texts = collections.iter().map(texts).collect();
        Ok(Self { query_vocabulary, document_vocabularies, collections: texts, weights: None })
    }

    /// The vocabularies: the queries', then each language's.
    pub fn vocabularies(&self) -> impl Iterator<Item = &Vocabulary> {
        let documents = self.document_vocabularies.iter().map(|(_, vocabulary)| vocabulary);
        std::iter::once(&self.query_vocabulary).chain(documents)
    }

    /// The weights of the words of an encoder: the queries' is 0.
    pub fn weights_of(&self, side: usize) -> Option<&[f32]> {
        self.weights.as_ref().map(|weights| &weights[side][..])
    }

    /// The same for the trainer of the encoders; nothing where all weigh the same.
    pub fn weightings(&self) -> Vec<Weighting> {
        let weighting = |weights: &Vec<f32>| Weighting { weights: weights.clone(), counts: vec![] };
        self.weights.iter().flatten().map(weighting).collect()
    }
}

fn vocabulary<'a>(texts: impl ParallelIterator<Item = &'a String>) -> Result<Vocabulary, Error> {
    let gather = |mut words: Words, text: &String| {
        words.add(text);
        words
    };
    let words = texts.fold(Words::default, gather).reduce(Words::default, Words::join);
    Ok(words.vocabulary()?)
}

fn rows<'a>(
    vocabulary: &Vocabulary,
    texts: impl IndexedParallelIterator<Item = &'a String>,
) -> Vec<Vec<u32>> {
    let rows = |scratch: &mut Scratch, text: &String| {
        let mut rows = Vec::new();
        vocabulary.rows_into(text, scratch, &mut rows);
        rows
    };
    texts.map_init(Scratch::default, rows).collect()
}
