//! One pass over a dictionary's atoms, each changed in turn.
//!
//! Let Y be the texts, X their codes, and E the texts without what all atoms but k make of them.
//! An atom becomes a multiple of u = Ev = w - Dz, where w = Yv and z = Xv without its kth number.
//! Outside the words of the atom's own texts w is zero, so a word's row need not be changed until
//! a text with it is looked at: u's products with all atoms follow from the dictionary's Gram matrix.

use rayon::prelude::*;

use super::codes::Code;
use super::dictionary::{Dictionary, square};
use super::matrix::{Matrix, add_four, add_scaled, dot};
use crate::methods::bags::Bags;

/// A task gets so many texts or words at least.
const LEAST: usize = 64;
/// So many words are added up together.
const CHUNK: usize = 64;
/// An atom is left as it is where less than this share of its texts is its own: rounding errors.
const LEAST_SHARE: f64 = 1e-12;

/// A pass under way.
pub struct Sweep<'a> {
    data: &'a Bags,
    values: Matrix,
    gram: Matrix,
    /// What became of the atoms so far, in order.
    changes: Vec<Change>,
    /// How many of the changes each word's row has seen.
    seen: Vec<usize>,
    /// A number for each word, zero but for those at hand.
    over_words: Vec<f64>,
}

/// An atom became `factor` times (w - Dz).
struct Change {
    atom: usize,
    z: Vec<f64>,
    factor: f64,
}

