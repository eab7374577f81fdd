//! Token numbers to vectors: embeddings, the layers, and the pooling of a text's tokens.

use smooth_clir::encoder::Rows;

use crate::Error;
use crate::config::{Config, Pooling, Settings};
use crate::functions::sum_of_squares;
use crate::layer::{Layer, Norm, Scratch};
use crate::weights::Weights;

/// The weights of an encoder, rounded where they are multiplied.
pub struct Encoder {
    words: Rows,
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    settings: Settings,
}

impl Encoder {
    /// Reads the tensors that the settings ask for.
    pub fn read(weights: &mut impl Weights, settings: Settings) -> Result<Self, Error> {
        let config = &settings.config;
        let Config { hidden_size, vocab_size, max_position_embeddings, .. } = *config;
        let mut positions = weights
            .embedding(
                "embeddings.position_embeddings.weight",
                max_position_embeddings,
                hidden_size,
            )?
            .widened()
            .into_values();
        // Every token is of the first type: there is one text, never a pair.
        let types = weights.values("embeddings.token_type_embeddings.weight", &[2, hidden_size])?;
        for row in positions.chunks_exact_mut(hidden_size) {
            for (value, of_type) in row.iter_mut().zip(&types) {
                *value += of_type;
            }
        }
        let layers = (0..config.num_hidden_layers)
            .map(|number| Layer::read(weights, number, config))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            words: weights.embedding(
                "embeddings.word_embeddings.weight",
                vocab_size,
                hidden_size,
            )?,
            positions,
            norm: Norm::read(weights, "embeddings.LayerNorm", config)?,
            layers,
            settings,
        })
    }

    /// The sizes and the pooling.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The vector of each text, one after another. A text has at least one token and at most
    /// [`Settings::most_tokens`]; token numbers beyond the vocabulary are left out.
    pub fn encode(&self, texts: &[&[u32]]) -> Vec<f32> {
        let hidden = self.settings.config.hidden_size;
        let mut tokens =
            Vec::with_capacity(texts.iter().map(|text| text.len()).sum::<usize>() * hidden);
        let mut lengths = Vec::with_capacity(texts.len());
        let mut word = vec![0.0; hidden];
        for text in texts {
            let begun = tokens.len();
            for (token, position) in text.iter().zip(self.positions.chunks_exact(hidden)) {
                if (*token as usize) < self.words.len() {
                    self.words.read(*token as usize, &mut word);
                    tokens.extend(word.iter().zip(position).map(|(word, at)| word + at));
                }
            }
            lengths.push((tokens.len() - begun) / hidden);
        }
        self.norm.apply(&mut tokens);
        let mut scratch = Scratch::default();
        for layer in &self.layers {
            layer.apply(&mut tokens, &lengths, &mut scratch);
        }
        let mut vectors = Vec::with_capacity(texts.len() * hidden);
        let mut rest = &tokens[..];
        for length in lengths {
            let (text, others) = rest.split_at(length * hidden);
            vectors.extend(self.pool(text, hidden));
            rest = others;
        }
        vectors
    }

    fn pool(&self, tokens: &[f32], hidden: usize) -> Vec<f32> {
        let mut vector = vec![0.0; hidden];
        let pooled = match self.settings.pooling {
            Pooling::Mean => tokens.len() / hidden,
            Pooling::First => 1,
        };
        for token in tokens.chunks_exact(hidden).take(pooled) {
            for (sum, value) in vector.iter_mut().zip(token) {
                *sum += value;
            }
        }
        for value in &mut vector {
            *value /= pooled.max(1) as f32;
        }
        if self.settings.normalize {
            normalize(&mut vector);
        }
        vector
    }
}

/// Scales a vector to length 1; one of zeros stays.
pub fn normalize(vector: &mut [f32]) {
    let length = sum_of_squares(vector).sqrt();
    if length > 0.0 {
        for value in vector {
            *value /= length;
        }
    }
}
