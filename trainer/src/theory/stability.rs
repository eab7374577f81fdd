//! How much plain SGD depends on one pair: trained again with that pair replaced.

use rayon::prelude::*;
use smooth_clir::encoder::{Network, Table};
use smooth_clir::math::random::Random;
use smooth_clir::training::step::PairTrainer;

use crate::corpus::{Corpus, Example};
use crate::evaluation::ranking::Encoded;
use crate::train::{Plan, Progress, average, average_network};

/// Plain SGD, as the theory has it: one pair a step, in one random order again and again, the
/// `t`th step of size `c/t`.
pub struct Descent<'a> {
    /// Loss and epsilon.
    pub plan: &'a Plan,
    /// The rows to begin with.
    pub words: &'a [Table],
    /// The texts.
    pub corpus: &'a Corpus,
    /// The pairs that it takes.
    pub training: &'a [Example],
    /// Pairs that it does not take, which are put in the place of others.
    pub test: &'a [Example],
    /// c.
    pub step_constant: f64,
    /// How many steps.
    pub steps: u64,
    /// How often it is run again with one pair replaced.
    pub replacements: u64,
    /// Fixes the order and the replaced pairs.
    pub seed: u64,
}

/// What plain SGD came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The mean loss of the training pairs before the first step.
    pub first_loss: f64,
    /// The mean loss of the training pairs.
    pub training_loss: f64,
    /// The mean loss of the test pairs.
    pub test_loss: f64,
    /// Steps whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// What replacing a pair did, each time.
    pub changes: Vec<Change>,
    /// `Change::loss` averaged over all places that the replaced pair could have in the order.
    pub mean_change: f64,
}

/// What replacing a pair did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The first step that takes the pair.
    pub step: u64,
    /// The largest change of the loss of a training or test pair.
    pub loss: f64,
    /// How many places this one stands for.
    pub weight: f64,
}

impl Outcome {
    /// The test loss less the training loss.
    pub fn gap(&self) -> f64 {
        self.test_loss - self.training_loss
    }

    /// The largest of the changes.
    pub fn largest_change(&self) -> Option<Change> {
        self.changes.iter().copied().reduce(|a, b| if b.loss > a.loss { b } else { a })
    }

    /// The smallest change that a share of all places do not exceed, each as often as its weight says.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut changes = self.changes.clone();
        changes.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let all = changes.iter().fold(0.0, |sum, change| sum + change.weight);
        let mut below = 0.0;
        let reaches = |change: &&Change| {
            below += change.weight;
            below >= share * all
        };
        changes.iter().find(reaches).or(changes.last()).map(|change| change.loss)
    }
}

/// Another pair in the place of one.
struct Replacement {
    place: usize,
    example: Example,
    /// How many places this one stands for.
    weight: f64,
}

/// What a run came to: the losses of all training pairs, then of all test pairs.
struct Run {
    losses: Vec<f32>,
    undefined: u64,
}

