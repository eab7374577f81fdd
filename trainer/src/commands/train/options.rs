//! The options of `train`.

use smooth_clir::limits::DIMENSIONS;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use smooth_clir::encoder;

use crate::data::SplitBy;
use crate::terminal::values::{epsilon, language, number, positive, share};
use crate::train::contrastive::{ObjectiveName, StemName, Weighting};
use crate::train::{DeviceName, EncoderName, InitOption, LossName, Select};

const MODEL: &str = "Model";
const OPTIMISATION: &str = "Optimisation";
const GRADED: &str = "Graded documents";
const PAIRS: &str = "Pairs of texts (--loss contrastive)";
const INTERRUPTIONS: &str = "Interruptions";

/// `train`
#[derive(Debug, Args)]
pub struct Train {
    /// Folders to train on; none: the built-in corpus
    pub data: Vec<PathBuf>,
    /// The output file, or a folder (with a slash at its end) for one file an encoder and
    /// evaluation.json, the parts of the scores of the test queries
    #[arg(long)]
    pub out: PathBuf,
    /// The documents' language, once for each folder in the same order
    #[arg(long = "language", value_parser = language)]
    pub languages: Vec<String>,
    /// The loss
    #[arg(long, value_enum, default_value_t = TrainLoss::Graded(LossName::Sosl))]
    pub loss: TrainLoss,
    /// Pairs of texts to train on with --loss contrastive: set, group, id, English, other; the nth
    /// belongs to the nth language
    #[arg(long, value_name = "FILE", help_heading = PAIRS)]
    pub pairs: Vec<PathBuf>,
    /// Words and their translations, as further pairs: source, English, other; the nth belongs to
    /// the nth language
    #[arg(long, value_name = "FILE", requires = "pairs", help_heading = PAIRS)]
    pub lexicon: Vec<PathBuf>,
    /// Query-answer pairs, with the columns of --pairs: train the encoders (by a teacher, the query
    /// encoder), and translations of words that are rare in the pairs; the nth belongs to the nth language
    #[arg(long, value_name = "FILE", requires = "pairs", help_heading = PAIRS)]
    pub queries: Vec<PathBuf>,
    /// A sentence encoder, in the usual folder (config.json, tokenizer.json, model.safetensors) or as a file of
    /// compact-teacher: makes the query encoder of its vectors of words, so that documents can be indexed by it (index --deep)
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "TEACHER", requires = "pairs", help_heading = PAIRS)]
    pub teacher: Option<PathBuf>,
    /// Keep the teacher's vectors of sentences and words in a file, and compute only those that are not in it: an interrupted
    /// training goes on from there, and the next one needs less time
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "FILE", requires = "teacher", help_heading = PAIRS)]
    pub teacher_vectors: Option<PathBuf>,
    /// The temperature of the contrastive objective, which divides scores [default: 0.1]
    #[arg(long, value_parser = positive, allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub temperature: Option<f32>,
    /// The contrastive objective over a batch's scores
    #[arg(long, value_enum, requires = "pairs", help_heading = PAIRS)]
    pub objective: Option<ObjectiveName>,
    /// Negatives of each text in --objective sosl and sum: those of its batch with the highest
    /// scores [default: all]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub rivals: Option<u32>,
    /// Rows of a table of character n-grams, which all languages share, so that no word is unknown;
    /// 0 for none [default: 20000]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(0..=10_000_000), allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub subwords: Option<u32>,
    /// Words of each encoder that keep a row, those that it changes most; n-grams, where there are any,
    /// represent the others
    #[arg(long, value_name = "WORDS", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub most_words: Option<u32>,
    /// The same for the query encoder, which knows more words with --teacher [default: --most-words]
    #[arg(long, value_name = "WORDS", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub most_query_words: Option<u32>,
    /// The weights of words in the mean of a text [default: inverse-frequency]
    #[arg(long, value_enum, requires = "pairs", help_heading = PAIRS)]
    pub weights: Option<Weighting>,
    /// The share of a step's words that contrastive training represents by their n-grams alone
    /// [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub word_dropout: Option<f32>,
    /// Passes of an epoch over the pairs of each --pairs file, in the same order [default: 1]
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=1000), requires = "pairs", help_heading = PAIRS)]
    pub repeat: Vec<u32>,
    /// A JSON file with a list `sources` of the data's names, licences and attributions, for the
    /// model's provenance
    #[arg(long, value_name = "FILE", requires = "pairs", help_heading = PAIRS)]
    pub sources: Option<PathBuf>,
    /// Largest number of translations of a word in a model trained on pairs; 0 for a model that
    /// ranks by dense scores alone [default: 20]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub most_translations: Option<usize>,
    /// The smallest probability of a stored translation [default: 0.003]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub least_share: Option<f32>,
    /// The stems of documents' words, which are translated too, so that other forms of a word
    /// match; the nth belongs to the nth language [default: head]
    #[arg(long, value_enum, requires = "pairs", help_heading = PAIRS)]
    pub stems: Vec<StemName>,
    /// The encoder
    #[arg(long, value_enum, default_value_t = EncoderName::Average, help_heading = MODEL)]
    pub encoder: EncoderName,
    /// Give queries and documents the same layers, each with words of their own; not with the average encoder, which
    /// has none
    #[arg(long, conflicts_with_all = ["pairs", "from", "refit"], help_heading = MODEL)]
    pub shared_layers: bool,
    /// Epsilon of smooth cosine similarity, 0 (cosine) or more [default: 0.5; contrastive: 0.1, with --teacher 0.01]
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true, help_heading = MODEL)]
    pub epsilon: Option<f32>,
    /// Learn epsilon by its logarithm, beginning with --epsilon; with the average encoder on the processor
    #[arg(long, conflicts_with_all = ["anneal_epsilon", "pairs", "from", "refit"], help_heading = MODEL)]
    pub learn_epsilon: bool,
    /// Begin with this epsilon and go to --epsilon by equal factors, epoch by epoch; with the average
    /// encoder on the processor
    #[arg(long, value_name = "EPSILON", value_parser = positive, allow_negative_numbers = true, conflicts_with_all = ["pairs", "from", "refit"], help_heading = MODEL)]
    pub anneal_epsilon: Option<f32>,
    /// The thresholds of the scores between grades, rising, between -1 and 1 [default: 0.2,0.7;
    /// three-part: 0.2,0.55,0.9; with --from fitted on the validation pairs]
    #[arg(long, value_parser = thresholds, allow_hyphen_values = true, help_heading = MODEL)]
    pub thresholds: Option<Thresholds>,
    /// The scale of proportional odds [default: 10]
    #[arg(long, value_parser = positive, allow_negative_numbers = true, help_heading = MODEL)]
    pub scale: Option<f32>,
    /// The dimension of the vectors [default: 64]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=DIMENSIONS as u64), allow_negative_numbers = true, help_heading = MODEL)]
    pub dimension: Option<u64>,
    /// Epochs [default: 30; lstm: 15; contrastive: 12]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true, help_heading = OPTIMISATION)]
    pub epochs: Option<u64>,
    /// Stop contrastive training after this number of epochs without an improvement; the learning
    /// rate falls to 0 over --epochs, so improvements often come late [default: 5]
    #[arg(long, value_name = "EPOCHS", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true, requires = "pairs", help_heading = PAIRS)]
    pub patience: Option<u64>,
    /// Pairs in a step [default: 128; lstm: 64; contrastive: 512]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true, help_heading = OPTIMISATION)]
    pub batch_size: Option<u64>,
    /// Adam's step size [default: 0.01; cnn and lstm: 0.001, times 0.95 after each epoch;
    /// contrastive: 0.02, falling to 0]
    #[arg(long, value_parser = positive, allow_negative_numbers = true, help_heading = OPTIMISATION)]
    pub learning_rate: Option<f32>,
    /// Clip each step's gradient to this norm, over all rows together
    #[arg(long, value_name = "NORM", value_parser = positive, allow_negative_numbers = true, help_heading = OPTIMISATION)]
    pub clip: Option<f32>,
    /// Sampled negatives for each query [default: 40]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true, help_heading = GRADED)]
    pub negatives: Option<u64>,
    /// The seed of the initial weights and the order of the pairs
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, help_heading = OPTIMISATION)]
    pub seed: u64,
    /// The standard deviation of the initial weights [default: 0.2; contrastive: 0.01]
    #[arg(long, value_parser = positive, allow_negative_numbers = true, help_heading = MODEL)]
    pub init_deviation: Option<f32>,
    /// Begin with pre-trained vectors, a file for each encoder: en=FILE for the query encoder (query=FILE
    /// where documents are in en), xx=FILE for the document encoder of xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "ENCODER=FILE|lsi", value_parser = InitOption::parse, help_heading = MODEL)]
    pub init: Vec<InitOption>,
    /// Continue from a model of --loss contrastive: its rows, weights, n-grams, dimension and
    /// epsilon. The weights of the dense and the lexical score and, unless given, the thresholds
    /// are then fitted on the validation queries
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["init", "init_deviation", "pairs", "refit"], help_heading = MODEL)]
    pub from: Option<PathBuf>,
    /// The share of the words' components that cnn and lstm drop in a step [default: 0.4]
    #[arg(long, value_parser = share, allow_negative_numbers = true, help_heading = MODEL)]
    pub dropout: Option<f32>,
    /// The precision of the stored tables
    #[arg(long, value_enum, default_value_t = Precision::F32, help_heading = MODEL)]
    pub precision: Precision,
    /// The seed of the split and the sampled negatives [default: 1]
    #[arg(long, allow_negative_numbers = true, help_heading = GRADED)]
    pub split_seed: Option<u64>,
    /// The unit of a split: each query, or queries of one title [default: query]
    #[arg(long, value_enum, help_heading = GRADED)]
    pub split_by: Option<SplitBy>,
    /// The metric that selects the best epoch, on the validation queries [default: map]
    #[arg(long, value_enum, help_heading = GRADED)]
    pub select: Option<Select>,
    /// The device of the training; gpu in a program built with --features gpu
    #[arg(long, value_enum, default_value_t = DeviceName::Cpu, help_heading = OPTIMISATION)]
    pub device: DeviceName,
    /// Write how long the gradients of the score were, epoch by epoch, to a file: the largest and
    /// the median length and the share above 1/epsilon (1/0.5 for --epsilon 0); with the average
    /// encoder on the processor
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "resume", "max_steps"], help_heading = OPTIMISATION)]
    pub report: Option<PathBuf>,
    /// Resume a training after an interruption; it saves itself beside the model at intervals
    #[arg(long, help_heading = INTERRUPTIONS)]
    pub resume: bool,
    /// Smallest interval between saves in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, allow_negative_numbers = true, help_heading = INTERRUPTIONS)]
    pub save_every: u64,
    /// Bytes of pairs in memory before a scratch file beside the model takes them; the result is
    /// the same
    #[arg(long, value_name = "BYTES", requires = "pairs", hide = true)]
    pub scratch_above: Option<usize>,
    /// Train again on all queries, for the number of epochs that was best; the printed metrics are
    /// those of the first training, whose test queries it did not see
    #[arg(long, help_heading = GRADED)]
    pub refit: bool,
    /// Stop after this number of steps and print pairs per second, without writing a model; a
    /// training on pairs saves itself for --resume
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), hide = true)]
    pub max_steps: Option<u64>,
}

