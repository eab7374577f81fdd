//! The training step on the GPU against the core's. Without a GPU, Mesa's lavapipe stands in.

use crate::device::{gpu, largest_or_nan, own_gpu};
use crate::example::{Example, pairs};
use pollster::block_on;
use proptest::prelude::*;
use smooth_clir::Error;
use smooth_clir::encoder::Table;
use smooth_clir::gpu::{self, Gpu};
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{self, Report, Settings, Weighting};

fn sosl(inner: &[f32]) -> Loss {
    Loss::Sosl(Thresholds::new(inner).unwrap())
}

fn settings(epsilon: f32, loss: Loss) -> Settings {
    Settings { epsilon, loss, learning_rate: 0.01, clip: None, pull: 0.0 }
}

fn random_tables(random: &mut Random, sizes: &[usize], dimension: usize) -> Vec<Table> {
    let table = |&rows: &usize| Table::new(dimension, random.normals(rows * dimension, 0.5));
    sizes.iter().map(table).collect()
}

/// Pairs of up to so many words each, some of them none and some the same word again.
fn random_batch(
    random: &mut Random,
    sizes: &[usize],
    pairs: usize,
    (words, grades): (usize, usize),
) -> Vec<Example> {
    let text = |random: &mut Random, rows: usize| -> Vec<u32> {
        (0..random.below(words + 1)).map(|_| random.below(rows) as u32).collect()
    };
    let pair = |_| {
        let language = random.below(sizes.len() - 1);
        Example {
            query: text(random, sizes[0]),
            document: text(random, sizes[1 + language]),
            language,
            grade: random.below(grades) as u8,
        }
    };
    (0..pairs).map(pair).collect()
}

/// A trainer of the core and one on the GPU, from the same tables.
fn both(settings: &Settings, tables: &[Table]) -> (step::PairTrainer, gpu::GpuTrainer) {
    let core = step::PairTrainer::new(settings.clone(), tables[0].clone(), tables[1..].to_vec());
    (core, on_gpu(&gpu(), settings, tables))
}

fn on_gpu(gpu: &Gpu, settings: &Settings, tables: &[Table]) -> gpu::GpuTrainer {
    let (query, documents) = (tables[0].clone(), tables[1..].to_vec());
    gpu::GpuTrainer::new(gpu, settings.clone(), query, documents).unwrap()
}

fn norm(values: impl Iterator<Item = f32>) -> f64 {
    values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    norm(a.iter().zip(b).map(|(a, b)| a - b))
}

type Gradients = Vec<Vec<(u32, Vec<f32>)>>;

/// The largest distance of two rows' gradients, over the largest gradient of a row.
fn difference(expected: &Gradients, found: &Gradients) -> f64 {
    let rows = |of: &Gradients| -> Vec<(usize, u32)> {
        let tables = of.iter().enumerate();
        tables.flat_map(|(table, rows)| rows.iter().map(move |(row, _)| (table, *row))).collect()
    };
    assert_eq!(rows(expected), rows(found), "the touched rows");
    let pairs = || expected.iter().flatten().zip(found.iter().flatten());
    let largest = pairs().map(|((_, a), _)| norm(a.iter().copied())).fold(0.0, f64::max);
    // Below this a gradient is what cancelled out.
    pairs().map(|((_, a), (_, b))| distance(a, b)).fold(0.0, largest_or_nan) / largest.max(1e-7)
}

/// The largest distance of two rows, over its length.
fn row_deviation(expected: &[Table], found: &[Table]) -> f64 {
    let mut most = 0.0f64;
    for (expected, found) in expected.iter().zip(found) {
        for row in 0..expected.len() {
            let length = norm(expected.row(row).iter().copied()).max(1e-3);
            most = largest_or_nan(most, distance(expected.row(row), found.row(row)) / length);
        }
    }
    most
}

fn assert_reports_agree(expected: &Report, found: &Report) {
    let close = (expected.loss - found.loss).abs() <= 1e-6 + 1e-5 * expected.loss;
    assert!(close, "{expected:?} {found:?}");
    assert_eq!(expected.undefined, found.undefined);
    assert_eq!(expected.clipped, found.clipped);
}

