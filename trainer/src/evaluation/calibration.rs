//! How well scores tell grades: true against predicted grades, and the grades in each bin of score.
//!
//! There is no plain accuracy here: nine candidates in ten are irrelevant, so that always saying
//! so would be right nine times in ten.

use std::fmt::Write;

use serde_json::{Value, json};
use smooth_clir::math::loss::Thresholds;

/// How many bins the scores from -1 to 1 fall into.
const BINS: usize = 10;

/// Counts of scored documents by grade.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    thresholds: Thresholds,
    confusion: Vec<Vec<u64>>,
    bins: Vec<Bin>,
}

/// The documents whose scores lie in one bin.
#[derive(Debug, Clone, PartialEq)]
struct Bin {
    scores: f64,
    grades: Vec<u64>,
}

impl Calibration {
    /// Of no documents yet.
    pub fn new(thresholds: Thresholds) -> Self {
        let none = vec![0; thresholds.grades()];
        let bin = Bin { scores: 0.0, grades: none.clone() };
        Self { confusion: vec![none; thresholds.grades()], bins: vec![bin; BINS], thresholds }
    }

    /// Counts a document of a grade below [`Thresholds::grades`].
    pub fn count(&mut self, grade: u8, score: f32) {
        let grade = usize::from(grade);
        self.confusion[grade][usize::from(self.thresholds.predicted_grade(score))] += 1;
        let bin = &mut self.bins[bin_of(score)];
        bin.scores += f64::from(score);
        bin.grades[grade] += 1;
    }

    /// Counts what another counted, by the same thresholds.
    pub fn add(&mut self, other: &Self) {
        let counts = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        };
        for (row, more) in self.confusion.iter_mut().zip(&other.confusion) {
            counts(row, more);
        }
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.scores += more.scores;
            counts(&mut bin.grades, &more.grades);
        }
    }

    /// [`macro_accuracy`] of the counts so far.
    pub fn macro_accuracy(&self) -> Option<f64> {
        macro_accuracy(&self.confusion)
    }

    /// [`kappa`] of the counts so far.
    pub fn kappa(&self) -> Option<f64> {
        kappa(&self.confusion)
    }

    /// `{"confusion": [[..]], "macro_accuracy": .., "kappa": .., "reliability": [..]}`: a row of
    /// the confusion is a true grade, a column a predicted one.
    pub fn to_json(&self) -> Value {
        let reliability = self.bins.iter().enumerate().map(|(number, bin)| {
            let (from, to) = edges(number);
            json!({
                "from": from,
                "to": to,
                "count": bin.count(),
                "mean_score": bin.mean_score(),
                "shares": bin.shares(),
            })
        });
        json!({
            "confusion": self.confusion,
            "macro_accuracy": self.macro_accuracy(),
            "kappa": self.kappa(),
            "reliability": reliability.collect::<Vec<Value>>(),
        })
    }

    /// The same for people.
    pub fn to_table(&self) -> String {
        let figure = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.4}"));
        let grades = || (0..self.confusion.len()).map(|grade| format!("{grade:>10}"));
        let mut table = format!("\n{:<14}{}\n", "true\\predicted", grades().collect::<String>());
        for (grade, row) in self.confusion.iter().enumerate() {
            let row: String = row.iter().map(|count| format!("{count:>10}")).collect();
            let _ = writeln!(table, "{grade:<14}{row}");
        }
        let _ = writeln!(table, "{:<14}{:>10}", "macro accuracy", figure(self.macro_accuracy()));
        let _ = writeln!(table, "{:<14}{:>10}", "kappa", figure(self.kappa()));
        let heads = format!("{:<14}{:>10}{:>10}", "score", "documents", "mean");
        let _ = writeln!(table, "\n{heads}{}", grades().collect::<String>());
        for (number, bin) in self.bins.iter().enumerate().filter(|(_, bin)| bin.count() > 0) {
            let (from, to) = edges(number);
            let shares = bin.shares().into_iter().flatten();
            let shares: String = shares.map(|share| format!("{share:>10.4}")).collect();
            let mean = figure(bin.mean_score());
            let range = format!("{from:4.1} to {to:4.1}");
            let _ = writeln!(table, "{range:<14}{:>10}{mean:>10}{shares}", bin.count());
        }
        table
    }
}

/// The mean over the true grades of the share of their documents whose grade is predicted; a
/// grade without documents is left out. `None` of no documents.
pub fn macro_accuracy(confusion: &[Vec<u64>]) -> Option<f64> {
    let rows = confusion.iter().enumerate();
    let shares: Vec<f64> = rows
        .map(|(grade, row)| (row[grade] as f64, row.iter().sum::<u64>() as f64))
        .filter(|&(_, all)| all > 0.0)
        .map(|(right, all)| right / all)
        .collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// Cohen's kappa with quadratic weights: 1 less the mean squared distance between true and
/// predicted grade over that of the two drawn independently. 1 is perfect, 0 is chance; `None`
/// where chance alone is always right.
pub fn kappa(confusion: &[Vec<u64>]) -> Option<f64> {
    let grades = 0..confusion.len();
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.sum::<u64>() as f64;
    let of_true = |grade: usize| sum(&mut confusion[grade].iter().copied());
    let of_predicted = |grade: usize| sum(&mut confusion.iter().map(|row| row[grade]));
    let all: f64 = grades.clone().map(of_true).sum();
    let (mut observed, mut by_chance) = (0.0, 0.0);
    for truth in grades.clone() {
        for predicted in grades.clone() {
            let distance = truth.abs_diff(predicted) as f64;
            let weight = distance * distance;
            observed += weight * confusion[truth][predicted] as f64;
            by_chance += weight * of_true(truth) * of_predicted(predicted) / all;
        }
    }
    (by_chance > 0.0).then(|| 1.0 - observed / by_chance)
}

impl Bin {
    fn count(&self) -> u64 {
        self.grades.iter().sum()
    }

    fn mean_score(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.scores / self.count() as f64)
    }

    /// The share of each true grade.
    fn shares(&self) -> Option<Vec<f64>> {
        let all = self.count() as f64;
        (all > 0.0).then(|| self.grades.iter().map(|&count| count as f64 / all).collect())
    }
}

