//! The encoders with layers, against PyTorch's.

use ndarray::Array2;
use smooth_clir::encoder::{Linear, Network, Precision};
use smooth_clir::model::{read_network, write_network};
use smooth_clir::storage::container::{Reader, Writer};

/// Tensors and vectors by `reference/networks.py`.
const BY_PYTORCH: &str = include_str!("../reference/networks.tsv");
const WORDS: usize = 7;
const DIMENSION: usize = 4;

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(column: &str) -> Vec<T> {
    column.split(',').map(|x| x.parse().unwrap()).collect()
}

/// The network as it is read from a file with PyTorch's tensors.
fn network(kind: &str) -> Network {
    let mut writer = Writer::new("test");
    for line in BY_PYTORCH.lines() {
        let column: Vec<&str> = line.split('\t').collect();
        if column[0] == "tensor" && kind.starts_with(column[1]) {
            let name = format!("side.{}", column[2]);
            writer.f32(&name, &numbers(column[3]), &numbers(column[4]));
        }
    }
    read(&writer.into_bytes(), kind)
}

fn read(bytes: &[u8], kind: &str) -> Network {
    let mut reader = Reader::open(bytes, "test").unwrap();
    let network = read_network(&mut reader, "side", kind, WORDS, DIMENSION).unwrap();
    reader.finish().unwrap();
    network
}

fn encode(network: &Network, rows: &[u32]) -> Vec<f32> {
    let mut vector = vec![7.0; network.dimension()];
    network.encode(rows, &mut vector);
    vector
}

const KINDS: [&str; 3] = ["cnn", "lstm", "lstm-first"];

#[test]
fn vectors_are_those_of_pytorchs_layers() {
    let mut checked = 0;
    for kind in KINDS {
        let network = network(kind);
        let texts = BY_PYTORCH.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        for column in texts.filter(|column| column[..2] == ["text", kind]) {
            let vector = encode(&network, &numbers(column[2]));
            let expected: Vec<f64> = numbers(column[3]);
            assert_eq!(vector.len(), expected.len());
            for (x, expected) in vector.iter().zip(expected) {
                assert!((f64::from(*x) - expected).abs() < 1e-6, "{column:?}: {vector:?}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 12);
}

#[test]
fn a_text_of_no_known_word_has_the_zero_vector() {
    for kind in KINDS {
        assert_eq!(encode(&network(kind), &[]), [0.0; DIMENSION], "{kind}");
    }
}

#[test]
fn a_text_may_have_a_hundred_thousand_words() {
    let rows: Vec<u32> = (0..100_000).map(|i| i % WORDS as u32).collect();
    for kind in KINDS {
        assert!(encode(&network(kind), &rows).iter().all(|x| x.abs() <= 1.0), "{kind}");
    }
}

#[test]
fn every_kind_is_read_back_as_written() {
    for kind in KINDS {
        let network = network(kind);
        assert_eq!(network.kind(), kind);
        assert_eq!((network.dimension(), network.words().len()), (DIMENSION, WORDS));
        for precision in [Precision::F32, Precision::F16, Precision::I8] {
            let mut writer = Writer::new("test");
            write_network(&mut writer, "side", &network, precision);
            let read = read(&writer.into_bytes(), kind);
            // Only the words' rows are rounded.
            assert_eq!(read.weights(), network.weights(), "{kind} {precision:?}");
            assert_eq!(read == network, precision == Precision::F32, "{kind} {precision:?}");
        }
    }
}

#[test]
fn weights_too_large_to_add_up_give_vectors_in_range() {
    for kind in KINDS {
        let mut network = network(kind);
        for weights in network.weights_mut() {
            weights.iter_mut().for_each(|x| *x = x.signum() * f32::MAX);
        }
        network.words_mut().to_mut().iter_mut().for_each(|x| *x = x.signum() * f32::MAX);
        let vector = encode(&network, &[0, 1, 2, 3, 4, 5, 6]);
        assert!(vector.iter().all(|x| x.abs() <= 1.0), "{kind}: {vector:?}");
    }
    let weight = Array2::from_elem((1, 2), f32::MAX);
    let layer = Linear { weight, bias: vec![f32::NEG_INFINITY] };
    let mut output = [7.0];
    layer.tanh(&[f32::MAX; 2], &mut output);
    assert_eq!(output, [0.0]);
}
