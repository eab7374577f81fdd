use smooth_clir::math::random::Random;

use super::*;

const EXPECTED: &str = include_str!("../../../../tests/reference/linear.tsv");
const RANK: usize = 4;
const RIDGE: f64 = 0.05;

fn expected(name: &str) -> Vec<f64> {
    let line = EXPECTED.lines().find_map(|line| line.strip_prefix(&format!("{name}\t"))).unwrap();
    line.split('\t').map(|number| number.parse().unwrap()).collect()
}

/// Texts of unit length.
fn bags(words: usize, rows: impl Iterator<Item = Vec<f64>>) -> Bags {
    let mut bags = Bags::new(words);
    for row in rows {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let entries = row.into_iter().enumerate().filter(|(_, x)| *x > 0.0);
        bags.push(entries.map(|(word, x)| (word as u32, x / norm)));
    }
    bags
}

fn small() -> [Bags; 2] {
    [("first", 9), ("second", 7)]
        .map(|(name, words)| bags(words, expected(name).chunks(words).map(<[f64]>::to_vec)))
}

fn settings(rank: usize, ridge: f64) -> Regularised {
    Regularised { rank, ridge, reduction: 500 }
}

/// The matrix that projects onto the space of all words' directions.
fn space(projection: &Projection) -> DMatrix<f64> {
    let rows: Vec<f64> =
        projection.sides.iter().flat_map(|side| side.values()).map(|&x| f64::from(x)).collect();
    let rows = DMatrix::from_row_slice(rows.len() / projection.rank, projection.rank, &rows);
    let basis = rows.qr().q();
    &basis * basis.transpose()
}

fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{found}, {expected}");
    }
}

#[test]
fn all_three_agree_with_dense_linear_algebra() {
    let [first, second] = &small();
    let pairs = [first, second];
    for (name, found) in [
        ("lsi", lsi(pairs, RANK, 1)),
        ("cca ridge", cca(pairs, &settings(RANK, RIDGE), 1)),
        ("cca", cca(pairs, &settings(RANK, 0.0), 1)),
        ("opca ridge", opca(pairs, &settings(RANK, RIDGE), 1)),
        ("opca", opca(pairs, &settings(RANK, 0.0), 1)),
    ] {
        let found = found.unwrap();
        assert_eq!(found.rank, RANK);
        assert_close(&found.values, &expected(&format!("{name} values")));
        assert_close(space(&found).as_slice(), &expected(&format!("{name} space")));
    }
}

#[test]
fn without_a_ridge_the_two_find_the_same_directions() {
    let [first, second] = &small();
    let correlated = cca([first, second], &settings(7, 0.0), 1).unwrap();
    let oriented = opca([first, second], &settings(7, 0.0), 1).unwrap();
    assert_eq!((correlated.rank, oriented.rank), (7, 7));
    let ratios: Vec<f64> = correlated.values.iter().map(|rho| (1.0 + rho) / (1.0 - rho)).collect();
    assert_close(&oriented.values, &ratios);
    for (own, other) in correlated.sides.iter().zip(&oriented.sides) {
        for (x, y) in own.values().iter().zip(other.values()) {
            assert!((x - y).abs() < 1e-5, "{x}, {y}");
        }
    }
}

#[test]
fn a_greater_rank_than_the_texts_have_gives_as_many_directions_as_they_have() {
    let [first, second] = &small();
    assert_eq!(lsi([first, second], 300, 1).unwrap().rank, 16);
    // Five pairs of more words: the sides can be made to agree entirely.
    let few = |side: &Bags| {
        let mut few = Bags::new(side.words);
        (0..5).for_each(|row| few.push(side.row(row).to_vec()));
        // One text twice: a direction less.
        few.push(side.row(0).to_vec());
        few
    };
    let [first, second] = &[few(first), few(second)];
    for ridge in [0.0, RIDGE] {
        let correlated = cca([first, second], &settings(300, ridge), 1).unwrap();
        let oriented = opca([first, second], &settings(300, ridge), 1).unwrap();
        assert_eq!((correlated.rank, oriented.rank), (5, 5));
        for side in correlated.sides.iter().chain(&oriented.sides) {
            assert!(side.values().iter().all(|x| x.is_finite()));
        }
        assert!(ridge > 0.0 || correlated.values.iter().all(|rho| *rho > 1.0 - 1e-9));
        assert!(oriented.values.iter().all(|x| x.is_infinite() == (ridge == 0.0)));
    }
}

