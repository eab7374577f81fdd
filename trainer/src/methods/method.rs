//! The methods that are compared, and the settings that are tried of each.

use std::fmt;

use clap::ValueEnum;

use super::cdl::Mode;

/// A text is made of so many atoms at least, where there are as many.
const LEAST_SPARSITY: usize = 8;

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Coupled dictionary learning (paper 2), block descent on its objective
    Cdl,
    /// Coupled dictionary learning as section 2.3 of paper 2 prints it
    CdlPaper,
    /// Cross-lingual latent semantic indexing
    Lsi,
    /// Oriented principal component analysis
    Opca,
    /// Canonical correlation analysis
    Cca,
    /// Coupled probabilistic latent semantic analysis
    Cplsa,
    /// Joint probabilistic latent semantic analysis
    Jplsa,
    /// BM25 on the words common to the two languages
    Bm25,
    /// BM25 after word-by-word translation with a lexicon
    TranslatedBm25,
    /// Probabilistic structured queries: IBM Model 1, then BM25
    Psq,
    /// The average encoder trained by SOSL (paper 1)
    Average,
    /// The same, initialised by latent semantic indexing
    AverageLsi,
    /// The average encoder and coupled dictionaries: a weighted sum of their scores
    AverageCdl,
}

/// A method with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Coupled dictionaries.
    Cdl {
        /// How they are learned.
        mode: Mode,
        /// How many atoms each has.
        atoms: usize,
        /// How many make up a text at most.
        sparsity: usize,
        /// Alpha and beta: what the mapping errors weigh.
        weight: f64,
    },
    /// Latent semantic indexing.
    Lsi {
        /// Directions kept.
        rank: usize,
    },
    /// Oriented principal components.
    Opca {
        /// Directions kept.
        rank: usize,
        /// What is added to the deviations' covariance.
        ridge: f64,
    },
    /// Canonical correlations.
    Cca {
        /// Directions kept.
        rank: usize,
        /// What is added to both covariances.
        ridge: f64,
    },
    /// Topics, one mixture for each document of a pair.
    Cplsa {
        /// How many.
        topics: usize,
    },
    /// Topics, one mixture for both documents of a pair.
    Jplsa {
        /// How many.
        topics: usize,
    },
    /// BM25 on shared words.
    Bm25,
    /// BM25 on a lexicon's words.
    TranslatedBm25,
    /// Probabilistic structured queries.
    Psq,
    /// Paper 1.
    Average {
        /// Epsilon of smooth cosine similarity.
        epsilon: f32,
        /// Whether rows begin with latent semantics.
        from_lsi: bool,
    },
    /// Paper 1 and coupled dictionaries, the share of each in the score chosen on validation queries.
    AverageCdl {
        /// How many atoms the dictionaries have.
        atoms: usize,
        /// How many make up a text at most.
        sparsity: usize,
        /// Alpha and beta.
        weight: f64,
    },
}

impl Name {
    /// What is tried of it where there are so many pairs to train on, the likeliest first; with vectors
    /// of at most so many numbers.
    pub fn methods(self, pairs: usize, most: usize) -> Vec<Method> {
        // A dictionary begins with texts: with as many atoms as these, codes would tell nothing.
        let atoms = most.min(pairs / 2).max(1);
        let dictionaries = || {
            let tried =
                [(256, 32, 0.2), (512, 64, 0.2), (512, 32, 0.2), (512, 64, 1.0), (256, 8, 0.2)];
            // Fewer atoms, and as many fewer to a text, down to some.
            let small = |setting: &(usize, usize, f64), atoms: usize| {
                (atoms, (setting.1 * atoms / setting.0).max(LEAST_SPARSITY.min(atoms)), setting.2)
            };
            within(&tried, atoms, |setting| setting.0, small).into_iter()
        };
        let cdl = |mode| {
            dictionaries()
                .map(|(atoms, sparsity, weight)| Method::Cdl { mode, atoms, sparsity, weight })
                .collect()
        };
        let ridge = || {
            let tried = [(200, 1e-3), (400, 1e-3), (200, 1e-2), (400, 1e-4), (100, 1e-3)];
            within(&tried, most, |setting| setting.0, |setting, rank| (rank, setting.1)).into_iter()
        };
        let sizes = |tried: &[usize]| within(tried, most, |&size| size, |_, size| size).into_iter();
        let topics = || sizes(&[128, 256, 64]);
        let average =
            |from_lsi| [0.5, 1.0].map(|epsilon| Method::Average { epsilon, from_lsi }).to_vec();
        match self {
            Self::Cdl => cdl(Mode::Exact),
            Self::CdlPaper => cdl(Mode::Paper),
            Self::Lsi => sizes(&[200, 400, 100, 800]).map(|rank| Method::Lsi { rank }).collect(),
            Self::Opca => ridge().map(|(rank, ridge)| Method::Opca { rank, ridge }).collect(),
            Self::Cca => ridge().map(|(rank, ridge)| Method::Cca { rank, ridge }).collect(),
            Self::Cplsa => topics().map(|topics| Method::Cplsa { topics }).collect(),
            Self::Jplsa => topics().map(|topics| Method::Jplsa { topics }).collect(),
            Self::Bm25 => vec![Method::Bm25],
            Self::TranslatedBm25 => vec![Method::TranslatedBm25],
            Self::Psq => vec![Method::Psq],
            Self::Average => average(false),
            Self::AverageLsi => average(true),
            Self::AverageCdl => dictionaries()
                .map(|(atoms, sparsity, weight)| Method::AverageCdl { atoms, sparsity, weight })
                .collect(),
        }
    }
}

/// Of some settings those of this size at most; where there are none, the first, made as small.
fn within<T: Copy>(
    tried: &[T],
    most: usize,
    size: impl Fn(&T) -> usize,
    made: impl Fn(&T, usize) -> T,
) -> Vec<T> {
    let small: Vec<T> = tried.iter().copied().filter(|setting| size(setting) <= most).collect();
    match small.is_empty() {
        true => tried.iter().take(1).map(|setting| made(setting, most)).collect(),
        false => small,
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bm25 | Self::TranslatedBm25 | Self::Psq => write!(out, "-"),
            Self::Lsi { rank } => write!(out, "{rank} directions"),
            Self::Opca { rank, ridge } | Self::Cca { rank, ridge } => {
                write!(out, "{rank} directions, ridge {ridge}")
            }
            Self::Cdl { atoms, sparsity, weight, .. }
            | Self::AverageCdl { atoms, sparsity, weight } => {
                write!(out, "{atoms} atoms, {sparsity} a text, alpha = beta = {weight}")
            }
            Self::Cplsa { topics } | Self::Jplsa { topics } => write!(out, "{topics} topics"),
            Self::Average { epsilon, .. } => write!(out, "64 dimensions, epsilon {epsilon}"),
        }
    }
}
