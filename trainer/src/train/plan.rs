//! How to train: the options of the command line, checked.

use std::path::Path;

use clap::ValueEnum;
use serde_json::{Value, json};
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::metrics::Metrics;
use smooth_clir::model::{Config, Model};

use super::json_number::number;
use super::variant::{EpsilonRule, Variant};
use crate::data::tsv::shown;
use crate::error::Error;
use crate::terminal::values::name_of;

/// The plan of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The encoder.
    pub encoder: EncoderName,
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The loss that training minimises.
    pub loss: Loss,
    /// The dimension of the vectors.
    pub dimension: usize,
    /// The number of epochs.
    pub epochs: u64,
    /// Pairs in a step.
    pub batch_size: usize,
    /// Adam's step size in the first epoch.
    pub learning_rate: f32,
    /// The factor of the step size after each epoch.
    pub decay: f32,
    /// The largest norm of a gradient; longer ones are clipped.
    pub clip: Option<f32>,
    /// The share of the words' components that training drops, for the networks with dropout.
    pub dropout: f32,
    /// The seed of the initial weights and the order of the pairs.
    pub seed: u64,
    /// The standard deviation of the words' initial rows.
    pub init_deviation: f32,
    /// The metric that selects the best epoch, on the validation queries.
    pub select: Select,
    /// The device.
    pub device: DeviceName,
    /// What differs from paper 1.
    pub variant: Variant,
}

/// The device of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum DeviceName {
    /// The processor: the same bytes on every machine
    #[default]
    Cpu,
    /// The GPU, through Vulkan, Metal or Direct3D: the same bytes on one GPU and driver
    Gpu,
}

/// The loss that training minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum LossName {
    /// Smooth ordinal search loss (paper 1, eq. 2)
    Sosl,
    /// Three-part L2 (Nigam et al., 2019); with two thresholds, SOSL without the pull on grade 1
    ThreePart,
    /// Squared distance to the middle of the grade's interval
    Mse,
    /// Proportional odds (McCullagh, 1980), with free ends and a scale
    ProportionalOdds,
    /// Proportional odds as the paper's authors released it, with ends -1 and 1
    ProportionalOddsPaper,
}

/// The encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum EncoderName {
    /// tanh of the mean of the words' rows (paper 1, section 3.2)
    Average,
    /// Convolution over three words, largest values, linear (DSSM-CNN)
    Cnn,
    /// LSTM in both directions, each one's last state, linear (DSSM-LSTM)
    Lstm,
    /// The same with the states of both directions at the first word, as in the paper and its code
    LstmFirst,
}

/// The metric that selects the best epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Select {
    /// Mean average precision over grades above 0
    Map,
    /// Discounted gain of the first five, the gain being the grade
    Ndcg,
    /// Whether the first is relevant
    Precision,
}

impl LossName {
    /// The thresholds where none are asked for.
    pub fn default_thresholds(self) -> &'static [f32] {
        match self {
            Self::ThreePart => &[0.2, 0.55, 0.9],
            _ => &[0.2, 0.7],
        }
    }

    /// What [`build`](Self::build) makes a loss of; the scale is 1 where it has none.
    pub fn parts(loss: &Loss) -> (Self, Vec<f32>, f32) {
        let inner = |thresholds: &Thresholds| thresholds.inner().to_vec();
        match loss {
            Loss::Sosl(thresholds) => (Self::Sosl, inner(thresholds), 1.0),
            Loss::ThreePart(thresholds) => (Self::ThreePart, thresholds.to_vec(), 1.0),
            Loss::MeanSquare(thresholds) => (Self::Mse, inner(thresholds), 1.0),
            Loss::ProportionalOdds { thresholds, scale } => {
                (Self::ProportionalOdds, inner(thresholds), *scale)
            }
            Loss::ProportionalOddsPaper(thresholds) => {
                (Self::ProportionalOddsPaper, inner(thresholds), 1.0)
            }
        }
    }

    /// The scale of proportional odds, if nothing else is said.
    pub const SCALE: f32 = 10.0;

    /// Whether it has a scale.
    pub fn has_scale(self) -> bool {
        self == Self::ProportionalOdds
    }

    /// The loss with these thresholds, and this scale if it has one.
    pub fn build(self, thresholds: &[f32], scale: f32) -> Result<Loss, smooth_clir::Error> {
        let cuts = || Thresholds::new(thresholds);
        Ok(match self {
            Self::Sosl => Loss::Sosl(cuts()?),
            Self::ThreePart => Loss::three_part(thresholds)?,
            Self::Mse => Loss::MeanSquare(cuts()?),
            Self::ProportionalOdds => Loss::proportional_odds(cuts()?, scale)?,
            Self::ProportionalOddsPaper => Loss::ProportionalOddsPaper(cuts()?),
        })
    }
}

