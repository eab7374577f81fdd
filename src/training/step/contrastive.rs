//! The contrastive step: the scores of each text of a batch with its translation (its mate) and
//! with all others' mates.
//!
//! A word is its row plus the mean of the rows of its n-grams, which all languages share; a text is
//! `v = tanh(sum w_t x_t / sum w_t)` over its words. SCS scores all texts of a batch with all
//! mates, and training minimises an [`Objective`] of these scores. A word that occurs in many texts
//! of a batch is composed once, and its gradient distributed once.

use std::sync::Arc;

use ndarray::{Array2, Axis, s};

use super::trained_table::{Rule, TrainedTable};
use super::{Adam, PairOutcome, TASKS, reshape};
use crate::Error;
use crate::encoder::Table;
use crate::math::arrays::{of_rows, row, values, values_mut};
use crate::math::kernels;
use crate::math::loss::Loss;
use crate::storage::container::{Reader, Writer};
use crate::text::subwords::Spellings;
use crate::training::team::Team;

/// The settings of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The objective, which training minimises.
    pub objective: Objective,
    /// Adam's step size.
    pub learning_rate: f32,
}

/// The contrastive objective: a function of the scores of each text of a batch with each mate.
#[derive(Debug, Clone, PartialEq)]
pub enum Objective {
    /// The cross-entropy of the mate under a softmax over the scores divided by a temperature,
    /// averaged over the two directions.
    Softmax {
        /// The temperature, above 0.
        temperature: f32,
    },
    /// The mean, over the two directions, of the loss of the mate's score at the highest grade and
    /// of the highest-scoring negatives' scores at grade 0.
    Graded {
        /// The loss of a score.
        loss: Loss,
        /// The highest grade.
        grade: u8,
        /// The number of negatives of each text: those with the highest scores.
        rivals: usize,
    },
    /// The sum of the first and of the second times this factor.
    Sum(Box<Objective>, Box<Objective>, f32),
}

/// The initial words of one encoder.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// A row for each word.
    pub table: Table,
    /// The weight of each word in its text, above 0.
    pub weights: Vec<f32>,
    /// The n-grams of each word.
    pub spellings: Spellings,
}

/// Texts and their mates, as row numbers of their tables in text order.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The number of the document table: 0 for the first language.
    pub language: usize,
    /// The queries and, in the same order, their mates.
    pub texts: [&'a [&'a [u32]]; 2],
    /// For each column a number for each text, equal for equal texts: these are no negatives of
    /// each other.
    pub same: [&'a [u32]; 2],
}

/// A trainer of tables: the query table, then one for each document language, and the table of
/// n-grams.
#[derive(Debug, Clone)]
pub struct ContrastiveTrainer {
    settings: Settings,
    encoders: Vec<TrainedEncoder>,
    subwords: TrainedTable,
    adam: Adam,
    work: [Work; 2],
    /// The scores of each query with each document: [texts, texts].
    scores: Array2<f32>,
    team: Arc<Team>,
}

#[derive(Debug, Clone)]
struct TrainedEncoder {
    table: TrainedTable,
    weights: Vec<f32>,
    spellings: Spellings,
    /// The position of each touched row among the touched rows.
    slots: Vec<u32>,
}

/// The intermediate results of one column of a batch.
#[derive(Debug, Clone, Default)]
struct Work {
    /// The touched rows, in rising order.
    rows: Vec<u32>,
    /// [rows or more, dimension]: each word times its weight; later its gradient.
    words: Array2<f32>,
    /// The slots of each text's words, and the end of each text's.
    slots: Vec<u32>,
    ends: Vec<u32>,
    /// The sum of each text's weights.
    totals: Vec<f32>,
    /// [texts, dimension].
    vectors: Array2<f32>,
    norms: Vec<f32>,
    /// [texts, dimension]: `v / (|v| + epsilon)`.
    scaled: Array2<f32>,
    /// [texts, dimension]: the gradient for each text's words.
    flows: Array2<f32>,
}

impl ContrastiveTrainer {
    /// Creates a trainer of encoders of one dimension, the query encoder first; `subwords` may have
    /// no rows.
    pub fn on_threads(
        threads: usize,
        settings: Settings,
        encoders: Vec<Words>,
        subwords: Table,
    ) -> Self {
        let team = Arc::new(Team::new(threads));
        let encoder = |words: Words| TrainedEncoder {
            slots: vec![0; words.table.len()],
            table: TrainedTable::new(words.table, team.threads(), 0.0),
            weights: words.weights,
            spellings: words.spellings,
        };
        Self {
            settings,
            encoders: encoders.into_iter().map(encoder).collect(),
            subwords: TrainedTable::new(subwords, team.threads(), 0.0),
            adam: Adam::after(0),
            work: Default::default(),
            scores: Array2::default((0, 0)),
            team,
        }
    }

