use ndarray::{array, aview1};
use smooth_clir::math::arrays::{of_rows, row};
use smooth_clir::storage::container::{Reader, Writer};

use super::codes::Code;
use super::*;
use crate::methods::sums::{add_scaled, dot};

/// Until nothing changes.
const TO_THE_END: Power = Power { most: 10_000, least_change: 1e-14 };

/// A row for each text, every word in it.
fn bags<'a>(words: usize, rows: impl IntoIterator<Item = &'a [f64]>) -> Bags {
    let mut bags = Bags::new(words);
    rows.into_iter().for_each(|row| bags.push((0..).zip(row.iter().copied())));
    bags
}

/// Pairs of texts that are made of the same few topics, each of which has words of its own in both
/// languages, at unit length; the last text has no words.
fn drawn(seed: u64, texts: usize) -> [Bags; 2] {
    let mut random = Random::new(seed, "texts");
    let (topics, words) = (6, 30);
    let about: Vec<[usize; 2]> =
        (0..texts).map(|_| [random.below(topics), random.below(topics)]).collect();
    [0, 1].map(|_| {
        let likely: Vec<Vec<usize>> =
            (0..topics).map(|_| (0..5).map(|_| random.below(words)).collect()).collect();
        let mut bags = Bags::new(words);
        for about in &about {
            let mut counts = vec![0.0; words];
            for &topic in about {
                (0..4).for_each(|_| counts[likely[topic][random.below(5)]] += 1.0);
            }
            counts[random.below(words)] += 1.0;
            let norm = dot(&counts, &counts).sqrt();
            bags.push(
                (0..).zip(counts).filter(|(_, x)| *x > 0.0).map(|(word, x)| (word, x / norm)),
            );
        }
        bags.push([]);
        bags
    })
}

fn settings(mode: Mode) -> Settings {
    Settings {
        atoms: 10,
        sparsity: 3,
        alpha: 0.4,
        beta: 0.3,
        mode,
        start_rounds: 3,
        rounds: 4,
        ridge: 0.1,
        seed: 1,
    }
}

fn learn(texts: &[Bags; 2], settings: &Settings) -> Result<Coupled, Error> {
    train(texts.each_ref(), texts.each_ref(), settings, |_| Ok(()), None)
}

#[test]
fn a_round_of_ksvd_is_that_of_numpy() {
    let mut lines = include_str!("../../../../tests/reference/ksvd.tsv")
        .lines()
        .map(|line| line.split('\t').map(|x| x.parse().unwrap()).collect::<Vec<f64>>());
    let size: Vec<usize> = lines.next().unwrap().iter().map(|&x| x as usize).collect();
    let [words, atoms, texts, sparsity] = size[..] else { panic!("{size:?}") };
    let mut take = |rows: usize| lines.by_ref().take(rows).collect::<Vec<_>>();
    let data = bags(words, take(texts).iter().map(Vec::as_slice));
    let first = algebra::transposed(&of_rows(words, take(atoms).concat()));
    let expected = algebra::transposed(&of_rows(words, take(atoms).concat()));
    let expected_codes = take(texts);
    let expected_error = take(1)[0][0];

    let mut codes = vec![Vec::new(); texts];
    let found = ksvd::round(&data, Dictionary::new(first), &mut codes, sparsity, TO_THE_END);
    for (found, expected) in found.values.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }
    for (code, expected) in codes.iter().zip(expected_codes) {
        let mut found = vec![0.0; atoms];
        code.iter().for_each(|&(atom, x)| found[atom as usize] = x);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
    }
    let error = codes::error(&data, &found, &codes);
    assert!((error - expected_error).abs() < 1e-10, "{error} {expected_error}");
}