impl EncoderName {
    /// All of them, the paper's own first.
    pub const ALL: [Self; 4] = [Self::Average, Self::Cnn, Self::Lstm, Self::LstmFirst];

    /// Its name on the command line and in files.
    pub fn name(self) -> String {
        name_of(self)
    }

    /// Whether layers follow the words' rows; training then leaves out some of the words' numbers.
    pub fn has_layers(self) -> bool {
        self != Self::Average
    }

    /// Adam's step size, its decay, pairs in a step and epochs, as in paper 1, section 5.1.
    pub fn defaults(self) -> (f32, f32, u64, u64) {
        match self {
            Self::Average => (0.01, 1.0, 128, 30),
            Self::Cnn => (0.001, 0.95, 128, 30),
            Self::Lstm | Self::LstmFirst => (0.001, 0.95, 64, 15),
        }
    }
}

impl Select {
    /// Its value among all metrics.
    pub fn of(self, metrics: &Metrics) -> f64 {
        match self {
            Self::Map => metrics.map,
            Self::Ndcg => metrics.ndcg_5,
            Self::Precision => metrics.p_mr_1,
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "MAP",
            Self::Ndcg => "NDCG@5",
            Self::Precision => "P_mr@1",
        }
    }
}

impl Plan {
    /// The paper's settings of an encoder (section 5.1) at epsilon 1 and 64 dimensions, with a loss.
    pub fn of_paper(encoder: EncoderName, loss: Loss) -> Self {
        let (learning_rate, decay, batch_size, epochs) = encoder.defaults();
        Self {
            encoder,
            epsilon: 1.0,
            loss,
            dimension: 64,
            epochs,
            batch_size: batch_size as usize,
            learning_rate,
            decay,
            clip: None,
            dropout: Self::DROPOUT,
            seed: 1,
            init_deviation: 0.2,
            select: Select::Ndcg,
            device: DeviceName::Cpu,
            variant: Variant::default(),
        }
    }

    /// The options that fix a training, by the names of the command line.
    pub fn describe(&self) -> Value {
        let (loss, thresholds, scale) = LossName::parts(&self.loss);
        let thresholds: Vec<Value> = thresholds.iter().map(|&t| number(t)).collect();
        let mut description = json!({
            "loss": name_of(loss),
            "encoder": name_of(self.encoder),
            "epsilon": number(self.epsilon),
            "thresholds": thresholds,
            "dimension": self.dimension,
            "epochs": self.epochs,
            "batch-size": self.batch_size,
            "learning-rate": number(self.learning_rate),
            "seed": self.seed,
            "init-deviation": number(self.init_deviation),
            "select": name_of(self.select),
        });
        if loss == LossName::ProportionalOdds {
            description["scale"] = number(scale);
        }
        if let Some(clip) = self.clip {
            description["clip"] = number(clip);
        }
        if self.encoder.has_layers() {
            description["dropout"] = number(self.dropout);
        }
        if self.device != DeviceName::Cpu {
            description["device"] = json!(name_of(self.device));
        }
        if self.decay != 1.0 {
            description["decay"] = number(self.decay);
        }
        self.variant.describe(&mut description);
        description
    }

    /// The share left out (paper 1, section 5.1).
    pub const DROPOUT: f32 = 0.4;

    /// The plan that a model was trained by, as its provenance states; `path` is for errors.
    pub fn from_provenance(model: &Model, path: &Path) -> Result<Self, Error> {
        let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or(Value::Null);
        let told = Told { options: &provenance["options"], path };
        let loss: LossName = told.choice("loss")?;
        let thresholds = told.numbers("thresholds")?;
        let scale = if loss.has_scale() { told.number("scale")? } else { 1.0 };
        let loss = loss.build(&thresholds, scale).map_err(|error| told.refused(&error))?;
        if loss.thresholds().inner() != model.config.thresholds {
            return Err(Error::data(
                path,
                "the thresholds in its provenance are not those of its config",
            ));
        }
        let encoder: EncoderName = told.choice("encoder")?;
        let clip = told.options.get("clip").map(|_| told.number("clip")).transpose()?;
        Ok(Self {
            encoder,
            epsilon: model.config.epsilon,
            loss,
            dimension: model.config.dimension,
            epochs: told.count("epochs")?,
            batch_size: told.count("batch-size")? as usize,
            learning_rate: told.number("learning-rate")?,
            decay: encoder.defaults().1,
            clip,
            dropout: told
                .options
                .get("dropout")
                .map_or(Ok(Self::DROPOUT), |_| told.number("dropout"))?,
            seed: told.count("seed")?,
            init_deviation: told.number("init-deviation")?,
            select: told.choice("select")?,
            device: told
                .options
                .get("device")
                .map_or(Ok(DeviceName::Cpu), |_| told.choice("device"))?,
            variant: Variant::default(),
        })
    }

