//! One pass over a dictionary's atoms, each changed in turn.
//!
//! Let Y be the texts, X their codes, and E the texts without what all atoms but k make of them.
//! An atom becomes a multiple of u = Ev = Yv - Dz, where z = Xv without its kth number. Words are
//! many and texts and atoms few, so D's rows are changed for [`BLOCK`] atoms at a time: until then
//! a changed atom is y - Dz of the D that the block began with, whose products with the texts and
//! with its own atoms say all that u's products are made of.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use smooth_clir::math::arrays::{row, values_mut};

use super::codes::Code;
use super::dictionary::{Dictionary, square};
use crate::methods::bags::Bags;
use crate::methods::sums::{add_scaled, dot, dot_four};

/// So many atoms are changed before the dictionary's rows are; in tests few, so that they go through
/// several blocks.
const BLOCK: usize = if cfg!(test) { 5 } else { 32 };
/// A task gets so many texts or words at least.
const LEAST: usize = 64;
/// So many words are added up together.
const CHUNK: usize = 4096;
/// An atom is left as it is where less than this share of its texts is its own: rounding errors.
const LEAST_SHARE: f64 = 1e-12;

/// A pass under way.
pub struct Sweep<'a> {
    data: &'a Bags,
    /// The dictionary that the block began with.
    start: Dictionary,
    /// The texts' inner products with its atoms: [texts, atoms].
    correlations: Array2<f64>,
    /// The inner products of the atoms as they are now.
    gram: Array2<f64>,
    /// The block's atoms that have been changed.
    changed: Vec<(usize, Combination)>,
}

/// y - Dz, D being the dictionary that the block began with.
#[derive(Debug, Clone)]
struct Combination {
    /// A number for each word.
    y: Vec<f64>,
    /// A number for each atom.
    z: Vec<f64>,
    /// D'y.
    correlations: Vec<f64>,
}

/// u = Ev, and what it has to do with atoms and texts.
pub struct Residual {
    u: Combination,
    /// u's inner products with the atoms as they are now.
    products: Vec<f64>,
    /// |u|^2.
    pub square: f64,
    /// |Yv|^2.
    whole: f64,
    /// E'u, a number for each of the atom's texts.
    pub back: Vec<f64>,
}

impl Residual {
    /// Whether it is only rounding errors.
    pub fn is_nothing(&self) -> bool {
        self.square.is_nan() || self.square <= LEAST_SHARE * self.whole
    }
}

impl<'a> Sweep<'a> {
    /// Begins a pass over the dictionary of these texts.
    pub fn new(data: &'a Bags, dictionary: Dictionary) -> Self {
        let atoms = dictionary.atoms();
        let mut correlations = Array2::zeros((data.len(), atoms));
        let rows = correlations.axis_iter_mut(Axis(0)).into_par_iter();
        rows.enumerate().with_min_len(LEAST).for_each(|(text, mut sums)| {
            dictionary.add_correlations(1.0, data.row(text), values_mut(&mut sums));
        });
        let gram = dictionary.gram.clone();
        Self { data, start: dictionary, correlations, gram, changed: Vec::new() }
    }

    /// The texts whose codes hold each atom.
    pub fn users(atoms: usize, codes: &[Code]) -> Vec<Vec<usize>> {
        let mut users = vec![Vec::new(); atoms];
        for (text, code) in codes.iter().enumerate() {
            code.iter().for_each(|&(atom, _)| users[atom as usize].push(text));
        }
        users
    }

    /// The inner products of the atoms as they are now.
    pub fn gram(&self) -> &Array2<f64> {
        &self.gram
    }

    /// u = Ev for an atom, its texts and `v`, a number for each text.
    pub fn residual(&self, atom: usize, texts: &[usize], codes: &[Code], v: &[f64]) -> Residual {
        let mut y = vec![0.0; self.data.words];
        let [mut z, mut correlations] =
            [vec![0.0; self.gram.nrows()], vec![0.0; self.gram.nrows()]];
        for (&text, &v) in texts.iter().zip(v) {
            self.data.row(text).iter().for_each(|&(word, x)| y[word as usize] += v * x);
            codes[text].iter().for_each(|&(other, x)| z[other as usize] += v * x);
            add_scaled(&mut correlations, v, row(&self.correlations, text));
        }
        z[atom] = 0.0;
        let mut residual = self.project(Combination { y, z, correlations });
        let Residual { u, products, .. } = &residual;
        let back = texts.par_iter().with_min_len(LEAST).map(|&text| {
            let words = self.data.row(text).iter();
            let own = words.fold(0.0, |sum, &(word, x)| sum + x * u.y[word as usize]);
            let own = own - dot(row(&self.correlations, text), &u.z);
            let others = codes[text].iter().filter(|&&(other, _)| other as usize != atom);
            others.fold(own, |sum, &(other, x)| sum - x * products[other as usize])
        });
        residual.back = back.collect();
        residual
    }

