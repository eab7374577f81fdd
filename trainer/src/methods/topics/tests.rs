use smooth_clir::math::random::Random;

use super::em::{self, Pair, Rows};
use super::projection::{PRECISION, Projection};
use super::table::{Places, normalise};
use super::*;

/// What NumPy and SciPy say; see tests/reference/plsa.py.
const REFERENCE: &str = include_str!("reference.tsv");
const PLAIN: Settings = Settings { topics: 3, rounds: 20, prior: 0.0, tolerance: 0.05, seed: 1 };

/// The numbers of each line of the reference with this name.
fn reference(name: &str) -> Vec<Vec<f64>> {
    let reference = |line: &str| {
        let (first, numbers) = line.split_once('\t')?;
        (first == name).then(|| numbers.split('\t').map(|x| x.parse().unwrap()).collect())
    };
    REFERENCE.lines().filter_map(reference).collect()
}

fn bags(words: usize, rows: &[&[(u32, f64)]]) -> Bags {
    let mut bags = Bags::new(words);
    rows.iter().for_each(|row| bags.push(row.iter().copied()));
    bags
}

/// The corpus of the reference; the last document has no mate.
fn small() -> [Bags; 2] {
    [
        bags(
            5,
            &[
                &[(0, 3.0), (1, 1.0), (3, 2.0)],
                &[(1, 2.0), (2, 1.0)],
                &[(0, 1.0), (2, 4.0), (4, 1.0)],
                &[(3, 1.0), (4, 5.0)],
            ],
        ),
        bags(
            4,
            &[&[(0, 1.0), (1, 2.0)], &[(1, 5.0), (2, 1.0)], &[(0, 2.0), (2, 1.0), (3, 3.0)], &[]],
        ),
    ]
}

fn small_start() -> Vec<Pair> {
    let theta = |d: usize| {
        let mut theta: Vec<f64> = (0..3).map(|z| (1 + (3 * d + 5 * z) % 7) as f64).collect();
        normalise(&mut theta);
        theta
    };
    (0..4).map(|d| Pair { thetas: [theta(d), theta(d)], multipliers: Vec::new() }).collect()
}

/// Pairs about one or two of some planted topics; each topic prefers its own words.
fn planted(pairs: usize, seed: u64) -> [Bags; 2] {
    const WORDS: [usize; 2] = [60, 80];
    const PLANTED: usize = 6;
    let mut random = Random::new(seed, "planted");
    let mut bags = WORDS.map(Bags::new);
    for _ in 0..pairs {
        let about = [random.below(PLANTED), random.below(PLANTED)];
        for side in 0..2 {
            let mut counts = vec![0.0; WORDS[side]];
            for _ in 0..20 + random.below(30) {
                let each = WORDS[side] / PLANTED;
                let topic = about[usize::from(random.unit() < 0.3)];
                let word = match random.unit() < 0.2 {
                    true => random.below(WORDS[side]),
                    false => topic * each + random.below(each),
                };
                counts[word] += 1.0;
            }
            let entries = (0_u32..).zip(counts).filter(|entry| entry.1 > 0.0);
            bags[side].push(entries);
        }
    }
    bags
}

fn sides(bags: &[Bags; 2]) -> [&Bags; 2] {
    [&bags[0], &bags[1]]
}

type Method = fn([&Bags; 2], &Settings, &mut dyn FnMut(usize, f64)) -> Result<Topics, Error>;
const METHODS: [Method; 2] = [jplsa, cplsa];

/// The objective of each round.
fn objectives(method: Method, bags: &[Bags; 2], settings: &Settings) -> Vec<f64> {
    let mut found = Vec::new();
    method(sides(bags), settings, &mut |round, objective| {
        assert_eq!(round, found.len());
        found.push(objective);
    })
    .unwrap();
    assert_eq!(found.len(), settings.rounds);
    found
}

fn close(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} instead of {expected}");
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn a_round_of_joint_analysis_is_that_of_numpy() {
    let bags = small();
    for line in reference("joint") {
        let mut found = Vec::new();
        let fit = |rounds: usize, found: &mut Vec<f64>| {
            let settings = Settings { prior: line[0], rounds, ..PLAIN };
            let progress = &mut |_, objective| found.push(objective);
            em::fit(sides(&bags), &settings, small_start(), joint::expect, progress)
        };
        let topics = fit(1, &mut found);
        fit(2, &mut found);
        assert_eq!(found[0], found[1]);
        close(found[1], line[1], 1e-10);
        close(found[2], line[2], 1e-10);
        let rows = (0..5).map(|word| topics.sides[0].row(word));
        let rows = rows.chain((0..4).map(|word| topics.sides[1].row(word)));
        let found: Vec<f64> = rows.flatten().copied().collect();
        assert_eq!(found.len(), line.len() - 3);
        found.iter().zip(&line[3..]).for_each(|(&found, &expected)| close(found, expected, 1e-10));
    }
}

