//! The sizes of an encoder and its pooling, from the JSON files of its folder.

use serde::Deserialize;

use crate::Error;
use crate::limits;

/// The fields of `config.json` that the forward pass depends on.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    model_type: String,
    hidden_act: String,
    position_embedding_type: Option<String>,
    /// Dimensions of a token's vector.
    pub hidden_size: usize,
    /// Dimensions between the two products of a feed-forward block.
    pub intermediate_size: usize,
    /// Layers of the transformer.
    pub num_hidden_layers: usize,
    /// Attention heads of a layer.
    pub num_attention_heads: usize,
    /// Tokens that have a vector.
    pub vocab_size: usize,
    /// Positions that have a vector.
    pub max_position_embeddings: usize,
    /// Added to a variance before its root is taken.
    pub layer_norm_eps: f32,
}

/// How the vectors of a text's tokens become the text's vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first token's.
    First,
}

/// The files of JSON beside the weights, as bytes; those that may be missing are `None`.
#[derive(Debug, Clone, Copy)]
pub struct Json<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `1_Pooling/config.json`; the mean where there is none.
    pub pooling: Option<&'a [u8]>,
    /// `modules.json`; vectors are normalised where it lists such a module, or where there is none.
    pub modules: Option<&'a [u8]>,
    /// `sentence_bert_config.json`: the most tokens of a text.
    pub sentence: Option<&'a [u8]>,
}

/// Everything that the files of JSON say.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The sizes.
    pub config: Config,
    /// How tokens are pooled.
    pub pooling: Pooling,
    /// Whether a text's vector has length 1.
    pub normalize: bool,
    /// The most tokens that are read at once, the two marks at the ends included.
    pub most_tokens: usize,
}

impl Settings {
    /// Reads the files, and refuses an encoder of another kind.
    pub fn read(json: &Json) -> Result<Self, Error> {
        let config: Config = parse("config.json", json.config)?;
        config.check()?;
        let most_tokens = match json.sentence {
            None => config.max_position_embeddings,
            Some(bytes) => parse::<Sentence>("sentence_bert_config.json", bytes)?
                .max_seq_length
                .unwrap_or(config.max_position_embeddings)
                .min(config.max_position_embeddings),
        };
        if most_tokens < 3 {
            let expected = "at least 3".to_owned();
            return Err(unsupported(
                "sentence_bert_config.json",
                "max_seq_length",
                most_tokens,
                expected,
            ));
        }
        let pooling = match json.pooling {
            None => Pooling::Mean,
            Some(bytes) => parse::<PoolingFile>(POOLING, bytes)?.pooling(config.hidden_size)?,
        };
        let normalize = match json.modules {
            None => true,
            Some(bytes) => normalizes(&parse::<Vec<Module>>("modules.json", bytes)?)?,
        };
        Ok(Self { config, pooling, normalize, most_tokens })
    }
}

impl Config {
    fn check(&self) -> Result<(), Error> {
        const FILE: &str = "config.json";
        let words =
            [("model_type", &self.model_type, "bert"), ("hidden_act", &self.hidden_act, "gelu")];
        for (field, found, expected) in words {
            if found != expected {
                return Err(unsupported(
                    FILE,
                    field,
                    format!("`{found}`"),
                    format!("`{expected}`"),
                ));
            }
        }
        if let Some(kind) = self.position_embedding_type.as_ref().filter(|kind| *kind != "absolute")
        {
            let found = format!("`{kind}`");
            return Err(unsupported(
                FILE,
                "position_embedding_type",
                found,
                "`absolute`".to_owned(),
            ));
        }
        let sizes = [
            ("hidden_size", self.hidden_size, limits::INPUTS),
            ("intermediate_size", self.intermediate_size, limits::INPUTS),
            ("num_hidden_layers", self.num_hidden_layers, limits::LAYERS),
            ("num_attention_heads", self.num_attention_heads, self.hidden_size),
            ("vocab_size", self.vocab_size, limits::TOKENS),
            ("max_position_embeddings", self.max_position_embeddings, limits::POSITIONS),
        ];
        for (field, size, most) in sizes {
            if size == 0 || size > most {
                return Err(unsupported(FILE, field, size, format!("1 to {most}")));
            }
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            let expected = format!("a divisor of `hidden_size`, {}", self.hidden_size);
            return Err(unsupported(
                FILE,
                "num_attention_heads",
                self.num_attention_heads,
                expected,
            ));
        }
        if !(self.layer_norm_eps > 0.0 && self.layer_norm_eps < 1.0) {
            return Err(unsupported(
                FILE,
                "layer_norm_eps",
                self.layer_norm_eps,
                "0 to 1".to_owned(),
            ));
        }
        Ok(())
    }
}

const POOLING: &str = "1_Pooling/config.json";

#[derive(Deserialize)]
struct Sentence {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the file has one for each mode")]
struct PoolingFile {
    word_embedding_dimension: usize,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
}

impl PoolingFile {
    fn pooling(&self, dimension: usize) -> Result<Pooling, Error> {
        if self.word_embedding_dimension != dimension {
            let expected = format!("{dimension}, the `hidden_size` of config.json");
            return Err(unsupported(
                POOLING,
                "word_embedding_dimension",
                self.word_embedding_dimension,
                expected,
            ));
        }
        let modes = [
            (self.pooling_mode_mean_tokens, "mean_tokens"),
            (self.pooling_mode_cls_token, "cls_token"),
            (self.pooling_mode_max_tokens, "max_tokens"),
            (self.pooling_mode_mean_sqrt_len_tokens, "mean_sqrt_len_tokens"),
        ];
        let chosen: Vec<&str> = modes.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
        match chosen[..] {
            ["mean_tokens"] => Ok(Pooling::Mean),
            ["cls_token"] => Ok(Pooling::First),
            _ => {
                let found =
                    if chosen.is_empty() { "none".to_owned() } else { chosen.join(" and ") };
                Err(unsupported(
                    POOLING,
                    "pooling_mode",
                    found,
                    "mean_tokens or cls_token".to_owned(),
                ))
            }
        }
    }
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

/// Whether the modules end with a normalisation; other modules than the usual three are refused.
fn normalizes(modules: &[Module]) -> Result<bool, Error> {
    let mut normalizes = false;
    for module in modules {
        match module.kind.rsplit('.').next() {
            Some("Transformer" | "Pooling") => {}
            Some("Normalize") => normalizes = true,
            _ => {
                let expected = "Transformer, Pooling or Normalize".to_owned();
                return Err(unsupported(
                    "modules.json",
                    "type",
                    format!("`{}`", module.kind),
                    expected,
                ));
            }
        }
    }
    Ok(normalizes)
}

fn parse<'a, T: Deserialize<'a>>(file: &'static str, bytes: &'a [u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes)
        .map_err(|problem| Error::Json { file, problem: problem.to_string() })
}

fn unsupported(
    file: &'static str,
    field: &'static str,
    found: impl ToString,
    expected: String,
) -> Error {
    Error::Unsupported { file, field, found: found.to_string(), expected }
}