#[test]
fn ksvd_finds_the_atoms_that_texts_were_made_of() {
    // The synthetic experiment of Aharon, Elad and Bruckstein (2006): at 20 dB of noise.
    let (words, atoms, texts, sparsity) = (20, 50, 1500, 3);
    let mut random = Random::new(1, "planted");
    let mut normals = |count| random.normals(count, 1.0).into_iter().map(f64::from);
    let mut unit = |noise: f64| {
        let row: Vec<f64> = normals(words).collect();
        let norm = dot(&row, &row).sqrt();
        row.into_iter().map(move |x| noise * x / norm).collect::<Vec<f64>>()
    };
    let planted: Vec<Vec<f64>> = (0..atoms).map(|_| unit(1.0)).collect();
    let noise: Vec<Vec<f64>> = (0..texts).map(|_| unit(0.1)).collect();
    let mut random = Random::new(1, "codes");
    let mut rows = Vec::new();
    for noise in noise {
        let mut order: Vec<usize> = (0..atoms).collect();
        random.shuffle(&mut order);
        let mut row = vec![0.0; words];
        for (&atom, x) in order.iter().zip(random.normals(sparsity, 1.0)) {
            add_scaled(&mut row, f64::from(x), &planted[atom]);
        }
        let norm = dot(&row, &row).sqrt();
        add_scaled(&mut row, norm, &noise);
        rows.push(row);
    }
    let data = bags(words, rows.iter().map(Vec::as_slice));
    let power = Power { most: 8, least_change: 0.01 };
    for beginning in 0..4 {
        let mut random = Random::new(beginning, "dictionary");
        let first = Dictionary::draw(&data, atoms, &mut random).unwrap();
        let mut codes = vec![Vec::new(); texts];
        let learned = (0..80).fold(first, |dictionary, round| {
            let dictionary =
                if round > 0 { ksvd::renew(&data, dictionary, &codes) } else { dictionary };
            ksvd::round(&data, dictionary, &mut codes, sparsity, power)
        });
        let learned = algebra::transposed(&learned.values);
        let near = |atom: &&Vec<f64>| (0..atoms).any(|n| dot(row(&learned, n), atom).abs() > 0.99);
        let found = planted.iter().filter(near).count();
        assert!(found * 100 >= atoms * 95, "{found} of {atoms}");
    }
}

#[test]
fn the_error_of_ksvd_never_rises_and_unused_atoms_are_replaced() {
    for seed in 0..4 {
        let [texts, _] = drawn(seed, 80);
        let mut dictionary = Dictionary::draw(&texts, 20, &mut Random::new(seed, "test")).unwrap();
        // Two atoms alike: the second is never used.
        for word in 0..texts.words {
            dictionary.values[(word, 7)] = dictionary.values[(word, 3)];
        }
        dictionary = Dictionary::new(dictionary.values);
        let mut codes = vec![Vec::new(); texts.len()];
        let mut last = codes::error(&texts, &dictionary, &codes);
        for round in 0..6 {
            dictionary = ksvd::round(&texts, dictionary, &mut codes, 3, Power::default());
            let error = codes::error(&texts, &dictionary, &codes);
            assert!(error <= last + 1e-12, "{error} after {last}");
            assert!(dictionary.norms().iter().all(|norm| (norm - 1.0).abs() < 1e-9));
            assert!(round > 0 || dictionary.gram[(3, 7)] < 0.99);
            last = error;
        }
    }
}

#[test]
fn the_gram_matrix_that_a_pass_keeps_is_that_of_its_atoms() {
    let [texts, _] = drawn(1, 80);
    let mut dictionary = Dictionary::draw(&texts, 12, &mut Random::new(1, "test")).unwrap();
    let mut codes = vec![Vec::new(); texts.len()];
    code_texts(&texts, &dictionary, 3, &mut codes);
    let before = codes::error(&texts, &dictionary, &codes);
    dictionary = ksvd::round(&texts, dictionary, &mut codes, 3, Power::default());
    // Both ways to the error: by inner products, and word by word.
    let dense = |text: usize| {
        let mut left = vec![0.0; texts.words];
        texts.row(text).iter().for_each(|&(word, y)| left[word as usize] = y);
        for (word, left) in left.iter_mut().enumerate() {
            *left -= dictionary::weighted(row(&dictionary.values, word), &codes[text]);
        }
        dot(&left, &left)
    };
    let plain: f64 = (0..texts.len()).map(dense).sum();
    let error = codes::error(&texts, &dictionary, &codes);
    assert!((plain - error).abs() < 1e-12 && error < before, "{plain} {error} {before}");
}

