//! Tables in training -> the encoders of a model.

use std::sync::Arc;

use smooth_clir::encoder::{Encoder, Network, Precision, Rows, Table};
use smooth_clir::math::kernels;
use smooth_clir::text::subwords::Spellings;
use smooth_clir::text::vocabulary::Vocabulary;

use super::pairs::{Pairs, Words, encoder_words, weights};
use super::plan::Plan;
use crate::error::Error;

/// Tables as trained -> encoders: a word's row and the mean of its n-grams' become one row, so that
/// only words without one need n-grams.
pub fn encoders(
    plan: &Plan,
    pairs: &Pairs,
    spellings: &[Spellings],
    tables: &[Table],
) -> Vec<Encoder> {
    let (Some(subwords), dimension) = (tables.last(), plan.dimension) else { return Vec::new() };
    let shared = (plan.subwords > 0).then(|| Arc::new(Rows::from(subwords.clone())));
    let encoder = |(((_, words), spellings), table): (((_, &Words), &Spellings), &Table)| {
        let mut values = table.values().to_vec();
        let mut sum = vec![0.0; dimension];
        for (row, value) in values.chunks_exact_mut(dimension).enumerate() {
            let buckets = spellings.of(row);
            if !buckets.is_empty() {
                kernels::sum_rows(subwords.values(), dimension, buckets, &mut sum);
                let share = 1.0 / buckets.len() as f32;
                value.iter_mut().zip(&sum).for_each(|(x, y)| *x += y * share);
            }
        }
        let network = Network::Average(Table::new(dimension, values).into());
        Encoder {
            weights: plan.smoothing.map(|_| weights(plan, words).into()),
            subwords: shared.clone(),
            ..Encoder::new(words.vocabulary.clone(), network)
        }
    };
    encoder_words(pairs).zip(spellings).zip(tables).map(encoder).collect()
}

/// Leaves the query encoder and each document encoder only so many of its words: those whose rows, were they made of
/// their n-grams, would move the training's texts most. `encoders` are of the same training.
pub fn pruned(
    encoders: Vec<Encoder>,
    pairs: &Pairs,
    [queries, documents]: [usize; 2],
) -> Result<Vec<Encoder>, Error> {
    let most = std::iter::once(queries).chain(std::iter::repeat(documents));
    let prune = |((encoder, (_, words)), most): ((Encoder, (_, &Words)), usize)| {
        if words.vocabulary.len() <= most {
            return Ok(encoder);
        }
        let mut moved: Vec<(f32, u32)> = (0..words.vocabulary.len() as u32)
            .map(|row| (-loss_without(&encoder, row) * words.counts[row as usize] as f32, row))
            .collect();
        moved.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept: Vec<u32> = moved[..most].iter().map(|&(_, row)| row).collect();
        kept.sort_unstable();
        let token = |&row: &u32| words.vocabulary.token(row as usize);
        let vocabulary = Vocabulary::from_tokens(kept.iter().map(token))?;
        let rows = encoder.network.words();
        let values = kept.iter().flat_map(|&row| rows.row(row as usize)).collect();
        let weight = |weights: &Arc<[f32]>| kept.iter().map(|&row| weights[row as usize]).collect();
        Ok(Encoder {
            vocabulary,
            network: Network::Average(Table::new(rows.dimension(), values).into()),
            weights: encoder.weights.as_ref().map(weight),
            subwords: encoder.subwords,
            affixes: None,
        })
    };
    encoders.into_iter().zip(encoder_words(pairs)).zip(most).map(prune).collect()
}

/// How far a text with one such word moves if the word is made of its n-grams.
fn loss_without(encoder: &Encoder, row: u32) -> f32 {
    let token = encoder.vocabulary.token(row as usize);
    let weight = encoder.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
    let own = encoder.network.words().row(row as usize);
    let spelled = encoder.spell(token).unwrap_or_else(|| vec![0.0; own.len()]);
    let difference: Vec<f32> = own.iter().zip(spelled).map(|(a, b)| weight * a - b).collect();
    kernels::norm(&difference)
}

/// The encoders in another precision.
pub fn rounded(encoders: &mut [Encoder], precision: Precision) {
    let subwords = encoders.first().and_then(|encoder| encoder.subwords.clone());
    let subwords = subwords.map(|rows| Arc::new(Rows::new(rows.widened(), precision)));
    for encoder in encoders {
        let words = encoder.network.words_mut();
        *words = Rows::new(words.widened(), precision);
        encoder.subwords.clone_from(&subwords);
    }
}
