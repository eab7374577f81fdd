//! The training step: encode, score, loss, gradients by hand, Adam on the touched rows.
//!
//! A pair's loss is that of `SCS(q, d)` with `q = tanh(mean of its words' rows)`, `d` likewise; the
//! words may have [weights](Weighting) in the mean. The batch's loss is the mean. Each row's
//! gradient is summed in the order of the pairs and of the words in them, whatever the number of
//! threads, so the same input gives the same bits.

mod adam;
pub mod contrastive;
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
    /// The longest gradient, over all rows together, that a step takes as it is: a longer one is
    /// shortened to this.
    pub clip: Option<f32>,
    /// The strength of the pull of touched rows back to where they began: half of this times the square of
    /// their distance is added to the loss. 0 for no pull.
    pub pull: f32,
}

/// The report of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// The mean loss before the step.
    pub loss: f64,
    /// Pairs whose loss had a slope: the others move nothing.
    pub active: usize,
    /// Pairs whose gradient was undefined (at epsilon 0) and taken as 0.
    pub undefined: usize,
    /// Whether the gradient was longer than the settings allow, and shortened.
    pub clipped: bool,
}

/// Tables being trained: the query table first, then one for each document language.
#[derive(Debug, Clone)]
pub struct PairTrainer {
    settings: Settings,
    tables: Vec<TrainedTable>,
    adam: Adam,
    backward: Backward,
    team: Arc<Team>,
}

/// A batch on its way: of the query and of the document of each pair.
#[derive(Debug, Clone, Default)]
struct Backward {
    /// For each block of columns: [pairs, width], the vectors.
    vectors: [Vec<Array2<f32>>; 2],
    /// [pairs, dimension]: what flows back from the loss to each word of weight 1, the same for all
    /// of a text. Of pairs with no gradient: anything.
    flows: [Array2<f32>; 2],
    outcomes: Vec<PairOutcome>,
}

/// A pair's score, as training sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The loss of the score.
    pub loss: f32,
    /// The loss's derivative in the score.
    pub slope: f32,
    /// Whether the score has no gradient (at epsilon 0).
    pub undefined: bool,
}

impl Settings {
    /// Scores a query's and a document's vector. Where the loss has a slope there, it writes the
    /// gradient of the score in each: zeros where there is none. All have one length.
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

/// Tasks for each thread, so that one that is held up can leave some to the others.
const TASKS: usize = 4;

impl PairTrainer {
    /// Tables of one dimension, about to be trained: the query table, then the documents'.
    pub fn new(settings: Settings, query: Table, documents: Vec<Table>) -> Self {
        Self::on_threads(1, settings, query, documents)
    }

    /// [`new`](Self::new) with the work shared among `threads` threads; the results do not depend on
    /// their number.
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

    /// The pull is towards these tables, of the same shapes: the queries', then the documents'.
    pub fn pull_towards(&mut self, tables: Vec<Table>) {
        for (trained, table) in self.tables.iter_mut().zip(tables) {
            trained.pull_towards(table);
        }
    }

    /// From now on rows weigh so much, one weighting for each table.
    pub fn weigh(&mut self, weightings: Vec<Weighting>) {
        for (table, weighting) in self.tables.iter_mut().zip(weightings) {
            table.weighting = Some(weighting);
        }
    }

    /// Another step size from now on.
    pub fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// All tables as they are now: the query's, then the documents'.
    pub fn tables(&self) -> Vec<Table> {
        self.tables.iter().map(TrainedTable::table).collect()
    }

