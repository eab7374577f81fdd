//! A model -> the smaller model that an index needs to be searched.
//!
//! What a visitor of a site fetches is the query encoder and the translations of a language, and most of either says nothing
//! of the site. A slim model has only those translations whose words or stems the index's documents have. It may also have
//! fewer rows than query words: a word without a row of its own shares that of the most similar word that has one. Rows stay
//! with the words that documents have, also in translation, and with frequent words. Languages in which people ask keep all of
//! their words.
//!
//! It is a model of its own, and the index becomes one of its own: other files of the full model and other indexes are refused
//! beside it. To encode further documents takes the full model.
//!
//! Without shared rows a query gets the same bits as from the full model, with one exception: words of the documents' language
//! that no document has are unknown to the slim model. They tell no longer that a query is in that language, and no word is
//! read as a misspelling of one. A query without such words, and one in English that has only such as are English too, gets the same
//! bits. Shared rows change the dense score alone: all words of queries stay known, with their weights, translations and spelling.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::Index;
use crate::Error;
use crate::encoder::{Encoder, Rows};
use crate::lexical::score::Part;
use crate::lexical::translation::Translations;
use crate::math::kernels;
use crate::model::{Config, Model, QUERY_LANGUAGE};
use crate::ranking::scan::{Query, Ranking, TopK, rank};
use crate::ranking::two_bits::TwoBits;
use crate::storage::container::sha256_hex;
use crate::text::vocabulary::Vocabulary;

/// Rows whose most similar ones are looked for at once.
const BATCH: usize = 16;

/// What a slim model keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slimming<'a> {
    /// The largest number of different rows of query words; `None` for all.
    pub rows: Option<usize>,
    /// Languages whose files stay whole, for queries in them. The index need not have documents in them.
    pub asked: &'a [String],
}

impl Slimming<'_> {
    /// The number of different rows that fits a web site: see `docs/models.md`.
    pub const ROWS: usize = 15_000;
}

impl Index {
    /// The files, by name, of the part of `model` that searches of this index need. The index belongs to them from then on, and
    /// must be written afterwards. Deep documents need nothing more to be searched.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if another model made the index; [`Error::MissingEncoder`] without the query encoder or that of a
    /// language of the documents; [`Error::TooLarge`].
    pub fn slim_model(
        &mut self,
        model: &Model,
        slimming: Slimming<'_>,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        if self.model != model.space || self.dimension() != model.config.dimension {
            let (found, expected) = (self.model.clone(), model.space.clone());
            return Err(Error::Mismatch { what: "the index".into(), found, expected });
        }
        let mut slim = self.slim(model, slimming)?;
        // The digest of the files as they would be in the space of the full model.
        let files = slim.write_parts_as_they_are();
        let bytes: Vec<&[u8]> = files.iter().map(|(_, bytes)| &bytes[..]).collect();
        slim.space = sha256_hex(&bytes);
        self.model.clone_from(&slim.space);
        Ok(slim.write_parts_as_they_are())
    }

    fn slim(&self, model: &Model, slimming: Slimming<'_>) -> Result<Model, Error> {
        let full = model.query_encoder()?;
        let query = match slimming.rows.filter(|&most| most < full.vocabulary.len()) {
            Some(most) => full.with_rows(&self.shared_rows(model, full, most.max(1))),
            None => full.clone(),
        };
        let (mut documents, mut translations) = (BTreeMap::new(), BTreeMap::new());
        let languages: BTreeSet<&String> = self.languages.iter().chain(slimming.asked).collect();
        for &language in &languages {
            if language == QUERY_LANGUAGE && !model.documents.contains_key(language) {
                // The query encoder reads them.
                continue;
            }
            let words = self.words(language).filter(|_| !slimming.asked.contains(language));
            let (own, table) = slim_documents(model, full, language, words)?;
            documents.extend(own.map(|encoder| (language.clone(), encoder)));
            translations.extend(table.map(|table| (language.clone(), table)));
        }
        let config = slim_config(model, &languages);
        let mut slim = Model {
            provenance: provenance(model, slimming, &config.packs),
            config,
            space: model.space.clone(),
            query: Some(query),
            documents,
            translations,
            deep: None,
        };
        slim.translate();
        Ok(slim)
    }

    /// For each query word the row that it has: its own, or the most similar, by the model's score, of those that are kept.
    fn shared_rows(&self, model: &Model, query: &Encoder, most: usize) -> Vec<u32> {
        let kept = self.rows_of_use(model, query, most);
        let words = query.network.words();
        let rows = words.chosen(&kept);
        let norms: Vec<f32> = (0..rows.len()).map(|row| kernels::norm(&rows.row(row))).collect();
        let epsilon = model.config.epsilon;
        let two_bits = TwoBits::of(&rows, &norms, epsilon);
        let mut numbers: Vec<u32> = (0..query.vocabulary.len() as u32).collect();
        let others: Vec<u32> =
            numbers.iter().copied().filter(|row| kept.binary_search(row).is_err()).collect();
        for batch in others.chunks(BATCH) {
            let nearest = two_bits.as_ref().and_then(|bits| bits.nearest(words, batch));
            let nearest =
                nearest.unwrap_or_else(|| first_ranked(&rows, &norms, epsilon, words, batch));
            for (&row, nearest) in batch.iter().zip(nearest) {
                numbers[row as usize] = kept[nearest];
            }
        }
        numbers
    }

    /// The rows that are kept, rising: first those of words that documents have, themselves or in translation, then the others;
    /// of either the most frequent.
    fn rows_of_use(&self, model: &Model, query: &Encoder, most: usize) -> Vec<u32> {
        let word = |row: u32| query.vocabulary.token(row as usize);
        let weight = |row: u32| query.weights.as_ref().map_or(1.0, |all| all[row as usize]);
        let mut rows: Vec<(bool, f32, u32)> = (0..query.vocabulary.len() as u32)
            .map(|row| (!self.has_translation(model, query, word(row)), weight(row), row))
            .collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut kept: Vec<u32> = rows.into_iter().take(most).map(|(.., row)| row).collect();
        kept.sort_unstable();
        kept
    }

    /// Whether a document has a query word or one of its translations.
    fn has_translation(&self, model: &Model, query: &Encoder, word: &str) -> bool {
        let is_in = |language: &String| {
            let translator = model.translator(language, query);
            let part = self.words(language).zip(translator);
            part.is_some_and(|(part, translator)| {
                let has = |(term, _): &(&str, f32)| part.postings.terms().row(term).is_some();
                translator.translations(word).iter().any(has)
            })
        };
        self.has_word(word) || self.languages.iter().any(is_in)
    }
}

