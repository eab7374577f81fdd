//! Orthogonal matching pursuit: which few atoms of a dictionary make up a vector.

use ndarray::ArrayView2;

use crate::math::arrays::row;

/// Correlations below this share of a vector's largest are rounding errors.
const LEAST_SHARE: f64 = 1e-9;
/// The least part of an atom's square that must lie outside the span of the atoms chosen.
const LEAST_OWN: f64 = 1e-10;

/// Batch orthogonal matching pursuit (Rubinstein, Zibulevsky and Elad, 2008), and the memory it works
/// in: each round takes the atom that correlates best with what is left, then fits all those taken by
/// least squares. It sees a dictionary D of K atoms and a vector y by `D'D` and `D'y` only.
#[derive(Debug, Clone, Default)]
pub struct Pursuit {
    /// The atoms taken, in order, and how much of each.
    code: Vec<(u32, f64)>,
    /// The Cholesky factor of the chosen atoms' Gram matrix, row after row: the nth has n + 1 numbers.
    factor: Vec<f64>,
    left: Vec<f64>,
    solution: Vec<f64>,
}

impl Pursuit {
    /// Takes at most `most` atoms of unit length. `gram` is `D'D`, [K, K], in 32 or 64 bits;
    /// `correlations` is `D'y`, of length K. Of equal atoms the first is taken. Stops early where
    /// nothing is left.
    pub fn pursue<G: Copy + Into<f64>>(
        &mut self,
        gram: ArrayView2<'_, G>,
        correlations: &[f64],
        most: usize,
    ) -> &[(u32, f64)] {
        let atoms = correlations.len();
        self.code.clear();
        self.factor.clear();
        self.left.clear();
        self.left.extend_from_slice(correlations);
        let largest = correlations.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        while self.code.len() < most.min(atoms) {
            let Some(atom) = self.best(largest * LEAST_SHARE) else { break };
            if !self.extend_factor(&gram, atom) {
                break;
            }
            self.code.push((atom as u32, 0.0));
            self.fit(correlations);
            self.left.copy_from_slice(correlations);
            for &(atom, amount) in &self.code {
                let row = row(&gram, atom as usize);
                self.left.iter_mut().zip(row).for_each(|(left, &x)| *left -= amount * x.into());
            }
        }
        &self.code
    }

    /// The atom that correlates best, of those not taken, unless it does so by no more than `least`.
    fn best(&self, least: f64) -> Option<usize> {
        let mut best = None;
        let mut most = least;
        for (atom, x) in self.left.iter().enumerate() {
            if x.abs() > most && self.code.iter().all(|&(taken, _)| taken as usize != atom) {
                most = x.abs();
                best = Some(atom);
            }
        }
        best
    }

    /// Adds an atom's row to the factor; `false` if it is made up of those taken.
    fn extend_factor<G: Copy + Into<f64>>(
        &mut self,
        gram: &ArrayView2<'_, G>,
        atom: usize,
    ) -> bool {
        let row = row(gram, atom);
        let square: f64 = row[atom].into();
        let start = self.factor.len();
        let mut own = square;
        for (n, &(taken, _)) in self.code.iter().enumerate() {
            let (before, new) = self.factor.split_at(start);
            let other = &before[n * (n + 1) / 2..][..=n];
            let dot = new.iter().zip(other).fold(0.0, |sum, (a, b)| sum + a * b);
            let x = (row[taken as usize].into() - dot) / other[n];
            own -= x * x;
            self.factor.push(x);
        }
        // Of what is no Gram matrix it may be no number.
        if own.is_nan() || own <= square * LEAST_OWN {
            self.factor.truncate(start);
            return false;
        }
        self.factor.push(own.sqrt());
        true
    }