/// Three times the gradient and a step: with moments and away from home from the second on.
fn assert_same_step(settings: &Settings, tables: &[Table], batch: &[Example]) -> f64 {
    assert_same_weighted_step(settings, tables, &[], batch)
}

/// As [`assert_same_step`]; where there are weightings, rows weigh so much.
fn assert_same_weighted_step(
    settings: &Settings,
    tables: &[Table],
    weightings: &[Weighting],
    batch: &[Example],
) -> f64 {
    let (mut core, mut device) = both(settings, tables);
    if !weightings.is_empty() {
        core.weigh(weightings.to_vec());
        device.weigh(weightings.to_vec());
    }
    let batch = pairs(batch);
    let mut most = 0.0f64;
    for _ in 0..3 {
        let found = block_on(device.gradients(&batch)).unwrap();
        let found_difference = difference(&core.gradients(&batch), &found);
        let report = core.step(&batch);
        // The slope is twice what a score lies outside its interval by: where that is little for
        // every pair, the score's own rounding is more of it.
        let most_allowed = 1e-5 * (0.02 / report.loss.sqrt()).max(1.0);
        assert!(found_difference < most_allowed, "{found_difference}: {settings:?} {report:?}");
        most = most.max(found_difference);
        assert_reports_agree(&report, &block_on(device.step(&batch)).unwrap());
        let bytes = saved(&core);
        let (expected, found) = (tensors(&bytes, tables), tensors(&saved_on_gpu(&device), tables));
        for (expected, found) in expected.iter().zip(&found) {
            let length = norm(expected.iter().copied()).max(1e-12);
            let found_difference = distance(expected, found) / length;
            // The second moments are of squares.
            assert!(found_difference < 2.0 * most_allowed, "{found_difference}: {settings:?}");
        }
        // From the very same place again.
        device.restore(&mut Reader::open(&bytes, "test").unwrap()).unwrap();
    }
    most
}

fn saved(trainer: &step::PairTrainer) -> Vec<u8> {
    let mut writer = Writer::new("test");
    trainer.save(&mut writer);
    writer.into_bytes()
}

/// The weights, the first and the second moments that were saved, each of all tables.
fn tensors(bytes: &[u8], tables: &[Table]) -> [Vec<f32>; 3] {
    let mut reader = Reader::open(bytes, "test").unwrap();
    ["weights", "first", "second"].map(|part| {
        let mut values = Vec::new();
        for (number, table) in tables.iter().enumerate() {
            let (name, rows) = (format!("learner.{number}.{part}"), Some(table.len()));
            values.extend(reader.table(&name, rows, table.dimension()).unwrap().into_values());
        }
        values
    })
}

fn saved_on_gpu(trainer: &gpu::GpuTrainer) -> Vec<u8> {
    let mut writer = Writer::new("test");
    block_on(trainer.save(&mut writer)).unwrap();
    writer.into_bytes()
}

#[test]
fn a_step_is_that_of_the_core_for_every_loss_epsilon_and_dimension() {
    let three_part = Loss::three_part(&[0.1, 0.3, 0.5]).unwrap();
    let mean_square = Loss::MeanSquare(Thresholds::new(&[0.1, 0.4]).unwrap());
    let two = sosl(&[0.2]);
    let five = sosl(&[-0.3, 0.0, 0.2, 0.5]);
    let losses = [two, sosl(&[0.1, 0.3]), five, three_part, mean_square];
    let mut most = 0.0f64;
    for (round, loss) in losses.into_iter().cycle().take(15).enumerate() {
        let mut random = Random::new(round as u64, "step");
        let sizes = &[20, 15, 30][..2 + round % 2];
        let dimension = [64, 3, 65, 2, 128, 300][round % 6];
        let tables = random_tables(&mut random, sizes, dimension);
        let batch = random_batch(&mut random, sizes, 1 + 7 * round, (6, loss.grades()));
        let mut settings = settings([0.5, 0.0, 2.0, 0.01][round % 4], loss);
        settings.clip = [None, Some(0.01), Some(100.0)][round % 3];
        settings.pull = [0.0, 0.3][round % 2];
        most = most.max(assert_same_step(&settings, &tables, &batch));
    }
    println!("largest difference of a gradient: {most:e}");
}