    /// Sets the step size of the next steps.
    pub fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// The current tables: the query table, the document tables, then the table of n-grams.
    pub fn tables(&self) -> Vec<Table> {
        let tables = self.encoders.iter().map(|encoder| &encoder.table);
        tables.chain([&self.subwords]).map(TrainedTable::table).collect()
    }

    /// Writes the complete state to a file, except for the settings.
    pub fn save(&self, writer: &mut Writer) {
        self.adam.save(writer);
        let tables = self.encoders.iter().map(|encoder| &encoder.table);
        for (number, table) in tables.chain([&self.subwords]).enumerate() {
            table.save(number, writer);
        }
    }

    /// Reads the state that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// For missing tensors, types or shapes that differ.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.adam = Adam::restore(reader)?;
        let tables = self.encoders.iter_mut().map(|encoder| &mut encoder.table);
        for (number, table) in tables.chain([&mut self.subwords]).enumerate() {
            table.restore(number, reader)?;
        }
        Ok(())
    }

    /// Takes one step of Adam on a batch. Words for which `left_out` holds (of 0 for the queries
    /// and 1 for the documents, and the row) are represented by their n-grams alone. Returns the
    /// objective before the step.
    ///
    /// # Panics
    /// If a row or a language does not exist, or the numbers of texts differ.
    pub fn step(&mut self, batch: Batch<'_>, left_out: impl Fn(usize, u32) -> bool + Sync) -> f64 {
        let texts = batch.texts[0].len();
        for side in 0..2 {
            self.compose(side, batch, &left_out);
            self.encode(side, texts);
        }
        let loss = self.score(batch);
        for side in 0..2 {
            self.flow_back(side, texts);
            let encoder = if side == 0 { 0 } else { batch.language + 1 };
            self.word_gradients(side, encoder);
        }
        let step_size = self.adam.advance(self.settings.learning_rate);
        self.update(batch.language, step_size, &left_out);
        loss
    }

    /// Composes the words of one column's texts from rows and n-grams.
    fn compose(
        &mut self,
        side: usize,
        batch: Batch<'_>,
        left_out: &(impl Fn(usize, u32) -> bool + Sync),
    ) {
        let number = if side == 0 { 0 } else { batch.language + 1 };
        let TrainedEncoder { table, weights, spellings, slots } = &mut self.encoders[number];
        let texts = batch.texts[side];
        let all = vec![PairOutcome { active: true, ..PairOutcome::default() }; texts.len()];
        table.touched.list(texts.iter().copied(), &all, table.rows());
        let work = &mut self.work[side];
        work.rows.clone_from(&table.touched.rows);
        for (slot, &row) in (0..).zip(&work.rows) {
            slots[row as usize] = slot;
        }
        work.slots.clear();
        work.ends.clear();
        work.totals.clear();
        for text in texts {
            work.slots.extend(text.iter().map(|&row| slots[row as usize]));
            work.ends.push(work.slots.len() as u32);
            let total = text.iter().fold(0.0, |sum, &row| sum + weights[row as usize]);
            work.totals.push(if total > 0.0 { total } else { 1.0 });
        }
        let dimension = table.dimension();
        if work.words.nrows() < work.rows.len() {
            work.words = Array2::zeros((work.rows.len(), dimension));
        }
        let size = work.rows.len().div_ceil(TASKS * self.team.threads()).max(1);
        let mut words = work.words.slice_mut(s![..work.rows.len(), ..]);
        let words = words.axis_chunks_iter_mut(Axis(0), size);
        let tasks: Vec<_> = words.zip(work.rows.chunks(size)).collect();
        let (table, subwords) = (&*table, &self.subwords);
        self.team.for_each(tasks, |(mut words, rows)| {
            let mut spelled = vec![0.0; dimension];
            for (mut word, &row) in words.rows_mut().into_iter().zip(rows) {
                let word = values_mut(&mut word);
                let buckets = spellings.of(row as usize);
                if left_out(side, row) {
                    word.fill(0.0);
                } else {
                    table.sum(&[row], word);
                }
                if !buckets.is_empty() {
                    subwords.sum(buckets, &mut spelled);
                    let share = 1.0 / buckets.len() as f32;
                    word.iter_mut().zip(&spelled).for_each(|(x, y)| *x += y * share);
                }
                let weight = weights[row as usize];
                word.iter_mut().for_each(|x| *x *= weight);
            }
        });
    }

    /// Computes vectors, norms and scaled vectors of one column's texts.
    fn encode(&mut self, side: usize, texts: usize) {
        let dimension = self.subwords.dimension();
        let epsilon = self.settings.epsilon;
        let Work { words, slots, ends, totals, vectors, norms, scaled, .. } = &mut self.work[side];
        reshape(vectors, texts, dimension);
        reshape(scaled, texts, dimension);
        norms.resize(texts, 0.0);
        let size = texts.div_ceil(TASKS * self.team.threads()).max(1);
        let tasks: Vec<_> = vectors
            .axis_chunks_iter_mut(Axis(0), size)
            .zip(scaled.axis_chunks_iter_mut(Axis(0), size))
            .zip(norms.chunks_mut(size))
            .enumerate()
            .collect();
        let (words, slots, ends, totals) = (values(words), &*slots, &*ends, &*totals);
        self.team.for_each(tasks, |(chunk, ((mut vectors, mut scaled), norms))| {
            let each = vectors.rows_mut().into_iter().zip(scaled.rows_mut()).zip(norms);
            for (text, ((mut vector, mut scaled), norm)) in (chunk * size..).zip(each) {
                let (vector, scaled) = (values_mut(&mut vector), values_mut(&mut scaled));
                let start = if text == 0 { 0 } else { ends[text - 1] };
                kernels::sum_rows(
                    words,
                    dimension,
                    &slots[start as usize..ends[text] as usize],
                    vector,
                );
                vector.iter_mut().for_each(|x| *x /= totals[text]);
                kernels::tanh(vector);
                *norm = kernels::norm(vector);
                let length = *norm + epsilon;
                let factor = if length > 0.0 { 1.0 / length } else { 0.0 };
                scaled.iter_mut().zip(&*vector).for_each(|(out, x)| *out = x * factor);
            }
        });
    }

    /// Scores all texts with all mates and returns the objective. Leaves the gradients with respect
    /// to the scaled vectors in the flows of each column.
    fn score(&mut self, batch: Batch<'_>) -> f64 {
        let (dimension, texts) = (self.subwords.dimension(), batch.texts[0].len());
        let size = texts.div_ceil(TASKS * self.team.threads()).max(1);
        reshape(&mut self.scores, texts, texts);
        let [queries, documents] = &mut self.work;
        let rows: Vec<_> = self
            .scores
            .axis_chunks_iter_mut(Axis(0), size)
            .zip(queries.scaled.axis_chunks_iter(Axis(0), size))
            .collect();
        self.team.for_each(rows, |(mut scores, queries)| {
            for (mut scores, query) in scores.rows_mut().into_iter().zip(queries.rows()) {
                kernels::dots(values(&query), values(&documents.scaled), values_mut(&mut scores));
            }
        });
        let same = |i: usize, j: usize| {
            batch.same[0][i] == batch.same[0][j] || batch.same[1][i] == batch.same[1][j]
        };
        let loss = self.settings.objective.apply(&mut self.scores, same, &self.team);

        let slopes = &self.scores;
        let turned = transposed(slopes);
        for (slopes, flows, with) in [
            (slopes, &mut queries.flows, &documents.scaled),
            (&turned, &mut documents.flows, &queries.scaled),
        ] {
            reshape(flows, texts, dimension);
            let flows = flows.axis_chunks_iter_mut(Axis(0), size);
            let tasks: Vec<_> = flows.zip(slopes.axis_chunks_iter(Axis(0), size)).collect();
            self.team.for_each(tasks, |(mut flows, slopes)| {
                for (mut flow, slopes) in flows.rows_mut().into_iter().zip(slopes.rows()) {
                    kernels::weighted_sum(values(with), values(&slopes), values_mut(&mut flow));
                }
            });
        }
        loss
    }

    /// Goes from the gradient with respect to a text's scaled vector back to the gradient for each
    /// of its words.
    fn flow_back(&mut self, side: usize, texts: usize) {
        let epsilon = self.settings.epsilon;
        let size = texts.div_ceil(TASKS * self.team.threads()).max(1);
        let Work { vectors, norms, totals, flows, .. } = &mut self.work[side];
        let (vectors, norms, totals) = (&*vectors, &*norms, &*totals);
        let tasks: Vec<_> = flows.axis_chunks_iter_mut(Axis(0), size).enumerate().collect();
        self.team.for_each(tasks, |(chunk, mut flows)| {
            for (text, mut flow) in (chunk * size..).zip(flows.rows_mut()) {
                let (flow, vector) = (values_mut(&mut flow), row(vectors, text));
                let (norm, length) = (norms[text], norms[text] + epsilon);
                // With n = |v| + epsilon: (g - (g.v) v / (|v| n)) / n; 0 where it is undefined.
                let (factor, radial) = match (length > 0.0, norm > 0.0) {
                    (true, true) => (1.0 / length, kernels::dot(flow, vector) / (norm * length)),
                    (true, false) => (1.0 / length, 0.0),
                    _ => (0.0, 0.0),
                };
                let factor = factor / totals[text];
                for (flow, v) in flow.iter_mut().zip(vector) {
                    *flow = (*flow - radial * v) * factor * (1.0 - v * v);
                }
            }
        });
    }

    /// Replaces each word of a column by its gradient.
    fn word_gradients(&mut self, side: usize, number: usize) {
        let TrainedEncoder { table, weights, .. } = &self.encoders[number];
        let dimension = table.dimension();
        let Work { rows, words, flows, .. } = &mut self.work[side];
        let size = rows.len().div_ceil(TASKS * self.team.threads()).max(1);
        let (rows, flows) = (&*rows, values(flows));
        let mut words = words.slice_mut(s![..rows.len(), ..]);
        let tasks: Vec<_> = words.axis_chunks_iter_mut(Axis(0), size).enumerate().collect();
        self.team.for_each(tasks, |(chunk, mut words)| {
            for (slot, mut word) in (chunk * size..).zip(words.rows_mut()) {
                let word = values_mut(&mut word);
                kernels::sum_rows(flows, dimension, table.touched.occurrences(slot), word);
                let weight = weights[rows[slot] as usize];
                word.iter_mut().for_each(|x| *x *= weight);
            }
        });
    }

    /// Updates the words of the batch, except those left out, and their n-grams by Adam.
    fn update(
        &mut self,
        language: usize,
        step_size: f32,
        left_out: &(impl Fn(usize, u32) -> bool + Sync),
    ) {
        let dimension = self.subwords.dimension();
        let [queries, documents] = &self.work;
        let rule = Rule::Adam { step_size, factor: 1.0 };
        let parts = TASKS * self.team.threads();
        let works = [(0, queries), (language + 1, documents)];
        for (side, (number, work)) in works.into_iter().enumerate() {
            let table = &mut self.encoders[number].table;
            let all = vec![PairOutcome { active: true, ..PairOutcome::default() }; work.rows.len()];
            let own = work.rows.chunks(1).map(|row| if left_out(side, row[0]) { &[] } else { row });
            table.touched.list(own, &all, table.rows());
            let tasks = table.runs(parts);
            self.team.for_each(tasks, |mut run| run.update(&work.words, rule));
        }
        let words = queries.rows.len() + documents.rows.len();
        let mut gradients = Vec::with_capacity(words * dimension);
        let mut spellings: Vec<&[u32]> = Vec::new();
        for (number, work) in works {
            for (&row, gradient) in work.rows.iter().zip(work.words.rows()) {
                let buckets = self.encoders[number].spellings.of(row as usize);
                let share = 1.0 / buckets.len().max(1) as f32;
                gradients.extend(values(&gradient).iter().map(|x| x * share));
                spellings.push(buckets);
            }
        }
        let all = vec![PairOutcome { active: true, ..PairOutcome::default() }; spellings.len()];
        self.subwords.touched.list(spellings.iter().copied(), &all, self.subwords.rows());
        let gradients = of_rows(dimension, gradients);
        let tasks = self.subwords.runs(parts);
        self.team.for_each(tasks, |mut run| run.update(&gradients, rule));
    }
}

