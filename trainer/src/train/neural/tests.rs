//! The step against the core's own way from rows to vectors.

use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::similarity::smooth_cosine;

use super::super::trainer::Trainer as _;
use super::super::variant::Variant;
use super::*;

const DIMENSION: usize = 4;
const KINDS: [EncoderName; 3] = [EncoderName::Cnn, EncoderName::Lstm, EncoderName::LstmFirst];
/// Words of the queries, and of two languages.
const WORDS: [usize; 3] = [7, 6, 5];
const EPSILON: f32 = 0.5;

type Example = (Vec<u32>, Vec<u32>, usize, u8);

/// Texts of different lengths, shared by pairs and with words twice; one has no word.
fn batch() -> Vec<Example> {
    vec![
        (vec![0, 1, 1, 4, 2], vec![0, 2], 0, 2),
        (vec![2], vec![5, 0, 3, 4], 0, 0),
        (vec![3, 6, 5], vec![1, 1, 4], 1, 1),
        (vec![2], vec![3], 1, 2),
        (vec![5, 0], vec![], 0, 2),
        (vec![0, 1, 1, 4, 2], vec![1, 1, 4], 1, 0),
    ]
}

fn pairs(batch: &[Example]) -> Vec<Pair<'_>> {
    let pair = |example| {
        let (query, document, language, grade): &Example = example;
        Pair { query, document, language: *language, grade: *grade }
    };
    batch.iter().map(pair).collect()
}

fn loss() -> Loss {
    Loss::Sosl(Thresholds::new(&[-0.3, 0.6]).unwrap())
}

fn trainer(kind: EncoderName, dropout: f32, clip: Option<f32>) -> NetworkTrainer {
    let words = WORDS.iter().enumerate().map(|(encoder, &rows)| {
        let mut random = Random::new(2, &format!("words {encoder}"));
        Table::new(DIMENSION, random.normals(rows * DIMENSION, 0.8))
    });
    let networks = words.enumerate().map(|(encoder, words)| network(kind, 5, 3, encoder, words));
    let settings =
        Settings { epsilon: EPSILON, loss: loss(), learning_rate: 0.01, clip, pull: 0.0 };
    NetworkTrainer::of(networks.collect(), settings, dropout, 4)
}

/// The mean loss by the core's own way from rows to vectors.
fn loss_by_core(networks: &[Network], batch: &[Example]) -> f64 {
    let encode = |network: &Network, rows: &[u32]| {
        let mut vector = vec![0.0; DIMENSION];
        network.encode(rows, &mut vector);
        vector
    };
    let of_pair = |(query, document, language, grade): &Example| {
        let query = encode(&networks[0], query);
        let document = encode(&networks[language + 1], document);
        f64::from(loss().value(smooth_cosine(&query, &document, EPSILON), *grade))
    };
    batch.iter().map(of_pair).sum::<f64>() / batch.len() as f64
}

/// A number of a network.
#[derive(Debug, Clone, Copy)]
enum Number {
    Word(usize),
    Weight(usize, usize),
}

impl Number {
    fn of(self, network: &mut Network) -> &mut f32 {
        match self {
            Self::Word(at) => &mut network.words_mut().to_mut()[at],
            Self::Weight(weight, at) => &mut network.weights_mut().swap_remove(weight)[at],
        }
    }
}

/// What the loss does when one number of a network changes.
fn difference(networks: &mut [Network], encoder: usize, batch: &[Example], number: Number) -> f64 {
    const STEP: f32 = 1.0 / 128.0;
    let value = *number.of(&mut networks[encoder]);
    let mut at = |x: f32| {
        *number.of(&mut networks[encoder]) = x;
        loss_by_core(networks, batch)
    };
    let difference = (at(value + STEP) - at(value - STEP)) / f64::from(2.0 * STEP);
    at(value);
    difference
}

#[test]
fn the_gradient_is_the_finite_difference_of_the_cores_loss() {
    let batch = batch();
    for kind in KINDS {
        let trainer = trainer(kind, 0.0, None);
        let (report, gradients) = trainer.gradients(&pairs(&batch)).unwrap();
        let mut networks = trainer.networks().unwrap();
        assert!((report.loss - loss_by_core(&networks, &batch)).abs() < 1e-6, "{kind:?}");
        let mut largest = 0f64;
        for (encoder, gradient) in gradients.into_iter().enumerate() {
            let gradient = gradient.unwrap();
            let mut check = |number: Number, found: f32, expected: f64| {
                let said = format!("{kind:?} {encoder} {number:?}: {found} {expected}");
                assert!((f64::from(found) - expected).abs() < 3e-4, "{said}");
                largest = largest.max(expected.abs());
            };
            for word in 0..WORDS[encoder] * DIMENSION {
                let row = gradient.rows.iter().position(|&row| row as usize == word / DIMENSION);
                let at = |row: usize| gradient.words[row * DIMENSION + word % DIMENSION];
                let number = Number::Word(word);
                let expected = difference(&mut networks, encoder, &batch, number);
                check(number, row.map_or(0.0, at), expected);
            }
            for (weight, found) in gradient.weights.iter().enumerate() {
                for (at, &found) in found.iter().enumerate() {
                    let number = Number::Weight(weight, at);
                    let expected = difference(&mut networks, encoder, &batch, number);
                    check(number, found, expected);
                }
            }
        }
        assert!(largest > 0.01, "{kind:?}: nothing has a gradient");
    }
}

