//! What the golden files hold, computed: by `make.rs` to write them, by `same_bits.rs` to compare.

#![allow(clippy::unwrap_used)] // A failure here is a failed test.

use std::fmt::Write;

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::Index;
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::model::Model;
use smooth_clir::ranking::scan::{self, Query};
use smooth_clir::training::step::{Pair, PairTrainer, Settings};

/// The length of the vectors: not a whole number of the kernels' lanes.
pub const DIMENSION: usize = 37;
const QUERIES: [&str; 8] = [
    "rain",
    "Rain over the mountains, rain!",
    "the old boat on the lake",
    "bread and salt and bread",
    "nobody knows this",
    "lake lake lake lake lake lake lake",
    "mountains boat bread unknown words",
    "salt",
];
const EPSILONS: [f32; 5] = [0.0, 0.001, 0.5, 1.0, 100.0];

/// Query, then the bits of each component.
pub fn vectors(model: &Model) -> String {
    let mut lines = String::new();
    for query in QUERIES {
        lines.push_str(query);
        for x in model.query_encoder().unwrap().encode(query) {
            write!(lines, "\t{:08x}", x.to_bits()).unwrap();
        }
        lines.push('\n');
    }
    lines
}

/// Query, epsilon, then id and the bits of the score of every document, best first.
pub fn scores(model: Model, index: Index) -> String {
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    let mut lines = String::new();
    for query in QUERIES {
        for epsilon in EPSILONS {
            let search = Search { query, epsilon: Some(epsilon), limit: 1000, ..Search::default() };
            write!(lines, "{query}\t{epsilon}").unwrap();
            for hit in engine.search(search).unwrap() {
                write!(lines, "\t{} {:08x}", hit.id, hit.score.to_bits()).unwrap();
            }
            lines.push('\n');
        }
    }
    lines
}

/// The bits of a query's dot products with many vectors, in both precisions of an index and at
/// lengths that are and are not whole numbers of lanes.
pub fn dots() -> String {
    let mut random = Random::new(7, "dots");
    let mut lines = String::new();
    for dimension in [37, 48, 64] {
        let table = Table::new(dimension, random.normals(23 * dimension, 0.5));
        let query = Query::new(random.normals(dimension, 0.5));
        for precision in [Precision::F32, Precision::I8] {
            let mut dots = [0.0; 23];
            scan::dots(&Rows::new(table.clone(), precision), &query, 0, &mut dots);
            write!(lines, "{dimension}\t{precision:?}").unwrap();
            dots.iter().for_each(|dot| write!(lines, "\t{:08x}", dot.to_bits()).unwrap());
            lines.push('\n');
        }
    }
    lines
}

/// The bits of both tables after each of some training steps.
pub fn steps() -> String {
    let mut random = Random::new(7, "steps");
    let [query, document] =
        [6, 9].map(|rows| Table::new(DIMENSION, random.normals(rows * DIMENSION, 0.5)));
    let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
    let settings = Settings { epsilon: 1.0, loss, learning_rate: 0.05, clip: None, pull: 0.0 };
    let mut trainer = PairTrainer::new(settings, query, vec![document]);
    let mut lines = String::new();
    for _ in 0..5 {
        let mut text = |rows: usize| -> Vec<u32> {
            (0..random.below(7)).map(|_| random.below(rows) as u32).collect()
        };
        let texts: Vec<[Vec<u32>; 2]> = (0..8).map(|_| [text(6), text(9)]).collect();
        let pairs = texts.iter().zip([0, 1, 2].into_iter().cycle());
        let pairs: Vec<Pair<'_>> = pairs
            .map(|([query, document], grade)| Pair { query, document, language: 0, grade })
            .collect();
        trainer.step(&pairs);
        let bits = |table: &Table| {
            table.values().iter().map(|x| format!("{:08x}", x.to_bits())).collect::<Vec<_>>()
        };
        let words: Vec<String> = trainer.tables().iter().flat_map(bits).collect();
        writeln!(lines, "{}", words.join(" ")).unwrap();
    }
    lines
}