#[test]
fn a_step_on_weighted_means_is_that_of_the_core_and_moves_no_sums() {
    for (round, dimension) in [64, 3, 65].into_iter().enumerate() {
        let mut random = Random::new(round as u64, "weighted");
        let sizes = [20, 15, 30];
        let tables = random_tables(&mut random, &sizes, dimension);
        // The last five of each are sums of words.
        let weightings = sizes.map(|rows| {
            let weights = random.uniforms(rows - 5, 0.4).into_iter().map(|x| 0.5 + x);
            Weighting { weights: weights.collect(), counts: vec![1, 2, 3, 4, 5] }
        });
        let batch = random_batch(&mut random, &sizes, 60, (6, 3));
        let mut settings = settings(0.5, sosl(&[0.1, 0.3]));
        settings.clip = [None, Some(0.01)][round % 2];
        settings.pull = [0.0, 0.3][round % 2];
        assert_same_weighted_step(&settings, &tables, &weightings, &batch);
        let mut device = on_gpu(&gpu(), &settings, &tables);
        device.weigh(weightings.to_vec());
        for _ in 0..3 {
            block_on(device.step(&pairs(&batch))).unwrap();
        }
        for (before, after) in tables.iter().zip(block_on(device.tables()).unwrap()) {
            let sums = before.len() - 5..before.len();
            assert!(sums.into_iter().all(|row| before.row(row) == after.row(row)));
            assert_ne!(*before, after);
        }
    }
}

#[test]
fn a_batch_of_one_and_one_of_4096_are_those_of_the_core() {
    let mut random = Random::new(1, "sizes");
    let sizes = [300, 200, 250];
    let tables = random_tables(&mut random, &sizes, 64);
    for size in [1, 4096] {
        let batch = random_batch(&mut random, &sizes, size, (12, 3));
        let most = assert_same_step(&settings(0.5, sosl(&[0.1, 0.3])), &tables, &batch);
        println!("{size} pairs: {most:e}");
    }
}

#[test]
fn more_texts_and_rows_than_a_dispatch_has_workgroups_along_an_axis_are_those_of_the_core() {
    let mut random = Random::new(11, "many");
    let sizes = [70_000, 3];
    let tables = random_tables(&mut random, &sizes, 2);
    let example =
        |i| Example { query: vec![i, 69_999 - i], document: vec![i % 3], ..Example::default() };
    let batch: Vec<Example> = (0..35_000).map(example).collect();
    assert!(2 * batch.len() > gpu().limits().workgroups as usize);
    let (mut core, mut device) = both(&settings(0.5, sosl(&[-0.1, 0.3])), &tables);
    let (batch, report) = (pairs(&batch), core.step(&pairs(&batch)));
    assert_reports_agree(&report, &block_on(device.step(&batch)).unwrap());
    assert!(row_deviation(&core.tables(), &block_on(device.tables()).unwrap()) < 1e-4);
}

#[test]
fn one_dimension_and_4096_are_those_of_the_core() {
    let mut random = Random::new(2, "dimensions");
    for dimension in [1, 4096] {
        let tables = random_tables(&mut random, &[6, 5], dimension);
        let batch = random_batch(&mut random, &[6, 5], 9, (4, 3));
        assert_same_step(&settings(0.5, sosl(&[0.1, 0.3])), &tables, &batch);
    }
}

#[test]
fn texts_without_words_and_one_document_for_all_are_those_of_the_core() {
    let mut random = Random::new(3, "texts");
    let tables = random_tables(&mut random, &[6, 5], 16);
    let document = vec![1, 1, 4];
    let same = |query: &[u32], grade| Example {
        query: query.into(),
        document: document.clone(),
        language: 0,
        grade,
    };
    let mut batch: Vec<Example> = (0..200).map(|i| same(&[i % 6, 2], (i % 3) as u8)).collect();
    batch.push(same(&[], 2));
    batch.push(Example { query: vec![0], grade: 2, ..Example::default() });
    batch.push(Example { grade: 1, ..Example::default() });
    for epsilon in [0.5, 0.0] {
        assert_same_step(&settings(epsilon, sosl(&[0.1, 0.3])), &tables, &batch);
    }
    let (mut core, mut device) = both(&settings(0.0, sosl(&[0.1, 0.3])), &tables);
    let report = block_on(device.step(&pairs(&batch))).unwrap();
    assert_eq!((report.undefined, report.active), (3, core.step(&pairs(&batch)).active));
}