/// u = Ev, where the atom's texts have words, and what it has to do with the others.
pub struct Residual {
    words: Vec<u32>,
    u: Vec<f64>,
    z: Vec<f64>,
    /// D'u.
    products: Vec<f64>,
    /// |u|^2.
    pub square: f64,
    /// |w|^2.
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
        let words = dictionary.words();
        Self {
            data,
            values: dictionary.values,
            gram: dictionary.gram,
            changes: Vec::new(),
            seen: vec![0; words],
            over_words: vec![0.0; words],
        }
    }

    /// The texts whose codes hold each atom.
    pub fn users(atoms: usize, codes: &[Code]) -> Vec<Vec<usize>> {
        let mut users = vec![Vec::new(); atoms];
        for (text, code) in codes.iter().enumerate() {
            code.iter().for_each(|&(atom, _)| users[atom as usize].push(text));
        }
        users
    }

    /// The words of some texts, ascending, their rows up to date.
    pub fn words(&mut self, texts: &[usize]) -> Vec<u32> {
        let mut at_hand = vec![false; self.seen.len()];
        for &text in texts {
            self.data.row(text).iter().for_each(|&(word, _)| at_hand[word as usize] = true);
        }
        self.catch_up(|word| at_hand[word]);
        (0..).zip(at_hand).filter_map(|(word, is)| is.then_some(word)).collect()
    }

    /// u = Ev for an atom, its texts, their words and `v`, a number for each text.
    pub fn residual(
        &mut self,
        atom: usize,
        texts: &[usize],
        words: &[u32],
        codes: &[Code],
        v: &[f64],
    ) -> Residual {
        let mut z = vec![0.0; self.gram.rows()];
        for (&text, v) in texts.iter().zip(v) {
            self.data
                .row(text)
                .iter()
                .for_each(|&(word, y)| self.over_words[word as usize] += v * y);
            codes[text].iter().for_each(|&(other, x)| z[other as usize] += v * x);
        }
        z[atom] = 0.0;
        let mut residual = self.project(words, z);
        for (&word, u) in words.iter().zip(&residual.u) {
            self.over_words[word as usize] = *u;
        }
        let (data, over_words) = (self.data, &self.over_words);
        let back = texts.par_iter().with_min_len(LEAST).map(|&text| {
            let own = data.row(text).iter();
            let own = own.fold(0.0, |sum, &(word, y)| sum + y * over_words[word as usize]);
            let others = codes[text].iter().filter(|&&(other, _)| other as usize != atom);
            others.fold(own, |sum, &(other, x)| sum - x * residual.products[other as usize])
        });
        residual.back = back.collect();
        words.iter().for_each(|&word| self.over_words[word as usize] = 0.0);
        residual
    }

    /// u = w - Dz, w being `over_words`, which is zero but for `words`.
    fn project(&self, words: &[u32], z: Vec<f64>) -> Residual {
        let w = |word: u32| self.over_words[word as usize];
        // The chunks are always the same, so the sums' order is too.
        let chunks = words.par_chunks(CHUNK).map(|words| {
            let mut products = vec![0.0; z.len()];
            let row = |word: u32| self.values.row(word as usize);
            let (fours, rest) = words.as_chunks::<4>();
            fours.iter().for_each(|four| add_four(&mut products, four.map(w), four.map(row)));
            rest.iter().for_each(|&word| add_scaled(&mut products, w(word), row(word)));
            let u = words.iter().map(|&word| w(word) - dot(row(word), &z));
            (u.collect::<Vec<f64>>(), products)
        });
        let (u, products): (Vec<_>, Vec<_>) = chunks.collect::<Vec<_>>().into_iter().unzip();
        let u = u.concat();
        let mut products = products.into_iter().fold(vec![0.0; z.len()], |mut sums, part| {
            add_scaled(&mut sums, 1.0, &part);
            sums
        });
        let used = z.iter().enumerate().filter(|(_, z)| **z != 0.0);
        used.for_each(|(n, z)| add_scaled(&mut products, -z, self.gram.row(n)));
        let own = words.iter().zip(&u).fold(0.0, |sum, (&word, u)| sum + w(word) * u);
        let square = own - dot(&z, &products);
        let whole = words.iter().fold(0.0, |sum, &word| sum + w(word) * w(word));
        Residual { words: words.to_vec(), u, z, products, square, whole, back: Vec::new() }
    }

    /// An atom becomes `factor` times u.
    pub fn set(&mut self, atom: usize, residual: Residual, factor: f64) {
        let Residual { words, u, z, products, square, .. } = residual;
        self.changes.push(Change { atom, z, factor });
        for (word, u) in words.into_iter().zip(u) {
            self.values.row_mut(word as usize)[atom] = factor * u;
            self.seen[word as usize] = self.changes.len();
        }
        for (other, product) in products.into_iter().enumerate() {
            self.gram.row_mut(atom)[other] = factor * product;
            self.gram.row_mut(other)[atom] = factor * product;
        }
        self.gram.row_mut(atom)[atom] = factor * factor * square;
    }

    /// An atom becomes a text, at unit length.
    pub fn replace(&mut self, atom: usize, text: usize) {
        let words = self.words(&[text]);
        for &(word, y) in self.data.row(text) {
            self.over_words[word as usize] = y;
        }
        let residual = self.project(&words, vec![0.0; self.gram.rows()]);
        words.iter().for_each(|&word| self.over_words[word as usize] = 0.0);
        let norm = residual.square.sqrt();
        self.set(atom, residual, 1.0 / norm);
    }

    /// Brings the rows of some words up to date.
    fn catch_up(&mut self, of: impl Fn(usize) -> bool + Sync) {
        let changes = &self.changes;
        let rows = self.values.values_mut().par_chunks_exact_mut(self.gram.rows().max(1));
        rows.zip(&mut self.seen).enumerate().with_min_len(LEAST).for_each(|(word, (row, seen))| {
            if of(word) {
                for change in &changes[*seen..] {
                    row[change.atom] = -change.factor * dot(row, &change.z);
                }
                *seen = changes.len();
            }
        });
    }

    /// The dictionary after the pass.
    pub fn finish(mut self) -> Dictionary {
        self.catch_up(|_| true);
        Dictionary::new(self.values)
    }
}

/// Texts by how badly they are coded, the worst first; only those of which something is left.
pub fn worst(data: &Bags, errors: &[f64]) -> impl Iterator<Item = usize> {
    let left = |text: &usize| errors[*text] > LEAST_SHARE * square(data.row(*text));
    let mut texts: Vec<usize> = (0..errors.len()).filter(left).collect();
    texts.sort_by(|&a, &b| errors[b].total_cmp(&errors[a]));
    texts.into_iter()
}
