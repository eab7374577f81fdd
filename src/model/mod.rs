//! Model files: a query encoder and a document encoder for each language, with what they were
//! trained for. One file, or one for the queries and one for each language.

pub mod calibration;
#[cfg(feature = "learn")]
pub mod changes;
pub mod deep;
pub mod probability;
pub(crate) mod tensors;
pub mod translated;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::Error;
use crate::decimal::decimal;
use crate::encoder::{Encoder, Network, Precision, Rows};
use crate::error::{check_epsilon, shown};
use crate::lexical::translation::{Translations, Translator};
use crate::limits;
use crate::math::loss::Thresholds;
use crate::math::similarity::reach;
use crate::storage::SharedBytes;
use crate::storage::container::{Reader, Writer, metadata_error, names_in, wrong_config};
use crate::text;
use crate::text::subwords;
use crate::text::vocabulary::Vocabulary;
use calibration::Calibration;
use deep::{DEEP, Deep};
use probability::ProbabilityCurve;
use tensors::{ROWS, narrowest, write_in, write_network_as_it_is};
pub use tensors::{read_network, write_network};

const KIND: &str = "model";
/// The prefix of the names of the query encoder's tensors.
pub const QUERY: &str = "query";
/// The language of queries.
pub const QUERY_LANGUAGE: &str = "en";
/// The prefix of the names of a document encoder's tensors: its language follows.
pub const DOCUMENT: &str = "document.";
const SUBWORDS: &str = "subword.embedding";
const SUBWORD_SCALE: &str = "subword.scale";
/// The version of the format of language packs.
const PACK: u64 = 1;
/// The epsilon that a model is trained with where nobody says another.
pub const DEFAULT_EPSILON: f32 = 0.5;

/// The dimension that the `config` of a file states.
///
/// # Errors
/// [`Error::Metadata`], if it is not a number from 1 to [`limits::DIMENSIONS`].
pub(crate) fn dimension_in(config: &Value) -> Result<usize, Error> {
    let dimension = config["dimension"].as_u64().map(|dimension| dimension as usize);
    dimension.filter(|dimension| (1..=limits::DIMENSIONS).contains(dimension)).ok_or_else(|| {
        wrong_config(config, "dimension", &format!("a number from 1 to {}", limits::DIMENSIONS))
    })
}

/// The configuration of a model; the `config` of its files.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The kind of its networks: [`Network::kind`].
    pub encoder: String,
    /// The length p of the vectors.
    pub dimension: usize,
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The thresholds between the grades.
    pub thresholds: Vec<f32>,
    /// The document languages, sorted.
    pub languages: Vec<String>,
    /// Rows of the table of n-grams; 0 where it has none.
    pub subwords: usize,
    /// For each language with translations, the weights of the dense and the lexical score.
    pub calibration: BTreeMap<String, Calibration>,
    /// What the scores by these weights mean in each language for which that was fitted.
    pub probability: BTreeMap<String, ProbabilityCurve>,
    /// The languages, sorted, that were added to the query encoder later: each has a file of its own, a language pack, which
    /// any model of the query encoder may join.
    pub packs: Vec<String>,
}

/// A model, or those of its encoders that are loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its configuration.
    pub config: Config,
    /// Its provenance, as JSON: seed, options, data, licences, test metrics.
    pub provenance: String,
    /// Files of one training, and only they, have one space.
    pub space: String,
    /// The query encoder.
    pub query: Option<Encoder>,
    /// The document encoder of each language that is loaded, or that is made of its translations. Encoders share the
    /// n-grams' table, which is in the file of the query encoder.
    pub documents: BTreeMap<String, Encoder>,
    /// The translations of English words in those languages that have any, each in the file of its document encoder, or in
    /// one of their own.
    pub translations: BTreeMap<String, Arc<Translations>>,
    /// How a teacher's vectors become vectors of the model, if it is made for deep documents: in a file of its own.
    pub deep: Option<Arc<Deep>>,
}

