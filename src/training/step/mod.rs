//! The training step: encode, score, loss, gradients by hand, Adam on the touched rows.
//!
//! A pair's loss is the loss of `SCS(q, d)` with `q = tanh(mean of its words' rows)` and `d`
//! likewise; words may have [weights](Weighting) in the mean. The batch's loss is the mean over its
//! pairs. Each row's gradient is a sum in the order of the pairs and of their words, on any number
//! of threads, so the same input gives the same bits.

mod adam;
pub mod contrastive;
mod judged;
mod outcome;
mod pair;
#[cfg(feature = "gpu")]
mod state;
mod touched;
mod trained_table;
mod weighting;

use std::sync::Arc;

use ndarray::{Array2, Axis};

pub use adam::Adam;
pub use judged::{Judged, Measured};
use outcome::PairOutcome;
pub use pair::{OwnedPair, Pair, pairs};
#[cfg(feature = "gpu")]
pub(crate) use state::State;
#[cfg(feature = "gpu")]
pub(crate) use trained_table::Part;
use trained_table::{Rule, TrainedTable};
pub use weighting::Weighting;
#[cfg(feature = "gpu")]
pub(crate) use weighting::total;

use crate::Error;
use crate::encoder::Table;
use crate::math::arrays::{row, values_mut};
use crate::math::kernels;
use crate::math::loss::Loss;
use crate::math::similarity::{Gradient, from_parts, gradient_from_parts};
use crate::storage::container::{Reader, Writer};
use crate::training::team::Team;

/// The settings of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The loss.
    pub loss: Loss,
    /// Adam's step size.
    pub learning_rate: f32,
    /// The largest Euclidean norm of the gradient over all rows: a longer gradient is scaled down
    /// to it; `None` for no limit.
    pub clip: Option<f32>,
    /// The strength of the pull of touched rows towards their initial values: half of it times the
    /// squared distance is added to the loss. 0 for no pull.
    pub pull: f32,
}

/// The report of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// The mean loss before the step.
    pub loss: f64,
    /// The number of pairs with a non-zero slope of the loss; the others change nothing.
    pub active: usize,
    /// The number of pairs with an undefined gradient (at epsilon 0), which counts as 0.
    pub undefined: usize,
    /// Whether the gradient was clipped.
    pub clipped: bool,
}

/// A trainer of tables: the query table first, then one for each document language.
#[derive(Debug, Clone)]
pub struct PairTrainer {
    settings: Settings,
    tables: Vec<TrainedTable>,
    adam: Adam,
    backward: Backward,
    team: Arc<Team>,
}

/// The intermediate results of a batch, for the queries and for the documents.
#[derive(Debug, Clone, Default)]
struct Backward {
    /// The vectors, [pairs, width] for each block of columns.
    vectors: [Vec<Array2<f32>>; 2],
    /// The gradient of the loss for each word of weight 1, the same for all words of a text:
    /// [pairs, dimension]. Undefined values for pairs without a gradient.
    flows: [Array2<f32>; 2],
    outcomes: Vec<PairOutcome>,
}

/// The loss of a pair's score, with its slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The loss of the score.
    pub loss: f32,
    /// The derivative of the loss with respect to the score.
    pub slope: f32,
    /// Whether the gradient of the score is undefined (at epsilon 0).
    pub undefined: bool,
}

impl Settings {
    /// Scores a query's and a document's vector. If the loss has a slope there, writes the gradient
    /// of the score with respect to each vector, zeros if it is undefined. All slices have one
    /// length.
    pub fn score(
        &self,
        grade: u8,
        [query, document]: [&[f32]; 2],
        [to_query, to_document]: [&mut [f32]; 2],
    ) -> Scored {
        let epsilon = self.epsilon;
        let dot = kernels::dot(query, document);
        let (query_norm, document_norm) = (kernels::norm(query), kernels::norm(document));
        let score = from_parts(dot, query_norm, document_norm, epsilon);
        let (loss, slope) = (self.loss.value(score, grade), self.loss.slope(score, grade));
        let mut undefined = false;
        if slope == 0.0 {
            return Scored { loss, slope, undefined };
        }
        for (vector, other, vector_norm, other_norm, out) in [
            (query, document, query_norm, document_norm, to_query),
            (document, query, document_norm, query_norm, to_document),
        ] {
            let exists =
                gradient_from_parts(vector, other, dot, vector_norm, other_norm, epsilon, out);
            undefined |= exists == Gradient::Undefined;
        }
        Scored { loss, slope, undefined }
    }
}

