//! Training from scratch on small texts, on the processor and on a GPU.

use smooth_clir::learning::scratch::{Options, QuerySet, Texts, Training};
use smooth_clir::math::loss::LossKind;

/// Queries and documents about the same few things, in two languages.
fn texts() -> Texts {
    let things = ["rain", "bread", "sea", "wind", "bird", "fish", "sun", "moon", "tree", "stone"];
    let text = |place: usize, mark: &str| {
        format!("{0}{mark} {0}{mark} {1}{mark}", things[place % 10], things[place / 10])
    };
    Texts {
        queries: (0..100).map(|at| (format!("q{at}"), text(at, ""))).collect(),
        documents: (0..100).map(|at| text(at, "x")).collect(),
        judged: (0..100).flat_map(|at| [(at, at, 2), (at, (at + 10) % 100, 1)]).collect(),
    }
}

fn options() -> Options {
    Options { dimension: 8, negatives: 10, batch_size: 64, ..Options::default() }
}

#[test]
fn loss_falls_and_unseen_queries_find_their_documents() {
    let mut training = Training::new(texts(), options()).unwrap();
    let before = training.evaluate(QuerySet::Validation);
    let first = training.step().loss;
    let mut last = first;
    while training.epoch() < 25 {
        last = training.step().loss;
    }
    let (after, seen) =
        (training.evaluate(QuerySet::Validation), training.evaluate(QuerySet::Train));
    assert!(last < 0.2 * first, "{first} to {last}");
    assert!(after.metrics.mrr_mr > 0.8 && before.metrics.mrr_mr < 0.5, "{before:?} {after:?}");
    assert!(seen.metrics.mrr_mr >= after.metrics.mrr_mr, "{seen:?}");
    assert_eq!(after.scores.len(), after.grades.len());
}