/// For each of some rows of `words` the position of the one of `rows` that a ranking has first.
fn first_ranked(
    rows: &Rows,
    norms: &[f32],
    epsilon: f32,
    words: &Rows,
    numbers: &[u32],
) -> Vec<usize> {
    let vector = |&number: &u32| Query::new(words.row(number as usize));
    let queries: Vec<Query> = numbers.iter().map(vector).collect();
    let mut dots = vec![Vec::new(); queries.len()];
    let mut top = vec![TopK::new(1); queries.len()];
    let rankings = queries
        .iter()
        .zip(&mut dots)
        .zip(&mut top)
        .map(|((query, dots), top)| Ranking { query, epsilon, dots, fusion: None, top });
    rank(rows, norms, |_| true, 0, &mut rankings.collect::<Vec<_>>());
    let first = |top: TopK| top.into_vec().first().map_or(0, |nearest| nearest.position);
    top.into_iter().map(first).collect()
}

/// The configuration without language packs other than these.
fn slim_config(model: &Model, languages: &BTreeSet<&String>) -> Config {
    let mut config = model.config.clone();
    let is_idle =
        |language: &String| model.config.packs.contains(language) && !languages.contains(language);
    config.packs.retain(|language| !is_idle(language));
    config.languages.retain(|language| !is_idle(language));
    config.calibration.retain(|language, _| !is_idle(language));
    config.probability.retain(|language, _| !is_idle(language));
    config
}

/// The document encoder of a language, unless it is made of translations, and the translations; of documents that have these
/// words, or whole.
fn slim_documents(
    model: &Model,
    query: &Encoder,
    language: &str,
    words: Option<Part<'_>>,
) -> Result<(Option<Encoder>, Option<Arc<Translations>>), Error> {
    let encoder = model.document_encoder(language)?;
    let own = Some(encoder).filter(|encoder| !encoder.is_translated());
    let Some(part) = words else {
        return Ok((own.cloned(), model.translations.get(language).cloned()));
    };
    let words = part.postings.terms();
    let has = |&row: &u32| words.row(encoder.vocabulary.token(row as usize)).is_some();
    let rows = || (0..encoder.vocabulary.len() as u32).filter(has).collect::<Vec<_>>();
    let own = own.map(|encoder| encoder.only(&rows())).transpose()?;
    let none = Vocabulary::default();
    let kept = own.as_ref().map_or(&none, |encoder| &encoder.vocabulary);
    let table = model.translator(language, query).map(|table| table.slim(words, kept));
    Ok((own, table.transpose()?.map(Arc::new)))
}

/// What a slim model was made of and how, and the sources of that with their licences.
fn provenance(model: &Model, slimming: Slimming<'_>, packs: &[String]) -> String {
    let full: Value = serde_json::from_str(&model.provenance).unwrap_or_default();
    let slim = json!({ "from": model.space, "rows": slimming.rows });
    let mut provenance = json!({ "slim": slim, "sources": full["sources"] });
    // Those of language packs, with their sources.
    for language in packs {
        provenance["packs"][language] = full["packs"][language].clone();
    }
    provenance.to_string()
}
