//! The KL projection of a pair's posteriors onto those whose topic fractions agree.
//!
//! Document s = 1, 2 of a pair has words w, c(s,w) times each, L(s) in all, and posteriors
//! p(z|s,w) in proportion to theta(s,z) P(w|z). Sought are the posteriors q that minimise
//!
//! ```text
//! sum over s, w of c(s,w) KL(q(.|s,w) || p(.|s,w))    where |f(1,z) - f(2,z)| <= tolerance for all z,
//! f(s,z) = sum over w of c(s,w) q(z|s,w) / L(s).
//! ```
//!
//! With a multiplier m(z) for the two constraints of each topic (of which at most one binds, so its
//! sign tells which) the Lagrangian's minimum over q is at
//!
//! ```text
//! q(z|s,w) = p(z|s,w) e(s,z) / Z(s,w),   e(1,z) = exp(-m(z)/L(1)),   e(2,z) = exp(m(z)/L(2)),
//! ```
//!
//! which is the posterior under a tilted theta, theta(s,z) e(s,z). The dual is to maximise
//! `- sum c(s,w) ln Z(s,w) - tolerance |m|_1`, which is concave. The log-likelihood less the least KL
//! is therefore the least of
//!
//! ```text
//! U(m) = sum over s, w of c(s,w) ln(sum over z of theta(s,z) e(s,z) P(w|z)) + tolerance |m|_1.
//! ```
//!
//! U's smooth part has the gradient f(2,z) - f(1,z) and the Hessian
//! `sum over s, w of c(s,w)/L(s)^2 (diag(q) - q q')`, whose largest eigenvalue is at most
//! (1/L(1) + 1/L(2))/2. It is minimised by Newton's method over the topics whose multiplier is not
//! or will not be 0, none of which changes its sign in one step (the orthants of Andrew and Gao,
//! 2007), damped as Levenberg and Marquardt do it, so that U falls: where posteriors are almost 0 or
//! 1, U is almost flat or straight and the Hessian almost nothing.

use ndarray::Array2;

use super::em::Rows;
use super::table::Table;

/// The fractions agree up to this much more than the tolerance.
pub const PRECISION: f64 = 1e-9;
/// At most so many steps.
const MOST_STEPS: usize = 200;
/// U is rounded to about so much of itself.
const ROUNDING: f64 = 1e-12;
/// What is first added to the Hessian's diagonal, as a share of the most that an eigenvalue can be.
const FIRST_DAMPING: f64 = 1e-4;
/// Adding one number to all multipliers changes nothing, so that there must be some.
const LEAST_DAMPING: f64 = 1e-10;
/// By how much a step that lowers U divides the damping and one that does not multiplies it.
const DAMPING_FACTOR: f64 = 8.0;

/// What is projected.
pub struct Projection<'a> {
    /// The words of both documents and their counts; neither is empty.
    pub rows: Rows<'a>,
    /// Each document's theta, above 0.
    pub thetas: [&'a [f64]; 2],
    /// P(w|z) of each language.
    pub sides: &'a [Table; 2],
    /// How many words each document has.
    pub lengths: [f64; 2],
    /// By how much fractions may differ, from 0.
    pub tolerance: f64,
}

/// Some multipliers and what follows from them.
pub struct Point {
    /// m(z).
    pub multipliers: Vec<f64>,
    /// theta(s,z) e(s,z), up to a factor for each document.
    pub tilted: [Vec<f64>; 2],
    /// See [`Table::expect`].
    pub shares: [Vec<f64>; 2],
    /// f(s,z).
    pub fractions: [Vec<f64>; 2],
    /// U(m).
    pub value: f64,
}

