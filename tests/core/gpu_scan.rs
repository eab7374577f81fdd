//! The GPU's proposals against the core's exact ranking. Without a GPU, Mesa's lavapipe stands in.

use crate::device::{gpu, own_gpu};
use pollster::block_on;
use proptest::prelude::*;
use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::gpu::Scan;
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::ranking::scan::{Query, Ranking, TopK, rank};

fn random_query(dimension: usize, seed: u64) -> Query {
    Query::new(Random::new(seed, "query").normals(dimension, 0.4))
}

fn random_rows(rows: usize, dimension: usize, precision: Precision) -> Rows {
    let values = Random::new(rows as u64, "rows").normals(rows * dimension, 0.3);
    Rows::new(Table::new(dimension, values), precision)
}

fn norms(vectors: &Rows) -> Vec<f32> {
    (0..vectors.len()).map(|at| kernels::norm(&vectors.row(at))).collect()
}

/// The positions and scores of the core's best among the documents that are wanted.
fn by_the_core(
    vectors: &Rows,
    (query, epsilon): (&Query, f32),
    limit: usize,
    wanted: impl Fn(usize) -> bool,
) -> Vec<(usize, f32)> {
    let (mut best, mut dots) = (TopK::new(limit), Vec::new());
    let ranking = Ranking { query, epsilon, dots: &mut dots, fusion: None, top: &mut best };
    rank(vectors, &norms(vectors), wanted, 0, &mut [ranking]);
    best.into_vec().iter().map(|scored| (scored.position, scored.score)).collect()
}

/// The core's best among all documents are its best among the proposals.
fn assert_nothing_is_missed(scan: &Scan, vectors: &Rows, query: (&Query, f32), k: usize) {
    let proposed = block_on(scan.candidates(query.0, query.1, k)).unwrap();
    assert!(proposed.len() >= (4 * k).max(64).min(vectors.len()));
    let expected = by_the_core(vectors, query, k, |_| true);
    let found = by_the_core(vectors, query, k, |position| proposed.contains(&position));
    assert_eq!(found, expected, "{} of {}", k, vectors.len());
}

#[test]
fn the_cores_best_are_among_the_proposals_for_any_precision_dimension_and_size() {
    for precision in [Precision::F32, Precision::F16, Precision::I8] {
        for dimension in [1, 3, 64, 65, 300] {
            for size in [0, 1, 63, 65, 1024, 1025, 3000] {
                let vectors = random_rows(size, dimension, precision);
                let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
                for epsilon in [0.0, 0.5, 5.0] {
                    let query = random_query(dimension, 1);
                    assert_nothing_is_missed(&scan, &vectors, (&query, epsilon), 10);
                }
            }
        }
    }
}

#[test]
fn many_rounds_keep_the_best_of_a_large_index() {
    let vectors = random_rows(40_000, 8, Precision::F32);
    let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
    // 512 proposals take seven rounds, 64 two; beyond 512 the host sorts.
    for k in [10, 128, 129, 1000] {
        assert_nothing_is_missed(&scan, &vectors, (&random_query(8, 2), 0.5), k);
    }
}

#[test]
fn proposals_are_in_the_cores_order_but_for_scores_a_millionth_apart() {
    let vectors = random_rows(5000, 64, Precision::F32);
    let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
    let query = random_query(64, 3);
    for limit in [100, 5000] {
        let proposed = block_on(scan.top(&query, 0.5, limit)).unwrap();
        let expected = by_the_core(&vectors, (&query, 0.5), limit, |_| true);
        let mut all = vec![0.0; 5000];
        let places = by_the_core(&vectors, (&query, 0.5), 5000, |_| true);
        places.into_iter().for_each(|(position, score)| all[position] = score);
        assert_eq!(proposed.len(), limit);
        for (proposed, (_, score)) in proposed.iter().zip(expected) {
            assert!((all[*proposed] - score).abs() < 1e-6, "{} {score}", all[*proposed]);
        }
    }
}