/// The number of tasks for each thread: a late thread can leave some to the others.
const TASKS: usize = 4;

impl PairTrainer {
    /// Creates a trainer of tables of one dimension: the query table, then the document tables.
    pub fn new(settings: Settings, query: Table, documents: Vec<Table>) -> Self {
        Self::on_threads(1, settings, query, documents)
    }

    /// [`new`](Self::new) on the given number of threads. Results do not depend on it.
    pub fn on_threads(
        threads: usize,
        settings: Settings,
        query: Table,
        documents: Vec<Table>,
    ) -> Self {
        let team = Arc::new(Team::new(threads));
        let tables = std::iter::once(query).chain(documents);
        let trained = |table| TrainedTable::new(table, team.threads(), settings.pull);
        let tables = tables.map(trained).collect();
        Self { settings, tables, adam: Adam::after(0), backward: Backward::default(), team }
    }

    /// Sets the tables that the pull is towards, of the same shapes: the query table, then the
    /// document tables.
    pub fn pull_towards(&mut self, tables: Vec<Table>) {
        for (trained, table) in self.tables.iter_mut().zip(tables) {
            trained.pull_towards(table);
        }
    }

    /// Sets the weights of rows from the next step on, one weighting for each table.
    pub fn weigh(&mut self, weightings: Vec<Weighting>) {
        for (table, weighting) in self.tables.iter_mut().zip(weightings) {
            table.weighting = Some(weighting);
        }
    }

    /// Sets the step size of the next steps.
    pub fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// The current tables: the query table, then the document tables.
    pub fn tables(&self) -> Vec<Table> {
        self.tables.iter().map(TrainedTable::table).collect()
    }