#[test]
fn the_objective_of_coupled_analysis_is_that_of_a_constrained_minimiser() {
    let bags = small();
    for line in reference("coupled") {
        let settings = Settings { tolerance: line[0], rounds: line.len() - 1, ..PLAIN };
        let mut found = Vec::new();
        let expect = |rows: Rows<'_>, pair: &Pair, sides: &[Table; 2]| {
            coupled::expect(rows, pair, sides, settings.tolerance)
        };
        let progress = &mut |_, objective| found.push(objective);
        em::fit(sides(&bags), &settings, small_start(), expect, progress);
        // The minimiser itself is right to about so much.
        found.iter().zip(&line[1..]).for_each(|(&found, &expected)| close(found, expected, 1e-6));
    }
}

#[test]
fn the_objective_never_falls() {
    let bags = planted(60, 1);
    for method in METHODS {
        for (prior, tolerance) in [(0.0, 0.0), (0.0, 0.02), (0.1, 0.02), (0.0, 0.3)] {
            let settings = Settings { topics: 8, rounds: 40, prior, tolerance, ..PLAIN };
            let found = objectives(method, &bags, &settings);
            for (round, two) in found.windows(2).enumerate() {
                assert!(two[1] >= two[0] - 1e-8, "{round} of {settings:?}: {two:?}");
            }
            assert!(found[39] > found[0] + 100.0, "{found:?}");
        }
    }
}

/// The pair of the reference's projections: rows, P(w|z), thetas.
fn projected_pair() -> ([Bags; 2], [Table; 2], [Vec<f64>; 2]) {
    let rows = [
        bags(4, &[&[(0, 3.0), (1, 1.0), (2, 2.0), (3, 1.0)]]),
        bags(3, &[&[(0, 1.0), (1, 4.0), (2, 2.0)]]),
    ];
    let tables = [0, 1].map(|side: usize| {
        // A document for each word: its posterior is the number sought, its count 1.
        let words = rows[side].words;
        let row = |w: usize| (0..3).map(|z| (1 + (5 * w + 3 * z + 2 * side) % 11) as f64).collect();
        let numbers: Vec<Vec<f64>> = (0..words).map(row).collect();
        let mut documents = Bags::new(words);
        (0..words).for_each(|w| documents.push([(w as u32, 1.0)]));
        let places = Places::new(&documents);
        Table::ones(words, 3).maximise(&places, 0.0, |w| (&numbers[w], &[1.0]))
    });
    (rows, tables, [vec![0.7, 0.2, 0.1], vec![0.1, 0.3, 0.6]])
}

/// A word's count and its posterior.
type Weighed = (f64, Vec<f64>);

/// The posteriors of both documents' words under thetas, and the words' counts.
fn posteriors(rows: &[Bags; 2], tables: &[Table; 2], thetas: [&[f64]; 2]) -> [Vec<Weighed>; 2] {
    [0, 1].map(|side| {
        let weighed = |&(word, count): &(u32, f64)| {
            let given = tables[side].row(word).iter();
            let mut posterior: Vec<f64> = given.zip(thetas[side]).map(|(p, t)| p * t).collect();
            normalise(&mut posterior);
            (count, posterior)
        };
        rows[side].row(0).iter().map(weighed).collect()
    })
}

/// The KL divergence of some posteriors from others.
fn divergence(q: &[Vec<Weighed>; 2], p: &[Vec<Weighed>; 2]) -> f64 {
    let term = |((count, q), (_, p)): (&Weighed, &Weighed)| {
        count * q.iter().zip(p).map(|(q, p)| q * libm::log(q / p)).sum::<f64>()
    };
    q.iter().flatten().zip(p.iter().flatten()).map(term).sum()
}

/// The largest difference of topic fractions.
fn disagreement(q: &[Vec<Weighed>; 2]) -> f64 {
    let fraction = |side: &[Weighed], z: usize| {
        let length: f64 = side.iter().map(|word| word.0).sum();
        side.iter().map(|(count, q)| count * q[z]).sum::<f64>() / length
    };
    (0..3).fold(0.0, |most: f64, z| most.max((fraction(&q[0], z) - fraction(&q[1], z)).abs()))
}