#[test]
fn a_stacked_error_never_rises_in_its_half_step() {
    for seed in 0..4 {
        let texts = drawn(seed, 60);
        let settings = Settings { seed, ..settings(Mode::Paper) };
        let mut state = begin(texts.each_ref(), &settings).unwrap();
        couple(texts.each_ref(), &settings, &mut state).unwrap();
        let stacked = |side: &Side, number: usize, others: &[Code]| {
            let weight = [settings.alpha, settings.beta][number];
            let stacked = paper::stack(&texts[number], side, others, weight);
            codes::error(&stacked.data, &stacked.dictionary, &stacked.codes)
        };
        for half_step in 0..8 {
            let number = half_step % 2;
            let others = state.sides[1 - number].codes.clone();
            let side = &mut state.sides[number];
            let before = stacked(side, number, &others);
            let weight = [settings.alpha, settings.beta][number];
            let plain = |side: &Side| {
                codes::error(&texts[number], &side.dictionary, &side.codes)
                    + weight * mapping::error(&side.map, &side.codes, &others)
            };
            assert!((before - plain(side)).abs() < 1e-10, "{before} {}", plain(side));
            let lengths = paper::stack(&texts[number], side, &others, weight).dictionary.norms();
            assert!(lengths.iter().all(|length| (length - 1.0).abs() < 1e-9), "{lengths:?}");
            paper::half_step(&texts[number], side, &others, weight, &settings).unwrap();
            let after = stacked(side, number, &others);
            assert!(after <= before + 1e-12, "{after} after {before}");
            // The first step of each side is far from where it will end.
            assert!(half_step > 1 || after < 0.99 * before, "{after} after {before}");
            assert!((after - plain(side)).abs() < 1e-10, "{after} {}", plain(side));
        }
    }
}

#[test]
fn without_a_weight_a_half_step_is_that_of_ksvd_and_the_mapping_ridges() {
    let texts = drawn(1, 60);
    let settings = settings(Mode::Paper);
    let mut state = begin(texts.each_ref(), &settings).unwrap();
    couple(texts.each_ref(), &settings, &mut state).unwrap();
    let [side, other] = &mut state.sides;
    let (mut alone, mut codes) = (side.dictionary.clone(), side.codes.clone());
    alone = ksvd::round(&texts[0], alone, &mut codes, settings.sparsity, Power::default());
    paper::half_step(&texts[0], side, &other.codes, 0.0, &settings).unwrap();
    let near =
        |a: &Array2<f64>, b: &Array2<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near(&side.dictionary.values, &alone.values));
    assert!(near(&side.dictionary.gram, &algebra::gram(&side.dictionary.values)));
    let ridge = mapping::ridge(&side.codes, &other.codes, settings.atoms, settings.ridge).unwrap();
    assert_eq!(side.map, ridge);
}

#[test]
fn codes_take_the_nearest_atoms_whatever_their_lengths() {
    // Atoms are columns.
    let code = |atoms: Array2<f64>, sparsity: usize, y: &[f64]| {
        let mut codes = vec![Vec::new()];
        let errors = code_texts(&bags(2, [y]), &Dictionary::new(atoms), sparsity, &mut codes);
        let mut amounts = [0.0; 2];
        codes[0].iter().for_each(|&(atom, x)| amounts[atom as usize] = x);
        [amounts[0], amounts[1], errors[0]]
    };
    let near = |found: [f64; 3], expected: [f64; 3]| {
        let all = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(all, "{found:?}, not {expected:?}");
    };
    // (1, 1.5) is nearer to the line of (0, 1) than to that of (2, 0).
    near(code(array![[2.0, 0.0], [0.0, 1.0]], 1, &[1.0, 1.5]), [0.0, 1.5, 1.0]);
    // (3, 1) is (2, 0) and (1, 1).
    near(code(array![[2.0, 1.0], [0.0, 1.0]], 2, &[3.0, 1.0]), [1.0, 1.0, 0.0]);
    // An atom without length is never taken.
    near(code(array![[0.0, 0.0], [0.0, 2.0]], 2, &[1.0, 1.0]), [0.0, 0.5, 1.0]);
}