#[test]
fn a_batch_of_no_pairs_is_a_step_as_in_the_core() {
    let tables = random_tables(&mut Random::new(3, "none"), &[6, 5], 16);
    let (mut core, mut device) = both(&settings(0.5, sosl(&[0.1])), &tables);
    assert_eq!(core.step(&[]), block_on(device.step(&[])).unwrap());
    assert_eq!(saved(&core), saved_on_gpu(&device));
}

#[test]
fn rows_whose_pairs_have_no_slope_are_moved_by_their_moments() {
    let tables = random_tables(&mut Random::new(4, "moments"), &[3, 3], 8);
    let (mut core, mut device) = both(&settings(0.5, sosl(&[0.9])), &tables);
    let example = |grade| Example { query: vec![0, 1], document: vec![2], language: 0, grade };
    // No score of these exceeds 0.9: grade 1 has a slope there, grade 0 has none.
    for grade in [1, 0, 0] {
        let before = core.tables();
        let report = core.step(&pairs(&[example(grade)]));
        assert_eq!(report.active, usize::from(grade));
        assert_ne!(before, core.tables());
        assert_reports_agree(&report, &block_on(device.step(&pairs(&[example(grade)]))).unwrap());
        let found = tensors(&saved_on_gpu(&device), &tables);
        for (expected, found) in tensors(&saved(&core), &tables).iter().zip(&found) {
            // Decays of 0.9 and 0.999 as other than 32-bit numbers would be 1e-5 away.
            let length = norm(expected.iter().copied());
            assert!(
                distance(expected, found) < 3e-6 * length,
                "{}",
                distance(expected, found) / length
            );
        }
    }
}

#[test]
fn after_100_steps_every_row_is_where_the_core_has_it() {
    for (clip, pull) in [(None, 0.0), (Some(0.02), 0.001)] {
        let mut random = Random::new(5, "hundred");
        let sizes = [60, 50, 40];
        let tables = random_tables(&mut random, &sizes, 64);
        let mut settings = settings(0.5, sosl(&[0.1, 0.3]));
        (settings.clip, settings.pull) = (clip, pull);
        let (mut core, mut device) = both(&settings, &tables);
        let mut expected = Vec::new();
        for _ in 0..100 {
            let batch = random_batch(&mut random, &sizes, 32, (8, 3));
            expected.push(core.step(&pairs(&batch)));
            device.enqueue(&pairs(&batch)).unwrap();
        }
        let found = block_on(device.reports()).unwrap();
        assert_eq!(found.len(), 100, "one report for each step that was handed over");
        assert!(block_on(device.reports()).unwrap().is_empty());
        for (expected, found) in expected.iter().zip(&found) {
            assert!((expected.loss - found.loss).abs() < 1e-5, "{expected:?} {found:?}");
        }
        let moved = row_deviation(&tables, &core.tables());
        assert!(moved > 0.1, "the rows went somewhere: {moved}");
        let most = row_deviation(&core.tables(), &block_on(device.tables()).unwrap());
        println!("largest difference of a row after 100 steps: {most:e}");
        assert!(most < 1e-4, "{most}");
    }
}

#[test]
fn two_runs_give_the_same_bits() {
    let gpu = gpu();
    let run = || {
        let mut random = Random::new(6, "bits");
        let tables = random_tables(&mut random, &[40, 30], 65);
        let mut settings = settings(0.5, sosl(&[0.1, 0.3]));
        settings.clip = Some(0.02);
        let mut trainer = on_gpu(&gpu, &settings, &tables);
        for _ in 0..5 {
            let batch = random_batch(&mut random, &[40, 30], 100, (8, 3));
            trainer.enqueue(&pairs(&batch)).unwrap();
        }
        (block_on(trainer.reports()).unwrap(), saved_on_gpu(&trainer))
    };
    assert!(run() == run());
}

