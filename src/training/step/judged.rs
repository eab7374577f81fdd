//! A step along slopes that the caller computes from all scores of a batch, so that a loss may
//! depend on several of them.

use std::sync::{Mutex, PoisonError};

use super::outcome::PairOutcome;
use super::{Pair, PairTrainer, Report, Rule, flow};
use crate::math::kernels;
use crate::math::similarity::{Gradient, gradient_from_parts};

/// The score of a pair, and the norms of its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// `q.d / ((|q| + e)(|d| + f))`; 0 if the denominator is 0.
    pub score: f32,
    /// `|q|`.
    pub query_norm: f32,
    /// `|d|`.
    pub document_norm: f32,
}

/// What a loss makes of a pair's score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Judged {
    /// The pair's part of the batch's loss.
    pub loss: f32,
    /// The derivative of the batch's loss with respect to the score.
    pub slope: f32,
}

impl PairTrainer {
    /// Takes one step of Adam along the slopes that `judge` gives the scores of a batch, in the
    /// batch's order. `epsilons` are those of the query and of the document, in place of the
    /// settings' own; the report's loss is the sum of the pairs' parts.
    ///
    /// # Panics
    /// As [`step`](Self::step), and if `judge` does not return one value for each pair.
    pub fn step_by(
        &mut self,
        batch: &[Pair<'_>],
        epsilons: [f32; 2],
        judge: impl FnOnce(&[Measured]) -> Vec<Judged>,
    ) -> Report {
        let report = self.backward_by(batch, epsilons, judge);
        self.descend_adam(report)
    }

    /// The same with plain gradient descent, clipped as the settings say.
    ///
    /// # Panics
    /// As [`step_by`](Self::step_by).
    pub fn descend_by(
        &mut self,
        batch: &[Pair<'_>],
        epsilons: [f32; 2],
        judge: impl FnOnce(&[Measured]) -> Vec<Judged>,
        step_size: f32,
    ) -> Report {
        let mut report = self.backward_by(batch, epsilons, judge);
        let factor = self.clip(&mut report);
        self.update(Rule::Descent { step_size: step_size * factor });
        report
    }

    fn backward_by(
        &mut self,
        batch: &[Pair<'_>],
        epsilons: [f32; 2],
        judge: impl FnOnce(&[Measured]) -> Vec<Judged>,
    ) -> Report {
        self.backward.resize(batch.len(), &self.tables[0]);
        self.encode(batch);
        let judged = judge(&self.measured(batch, epsilons));
        assert_eq!(judged.len(), batch.len(), "a value for each pair");
        flow(
            &self.team,
            &self.tables,
            &mut self.backward,
            batch,
            |number, _, vectors, totals, flows| {
                flow_back(judged[number], epsilons, vectors, totals, flows)
            },
        );
        let mut report = self.touch(batch);
        report.loss *= batch.len() as f64;
        report
    }

    fn measured(&mut self, batch: &[Pair<'_>], epsilons: [f32; 2]) -> Vec<Measured> {
        let all = Mutex::new(vec![Measured::default(); batch.len()]);
        flow(
            &self.team,
            &self.tables,
            &mut self.backward,
            batch,
            |number, _, [query, document], _, _| {
                let norms = [query, document].map(kernels::norm);
                let score = score(kernels::dot(query, document), norms, epsilons);
                let measured = Measured { score, query_norm: norms[0], document_norm: norms[1] };
                all.lock().unwrap_or_else(PoisonError::into_inner)[number] = measured;
                PairOutcome::default()
            },
        );
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Smooth cosine similarity with an epsilon for each norm.
fn score(dot: f32, norms: [f32; 2], epsilons: [f32; 2]) -> f32 {
    let denominator = (norms[0] + epsilons[0]) * (norms[1] + epsilons[1]);
    if denominator > 0.0 { dot / denominator } else { 0.0 }
}

/// Writes the gradient for each word of weight 1 of a pair's two texts.
fn flow_back(
    judged: Judged,
    epsilons: [f32; 2],
    vectors: [&[f32]; 2],
    totals: [f32; 2],
    flows: [&mut [f32]; 2],
) -> PairOutcome {
    let Judged { loss, slope } = judged;
    let mut outcome = PairOutcome { loss, active: slope != 0.0, ..PairOutcome::default() };
    if slope == 0.0 {
        return outcome;
    }
    let norms = vectors.map(kernels::norm);
    let dot = kernels::dot(vectors[0], vectors[1]);
    for (at, out) in flows.into_iter().enumerate() {
        let (vector, other) = (vectors[at], vectors[1 - at]);
        // The other norm moves by the difference of the epsilons, which are then one.
        let other_norm = norms[1 - at] + (epsilons[1 - at] - epsilons[at]);
        let exists =
            gradient_from_parts(vector, other, dot, norms[at], other_norm, epsilons[at], out);
        outcome.undefined |= exists == Gradient::Undefined;
        outcome.gradient = outcome.gradient.max(kernels::norm(out));
        // Back through tanh, whose slope is 1 - v^2, and the mean.
        let factor = slope / totals[at];
        for (out, v) in out.iter_mut().zip(vector) {
            *out *= factor * (1.0 - v * v);
        }
    }
    outcome
}
