//! Texts to vectors: the tokenizer, windows of long texts, and batches of texts of like length.

use smooth_clir::storage::SharedBytes;
use smooth_clir::storage::container::{Reader, Writer, sha256_hex};
use tokenizers::Tokenizer;

use crate::Error;
use crate::config::{Json, Settings};
use crate::encoder::{Encoder, normalize};
use crate::weights::{Compact, Compacting, Folder};

/// Tokens that are encoded at once: enough to use each weight many times while it is in cache.
const BATCH_TOKENS: usize = 512;

/// The `kind` of a compact file.
const KIND: &str = "teacher";
/// The metadata of a compact file with the digest of the folder that it was made from.
const ORIGIN: &str = "teacher";
/// The tensors of a compact file that are files of the folder have the names of these files.
const CONFIG: &str = "config.json";
const TOKENIZER: &str = "tokenizer.json";
const POOLING: &str = "1_Pooling/config.json";
const MODULES: &str = "modules.json";
const SENTENCE: &str = "sentence_bert_config.json";

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

impl Files<'_> {
    /// The SHA-256 of the files: the name under which models know the teacher.
    pub fn digest(&self) -> String {
        let mut digests =
            [self.config, self.tokenizer, self.weights].map(|bytes| sha256_hex(&[bytes])).to_vec();
        let optional = [self.pooling, self.modules, self.sentence];
        digests.extend(
            optional.map(|file| file.map_or_else(String::new, |bytes| sha256_hex(&[bytes]))),
        );
        sha256_hex(&[digests.join("\n").as_bytes()])
    }

    fn settings(&self) -> Result<Settings, Error> {
        let Self { config, pooling, modules, sentence, .. } = *self;
        Settings::read(&Json { config, pooling, modules, sentence })
    }

    /// The files as one, a safetensors file of the kind `teacher` with a digest: the weights of linear layers are the
    /// integers of 8 bits and the scales that [`Teacher::read`] rounds them to, so their products are the same; the
    /// vectors of tokens and positions are rounded to 8 bits too, with a scale for each, and all else is as it is. The
    /// file states the [digest](Self::digest) of these. The same files give the same bytes.
    ///
    /// # Errors
    /// As [`Teacher::read`].
    pub fn compact(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new(KIND);
        writer.metadata(ORIGIN, self.digest());
        writer.bytes(CONFIG, self.config);
        writer.bytes(TOKENIZER, self.tokenizer);
        let optional =
            [(POOLING, self.pooling), (MODULES, self.modules), (SENTENCE, self.sentence)];
        for (name, bytes) in optional {
            if let Some(bytes) = bytes {
                writer.bytes(name, bytes);
            }
        }
        let settings = self.settings()?;
        checked_tokenizer(self.tokenizer, &settings)?;
        let mut weights = Compacting { folder: Folder::new(self.weights)?, writer };
        Encoder::read(&mut weights, settings)?;
        Ok(weights.writer.into_bytes())
    }
}

/// A sentence encoder with its tokenizer.
pub struct Teacher {
    encoder: Encoder,
    tokenizer: Tokenizer,
    /// The tokens that begin and end every text.
    ends: [u32; 2],
    digest: String,
    origin: String,
}

impl Teacher {
    /// Reads a teacher and checks that its files belong together.
    ///
    /// # Errors
    /// If a file is refused, or does not fit another.
    pub fn read(files: &Files) -> Result<Self, Error> {
        let settings = files.settings()?;
        let (tokenizer, ends) = checked_tokenizer(files.tokenizer, &settings)?;
        let encoder = Encoder::read(&mut Folder::new(files.weights)?, settings)?;
        let digest = files.digest();
        Ok(Self { encoder, tokenizer, ends, origin: digest.clone(), digest })
    }

    /// Reads a file that [`Files::compact`] made, and checks it whole. The vectors of tokens stay where they lie in it.
    ///
    /// # Errors
    /// [`Error::Compact`] if it is no such file, or was changed; as [`read`](Self::read), if what it holds is refused.
    pub fn read_compact(file: &SharedBytes) -> Result<Self, Error> {
        let mut reader = Reader::open_in_place(file, KIND)?;
        let (digest, origin) = (reader.required("digest")?, reader.space(ORIGIN)?);
        let config = reader.bytes(CONFIG)?;
        let tokenizer = reader.bytes(TOKENIZER)?;
        let mut optional = |name: &str| match reader.has(name) {
            true => reader.bytes(name).map(Some),
            false => Ok(None),
        };
        let (pooling, modules, sentence) =
            (optional(POOLING)?, optional(MODULES)?, optional(SENTENCE)?);
        let settings = Settings::read(&Json {
            config: &config,
            pooling: pooling.as_deref(),
            modules: modules.as_deref(),
            sentence: sentence.as_deref(),
        })?;
        let mut weights = Compact(reader);
        let encoder = Encoder::read(&mut weights, settings)?;
        weights.0.finish()?;
        let (tokenizer, ends) = checked_tokenizer(&tokenizer, encoder.settings())?;
        Ok(Self { encoder, tokenizer, ends, digest, origin })
    }

    /// The digest of what was read: of the folder's files, or that which the compact file states. Two teachers of one
    /// digest give the same bits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The digest of the folder that the weights come from, which a model made by this teacher states.
    pub fn origin(&self) -> &str {
        &self.origin
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

/// A tokenizer that has no more tokens than there are vectors, and the tokens that it puts around a text.
fn checked_tokenizer(bytes: &[u8], settings: &Settings) -> Result<(Tokenizer, [u32; 2]), Error> {
    let tokenizer = read_tokenizer(bytes)?;
    let (tokens, rows) = (tokenizer.get_vocab_size(true), settings.config.vocab_size);
    if tokens > rows {
        return Err(Error::Tokenizer(format!(
            "it has {tokens} tokens, but config.json says {rows}"
        )));
    }
    let ends = ends(&tokenizer)?;
    Ok((tokenizer, ends))
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