#[test]
fn tables_in_many_segments_give_the_bits_of_whole_ones() {
    let gpu = gpu();
    let mut random = Random::new(7, "segments");
    let sizes = [23, 17, 9];
    let tables = random_tables(&mut random, &sizes, 6);
    let batches: Vec<_> = (0..4).map(|_| random_batch(&mut random, &sizes, 20, (6, 3))).collect();
    let mut settings = settings(0.5, sosl(&[0.1, 0.3]));
    (settings.clip, settings.pull) = (Some(0.05), 0.1);
    // A row has 24 bytes: one, four and all rows to a segment.
    let [one, four, all] = [24, 100, u64::MAX].map(|bytes| {
        let (query, documents) = (tables[0].clone(), tables[1..].to_vec());
        let mut trainer =
            gpu::GpuTrainer::in_segments(&gpu, bytes, settings.clone(), query, documents).unwrap();
        for batch in &batches {
            trainer.enqueue(&pairs(batch)).unwrap();
        }
        let saved = saved_on_gpu(&trainer);
        // What was saved can be put back, segment by segment.
        trainer.restore(&mut Reader::open(&saved, "test").unwrap()).unwrap();
        assert!(saved_on_gpu(&trainer) == saved);
        saved
    });
    assert!(one == all && four == all);
    let (query, documents) = (tables[0].clone(), tables[1..].to_vec());
    let refused = gpu::GpuTrainer::in_segments(&gpu, 20, settings, query, documents);
    assert!(matches!(refused, Err(Error::NotForGpu { .. })), "not even a row fits");
}

#[test]
fn either_trainer_continues_where_the_other_stopped() {
    let mut random = Random::new(8, "exchange");
    let tables = random_tables(&mut random, &[12, 14], 10);
    let batch = random_batch(&mut random, &[12, 14], 16, (5, 3));
    let batch = pairs(&batch);
    let settings = settings(0.5, sosl(&[0.1, 0.3]));
    let (mut core, mut device) = both(&settings, &tables);
    for _ in 0..3 {
        core.step(&batch);
        block_on(device.step(&batch)).unwrap();
    }
    // Each from the other's file.
    let (of_core, of_device) = (saved(&core), saved_on_gpu(&device));
    core.restore(&mut Reader::open(&of_device, "test").unwrap()).unwrap();
    device.restore(&mut Reader::open(&of_core, "test").unwrap()).unwrap();
    assert!(saved(&core) == of_device && saved_on_gpu(&device) == of_core, "bit for bit");
    for _ in 0..3 {
        core.step(&batch);
        block_on(device.step(&batch)).unwrap();
    }
    assert!(row_deviation(&core.tables(), &block_on(device.tables()).unwrap()) < 1e-5);
    let tables = random_tables(&mut random, &[11, 14], 10);
    let (_, mut other) = both(&settings, &tables);
    let mut reader = Reader::open(&of_core, "test").unwrap();
    assert_eq!(other.restore(&mut reader).unwrap_err().code(), "tensor-shape");
}

#[test]
fn no_table_makes_a_step_give_anything_but_numbers() {
    let tiny = f32::MIN_POSITIVE / 1024.0;
    let rows = vec![0.0, 0.0, tiny, -tiny, 1e-20, 1e-19, 1e18, -1e18, 88.0, -0.0, 0.5, 0.25];
    let tables = [Table::new(2, rows.clone()), Table::new(2, rows)];
    let example = |query, document, grade| Example {
        query: vec![query],
        document: vec![document, 0],
        language: 0,
        grade,
    };
    let mut batch = Vec::new();
    for (query, document) in (0..6).flat_map(|query| (0..6).map(move |document| (query, document)))
    {
        batch.extend((0..3).map(|grade| example(query, document, grade)));
    }
    for epsilon in [0.0, 1e-30, 1e-6, 0.5, 1e30] {
        let (_, mut device) = both(&settings(epsilon, sosl(&[0.2, 0.7])), &tables);
        for _ in 0..3 {
            let report = block_on(device.step(&pairs(&batch))).unwrap();
            assert!(report.loss.is_finite(), "epsilon {epsilon}: {report:?}");
        }
        let tables = block_on(device.tables()).unwrap();
        assert!(tables.iter().flat_map(Table::values).all(|x| x.is_finite()), "epsilon {epsilon}");
    }
}

