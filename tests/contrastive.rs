//! The contrastive step against PyTorch's autograd and SparseAdam.
#![allow(clippy::unwrap_used, clippy::panic)]

use smooth_clir::encoder::Table;
use smooth_clir::loss::{Loss, Thresholds};
use smooth_clir::step::contrastive::{Batch, Learner, Objective, Settings, Words};
use smooth_clir::subwords::Spellings;
use smooth_clir::vocabulary::Vocabulary;

const DIMENSION: usize = 4;
const BUCKETS: usize = 7;

/// What PyTorch did: see `tests/reference/contrastive.py`.
#[derive(Default)]
struct Reference {
    words: [Vec<(String, f32)>; 2],
    before: [Vec<f32>; 3],
    steps: Vec<Step>,
    /// Of each objective: its name, the loss before each step, the tables after the last.
    done: Vec<(String, Vec<f64>, [Vec<f32>; 3])>,
}

#[derive(Default)]
struct Step {
    texts: [Vec<Vec<u32>>; 2],
    same: [Vec<u32>; 2],
    left_out: Vec<(usize, u32)>,
}

fn reference() -> Reference {
    let mut reference = Reference::default();
    for line in include_str!("reference/contrastive.tsv").lines() {
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
        _ => Objective::Both(Box::new(softmax), Box::new(graded), 0.5),
    }
}

/// Takes the reference's steps; the losses, and the tables at the end.
fn train(reference: &Reference, name: &str, threads: usize) -> (Vec<f64>, Vec<Table>) {
    let table = |values: &[f32]| Table::new(DIMENSION, values.to_vec());
    let sides = reference.words.iter().zip(&reference.before).map(|(words, rows)| {
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
    let mut learner = Learner::on_threads(threads, settings, sides.collect(), subwords);
    let mut losses = Vec::new();
    for step in &reference.steps {
        let texts = step.texts.each_ref().map(|texts| texts.iter().map(Vec::as_slice).collect());
        let [queries, documents]: [Vec<&[u32]>; 2] = texts;
        let batch = Batch {
            language: 0,
            texts: [&queries, &documents],
            same: [&step.same[0], &step.same[1]],
        };
        let loss = learner.step(batch, |side, row| step.left_out.contains(&(side, row)));
        losses.push(loss);
    }
    (losses, learner.tables())
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
