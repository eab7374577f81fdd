//! A model trained on pairs, as what a training on grades begins with: its rows and weights; and
//! afterwards its words, n-grams and translations around the rows that were trained.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::lexical::translation::Translations;
use smooth_clir::model::Model;
use smooth_clir::model::calibration::Calibration;
use smooth_clir::storage::container::sha256_hex;
use smooth_clir::text::vocabulary::Vocabulary;

use super::contrastive::thinned;
use super::fit::{Histogram, Seen, weights};
use super::init::Words;
use crate::corpus::{Corpus, Example};
use crate::data::Collection;
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;

/// At most so many relevant pairs of the validation fit the weights of the dense and the lexical score.
const MOST_WEIGHED: usize = 1000;

/// The encoders of a model that a training begins with.
#[derive(Debug)]
pub struct General {
    model: Model,
    language: String,
}

impl General {
    /// A model's queries, and its documents of one language. `path` is for errors.
    ///
    /// # Errors
    /// If it has no such encoders, or no n-grams: it then has no row for a word that is new to it.
    pub fn new(mut model: Model, language: &str, path: &Path) -> Result<Self, Error> {
        model.query_encoder()?;
        if model.config.subwords == 0 {
            let problem = "it has no n-grams, which make rows of unknown words; expected a model of --loss contrastive";
            return Err(Error::data(path, problem));
        }
        model.document_encoder(language)?;
        model.documents.retain(|name, _| name == language);
        model.translations.retain(|name, _| name == language);
        model.config.calibration.retain(|name, _| name == language);
        model.config.languages = vec![language.into()];
        Ok(Self { model, language: language.into() })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How the model was made.
    pub fn provenance(&self) -> Value {
        serde_json::from_str(&self.model.provenance).unwrap_or(Value::Null)
    }

    /// A digest of all that the training begins with.
    pub fn digest(&self) -> String {
        sha256_hex(&[&self.model.write(Precision::F32)])
    }

    fn encoders(&self) -> impl Iterator<Item = &Encoder> {
        self.model.query.iter().chain(self.model.documents.values())
    }

    /// A collection's texts as rows of its own words, with the weights that these have here. Words
    /// of all queries are in it: each has a row, trained on or not.
    ///
    /// # Errors
    /// If there are too many words.
    pub fn corpus(&self, collection: &[Collection]) -> Result<Corpus, Error> {
        let mut corpus = Corpus::new(collection, |_, _| true)?;
        let weighted = self.encoders().any(|encoder| encoder.weights.is_some());
        let weights = self.encoders().zip(corpus.vocabularies()).map(|(encoder, vocabulary)| {
            (0..vocabulary.len()).map(|row| weight(encoder, vocabulary.token(row))).collect()
        });
        corpus.weights = weighted.then(|| weights.collect());
        Ok(corpus)
    }

    /// The rows of a corpus's words: the model's own, or what it makes of their n-grams.
    pub fn words(&self, corpus: &Corpus) -> Words {
        let encoders = || self.encoders().zip(corpus.vocabularies());
        let told = |((encoder, vocabulary), name): ((&Encoder, &Vocabulary), &str)| {
            let known = |row: &usize| encoder.vocabulary.row(vocabulary.token(*row)).is_some();
            let (known, all) = ((0..vocabulary.len()).filter(known).count(), vocabulary.len());
            format!("{name}: {known} of {all} words have a row in the model")
        };
        let names = ["query", &self.language[..]];
        Words {
            tables: encoders().map(|(encoder, vocabulary)| rows(encoder, vocabulary)).collect(),
            provenance: None,
            told: encoders().zip(names).map(told).collect(),
        }
    }

    /// Gives a model of the rows that were trained what this one has beside them: rows of other
    /// words, weights, n-grams, translations. A word that is new here and whose row did not move
    /// stays without one.
    ///
    /// # Errors
    /// If there are too many words.
    pub fn complete(&self, trained: &mut Model) -> Result<(), Error> {
        let encoders = trained.query.iter_mut().chain(trained.documents.values_mut());
        for (trained, general) in encoders.zip(self.encoders()) {
            *trained = merged(general, trained)?;
        }
        trained.config.subwords = self.model.config.subwords;
        trained.config.calibration = self.model.config.calibration.clone();
        if let Some(table) = self.model.translations.get(&self.language) {
            let [query, document] = vocabularies(&self.model, &self.language)?;
            let entries = table.entries(query, document);
            let [query, document] = vocabularies(trained, &self.language)?;
            let mut translations = Translations::new(&entries, query, document)?;
            translations.stems = table.stems.clone();
            trained.translations.insert(self.language.clone(), Arc::new(translations));
        }
        Ok(())
    }
}

/// The words of the queries and of a language's documents.
fn vocabularies<'a>(model: &'a Model, language: &str) -> Result<[&'a Vocabulary; 2], Error> {
    let document = model.document_encoder(language)?;
    Ok([&model.query_encoder()?.vocabulary, &document.vocabulary])
}

/// What a word weighs in a mean: one without a row weighs 1.
fn weight(encoder: &Encoder, token: &str) -> f32 {
    let row = encoder.vocabulary.row(token);
    row.zip(encoder.weights.as_ref()).map_or(1.0, |(row, weights)| weights[row as usize])
}

