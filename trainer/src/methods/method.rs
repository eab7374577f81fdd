//! The methods that are compared, and the settings that are tried of each.

use std::fmt;

use clap::ValueEnum;

use super::cdl::Mode;

/// A text is made of so many atoms at least, where there are as many.
const LEAST_SPARSITY: usize = 8;

/// A method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Coupled dictionary learning (paper 2), block descent on its objective; the dictionaries begin with texts
    /// of each language that need no translation
    Cdl,
    /// The same, but the dictionaries begin with the texts of the pairs alone
    CdlPairs,
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

/// The texts that dictionaries begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// All that are known of a language, with or without a translation.
    Texts,
    /// Those of the pairs.
    Pairs,
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
        /// What the errors of the mappings from English and to English weigh: alpha and beta.
        weights: [f64; 2],
        /// What the dictionaries begin with.
        start: Start,
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
        weights: [f64; 2],
    },
}

impl Name {
    /// Whether it learns from pairs.
    pub fn learns(self) -> bool {
        !matches!(self, Self::Bm25 | Self::TranslatedBm25)
    }

    /// Whether its answers for all pairs depend on the seed, by more than how a decomposition is begun.
    pub fn depends_on_seed(self) -> bool {
        !matches!(
            self,
            Self::Bm25 | Self::TranslatedBm25 | Self::Psq | Self::Lsi | Self::Opca | Self::Cca
        )
    }

    /// What is tried of it, the likeliest first, where there are so many pairs to train on; with vectors of at most
    /// so many numbers.
    pub fn methods(self, pairs: usize, most: usize) -> Vec<Method> {
        // With as many atoms as pairs, codes would tell nothing; but a text needs many.
        let few = (pairs / 2).max(1);
        let dictionaries = || {
            let even = [0.2, 0.2];
            let tried = [
                (256, 32, even),
                (256, 32, [0.5, 0.1]),
                (256, 32, [0.1, 0.5]),
                (128, 32, even),
                (512, 64, even),
                (256, 8, even),
            ];
            // Fewer atoms, and as many fewer to a text, down to some.
            let small = |setting: &(usize, usize, [f64; 2]), atoms: usize| {
                (atoms, (setting.1 * atoms / setting.0).max(LEAST_SPARSITY.min(atoms)), setting.2)
            };
            let small = within(&tried, most, |setting| setting.0, small);
            let fewer = |setting: &(usize, usize, [f64; 2]), atoms: usize| {
                (atoms, setting.1.min(atoms), setting.2)
            };
            within(&small, few, |setting| setting.0, fewer).into_iter()
        };
        let cdl = |mode, start| {
            dictionaries()
                .map(|(atoms, sparsity, weights)| Method::Cdl {
                    mode,
                    atoms,
                    sparsity,
                    weights,
                    start,
                })
                .collect()
        };
        let ridge = || {
            let tried =
                [(200, 1e-3), (400, 1e-3), (200, 1e-2), (400, 1e-4), (100, 1e-3), (400, 1e-2)];
            within(&tried, most, |setting| setting.0, |setting, rank| (rank, setting.1)).into_iter()
        };
        let sizes = |tried: &[usize]| within(tried, most, |&size| size, |_, size| size).into_iter();
        let topics = || sizes(&[128, 256, 64, 32, 192, 96]);
        let average = |from_lsi| {
            let tried = [0.5, 0.25, 1.0, 0.1, 0.75, 0.05];
            tried.map(|epsilon| Method::Average { epsilon, from_lsi }).to_vec()
        };
        match self {
            Self::Cdl => cdl(Mode::Exact, Start::Texts),
            Self::CdlPairs => cdl(Mode::Exact, Start::Pairs),
            Self::CdlPaper => cdl(Mode::Paper, Start::Texts),
            Self::Lsi => {
                sizes(&[200, 400, 100, 800, 50, 300]).map(|rank| Method::Lsi { rank }).collect()
            }
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
                .map(|(atoms, sparsity, weights)| Method::AverageCdl { atoms, sparsity, weights })
                .collect(),
        }
    }
}

/// Some settings, those above this size made as small, each once.
fn within<T: Copy + PartialEq>(
    tried: &[T],
    most: usize,
    size: impl Fn(&T) -> usize,
    made: impl Fn(&T, usize) -> T,
) -> Vec<T> {
    let mut settings = Vec::new();
    for setting in tried {
        let small = if size(setting) > most { made(setting, most) } else { *setting };
        if !settings.contains(&small) {
            settings.push(small);
        }
    }
    settings
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bm25 | Self::TranslatedBm25 | Self::Psq => write!(out, "-"),
            Self::Lsi { rank } => write!(out, "{rank} directions"),
            Self::Opca { rank, ridge } | Self::Cca { rank, ridge } => {
                write!(out, "{rank} directions, ridge {ridge}")
            }
            Self::Cdl { atoms, sparsity, weights: [alpha, beta], .. }
            | Self::AverageCdl { atoms, sparsity, weights: [alpha, beta] } => {
                write!(out, "{atoms} atoms, {sparsity} a text, alpha {alpha}, beta {beta}")
            }
            Self::Cplsa { topics } | Self::Jplsa { topics } => write!(out, "{topics} topics"),
            Self::Average { epsilon, .. } => write!(out, "64 dimensions, epsilon {epsilon}"),
        }
    }
}

impl Method {
    /// Whether the epsilon of its scores is chosen once it has learned: training does not know it.
    pub fn chooses_epsilon(self) -> bool {
        matches!(self, Self::Cdl { .. } | Self::Lsi { .. } | Self::Opca { .. } | Self::Cca { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_with_settings_has_as_many_and_small_ones_where_texts_are_few() {
        for name in Name::value_variants() {
            let methods = name.methods(1000, usize::MAX);
            let fixed = matches!(name, Name::Bm25 | Name::TranslatedBm25 | Name::Psq);
            assert_eq!(methods.len(), if fixed { 1 } else { 6 }, "{name:?}");
        }
        let of = |method| match method {
            Method::Cdl { atoms, sparsity, weights, .. } => (atoms, sparsity, weights),
            _ => (0, 0, [0.0; 2]),
        };
        let [even, first, second] = [[0.2, 0.2], [0.5, 0.1], [0.1, 0.5]];
        for name in [Name::Cdl, Name::CdlPairs, Name::CdlPaper] {
            let tried =
                |pairs, most| name.methods(pairs, most).into_iter().map(of).collect::<Vec<_>>();
            // 80 pairs: 40 atoms at most.
            let few =
                [(40, 32, even), (40, 32, first), (40, 32, second), (40, 40, even), (40, 8, even)];
            assert_eq!(tried(80, usize::MAX), few);
            // Vectors of 128 numbers: half the atoms, and half as many to a text.
            assert_eq!(tried(1000, 128)[..2], [(128, 16, even), (128, 16, first)]);
        }
        assert_eq!(Name::Lsi.methods(60, 10).len(), 1);
    }

    #[test]
    fn methods_that_learn_without_scores_choose_their_epsilon_afterwards() {
        for name in Name::value_variants() {
            let expected =
                [Name::Cdl, Name::CdlPairs, Name::CdlPaper, Name::Lsi, Name::Opca, Name::Cca];
            let chooses = name.methods(1000, usize::MAX)[0].chooses_epsilon();
            assert_eq!(chooses, expected.contains(name), "{name:?}");
        }
    }
}
