//! The training step against finite differences of the formulas written again in f64, and against
//! PyTorch's autograd and SparseAdam.
// An independent tanh: the library's comes from libm.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeSet;

use crate::example::{Example, pairs};
use smooth_clir::encoder::Table;
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Judged, Measured, PairTrainer, Report, Settings, Weighting};

fn trainer(epsilon: f32, thresholds: &[f32], learning_rate: f32, tables: &[Table]) -> PairTrainer {
    let loss = Loss::Sosl(Thresholds::new(thresholds).unwrap());
    let settings = Settings { epsilon, loss, learning_rate, clip: None, pull: 0.0 };
    PairTrainer::new(settings, tables[0].clone(), tables[1..].to_vec())
}

// ---- the formulas again --------------------------------------------------------------------

/// Tables in f64: of queries, then of each language.
type Wide = Vec<Vec<Vec<f64>>>;

fn wide(tables: &[Table]) -> Wide {
    let row = |row: &[f32]| row.iter().map(|&x| f64::from(x)).collect();
    tables.iter().map(|table| (0..table.len()).map(|i| row(table.row(i))).collect()).collect()
}

/// `tanh(sum w_t e_t / sum w_t)` of the rows, where a row that is not learned is the sum of words
/// that weigh 1; the zero vector of no rows.
fn encode(table: &[Vec<f64>], weighting: Option<&Weighting>, rows: &[u32]) -> Vec<f64> {
    let is_sum = |&row: &u32| weighting.is_some_and(|of| row as usize >= of.weights.len());
    let weight = |&row: &u32| match weighting {
        None => 1.0,
        Some(of) if is_sum(&row) => f64::from(of.counts[row as usize - of.weights.len()]),
        Some(of) => f64::from(of.weights[row as usize]),
    };
    let total = if rows.is_empty() { 1.0 } else { rows.iter().map(weight).sum::<f64>() };
    let mean = |at: usize| -> f64 {
        let factor = |row| if is_sum(row) { 1.0 } else { weight(row) };
        rows.iter().map(|row| factor(row) * table[*row as usize][at]).sum::<f64>() / total
    };
    (0..table[0].len()).map(|at| mean(at).tanh()).collect()
}

/// The batch's mean loss (paper 1, eqs. 1 and 2). At epsilon 0 a pair with a zero vector has no
/// gradient: it counts as a constant.
fn loss(
    tables: &Wide,
    weightings: &[Weighting],
    batch: &[Example],
    epsilon: f64,
    thresholds: &[f32],
) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let edges: Vec<f64> =
        [&[-1.0], thresholds, &[1.0]].concat().iter().map(|&t| f64::from(t)).collect();
    let of_pair = |example: &Example| {
        let language = 1 + example.language;
        let q = encode(&tables[0], weightings.first(), &example.query);
        let d = encode(&tables[language], weightings.get(language), &example.document);
        let below = (dot(&q, &q).sqrt() + epsilon) * (dot(&d, &d).sqrt() + epsilon);
        let r = if below > 0.0 { dot(&q, &d) / below } else { 0.0 };
        let (low, high) =
            (edges[usize::from(example.grade)], edges[usize::from(example.grade) + 1]);
        (r - high).max(0.0).powi(2) + (low - r).max(0.0).powi(2)
    };
    batch.iter().map(of_pair).sum::<f64>() / batch.len() as f64
}

/// The derivative of the mean loss in one number of a table.
fn difference(
    tables: &mut Wide,
    [table, row, at]: [usize; 3],
    mut loss: impl FnMut(&Wide) -> f64,
) -> f64 {
    let (here, step) = (tables[table][row][at], 1e-6);
    let mut moved = |to: f64| {
        tables[table][row][at] = to;
        loss(tables)
    };
    let difference = (moved(here + step) - moved(here - step)) / (2.0 * step);
    tables[table][row][at] = here;
    difference
}

fn assert_gradients(tables: &[Table], batch: &[Example], epsilon: f32, thresholds: &[f32]) {
    assert_weighted_gradients(tables, &[], batch, epsilon, thresholds);
}