    /// What a model made by this plan says of itself.
    pub fn config(&self, languages: Vec<String>) -> Config {
        Config {
            encoder: self.encoder.name(),
            dimension: self.dimension,
            epsilon: self.epsilon,
            thresholds: self.loss.thresholds().inner().to_vec(),
            languages,
            subwords: 0,
            calibration: Default::default(),
            probability: Default::default(),
            packs: Vec::new(),
        }
    }

    /// Refuses thresholds that no score can reach, and what the device does not train.
    pub fn check(&self) -> Result<(), Error> {
        if self.device == DeviceName::Gpu {
            let refused = if self.encoder != EncoderName::Average {
                Some("supported only with --encoder average")
            } else if let Loss::ProportionalOdds { .. } | Loss::ProportionalOddsPaper(_) = self.loss
            {
                Some("supported only with --loss sosl, three-part or mse")
            } else if !cfg!(feature = "gpu") {
                Some("built without GPU support: rebuild with --features gpu")
            } else {
                None
            };
            if let Some(refused) = refused {
                return Err(Error::Usage(format!("--device gpu: {refused}")));
            }
        }
        let is_usual = self.encoder == EncoderName::Average && self.device == DeviceName::Cpu;
        if self.variant.changes_steps() && !is_usual {
            let problem = "losses of lists, all thresholds, a changing epsilon and plain descent: supported only with --encoder average and --device cpu";
            return Err(Error::Usage(problem.into()));
        }
        if self.variant.shared_layers && !self.encoder.has_layers() {
            let problem =
                "--shared-layers: the average encoder has no layers; choose another with --encoder";
            return Err(Error::Usage(problem.into()));
        }
        if self.epsilon == 0.0 && self.variant.epsilon != EpsilonRule::Fixed {
            return Err(Error::Usage("a changing epsilon must be above 0".into()));
        }
        self.config(Vec::new()).check().map_err(|error| Error::Usage(error.to_string()))
    }
}

/// The options in a model's provenance.
struct Told<'a> {
    options: &'a Value,
    path: &'a Path,
}

impl Told<'_> {
    fn missing(&self, option: &str, expected: &str) -> Error {
        let problem = match self.options.get(option) {
            None => format!("its provenance lacks the option {option}"),
            Some(found) => {
                let found = found.to_string();
                format!(
                    "option {option} in its provenance is {}, expected {expected}",
                    shown(&found)
                )
            }
        };
        Error::data(self.path, problem)
    }

    fn refused(&self, error: &smooth_clir::Error) -> Error {
        Error::data(self.path, format!("in its provenance: {error}"))
    }

    fn choice<T: ValueEnum>(&self, option: &str) -> Result<T, Error> {
        let known = || {
            let values = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
            names.join(", ")
        };
        let name = self.options[option].as_str();
        let value = name.and_then(|name| T::from_str(name, false).ok());
        value.ok_or_else(|| self.missing(option, &format!("one of {}", known())))
    }

    fn count(&self, option: &str) -> Result<u64, Error> {
        self.options[option].as_u64().ok_or_else(|| self.missing(option, "a whole number"))
    }

    fn number(&self, option: &str) -> Result<f32, Error> {
        let number = self.options[option].as_f64().map(|number| number as f32);
        let number = number.filter(|number| number.is_finite());
        number.ok_or_else(|| self.missing(option, "a number"))
    }

    fn numbers(&self, option: &str) -> Result<Vec<f32>, Error> {
        let numbers = self.options[option].as_array().and_then(|list| {
            list.iter().map(|x| x.as_f64().map(|x| x as f32)).collect::<Option<Vec<f32>>>()
        });
        numbers.ok_or_else(|| self.missing(option, "a list of numbers"))
    }
}