#[test]
fn what_the_gpu_does_not_do_is_refused_and_changes_nothing() {
    let gpu = gpu();
    let tables = random_tables(&mut Random::new(9, "refused"), &[3, 3], 4);
    let new = |loss, query: &Table, documents: &[Table]| {
        let refused =
            gpu::GpuTrainer::new(&gpu, settings(0.5, loss), query.clone(), documents.to_vec());
        refused.unwrap_err().code()
    };
    let odds = Loss::proportional_odds(Thresholds::new(&[0.1]).unwrap(), 1.0).unwrap();
    assert_eq!(new(odds, &tables[0], &tables[1..]), "not-for-gpu");
    let other = Table::new(5, vec![0.0; 10]);
    assert_eq!(new(sosl(&[0.1]), &tables[0], &[other]), "not-for-gpu");
    assert_eq!(new(sosl(&[0.1]), &Table::default(), &[]), "not-for-gpu");

    let mut trainer = on_gpu(&gpu, &settings(0.5, sosl(&[0.1])), &tables);
    let before = saved_on_gpu(&trainer);
    let good = Example { query: vec![0], document: vec![1], language: 0, grade: 1 };
    for bad in [
        Example { query: vec![3], ..good.clone() },
        Example { document: vec![0, 7], ..good.clone() },
        Example { language: 1, ..good.clone() },
        Example { grade: 2, ..good.clone() },
    ] {
        let refused = block_on(trainer.step(&pairs(&[good.clone(), bad]))).unwrap_err();
        assert_eq!(refused.code(), "not-for-gpu", "{refused}");
    }
    assert!(saved_on_gpu(&trainer) == before);
    block_on(trainer.step(&pairs(&[good]))).unwrap();
}

#[test]
fn a_device_that_is_lost_gives_an_error_and_the_last_saved_state_goes_on_in_the_core() {
    let gpu = own_gpu();
    assert_eq!(gpu.lost(), None);
    let mut random = Random::new(10, "lost");
    let tables = random_tables(&mut random, &[12, 14], 10);
    let batch = random_batch(&mut random, &[12, 14], 16, (5, 3));
    let batch = pairs(&batch);
    let settings = settings(0.5, sosl(&[0.1, 0.3]));
    let mut device = on_gpu(&gpu, &settings, &tables);
    block_on(device.step(&batch)).unwrap();
    let state = saved_on_gpu(&device);
    device.enqueue(&batch).unwrap();
    gpu.destroy();
    assert!(gpu.lost().is_some());
    let failed = |error: Error| assert_eq!(error.code(), "gpu-failed", "{error}");
    failed(block_on(device.reports()).unwrap_err());
    failed(block_on(device.step(&batch)).unwrap_err());
    failed(device.enqueue(&batch).unwrap_err());
    failed(block_on(device.gradients(&batch)).unwrap_err());
    failed(block_on(device.tables()).unwrap_err());
    failed(block_on(device.save(&mut Writer::new("test"))).unwrap_err());
    failed(device.restore(&mut Reader::open(&state, "test").unwrap()).unwrap_err());
    let again = gpu::GpuTrainer::new(&gpu, settings.clone(), tables[0].clone(), vec![]);
    failed(again.unwrap_err());

    let mut core = step::PairTrainer::new(settings, tables[0].clone(), tables[1..].to_vec());
    core.restore(&mut Reader::open(&state, "test").unwrap()).unwrap();
    assert!(core.step(&batch).loss.is_finite());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_batch_is_that_of_the_core(
        seed in any::<u64>(), dimension in 2usize..80, size in 1usize..60, words in 0usize..9,
        languages in 1usize..3, grades in 2usize..6, epsilon in prop_oneof![Just(0.0), 0.01f32..3.0],
        clip in prop::option::of(0.001f32..0.1), pull in prop_oneof![Just(0.0), 0.01f32..0.5],
    ) {
        let mut random = Random::new(seed, "any");
        let sizes = &[9, 7, 8][..1 + languages];
        let tables = random_tables(&mut random, sizes, dimension);
        let thresholds: Vec<f32> = (1..grades).map(|i| i as f32 / grades as f32 - 0.3).collect();
        let batch = random_batch(&mut random, sizes, size, (words, grades));
        let mut settings = settings(epsilon, sosl(&thresholds));
        (settings.clip, settings.pull) = (clip, pull);
        assert_same_step(&settings, &tables, &batch);
    }
}