/// The objective of `train`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrainLoss {
    /// A function of each pair's score and grade.
    Graded(LossName),
    /// The cross-entropy of a text's translation among all others of a batch.
    Contrastive,
}

impl ValueEnum for TrainLoss {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TrainLoss; 6] = [
            TrainLoss::Graded(LossName::Sosl),
            TrainLoss::Graded(LossName::ThreePart),
            TrainLoss::Graded(LossName::Mse),
            TrainLoss::Graded(LossName::ProportionalOdds),
            TrainLoss::Graded(LossName::ProportionalOddsPaper),
            TrainLoss::Contrastive,
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Graded(loss) => loss.to_possible_value(),
            Self::Contrastive => Some(PossibleValue::new("contrastive").help(
                "A softmax of each text's translation against all others of the batch; requires --pairs",
            )),
        }
    }
}

/// How a model stores its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// 32-bit floating point
    F32,
    /// 16-bit floating point
    F16,
    /// 8-bit integers with a scale for each row
    I8,
    /// 4-bit integers with a scale for each row
    I4,
    /// 2-bit integers with a scale for each row
    I2,
}

impl From<Precision> for encoder::Precision {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => encoder::Precision::F32,
            Precision::F16 => encoder::Precision::F16,
            Precision::I8 => encoder::Precision::I8,
            Precision::I4 => encoder::Precision::I4,
            Precision::I2 => encoder::Precision::I2,
        }
    }
}

/// The scores between the grades.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds(pub Vec<f32>);

fn thresholds(text: &str) -> Result<Thresholds, String> {
    Ok(Thresholds(text.split(',').map(number).collect::<Result<_, _>>()?))
}
