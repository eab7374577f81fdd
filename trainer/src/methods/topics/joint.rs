//! Joint probabilistic latent semantic analysis: the two documents of a pair have one theta.

use super::em::{Expected, Pair, Rows};
use super::table::{Table, normalise};

/// The E-step of a pair, its posteriors P(z|w,d) in proportion to theta(z) P(w|z), and its theta's
/// M-step: the expected share of each topic in both documents together.
pub fn expect(rows: Rows<'_>, pair: &Pair, sides: &[Table; 2]) -> Expected {
    let theta = &pair.thetas[0];
    let mut next = vec![0.0; theta.len()];
    let mut shares = [Vec::new(), Vec::new()];
    let mut objective = 0.0;
    for side in 0..2 {
        objective += sides[side].expect(rows[side], theta, &mut shares[side], &mut next);
    }
    next.iter_mut().zip(theta).for_each(|(x, theta)| *x *= theta);
    normalise(&mut next);
    let next = Pair { thetas: [next.clone(), next], multipliers: Vec::new() };
    Expected { tilted: pair.thetas.clone(), shares, objective, next }
}