    /// u = y - D'z with D' the atoms as they are now, and what it has to do with them.
    fn project(&self, combination: Combination) -> Residual {
        let Combination { mut y, mut z, mut correlations } = combination;
        // Of a changed atom, what it is made of.
        let amounts: Vec<f64> =
            self.changed.iter().map(|(atom, _)| std::mem::take(&mut z[*atom])).collect();
        for ((_, part), amount) in self.changed.iter().zip(&amounts) {
            add_scaled(&mut z, -amount, &part.z);
            add_scaled(&mut correlations, -amount, &part.correlations);
        }
        // The chunks are always the same, so the sums' order is too.
        let chunks = y.par_chunks_mut(CHUNK).enumerate().map(|(chunk, y)| {
            let at = chunk * CHUNK..chunk * CHUNK + y.len();
            let whole = dot(y, y);
            for ((_, part), &amount) in self.changed.iter().zip(&amounts) {
                if amount != 0.0 {
                    add_scaled(y, -amount, &part.y[at.clone()]);
                }
            }
            let with_changed = self.changed.iter().map(|(_, part)| dot(y, &part.y[at.clone()]));
            [whole, dot(y, y)].into_iter().chain(with_changed).collect::<Vec<f64>>()
        });
        let chunks: Vec<Vec<f64>> = chunks.collect();
        let mut sums = vec![0.0; 2 + self.changed.len()];
        chunks.iter().for_each(|chunk| add_scaled(&mut sums, 1.0, chunk));

        let mut products = correlations.clone();
        let used = z.iter().enumerate().filter(|(_, z)| **z != 0.0);
        used.for_each(|(n, z)| add_scaled(&mut products, -z, row(&self.start.gram, n)));
        let square = sums[1] - dot(&z, &correlations) - dot(&z, &products);
        let with_changed = self.changed.iter().zip(&sums[2..]).map(|((atom, part), with_y)| {
            (*atom, with_y - dot(&z, &part.correlations) - dot(&part.z, &products))
        });
        let with_changed: Vec<(usize, f64)> = with_changed.collect();
        with_changed.into_iter().for_each(|(atom, product)| products[atom] = product);
        let u = Combination { y, z, correlations };
        Residual { u, products, square, whole: sums[0], back: Vec::new() }
    }

    /// An atom becomes `factor` times u.
    pub fn set(&mut self, atom: usize, residual: Residual, factor: f64) {
        let Residual { mut u, products, square, .. } = residual;
        for (other, product) in products.into_iter().enumerate() {
            self.gram[(atom, other)] = factor * product;
            self.gram[(other, atom)] = factor * product;
        }
        self.gram[(atom, atom)] = factor * factor * square;
        let Combination { y, z, correlations } = &mut u;
        [y, z, correlations].into_iter().flatten().for_each(|x| *x *= factor);
        self.changed.push((atom, u));
        if self.changed.len() == BLOCK {
            self.settle();
        }
    }

    /// An atom becomes a text, at unit length.
    pub fn replace(&mut self, atom: usize, text: usize) {
        let mut y = vec![0.0; self.data.words];
        self.data.row(text).iter().for_each(|&(word, x)| y[word as usize] = x);
        let z = vec![0.0; self.gram.nrows()];
        let correlations = row(&self.correlations, text).to_vec();
        let residual = self.project(Combination { y, z, correlations });
        let norm = residual.square.sqrt();
        self.set(atom, residual, 1.0 / norm);
    }

    /// Ends a block: its atoms become what they were changed to.
    fn settle(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        let change = |row: &mut [f64], with_y: &(dyn Fn(&[f64]) -> f64 + Sync)| {
            let mut new = [0.0; BLOCK];
            let (fours, rest) = changed.as_chunks::<4>();
            for (new, four) in new.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
                let made = dot_four(row, four.each_ref().map(|(_, part)| part.z.as_slice()));
                *new = std::array::from_fn(|n| with_y(&four[n].1.y) - made[n]);
            }
            for (new, (_, part)) in new[4 * fours.len()..].iter_mut().zip(rest) {
                *new = with_y(&part.y) - dot(row, &part.z);
            }
            changed.iter().zip(new).for_each(|((atom, _), new)| row[*atom] = new);
        };
        let rows = self.correlations.axis_iter_mut(Axis(0)).into_par_iter();
        rows.enumerate().with_min_len(LEAST).for_each(|(text, mut row)| {
            let words = self.data.row(text);
            change(values_mut(&mut row), &|y| {
                words.iter().fold(0.0, |sum, &(word, x)| sum + x * y[word as usize])
            });
        });
        let rows = self.start.values.axis_iter_mut(Axis(0)).into_par_iter();
        rows.enumerate()
            .with_min_len(LEAST)
            .for_each(|(word, mut row)| change(values_mut(&mut row), &|y| y[word]));
        self.start.gram.clone_from(&self.gram);
    }

    /// The dictionary after the pass.
    pub fn finish(mut self) -> Dictionary {
        self.settle();
        Dictionary::new(self.start.values)
    }
}

/// Texts by how badly they are coded, the worst first; only those of which something is left.
pub fn worst(data: &Bags, errors: &[f64]) -> impl Iterator<Item = usize> {
    let left = |text: &usize| errors[*text] > LEAST_SHARE * square(data.row(*text));
    let mut texts: Vec<usize> = (0..errors.len()).filter(left).collect();
    texts.sort_by(|&a, &b| errors[b].total_cmp(&errors[a]));
    texts.into_iter()
}
