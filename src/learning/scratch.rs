//! Training from scratch, a step at a time: the same computation as the trainer's `train` with the
//! average encoder and one collection, for a page that shows its progress.

use std::collections::HashMap;
use std::ops::Range;

use crate::Error;
use crate::encoder::{Rows, Table, encode_rows};
use crate::error::check_epsilon;
#[cfg(feature = "gpu")]
use crate::gpu::{Gpu, MirroredTrainer as Trainer};
use crate::limits;
use crate::math::kernels::{dot, norm};
use crate::math::loss::{Loss, LossKind};
use crate::math::metrics::Metrics;
use crate::math::random::Random;
use crate::model::DEFAULT_EPSILON;
use crate::ranking::judged::Judged;
use crate::text::vocabulary::Vocabulary;
use crate::training::corpus::{self, Example, Graded, Words, first_copies, random_rows};
use crate::training::grades::{self, Links};
use crate::training::lengths::Lengths;
use crate::training::sampling::{Pool, Split};
#[cfg(not(feature = "gpu"))]
use crate::training::step::PairTrainer as Trainer;
use crate::training::step::{Report, Settings};

/// The grades of a collection: irrelevant, partially relevant, relevant.
const GRADES: usize = 3;

/// Queries, documents of one language, and relevance judgements.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// Id and text of each query.
    pub queries: Vec<(String, String)>,
    /// The text of each document.
    pub documents: Vec<String>,
    /// Positions of a query and a document, and a grade above 0.
    pub judged: Vec<(u32, u32, u8)>,
}

/// The options of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The documents' language, which selects the stream of random numbers for their rows.
    pub language: String,
    /// The dimension of the vectors.
    pub dimension: usize,
    /// Epsilon of smooth cosine similarity, 0 or more.
    pub epsilon: f32,
    /// The thresholds of the scores between grades, rising.
    pub thresholds: Vec<f32>,
    /// The kind of the loss.
    pub loss: LossKind,
    /// The scale of proportional odds.
    pub scale: f32,
    /// Whether there are as many grades as the thresholds separate, by the documents' distance over
    /// [links](crate::training::grades), from judgements of three grades. Otherwise the grades are
    /// those of the judgements.
    pub grades_by_links: bool,
    /// Adam's step size.
    pub learning_rate: f32,
    /// The largest Euclidean norm of a step's gradient over all rows: a longer one is scaled down.
    pub clip: Option<f32>,
    /// Plain gradient descent in the place of Adam, on the processor: step t has the size `c/t`.
    pub descent: Option<f32>,
    /// A step of the first epoch, from 1: a pair of the validation queries with another grade takes
    /// the place of the first pair of this step.
    pub replaced: Option<usize>,
    /// The standard deviation of the initial rows.
    pub standard_deviation: f32,
    /// Pairs in a step.
    pub batch_size: usize,
    /// The number of sampled negatives for each query.
    pub negatives: usize,
    /// The seed of the initial rows, the order of the pairs, the split and the sampled negatives.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: "fr".into(),
            dimension: 64,
            epsilon: DEFAULT_EPSILON,
            thresholds: vec![0.2, 0.7],
            loss: LossKind::Sosl,
            scale: 10.0,
            grades_by_links: false,
            learning_rate: 0.01,
            clip: None,
            descent: None,
            replaced: None,
            standard_deviation: 0.2,
            batch_size: 128,
            negatives: 40,
            seed: 1,
        }
    }
}

/// A training in progress: texts as row numbers, and the tables.
#[derive(Debug)]
pub struct Training {
    options: Options,
    /// The one collection.
    texts: [corpus::Texts; 1],
    training: Vec<Example>,
    /// The validation queries' pairs. Those of one query are contiguous, in the documents' order.
    validation: Vec<Example>,
    /// Pairs of whole training queries, at most as many as `validation` has, but at least those of one query.
    train_sample: Vec<Example>,
    trainer: Trainer,
    loss: Loss,
    /// The grades of the judgements, by query and document.
    relevance: HashMap<(u32, u32), u8>,
    /// The number of steps that were taken.
    steps: u64,
    /// The epoch of the last step, from 1; 0 before the first.
    epoch: u64,
    /// The start of the next batch in the epoch's order.
    next: usize,
}