#[test]
fn atoms_alike_and_atoms_of_few_texts_become_the_texts_that_are_rebuilt_worst() {
    let unit = |word: usize, length: f64| {
        let mut row = [0.0; 4];
        row[word] = length;
        row
    };
    let column = |values: &Array2<f64>, atom: usize| -> Vec<f64> { values.column(atom).to_vec() };
    let near = |found: Vec<f64>, expected: [f64; 4]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    };
    // The first two atoms are nearly one. Two texts have no code: the longer is rebuilt worse.
    let slanted = [112.0 / 113.0, 15.0 / 113.0, 0.0, 0.0];
    let atoms = [unit(0, 1.0), slanted, unit(2, 1.0)];
    let first = algebra::transposed(&of_rows(4, atoms.concat()));
    let rows = [unit(0, 1.0), slanted, unit(2, 1.0), unit(1, 2.0), unit(3, 3.0)];
    let texts = bags(4, rows.iter().map(|row| &row[..]));
    let codes = [vec![(0, 1.0)], vec![(1, 1.0)], vec![(2, 1.0)], vec![], vec![]];
    let renewed = ksvd::renew(&texts, Dictionary::new(first), &codes);
    // One of the two is enough.
    near(column(&renewed.values, 0), unit(3, 1.0));
    near(column(&renewed.values, 1), slanted);
    near(column(&renewed.values, 2), unit(2, 1.0));

    // Each of three atoms has a third of the uses on average; the last has less than half of that, or just half.
    let used = |counts: [usize; 3]| {
        let atoms =
            algebra::transposed(&of_rows(4, [0, 1, 2].map(|word| unit(word, 1.0)).concat()));
        let (mut rows, mut codes) = (vec![unit(3, 2.0)], vec![vec![]]);
        for (atom, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                rows.push(unit(atom, 1.0));
                codes.push(vec![(atom as u32, 1.0)]);
            }
        }
        let texts = bags(4, rows.iter().map(|row| &row[..]));
        ksvd::renew(&texts, Dictionary::new(atoms), &codes).values
    };
    let few = used([10, 10, 2]);
    near(column(&few, 0), unit(0, 1.0));
    near(column(&few, 1), unit(1, 1.0));
    near(column(&few, 2), unit(3, 1.0));
    near(column(&used([3, 2, 1]), 2), unit(2, 1.0));
}

#[test]
fn the_joint_objective_has_the_mappings_penalties_in_exact_mode_alone() {
    let texts = drawn(2, 40);
    for mode in [Mode::Paper, Mode::Exact] {
        let settings = settings(mode);
        let mut state = begin(texts.each_ref(), &settings).unwrap();
        couple(texts.each_ref(), &settings, &mut state).unwrap();
        let mut expected = 0.0;
        for (number, weight) in [settings.alpha, settings.beta].into_iter().enumerate() {
            let (side, other) = (&state.sides[number], &state.sides[1 - number]);
            expected += codes::error(&texts[number], &side.dictionary, &side.codes);
            let mut mapped = 0.0;
            for (own, wanted) in side.codes.iter().zip(&other.codes) {
                for atom in 0..settings.atoms {
                    let wanted = wanted.iter().find(|(at, _)| *at as usize == atom);
                    let found = dictionary::weighted(row(&side.map, atom), own);
                    mapped += (wanted.map_or(0.0, |(_, x)| *x) - found).powi(2);
                }
            }
            if mode == Mode::Exact {
                mapped += settings.ridge * side.map.iter().map(|x| x * x).sum::<f64>();
            }
            expected += weight * mapped;
        }
        let found = objective(texts.each_ref(), &state.sides, &settings);
        assert!((found - expected).abs() < 1e-9 * expected, "{mode:?}: {found} {expected}");
        assert_eq!(state.objective, [found]);
    }
}

#[test]
fn the_joint_objective_never_rises_in_exact_mode() {
    for seed in 0..6 {
        let weights = [(0.2, 0.2), (1.0, 3.0), (0.0, 0.5)][seed as usize % 3];
        let settings = Settings {
            seed,
            alpha: weights.0,
            beta: weights.1,
            rounds: 8,
            ..settings(Mode::Exact)
        };
        let texts = drawn(seed, 60);
        let told = |round: Round<'_>| {
            // Long atoms would have short codes, and so small errors of the mappings.
            if round.done > settings.start_rounds {
                let norms = round.state.sides.iter().flat_map(|side| side.dictionary.norms());
                assert!(norms.into_iter().all(|norm| norm < 1.0 + 1e-9));
            }
            Ok(())
        };
        let coupled = train(texts.each_ref(), texts.each_ref(), &settings, told, None).unwrap();
        assert_eq!(coupled.objective.len(), 1 + 3 * settings.rounds);
        for pair in coupled.objective.windows(2) {
            assert!(pair[1] <= pair[0] + 1e-12 * pair[0], "{:?}", coupled.objective);
        }
        let (first, last) = (coupled.objective[0], coupled.objective[24]);
        assert!(last < 0.98 * first, "{:?}", coupled.objective);
    }
}

