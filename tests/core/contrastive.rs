//! The contrastive step against PyTorch's autograd and SparseAdam.

use smooth_clir::encoder::Table;
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::text::subwords::Spellings;
use smooth_clir::text::vocabulary::Vocabulary;
use smooth_clir::training::step::contrastive::{
    Batch, ContrastiveTrainer, Objective, Settings, Words,
};

const DIMENSION: usize = 4;
const BUCKETS: usize = 7;

/// PyTorch's results: see `tests/reference/contrastive.py`.
#[derive(Default, Clone)]
struct Reference {
    words: [Vec<(String, f32)>; 2],
    before: [Vec<f32>; 3],
    steps: Vec<Step>,
    /// Of each objective: its name, the loss before each step, the tables after the last.
    done: Vec<(String, Vec<f64>, [Vec<f32>; 3])>,
}

#[derive(Default, Clone)]
struct Step {
    texts: [Vec<Vec<u32>>; 2],
    same: [Vec<u32>; 2],
    left_out: Vec<(usize, u32)>,
}

fn reference() -> Reference {
    let mut reference = Reference::default();
    for line in include_str!("../reference/contrastive.tsv").lines() {
        let column: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| column[at].parse::<usize>().unwrap();
        let numbers = |at: usize| column[at].split(',').map(|x| x.parse::<f32>().unwrap());
        match column[0] {
            "word" => {
                reference.words[number(1)].push((column[2].into(), numbers(3).next().unwrap()))
            }
            "row" => reference.before[number(1)].extend(numbers(3)),
            "text" | "left-out" => {
                reference
                    .steps
                    .resize_with(reference.steps.len().max(number(1) + 1), Step::default);
                let step = &mut reference.steps[number(1)];
                match column[0] {
                    "text" => {
                        step.texts[number(2)].push(numbers(3).map(|x| x as u32).collect());
                        step.same[number(2)].push(number(4) as u32);
                    }
                    _ => step.left_out.push((number(2), number(3) as u32)),
                }
            }
            "loss" => {
                if reference.done.last().is_none_or(|(name, ..)| name != column[1]) {
                    reference.done.push((column[1].into(), Vec::new(), Default::default()));
                }
                reference.done.last_mut().unwrap().1.push(column[3].parse().unwrap());
            }
            _ => reference.done.last_mut().unwrap().2[number(2)].extend(numbers(4)),
        }
    }
    reference
}

fn objective(name: &str) -> Objective {
    let softmax = Objective::Softmax { temperature: 0.2 };
    let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
    let graded = Objective::Graded { loss, grade: 2, rivals: 1 };
    match name {
        "softmax" => softmax,
        "graded" => graded,
        _ => Objective::Sum(Box::new(softmax), Box::new(graded), 0.5),
    }
}

/// Takes the reference's steps; the losses, and the tables at the end.
fn train(reference: &Reference, name: &str, threads: usize) -> (Vec<f64>, Vec<Table>) {
    let table = |values: &[f32]| Table::new(DIMENSION, values.to_vec());
    let encoders = reference.words.iter().zip(&reference.before).map(|(words, rows)| {
        let vocabulary =
            Vocabulary::from_tokens(words.iter().map(|(token, _)| &token[..])).unwrap();
        Words {
            table: table(rows),
            weights: words.iter().map(|(_, weight)| *weight).collect(),
            spellings: Spellings::new(&vocabulary, BUCKETS),
        }
    });
    let settings = Settings { epsilon: 0.1, objective: objective(name), learning_rate: 0.05 };
    let subwords = table(&reference.before[2]);
    let mut trainer =
        ContrastiveTrainer::on_threads(threads, settings, encoders.collect(), subwords);
    let mut losses = Vec::new();
    for step in &reference.steps {
        let texts = step.texts.each_ref().map(|texts| texts.iter().map(Vec::as_slice).collect());
        let [queries, documents]: [Vec<&[u32]>; 2] = texts;
        let batch = Batch {
            language: 0,
            texts: [&queries, &documents],
            same: [&step.same[0], &step.same[1]],
        };
        let loss = trainer.step(batch, |side, row| step.left_out.contains(&(side, row)));
        losses.push(loss);
    }
    (losses, trainer.tables())
}

#[test]
fn losses_and_tables_are_those_of_pytorch() {
    let reference = reference();
    assert_eq!(reference.done.len(), 3);
    for (name, losses, after) in &reference.done {
        let (found, tables) = train(&reference, name, 1);
        for (found, expected) in found.iter().zip(losses) {
            assert!((found - expected).abs() < 1e-5, "{name}: {found} {expected}");
        }
        assert_eq!(tables.len(), after.len());
        for (number, (table, expected)) in tables.iter().zip(after).enumerate() {
            assert_eq!(table.values().len(), expected.len());
            for (found, expected) in table.values().iter().zip(expected) {
                assert!((found - expected).abs() < 2e-4, "{name} {number}: {found} {expected}");
            }
        }
    }
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let reference = reference();
    for (name, ..) in &reference.done {
        let (losses, tables) = train(&reference, name, 1);
        assert_eq!(train(&reference, name, 3), (losses, tables), "{name}");
    }
}