#[test]
fn vectors_are_the_cores_whatever_else_is_in_the_batch() {
    let texts: Vec<Vec<u32>> = (0..40)
        .map(|text| {
            let mut random = Random::new(5, &format!("text {text}"));
            (0..1 + random.below(30)).map(|_| random.below(WORDS[0]) as u32).collect()
        })
        .collect();
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    for kind in KINDS {
        let network = trainer(kind, 0.0, None).networks().unwrap().swap_remove(0);
        let pass = Pass::forward(&network, &texts, 0.0, &mut Random::new(0, "")).unwrap();
        for (text, found) in texts.iter().zip(pass.vectors().chunks(DIMENSION)) {
            let mut expected = [0.0; DIMENSION];
            network.encode(text, &mut expected);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{kind:?} {text:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn dropout_leaves_out_its_share_of_the_words_numbers_and_keeps_their_mean() {
    let table = Table::new(DIMENSION, vec![1.0; DIMENSION]);
    let text = vec![0; 5000];
    let mut random = Random::new(1, "test");
    let factors = pass::factors(text.len() * table.dimension(), 0.4, &mut random);
    let left_out = factors.iter().filter(|&&factor| factor == 0.0).count() as f32 / 20_000.0;
    let mean = factors.iter().sum::<f32>() / 20_000.0;
    assert!((left_out - 0.4).abs() < 0.02 && (mean - 1.0).abs() < 0.02, "{left_out} {mean}");
}

#[test]
fn a_step_makes_the_loss_smaller_and_leaves_untouched_words_alone() {
    let batch = batch();
    for kind in KINDS {
        let mut trainer = trainer(kind, 0.0, None);
        let before = trainer.networks().unwrap();
        let losses: Vec<f64> =
            (0..20).map(|_| trainer.one_step(&pairs(&batch)).unwrap().loss).collect();
        assert!(losses[19] < 0.5 * losses[0], "{kind:?}: {losses:?}");
        // No document of the second language has its third word.
        let after = trainer.networks().unwrap();
        let row = |networks: &[Network], row| networks[2].words().row(row).to_vec();
        assert_eq!(row(&before, 2), row(&after, 2));
        assert_ne!(row(&before, 3), row(&after, 3));
    }
}

#[test]
fn what_is_left_out_has_no_gradient_and_the_rest_that_of_the_vectors_with_it_left_out() {
    let texts: [&[u32]; 2] = [&[0, 1, 2, 3], &[4, 5, 6, 5]];
    for kind in KINDS {
        let mut network = trainer(kind, 0.0, None).networks().unwrap().swap_remove(0);
        let pass = |network: &Network| {
            let vectors = Pass::forward(network, &texts, 0.4, &mut Random::new(9, "left out"))
                .map(|pass| pass.vectors().to_vec());
            vectors.unwrap().iter().map(|&x| f64::from(x)).sum::<f64>()
        };
        let found = Pass::forward(&network, &texts, 0.4, &mut Random::new(9, "left out")).unwrap();
        let found = found.backward(vec![1.0; 2 * DIMENSION]).unwrap();
        assert_eq!(found.rows, [0, 1, 2, 3, 4, 5, 6]);
        for (number, &gradient) in found.words.iter().enumerate() {
            const STEP: f32 = 1.0 / 128.0;
            let mut at = |by: f32| {
                network.words_mut().to_mut()[number] += by;
                pass(&network)
            };
            let difference = (at(STEP) - at(-2.0 * STEP)) / f64::from(2.0 * STEP);
            at(STEP);
            assert!(
                (f64::from(gradient) - difference).abs() < 2e-3,
                "{kind:?} {number}: {gradient} {difference}"
            );
        }
        if kind == EncoderName::Lstm {
            // Of every word but the one that stands twice; other encoders do not read every number.
            let left_out = |row: usize| {
                found.words[row * DIMENSION..][..DIMENSION].iter().filter(|&&x| x == 0.0).count()
            };
            let rows: usize = [0, 1, 2, 3, 4, 6].map(left_out).iter().sum();
            assert!((4..=16).contains(&rows), "{rows} of 24");
            assert!(left_out(6) + left_out(4) > 0, "none of the last text");
        }
    }
}

#[test]
fn a_trainer_reports_each_step_once_with_the_pairs_that_had_a_loss() {
    let batch = batch();
    for kind in KINDS {
        let mut trainer = trainer(kind, 0.0, None);
        let networks = trainer.networks().unwrap();
        let losses: Vec<f64> =
            batch.iter().map(|pair| loss_by_core(&networks, std::slice::from_ref(pair))).collect();
        let lost = losses.iter().filter(|&&loss| loss > 0.0).count();
        assert!((1..batch.len()).contains(&lost), "{kind:?}: {losses:?}");
        trainer.step(&pairs(&batch)).unwrap();
        trainer.step(&pairs(&batch[..1])).unwrap();
        let reports = trainer.reports().unwrap();
        assert_eq!(reports.len(), 2);
        assert_eq!(reports[0].active, lost, "{kind:?}");
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        assert!((reports[0].loss - mean).abs() < 1e-6, "{kind:?}: {reports:?}");
        assert!(trainer.reports().unwrap().is_empty());
        assert_ne!(trainer.networks().unwrap(), networks);
    }
}

#[test]
fn a_trainer_has_the_step_size_that_it_was_told_and_its_plans_epsilon() {
    let batch = batch();
    let mut trainer = trainer(EncoderName::Lstm, 0.0, None);
    assert_eq!(trainer.epsilons(), Epsilons { query: EPSILON, document: EPSILON });
    let before = trainer.networks().unwrap();
    trainer.set_learning_rate(0.0);
    trainer.step(&pairs(&batch)).unwrap();
    assert_eq!(trainer.networks().unwrap(), before);
}

/// Networks with the same layers, each with words of its own.
fn sharing(kind: EncoderName) -> NetworkTrainer {
    let plan = Plan { dimension: DIMENSION, ..Plan::of_paper(kind, loss()) };
    let plan = Plan { variant: Variant { shared_layers: true, ..Variant::default() }, ..plan };
    let words = WORDS
        .map(|rows| Table::new(DIMENSION, Random::new(6, "words").normals(rows * DIMENSION, 0.8)));
    NetworkTrainer::new(&plan, words.to_vec())
}

fn layers(trainer: &NetworkTrainer) -> Vec<Vec<Vec<f32>>> {
    let of = |network: &Network| {
        network.weights().iter().map(|weight| weight.values.iter().copied().collect()).collect()
    };
    trainer.networks().unwrap().iter().map(of).collect()
}

#[test]
fn shared_layers_stay_the_same_in_all_networks_whichever_of_them_a_batch_needs() {
    let batch = batch();
    // The second language has no text in the first pair.
    for kind in KINDS {
        for batch in [&batch[..1], &batch] {
            let mut trainer = sharing(kind);
            let before = layers(&trainer);
            for _ in 0..3 {
                trainer.one_step(&pairs(batch)).unwrap();
            }
            let after = layers(&trainer);
            assert!(before.iter().all(|layers| *layers == before[0]), "{kind:?}");
            assert!(after.iter().all(|layers| *layers == after[0]), "{kind:?}");
            assert_ne!(before[0], after[0], "{kind:?}");
        }
    }
}

#[test]
fn shared_layers_follow_the_sum_of_their_gradients_and_words_their_own() {
    let batch = batch();
    for kind in KINDS {
        let mut trainer = sharing(kind);
        let (_, gradients) = trainer.gradients(&pairs(&batch)).unwrap();
        let gradients: Vec<Gradient> = gradients.into_iter().flatten().collect();
        trainer.one_step(&pairs(&batch)).unwrap();
        for (encoder, own) in trainer.encoders.iter().zip(&gradients) {
            // The first moment after a step is a tenth of the gradient.
            for (layer, moments) in encoder.weights.iter().enumerate() {
                for (at, first) in moments.first.iter().enumerate() {
                    let sum: f32 =
                        gradients.iter().map(|gradient| gradient.weights[layer][at]).sum();
                    assert!((first * 10.0 - sum).abs() < 1e-6, "{kind:?} {layer} {at}");
                }
            }
            for (&row, words) in own.rows.iter().zip(own.words.chunks_exact(DIMENSION)) {
                let moments = &encoder.words.first[row as usize * DIMENSION..][..DIMENSION];
                let close = |(first, word): (&f32, &f32)| (first * 10.0 - word).abs() < 1e-6;
                assert!(moments.iter().zip(words).all(close), "{kind:?} {row}");
            }
        }
    }
}

#[test]
fn a_clipped_gradient_counts_shared_layers_once() {
    let batch = batch();
    let mut trainer = sharing(EncoderName::Cnn);
    trainer.settings.clip = Some(1e-4);
    assert!(trainer.one_step(&pairs(&batch)).unwrap().clipped);
    let words = trainer.encoders.iter().map(|encoder| &encoder.words);
    let numbers = words.chain(&trainer.encoders[0].weights).flat_map(|moments| &moments.first);
    let length = numbers.map(|&x| 100.0 * f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    assert!((length - 1e-4).abs() < 1e-8, "{length}");
}

#[test]
fn a_clipped_gradient_has_the_length_asked_for() {
    // One step of Adam does not tell lengths apart: two do.
    let batch = batch();
    let mut clipped = trainer(EncoderName::Cnn, 0.0, Some(1e-4));
    let mut free = trainer(EncoderName::Cnn, 0.0, None);
    assert!(clipped.one_step(&pairs(&batch)).unwrap().clipped);
    assert!(!free.one_step(&pairs(&batch)).unwrap().clipped);
    let length = |trainer: &NetworkTrainer| {
        let moments = trainer.encoders.iter().flat_map(TrainedEncoder::moments);
        let numbers = moments.flat_map(|(_, moments)| &moments.first);
        // The first moment after a step is a tenth of the gradient.
        numbers.map(|&x| 100.0 * f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
    };
    assert!((length(&clipped) - 1e-4).abs() < 1e-8, "{}", length(&clipped));
    assert!(length(&free) > 1e-2);
}

#[test]
fn a_gradient_that_does_not_exist_is_reported() {
    let batch = batch();
    let mut trainer = trainer(EncoderName::Cnn, 0.0, None);
    trainer.settings.epsilon = 0.0;
    // One document has no word.
    assert_eq!(trainer.one_step(&pairs(&batch)).unwrap().undefined, 1);
    let numbers = trainer.networks().unwrap();
    assert!(
        numbers
            .iter()
            .flat_map(Network::weights)
            .all(|weights| weights.values.iter().all(|x| x.is_finite()))
    );
}

#[test]
fn a_training_taken_up_again_is_the_one_that_was_not_stopped() {
    let batch = batch();
    for kind in KINDS {
        let mut through = trainer(kind, 0.4, None);
        for _ in 0..2 {
            through.one_step(&pairs(&batch)).unwrap();
        }
        let mut writer = Writer::new("test");
        through.save(&mut writer).unwrap();
        let bytes = writer.into_bytes();
        let mut again = trainer(kind, 0.4, None);
        let mut reader = Reader::open(&bytes, "test").unwrap();
        again.restore(&mut reader).unwrap();
        reader.finish().unwrap();
        for trainer in [&mut through, &mut again] {
            trainer.one_step(&pairs(&batch)).unwrap();
        }
        assert_eq!(through.networks().unwrap(), again.networks().unwrap(), "{kind:?}");
    }
}

#[test]
fn a_text_may_be_too_long_for_recursion() {
    let long: Vec<u32> = (0..20_000).map(|word| word % 5).collect();
    let batch = vec![(long.clone(), long, 0, 2)];
    for kind in KINDS {
        let report = trainer(kind, 0.4, None).one_step(&pairs(&batch)).unwrap();
        assert!(report.loss.is_finite());
    }
}

/// Paper 1, section 5.1: 300 filters over windows of 3 words; 64 hidden units in each direction, whose cells
/// have four gates; a layer with as many outputs as a vector has numbers.
#[test]
fn a_plans_networks_have_the_papers_sizes_and_start_within_one_over_the_root_of_their_inputs() {
    // How many numbers a weight has, and how many inputs its layer sums.
    let convolution = [(300 * 3 * 10, 30), (300, 30), (10 * 300, 300), (10, 300)];
    let cell = [(4 * 64 * 10, 64), (4 * 64 * 64, 64), (4 * 64, 64)];
    let recurrent = [&cell[..], &cell, &[(10 * 128, 128), (10, 128)]].concat();
    for kind in KINDS {
        let plan = Plan { dimension: 10, ..Plan::of_paper(kind, loss()) };
        let words = WORDS.map(|rows| Table::new(10, vec![0.0; rows * 10]));
        let networks = NetworkTrainer::new(&plan, words.to_vec()).networks().unwrap();
        assert_eq!(networks.len(), WORDS.len());
        let expected = if kind == EncoderName::Cnn { &convolution[..] } else { &recurrent };
        for network in &networks {
            let weights = network.weights();
            assert_eq!(weights.len(), expected.len());
            for (weight, &(count, inputs)) in weights.iter().zip(expected) {
                assert_eq!(weight.values.len(), count, "{kind:?} {}", weight.name);
                let most = weight.values.iter().fold(0f32, |most, x| most.max(x.abs()));
                let share = most * (inputs as f32).sqrt();
                // The largest of ten uniform numbers and more.
                assert!((0.5..=1.0).contains(&share), "{kind:?} {}: {share}", weight.name);
            }
        }
    }
}