impl Descent<'_> {
    /// How many steps all runs take together.
    pub fn all_steps(&self) -> u64 {
        self.steps.saturating_mul(self.replacements + 1)
    }

    /// Trains once as it is, and once more for each replacement.
    pub fn run(&self, progress: &Progress) -> Outcome {
        let training = self.training;
        let mut order = training.to_vec();
        Random::new(self.seed, "order").shuffle(&mut order);
        let replacements = self.replacements(&order);
        let runs = std::iter::once(None).chain(replacements.iter().map(Some));
        let runs: Vec<Run> = runs
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|replacement| {
                let mut order = order.clone();
                if let Some(Replacement { place, example, .. }) = replacement {
                    order[*place] = *example;
                }
                self.descend(&order, progress)
            })
            .collect();
        let change = |(replacement, run): (&Replacement, &Run)| Change {
            step: replacement.place as u64 + 1,
            loss: largest_change(&runs[0].losses, &run.losses),
            weight: replacement.weight,
        };
        let changes: Vec<Change> = replacements.iter().zip(&runs[1..]).map(change).collect();
        let weighted = replacements.iter().zip(&changes).map(|(r, change)| r.weight * change.loss);
        let weighted = weighted.fold(0.0, |sum, x| sum + x);
        let (seen, unseen) = runs[0].losses.split_at(training.len());
        let untrained = self.losses(&average(self.plan, self.words.to_vec(), 1));
        Outcome {
            first_loss: mean(&untrained[..training.len()]),
            training_loss: mean(seen),
            test_loss: mean(unseen),
            undefined: runs[0].undefined,
            changes,
            mean_change: weighted / (replacements.len() * training.len()) as f64,
        }
    }

    /// Test pairs in the place of pairs of another grade, for a pair of its own grade often does
    /// as little as none. Early places are drawn more often, since the steps there are long: place
    /// `t` of `m` with probability `ln(1 + 1/t)/ln(m + 1)`.
    fn replacements(&self, order: &[Example]) -> Vec<Replacement> {
        let mut random = Random::new(self.seed, "replaced pairs");
        let test = self.test;
        let seen = order.len().min(usize::try_from(self.steps).unwrap_or(usize::MAX));
        let scale = libm::log(seen as f64 + 1.0);
        let draw = |_| {
            let unit = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let step = (libm::exp(unit * scale) as usize).clamp(1, seen);
            let start = random.below(test.len());
            let others = test[start..].iter().chain(&test[..start]);
            let grade = order[step - 1].grade;
            let example =
                *others.clone().find(|other| other.grade != grade).unwrap_or(&test[start]);
            let weight = scale / libm::log1p(1.0 / step as f64);
            Replacement { place: step - 1, example, weight }
        };
        (0..self.replacements).map(draw).collect()
    }

    fn descend(&self, order: &[Example], progress: &Progress) -> Run {
        // A pair at a time leaves nothing to share out.
        let mut trainer = average(self.plan, self.words.to_vec(), 1);
        let mut undefined = 0;
        for (t, example) in (1..=self.steps).zip(order.iter().cycle()) {
            let pair = self.corpus.pairs(std::slice::from_ref(example));
            let report = trainer.descend(&pair, (self.step_constant / t as f64) as f32);
            undefined += report.undefined as u64;
            progress.step();
        }
        Run { losses: self.losses(&trainer), undefined }
    }

    fn losses(&self, trainer: &PairTrainer) -> Vec<f32> {
        let networks: Vec<Network> = trainer.tables().into_iter().map(average_network).collect();
        let encoded: Vec<(Encoded, Encoded)> = self
            .corpus
            .collections
            .iter()
            .map(|texts| {
                let documents = &networks[texts.language + 1];
                (
                    Encoded::new(&networks[0], None, &texts.queries),
                    Encoded::new(documents, None, &texts.documents),
                )
            })
            .collect();
        let Plan { loss, epsilon, .. } = self.plan;
        let value = |example: &Example| {
            let (queries, documents) = &encoded[example.collection as usize];
            let (query, document) = (example.query as usize, example.document as usize);
            loss.value(queries.score(query, documents, document, *epsilon), example.grade)
        };
        self.training.par_iter().chain(self.test).map(value).collect()
    }
}

fn largest_change(one: &[f32], other: &[f32]) -> f64 {
    let changes = one.iter().zip(other).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
    changes.fold(0.0, f64::max)
}