impl Objective {
    /// Replaces scores [texts, texts] by the slopes of the objective with respect to each, and
    /// returns its value. `same` identifies equal texts, which are no negatives.
    fn apply(
        &self,
        scores: &mut Array2<f32>,
        same: impl Fn(usize, usize) -> bool + Sync + Copy,
        team: &Team,
    ) -> f64 {
        match self {
            Self::Softmax { temperature } => softmax(scores, *temperature, same, team),
            Self::Graded { loss, grade, rivals } => graded(scores, (loss, *grade), *rivals, same),
            Self::Sum(one, other, times) => {
                let mut more = scores.clone();
                let value = one.apply(scores, same, team);
                let other = other.apply(&mut more, same, team);
                scores.scaled_add(*times, &more);
                value + f64::from(*times) * other
            }
        }
    }
}

fn softmax(
    scores: &mut Array2<f32>,
    temperature: f32,
    same: impl Fn(usize, usize) -> bool + Sync,
    team: &Team,
) -> f64 {
    let texts = scores.nrows();
    let own = scores.diag().to_owned();
    let size = texts.div_ceil(TASKS * team.threads()).max(1);
    let mut rows = vec![0.0f32; texts];
    let chunks = scores.axis_chunks_iter_mut(Axis(0), size);
    let tasks: Vec<_> = chunks.zip(rows.chunks_mut(size)).enumerate().collect();
    team.for_each(tasks, |(chunk, (mut scores, rows))| {
        let each = scores.rows_mut().into_iter().zip(rows);
        for (i, (mut scores, row)) in (chunk * size..).zip(each) {
            let scores = values_mut(&mut scores);
            for (j, x) in scores.iter_mut().enumerate() {
                // No score exceeds 1, so no exponential overflows.
                let rival = i == j || !same(i, j);
                *x = if rival { libm::expf((*x - 1.0) / temperature) } else { 0.0 };
            }
            *row = scores.iter().fold(0.0, |sum, x| sum + x);
        }
    });
    let mut columns = vec![0.0f32; texts];
    for row in scores.rows() {
        columns.iter_mut().zip(values(&row)).for_each(|(sum, x)| *sum += x);
    }
    let share = 0.5 / (texts as f32 * temperature);
    let (rows, columns) = (&rows, &columns);
    let tasks: Vec<_> = scores.axis_chunks_iter_mut(Axis(0), size).enumerate().collect();
    team.for_each(tasks, |(chunk, mut scores)| {
        for (i, mut scores) in (chunk * size..).zip(scores.rows_mut()) {
            let scores = values_mut(&mut scores);
            let by_row = 1.0 / rows[i];
            for (x, column) in scores.iter_mut().zip(columns) {
                *x = *x * (by_row + 1.0 / column) * share;
            }
            scores[i] -= 2.0 * share;
        }
    });
    let sums = rows.iter().zip(columns).zip(&own);
    let loss = sums.fold(0.0, |sum, ((row, column), own)| {
        let own = f64::from((own - 1.0) / temperature);
        sum + 0.5 * (libm::log(f64::from(*row)) + libm::log(f64::from(*column))) - own
    });
    loss / texts as f64
}

