//! An approximate index: documents in cells around centres (an inverted file), of which a query looks into those whose
//! centres have the highest inner products with it.

use std::thread;

use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;

use crate::collection::Collection;
use crate::growth::{best, mean};

const BEST: usize = 10;
const ROUNDS: usize = 10;
/// Documents of a centre that it is found from.
const SAMPLE: usize = 64;
/// Epsilons of queries, beside the one that cells are made for.
const EPSILONS: [f32; 3] = [0.0, 1.0, 4.0];

pub fn print(collection: &Collection) {
    println!(
        "| documents | cells | cells looked into | documents looked at | recall@10 | at epsilon 0 | at 1 | at 4 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for size in [100_000, 1_000_000].into_iter().filter(|&size| size <= collection.len()) {
        let cells = Cells::of(collection, size);
        for looked_into in [1, 4, 16, 64] {
            cells.print(collection, looked_into);
        }
    }
    println!();
}

struct Cells {
    /// One centre after the other.
    centres: Vec<f32>,
    /// The documents of each.
    documents: Vec<Vec<usize>>,
    size: usize,
}

impl Cells {
    /// k-means over the documents' d / (|d| + epsilon), about the square root of their number of cells.
    fn of(collection: &Collection, size: usize) -> Self {
        let count = (size as f64).sqrt().round() as usize;
        let dimension = collection.dimension;
        let mut random = Random::new(1, "cells");
        let mut sample: Vec<usize> = (0..size).collect();
        random.shuffle(&mut sample);
        sample.truncate(count * SAMPLE);
        let mut centres: Vec<f32> =
            sample[..count].iter().flat_map(|&at| transformed(collection, at)).collect();
        for _ in 0..ROUNDS {
            let nearest = nearest(collection, &sample, &centres);
            let mut sums = vec![0.0f32; centres.len()];
            let mut counts = vec![0.0f32; count];
            for (&at, &cell) in sample.iter().zip(&nearest) {
                counts[cell] += 1.0;
                let sum = &mut sums[cell * dimension..][..dimension];
                sum.iter_mut().zip(transformed(collection, at)).for_each(|(sum, x)| *sum += x);
            }
            // A centre without documents stays where it is.
            for (cell, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                let place = cell * dimension..(cell + 1) * dimension;
                centres[place.clone()]
                    .iter_mut()
                    .zip(&sums[place])
                    .for_each(|(centre, sum)| *centre = sum / count);
            }
        }
        let all: Vec<usize> = (0..size).collect();
        let mut documents = vec![Vec::new(); count];
        for (&at, cell) in all.iter().zip(nearest(collection, &all, &centres)) {
            documents[cell].push(at);
        }
        Self { centres, documents, size }
    }

    fn print(&self, collection: &Collection, looked_into: usize) {
        let mut recalls: Vec<Vec<f64>> = vec![Vec::new(); 1 + EPSILONS.len()];
        let mut looked_at = Vec::new();
        for query in &collection.queries {
            let mut towards = vec![0.0; self.documents.len()];
            kernels::dots(query.vector(), &self.centres, &mut towards);
            let cells = best(&towards, looked_into);
            let mut seen: Vec<usize> =
                cells.iter().flat_map(|&cell| &self.documents[cell]).copied().collect();
            seen.sort_unstable();
            looked_at.push(seen.len() as f64 / self.size as f64);
            let dots: Vec<f32> = (0..self.size)
                .map(|at| kernels::dot(query.vector(), collection.vector(at)))
                .collect();
            for (recalls, epsilon) in
                recalls.iter_mut().zip([collection.epsilon].into_iter().chain(EPSILONS))
            {
                let scores: Vec<f32> = dots
                    .iter()
                    .zip(&collection.norms)
                    .map(|(dot, norm)| dot / (norm + epsilon))
                    .collect();
                let exact = best(&scores, BEST);
                recalls.push(
                    exact.iter().filter(|at| seen.binary_search(at).is_ok()).count() as f64
                        / BEST as f64,
                );
            }
        }
        let recalls: Vec<String> =
            recalls.iter().map(|recalls| format!("{:.3}", mean(recalls))).collect();
        println!(
            "| {} | {} | {looked_into} | {:.2} % | {} |",
            self.size,
            self.documents.len(),
            100.0 * mean(&looked_at),
            recalls.join(" | "),
        );
    }
}

fn transformed(collection: &Collection, at: usize) -> impl Iterator<Item = f32> + '_ {
    let below = collection.norms[at] + collection.epsilon;
    collection.vector(at).iter().map(move |x| x / below)
}

/// The centre that is nearest to each document.
fn nearest(collection: &Collection, documents: &[usize], centres: &[f32]) -> Vec<usize> {
    let dimension = collection.dimension;
    let halves: Vec<f32> =
        centres.chunks(dimension).map(|centre| kernels::dot(centre, centre) / 2.0).collect();
    let one = |&at: &usize| {
        let document: Vec<f32> = transformed(collection, at).collect();
        let mut dots = vec![0.0; halves.len()];
        kernels::dots(&document, centres, &mut dots);
        // |d - c|^2 = |d|^2 - 2 (d.c - |c|^2 / 2)
        let near: Vec<f32> = dots.iter().zip(&halves).map(|(dot, half)| dot - half).collect();
        best(&near, 1)[0]
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = documents.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let running: Vec<_> = documents
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().map(one).collect::<Vec<_>>()))
            .collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}