fn mean(losses: &[f32]) -> f64 {
    losses.iter().fold(0.0, |sum, &loss| sum + f64::from(loss)) / losses.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use smooth_clir::math::loss::{Loss, Thresholds};
    use smooth_clir::text::vocabulary::Vocabulary;

    use super::*;
    use crate::corpus::{Prepared, Texts};
    use crate::train::{DeviceName, EncoderName, Select};

    /// Two queries and three documents of three words, in three dimensions.
    fn prepared() -> Prepared {
        let vocabulary = || Vocabulary::from_tokens(["a", "b", "c"]).unwrap();
        let texts = Texts {
            language: 0,
            queries: vec![vec![0, 1], vec![2]],
            documents: vec![vec![0], vec![1, 2, 2], vec![0, 2]],
        };
        let corpus = Corpus {
            query_vocabulary: vocabulary(),
            document_vocabularies: vec![("xx".into(), vocabulary())],
            collections: vec![texts],
            weights: None,
        };
        let pair = |query, document, grade| Example { collection: 0, query, document, grade };
        Prepared {
            corpus,
            training: vec![pair(0, 0, 2), pair(0, 1, 0), pair(1, 2, 1)],
            validation: Vec::new(),
            test: vec![pair(1, 1, 2), pair(1, 0, 0)],
            judged: Vec::new(),
        }
    }

    fn plan() -> Plan {
        Plan {
            encoder: EncoderName::Average,
            epsilon: 0.5,
            loss: Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap()),
            dimension: 3,
            epochs: 1,
            batch_size: 1,
            learning_rate: 0.0,
            decay: 1.0,
            clip: None,
            dropout: 0.0,
            seed: 1,
            init_deviation: 0.1,
            select: Select::Map,
            device: DeviceName::Cpu,
            variant: crate::train::Variant::default(),
        }
    }

    fn words() -> [Table; 2] {
        let query = [0.3, -0.2, 0.5, 0.1, 0.4, -0.3, -0.6, 0.2, 0.1];
        let document = [0.2, 0.1, -0.4, -0.5, 0.3, 0.2, 0.6, -0.1, 0.3];
        [query, document].map(|values| Table::new(3, values.to_vec()))
    }

    fn with<T>(steps: u64, replacements: u64, then: impl FnOnce(&Descent<'_>) -> T) -> T {
        let (plan, prepared, words) = (plan(), prepared(), words());
        then(&Descent {
            plan: &plan,
            corpus: &prepared.corpus,
            training: &prepared.training,
            test: &prepared.test,
            words: &words,
            step_constant: 2.0,
            steps,
            replacements,
            seed: 1,
        })
    }

    #[test]
    fn the_losses_after_each_order_are_those_by_pytorch() {
        // See tests/reference/stability.py: the training pairs in their order, and with the first
        // test pair in place of the second.
        let reference = include_str!("../../../tests/reference/stability.tsv");
        let expected: Vec<Vec<f64>> = reference
            .lines()
            .map(|line| line.split('\t').map(|x| x.parse().unwrap()).collect())
            .collect();
        with(7, 1, |descent| {
            let mut order = descent.training.to_vec();
            let first = descent.descend(&order, &Progress::silent());
            order[1] = descent.test[0];
            let second = descent.descend(&order, &Progress::silent());
            for (run, expected) in [&first, &second].into_iter().zip(&expected) {
                assert_eq!(run.losses.len(), expected.len());
                for (found, expected) in run.losses.iter().zip(expected) {
                    assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} {expected}");
                }
            }
            let change = largest_change(&first.losses, &second.losses);
            assert!((change - expected[2][0]).abs() < 1e-5, "{change}");
        });
    }

    #[test]
    fn a_replaced_pair_has_another_grade_and_its_weights_average_to_the_number_of_places() {
        for (steps, places) in [(2, 2.0), (3, 3.0), (9, 3.0)] {
            with(steps, 20_000, |descent| {
                let order = descent.training;
                let drawn = descent.replacements(order);
                assert!(drawn.iter().all(|r| r.place < places as usize));
                assert!(drawn.iter().all(|r| r.example.grade != order[r.place].grade));
                let mean = drawn.iter().map(|r| r.weight).sum::<f64>() / drawn.len() as f64;
                assert!((mean / places - 1.0).abs() < 0.02, "{mean} of {places}");
            });
        }
    }

    /// The lines of one kind, of tests/reference/replaced.py, for an order of the training pairs.
    fn replaced(kind: &str, order: &[Example]) -> Vec<Vec<f64>> {
        let training = prepared().training;
        let place = |pair: &Example| training.iter().position(|other| other == pair).unwrap();
        let order: String = order.iter().map(|pair| place(pair).to_string()).collect();
        include_str!("../../../tests/reference/replaced.tsv")
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{kind}\t{order}\t")))
            .map(|line| line.split('\t').map(|x| x.parse().unwrap()).collect())
            .collect()
    }

    #[test]
    fn losses_and_changes_of_any_seed_are_those_of_finite_differences() {
        let mut orders = std::collections::HashSet::new();
        for seed in 1..=12 {
            with(7, 6, |descent| {
                let descent = Descent { seed, ..*descent };
                assert_eq!(descent.all_steps(), 7 * 7);
                let mut order = descent.training.to_vec();
                Random::new(seed, "order").shuffle(&mut order);
                orders.insert(format!("{order:?}"));
                let found = descent.run(&Progress::silent());
                let none = Descent { steps: 0, replacements: 0, ..descent };
                assert_eq!(found.first_loss, none.run(&Progress::silent()).training_loss);
                let close = |found: f64, expected: f64| {
                    assert!((found - expected).abs() < 1e-5, "{found} {expected}");
                };
                let losses = replaced("losses", &order).remove(0);
                let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len() as f64;
                close(found.training_loss, mean(&losses[..3]));
                close(found.test_loss, mean(&losses[3..]));
                close(found.gap(), mean(&losses[3..]) - mean(&losses[..3]));
                let changes = replaced("change", &order);
                let test = descent.test;
                let mut most = 0f64;
                for (replacement, change) in descent.replacements(&order).iter().zip(&found.changes)
                {
                    let put = test.iter().position(|pair| *pair == replacement.example).unwrap();
                    let here =
                        |line: &&Vec<f64>| line[..2] == [replacement.place as f64, put as f64];
                    let expected = changes.iter().find(here).unwrap()[2];
                    assert_eq!(change.step, replacement.place as u64 + 1);
                    close(change.loss, expected);
                    most = most.max(expected);
                }
                close(found.largest_change().unwrap().loss, most);
            });
        }
        assert!(orders.len() >= 4, "{}", orders.len());
    }

    #[test]
    fn the_mean_change_is_the_expected_one_over_every_place_and_pair_of_another_grade() {
        for seed in [1, 2] {
            with(7, 4000, |descent| {
                let descent = Descent { seed, ..*descent };
                let mut order = descent.training.to_vec();
                Random::new(seed, "order").shuffle(&mut order);
                let changes = replaced("change", &order);
                let at = |place: usize| {
                    let test = descent.test;
                    let other = |line: &&Vec<f64>| {
                        line[0] == place as f64
                            && test[line[1] as usize].grade != order[place].grade
                    };
                    let own: Vec<f64> = changes.iter().filter(other).map(|line| line[2]).collect();
                    own.iter().sum::<f64>() / own.len() as f64
                };
                let expected = (at(0) + at(1) + at(2)) / 3.0;
                let found = descent.run(&Progress::silent()).mean_change;
                assert!((found / expected - 1.0).abs() < 0.03, "{found} {expected}");
            });
        }
    }

    #[test]
    fn quantiles_count_each_change_as_often_as_the_places_it_stands_for() {
        let change = |loss, weight| Change { step: 1, loss, weight };
        let outcome = Outcome {
            first_loss: 0.0,
            training_loss: 0.0,
            test_loss: 0.0,
            undefined: 0,
            changes: vec![change(0.5, 1.0), change(0.1, 6.0), change(0.2, 3.0)],
            mean_change: 0.0,
        };
        let found = [0.5, 0.6, 0.61, 0.9, 0.91, 1.0].map(|share| outcome.quantile(share));
        assert_eq!(found, [0.1, 0.1, 0.2, 0.2, 0.5, 0.5].map(Some));
        assert_eq!(Outcome { changes: Vec::new(), ..outcome }.quantile(0.5), None);
    }

    #[test]
    fn the_mean_change_is_that_over_every_place() {
        with(7, 4000, |descent| {
            let found = descent.run(&Progress::silent());
            // The change at a place: of its two possible replacements, as often as each was drawn.
            let at = |step: u64| {
                let own = found.changes.iter().filter(|change| change.step == step);
                let own: Vec<f64> = own.map(|change| change.loss).collect();
                own.iter().sum::<f64>() / own.len() as f64
            };
            let mean = (at(1) + at(2) + at(3)) / 3.0;
            assert!((found.mean_change / mean - 1.0).abs() < 0.1, "{} {mean}", found.mean_change);
            assert!(found.largest_change().unwrap().loss >= found.mean_change);
        });
    }
}