#[test]
fn the_projection_agrees_within_the_tolerance_and_nothing_nearer_does() {
    let (rows, tables, thetas) = projected_pair();
    let thetas = [&thetas[0][..], &thetas[1][..]];
    let p = posteriors(&rows, &tables, thetas);
    let mut random = Random::new(1, "test");
    for line in reference("projection") {
        let tolerance = line[0];
        let projection = Projection {
            rows: [rows[0].row(0), rows[1].row(0)],
            thetas,
            sides: &tables,
            lengths: [7.0, 7.0],
            tolerance,
        };
        let point = projection.solve(vec![0.0; 3]);
        let fractions = point.fractions.iter().flatten();
        fractions.zip(&line[1..7]).for_each(|(&found, &expected)| close(found, expected, 1e-6));
        let q = posteriors(&rows, &tables, [&point.tilted[0], &point.tilted[1]]);
        let least = divergence(&q, &p);
        close(least, line[7], 1e-7);
        assert!(disagreement(&q) <= tolerance + PRECISION);
        // U at its least is the log-likelihood less the KL divergence.
        let likelihood: f64 = (0..2)
            .map(|side| {
                let row = rows[side].row(0);
                tables[side].expect(row, thetas[side], &mut Vec::new(), &mut [0.0; 3])
            })
            .sum();
        close(point.value, likelihood - least, 1e-8);
        // Points near it: those that agree are no nearer to p.
        let mut agreeing = 0;
        for _ in 0..2_000 {
            let mut near = q.clone();
            for (_, q) in near.iter_mut().flatten() {
                q.iter_mut().for_each(|q| *q *= f64::from(1.0 + 0.02 * (random.unit() - 0.5)));
                normalise(q);
            }
            if disagreement(&near) <= tolerance {
                agreeing += 1;
                assert!(divergence(&near, &p) >= least - 1e-9);
            }
        }
        assert!(agreeing >= 100 || tolerance == 0.0, "{agreeing}");
    }
}

#[test]
fn projections_of_any_pair_agree_within_the_tolerance() {
    let bags = planted(40, 2);
    let settings = Settings { topics: 12, rounds: 10, tolerance: 1.0, ..PLAIN };
    let topics = cplsa(sides(&bags), &settings, &mut |_, _| ()).unwrap();
    for row in 0..40 {
        let rows = [bags[0].row(row), bags[1].row((row + 1) % 40)];
        let lengths = rows.map(|row| row.iter().map(|entry| entry.1).sum());
        let theta = |side: usize| {
            let mut theta = topics.infer(side, rows[side], 5);
            normalise(&mut theta);
            theta
        };
        let thetas = [theta(0), theta(1)];
        for tolerance in [0.0, 0.001, 0.05, 0.5] {
            let thetas = [&thetas[0][..], &thetas[1][..]];
            let projection = Projection { rows, thetas, sides: &topics.sides, lengths, tolerance };
            let [a, b] = projection.solve(vec![0.0; 12]).fractions;
            for (a, b) in a.iter().zip(&b) {
                assert!((a - b).abs() <= tolerance + 2.0 * PRECISION, "{row} {tolerance}: {a} {b}");
            }
            close(a.iter().sum(), 1.0, 1e-12);
        }
    }
}

