//! The shaders in a browser, as its own compiler of WGSL reads them; in Node, that there are none.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::panic)]

use js_sys::Reflect;
use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::gpu::{self, Gpu, Scan};
use smooth_clir::math::kernels;
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::ranking::scan::{Query, Ranking, TopK, rank};
use smooth_clir::training::step::{self, Pair, Settings};
use wasm_bindgen_test::wasm_bindgen_test;

/// The browser's device; nothing in Node, where asking for one has to be refused, not to panic.
async fn gpu() -> Option<Gpu> {
    let in_node = Reflect::has(&js_sys::global(), &"process".into()).unwrap();
    match Gpu::request().await {
        Err(error) if in_node => {
            assert_eq!(error.code(), "no-gpu", "{error}");
            None
        }
        Err(error) => panic!("{error}: see the flags in webdriver.json"),
        Ok(gpu) => Some(gpu),
    }
}

fn norm(values: impl Iterator<Item = f32>) -> f64 {
    values.map(|x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    norm(a.iter().zip(b).map(|(a, b)| a - b))
}

#[wasm_bindgen_test]
async fn steps_are_those_of_the_core_until_the_device_is_lost() {
    let Some(gpu) = gpu().await else { return };
    assert!(gpu.is_software(), "the flags in webdriver.json ask for SwiftShader");
    let mut random = Random::new(1, "browser");
    let tables: Vec<Table> =
        [40, 50, 30].map(|rows| Table::new(65, random.normals(rows * 65, 0.5))).into();
    let mut text = |rows: usize| -> Vec<u32> {
        (0..random.below(8)).map(|_| random.below(rows) as u32).collect()
    };
    let texts: Vec<[Vec<u32>; 2]> = (0..60).map(|i| [text(40), text([50, 30][i % 2])]).collect();
    let batch: Vec<Pair<'_>> = (texts.iter().enumerate())
        .map(|(i, [query, document])| Pair {
            query,
            document,
            language: i % 2,
            grade: (i % 3) as u8,
        })
        .collect();
    let settings = Settings {
        epsilon: 0.5,
        loss: Loss::Sosl(Thresholds::new(&[0.1, 0.3]).unwrap()),
        learning_rate: 0.01,
        clip: Some(0.02),
        pull: 0.001,
    };
    let mut core =
        step::PairTrainer::new(settings.clone(), tables[0].clone(), tables[1..].to_vec());
    // Segments of a few rows.
    let mut device =
        gpu::GpuTrainer::in_segments(&gpu, 2000, settings, tables[0].clone(), tables[1..].to_vec())
            .unwrap();

    let (expected, found) = (core.gradients(&batch), device.gradients(&batch).await.unwrap());
    let pairs = || expected.iter().flatten().zip(found.iter().flatten());
    let largest = pairs().map(|((_, a), _)| norm(a.iter().copied())).fold(0.0, f64::max);
    for ((row, a), (other, b)) in pairs() {
        assert_eq!(row, other);
        assert!(distance(a, b) < 1e-5 * largest, "row {row}: {} {largest}", distance(a, b));
    }
    for _ in 0..20 {
        let (expected, found) = (core.step(&batch), device.step(&batch).await.unwrap());
        assert!((expected.loss - found.loss).abs() < 1e-5, "{expected:?} {found:?}");
        assert_eq!((expected.active, expected.clipped), (found.active, found.clipped));
    }
    for (expected, found) in core.tables().iter().zip(device.tables().await.unwrap()) {
        for row in 0..expected.len() {
            let length = norm(expected.row(row).iter().copied());
            assert!(distance(expected.row(row), found.row(row)) < 1e-4 * length);
        }
    }

    device.enqueue(&batch).unwrap();
    gpu.destroy();
    assert_eq!(device.reports().await.unwrap_err().code(), "gpu-failed");
}

#[wasm_bindgen_test]
async fn the_cores_best_are_among_the_proposals() {
    let Some(gpu) = gpu().await else { return };
    for precision in [Precision::F32, Precision::I8] {
        let mut random = Random::new(2, "browser");
        let table = Table::new(65, random.normals(3000 * 65, 0.3));
        let query = Query::new(random.normals(65, 0.4));
        let vectors = Rows::new(table, precision);
        let norms: Vec<f32> = (0..3000).map(|at| kernels::norm(&vectors.row(at))).collect();
        let scan = Scan::new(&gpu, &vectors, &norms).unwrap();
        let proposed = scan.candidates(&query, 0.5, 10).await.unwrap();
        let best_of = |wanted: &dyn Fn(usize) -> bool| {
            let (mut best, mut dots) = (TopK::new(10), Vec::new());
            let ranking = Ranking {
                query: &query,
                epsilon: 0.5,
                dots: &mut dots,
                fusion: None,
                top: &mut best,
            };
            rank(&vectors, &norms, wanted, 0, &mut [ranking]);
            best.into_vec()
        };
        assert_eq!(best_of(&|position| proposed.contains(&position)), best_of(&|_| true));
    }
}