    /// Takes one step of Adam on a batch.
    ///
    /// # Panics
    /// If a row, language or grade of a pair does not exist.
    pub fn step(&mut self, batch: &[Pair<'_>]) -> Report {
        let report = self.backward(batch);
        self.descend_adam(report)
    }

    /// The step of Adam along the gradient of the last batch.
    fn descend_adam(&mut self, mut report: Report) -> Report {
        let factor = self.clip(&mut report);
        let step_size = self.adam.advance(self.settings.learning_rate);
        self.update(Rule::Adam { step_size, factor });
        report
    }

    /// The factor that shortens the last batch's gradient to the settings' norm.
    fn clip(&mut self, report: &mut Report) -> f32 {
        let Some(most) = self.settings.clip else { return 1.0 };
        let length = self.gradient_length();
        report.clipped = length > f64::from(most);
        if report.clipped { (f64::from(most) / length) as f32 } else { 1.0 }
    }

    /// Takes one step of plain gradient descent on a batch, the only method that the theory covers.
    ///
    /// # Panics
    /// As [`step`](Self::step).
    pub fn descend(&mut self, batch: &[Pair<'_>], step_size: f32) -> Report {
        let mut report = self.backward(batch);
        let factor = self.clip(&mut report);
        self.update(Rule::Descent { step_size: step_size * factor });
        report
    }

    fn update(&mut self, rule: Rule) {
        let parts = TASKS * self.team.threads();
        let mut tasks = Vec::new();
        for (number, table) in self.tables.iter_mut().enumerate() {
            let flow = self.backward.flow(number);
            tasks.extend(table.runs(parts).into_iter().map(|run| (flow, run)));
        }
        self.team.for_each(tasks, |(flow, mut run)| run.update(flow, rule));
    }

    /// The Euclidean norm of the gradient over all rows of all tables.
    fn gradient_length(&self) -> f64 {
        let mut sum = 0.0;
        for (number, table) in self.tables.iter().enumerate() {
            let flow = self.backward.flow(number);
            let mut squares = vec![0.0; table.touched.rows.len()];
            let size = squares.len().div_ceil(TASKS * self.team.threads()).max(1);
            let tasks: Vec<_> = squares.chunks_mut(size).enumerate().collect();
            self.team.for_each(tasks, |(part, squares)| {
                let mut gradient = vec![0.0; table.dimension()];
                for (slot, square) in (part * size..).zip(squares) {
                    table.gradient(slot, flow, &mut gradient);
                    *square = gradient.iter().fold(0.0, |s, &x| s + f64::from(x) * f64::from(x));
                }
            });
            sum = squares.into_iter().fold(sum, |sum, square| sum + square);
        }
        f64::sqrt(sum)
    }

    /// The lengths of the score's gradients in the last batch: for each pair whose loss has a slope
    /// the longer of the gradients in the query's and in the document's vector. By paper 1, Lemma 2
    /// with its tight constant, none exceeds `1/epsilon`.
    pub fn gradient_lengths(&self) -> impl Iterator<Item = f32> {
        let active = self.backward.outcomes.iter().filter(|outcome| outcome.active);
        active.map(|outcome| outcome.gradient)
    }

    /// Writes the complete state: tables, Adam's moments and its number of steps.
    pub fn save(&self, writer: &mut Writer) {
        self.adam.save(writer);
        for (number, table) in self.tables.iter().enumerate() {
            table.save(number, writer);
        }
    }

    /// Reads the state that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// For missing tensors, types or shapes that differ.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.adam = Adam::restore(reader)?;
        for (number, table) in self.tables.iter_mut().enumerate() {
            table.restore(number, reader)?;
        }
        Ok(())
    }

    /// The gradient of the batch's mean loss with respect to every touched row, without a step: for
    /// each table its touched rows in rising order.
    ///
    /// # Panics
    /// As [`step`](Self::step).
    pub fn gradients(&mut self, batch: &[Pair<'_>]) -> Vec<Vec<(u32, Vec<f32>)>> {
        self.backward(batch);
        let gradients_of = |(number, table): (usize, &TrainedTable)| {
            let flow = self.backward.flow(number);
            let rows = table.touched.rows.iter().enumerate();
            let gradient = |(slot, &row): (usize, &u32)| {
                let mut gradient = vec![0.0; table.dimension()];
                table.gradient(slot, flow, &mut gradient);
                (row, gradient)
            };
            rows.map(gradient).collect()
        };
        self.tables.iter().enumerate().map(gradients_of).collect()
    }

    /// Runs forward and back to the gradient of each text's words, and lists the touched rows.
    fn backward(&mut self, batch: &[Pair<'_>]) -> Report {
        self.backward.resize(batch.len(), &self.tables[0]);
        self.encode(batch);
        self.score(batch);
        self.touch(batch)
    }

    /// Lists the touched rows of a scored batch.
    fn touch(&mut self, batch: &[Pair<'_>]) -> Report {
        let outcomes = &self.backward.outcomes;
        self.team.for_each(self.tables.iter_mut().enumerate().collect(), |(number, table)| {
            let rows = table.rows();
            match number {
                0 => table.touched.list(batch.iter().map(|pair| pair.query), outcomes, rows),
                _ => {
                    let texts = batch.iter().map(|pair| pair.document_in(number - 1));
                    table.touched.list(texts, outcomes, rows);
                }
            }
        });
        let losses = outcomes.iter().fold(0.0, |sum, outcome| sum + f64::from(outcome.loss));
        Report {
            loss: losses / batch.len().max(1) as f64,
            active: outcomes.iter().filter(|outcome| outcome.active).count(),
            undefined: outcomes.iter().filter(|outcome| outcome.undefined).count(),
            clipped: false,
        }
    }

    /// The number of pairs of a task.
    fn chunk(&self, batch: &[Pair<'_>]) -> usize {
        batch.len().div_ceil(TASKS * self.team.threads()).max(1)
    }

    fn encode(&mut self, batch: &[Pair<'_>]) {
        let (tables, size) = (&self.tables, self.chunk(batch));
        let mut tasks = Vec::new();
        for (side, blocks) in self.backward.vectors.iter_mut().enumerate() {
            for (number, vectors) in blocks.iter_mut().enumerate() {
                let chunks = vectors.axis_chunks_iter_mut(Axis(0), size);
                let chunks = chunks.zip(batch.chunks(size)).enumerate();
                tasks.extend(chunks.map(|(chunk, task)| (chunk, side, number, task)));
            }
        }
        // Then a thread gets the same block of every chunk.
        tasks.sort_by_key(|&(chunk, ..)| chunk);
        self.team.for_each(tasks, |(_, side, number, (mut vectors, pairs))| {
            for (mut vector, pair) in vectors.rows_mut().into_iter().zip(pairs) {
                let (table, rows) = match side {
                    0 => (&tables[0], pair.query),
                    _ => (&tables[pair.language + 1], pair.document),
                };
                table.mean(number, rows, values_mut(&mut vector));
            }
            kernels::tanh(values_mut(&mut vectors));
        });
    }

    fn score(&mut self, batch: &[Pair<'_>]) {
        let settings = &self.settings;
        let share = 1.0 / batch.len() as f32;
        flow(
            &self.team,
            &self.tables,
            &mut self.backward,
            batch,
            |_, pair, vectors, totals, to| {
                flow_back(settings, pair.grade, share, vectors, totals, to)
            },
        );
    }
}

/// Calls `of_pair` for each pair of an encoded batch, and keeps its outcome: with the pair's place
/// in the batch, its vectors, the sums of its texts' weights, and the room for the gradients of its
/// words.
fn flow(
    team: &Team,
    tables: &[TrainedTable],
    backward: &mut Backward,
    batch: &[Pair<'_>],
    of_pair: impl Fn(usize, &Pair<'_>, [&[f32]; 2], [f32; 2], [&mut [f32]; 2]) -> PairOutcome + Sync,
) {
    let size = batch.len().div_ceil(TASKS * team.threads()).max(1);
    let (blocks, dimension) = (tables[0].blocks(), tables[0].dimension());
    let Backward { vectors, flows: [to_queries, to_documents], outcomes } = backward;
    let flows = to_queries.axis_chunks_iter_mut(Axis(0), size);
    let flows = flows.zip(to_documents.axis_chunks_iter_mut(Axis(0), size));
    let tasks: Vec<_> =
        batch.chunks(size).zip(flows).zip(outcomes.chunks_mut(size)).enumerate().collect();
    team.for_each(tasks, |(chunk, ((pairs, (mut to_queries, mut to_documents)), outcomes))| {
        let [mut query, mut document] = [(); 2].map(|()| vec![0.0; dimension]);
        let flows = to_queries.rows_mut().into_iter().zip(to_documents.rows_mut());
        for (((number, pair), (mut to_query, mut to_document)), outcome) in
            (chunk * size..).zip(pairs).zip(flows).zip(outcomes)
        {
            for (vector, parts) in [&mut query, &mut document].into_iter().zip(&*vectors) {
                for (block, part) in blocks.iter().zip(parts) {
                    vector[block.column..][..block.width].copy_from_slice(row(part, number));
                }
            }
            let totals =
                [tables[0].total(pair.query), tables[pair.language + 1].total(pair.document)];
            let vectors = [&query[..], &document[..]];
            let flows = [values_mut(&mut to_query), values_mut(&mut to_document)];
            *outcome = of_pair(number, pair, vectors, totals, flows);
        }
    });
}

impl Backward {
    /// The gradients of one encoder's texts: the query encoder's are the first.
    fn flow(&self, table: usize) -> &Array2<f32> {
        &self.flows[table.min(1)]
    }

    fn resize(&mut self, pairs: usize, table: &TrainedTable) {
        for blocks in &mut self.vectors {
            blocks.resize(table.blocks().len(), Array2::default((0, 0)));
            for (vectors, block) in blocks.iter_mut().zip(table.blocks()) {
                reshape(vectors, pairs, block.width);
            }
        }
        self.flows.iter_mut().for_each(|flow| reshape(flow, pairs, table.dimension()));
        self.outcomes.resize(pairs, PairOutcome::default());
    }
}

/// Resizes to the given rows and columns; values are kept only if the room suffices already.
fn reshape(array: &mut Array2<f32>, rows: usize, columns: usize) {
    if array.dim() != (rows, columns) {
        *array = Array2::zeros((rows, columns));
    }
}

/// Scores a pair, whose share of the batch's loss is given, and writes the gradient for each word
/// of weight 1 of its two texts; `totals` are the sums of their words' weights.
fn flow_back(
    settings: &Settings,
    grade: u8,
    share: f32,
    [query, document]: [&[f32]; 2],
    [query_total, document_total]: [f32; 2],
    [to_query, to_document]: [&mut [f32]; 2],
) -> PairOutcome {
    let scored = settings.score(grade, [query, document], [&mut *to_query, &mut *to_document]);
    let active = scored.slope != 0.0;
    let mut gradient = 0.0;
    if active {
        gradient = kernels::norm(to_query).max(kernels::norm(to_document));
        let both = [(query, query_total, to_query), (document, document_total, to_document)];
        for (vector, total, out) in both {
            // Back through tanh, whose slope is 1 - v^2, and the mean.
            let factor = scored.slope * share / total;
            for (out, v) in out.iter_mut().zip(vector) {
                *out *= factor * (1.0 - v * v);
            }
        }
    }
    PairOutcome { loss: scored.loss, active, undefined: scored.undefined, gradient }
}