/// The row of each word, or the vector that the encoder composes of its n-grams.
fn rows(encoder: &Encoder, vocabulary: &Vocabulary) -> Table {
    let row = |row: usize| {
        let token = vocabulary.token(row);
        let own = encoder.vocabulary.row(token);
        let own = own.map(|row| encoder.network.words().row(row as usize));
        own.or_else(|| encoder.spell(token)).unwrap_or_default()
    };
    let values = (0..vocabulary.len()).into_par_iter().flat_map_iter(row);
    Table::new(encoder.network.dimension(), values.collect())
}

/// The words of both, with the rows of the trained encoder where it has them.
fn merged(general: &Encoder, trained: &Encoder) -> Result<Encoder, Error> {
    let (before, after) = (rows(general, &trained.vocabulary), trained.network.words().widened());
    let moved = (0..after.len()).filter(|&row| after.row(row) != before.row(row));
    let new = moved.map(|row| trained.vocabulary.token(row));
    let old = (0..general.vocabulary.len()).map(|row| general.vocabulary.token(row));
    let vocabulary = Vocabulary::from_tokens(old.chain(new))?;
    let tokens = || (0..vocabulary.len()).map(|row| vocabulary.token(row));
    let rows = tokens().flat_map(|token| match trained.vocabulary.row(token) {
        Some(row) => after.row(row as usize).to_vec(),
        None => {
            let row = general.vocabulary.row(token);
            row.map(|row| general.network.words().row(row as usize)).unwrap_or_default()
        }
    });
    let table = Table::new(after.dimension(), rows.collect());
    let weights = tokens().map(|token| weight(general, token)).collect();
    Ok(Encoder {
        weights: general.weights.as_ref().map(|_| weights),
        subwords: general.subwords.clone(),
        ..Encoder::new(vocabulary, Network::Average(table.into()))
    })
}

/// Fits the weights of a model's dense and lexical score, where it has both, and its thresholds unless they
/// are `given` or there are other than three grades, to the validation queries of the only
/// collection.
///
/// # Errors
/// If the model lacks an encoder.
pub fn fit(
    model: &mut Model,
    collection: &Collection,
    validation: &[Example],
    given: bool,
) -> Result<(), Error> {
    let language = &collection.language;
    let queries: Vec<&str> = collection.queries.iter().map(|query| &query.text[..]).collect();
    let documents: Vec<&str> =
        collection.documents.iter().map(|document| &document.text[..]).collect();
    let requested = (&language[..], Direction::Forward);
    let hybrid = Hybrid::new(model, requested, [&queries, &documents], None)?;
    let (seen, norms) = (seen(&hybrid, validation), hybrid.median_norms());
    let thresholds = match given || model.config.thresholds.len() != 2 {
        true => None,
        false => grades(&hybrid, validation).thresholds(),
    };
    if let Some(calibration) = model.config.calibration.get_mut(language)
        && !seen.is_empty()
    {
        let [dense, lexical] = weights(&seen);
        // As large as they can be without a score that leaves -1..1.
        let [dense, lexical] = [dense, lexical].map(|weight| (weight / (dense + lexical)) as f32);
        *calibration = Calibration { dense, lexical, norms, deep: None };
    }
    if let Some(thresholds) = thresholds {
        model.config.thresholds = thresholds.to_vec();
    }
    Ok(())
}

/// Validation queries, each with its relevant documents among those of all.
fn seen(hybrid: &Hybrid<'_>, validation: &[Example]) -> Vec<Seen> {
    let relevant = validation.iter().filter(|example| example.grade >= 2);
    let pairs: Vec<(usize, usize)> =
        relevant.map(|example| (example.query as usize, example.document as usize)).collect();
    let pairs = thinned(pairs, MOST_WEIGHED);
    let mut pool: Vec<usize> = pairs.iter().map(|&(_, document)| document).collect();
    pool.sort_unstable();
    pool.dedup();
    let of_pair = |&(query, mate): &(usize, usize)| {
        let right = |document: &usize| pairs.contains(&(query, *document));
        let others = pool.iter().copied().filter(|document| !right(document));
        let parts = hybrid.parts(query, std::iter::once(mate).chain(others));
        Seen { mate: 0, parts }
    };
    pairs.par_iter().map(of_pair).collect()
}

/// The SCS of the documents of all validation queries.
fn grades(hybrid: &Hybrid<'_>, validation: &[Example]) -> Histogram {
    let queries: Vec<&[Example]> = validation.chunk_by(|a, b| a.query == b.query).collect();
    let of_query = |list: &&[Example]| {
        let documents = list.iter().map(|example| example.document as usize);
        hybrid.parts(list[0].query as usize, documents)
    };
    let parts: Vec<Vec<[f32; 2]>> = queries.par_iter().map(of_query).collect();
    let mut grades = Histogram::default();
    for (list, parts) in queries.iter().zip(parts) {
        for (example, [similarity, _]) in list.iter().zip(parts) {
            grades.add(usize::from(example.grade), similarity);
        }
    }
    grades
}
