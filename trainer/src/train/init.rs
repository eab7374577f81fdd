//! What the words' rows are before training: random, latent semantics, or pre-trained vectors.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use smooth_clir::encoder::Table;
use smooth_clir::text::vocabulary::Vocabulary;
use smooth_clir::training::corpus::random_rows;

use super::lsi;
use super::plan::Plan;
use crate::corpus::{Corpus, Prepared};
use crate::error::Error;
use crate::files;
use crate::vectors::{self, Found};

/// The language of the query encoder.
const QUERY: &str = "query";
/// The queries' language in all corpora.
const QUERY_LANGUAGE: &str = "en";

/// One `--init` of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InitOption {
    /// Latent semantics.
    Lsi,
    /// Vectors for an encoder.
    File {
        /// The encoder: `en`, `query`, or a document language.
        encoder: String,
        /// The file.
        path: PathBuf,
    },
}

impl InitOption {
    /// Reads `lsi`, or an encoder and a file: `en=FILE`.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "lsi" => Ok(Self::Lsi),
            Some((encoder, path)) if !encoder.is_empty() && !path.is_empty() => {
                Ok(Self::File { encoder: encoder.into(), path: path.into() })
            }
            _ => Err("expected lsi, or an encoder and a file: en=FILE".into()),
        }
    }
}

/// What the words' rows begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Init {
    /// Random numbers.
    Random,
    /// Latent semantics of the training pairs.
    Lsi,
    /// Files, by encoder: `query` or a document language. Words not in them begin with random numbers.
    Files(Vec<(String, PathBuf)>),
}

/// Rows for every vocabulary, the queries' first, then each language's.
pub struct Words {
    /// The rows.
    pub tables: Vec<Table>,
    /// What a model says of where they come from; nothing where they are random.
    pub provenance: Option<Value>,
    /// For people: how many words of each encoder were found.
    pub told: Vec<String>,
}

impl Init {
    /// The options together, for documents in these languages.
    ///
    /// # Errors
    /// [`Error::Usage`] for an encoder that is not trained or named twice, and `lsi` beside a file.
    pub fn new<'a>(
        options: &[InitOption],
        languages: impl Iterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        let languages: Vec<&str> = languages.collect();
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for option in options {
            let InitOption::File { encoder, path } = option else {
                return match options {
                    [_] => Ok(Self::Lsi),
                    _ => Err(Error::Usage("--init lsi goes with no other --init".into())),
                };
            };
            let own = match &encoder[..] {
                QUERY => QUERY,
                language if languages.contains(&language) => language,
                QUERY_LANGUAGE => QUERY,
                other => {
                    let known = languages.join(", ");
                    let problem = format!(
                        "--init {other}=: expected en or query for the queries, or {known}"
                    );
                    return Err(Error::Usage(problem));
                }
            };
            if files.iter().any(|(other, _)| other == own) {
                return Err(Error::Usage(format!(
                    "--init {encoder}=: that encoder has a file already"
                )));
            }
            files.push((own.into(), path.clone()));
        }
        Ok(if files.is_empty() { Self::Random } else { Self::Files(files) })
    }

    /// What fixes the rows, beside plan and data; nothing where they are random.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn describe(&self) -> Result<Option<Value>, Error> {
        Ok(match self {
            Self::Random => None,
            Self::Lsi => Some(json!("lsi")),
            Self::Files(files) => {
                let digest = |(encoder, path): &(String, PathBuf)| {
                    Ok((encoder.clone(), json!(files::digest(path)?)))
                };
                Some(Value::Object(files.iter().map(digest).collect::<Result<_, Error>>()?))
            }
        })
    }

    /// The rows to begin with.
    ///
    /// # Errors
    /// Those of [`vectors::read`], and a decomposition that does not converge.
    pub fn words(&self, plan: &Plan, prepared: &Prepared) -> Result<Words, Error> {
        let mut tables = random_words(plan, &prepared.corpus);
        let mut told = Vec::new();
        let provenance = match self {
            Self::Random => None,
            Self::Lsi => {
                lsi::fill(plan, prepared, &mut tables)?;
                Some(json!("lsi"))
            }
            Self::Files(files) => Some(read(files, prepared, &mut tables, &mut told)?),
        };
        Ok(Words { tables, provenance, told })
    }
}

/// Random rows for every vocabulary: the queries', then each language's.
pub fn random_words(plan: &Plan, corpus: &Corpus) -> Vec<Table> {
    let table = |rows: usize, encoder: &str| {
        random_rows(encoder, rows, plan.dimension, plan.init_deviation, plan.seed)
    };
    let query = table(corpus.query_vocabulary.len(), "query");
    let vocabularies = corpus.document_vocabularies.iter();
    let documents = vocabularies.map(|(language, vocabulary)| table(vocabulary.len(), language));
    std::iter::once(query).chain(documents).collect()
}

fn read(
    files: &[(String, PathBuf)],
    prepared: &Prepared,
    tables: &mut [Table],
    told: &mut Vec<String>,
) -> Result<Value, Error> {
    let corpus = &prepared.corpus;
    let query = std::iter::once((QUERY, &corpus.query_vocabulary));
    let documents = corpus.document_vocabularies.iter().map(|(name, words)| (&name[..], words));
    let mut provenance = Map::new();
    for ((encoder, vocabulary), table) in query.chain(documents).zip(tables) {
        for (_, path) in files.iter().filter(|(name, _)| name == encoder) {
            let found = vectors::read(path, vocabulary, table)?;
            told.push(format!("{encoder}: {} in {}", summary(&found, vocabulary), path.display()));
            let entry = json!({ "file-digest": found.digest, "found": found.words });
            provenance.insert(encoder.into(), entry);
        }
    }
    Ok(Value::Object(provenance))
}

/// `8,123 of 10,456 words (77.7 %) found`, and what else there is to say.
fn summary(found: &Found, vocabulary: &Vocabulary) -> String {
    let all = vocabulary.len() as u64;
    let share = 100.0 * found.words as f64 / all.max(1) as f64;
    let mut summary =
        format!("{} of {} words ({share:.1} %) found", grouped(found.words), grouped(all));
    if found.composed > 0 {
        summary += &format!(", {} made of their n-grams", grouped(found.composed));
    }
    if found.skipped > 0 {
        summary += &format!(", {} entries skipped that are not UTF-8,", grouped(found.skipped));
    }
    summary
}

/// A number with its thousands apart: 10,456.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}