/// The mean reciprocal rank of each text's mate by cosine, from codes of the first side.
fn mean_reciprocal_rank(found: &[Vec<f64>], mates: &[Vec<f64>]) -> f64 {
    let cosine = |a: &[f64], b: &[f64]| dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    let rank = |(n, x): (usize, &Vec<f64>)| {
        let own = cosine(x, &mates[n]);
        1.0 / (1 + mates.iter().filter(|mate| cosine(x, mate) > own + 1e-9).count()) as f64
    };
    found.iter().enumerate().map(rank).sum::<f64>() / found.len() as f64
}

#[test]
fn mappings_to_unit_atoms_find_every_mate_where_the_printed_ones_do_not() {
    // Texts that are exactly D x, and x2 = T x1, with atoms of very different lengths.
    let (atoms, texts) = (4, 40);
    let mut random = Random::new(3, "toy");
    let mut normals =
        |count| -> Vec<f64> { random.normals(count, 1.0).into_iter().map(f64::from).collect() };
    let lengths = [[0.2, 0.9, 0.5, 0.1], [0.9, 0.05, 0.3, 0.6]];
    let diagonal = |lengths: [f64; 4]| Dictionary::new(Array2::from_diag(&aview1(&lengths)));
    let there = of_rows(atoms, normals(atoms * atoms));
    let codes: Vec<Vec<f64>> = (0..texts).map(|_| normals(atoms)).collect();
    let side = |number: usize, map: Array2<f64>| Side {
        dictionary: diagonal(lengths[number]),
        map,
        codes: Vec::new(),
    };
    let back = Array2::zeros((atoms, atoms));
    let coupled = Coupled::new([side(0, there.clone()), side(1, back)], Vec::new());
    let texts_of = |number: usize| -> Bags {
        let rows: Vec<Vec<f64>> = codes
            .iter()
            .map(|x| {
                let map = |n: usize| if number == 0 { x[n] } else { dot(row(&there, n), x) };
                (0..atoms).map(|n| lengths[number][n] * map(n)).collect()
            })
            .collect();
        bags(atoms, rows.iter().map(Vec::as_slice))
    };
    let coded = |number: usize| {
        let mut codes = vec![Vec::new(); texts];
        code_texts(&texts_of(number), &coupled.dictionaries[number], atoms, &mut codes);
        codes
    };
    let dense = |code: &Code| {
        let mut dense = vec![0.0; atoms];
        code.iter().for_each(|&(atom, x)| dense[atom as usize] = x);
        dense
    };
    let mates: Vec<Vec<f64>> = coded(1).iter().map(dense).collect();
    let map = |code: &Code| -> Vec<f64> {
        (0..atoms).map(|n| dictionary::weighted(row(&coupled.maps[0], n), code)).collect()
    };
    let mapped: Vec<Vec<f64>> = coded(0).iter().map(map).collect();
    assert_eq!(mean_reciprocal_rank(&mapped, &mates), 1.0);
    // As printed: each column divided by the length of its own atom, and no more.
    let printed: Vec<Vec<f64>> =
        codes.iter().map(|x| (0..atoms).map(|n| dot(row(&there, n), x)).collect()).collect();
    let printed = mean_reciprocal_rank(&printed, &mates);
    assert!(printed < 0.9, "{printed}");
}