fn graded(
    scores: &mut Array2<f32>,
    (loss, grade): (&Loss, u8),
    rivals: usize,
    same: impl Fn(usize, usize) -> bool,
) -> f64 {
    let texts = scores.nrows();
    let found = scores.clone();
    scores.fill(0.0);
    let mut value = 0.0;
    let mut others: Vec<(f32, (usize, usize))> = Vec::new();
    for across in [false, true] {
        let place = |i: usize, j: usize| if across { (j, i) } else { (i, j) };
        for i in 0..texts {
            others.clear();
            others.extend(
                (0..texts)
                    .filter(|&j| j != i && !same(i, j))
                    .map(|j| (found[place(i, j)], place(i, j))),
            );
            if rivals < others.len() {
                others
                    .select_nth_unstable_by(rivals, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                others.truncate(rivals);
            }
            let share = 0.5 / (texts as f32 * (others.len() + 1) as f32);
            let own = place(i, i);
            let graded = others.iter().map(|&(x, at)| (x, at, 0)).chain([(found[own], own, grade)]);
            for (x, at, grade) in graded {
                value += f64::from(loss.value(x, grade)) * f64::from(share);
                scores[at] += loss.slope(x, grade) * share;
            }
        }
    }
    value
}

/// Transposes a square array in blocks: the elements of a whole column are too far apart for the
/// cache.
fn transposed(square: &Array2<f32>) -> Array2<f32> {
    const BLOCK: usize = 16;
    let size = square.nrows();
    let mut turned = Array2::zeros(square.raw_dim());
    let (from, to) = (values(square), values_mut(&mut turned));
    let blocks = (0..size).step_by(BLOCK);
    for (top, left) in blocks.clone().flat_map(|top| blocks.clone().map(move |left| (top, left))) {
        for i in top..size.min(top + BLOCK) {
            for j in left..size.min(left + BLOCK) {
                to[j * size + i] = from[i * size + j];
            }
        }
    }
    turned
}