    /// One step of Adam on a batch.
    ///
    /// # Panics
    /// If a row, language or grade of a pair does not exist.
    pub fn step(&mut self, batch: &[Pair<'_>]) -> Report {
        let mut report = self.backward(batch);
        let mut factor = 1.0;
        if let Some(most) = self.settings.clip {
            let length = self.gradient_length();
            report.clipped = length > f64::from(most);
            if report.clipped {
                factor = (f64::from(most) / length) as f32;
            }
        }
        let step_size = self.adam.advance(self.settings.learning_rate);
        self.update(Rule::Adam { step_size, factor });
        report
    }

    /// One step of plain gradient descent on a batch: the theory covers no other.
    ///
    /// # Panics
    /// As [`step`](Self::step).
    pub fn descend(&mut self, batch: &[Pair<'_>], step_size: f32) -> Report {
        let report = self.backward(batch);
        self.update(Rule::Descent { step_size });
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

    /// The Euclidean length of the gradient over all rows of all tables.
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

    /// Adds all that the next step depends on: tables, Adam's moments and its count of steps.
    pub fn save(&self, writer: &mut Writer) {
        self.adam.save(writer);
        for (number, table) in self.tables.iter().enumerate() {
            table.save(number, writer);
        }
    }

    /// Takes what [`save`](Self::save) added.
    ///
    /// # Errors
    /// If anything is missing or of another type or shape.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.adam = Adam::restore(reader)?;
        for (number, table) in self.tables.iter_mut().enumerate() {
            table.restore(number, reader)?;
        }
        Ok(())
    }

    /// The gradient of the batch's mean loss in every touched row, without a step: for each table
    /// its touched rows in rising order.
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

    /// Forward, and back to what flows to each word; lists the touched rows.
    fn backward(&mut self, batch: &[Pair<'_>]) -> Report {
        self.backward.resize(batch.len(), &self.tables[0]);
        self.encode(batch);
        self.score(batch);
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
        // So that a thread gets the same block of every chunk.
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
        let (settings, tables, size) = (&self.settings, &self.tables, self.chunk(batch));
        let (blocks, dimension) = (self.tables[0].blocks(), self.tables[0].dimension());
        let Backward { vectors, flows: [to_queries, to_documents], outcomes } = &mut self.backward;
        let flows = to_queries.axis_chunks_iter_mut(Axis(0), size);
        let flows = flows.zip(to_documents.axis_chunks_iter_mut(Axis(0), size));
        let tasks: Vec<_> =
            batch.chunks(size).zip(flows).zip(outcomes.chunks_mut(size)).enumerate().collect();
        self.team.for_each(
            tasks,
            |(chunk, ((pairs, (mut to_queries, mut to_documents)), outcomes))| {
                let [mut query, mut document] = [(); 2].map(|()| vec![0.0; dimension]);
                let flows = to_queries.rows_mut().into_iter().zip(to_documents.rows_mut());
                for (((number, pair), (mut to_query, mut to_document)), outcome) in
                    (chunk * size..).zip(pairs).zip(flows).zip(outcomes)
                {
                    for (vector, parts) in [&mut query, &mut document].into_iter().zip(&*vectors) {
                        for (block, part) in blocks.iter().zip(parts) {
                            vector[block.column..][..block.width]
                                .copy_from_slice(row(part, number));
                        }
                    }
                    let share = 1.0 / batch.len() as f32;
                    let totals = [
                        tables[0].total(pair.query),
                        tables[pair.language + 1].total(pair.document),
                    ];
                    let vectors = [&query[..], &document[..]];
                    let flows = [values_mut(&mut to_query), values_mut(&mut to_document)];
                    *outcome = flow_back(settings, pair.grade, share, vectors, totals, flows);
                }
            },
        );
    }
}

impl Backward {
    /// The flow to the words of a table: the first is the query table.
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

/// Makes room for this many rows and columns; what was there is kept only where there is already.
fn reshape(array: &mut Array2<f32>, rows: usize, columns: usize) {
    if array.dim() != (rows, columns) {
        *array = Array2::zeros((rows, columns));
    }
}

/// Scores a pair, which has a share of the batch's loss, and writes what flows back to each word of
/// weight 1 of either side; `totals` is what their weights come to.
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
    if active {
        let both = [(query, query_total, to_query), (document, document_total, to_document)];
        for (vector, total, out) in both {
            // Through tanh, whose slope is 1 - v^2, and the mean.
            let factor = scored.slope * share / total;
            for (out, v) in out.iter_mut().zip(vector) {
                *out *= factor * (1.0 - v * v);
            }
        }
    }
    PairOutcome { loss: scored.loss, active, undefined: scored.undefined }
}