/// A trainer of words without n-grams.
fn trainer(
    threads: usize,
    epsilon: f32,
    objective: Objective,
    tables: [Table; 2],
) -> ContrastiveTrainer {
    let words = |table: Table| {
        let tokens: Vec<String> = (0..table.len()).map(|row| format!("{row:04}")).collect();
        let vocabulary = Vocabulary::from_tokens(tokens.iter().map(String::as_str)).unwrap();
        Words { weights: vec![1.0; table.len()], table, spellings: Spellings::new(&vocabulary, 0) }
    };
    let settings = Settings { epsilon, objective, learning_rate: 0.05 };
    let subwords = Table::new(tables[0].dimension(), Vec::new());
    ContrastiveTrainer::on_threads(threads, settings, tables.map(words).into(), subwords)
}

#[test]
fn of_many_texts_the_bits_do_not_depend_on_the_number_of_threads_either() {
    let train = |name: &str, threads: usize| {
        let mut random = Random::new(3, "many");
        let tables = [(); 2].map(|()| Table::new(DIMENSION, random.normals(90 * DIMENSION, 0.5)));
        let mut trainer = trainer(threads, 0.1, objective(name), tables);
        let texts = [(); 2].map(|()| -> Vec<[u32; 3]> {
            (0..70).map(|_| [(); 3].map(|()| random.below(90) as u32)).collect()
        });
        let [queries, documents] =
            texts.each_ref().map(|texts| texts.iter().map(|text| &text[..]).collect::<Vec<_>>());
        // Some are no rivals of each other.
        let numbers: Vec<u32> = (0..70).map(|at| at % 50).collect();
        let batch =
            Batch { language: 0, texts: [&queries, &documents], same: [&numbers, &numbers] };
        let losses = [(); 3].map(|()| trainer.step(batch, |_, _| false));
        (losses, trainer.tables())
    };
    for name in ["softmax", "graded", "both"] {
        let (losses, tables) = train(name, 1);
        assert!(losses[2] < losses[0], "{name}: {losses:?}");
        assert_eq!(train(name, 3), (losses, tables), "{name}");
    }
}

#[test]
fn words_that_cancel_learn_at_any_epsilon_above_0_and_stay_at_0() {
    for (epsilon, learns) in [(0.1, true), (0.0, false)] {
        let queries = Table::new(2, vec![0.5, 0.25, -0.5, -0.25, 0.3, 0.4]);
        let documents = Table::new(2, vec![0.7, -0.2, 0.1, 0.9]);
        let mut trainer = trainer(1, epsilon, objective("softmax"), [queries.clone(), documents]);
        let batch = Batch {
            language: 0,
            texts: [&[&[0, 1], &[2], &[]], &[&[0], &[1], &[1, 0]]],
            same: [&[0, 1, 2], &[0, 1, 2]],
        };
        assert!(trainer.step(batch, |_, _| false).is_finite());
        let after = &trainer.tables()[0];
        assert_eq!(after.row(0) != queries.row(0), learns);
        assert_eq!(after.row(1) != queries.row(1), learns);
        assert!(trainer.tables().iter().all(|table| table.values().iter().all(|x| x.is_finite())));
    }
}

#[test]
fn the_first_step_goes_against_the_slope_of_the_loss_also_where_words_cancel() {
    let batch = Batch {
        language: 0,
        texts: [&[&[0, 1], &[0], &[2, 1]], &[&[0], &[1, 2], &[2]]],
        same: [&[0, 1, 2], &[0, 1, 2]],
    };
    for seed in 0..20 {
        let mut random = Random::new(seed, "slopes");
        let [mut queries, documents] = [(); 2].map(|()| random.normals(6, 0.5));
        (queries[2], queries[3]) = (-queries[0], -queries[1]);
        let start = |queries: &[f32]| {
            let tables = [queries, &documents].map(|values| Table::new(2, values.to_vec()));
            trainer(1, 0.1, objective("softmax"), tables)
        };
        let mut stepped = start(&queries);
        stepped.step(batch, |_, _| false);
        let after = &stepped.tables()[0];
        for at in 0..queries.len() {
            let loss = |by: f32| {
                let mut moved = queries.clone();
                moved[at] += by;
                start(&moved).step(batch, |_, _| false)
            };
            let slope = (loss(2e-3) - loss(-2e-3)) / 4e-3;
            if slope.abs() > 0.01 {
                let step = f64::from(after.values()[at] - queries[at]);
                assert!(step * slope < 0.0, "seed {seed}, number {at}: {step} at {slope}");
            }
        }
    }
}

#[test]
fn at_a_step_size_of_0_nothing_moves() {
    let tables = [Table::new(2, vec![0.5, 0.2, 0.1, 0.7]), Table::new(2, vec![0.7, 0.1, 0.4, 0.9])];
    let mut trainer = trainer(1, 0.1, objective("graded"), tables.clone());
    trainer.set_learning_rate(0.0);
    let batch =
        Batch { language: 0, texts: [&[&[0], &[1]], &[&[0], &[1]]], same: [&[0, 1], &[0, 1]] };
    trainer.step(batch, |_, _| false);
    assert_eq!(trainer.tables()[..2], tables);
}