#[test]
fn integers_are_scored_exactly() {
    let vectors = random_rows(3000, 65, Precision::I8);
    let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
    let query = random_query(65, 4);
    for limit in [64, 3000] {
        let proposed = block_on(scan.top(&query, 0.5, limit)).unwrap();
        let expected = by_the_core(&vectors, (&query, 0.5), limit, |_| true);
        let expected: Vec<usize> = expected.into_iter().map(|(position, _)| position).collect();
        // A quotient may be rounded otherwise: then neighbours of nearly one score swap.
        let off = proposed.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(off <= limit / 100, "{off} of {limit}");
    }
}

#[test]
fn all_documents_that_rounding_may_have_exchanged_are_candidates() {
    // One component: every score is 1 or -1 but for its rounding, so a device may order them anyhow.
    let vectors = random_rows(3000, 1, Precision::F32);
    let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
    let query = Query::new(vec![0.3]);
    let mut proposed = block_on(scan.candidates(&query, 0.0, 10)).unwrap();
    proposed.sort_unstable();
    let expected: Vec<_> = (0..3000).filter(|&at| vectors.row(at)[0] > 0.0).collect();
    assert_eq!(proposed, expected);
    assert_eq!(block_on(scan.candidates(&random_query(1, 1), 0.5, 10)).unwrap().len(), 64);
}

#[test]
fn copies_of_one_document_are_proposed_in_the_order_of_the_index() {
    let row = Random::new(5, "row").normals(16, 0.4);
    let copies = Rows::new(Table::new(16, row.repeat(2500)), Precision::F32);
    let scan = Scan::new(&gpu(), &copies, &norms(&copies)).unwrap();
    for limit in [7, 512, 600, 2500] {
        for query in [random_query(16, 5), Query::new(vec![0.0; 16])] {
            let proposed = block_on(scan.top(&query, 0.0, limit)).unwrap();
            assert_eq!(proposed, (0..limit).collect::<Vec<_>>());
        }
    }
}

#[test]
fn an_index_in_many_segments_proposes_what_a_whole_one_does() {
    for precision in [Precision::F32, Precision::I8] {
        let vectors = random_rows(3000, 6, precision);
        let norms = norms(&vectors);
        let query = random_query(6, 6);
        let whole = Scan::new(&gpu(), &vectors, &norms).unwrap();
        // Of 64 documents each, and of 1024.
        for bytes in [2048, 32768] {
            let parts = Scan::in_segments(&gpu(), bytes, &vectors, &norms).unwrap();
            for limit in [0, 1, 64, 700, 9999] {
                let [a, b] =
                    [&whole, &parts].map(|scan| block_on(scan.top(&query, 0.5, limit)).unwrap());
                assert_eq!(a, b);
            }
        }
        assert!(Scan::in_segments(&gpu(), 256, &vectors, &norms).is_err());
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let vectors = random_rows(5, 4, Precision::F32);
    let code = |error: smooth_clir::Error| error.code();
    let short = Scan::new(&gpu(), &vectors, &[1.0; 4]);
    assert_eq!(code(short.unwrap_err()), "not-for-gpu");
    let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
    let of = |query: &Query, epsilon| block_on(scan.top(query, epsilon, 3)).unwrap_err();
    assert_eq!(code(of(&random_query(5, 1), 0.5)), "not-for-gpu");
    assert_eq!(code(of(&random_query(4, 1), f32::NAN)), "epsilon");
}

#[test]
fn a_device_that_is_lost_gives_an_error() {
    let gpu = own_gpu();
    let vectors = random_rows(100, 4, Precision::F32);
    let scan = Scan::new(&gpu, &vectors, &norms(&vectors)).unwrap();
    let query = random_query(4, 1);
    block_on(scan.top(&query, 0.5, 10)).unwrap();
    gpu.destroy();
    let lost = block_on(scan.top(&query, 0.5, 10)).unwrap_err();
    assert_eq!(lost.code(), "gpu-failed", "{lost}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_is_missed(
        size in 1usize..2500, dimension in 1usize..70, k in 1usize..40, seed in any::<u64>(),
        epsilon in prop_oneof![Just(0.0), 0.01f32..3.0], integers in any::<bool>(),
    ) {
        let precision = if integers { Precision::I8 } else { Precision::F32 };
        let vectors = random_rows(size, dimension, precision);
        let scan = Scan::new(&gpu(), &vectors, &norms(&vectors)).unwrap();
        assert_nothing_is_missed(&scan, &vectors, (&random_query(dimension, seed), epsilon), k);
    }
}