#[test]
fn training_queries_are_evaluated_where_each_has_more_documents_than_all_validation_queries() {
    let few = Texts {
        queries: (0..5).map(|at| (format!("q{at}"), format!("rain{at}"))).collect(),
        documents: (0..80).map(|at| format!("pluie{at}")).collect(),
        judged: (0..80).map(|at| (at % 5, at, 2)).collect(),
    };
    let seeds = 1..40;
    let of_seed =
        |seed| Training::new(few.clone(), Options { seed, negatives: 0, ..options() }).ok();
    let trainings: Vec<Training> = seeds.filter_map(of_seed).collect();
    assert!(!trainings.is_empty());
    for training in trainings {
        assert!(!training.evaluate(QuerySet::Train).scores.is_empty());
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_does_not() {
    let run = |seed| {
        let mut training = Training::new(texts(), Options { seed, ..options() }).unwrap();
        for _ in 0..2 * training.steps_in_epoch() {
            training.step();
        }
        (training.epoch(), training.tables())
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
    assert_eq!(run(3).0, 2);
}

#[test]
fn what_cannot_be_trained_on_is_refused() {
    let code = |texts, options| Training::new(texts, options).unwrap_err().code();
    let refused = |texts, options, code, message| {
        let error = Training::new(texts, options).unwrap_err();
        assert_eq!((error.code(), &*error.to_string()), (code, message));
    };
    let expected = "too few queries: of 0, none is left to train on";
    refused(Texts::default(), options(), "too-few-queries", expected);
    let expected = "99 negatives requested, only 98 documents are eligible";
    refused(texts(), Options { negatives: 99, ..options() }, "too-few-documents", expected);
    assert_eq!(code(texts(), Options { epsilon: -1.0, ..options() }), "epsilon");
    assert_eq!(code(texts(), Options { thresholds: vec![0.7, 0.2], ..options() }), "thresholds");
    // There are documents up to 99, and the grades 0, 1 and 2.
    for wrong in [(0, 100, 2), (0, 0, 3)] {
        let mut judged = texts();
        judged.judged.push(wrong);
        assert_eq!(code(judged, options()), "judgement");
    }
}

#[test]
fn every_loss_begins_with_the_same_rows_and_falls() {
    let begin = |loss| Training::new(texts(), Options { loss, ..options() }).unwrap();
    let sosl = begin(LossKind::Sosl).tables();
    for loss in [LossKind::ThreePart, LossKind::MeanSquare, LossKind::ProportionalOdds] {
        let mut training = begin(loss);
        assert_eq!(training.tables(), sosl, "{loss:?}");
        let first = training.step().loss;
        let mut last = first;
        while training.epoch() < 15 {
            last = training.step().loss;
        }
        assert!(last < 0.6 * first, "{loss:?}: {first} to {last}");
        assert_ne!(training.tables(), sosl);
    }
}

#[test]
fn grades_by_links_have_a_curve_each_and_the_metrics_of_the_judgements() {
    let grades = |thresholds: &[f32]| {
        let thresholds = thresholds.to_vec();
        let options = Options { thresholds, grades_by_links: true, ..options() };
        let training = Training::new(texts(), options).unwrap();
        let found = training.evaluate(QuerySet::Validation);
        let mut grades = found.grades.clone();
        grades.sort_unstable();
        grades.dedup();
        (grades, found)
    };
    let (two, of_two) = grades(&[0.4]);
    let (three, of_three) = grades(&[0.2, 0.7]);
    let (five, _) = grades(&[0.2, 0.4, 0.6, 0.7]);
    assert_eq!((two, three), (vec![0, 1], vec![0, 1, 2]));
    assert_eq!(five, [0, 1, 2, 3, 4]);
    // With three grades they are those of the judgements, and so is the whole training.
    let plain = Training::new(texts(), options()).unwrap().evaluate(QuerySet::Validation);
    assert_eq!(of_three, plain);
    // Two grades leave no grade 2, but the judgements have it.
    assert!(of_two.metrics.mrr_mr > 0.0);
}

#[test]
fn gradients_of_the_score_are_no_longer_than_one_over_epsilon_and_cosines_are() {
    let longest = |epsilon, clip| {
        let standard_deviation = 1e-3;
        let options = Options { epsilon, clip, standard_deviation, ..options() };
        let mut training = Training::new(texts(), options).unwrap();
        let mut steps = (0..40).map(|_| {
            training.step();
            training.gradient_lengths(1.0 / 0.5)
        });
        let first = steps.next().unwrap();
        (first, steps.fold(first.largest, |most, lengths| most.max(lengths.largest)))
    };
    let (smooth, most) = longest(0.5, None);
    assert!(most <= 2.0 * (1.0 + 1e-5) && smooth.share_above == 0.0, "{smooth:?} {most}");
    let (cosine, _) = longest(0.0, None);
    // From vectors of a length of some 2e-3: see the plane's figure.
    assert!(cosine.median > 100.0 && cosine.share_above == 1.0, "{cosine:?}");
    // Clipping shortens the step, not the gradients of the score that it is made of.
    assert_eq!(longest(0.0, Some(1.0)).0, cosine);
}

#[test]
fn two_descents_with_one_pair_replaced_part_where_it_is_taken() {
    let begin = |replaced| {
        let descent = Some(0.5);
        let options = Options { descent, replaced, batch_size: 1, epsilon: 1.0, ..options() };
        Training::new(texts(), options).unwrap()
    };
    let (mut one, mut other) = (begin(None), begin(Some(3)));
    assert_eq!(one.distance(&other).weights, 0.0);
    for _ in 0..2 {
        one.step();
        other.step();
    }
    assert_eq!(one.tables(), other.tables());
    one.step();
    other.step();
    let found = one.distance(&other);
    // Two steps of 0.5/3 along gradients no longer than the loss's slope, 3.4, over epsilon, 1.
    assert!(found.weights > 0.0 && found.weights <= 2.0 * 0.5 / 3.0 * 3.4, "{found:?}");
    assert!(found.loss > 0.0 && found.loss <= 3.4 * found.weights, "{found:?}");
    assert_eq!(one.distance(&one).loss, 0.0);
}

#[cfg(feature = "gpu")]
mod on_a_gpu {
    use super::*;
    use crate::device::{gpu, largest_or_nan, own_gpu};
    use pollster::block_on;
    use smooth_clir::encoder::Table;

    /// Few steps in an epoch, so that steps are taken again across a shuffle.
    fn training() -> Training {
        let training = Training::new(texts(), Options { batch_size: 150, ..options() }).unwrap();
        assert!((3..8).contains(&training.steps_in_epoch()));
        training
    }

    /// The largest difference of a row over its length.
    fn apart(one: &[Table], other: &[Table]) -> f32 {
        let length = |row: &[f32]| row.iter().map(|x| x * x).sum::<f32>().sqrt();
        let rows = |tables: &[Table]| -> Vec<Vec<f32>> {
            let row = |table: &Table, at| table.row(at).to_vec();
            tables.iter().flat_map(|table| (0..table.len()).map(|at| row(table, at))).collect()
        };
        let apart = |a: &[f32], b: &[f32]| {
            let between: Vec<f32> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            length(&between) / length(a)
        };
        rows(one).iter().zip(&rows(other)).map(|(a, b)| apart(a, b)).fold(0.0, largest_or_nan)
    }

    #[test]
    fn it_learns_what_it_learns_on_the_processor() {
        let (mut here, mut there) = (training(), training());
        block_on(there.move_to(&gpu())).unwrap();
        let before = here.tables();
        for step in 0..50 {
            let (found, expected) = (block_on(there.step_there()).unwrap(), here.step());
            let difference = (found.loss - expected.loss).abs();
            assert!(difference < 1e-5, "step {step}: {found:?} {expected:?}");
            assert_eq!(there.epoch(), here.epoch());
        }
        assert!(there.is_on_gpu());
        block_on(there.settle()).unwrap();
        assert!(apart(&before, &here.tables()) > 0.1, "the rows went somewhere");
        let most = apart(&here.tables(), &there.tables());
        assert!(most < 1e-4, "{most}");
    }

    #[test]
    fn a_look_after_it_settled_is_at_all_of_its_steps() {
        let (mut here, mut there) = (training(), training());
        block_on(there.move_to(&gpu())).unwrap();
        for _ in 0..11 {
            here.step();
            block_on(there.step_there()).unwrap();
        }
        block_on(there.settle()).unwrap();
        let (expected, found) =
            (here.evaluate(QuerySet::Validation), there.evaluate(QuerySet::Validation));
        assert_eq!(found.grades, expected.grades);
        for (found, expected) in found.scores.iter().zip(&expected.scores) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }

    #[test]
    fn a_device_that_is_lost_costs_no_step_and_repeats_none() {
        for before in [0, 1, 6, 7] {
            let (gpu, mut here, mut there) = (own_gpu(), training(), training());
            block_on(there.move_to(&gpu)).unwrap();
            let mut failures = 0;
            for step in 0..12 {
                if step == before {
                    gpu.destroy();
                }
                failures += usize::from(block_on(there.step_there()).is_err());
                here.step();
            }
            assert_eq!((failures, there.is_on_gpu()), (1, false));
            // It had not settled yet, so that the processor took every step: the same bits.
            assert!(there.tables() == here.tables(), "lost before step {before}");
        }
    }

    #[test]
    fn a_device_that_is_lost_after_it_settled_costs_no_step_either() {
        let (gpu, mut here, mut there) = (own_gpu(), training(), training());
        block_on(there.move_to(&gpu)).unwrap();
        for step in 0..20 {
            if step == 13 {
                gpu.destroy();
            }
            let report = block_on(there.step_there());
            let loss = report.map_or_else(|(report, _)| report.loss, |report| report.loss);
            assert!((loss - here.step().loss).abs() < 1e-5, "step {step}");
        }
        let most = apart(&here.tables(), &there.tables());
        assert!(most > 0.0 && most < 1e-4, "{most}: the first steps were the device's");
    }

    #[test]
    fn a_step_on_the_processor_comes_after_those_of_the_gpu() {
        let (mut here, mut there) = (training(), training());
        block_on(there.move_to(&gpu())).unwrap();
        for _ in 0..3 {
            block_on(there.step_there()).unwrap();
            here.step();
        }
        assert_eq!(there.step(), here.step());
        assert!(!there.is_on_gpu() && there.tables() == here.tables());
    }

    #[test]
    fn a_device_that_is_gone_is_not_moved_to() {
        let (gpu, mut here, mut there) = (own_gpu(), training(), training());
        gpu.destroy();
        assert_eq!(block_on(there.move_to(&gpu)).unwrap_err().code(), "gpu-failed");
        assert_eq!(block_on(there.step_there()).unwrap(), here.step());
        assert!(there.tables() == here.tables());
    }
}