/// The queries to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuerySet {
    /// A sample of the training queries.
    Train,
    /// The validation queries.
    Validation,
}

/// The evaluation of a ranking of each query's documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The metrics, averaged over queries.
    pub metrics: Metrics,
    /// The score of each query-document pair.
    pub scores: Vec<f32>,
    /// The grade of each pair.
    pub grades: Vec<u8>,
}

/// How far two trainings are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// The Euclidean distance of all rows of their tables.
    pub weights: f64,
    /// The largest difference of the losses of a pair, of the validation queries or of the sample of
    /// training queries.
    pub loss: f64,
}

impl Training {
    /// Splits the queries, samples negatives and initialises the tables.
    ///
    /// # Errors
    /// [`Error::LearningOption`] for a dimension of 0 or above the limit of models;
    /// [`Error::Epsilon`], [`Error::Thresholds`], [`Error::ThreePart`], [`Error::Scale`];
    /// [`Error::TooFewQueries`] if no query is left for
    /// training or for validation; [`Error::TooFewDocuments`] if fewer negatives than requested are
    /// eligible; [`Error::Judgement`] for a judgement of an unknown query, document or grade.
    pub fn new(texts: Texts, options: Options) -> Result<Self, Error> {
        if !(1..=limits::DIMENSIONS).contains(&options.dimension) {
            return Err(Error::LearningOption {
                option: "dimension",
                found: options.dimension as f32,
                expected: format!("an integer from 1 to {}", limits::DIMENSIONS),
            });
        }
        check_epsilon(options.epsilon)?;
        let loss = options.loss.build(&options.thresholds, options.scale)?;
        let by_links = options.grades_by_links && loss.grades() != GRADES;
        let judged = judged(&texts, if by_links { GRADES } else { loss.grades() })?;
        let seed = options.seed;
        let (mut training, mut validation) = (Vec::new(), Vec::new());
        let copies = first_copies(texts.documents.iter().map(String::as_str));
        let links = by_links.then(|| Links::new(copies.clone(), &judged));
        let pool = Pool::new(copies);
        for ((query, (id, _)), judged) in (0..).zip(&texts.queries).zip(judged) {
            let split = Split::of(id, seed);
            if judged.is_empty() || split == Split::Test {
                continue;
            }
            let candidates = match &links {
                Some(links) => {
                    let grades = links.grades(&judged, loss.grades());
                    grades::candidates(&grades, &judged, options.negatives, seed, id)
                }
                None => {
                    let candidates = pool.candidates(seed, id, options.negatives, &judged);
                    candidates.map_err(|eligible| Error::TooFewDocuments {
                        requested: options.negatives,
                        eligible,
                    })?
                }
            };
            let example =
                |Graded { document, grade }| Example { collection: 0, query, document, grade };
            let examples = candidates.into_iter().map(example);
            match split {
                Split::Train => training.extend(examples),
                _ => validation.extend(examples),
            }
        }
        for (purpose, examples) in [("train on", &training), ("validate by", &validation)] {
            if examples.is_empty() {
                return Err(Error::TooFewQueries { purpose, queries: texts.queries.len() });
            }
        }

        let mut seen = training.clone();
        let until = |query| seen.partition_point(|example: &Example| example.query < query);
        let end = seen.get(validation.len()).map_or(seen.len(), |next| until(next.query));
        seen.truncate(end.max(until(seen[0].query + 1)));

        if let Some(step) = options.replaced {
            replace(&mut training, &validation, step, &options);
        }

        let trains = |(id, _): &&(String, String)| Split::of(id, seed) == Split::Train;
        let query_words = vocabulary(texts.queries.iter().filter(trains).map(|(_, text)| text))?;
        let document_words = vocabulary(texts.documents.iter())?;
        let table = |words: &Vocabulary, name: &str| {
            random_rows(name, words.len(), options.dimension, options.standard_deviation, seed)
        };
        let settings = Settings {
            epsilon: options.epsilon,
            loss: loss.clone(),
            learning_rate: options.learning_rate,
            clip: options.clip,
            pull: 0.0,
        };
        let tables = (table(&query_words, "query"), table(&document_words, &options.language));
        Ok(Self {
            texts: [corpus::Texts {
                language: 0,
                queries: texts.queries.iter().map(|(_, text)| query_words.rows(text)).collect(),
                documents: texts.documents.iter().map(|text| document_words.rows(text)).collect(),
            }],
            trainer: Trainer::new(settings, tables.0, vec![tables.1]),
            training,
            validation,
            train_sample: seen,
            loss,
            relevance: texts.judged.iter().map(|&(q, d, grade)| ((q, d), grade)).collect(),
            options,
            steps: 0,
            epoch: 0,
            next: 0,
        })
    }