    /// The amounts of the atoms taken: least squares, by the factor and then its transpose.
    fn fit(&mut self, correlations: &[f64]) {
        let Self { code, factor, solution, .. } = self;
        solution.clear();
        for (n, &(atom, _)) in code.iter().enumerate() {
            let row = &factor[n * (n + 1) / 2..][..=n];
            let dot = solution.iter().zip(row).fold(0.0, |sum, (a, b)| sum + a * b);
            solution.push((correlations[atom as usize] - dot) / row[n]);
        }
        for n in (0..code.len()).rev() {
            let mut sum = solution[n];
            for below in n + 1..code.len() {
                sum -= factor[below * (below + 1) / 2 + n] * solution[below];
            }
            solution[n] = sum / factor[n * (n + 1) / 2 + n];
            code[n].1 = solution[n];
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, aview2};

    use super::*;
    use crate::math::arrays::of_rows;

    /// `D'D` and `D'y` of atoms given as rows.
    fn seen(atoms: &[[f64; 3]], y: [f64; 3]) -> (Array2<f64>, Vec<f64>) {
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gram = Array2::from_shape_fn([atoms.len(); 2], |(a, b)| dot(&atoms[a], &atoms[b]));
        (gram, atoms.iter().map(|a| dot(a, &y)).collect())
    }

    #[test]
    fn atoms_are_taken_by_what_is_left_and_fitted_together() {
        // 0.6 and 0.8 have unit length with them. By hand: of y = (1, 2, 0) the second atom (0.6, 0.8, 0)
        // correlates best (2.2), and leaves (-0.32, 0.24, 0), with which the third correlates by 0.24,
        // the first by -0.32; the first two make up all of y: 2.5 of the second less 0.5 of the first.
        let atoms = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 1.0, 0.0]];
        let (gram, correlations) = seen(&atoms, [1.0, 2.0, 0.0]);
        let mut pursuit = Pursuit::default();
        let one = pursuit.pursue(gram.view(), &correlations, 1).to_vec();
        assert_eq!(one.len(), 1);
        assert!(one[0].0 == 1 && (one[0].1 - 2.2).abs() < 1e-12, "{one:?}");
        let two = pursuit.pursue(gram.view(), &correlations, 2);
        let expected = [(1, 2.5), (0, -0.5)];
        for (found, expected) in two.iter().zip(expected) {
            assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-12, "{two:?}");
        }
        assert_eq!(two.len(), 2);
        // Nothing is left for a third.
        assert_eq!(pursuit.pursue(gram.view(), &correlations, 3).len(), 2);
    }

    #[test]
    fn what_no_atom_correlates_with_has_an_empty_code() {
        let (gram, correlations) = seen(&[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [0.0, 1.0, 1.0]);
        assert!(Pursuit::default().pursue(gram.view(), &correlations, 2).is_empty());
        // Of equal atoms the first, and not both.
        let (gram, correlations) = seen(&[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [3.0, 1.0, 1.0]);
        assert_eq!(Pursuit::default().pursue(gram.view(), &correlations, 2), [(0, 3.0)]);
        assert!(Pursuit::default().pursue::<f64>(aview2::<_, 0>(&[]), &[], 2).is_empty());
    }

    #[test]
    fn what_is_no_gram_matrix_gives_numbers_all_the_same() {
        // Equal atoms that correlate differently, and a matrix of no numbers.
        for (gram, correlations) in [
            ([[1.0, 1.0], [1.0, 1.0]], [1.0, 0.5]),
            ([[1.0, f64::NAN], [f64::NAN, 1.0]], [1.0, 0.5]),
        ] {
            assert_eq!(Pursuit::default().pursue(aview2(&gram), &correlations, 2), [(0, 1.0)]);
        }
    }

    #[test]
    fn codes_are_those_of_scikit_learn() {
        let mut lines = include_str!("../../tests/reference/pursuit.tsv")
            .lines()
            .map(|line| line.split('\t').map(|x| x.parse().unwrap()).collect::<Vec<f64>>());
        let size = lines.next().unwrap();
        let (words, atoms) = (size[0] as usize, size[1] as usize);
        let dictionary: Vec<Vec<f64>> = lines.by_ref().take(atoms).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let products = |y: &[f64]| dictionary.iter().map(|a| dot(a, y)).collect::<Vec<f64>>();
        let gram = of_rows(atoms, dictionary.iter().flat_map(|atom| products(atom)).collect());
        let mut pursuit = Pursuit::default();
        let mut codes = 0;
        for line in lines {
            let (y, expected) = line[1..].split_at(words);
            let mut found = vec![0.0; atoms];
            for &(atom, x) in pursuit.pursue(gram.view(), &products(y), line[0] as usize) {
                found[atom as usize] = x;
            }
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-10, "{found} {expected}");
            }
            codes += 1;
        }
        assert_eq!(codes, 15);
    }
}