#[test]
fn atoms_without_length_are_dropped() {
    let dictionary = array![[0.5, 0.0], [0.0, 0.0]];
    let side = |values: Array2<f64>| Side {
        dictionary: Dictionary::new(values),
        map: Array2::ones((2, 2)),
        codes: Vec::new(),
    };
    let whole = array![[2.0, 0.0], [0.0, 4.0]];
    let coupled = Coupled::new([side(dictionary), side(whole)], Vec::new());
    assert_eq!(coupled.words(0).values(), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(coupled.gram(0), array![[1.0, 0.0], [0.0, 0.0]]);
    // S2 T S1^-1 and S1 T S2^-1.
    assert_eq!(coupled.map(0), array![[4.0, 0.0], [8.0, 0.0]]);
    assert_eq!(coupled.map(1), array![[0.25, 0.125], [0.0, 0.0]]);
}

#[test]
fn a_training_taken_up_again_gives_the_same_bits_as_one_that_was_not_stopped() {
    let texts = drawn(5, 60);
    for mode in [Mode::Paper, Mode::Exact] {
        let settings = settings(mode);
        let whole = learn(&texts, &settings).unwrap();
        for stop in [1, 3, 5] {
            let mut bytes = Vec::new();
            let stopped = train(
                texts.each_ref(),
                texts.each_ref(),
                &settings,
                |round| {
                    if round.done < stop {
                        return Ok(());
                    }
                    let mut writer = Writer::new("training");
                    round.state.save(&mut writer);
                    bytes = writer.into_bytes();
                    Err(Error::Dictionaries { problem: "stopped".into() })
                },
                None,
            );
            assert!(stopped.is_err());
            let mut reader = Reader::open(&bytes, "training").unwrap();
            let state = State::restore(&mut reader, [30, 30], settings.atoms).unwrap();
            reader.finish().unwrap();
            let again =
                train(texts.each_ref(), texts.each_ref(), &settings, |_| Ok(()), Some(state));
            assert_eq!(again.unwrap(), whole);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let texts = drawn(2, 60);
    let on = |threads, mode| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&texts, &settings(mode)).unwrap())
    };
    assert_eq!(on(1, Mode::Paper), on(4, Mode::Paper));
    assert_eq!(on(1, Mode::Exact), on(4, Mode::Exact));
}

#[test]
fn settings_and_texts_that_do_not_fit_are_refused() {
    let texts = drawn(1, 20);
    let good = Settings { start_rounds: 1, rounds: 1, ..settings(Mode::Exact) };
    let problem = |settings: &Settings, texts: &[Bags; 2]| match learn(texts, settings) {
        Err(Error::Dictionaries { problem }) => problem,
        other => panic!("{other:?}"),
    };
    for (bad, says) in [
        (
            Settings { atoms: 21, ..good },
            "21 atoms need at least as many texts with known words, found 20",
        ),
        (Settings { sparsity: 11, ..good }, "1 to 10, the number of atoms, got 11"),
        (Settings { sparsity: 0, ..good }, "got 0"),
        (Settings { alpha: -1.0, ..good }, "alpha is -1"),
        (Settings { beta: f64::NAN, ..good }, "beta is NaN"),
        (Settings { ridge: 0.0, ..good }, "ridge is 0"),
        (Settings { alpha: 2.0, beta: 0.5, mode: Mode::Paper, ..good }, "alpha times beta is 1"),
    ] {
        let found = problem(&bad, &texts);
        assert!(found.contains(says), "{found}");
    }
    // The product of the weights counts, not their sum.
    let heavy = Settings { alpha: 0.6, beta: 0.6, mode: Mode::Paper, ..good };
    assert!(learn(&texts, &heavy).is_ok());
    let [a, b] = texts;
    let mut empty = Bags::new(30);
    (0..21).for_each(|_| empty.push([]));
    assert!(problem(&good, &[empty.clone(), b.clone()]).contains("found 0"));
    assert!(problem(&good, &[a.clone(), Bags::new(30)]).contains("found 21 and 0"));
    assert!(problem(&good, &[Bags::new(30), Bags::new(30)]).contains("no pairs"));
    // Pairs without words, after texts with: nothing to learn, and nothing breaks.
    for mode in [Mode::Paper, Mode::Exact] {
        let settings = Settings { mode, ..good };
        let coupled = train([&empty, &empty], [&a, &b], &settings, |_| Ok(()), None).unwrap();
        assert_eq!(coupled.objective.last(), Some(&0.0));
        let all = coupled.maps.iter().flatten();
        assert!(all.chain(&coupled.dictionaries[0].values).all(|x| x.is_finite()));
    }
    let other = begin([&a, &b], &Settings { atoms: 9, ..good }).unwrap();
    let resumed = train([&a, &b], [&a, &b], &good, |_| Ok(()), Some(other));
    assert!(matches!(resumed, Err(Error::Dictionaries { .. })));
}