impl Projection<'_> {
    /// The projection, found from some multipliers.
    pub fn solve(&self, multipliers: Vec<f64>) -> Point {
        let mut point = self.at(multipliers);
        let most = 0.5 / self.lengths[0] + 0.5 / self.lengths[1];
        let mut damping = FIRST_DAMPING;
        let mut steps = 0;
        while steps < MOST_STEPS {
            let slopes: Vec<f64> = (0..point.multipliers.len())
                .map(|z| slope(point.multipliers[z], point.gap(z), self.tolerance))
                .collect();
            if slopes.iter().all(|slope| slope.abs() <= PRECISION) {
                break;
            }
            let free: Vec<usize> = (0..slopes.len())
                .filter(|&z| point.multipliers[z] != 0.0 || slopes[z] != 0.0)
                .collect();
            let hessian = self.hessian(&point, &free);
            while steps < MOST_STEPS {
                steps += 1;
                let next = self.at(stepped(&point, &slopes, &free, &hessian, damping * most));
                if next.value <= point.value + ROUNDING * point.value.abs() {
                    point = next;
                    damping = (damping / DAMPING_FACTOR).max(LEAST_DAMPING);
                    break;
                }
                damping *= DAMPING_FACTOR;
            }
        }
        point
    }

    /// What follows from some multipliers.
    fn at(&self, multipliers: Vec<f64>) -> Point {
        let penalty: f64 = multipliers.iter().map(|x| x.abs()).sum();
        let mut value = self.tolerance * penalty;
        let mut shares = [Vec::new(), Vec::new()];
        let mut tilted = [Vec::new(), Vec::new()];
        let mut fractions = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let length = self.lengths[side];
            let signed = if side == 0 { -length } else { length };
            // The largest tilt is 1, so that none overflows.
            let most = multipliers.iter().fold(f64::MIN, |most, m| most.max(m / signed));
            let tilt = |(theta, m): (&f64, &f64)| theta * libm::exp(m / signed - most);
            tilted[side] = self.thetas[side].iter().zip(&multipliers).map(tilt).collect();
            fractions[side] = vec![0.0; multipliers.len()];
            let (shares, fractions) = (&mut shares[side], &mut fractions[side]);
            value += self.sides[side].expect(self.rows[side], &tilted[side], shares, fractions);
            value += length * most;
            fractions.iter_mut().zip(&tilted[side]).for_each(|(x, tilted)| *x *= tilted / length);
        }
        Point { multipliers, tilted, shares, fractions, value }
    }

    /// The Hessian's lower triangle over some topics.
    fn hessian(&self, point: &Point, free: &[usize]) -> Array2<f64> {
        let count = free.len();
        let mut hessian = Array2::zeros((count, count));
        let mut q = vec![0.0; count];
        for side in 0..2 {
            let weight = 1.0 / (self.lengths[side] * self.lengths[side]);
            for (&(word, times), share) in self.rows[side].iter().zip(&point.shares[side]) {
                let given = self.sides[side].row(word);
                for (q, &z) in q.iter_mut().zip(free) {
                    *q = share / times * point.tilted[side][z] * given[z];
                }
                for (i, mut row) in hessian.rows_mut().into_iter().enumerate() {
                    let factor = weight * times * q[i];
                    row.iter_mut().zip(&q[..=i]).for_each(|(x, q)| *x -= factor * q);
                    row[i] += factor;
                }
            }
        }
        hessian
    }
}

impl Point {
    /// f(1,z) - f(2,z).
    fn gap(&self, z: usize) -> f64 {
        self.fractions[0][z] - self.fractions[1][z]
    }
}

/// The multipliers after a step of Newton's method over the free topics. One that would change its
/// sign is 0.
fn stepped(
    point: &Point,
    slopes: &[f64],
    free: &[usize],
    hessian: &Array2<f64>,
    damping: f64,
) -> Vec<f64> {
    let mut step: Vec<f64> = free.iter().map(|&z| slopes[z]).collect();
    let mut damped = hessian.clone();
    damped.diag_mut().iter_mut().for_each(|x| *x += damping);
    solve(&mut damped, &mut step);
    let mut multipliers = point.multipliers.clone();
    for (&z, step) in free.iter().zip(&step) {
        let before = multipliers[z];
        let sign = if before == 0.0 { slopes[z] } else { before };
        let after = before + step;
        multipliers[z] = if after * sign > 0.0 { after } else { 0.0 };
    }
    multipliers
}

/// How fast U falls as a multiplier moves to where it falls; 0 at its least.
fn slope(multiplier: f64, gap: f64, tolerance: f64) -> f64 {
    if multiplier == 0.0 { shrunk(gap, tolerance) } else { gap - tolerance * multiplier.signum() }
}

/// A number moved towards 0.
fn shrunk(x: f64, by: f64) -> f64 {
    if x.abs() <= by { 0.0 } else { x - by * x.signum() }
}

/// Solves a x = b in place by Cholesky's method; `a` is the lower triangle of a positive matrix.
fn solve(a: &mut Array2<f64>, b: &mut [f64]) {
    let count = b.len();
    for i in 0..count {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| a[(i, k)] * a[(j, k)]).sum();
            let rest = a[(i, j)] - known;
            a[(i, j)] = if j < i { rest / a[(j, j)] } else { rest.max(f64::MIN_POSITIVE).sqrt() };
        }
        let known: f64 = (0..i).map(|k| a[(i, k)] * b[k]).sum();
        b[i] = (b[i] - known) / a[(i, i)];
    }
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|k| a[(k, i)] * b[k]).sum();
        b[i] = (b[i] - known) / a[(i, i)];
    }
}