    /// Takes the next step on the processor, where the training continues.
    pub fn step(&mut self) -> Report {
        let batch = self.next_batch();
        let pairs = corpus::pairs(&self.texts, &self.training[batch]);
        match self.options.descent {
            Some(c) => self.trainer.descend(&pairs, (f64::from(c) / self.steps as f64) as f32),
            None => self.trainer.step(&pairs),
        }
    }

    /// The lengths of the last step's gradients of the score, if the processor took it, with the
    /// share of them above `limit`.
    pub fn gradient_lengths(&self, limit: f32) -> Lengths {
        Lengths::of(self.trainer.gradient_lengths(), limit)
    }

    /// How far this training is from another one on the same texts, whose tables have the same
    /// shapes; as of the last time that each settled.
    pub fn distance(&self, other: &Self) -> Distance {
        let mut squares = 0.0;
        for (own, other) in self.trainer.tables().iter().zip(&other.trainer.tables()) {
            for (own, other) in own.values().iter().zip(other.values()) {
                let difference = f64::from(*own) - f64::from(*other);
                squares += difference * difference;
            }
        }
        let mut loss: f64 = 0.0;
        for set in [QuerySet::Train, QuerySet::Validation] {
            let [own, other] = [self, other].map(|training| {
                let Evaluation { scores, grades, .. } = training.evaluate(set);
                let pairs = scores.iter().zip(&grades);
                let value = |(&score, &grade)| f64::from(training.loss.value(score, grade));
                pairs.map(value).collect::<Vec<f64>>()
            });
            let differences = own.iter().zip(&other).map(|(own, other)| (own - other).abs());
            loss = differences.fold(loss, f64::max);
        }
        Distance { weights: f64::sqrt(squares), loss }
    }

    /// The range of the next step's pairs; each epoch starts with a shuffle of all pairs.
    fn next_batch(&mut self) -> Range<usize> {
        self.steps += 1;
        if self.next == 0 {
            self.epoch += 1;
            corpus::shuffle(&mut self.training, self.options.seed, self.epoch);
        }
        let start = self.next;
        let end = self.training.len().min(start + self.options.batch_size.max(1));
        self.next = if end == self.training.len() { 0 } else { end };
        start..end
    }

    /// The epoch of the last step, from 1; 0 before the first.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The number of steps in an epoch.
    pub fn steps_in_epoch(&self) -> usize {
        self.training.len().div_ceil(self.options.batch_size.max(1))
    }

    /// The query table and the document table: the current ones or, on a GPU, those of the last
    /// `settle`.
    pub fn tables(&self) -> Vec<Table> {
        self.trainer.tables()
    }