/// Compares the gradient in every number of every table, touched or not.
fn assert_weighted_gradients(
    tables: &[Table],
    weightings: &[Weighting],
    batch: &[Example],
    epsilon: f32,
    thresholds: &[f32],
) {
    let mut trainer = trainer(epsilon, thresholds, 0.1, tables);
    trainer.weigh(weightings.to_vec());
    let found = trainer.gradients(&pairs(batch));
    assert_eq!(found.len(), tables.len());
    let mut exact = wide(tables);
    for (number, table) in tables.iter().enumerate() {
        let touched: BTreeSet<u32> = batch
            .iter()
            .flat_map(|example| match number {
                0 => &example.query[..],
                _ if example.language == number - 1 => &example.document,
                _ => &[],
            })
            .copied()
            .collect();
        let rows: Vec<u32> = found[number].iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, touched.into_iter().collect::<Vec<_>>(), "the touched rows, in order");
        for row in 0..table.len() {
            let gradient = found[number].iter().find(|(found, _)| *found as usize == row);
            let stays = weightings.get(number).is_some_and(|of| row >= of.weights.len());
            for at in 0..table.dimension() {
                let expected = if stays {
                    0.0
                } else {
                    difference(&mut exact, [number, row, at], |tables| {
                        loss(tables, weightings, batch, f64::from(epsilon), thresholds)
                    })
                };
                let found = gradient.map_or(0.0, |(_, values)| f64::from(values[at]));
                let close = (found - expected).abs() < 2e-6 + 2e-5 * expected.abs();
                assert!(close, "epsilon {epsilon}, table {number}, row {row}: {found} {expected}");
            }
        }
    }
}

fn random_tables(random: &mut Random, sizes: &[usize], dimension: usize) -> Vec<Table> {
    let table = |&rows: &usize| Table::new(dimension, random.normals(rows * dimension, 0.6));
    sizes.iter().map(table).collect()
}