#[test]
fn mates_of_texts_never_seen_are_found_by_planted_topics() {
    let bags = planted(300, 3);
    let unseen = planted(100, 4);
    for method in METHODS {
        let settings = Settings { topics: 8, rounds: 60, prior: 0.01, tolerance: 0.05, seed: 1 };
        let topics = method(sides(&bags), &settings, &mut |_, _| ()).unwrap();
        let thetas = [0, 1].map(|side| topics.infer_all(side, &unseen[side]));
        let reciprocal = |query: usize| {
            let score = |document: usize| cosine(&thetas[0][query], &thetas[1][document]);
            let before = (0..100).filter(|&document| score(document) > score(query)).count();
            1.0 / (1 + before) as f64
        };
        let found = (0..100).map(reciprocal).sum::<f64>() / 100.0;
        // By chance 0.052; there are 36 kinds of pairs among 100, so that 0.5 is about the most.
        assert!(found > 0.3, "{found}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let bags = planted(50, 5);
    for method in METHODS {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut objectives = Vec::new();
            let settings = Settings { prior: 0.1, rounds: 5, ..PLAIN };
            let progress = &mut |_, objective: f64| objectives.push(objective.to_bits());
            let topics = pool.install(|| method(sides(&bags), &settings, progress)).unwrap();
            (topics, objectives)
        };
        assert_eq!(on(1), on(3));
    }
}

#[test]
fn a_text_without_a_known_word_has_no_topics() {
    // Word 3 of the first language is in no text.
    let bags = [bags(4, &[&[(0, 1.0)], &[(1, 2.0), (2, 1.0)]]), bags(1, &[&[(0, 1.0)], &[]])];
    for method in METHODS {
        for prior in [0.0, 1.0] {
            let settings = Settings { prior, ..PLAIN };
            let topics = method(sides(&bags), &settings, &mut |_, _| ()).unwrap();
            for row in [&[][..], &[(3, 1.0)], &[(9, 1.0)], &[(0, f64::NAN)], &[(0, -1.0)]] {
                assert_eq!(topics.infer(0, row, 5), [0.0; 3]);
            }
            let known = topics.infer(0, &[(1, 1.0)], 5);
            close(known.iter().sum(), 1.0, 1e-12);
            assert_eq!(topics.infer(0, &[(1, 1.0), (3, 5.0), (9, 1.0)], 5), known);
            assert_eq!(topics.bytes_f32(), 4 * 3 * 5);
        }
    }
}

#[test]
fn odd_pairs_give_numbers() {
    let odd = [
        // One pair, and more topics than words.
        [bags(2, &[&[(0, 1.0), (1, 1.0)]]), bags(1, &[&[(0, 1.0)]])],
        // A language with one document, and a pair of empty ones.
        [bags(2, &[&[(0, 1.0)], &[(1, 1.0)], &[]]), bags(2, &[&[(1, 3.0)], &[], &[]])],
        // A language without a word.
        [bags(2, &[&[(0, 1.0)], &[(1, 1.0)]]), bags(0, &[&[], &[]])],
        // Counts of very different size.
        [bags(2, &[&[(0, 1e9), (1, 1e-9)], &[(1, 1.0)]]), bags(2, &[&[(1, 1e-9)], &[(0, 1e9)]])],
    ];
    for bags in &odd {
        for method in METHODS {
            for (prior, tolerance) in [(0.0, 0.0), (0.5, 0.1), (0.0, 1.0)] {
                let settings = Settings { topics: 9, rounds: 300, prior, tolerance, seed: 1 };
                let topics = method(sides(bags), &settings, &mut |_, objective| {
                    assert!(objective.is_finite());
                })
                .unwrap();
                for (side, bags) in bags.iter().enumerate() {
                    for row in bags.rows() {
                        let theta = topics.infer(side, row, 300);
                        assert!(theta.iter().all(|x| x.is_finite()));
                        close(theta.iter().sum(), f64::from(!row.is_empty()), 1e-12);
                    }
                }
            }
        }
    }
}

#[test]
fn settings_out_of_range_and_pairs_without_words_are_refused() {
    let good = small();
    let refused = |method: Method, bags: &[Bags; 2], settings: Settings| {
        method(sides(bags), &settings, &mut |_, _| ()).unwrap_err().to_string()
    };
    for method in METHODS {
        let said = |settings, part: &str| {
            let said = refused(method, &good, settings);
            assert!(said.contains(part), "{said}");
        };
        said(Settings { topics: 0, ..PLAIN }, "0 topics");
        said(Settings { topics: 10_001, ..PLAIN }, "10001 topics");
        said(Settings { prior: -0.1, ..PLAIN }, "prior -0.1");
        said(Settings { prior: f64::NAN, ..PLAIN }, "prior NaN");
        said(Settings { tolerance: 1.5, ..PLAIN }, "tolerance 1.5");
        said(Settings { tolerance: f64::NAN, ..PLAIN }, "tolerance NaN");
        let one = || bags(1, &[&[(0, 1.0)]]);
        let cases = [
            ([Bags::new(1), Bags::new(1)], "no document has a word"),
            ([bags(1, &[&[]]), bags(1, &[&[]])], "no document has a word"),
            ([one(), Bags::new(1)], "1 documents are paired with 0"),
            ([one(), bags(1, &[&[(1, 1.0)]])], "word 1 of 1"),
            ([one(), bags(1, &[&[(0, 0.0)]])], "the count 0"),
            ([one(), bags(1, &[&[(0, f64::NAN)]])], "the count NaN"),
            ([one(), bags(1, &[&[(0, f64::INFINITY)]])], "the count inf"),
        ];
        for (bags, part) in &cases {
            let said = refused(method, bags, PLAIN);
            assert!(said.contains(part), "{said}");
        }
    }
}
