//! Texts to vectors: the tokenizer, windows of long texts, and batches of texts of like length.

use tokenizers::Tokenizer;

use crate::Error;
use crate::config::{Json, Settings};
use crate::encoder::{Encoder, normalize};
use crate::weights::Weights;

/// Tokens that are encoded at once: enough to use each weight many times while it is in cache.
const BATCH_TOKENS: usize = 512;

/// The files of a sentence encoder's folder, as bytes.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `tokenizer.json`.
    pub tokenizer: &'a [u8],
    /// `model.safetensors`.
    pub weights: &'a [u8],
    /// `1_Pooling/config.json`; without it the mean of the tokens is taken.
    pub pooling: Option<&'a [u8]>,
    /// `modules.json`; without it vectors are normalised.
    pub modules: Option<&'a [u8]>,
    /// `sentence_bert_config.json`; without it a text has as many tokens as there are positions.
    pub sentence: Option<&'a [u8]>,
}

/// A sentence encoder with its tokenizer.
pub struct Teacher {
    encoder: Encoder,
    tokenizer: Tokenizer,
    /// The tokens that begin and end every text.
    ends: [u32; 2],
}

impl Teacher {
    /// Reads a teacher and checks that its files belong together.
    pub fn read(files: &Files) -> Result<Self, Error> {
        let Files { config, pooling, modules, sentence, .. } = *files;
        let settings = Settings::read(&Json { config, pooling, modules, sentence })?;
        let tokenizer = read_tokenizer(files.tokenizer)?;
        let tokens = tokenizer.get_vocab_size(true);
        if tokens > settings.config.vocab_size {
            let rows = settings.config.vocab_size;
            return Err(Error::Tokenizer(format!(
                "it has {tokens} tokens, but config.json says {rows}"
            )));
        }
        let ends = ends(&tokenizer)?;
        let encoder = Encoder::read(&Weights::new(files.weights)?, settings)?;
        Ok(Self { encoder, tokenizer, ends })
    }

    /// Dimensions of a vector.
    pub fn dimension(&self) -> usize {
        self.encoder.settings().config.hidden_size
    }

    /// The tokens that begin a word, in the order of their numbers. A WordPiece vocabulary is ordered by how common its
    /// tokens are, after those that are single characters.
    pub fn word_tokens(&self) -> Vec<String> {
        let mut tokens: Vec<(u32, String)> = self
            .tokenizer
            .get_vocab(false)
            .into_iter()
            .filter(|(token, _)| !token.starts_with("##"))
            .map(|(token, number)| (number, token))
            .collect();
        tokens.sort_unstable();
        tokens.into_iter().map(|(_, token)| token).collect()
    }

    /// The token numbers of a text, without the two at its ends.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, Error> {
        let encoded = self.tokenizer.encode_fast(text, false);
        Ok(encoded.map_err(|problem| Error::Tokenizer(problem.to_string()))?.get_ids().to_vec())
    }

    /// The vectors of texts, one after another. No vector depends on the other texts.
    ///
    /// A text longer than the encoder reads is split into windows of equal length, whose vectors are averaged. A text
    /// without tokens is the zero vector.
    pub fn encode<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<f32>, Error> {
        let dimension = self.dimension();
        let most = self.encoder.settings().most_tokens - self.ends.len();
        let mut windows = Vec::new();
        for (text, content) in texts.iter().enumerate() {
            let tokens = self.tokens(content.as_ref())?;
            if tokens.is_empty() {
                continue;
            }
            let length = tokens.len().div_ceil(tokens.len().div_ceil(most));
            for window in tokens.chunks(length) {
                windows.push((text, [&self.ends[..1], window, &self.ends[1..]].concat()));
            }
        }
        let mut order: Vec<usize> = (0..windows.len()).collect();
        order.sort_by_key(|window| windows[*window].1.len());
        let mut encoded = vec![0.0; windows.len() * dimension];
        let mut rest = &order[..];
        while !rest.is_empty() {
            let mut tokens = 0;
            let count = rest
                .iter()
                .take_while(|window| {
                    tokens += windows[**window].1.len();
                    tokens <= BATCH_TOKENS
                })
                .count()
                .max(1);
            let (batch, later) = rest.split_at(count);
            let ids: Vec<&[u32]> = batch.iter().map(|window| &windows[*window].1[..]).collect();
            let vectors = self.encoder.encode(&ids);
            for (window, vector) in batch.iter().zip(vectors.chunks_exact(dimension)) {
                encoded[window * dimension..][..dimension].copy_from_slice(vector);
            }
            rest = later;
        }
        Ok(self.average(texts.len(), &windows, &encoded))
    }

    /// The mean of each text's windows, weighted by their tokens.
    fn average(&self, texts: usize, windows: &[(usize, Vec<u32>)], encoded: &[f32]) -> Vec<f32> {
        let dimension = self.dimension();
        let mut vectors = vec![0.0; texts * dimension];
        let mut begin = 0;
        for same in windows.chunk_by(|first, second| first.0 == second.0) {
            let found = &encoded[begin * dimension..(begin + same.len()) * dimension];
            begin += same.len();
            let vector = &mut vectors[same[0].0 * dimension..][..dimension];
            if same.len() == 1 {
                vector.copy_from_slice(found);
                continue;
            }
            let tokens: usize = same.iter().map(|(_, tokens)| tokens.len()).sum();
            for ((_, window), found) in same.iter().zip(found.chunks_exact(dimension)) {
                let share = window.len() as f32 / tokens as f32;
                for (sum, value) in vector.iter_mut().zip(found) {
                    *sum += share * value;
                }
            }
            if self.encoder.settings().normalize {
                normalize(vector);
            }
        }
        vectors
    }
}

fn read_tokenizer(bytes: &[u8]) -> Result<Tokenizer, Error> {
    let mut tokenizer =
        Tokenizer::from_bytes(bytes).map_err(|problem| Error::Tokenizer(problem.to_string()))?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|problem| Error::Tokenizer(problem.to_string()))?;
    Ok(tokenizer)
}

/// The tokens that the tokenizer puts around a text.
fn ends(tokenizer: &Tokenizer) -> Result<[u32; 2], Error> {
    let encoded =
        tokenizer.encode("", true).map_err(|problem| Error::Tokenizer(problem.to_string()))?;
    encoded.get_ids().try_into().map_err(|_| {
        let found = encoded.get_ids().len();
        Error::Tokenizer(format!("it puts {found} tokens around a text, expected 2"))
    })
}