/// The bin of a score; its lower edge belongs to it, and 1 to the last.
fn bin_of(score: f32) -> usize {
    let place = (f64::from(score) + 1.0) / 2.0 * BINS as f64;
    (place as usize).min(BINS - 1)
}

/// Where a bin begins and ends.
fn edges(bin: usize) -> (f64, f64) {
    let edge = |number: usize| (2.0 * number as f64 - BINS as f64) / BINS as f64;
    (edge(bin), edge(bin + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts_of(thresholds: &[f32], documents: &[(u8, f32)]) -> Calibration {
        let mut calibration = Calibration::new(Thresholds::new(thresholds).unwrap());
        documents.iter().for_each(|&(grade, score)| calibration.count(grade, score));
        calibration
    }

    #[test]
    fn macro_accuracy_and_kappa_are_those_of_scikit_learn() {
        // Each line: thresholds; grades; scores; balanced accuracy; kappa, or nan.
        let lines = include_str!("../../../tests/reference/calibration.tsv").lines();
        let mut checked = 0;
        for line in lines {
            let columns: Vec<Vec<f64>> = line
                .split('\t')
                .map(|column| column.split(' ').map(|x| x.parse().unwrap()).collect())
                .collect();
            let [thresholds, grades, scores, accuracy, kappa] = &columns[..] else {
                panic!("{line}")
            };
            let thresholds: Vec<f32> = thresholds.iter().map(|&t| t as f32).collect();
            let documents = grades.iter().zip(scores).map(|(&g, &s)| (g as u8, s as f32));
            let found = counts_of(&thresholds, &documents.collect::<Vec<_>>());
            assert!((found.macro_accuracy().unwrap() - accuracy[0]).abs() < 1e-12, "{line}");
            match found.kappa() {
                Some(found) => assert!((found - kappa[0]).abs() < 1e-12, "{found}: {line}"),
                None => assert!(kappa[0].is_nan(), "{line}"),
            }
            checked += 1;
        }
        assert!(checked > 30);
    }

    #[test]
    fn always_saying_irrelevant_earns_no_more_than_chance() {
        let mut documents = vec![(0, 0.1); 90];
        documents.extend([(1, 0.1), (2, 0.1)]);
        let found = counts_of(&[0.2, 0.7], &documents);
        assert_eq!(found.confusion, [[90, 0, 0], [1, 0, 0], [1, 0, 0]]);
        assert!((found.macro_accuracy().unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(found.kappa(), Some(0.0));
    }

    #[test]
    fn a_threshold_itself_still_predicts_the_grade_below() {
        let found = counts_of(&[0.25, 0.75], &[(1, 0.25), (1, 0.75), (2, 0.8)]);
        assert_eq!(found.confusion, [[0, 0, 0], [1, 1, 0], [0, 0, 1]]);
    }

    #[test]
    fn every_score_has_a_bin_and_an_edge_belongs_to_the_bin_above_it() {
        let bins = [-1.0, -0.9, -0.5, 0.0, 0.5, 0.99, 1.0].map(bin_of);
        assert_eq!(bins, [0, 0, 2, 5, 7, 9, 9]);
        // Rounded a little beyond the ends.
        assert_eq!([-1.000_001, 1.000_001].map(bin_of), [0, 9]);
        assert_eq!((edges(0), edges(9)), ((-1.0, -0.8), (0.8, 1.0)));
    }

    #[test]
    fn reliability_by_hand() {
        let found =
            counts_of(&[0.2, 0.7], &[(2, 0.875), (1, 0.875), (2, 1.0), (2, 0.875), (0, -0.125)]);
        let json = found.to_json();
        let bins = json["reliability"].as_array().unwrap();
        assert_eq!(bins.len(), 10);
        assert_eq!(
            bins[9],
            json!({"from": 0.8, "to": 1.0, "count": 4, "mean_score": 0.90625, "shares": [0.0, 0.25, 0.75]})
        );
        assert_eq!(bins[4]["shares"], json!([1.0, 0.0, 0.0]));
        assert_eq!(
            bins[0],
            json!({"from": -1.0, "to": -0.8, "count": 0, "mean_score": null, "shares": null})
        );
        assert!(found.to_table().ends_with("    0.9062    0.0000    0.2500    0.7500\n"));
    }

    #[test]
    fn counts_of_parts_add_up_to_those_of_the_whole() {
        let documents = [(0, -0.5), (1, 0.5), (2, 0.75), (2, 0.0), (0, 0.5)];
        let (whole, mut sum) = (counts_of(&[0.2, 0.7], &documents), counts_of(&[0.2, 0.7], &[]));
        assert_eq!((sum.macro_accuracy(), sum.kappa()), (None, None));
        for part in documents.chunks(2) {
            sum.add(&counts_of(&[0.2, 0.7], part));
        }
        assert_eq!(sum, whole);
    }
}