    /// Evaluates the rankings by its [tables](Self::tables).
    pub fn evaluate(&self, set: QuerySet) -> Evaluation {
        let examples = match set {
            QuerySet::Train => &self.train_sample,
            QuerySet::Validation => &self.validation,
        };
        let [texts] = &self.texts;
        let mut tables = self.trainer.tables().into_iter().map(Rows::from);
        let (queries, documents) = (tables.next(), tables.next());
        let vector = |table: &Option<Rows>, rows: &[u32]| {
            let mut vector = vec![0.0; self.options.dimension];
            if let (Some(table), false) = (table, rows.is_empty()) {
                encode_rows(table, rows, &mut vector);
            }
            vector
        };
        let documents: Vec<(Vec<f32>, f32)> = (texts.documents.iter())
            .map(|rows| {
                let vector = vector(&documents, rows);
                let norm = norm(&vector);
                (vector, norm)
            })
            .collect();
        let mut rankings = Judged::new();
        for list in examples.chunk_by(|a, b| a.query == b.query) {
            let query = vector(&queries, &texts.queries[list[0].query as usize]);
            let document = |example: &Example| &documents[example.document as usize];
            let dots: Vec<f32> = list.iter().map(|at| dot(&query, &document(at).0)).collect();
            let norms: Vec<f32> = list.iter().map(|at| document(at).1).collect();
            let relevance = |at: &Example| self.relevance.get(&(at.query, at.document)).copied();
            let grades: Vec<u8> = list.iter().map(|at| relevance(at).unwrap_or(0)).collect();
            rankings.add(norm(&query), &dots, &norms, &grades);
        }
        let epsilon = self.options.epsilon;
        Evaluation {
            metrics: rankings.mean(epsilon),
            scores: rankings.scores(epsilon),
            grades: examples.iter().map(|example| example.grade).collect(),
        }
    }
}

#[cfg(feature = "gpu")]
impl Training {
    /// Moves the training to a GPU, after a check that the GPU's gradients agree with the
    /// processor's.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: the training stays on its device.
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), Error> {
        let some = &self.training[..self.training.len().min(self.options.batch_size.max(1))];
        self.trainer.move_to(gpu, &corpus::pairs(&self.texts, some)).await
    }

    /// Whether the next step runs on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.trainer.is_on_gpu()
    }

    /// Takes the next step on the current device.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`] if the GPU failed. The step was taken all the
    /// same: the processor repeated the steps that only the GPU had taken, and the training
    /// continues there.
    pub async fn step_there(&mut self) -> Result<Report, (Report, Error)> {
        if self.options.descent.is_some() {
            return Ok(self.step());
        }
        let batch = self.next_batch();
        self.trainer.step_there(&corpus::pairs(&self.texts, &self.training[batch])).await
    }

    /// Copies the tables from the GPU to the processor. If the GPU fails, the processor repeats its
    /// steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the processor's tables are up to date all the same.
    pub async fn settle(&mut self) -> Result<(), Error> {
        self.trainer.settle().await
    }
}

/// Puts a validation pair of another grade in the place of the first pair of a step of the first
/// epoch.
fn replace(training: &mut [Example], validation: &[Example], step: usize, options: &Options) {
    // A shuffle moves places and does not look at the pairs.
    let mut places: Vec<usize> = (0..training.len()).collect();
    corpus::shuffle(&mut places, options.seed, 1);
    let Some(&place) = places.get(step.saturating_sub(1) * options.batch_size.max(1)) else {
        return;
    };
    let start = Random::new(options.seed, "replaced pair").below(validation.len());
    let others = validation[start..].iter().chain(&validation[..start]);
    let grade = training[place].grade;
    if let Some(other) = others.into_iter().find(|other| other.grade != grade) {
        training[place] = *other;
    }
}

/// The judged documents of each query, with their grades.
fn judged(texts: &Texts, grades: usize) -> Result<Vec<Vec<Graded>>, Error> {
    let mut lists = vec![Vec::new(); texts.queries.len()];
    for (number, &(query, document, grade)) in texts.judged.iter().enumerate() {
        let exists = (document as usize) < texts.documents.len() && usize::from(grade) < grades;
        match lists.get_mut(query as usize) {
            Some(list) if exists => list.push(Graded { document, grade }),
            _ => {
                let problem =
                    format!("query {query}, document {document}, grade {grade}: not there");
                return Err(Error::Judgement { number, problem });
            }
        }
    }
    Ok(lists)
}

fn vocabulary<'a>(texts: impl Iterator<Item = &'a String>) -> Result<Vocabulary, Error> {
    let mut words = Words::default();
    texts.for_each(|text| words.add(text));
    words.vocabulary()
}