/// Pairs of one to five words each, some of them the same word again.
fn random_batch(random: &mut Random, sizes: &[usize], pairs: usize, grades: usize) -> Vec<Example> {
    let text = |random: &mut Random, rows: usize| -> Vec<u32> {
        (0..1 + random.below(5)).map(|_| random.below(rows) as u32).collect()
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

#[test]
fn gradients_are_the_finite_differences() {
    for (round, epsilon) in [0.0, 0.01, 0.5, 1.0, 5.0].into_iter().cycle().take(20).enumerate() {
        let mut random = Random::new(round as u64, "tables");
        // Few rows, so that pairs share words; one to three languages; two to four grades.
        let languages = 1 + round % 3;
        let sizes = &[5, 4, 3, 6][..1 + languages];
        let thresholds = &[-0.1, 0.2, 0.5][..1 + round % 3];
        let tables = random_tables(&mut random, sizes, 2 + round);
        let batch = random_batch(&mut random, sizes, 1 + round / 2, thresholds.len() + 1);
        assert_gradients(&tables, &batch, epsilon, thresholds);
    }
}

#[test]
fn gradients_go_to_the_rows_of_large_tables_too() {
    let mut random = Random::new(1, "large");
    let sizes = [200, 300];
    let tables = random_tables(&mut random, &sizes, 2);
    let batch = random_batch(&mut random, &sizes, 20, 3);
    assert_gradients(&tables, &batch, 0.5, &[0.1, 0.4]);
}

#[test]
fn a_word_said_twice_counts_twice_and_one_shared_by_pairs_in_each() {
    let mut random = Random::new(1, "tables");
    let tables = random_tables(&mut random, &[3, 3], 4);
    let pair = |query: &[u32], document: &[u32], grade| Example {
        query: query.into(),
        document: document.into(),
        language: 0,
        grade,
    };
    let batch = [pair(&[0, 0, 1], &[2, 2, 2], 2), pair(&[0], &[2, 1], 0), pair(&[1, 0], &[1], 1)];
    assert_gradients(&tables, &batch, 0.5, &[0.2, 0.6]);
    // A pair given twice weighs twice as much as the other.
    assert_gradients(&tables, &[&batch[..], &batch[..1]].concat(), 0.5, &[0.2, 0.6]);
}

#[test]
fn a_text_with_no_words_is_the_zero_vector_and_teaches_the_other_side_nothing_wrong() {
    let mut random = Random::new(2, "tables");
    let tables = random_tables(&mut random, &[3, 3], 4);
    let words = vec![0, 2];
    let batch = [
        Example { query: words.clone(), grade: 2, ..Example::default() },
        Example { document: words.clone(), grade: 2, ..Example::default() },
        Example { grade: 2, ..Example::default() },
        Example { query: words.clone(), document: words, grade: 2, ..Example::default() },
    ];
    assert_gradients(&tables, &batch, 0.5, &[0.2, 0.6]);
    let report = trainer(0.5, &[0.2, 0.6], 0.1, &tables).step(&pairs(&batch));
    assert_eq!(report.undefined, 0, "above 0 every gradient exists");
}

/// A query of two words whose rows cancel out, and what one plain word says.
fn cancelling() -> (Vec<Table>, Vec<Example>) {
    let query = Table::new(3, vec![0.5, -1.0, 0.25, -0.5, 1.0, -0.25, 0.3, 0.1, 0.2]);
    let document = Table::new(3, vec![0.75, 0.5, -0.5, 0.4, 0.0, 0.1]);
    let cancel = Example { query: vec![0, 1], document: vec![0], language: 0, grade: 2 };
    let plain = Example { query: vec![2], document: vec![0, 1], language: 0, grade: 2 };
    (vec![query, document], vec![cancel, plain])
}

#[test]
fn at_the_zero_vector_the_gradient_exists_for_any_epsilon_above_0() {
    let (tables, batch) = cancelling();
    for epsilon in [0.1, 0.5, 2.0] {
        assert_gradients(&tables, &batch, epsilon, &[0.1, 0.3]);
        let report = trainer(epsilon, &[0.1, 0.3], 0.1, &tables).step(&pairs(&batch));
        assert_eq!(report.undefined, 0);
    }
    let found = trainer(0.5, &[0.1, 0.3], 0.1, &tables).gradients(&pairs(&batch[..1]));
    assert!(found[0][0].1.iter().any(|&x| x != 0.0), "it is d / (|d| + eps) / eps, not 0");
}

#[test]
fn at_epsilon_0_a_zero_vector_is_reported_and_teaches_nothing() {
    let (tables, mut batch) = cancelling();
    batch.push(Example { query: vec![2], grade: 2, ..Example::default() });
    batch.push(Example { document: vec![1], grade: 1, ..Example::default() });
    batch.push(Example { grade: 1, ..Example::default() });
    // Its score, 0, is where grade 0 has it: no gradient is needed.
    batch.push(Example { query: vec![2], grade: 0, ..Example::default() });
    let report = trainer(0.0, &[0.1, 0.3], 0.1, &tables).step(&pairs(&batch));
    assert_eq!(report.undefined, 4);
    let expected = loss(&wide(&tables), &[], &batch, 0.0, &[0.1, 0.3]);
    assert!((report.loss - expected).abs() < 1e-6, "{report:?}, expected {expected}");

    // Only the plain pair flows back, at its share of the batch.
    let found = trainer(0.0, &[0.1, 0.3], 0.1, &tables).gradients(&pairs(&batch));
    let alone = trainer(0.0, &[0.1, 0.3], 0.1, &tables).gradients(&pairs(&batch[1..2]));
    for (found, alone) in found.iter().zip(&alone) {
        for (row, values) in found {
            let expected = alone.iter().find(|(other, _)| other == row);
            for (at, &x) in values.iter().enumerate() {
                let expected = expected.map_or(0.0, |(_, values)| values[at] / 6.0);
                assert!(x.is_finite() && (x - expected).abs() < 1e-7, "row {row}: {values:?}");
            }
        }
    }
}

#[test]
fn no_table_makes_a_step_give_anything_but_numbers() {
    // Zeros, the smallest and the largest numbers, in every mixture of pairs.
    let tiny = f32::MIN_POSITIVE / 1024.0;
    let rows = vec![0.0, 0.0, tiny, -tiny, 1e-20, 1e-19, 1e18, -1e18, 88.0, -0.0, 0.5, 0.25];
    let tables = [Table::new(2, rows.clone()), Table::new(2, rows)];
    let mut batch = Vec::new();
    for query in 0..6 {
        for document in 0..6 {
            for grade in 0..3 {
                let (query, document) = (vec![query], vec![document, 0]);
                batch.push(Example { query, document, language: 0, grade });
            }
        }
    }
    for epsilon in [0.0, 1e-30, 1e-6, 0.5, 1e30] {
        let mut trainer = trainer(epsilon, &[0.2, 0.7], 0.01, &tables);
        for _ in 0..3 {
            let report = trainer.step(&pairs(&batch));
            assert!(report.loss.is_finite(), "epsilon {epsilon}: {report:?}");
            let tables = trainer.tables();
            let all = tables.iter().flat_map(Table::values);
            assert!(all.copied().all(f32::is_finite), "epsilon {epsilon}");
        }
    }
}

// ---- Adam ----------------------------------------------------------------------------------

/// PyTorch's results: see `tests/reference/step.py`.
#[derive(Default)]
struct Reference {
    epsilon: f32,
    rate: f32,
    thresholds: Vec<f32>,
    tables: Vec<Table>,
    steps: Vec<Done>,
}

/// A step: its batch and, by table and row, what came of it.
#[derive(Default)]
struct Done {
    batch: Vec<Example>,
    loss: f64,
    gradients: Vec<(usize, u32, Vec<f64>)>,
    after: Vec<(usize, u32, Vec<f64>)>,
}

fn reference() -> Reference {
    fn list<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
        text.split(',').filter(|x| !x.is_empty()).map(|x| x.parse().unwrap()).collect()
    }
    let mut reference = Reference::default();
    let mut rows: Vec<Vec<f32>> = Vec::new();
    for line in include_str!("../reference/step.tsv").lines() {
        let column: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| column[at].parse::<usize>().unwrap();
        if !matches!(column[0], "setting" | "row") && reference.steps.len() == number(1) {
            reference.steps.push(Done::default());
        }
        let values = || (number(2), number(3) as u32, list(column[4]));
        match (column[0], reference.steps.last_mut()) {
            ("setting", _) => match column[1] {
                "epsilon" => reference.epsilon = column[2].parse().unwrap(),
                "rate" => reference.rate = column[2].parse().unwrap(),
                "thresholds" => reference.thresholds = list(column[2]),
                other => panic!("{other}"),
            },
            ("row", _) => {
                rows.resize(rows.len().max(number(1) + 1), Vec::new());
                rows[number(1)].extend(list::<f32>(column[3]));
            }
            ("pair", Some(step)) => step.batch.push(Example {
                query: list(column[2]),
                document: list(column[3]),
                language: number(4),
                grade: number(5) as u8,
            }),
            ("loss", Some(step)) => step.loss = column[2].parse().unwrap(),
            ("gradient", Some(step)) => step.gradients.push(values()),
            ("after", Some(step)) => step.after.push(values()),
            (other, _) => panic!("{other}"),
        }
    }
    reference.tables = rows.into_iter().map(|values| Table::new(5, values)).collect();
    assert_eq!((reference.steps.len(), reference.tables.len()), (3, 3));
    reference
}

#[test]
fn one_and_three_steps_leave_the_weights_that_pytorch_leaves() {
    let Reference { epsilon, rate, thresholds, tables, steps } = reference();
    let mut trainer = trainer(epsilon, &thresholds, rate, &tables);
    for (number, step) in steps.iter().enumerate() {
        let report = trainer.step(&pairs(&step.batch));
        assert!((report.loss - step.loss).abs() < 1e-6, "step {number}: {report:?} {}", step.loss);
        assert_eq!(step.after.len(), tables.iter().map(Table::len).sum::<usize>());
        for (table, row, expected) in &step.after {
            let table = &trainer.tables()[*table];
            for (x, expected) in table.row(*row as usize).iter().zip(expected) {
                let close = (f64::from(*x) - expected).abs() < 2e-6;
                assert!(close, "step {number}, row {row}: {x} {expected}");
            }
        }
    }
}

#[test]
fn gradients_are_those_of_pytorch() {
    let Reference { epsilon, rate, thresholds, tables, steps } = reference();
    let mut trainer = trainer(epsilon, &thresholds, rate, &tables);
    for step in &steps {
        let found = trainer.gradients(&pairs(&step.batch));
        assert_eq!(found.iter().map(Vec::len).sum::<usize>(), step.gradients.len());
        for (table, row, expected) in &step.gradients {
            let (_, values) = found[*table].iter().find(|(found, _)| found == row).unwrap();
            for (x, expected) in values.iter().zip(expected) {
                assert!((f64::from(*x) - expected).abs() < 1e-6, "row {row}: {x} {expected}");
            }
        }
        trainer.step(&pairs(&step.batch));
    }
}

#[test]
fn asking_for_gradients_changes_nothing() {
    let Reference { epsilon, rate, thresholds, tables, steps } = reference();
    let mut plain = trainer(epsilon, &thresholds, rate, &tables);
    let mut asked = plain.clone();
    for step in &steps {
        asked.gradients(&pairs(&step.batch));
        plain.step(&pairs(&step.batch));
        asked.step(&pairs(&step.batch));
    }
    assert!(plain.tables() == asked.tables());
}

#[test]
fn rows_that_a_batch_does_not_touch_keep_their_bits() {
    let mut random = Random::new(3, "tables");
    let sizes = [40, 30, 20];
    let tables = random_tables(&mut random, &sizes, 19);
    let mut trainer = trainer(0.5, &[0.2, 0.6], 0.05, &tables);
    let bits = |row: &[f32]| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for round in 0..5 {
        // The second batch has no document of the second language.
        let languages = if round == 1 { &sizes[..2] } else { &sizes };
        let batch = random_batch(&mut random, languages, 3, 3);
        let before: Vec<Table> = trainer.tables();
        let touched = trainer.gradients(&pairs(&batch));
        trainer.step(&pairs(&batch));
        let (mut kept, mut moved) = (0, 0);
        for ((before, after), touched) in before.iter().zip(trainer.tables()).zip(&touched) {
            for row in 0..before.len() {
                if touched.iter().any(|(other, _)| *other as usize == row) {
                    moved += usize::from(bits(before.row(row)) != bits(after.row(row)));
                } else {
                    assert_eq!(bits(before.row(row)), bits(after.row(row)), "row {row}");
                    kept += 1;
                }
            }
        }
        assert!(kept > 40 && moved > 0, "{kept} rows kept, {moved} moved");
    }
}

#[test]
fn a_batch_of_nothing_teaches_nothing() {
    let Reference { epsilon, rate, thresholds, tables, .. } = reference();
    let mut trainer = trainer(epsilon, &thresholds, rate, &tables);
    assert_eq!(trainer.step(&[]), Report::default());
    assert!(trainer.tables() == tables);
    assert!(trainer.gradients(&[]).iter().all(Vec::is_empty));
}

#[test]
fn steps_make_the_loss_fall() {
    let mut random = Random::new(4, "tables");
    let tables = random_tables(&mut random, &[12, 12], 16);
    let batch: Vec<Example> = (0..36)
        .map(|i| {
            let (query, document) = (i % 6, i / 6);
            let grade = if query == document { 2 } else { 0 };
            let twice = |word: u32| vec![2 * word, 2 * word + 1];
            Example { query: twice(query), document: twice(document), language: 0, grade }
        })
        .collect();
    let mut trainer = trainer(0.5, &[0.2, 0.6], 0.05, &tables);
    let first = trainer.step(&pairs(&batch)).loss;
    let losses: Vec<f64> = (0..60).map(|_| trainer.step(&pairs(&batch)).loss).collect();
    assert!(losses[59] < first / 100.0, "{first} {losses:?}");
}

// ---- clipping, plain descent, saving -------------------------------------------------------

/// Those of [`trained`], but for these.
fn settings(clip: Option<f32>, pull: f32) -> Settings {
    let loss = Loss::Sosl(Thresholds::new(&[0.1, 0.3]).unwrap());
    Settings { epsilon: 0.5, loss, learning_rate: 0.05, clip, pull }
}

/// A trainer and a batch with a gradient.
fn trained() -> (PairTrainer, Vec<Example>) {
    let mut random = Random::new(5, "taught");
    let tables = random_tables(&mut random, &[6, 7], 5);
    let batch = random_batch(&mut random, &[6, 7], 8, 3);
    (trainer(0.5, &[0.1, 0.3], 0.05, &tables), batch)
}

/// The trainer's saved tensors that are called so, by table.
fn saved(trainer: &PairTrainer, part: &str) -> Vec<Vec<f32>> {
    let mut writer = Writer::new("test");
    trainer.save(&mut writer);
    let bytes = writer.into_bytes();
    let mut reader = Reader::open(&bytes, "test").unwrap();
    let tables = trainer.tables().into_iter().enumerate().map(|(number, table)| {
        let name = format!("learner.{number}.{part}");
        let rows = Some(table.len());
        reader.table(&name, rows, table.dimension()).unwrap().into_values()
    });
    tables.collect()
}

fn length(tables: &[Vec<f32>]) -> f64 {
    tables.iter().flatten().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

#[test]
fn a_gradient_longer_than_the_clip_is_shortened_over_all_tables_together() {
    let (mut plain, batch) = trained();
    let report = plain.step(&pairs(&batch));
    assert!(!report.clipped);
    // From 0, Adam's first moment is a tenth of the gradient after one step.
    let first = saved(&plain, "first");
    let whole = length(&first) * 10.0;
    for (share, clipped) in [(0.25, true), (0.99, true), (1.01, false), (100.0, false)] {
        let clip = Some((whole * share) as f32);
        let (trainer, _) = trained();
        let tables: Vec<Table> = trainer.tables();
        let settings = settings(clip, 0.0);
        let mut trainer = PairTrainer::new(settings, tables[0].clone(), tables[1..].to_vec());
        assert_eq!(trainer.step(&pairs(&batch)).clipped, clipped, "{share}");
        let share = if clipped { share } else { 1.0 };
        for (found, plain) in saved(&trainer, "first").iter().flatten().zip(first.iter().flatten())
        {
            let expected = f64::from(*plain) * share;
            assert!((f64::from(*found) - expected).abs() < 1e-8, "{share}: {found} {expected}");
        }
    }
}

#[test]
fn a_pull_adds_its_share_of_the_way_back_to_the_gradient() {
    let (trainer, batch) = trained();
    let start: Vec<Table> = trainer.tables();
    let pull = 0.25;
    let on = |tables: &[Table], pull| {
        let settings = settings(None, pull);
        PairTrainer::new(settings, tables[0].clone(), tables[1..].to_vec())
    };
    for threads in [1, 3] {
        let settings = settings(None, pull);
        let mut pulled =
            PairTrainer::on_threads(threads, settings, start[0].clone(), start[1..].to_vec());
        for _ in 0..3 {
            pulled.step(&pairs(&batch));
        }
        let now = pulled.tables();
        let plain = on(&now, 0.0).gradients(&pairs(&batch));
        let mut longest = 0.0f32;
        for (number, (found, plain)) in
            pulled.gradients(&pairs(&batch)).iter().zip(&plain).enumerate()
        {
            for ((row, found), (_, plain)) in found.iter().zip(plain) {
                let (now, start) =
                    (now[number].row(*row as usize), start[number].row(*row as usize));
                for at in 0..now.len() {
                    let expected = plain[at] + pull * (now[at] - start[at]);
                    assert!((found[at] - expected).abs() < 1e-6, "{} {expected}", found[at]);
                    longest = longest.max((now[at] - start[at]).abs());
                }
            }
        }
        assert!(longest > 0.05, "the rows went somewhere: {longest}");
    }
    // At home there is no pull: the first step is that of a trainer without.
    let [mut with, mut without] = [on(&start, pull), on(&start, 0.0)];
    assert_eq!(with.step(&pairs(&batch)), without.step(&pairs(&batch)));
    assert_eq!(with.tables(), without.tables());
    // Later it keeps the rows nearer.
    let far = |trainer: &PairTrainer| -> f32 {
        let tables = trainer.tables();
        let numbers =
            tables.iter().zip(&start).flat_map(|(a, b)| a.values().iter().zip(b.values()));
        numbers.map(|(a, b)| (a - b) * (a - b)).sum()
    };
    for _ in 0..50 {
        with.step(&pairs(&batch));
        without.step(&pairs(&batch));
    }
    assert!(far(&with) < far(&without), "{} {}", far(&with), far(&without));
}

#[test]
fn a_pull_may_be_towards_other_tables() {
    let (mut plain, batch) = trained();
    let (start, pull) = (plain.tables(), 0.25);
    let homes = random_tables(&mut Random::new(9, "homes"), &[6, 7], 5);
    let settings = settings(None, pull);
    let mut pulled = PairTrainer::new(settings, start[0].clone(), start[1..].to_vec());
    pulled.pull_towards(homes.clone());
    let both = pulled.gradients(&pairs(&batch)).into_iter().zip(plain.gradients(&pairs(&batch)));
    for (number, (found, plain)) in both.enumerate() {
        for ((row, found), (_, plain)) in found.iter().zip(&plain) {
            let (now, home) = (start[number].row(*row as usize), homes[number].row(*row as usize));
            for at in 0..now.len() {
                let expected = plain[at] + pull * (now[at] - home[at]);
                assert!((found[at] - expected).abs() < 1e-6, "{} {expected}", found[at]);
            }
        }
    }
}

#[test]
fn at_a_step_size_of_0_nothing_moves() {
    let (mut trainer, batch) = trained();
    let before = trainer.tables();
    trainer.set_learning_rate(0.0);
    trainer.step(&pairs(&batch));
    assert_eq!(trainer.tables(), before);
}

/// Weights for tables of so many rows, of which the last are not learned.
fn random_weightings(random: &mut Random, sizes: &[usize], last: usize) -> Vec<Weighting> {
    let weighting = |&rows: &usize| {
        let weights = random.uniforms(rows - last, 0.4).into_iter().map(|x| 0.5 + x);
        Weighting { weights: weights.collect(), counts: (1..=last as u32).collect() }
    };
    sizes.iter().map(weighting).collect()
}

#[test]
fn gradients_of_weighted_means_are_the_finite_differences_and_sums_have_none() {
    for (round, epsilon) in [0.0, 0.5, 2.0].into_iter().cycle().take(9).enumerate() {
        let mut random = Random::new(round as u64, "weighted");
        let sizes = &[5, 4, 6][..2 + round % 2];
        let tables = random_tables(&mut random, sizes, 3 + round);
        let weightings = random_weightings(&mut random, sizes, round % 3);
        let batch = random_batch(&mut random, sizes, 2 + round, 3);
        assert_weighted_gradients(&tables, &weightings, &batch, epsilon, &[0.2, 0.5]);
        // Documents whose words weigh nothing of their own.
        assert_weighted_gradients(&tables, &weightings[..1], &batch, epsilon, &[0.2, 0.5]);
    }
}

#[test]
fn weights_of_1_give_the_bits_of_none() {
    let (plain, batch) = trained();
    let ones = |table: &Table| Weighting { weights: vec![1.0; table.len()], counts: Vec::new() };
    for threads in [1, 3] {
        let start: Vec<Table> = plain.tables();
        let settings = settings(Some(0.01), 0.1);
        let [mut with, mut without] = [(); 2].map(|()| {
            let (query, documents) = (start[0].clone(), start[1..].to_vec());
            PairTrainer::on_threads(threads, settings.clone(), query, documents)
        });
        with.weigh(start.iter().map(ones).collect());
        for _ in 0..5 {
            assert_eq!(with.step(&pairs(&batch)), without.step(&pairs(&batch)));
        }
        assert_eq!(with.tables(), without.tables());
    }
}

#[test]
fn rows_that_are_sums_stay_as_they_are_and_the_others_learn() {
    let mut random = Random::new(3, "stay");
    let sizes = [6, 7];
    let tables = random_tables(&mut random, &sizes, 5);
    let batch = random_batch(&mut random, &sizes, 40, 3);
    let settings = settings(None, 0.1);
    let mut trainer = PairTrainer::new(settings, tables[0].clone(), tables[1..].to_vec());
    trainer.weigh(random_weightings(&mut random, &sizes, 2));
    let first = trainer.step(&pairs(&batch)).loss;
    let last = (0..100).map(|_| trainer.step(&pairs(&batch)).loss).last().unwrap();
    assert!(last < first, "{last} {first}");
    for (before, after) in tables.iter().zip(trainer.tables()) {
        let moved = (0..before.len()).map(|row| before.row(row) != after.row(row));
        let expected = (0..before.len()).map(|row| row < before.len() - 2);
        assert_eq!(moved.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

#[test]
fn plain_descent_moves_every_row_against_its_gradient() {
    let (mut trainer, batch) = trained();
    let before: Vec<Table> = trainer.tables();
    let gradients = trainer.gradients(&pairs(&batch));
    trainer.descend(&pairs(&batch), 0.5);
    for ((before, after), gradients) in before.iter().zip(trainer.tables()).zip(&gradients) {
        for row in 0..before.len() {
            let gradient = gradients.iter().find(|(touched, _)| *touched as usize == row);
            for at in 0..before.dimension() {
                let moved = gradient.map_or(0.0, |(_, values)| 0.5 * values[at]);
                assert_eq!(after.row(row)[at].to_bits(), (before.row(row)[at] - moved).to_bits());
            }
        }
    }
}

#[test]
fn a_trainer_that_was_saved_and_restored_continues_to_the_same_bits() {
    let (mut whole, batch) = trained();
    whole.step(&pairs(&batch));
    whole.step(&pairs(&batch[..5]));
    let mut writer = Writer::new("test");
    whole.save(&mut writer);
    let bytes = writer.into_bytes();
    let (mut restored, _) = trained();
    let mut reader = Reader::open(&bytes, "test").unwrap();
    restored.restore(&mut reader).unwrap();
    reader.finish().unwrap();
    for trainer in [&mut whole, &mut restored] {
        trainer.step(&pairs(&batch[3..]));
    }
    for part in ["weights", "first", "second"] {
        let bits = |trainer| -> Vec<u32> {
            saved(trainer, part).iter().flatten().map(|x| x.to_bits()).collect()
        };
        assert_eq!(bits(&whole), bits(&restored), "{part}");
    }
    // Of other sizes, it is refused.
    let tables = random_tables(&mut Random::new(1, "other"), &[5, 7], 5);
    let mut other = trainer(0.5, &[0.1, 0.3], 0.05, &tables);
    assert!(other.restore(&mut Reader::open(&bytes, "test").unwrap()).is_err());
}

// ---- slopes that the caller computes -------------------------------------------------------

/// The slopes of SOSL, each pair by itself, as parts of a batch's mean.
fn sosl_slopes(loss: &Loss, batch: &[Example], measured: &[Measured]) -> Vec<Judged> {
    let share = 1.0 / batch.len() as f32;
    let judged = |(example, measured): (&Example, &Measured)| Judged {
        loss: loss.value(measured.score, example.grade) * share,
        slope: loss.slope(measured.score, example.grade) * share,
    };
    batch.iter().zip(measured).map(judged).collect()
}

#[test]
fn slopes_of_each_pair_by_itself_give_the_bits_of_the_usual_step() {
    let mut random = Random::new(5, "tables");
    let sizes = [5, 4, 3];
    let tables = random_tables(&mut random, &sizes, 4);
    let batch = random_batch(&mut random, &sizes, 9, 3);
    for clip in [None, Some(1e-3)] {
        let loss = Loss::Sosl(Thresholds::new(&[0.1, 0.5]).unwrap());
        let settings =
            Settings { epsilon: 0.5, loss: loss.clone(), learning_rate: 0.1, clip, pull: 0.0 };
        let trainer =
            || PairTrainer::new(settings.clone(), tables[0].clone(), tables[1..].to_vec());
        let (mut usual, mut by) = (trainer(), trainer());
        for _ in 0..3 {
            let expected = usual.step(&pairs(&batch));
            let found = by.step_by(&pairs(&batch), [0.5; 2], |all| sosl_slopes(&loss, &batch, all));
            assert_eq!((found.active, found.clipped), (expected.active, expected.clipped));
            assert!((found.loss - expected.loss).abs() < 1e-6);
        }
        assert_eq!(usual.tables(), by.tables());
    }
}

#[test]
fn a_loss_of_all_scores_and_two_epsilons_descends_by_its_finite_difference() {
    let mut random = Random::new(5, "tables");
    let sizes = [5, 4, 3];
    let tables = random_tables(&mut random, &sizes, 4);
    let batch = random_batch(&mut random, &sizes, 9, 3);
    let epsilons = [0.3f32, 0.9];
    // Half the square of the sum of all scores: each score's slope depends on the others.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scores = |tables: &Wide| -> Vec<f64> {
        let score = |example: &Example| {
            let q = encode(&tables[0], None, &example.query);
            let d = encode(&tables[1 + example.language], None, &example.document);
            let norms = [&q, &d].map(|v| dot(v, v).sqrt());
            dot(&q, &d)
                / ((norms[0] + f64::from(epsilons[0])) * (norms[1] + f64::from(epsilons[1])))
        };
        batch.iter().map(score).collect()
    };
    let loss = |tables: &Wide| scores(tables).iter().sum::<f64>().powi(2) / 2.0;
    let mut trainer = trainer(7.0, &[0.1, 0.5], 0.1, &tables);
    let mut found_scores = Vec::new();
    let report = trainer.descend_by(
        &pairs(&batch),
        epsilons,
        |all| {
            found_scores = all.iter().map(|measured| measured.score).collect();
            let sum: f32 = found_scores.iter().sum();
            let mut judged = vec![Judged { loss: 0.0, slope: sum }; all.len()];
            judged[0].loss = 0.5 * sum * sum;
            judged
        },
        0.125,
    );
    let mut exact = wide(&tables);
    assert!((report.loss - loss(&exact)).abs() < 1e-5);
    for (found, expected) in found_scores.iter().zip(scores(&exact)) {
        assert!((f64::from(*found) - expected).abs() < 1e-6);
    }
    for (number, (before, after)) in tables.iter().zip(trainer.tables()).enumerate() {
        for row in 0..before.len() {
            for at in 0..before.dimension() {
                let moved = f64::from(before.row(row)[at] - after.row(row)[at]) / 0.125;
                let expected = difference(&mut exact, [number, row, at], loss);
                assert!((moved - expected).abs() < 2e-5, "{number} {row} {at}: {moved} {expected}");
            }
        }
    }
}
