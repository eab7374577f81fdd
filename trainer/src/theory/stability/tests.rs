use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::text::vocabulary::Vocabulary;

use super::*;
use crate::corpus::{Prepared, Texts};
use crate::train::EncoderName;

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
    let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
    Plan { epsilon: 0.5, dimension: 3, ..Plan::of_paper(EncoderName::Average, loss) }
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
    let reference = include_str!("../../../../tests/reference/stability.tsv");
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
    include_str!("../../../../tests/reference/replaced.tsv")
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
            for (replacement, change) in descent.replacements(&order).iter().zip(&found.changes) {
                let put = test.iter().position(|pair| *pair == replacement.example).unwrap();
                let here = |line: &&Vec<f64>| line[..2] == [replacement.place as f64, put as f64];
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
                    line[0] == place as f64 && test[line[1] as usize].grade != order[place].grade
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