#[test]
fn texts_that_nothing_can_be_learned_from_are_refused() {
    let [first, second] = &small();
    let short = |rows: usize| {
        let mut short = Bags::new(first.words);
        (0..rows).for_each(|row| short.push(first.row(row).to_vec()));
        short
    };
    let mut gap = short(19);
    gap.push([]);
    let empty = bags(9, (0..20).map(|_| vec![0.0; 9]));
    for (pairs, problem) in [
        ([&short(19), second], "19 texts are paired with 20: expected equal numbers"),
        ([&short(1), &short(1)], "found 1 pairs"),
        ([&Bags::new(9), &Bags::new(7)], "found 0 pairs"),
        ([&gap, second], "pair 20 has a text without known words"),
        ([second, &empty], "pair 1 has a text without known words"),
    ] {
        for found in [
            lsi(pairs, RANK, 1),
            cca(pairs, &settings(RANK, RIDGE), 1),
            opca(pairs, &settings(RANK, RIDGE), 1),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.contains(problem), "{message}");
        }
    }
    assert!(lsi([first, second], 0, 1).is_err());
    for ridge in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(cca([first, second], &settings(RANK, ridge), 1).is_err());
    }
}

/// Pairs that share one of some topics: each topic has words of its own on both sides.
fn synthetic(topics: usize, pairs: usize, seed: u64) -> [Bags; 2] {
    const WORDS: usize = 8;
    let mut random = Random::new(seed, "texts");
    let words = topics * WORDS;
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..pairs {
        let own = [random.below(topics), random.below(topics)];
        for side in &mut sides {
            let mut row = vec![0.0; words];
            for at in 0..24 {
                // A third of the words is about nothing.
                let topic = if at % 3 == 0 { random.below(topics) } else { own[at % 2] };
                row[topic * WORDS + random.below(WORDS)] += 1.0;
            }
            side.push(row);
        }
    }
    sides.map(|rows| bags(words, rows.into_iter()))
}

/// The share of texts of the first side whose mate has the greatest cosine.
fn found(projection: &Projection, pairs: [&Bags; 2]) -> f64 {
    let [first, second] = [0, 1].map(|side| -> Vec<Vec<f64>> {
        let vector = |row: &[(u32, f64)]| {
            let mut vector = vec![0.0; projection.rank];
            for &(word, x) in row {
                let own = projection.sides[side].row(word as usize);
                vector.iter_mut().zip(own).for_each(|(sum, y)| *sum += x * f64::from(*y));
            }
            let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter().map(|x| x / norm).collect()
        };
        pairs[side].rows().map(vector).collect()
    });
    let cosine = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let best = |query: &Vec<f64>| {
        (0..second.len())
            .max_by(|&a, &b| cosine(query, &second[a]).total_cmp(&cosine(query, &second[b])))
    };
    let right = first.iter().enumerate().filter(|(at, query)| best(query) == Some(*at)).count();
    right as f64 / first.len() as f64
}

#[test]
fn mates_of_unseen_pairs_are_found_and_the_same_seed_gives_the_same_bits() {
    let [first, second] = &synthetic(30, 400, 1);
    let unseen = &synthetic(30, 60, 2);
    let settings = Regularised { rank: 30, ridge: 1e-3, reduction: 60 };
    let learn = || {
        let pairs = [first, second];
        [lsi(pairs, 30, 7), cca(pairs, &settings, 7), opca(pairs, &settings, 7)].map(Result::unwrap)
    };
    let learned = learn();
    for projection in &learned {
        // By chance: one of 60. Pairs with the same two topics are alike.
        let share = found(projection, unseen.each_ref());
        assert!(share > 0.5, "{share}");
    }
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(learn), learned);
}