impl Config {
    /// Refuses what no training can have: an epsilon or thresholds out of range, or a highest
    /// threshold that no score exceeds: of this dimension and epsilon where components lie in [-1, 1],
    /// of any where they are unbounded.
    ///
    /// # Errors
    /// [`Error::Epsilon`], [`Error::Thresholds`], [`Error::ThresholdOutOfReach`].
    pub fn check(&self) -> Result<(), Error> {
        check_epsilon(self.epsilon)?;
        let thresholds = Thresholds::new(&self.thresholds)?;
        let is_bounded = Network::is_bounded(&self.encoder);
        let reach = if is_bounded { reach(self.dimension, self.epsilon) } else { 1.0 };
        match thresholds.inner().last() {
            Some(&threshold) if threshold >= reach => Err(Error::ThresholdOutOfReach {
                threshold,
                dimension: self.dimension,
                epsilon: self.epsilon,
                reach,
            }),
            _ => Ok(()),
        }
    }

    /// With the number of atoms that a text is made of at most; 0 where it is made of none.
    fn to_json(&self, sparsity: usize) -> String {
        let languages: Vec<Value> = self.languages.iter().map(|l| l.as_str().into()).collect();
        let thresholds: Vec<String> = self.thresholds.iter().map(|&x| decimal(x)).collect();
        let sparsity = match sparsity {
            0 => String::new(),
            most => format!(r#""sparsity":{most},"#),
        };
        let subwords = match self.subwords {
            0 => String::new(),
            rows => format!(r#""subwords":{{"rows":{rows},"rule":"{}"}},"#, subwords::RULE),
        };
        let calibration = if self.calibration.is_empty() {
            String::new()
        } else {
            format!(r#""calibration":{},"#, calibration::to_json(&self.calibration))
        };
        let pack = match &self.packs {
            packs if packs.is_empty() => String::new(),
            packs if *packs == self.languages => format!(r#""pack":{{"version":{PACK}}},"#),
            packs => {
                let packs = Value::from(&packs[..]);
                format!(r#""pack":{{"languages":{packs},"version":{PACK}}},"#)
            }
        };
        let probability = match self.probability.len() {
            0 => String::new(),
            _ => format!(
                r#""probability":{},"#,
                probability::to_json(&self.probability, self.languages.len())
            ),
        };
        format!(
            concat!(
                r#"{{{}"dimension":{},"encoder":"{}","epsilon":{},"languages":{},"#,
                r#"{}{}{}{}"text":{{"rule":"{}","version":{}}},"thresholds":[{}]}}"#
            ),
            calibration,
            self.dimension,
            self.encoder,
            decimal(self.epsilon),
            Value::Array(languages),
            pack,
            probability,
            sparsity,
            subwords,
            text::RULE,
            text::VERSION,
            thresholds.join(","),
        )
    }

    fn from_json(value: &Value) -> Result<Self, Error> {
        let wrong = |key: &str, expected: &str| wrong_config(value, key, expected);
        let encoder = value["encoder"].as_str().filter(|kind| Network::KINDS.contains(kind));
        let encoder = encoder.ok_or_else(|| wrong("encoder", &Network::KINDS.join(" or ")))?.into();
        check_text_rule(value)?;
        let dimension = dimension_in(value)?;
        let number = |value: &Value| value.as_f64().map(|x| x as f32);
        let epsilon = number(&value["epsilon"]).ok_or_else(|| wrong("epsilon", "a number"))?;
        let thresholds: Option<Vec<f32>> =
            value["thresholds"].as_array().and_then(|list| list.iter().map(number).collect());
        let thresholds = thresholds.ok_or_else(|| wrong("thresholds", "a list of numbers"))?;
        let languages = names_in(value, "languages", limits::LANGUAGES)?;
        let subwords = match &value["subwords"] {
            Value::Null => Some(0),
            table if table["rule"] == subwords::RULE => table["rows"].as_u64().filter(|&n| n > 0),
            _ => None,
        };
        let subwords = subwords.filter(|&rows| rows == 0 || encoder == "average");
        let expected = format!("an average's rows of rule {}", subwords::RULE);
        let subwords = subwords.ok_or_else(|| wrong("subwords", &expected))? as usize;
        let calibration = calibration::from_json(value)?;
        let probability = probability::from_json(value, &languages)?;
        let pack = &value["pack"];
        let packs = if pack.is_null() {
            Vec::new()
        } else if pack["version"] != PACK {
            return Err(wrong("pack", "version 1, the only one that this program reads"));
        } else if pack["languages"].is_null() {
            languages.clone()
        } else {
            names_in(pack, "languages", limits::LANGUAGES)?
        };
        let config = Self {
            encoder,
            dimension,
            epsilon,
            thresholds,
            languages,
            subwords,
            calibration,
            probability,
            packs,
        };
        config.check()?;
        Ok(config)
    }
}

/// Refuses a file whose texts were split by another rule.
pub(crate) fn check_text_rule(config: &Value) -> Result<(), Error> {
    let rule = &config["text"];
    if rule["rule"] == text::RULE && rule["version"] == text::VERSION {
        return Ok(());
    }
    let expected = format!("rule \"{}\", version {}", text::RULE, text::VERSION);
    Err(metadata_error("config/text", rule["rule"].as_str().unwrap_or("nothing"), &expected))
}

impl Model {
    /// Reads one file: a whole model or some of its encoders.
    ///
    /// # Errors
    /// Whatever is wrong with the file; see [`Error`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_from(Reader::open(bytes, KIND)?)
    }

    /// Reads one file, whose bytes the model shares: its tables stay where they lie.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_in_place(bytes: impl Into<SharedBytes>) -> Result<Self, Error> {
        Self::read_from(Reader::open_in_place(&bytes.into(), KIND)?)
    }

    fn read_from(mut reader: Reader<'_>) -> Result<Self, Error> {
        let config = Config::from_json(&reader.json("config")?)?;
        reader.json("provenance")?;
        let provenance = reader.required("provenance")?;
        let space = reader.space("space")?;
        let query = if has_encoder(&reader, QUERY) {
            Some(read_encoder(&mut reader, QUERY, &config)?)
        } else {
            None
        };
        let (mut documents, mut translations) = (BTreeMap::new(), BTreeMap::new());
        for language in &config.languages {
            let prefix = format!("{DOCUMENT}{language}");
            let mut words = 0;
            if has_encoder(&reader, &prefix) {
                let encoder = read_encoder(&mut reader, &prefix, &config)?;
                words = encoder.vocabulary.len();
                documents.insert(language.clone(), encoder);
            }
            let is_here =
                documents.contains_key(language) || Translations::are_in(&reader, language);
            if is_here && config.calibration.contains_key(language) {
                let table = Translations::read(&mut reader, language, words)?;
                translations.insert(language.clone(), Arc::new(table));
            }
        }
        let subwords = match &query {
            Some(_) if config.subwords > 0 => Some(read_subwords(&mut reader, &config)?),
            _ => None,
        };
        let deep = Deep::read(&mut reader, config.dimension)?.map(Arc::new);
        reader.finish()?;
        let mut model = Self { config, provenance, space, query, documents, translations, deep };
        model.share(subwords);
        if let Some(query) = &model.query {
            model.check_translations(query)?;
        }
        model.translate();
        let is_empty = model.documents.is_empty() && model.translations.is_empty();
        if model.query.is_none() && is_empty && model.deep.is_none() {
            Err(Error::MissingTensor { name: "query.vocabulary".into() })
        } else {
            Ok(model)
        }
    }

    /// Adds the encoders of another file of the same training, or of a language pack for its query encoder, whose weights
    /// and curve hold for its language.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if it is of another training, [`Error::OtherPack`] if a pack is for another query encoder,
    /// [`Error::Twice`] for an encoder that is already here.
    pub fn join(&mut self, other: Model) -> Result<(), Error> {
        if other.space != self.space {
            return Err(self.mismatch(other));
        }
        if self.query.is_some() && other.query.is_some() {
            return Err(Error::Twice { what: "the query encoder".into() });
        }
        if self.deep.is_some() && other.deep.is_some() {
            return Err(Error::Twice { what: "the projection of deep documents".into() });
        }
        let mut languages = other.documents.keys().chain(other.translations.keys());
        if let Some(language) = languages.find(|language| self.holds(language)) {
            return Err(Error::Twice { what: format!("the document encoder of {language}") });
        }
        let has_packs = [&*self, &other].iter().any(|model| !model.config.packs.is_empty());
        let [found, expected] = [&other, self].map(|model| match has_packs {
            false => model.config_json(),
            // The languages may differ, and all that holds for one of them.
            true => model.json_of(&Config {
                languages: Vec::new(),
                calibration: BTreeMap::new(),
                probability: BTreeMap::new(),
                packs: Vec::new(),
                ..model.config.clone()
            }),
        });
        if found != expected {
            // From shortly before they differ.
            let same = found.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
            let start = found.floor_char_boundary(same.saturating_sub(20));
            let [found, expected] = [&found, &expected].map(|config| shown(&config[start..]));
            let what = "the config of a model file".into();
            return Err(Error::Mismatch { what, found, expected });
        }
        if let Some(query) = self.query.as_ref().or(other.query.as_ref()) {
            self.check_translations(query)?;
            other.check_translations(query)?;
        }
        let subwords = match (&self.query, &other.query) {
            (Some(query), None) | (None, Some(query)) => query.subwords.clone(),
            _ => None,
        };
        if has_packs {
            self.provenance = joined_provenance([self, &other]);
            self.join_languages(&other);
        }
        self.deep = self.deep.take().or(other.deep);
        self.documents.extend(other.documents);
        self.translations.extend(other.translations);
        self.query = self.query.take().or(other.query);
        self.share(subwords);
        self.translate();
        Ok(())
    }

    /// Whether it has the document encoder of a language or its translations.
    fn holds(&self, language: &str) -> bool {
        self.documents.contains_key(language) || self.translations.contains_key(language)
    }

    /// Why a file of another space is refused.
    fn mismatch(&self, other: Model) -> Error {
        let pack = [&other, self].into_iter().find(|model| model.is_pack());
        match pack {
            None => {
                let (found, expected) = (other.space, self.space.clone());
                Error::Mismatch { what: "a model file".into(), found, expected }
            }
            Some(pack) => {
                let loaded = if pack.space == self.space { &other } else { self };
                let languages = pack.config.languages.join(", ");
                let (found, expected) = (pack.space.clone(), loaded.space.clone());
                Error::OtherPack { languages, found, expected }
            }
        }
    }

    /// Whether it is one language pack or several, and nothing of a training.
    fn is_pack(&self) -> bool {
        !self.config.packs.is_empty() && self.config.packs == self.config.languages
    }

    /// Takes over another model's languages, with what holds for each: of a language that both know, that of the model which
    /// has its document encoder.
    fn join_languages(&mut self, other: &Model) {
        let own = std::mem::take(&mut self.config.languages);
        let is_new = |language: &&String| !own.contains(language);
        let new: Vec<String> = other.config.languages.iter().filter(is_new).cloned().collect();
        let mut joined = Config { packs: Vec::new(), ..self.config.clone() };
        joined.calibration.clear();
        joined.probability.clear();
        // Each to its place: a sort is several KB of the search module.
        for language in own.into_iter().chain(new.iter().cloned()) {
            let place = joined.languages.partition_point(|other| *other <= language);
            joined.languages.insert(place, language);
        }
        for language in &joined.languages {
            let is_theirs = other.holds(language) || new.contains(language);
            let from = if is_theirs { &other.config } else { &self.config };
            if let Some(&calibration) = from.calibration.get(language) {
                joined.calibration.insert(language.clone(), calibration);
            }
            if let Some(&curve) = from.probability.get(language) {
                joined.probability.insert(language.clone(), curve);
            }
            if from.packs.contains(language) {
                joined.packs.push(language.clone());
            }
        }
        self.config = joined;
    }

    /// Refuses translations of other words than those of the query encoder.
    pub(crate) fn check_translations(&self, query: &Encoder) -> Result<(), Error> {
        for (language, table) in &self.translations {
            let (found, expected) = (table.query_words(), query.vocabulary.len());
            if found != expected {
                return Err(Error::TensorShape {
                    name: format!("translation.{language}.lists"),
                    found: vec![found],
                    expected: format!("lists for {expected} words of queries"),
                });
            }
        }
        Ok(())
    }

    /// The translations of a language, for queries with these words; `None` where it has none.
    pub fn translator<'a>(&'a self, language: &str, query: &'a Encoder) -> Option<Translator<'a>> {
        let table = self.translations.get(language)?;
        let document = &self.documents.get(language)?.vocabulary;
        let weights = query.weights.as_deref();
        Some(Translator { table, query: &query.vocabulary, document, weights })
    }

    /// Gives all encoders the table of n-grams, where there is one.
    pub(crate) fn share(&mut self, subwords: Option<Arc<Rows>>) {
        if let Some(subwords) = subwords {
            for encoder in self.query.iter_mut().chain(self.documents.values_mut()) {
                encoder.subwords = Some(subwords.clone());
            }
        }
    }

    /// Reads a model from one or several files, whose bytes the model shares.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`join`](Self::join).
    pub fn read_parts(
        parts: impl IntoIterator<Item = impl Into<SharedBytes>>,
    ) -> Result<Self, Error> {
        Self::joined(parts.into_iter().map(Self::read_in_place))
    }

    /// One model of the encoders that were read.
    pub(crate) fn joined(parts: impl Iterator<Item = Result<Self, Error>>) -> Result<Self, Error> {
        let mut model: Option<Self> = None;
        for part in parts {
            match &mut model {
                None => model = Some(part?),
                Some(model) => model.join(part?)?,
            }
        }
        model.ok_or(Error::NoFiles)
    }

    /// The query encoder.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if the files loaded hold none.
    pub fn query_encoder(&self) -> Result<&Encoder, Error> {
        self.query.as_ref().ok_or_else(|| self.missing("query encoder".into()))
    }

    /// The document encoder of a language.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if the files loaded hold none.
    pub fn document_encoder(&self, language: &str) -> Result<&Encoder, Error> {
        let encoder = self.documents.get(language);
        let missing = || self.missing(format!("document encoder for `{language}`"));
        match encoder.ok_or_else(missing)? {
            encoder if self.config.subwords > 0 && encoder.subwords.is_none() => {
                Err(self.missing("query encoder, whose file holds the table of n-grams".into()))
            }
            encoder => Ok(encoder),
        }
    }

    /// The encoder of documents in a language: its document encoder or, of documents in [`QUERY_LANGUAGE`] where there is
    /// none, the query encoder.
    ///
    /// # Errors
    /// As [`document_encoder`](Self::document_encoder).
    pub fn encoder_of(&self, language: &str) -> Result<&Encoder, Error> {
        match &self.query {
            Some(query) if language == QUERY_LANGUAGE && !self.documents.contains_key(language) => {
                Ok(query)
            }
            _ => self.document_encoder(language),
        }
    }

    fn missing(&self, encoder: String) -> Error {
        let query = self.query.iter().map(|_| "a query encoder".to_owned());
        let documents =
            self.documents.keys().map(|language| format!("a document encoder for `{language}`"));
        let available: Vec<String> = query.chain(documents).collect();
        Error::MissingEncoder { encoder, available: available.join(", ") }
    }

    /// The whole model as one file.
    pub fn write(&self, precision: Precision) -> Vec<u8> {
        let (mut writer, precision) = (self.writer(), Some(precision));
        if let Some(query) = &self.query {
            write_encoder(&mut writer, QUERY, query, precision);
            write_subwords(&mut writer, query, precision);
        }
        for language in self.languages_here() {
            self.write_documents(&mut writer, language, precision);
        }
        if let Some(deep) = &self.deep {
            deep.write(&mut writer);
        }
        writer.into_bytes()
    }

    /// The model as one file for the queries, one for each language, and one for deep documents, by name.
    pub fn write_parts(&self, precision: Precision) -> Vec<(String, Vec<u8>)> {
        self.parts(Some(precision))
    }

    /// As [`write_parts`](Self::write_parts), in the fewest bytes that hold all rows as they are: see
    /// [`write_network_as_it_is`].
    pub(crate) fn write_parts_as_they_are(&self) -> Vec<(String, Vec<u8>)> {
        self.parts(None)
    }

    fn parts(&self, precision: Option<Precision>) -> Vec<(String, Vec<u8>)> {
        let file = |name: &str, write: &dyn Fn(&mut Writer)| {
            let mut writer = self.writer();
            write(&mut writer);
            (format!("{name}.safetensors"), writer.into_bytes())
        };
        let query = self.query.iter().map(|query| {
            file(QUERY, &|writer| {
                write_encoder(writer, QUERY, query, precision);
                write_subwords(writer, query, precision);
            })
        });
        let documents = self.languages_here().map(|language| {
            let name = format!("{DOCUMENT}{language}");
            file(&name, &|writer| self.write_documents(writer, language, precision))
        });
        let deep = self.deep.iter().map(|deep| file(DEEP, &|writer| deep.write(writer)));
        query.chain(documents).chain(deep).collect()
    }

    /// The languages whose document encoder or translations are here.
    fn languages_here(&self) -> impl Iterator<Item = &String> {
        self.config.languages.iter().filter(|language| self.holds(language))
    }

    /// Writes a language's document encoder, unless it is made of translations, and its translations.
    fn write_documents(&self, writer: &mut Writer, language: &str, precision: Option<Precision>) {
        let own = self.documents.get(language).filter(|encoder| !encoder.is_translated());
        if let Some(encoder) = own {
            write_encoder(writer, &format!("{DOCUMENT}{language}"), encoder, precision);
        }
        if let Some(table) = self.translations.get(language) {
            table.write(writer, language);
        }
    }

    fn writer(&self) -> Writer {
        let mut writer = Writer::new(KIND);
        writer.metadata("config", self.config_json());
        writer.metadata("provenance", self.provenance.clone());
        writer.metadata("space", self.space.clone());
        writer
    }

    fn config_json(&self) -> String {
        self.json_of(&self.config)
    }

    /// A config of the model's networks.
    fn json_of(&self, config: &Config) -> String {
        let sparsity = self.query.iter().chain(self.documents.values()).find_map(|encoder| {
            match &encoder.network {
                Network::SparseCode(network) => Some(network.sparsity),
                _ => None,
            }
        });
        config.to_json(sparsity.unwrap_or(0))
    }

    /// The description of the model, as JSON: its `config`, `provenance` and `space`.
    pub fn description(&self) -> String {
        let space = Value::from(self.space.as_str());
        let (config, provenance) = (self.config_json(), &self.provenance);
        format!(r#"{{"config":{config},"provenance":{provenance},"space":{space}}}"#)
    }
}

/// The provenance of two models: that of the training, with those of language packs by their languages.
fn joined_provenance(models: [&Model; 2]) -> String {
    let (mut training, mut packs) = (Map::new(), Map::new());
    for model in models {
        let mut own = match serde_json::from_str(&model.provenance) {
            Ok(Value::Object(own)) => own,
            _ => Map::new(),
        };
        match own.insert("packs".into(), Value::Null) {
            Some(Value::Object(of_packs)) => packs.extend(of_packs),
            _ if model.is_pack() => {
                let languages = model.config.languages.iter().cloned();
                packs.extend(languages.map(|language| (language, Value::Object(own.clone()))));
            }
            _ => {}
        }
        if !model.is_pack() {
            training = own;
        }
    }
    training.insert("packs".into(), Value::Object(packs));
    Value::Object(training).to_string()
}

/// The names of the tensor with an encoder's words, joined by newlines or front-coded.
fn vocabulary_names(prefix: &str) -> [String; 2] {
    ["vocabulary", "words"].map(|name| format!("{prefix}.{name}"))
}

fn has_encoder(reader: &Reader<'_>, prefix: &str) -> bool {
    vocabulary_names(prefix).iter().any(|name| reader.has(name))
}

fn read_encoder(reader: &mut Reader<'_>, prefix: &str, config: &Config) -> Result<Encoder, Error> {
    let [joined, front_coded] = vocabulary_names(prefix);
    let vocabulary = if reader.has(&front_coded) {
        Vocabulary::from_front_coded(&front_coded, &reader.bytes(&front_coded)?)?
    } else {
        Vocabulary::from_joined(&joined, reader.text(&joined)?)?
    };
    let network =
        read_network(reader, prefix, &config.encoder, vocabulary.len(), config.dimension)?;
    let name = format!("{prefix}.weight");
    let weights = if network.is_weighted() && reader.has(&name) {
        Some(reader.magnitudes(&name, vocabulary.len())?[..].into())
    } else {
        None
    };
    Ok(Encoder { weights, ..Encoder::new(vocabulary, network) })
}

fn read_subwords(reader: &mut Reader<'_>, config: &Config) -> Result<Arc<Rows>, Error> {
    let (rows, dimension) = (Some(config.subwords), config.dimension);
    reader.rows(SUBWORDS, SUBWORD_SCALE, rows, dimension, &ROWS).map(Arc::new)
}

/// Without a precision, rows are written as they are, and words front-coded.
fn write_encoder(
    writer: &mut Writer,
    prefix: &str,
    encoder: &Encoder,
    precision: Option<Precision>,
) {
    let [joined, front_coded] = vocabulary_names(prefix);
    if let Some(precision) = precision {
        writer.text(&joined, encoder.vocabulary.as_joined());
        write_network(writer, prefix, &encoder.network, precision);
    } else {
        writer.bytes(&front_coded, &encoder.vocabulary.to_front_coded());
        write_network_as_it_is(writer, prefix, &encoder.network);
    }
    if let Some(weights) = &encoder.weights {
        writer.f32(&format!("{prefix}.weight"), &[weights.len()], weights);
    }
}

fn write_subwords(writer: &mut Writer, query: &Encoder, precision: Option<Precision>) {
    if let Some(rows) = &query.subwords {
        let precision = precision.unwrap_or_else(|| narrowest(rows));
        write_in(writer, SUBWORDS, SUBWORD_SCALE, rows, precision);
    }
}
