//! Coupled probabilistic latent semantic analysis: each document of a pair has its own theta, and
//! posterior regularisation (Ganchev et al., 2010) holds the two together.
//!
//! The E-step projects a pair's posteriors onto those whose expected topic fractions agree within
//! the tolerance; the M-step is that of probabilistic latent semantic analysis. Both raise
//!
//! ```text
//! F(q; theta, P) = ln P(words) - sum over words of KL(q || posterior)
//! ```
//!
//! over all q that agree, and so its greatest value over them, which is reported. The likelihood
//! alone may fall.

use super::em::{Expected, Pair, Rows};
use super::projection::Projection;
use super::table::{Table, normalise};

/// The E-step of a pair, and its M-step: each theta is its document's expected topic fractions. A
/// document without a mate is on its own.
pub fn expect(rows: Rows<'_>, pair: &Pair, sides: &[Table; 2], tolerance: f64) -> Expected {
    let lengths = rows.map(|row| row.iter().map(|entry| entry.1).sum());
    if lengths.contains(&0.0) {
        return alone(rows, pair, sides);
    }
    let [first, second] = &pair.thetas;
    let projection = Projection { rows, thetas: [first, second], sides, lengths, tolerance };
    let multipliers = match pair.multipliers.is_empty() {
        true => vec![0.0; first.len()],
        false => pair.multipliers.clone(),
    };
    let point = projection.solve(multipliers);
    let mut thetas = point.fractions;
    thetas.iter_mut().for_each(|theta| normalise(theta));
    let next = Pair { thetas, multipliers: point.multipliers };
    Expected { tilted: point.tilted, shares: point.shares, objective: point.value, next }
}

/// The same where at most one document has words.
fn alone(rows: Rows<'_>, pair: &Pair, sides: &[Table; 2]) -> Expected {
    let mut objective = 0.0;
    let mut shares = [Vec::new(), Vec::new()];
    let mut next = pair.clone();
    for side in 0..2 {
        let theta = &pair.thetas[side];
        let mut counts = vec![0.0; theta.len()];
        objective += sides[side].expect(rows[side], theta, &mut shares[side], &mut counts);
        if !rows[side].is_empty() {
            next.thetas[side] = counts.iter().zip(theta).map(|(x, theta)| x * theta).collect();
            normalise(&mut next.thetas[side]);
        }
    }
    Expected { tilted: pair.thetas.clone(), shares, objective, next }
}
