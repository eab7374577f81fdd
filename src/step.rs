//! The training step: encode, score, loss, gradients by hand, Adam on the touched rows.
//!
//! A pair's loss is that of `SCS(q, d)` with `q = tanh(mean of its words' rows)`, `d` likewise; the
//! batch's loss is the mean. Each row's gradient is summed in the order of the pairs and of the
//! words in them, whatever the number of threads, so the same input gives the same bits.

use std::sync::Arc;

use crate::container::{Element, Reader, Writer};
use crate::encoder::{Table, encode_rows};
use crate::loss::Loss;
use crate::similarity::{Gradient, from_parts, gradient_from_parts};
use crate::team::Team;
use crate::{Error, kernels};

/// A query and a document, as rows of their tables in text order, and how relevant it is.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The query's rows in the query table.
    pub query: &'a [u32],
    /// The document's rows in its language's table.
    pub document: &'a [u32],
    /// Which document table: 0 for the first language.
    pub language: usize,
    /// The grade, below the loss's number of grades.
    pub grade: u8,
}

impl<'a> Pair<'a> {
    /// The document's rows if it is of this language, else none.
    fn document_in(&self, language: usize) -> &'a [u32] {
        if self.language == language { self.document } else { &[] }
    }
}

/// What stays the same over a training.
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
}

/// What a step met.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// The mean loss before the step.
    pub loss: f64,
    /// Pairs whose gradient was undefined (at epsilon 0) and taken as 0.
    pub undefined: usize,
    /// Whether the gradient was longer than the settings allow, and shortened.
    pub clipped: bool,
}

/// Tables being trained: the query table first, then one for each document language.
#[derive(Debug, Clone)]
pub struct Learner {
    settings: Settings,
    sides: Vec<Side>,
    adam: Adam,
    backward: Backward,
    team: Arc<Team>,
}

/// A table with Adam's two moments of each number, and the batch's list of touched rows.
#[derive(Debug, Clone)]
struct Side {
    table: Table,
    first: Vec<f32>,
    second: Vec<f32>,
    /// A bit for every row: whether its moments may differ from 0.
    moved: Vec<u64>,
    touched: Touched,
}

/// The rows that a batch touches, in rising order, and which of the pairs with a gradient touch
/// each.
#[derive(Debug, Clone, Default)]
struct Touched {
    rows: Vec<u32>,
    /// Where each row's occurrences end.
    ends: Vec<u32>,
    /// The pair of each occurrence, in the order of the batch: only of pairs with a gradient.
    pairs: Vec<u32>,
    /// For every row of the table, 0 between batches.
    counts: Vec<u32>,
    seen: Vec<u64>,
}

/// What flows back from the loss to a word of a pair: the same for each of its words.
#[derive(Debug, Clone, Default)]
struct Backward {
    /// [pairs, dimension], to the query's words.
    query: Vec<f32>,
    /// [pairs, dimension], to the document's words.
    document: Vec<f32>,
    marks: Vec<Mark>,
}

/// What came of a pair.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    loss: f32,
    /// Whether anything flows back.
    active: bool,
    undefined: bool,
}

/// Adam (Kingma and Ba, 2015), lazily: rows that a batch does not touch keep their moments.
#[derive(Debug, Clone)]
pub struct Adam {
    steps: u64,
    first_power: f64,
    second_power: f64,
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
    /// Scores a query's and a document's vector, and writes the gradient of the score in each:
    /// zeros where there is none, or where the loss has no slope. All have one length.
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
        for (of, with, of_norm, with_norm, out) in [
            (query, document, query_norm, document_norm, to_query),
            (document, query, document_norm, query_norm, to_document),
        ] {
            if slope == 0.0 {
                out.fill(0.0);
                continue;
            }
            let exists = gradient_from_parts(of, with, dot, of_norm, with_norm, epsilon, out);
            undefined |= exists == Gradient::Undefined;
        }
        Scored { loss, slope, undefined }
    }
}

/// What a gradient does to its row.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Adam, the gradient multiplied by `factor` first.
    Adam { step_size: f32, factor: f32 },
    /// Moves the row against it.
    Descent { step_size: f32 },
}

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const ADAM_EPSILON: f32 = 1e-8;

impl Learner {
    /// Tables of one dimension, about to be trained: the query table, then the documents'.
    pub fn new(settings: Settings, query: Table, documents: Vec<Table>) -> Self {
        let sides = std::iter::once(query).chain(documents).map(Side::new).collect();
        let team = Arc::new(Team::new(1));
        Self { settings, sides, adam: Adam::after(0), backward: Backward::default(), team }
    }

    /// Shares the work out among `threads` threads from now on; the answers do not depend on it.
    pub fn on_threads(mut self, threads: usize) -> Self {
        self.team = Arc::new(Team::new(threads));
        self
    }

    /// Another step size from now on.
    pub fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// The query table.
    pub fn query(&self) -> &Table {
        &self.sides[0].table
    }

    /// The document table of a language.
    pub fn document(&self, language: usize) -> &Table {
        &self.sides[language + 1].table
    }

    /// All tables: the query's, then the documents'.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sides.iter().map(|side| &side.table)
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
        let mut tasks = Vec::new();
        for (number, side) in self.sides.iter_mut().enumerate() {
            let flow = if number == 0 { &self.backward.query } else { &self.backward.document };
            side.split(flow, self.team.threads(), &mut tasks);
        }
        self.team.for_each(tasks, |mut part| part.update(rule));
    }

    /// The Euclidean length of the gradient over all rows of all tables.
    fn gradient_length(&self) -> f64 {
        let flows = |number| match number {
            0 => &self.backward.query,
            _ => &self.backward.document,
        };
        let sides = self.sides.iter().enumerate();
        let squares = sides.flat_map(|(number, side)| side.squares(flows(number), &self.team));
        squares.fold(0.0, |sum, square| sum + square).sqrt()
    }

    /// Adds all that the next step depends on: tables, Adam's moments and its count of steps.
    pub fn save(&self, writer: &mut Writer) {
        self.adam.save(writer);
        for (number, side) in self.sides.iter().enumerate() {
            let shape = [side.table.len(), side.table.dimension()];
            writer.f32(&format!("learner.{number}.weights"), &shape, side.table.values());
            writer.f32(&format!("learner.{number}.first"), &shape, &side.first);
            writer.f32(&format!("learner.{number}.second"), &shape, &side.second);
        }
    }

    /// Takes what [`save`](Self::save) added.
    ///
    /// # Errors
    /// If anything is missing or of another type or shape.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.adam = Adam::restore(reader)?;
        for (number, side) in self.sides.iter_mut().enumerate() {
            let (rows, dimension) = (side.table.len(), side.table.dimension());
            let mut table = |part: &str| {
                let name = format!("learner.{number}.{part}");
                reader.table(&name, "", Some(rows), dimension, &[Element::F32])
            };
            side.table = table("weights")?;
            side.first = table("first")?.into_values();
            side.second = table("second")?.into_values();
            side.moved.fill(u64::MAX);
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
        let flows = |number| match number {
            0 => &self.backward.query,
            _ => &self.backward.document,
        };
        let sides = self.sides.iter().enumerate();
        sides.map(|(number, side)| side.gradients(flows(number))).collect()
    }

    fn backward(&mut self, batch: &[Pair<'_>]) -> Report {
        let dimension = self.query().dimension();
        self.backward.resize(batch.len(), dimension);
        let chunk = batch.len().div_ceil(4 * self.team.threads()).max(1);
        let flows = self.backward.query.chunks_mut(chunk * dimension);
        let flows = flows.zip(self.backward.document.chunks_mut(chunk * dimension));
        let marks = self.backward.marks.chunks_mut(chunk);
        let tasks: Vec<_> = batch.chunks(chunk).zip(flows).zip(marks).collect();
        let (settings, sides) = (&self.settings, &self.sides);
        let share = 1.0 / batch.len() as f32;
        self.team.for_each(tasks, |((pairs, (query, document)), marks)| {
            let mut scratch = Scratch::new(dimension);
            let flows = query.chunks_mut(dimension).zip(document.chunks_mut(dimension));
            for ((pair, (query, document)), mark) in pairs.iter().zip(flows).zip(marks) {
                let tables = [&sides[0].table, &sides[pair.language + 1].table];
                *mark = scratch.backward(settings, tables, pair, share, [query, document]);
            }
        });
        let marks = &self.backward.marks;
        self.team.for_each(self.sides.iter_mut().enumerate().collect(), |(number, side)| {
            let rows = side.table.len();
            match number {
                0 => side.touched.list(batch.iter().map(|pair| pair.query), marks, rows),
                _ => {
                    let texts = batch.iter().map(|pair| pair.document_in(number - 1));
                    side.touched.list(texts, marks, rows);
                }
            }
        });
        Report {
            loss: marks.iter().fold(0.0, |sum, mark| sum + f64::from(mark.loss))
                / batch.len().max(1) as f64,
            undefined: marks.iter().filter(|mark| mark.undefined).count(),
            clipped: false,
        }
    }
}

impl Backward {
    fn resize(&mut self, pairs: usize, dimension: usize) {
        self.query.resize(pairs * dimension, 0.0);
        self.document.resize(pairs * dimension, 0.0);
        self.marks.resize(pairs, Mark::default());
    }
}

/// The vectors of the pair at hand.
struct Scratch {
    query: Vec<f32>,
    document: Vec<f32>,
}

impl Scratch {
    fn new(dimension: usize) -> Self {
        Self { query: vec![0.0; dimension], document: vec![0.0; dimension] }
    }

    /// Forward and backward through one pair: writes what flows to each word of either side.
    fn backward(
        &mut self,
        settings: &Settings,
        tables: [&Table; 2],
        pair: &Pair<'_>,
        share: f32,
        [to_query, to_document]: [&mut [f32]; 2],
    ) -> Mark {
        encode_rows(tables[0], pair.query, &mut self.query);
        encode_rows(tables[1], pair.document, &mut self.document);
        let (query, document) = (&self.query[..], &self.document[..]);
        let scored =
            settings.score(pair.grade, [query, document], [&mut *to_query, &mut *to_document]);
        let active = scored.slope != 0.0;
        if active {
            let sides = [(query, pair.query, to_query), (document, pair.document, to_document)];
            for (of, rows, out) in sides {
                // Through tanh, whose slope is 1 - v^2, and the mean.
                let factor = scored.slope * share / rows.len().max(1) as f32;
                for (out, v) in out.iter_mut().zip(of) {
                    *out *= factor * (1.0 - v * v);
                }
            }
        }
        Mark { loss: scored.loss, active, undefined: scored.undefined }
    }
}

impl Touched {
    /// Lists the rows of all texts of a batch, the pairs' texts in order: a counting sort over a
    /// bit set.
    fn list<'a>(
        &mut self,
        texts: impl Iterator<Item = &'a [u32]> + Clone,
        marks: &[Mark],
        rows: usize,
    ) {
        self.counts.resize(rows, 0);
        self.seen.resize(rows.div_ceil(64), 0);
        self.rows.clear();
        self.ends.clear();
        let mut total = 0;
        for (text, mark) in texts.clone().zip(marks) {
            for &row in text {
                self.seen[row as usize / 64] |= 1 << (row % 64);
            }
            if mark.active {
                text.iter().for_each(|&row| self.counts[row as usize] += 1);
                total += text.len();
            }
        }
        let mut end = 0;
        for (word, bits) in self.seen.iter_mut().enumerate() {
            while *bits != 0 {
                let row = word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                let count = std::mem::replace(&mut self.counts[row], end);
                end += count;
                self.rows.push(row as u32);
                self.ends.push(end);
            }
        }
        self.pairs.resize(total, 0);
        for (pair, (text, _)) in texts.zip(marks).enumerate().filter(|(_, (_, mark))| mark.active) {
            for &row in text {
                let place = &mut self.counts[row as usize];
                self.pairs[*place as usize] = pair as u32;
                *place += 1;
            }
        }
        for &row in &self.rows {
            self.counts[row as usize] = 0;
        }
    }

    /// The pairs that touch the row in a slot, once for each occurrence.
    fn occurrences(&self, slot: usize) -> &[u32] {
        let start = if slot == 0 { 0 } else { self.ends[slot - 1] };
        &self.pairs[start as usize..self.ends[slot] as usize]
    }
}

impl Side {
    fn new(table: Table) -> Self {
        let zeros = vec![0.0; table.values().len()];
        let moved = vec![0; table.len().div_ceil(64)];
        Self { table, first: zeros.clone(), second: zeros, moved, touched: Touched::default() }
    }

    fn gradients(&self, flow: &[f32]) -> Vec<(u32, Vec<f32>)> {
        let touched = &self.touched;
        let gradient = |(slot, &row): (usize, &u32)| {
            let mut gradient = vec![0.0; self.table.dimension()];
            kernels::sum_rows(flow, touched.occurrences(slot), &mut gradient);
            (row, gradient)
        };
        touched.rows.iter().enumerate().map(gradient).collect()
    }

    /// The squared length of each touched row's gradient.
    fn squares(&self, flow: &[f32], team: &Team) -> Vec<f64> {
        let mut squares = vec![0.0; self.touched.rows.len()];
        let size = squares.len().div_ceil(4 * team.threads()).max(1);
        let parts: Vec<_> = squares.chunks_mut(size).enumerate().collect();
        team.for_each(parts, |(part, squares)| {
            let mut gradient = vec![0.0; self.table.dimension()];
            for (slot, square) in (part * size..).zip(squares) {
                kernels::sum_rows(flow, self.touched.occurrences(slot), &mut gradient);
                *square = gradient.iter().fold(0.0, |sum, &x| sum + f64::from(x) * f64::from(x));
            }
        });
        squares
    }

    /// Cuts the touched rows into parts of about equal work that can be updated at once, and
    /// leaves out rows without a gradient that never had one: a step would not change them.
    fn split<'a>(&'a mut self, flow: &'a [f32], threads: usize, parts: &mut Vec<Part<'a>>) {
        let dimension = self.table.dimension();
        let touched = &self.touched;
        for (&row, slot) in touched.rows.iter().zip(0..) {
            if !touched.occurrences(slot).is_empty() {
                self.moved[row as usize / 64] |= 1 << (row % 64);
            }
        }
        let most = touched.rows.len().div_ceil(4 * threads).max(1);
        let moved = &self.moved[..];
        let mut rest = Moments {
            weights: self.table.values_mut(),
            first: &mut self.first,
            second: &mut self.second,
        };
        let (mut slot, mut first_row) = (0, 0);
        while slot < touched.rows.len() {
            let slots = slot..touched.rows.len().min(slot + most);
            let next_row = touched.rows[slots.end - 1] as usize + 1;
            let (here, after) = rest.split_at((next_row - first_row) * dimension);
            slot = slots.end;
            parts.push(Part { dimension, touched, moved, slots, first_row, moments: here, flow });
            (rest, first_row) = (after, next_row);
        }
    }
}

struct Moments<'a> {
    weights: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
}

impl<'a> Moments<'a> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (weights, weights_after) = self.weights.split_at_mut(at);
        let (first, first_after) = self.first.split_at_mut(at);
        let (second, second_after) = self.second.split_at_mut(at);
        let after = Self { weights: weights_after, first: first_after, second: second_after };
        (Self { weights, first, second }, after)
    }
}

/// Some of a table's touched rows, to be updated by one thread.
struct Part<'a> {
    dimension: usize,
    touched: &'a Touched,
    moved: &'a [u64],
    slots: std::ops::Range<usize>,
    /// The row that the moments begin with.
    first_row: usize,
    moments: Moments<'a>,
    flow: &'a [f32],
}

impl Part<'_> {
    fn update(&mut self, rule: Rule) {
        let mut gradient = vec![0.0; self.dimension];
        for slot in self.slots.clone() {
            let at = self.touched.rows[slot] as usize;
            if self.moved[at / 64] >> (at % 64) & 1 == 0 {
                continue;
            }
            kernels::sum_rows(self.flow, self.touched.occurrences(slot), &mut gradient);
            let start = (at - self.first_row) * self.dimension;
            let row = start..start + self.dimension;
            let moments = &mut self.moments;
            let weights = &mut moments.weights[row.clone()];
            match rule {
                Rule::Adam { step_size, factor } => {
                    if factor != 1.0 {
                        gradient.iter_mut().for_each(|x| *x *= factor);
                    }
                    Adam::update(
                        step_size,
                        &gradient,
                        weights,
                        &mut moments.first[row.clone()],
                        &mut moments.second[row],
                    );
                }
                Rule::Descent { step_size } => {
                    for (weight, gradient) in weights.iter_mut().zip(&gradient) {
                        *weight -= step_size * gradient;
                    }
                }
            }
        }
    }
}

impl Adam {
    /// Adam after so many steps.
    pub fn after(steps: u64) -> Self {
        let mut adam = Self { steps: 0, first_power: 1.0, second_power: 1.0 };
        for _ in 0..steps {
            adam.count();
        }
        adam
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn count(&mut self) {
        self.steps += 1;
        self.first_power *= f64::from(FIRST_DECAY);
        self.second_power *= f64::from(SECOND_DECAY);
    }

    /// The size of the next step, corrected for the moments' start at 0.
    pub fn advance(&mut self, learning_rate: f32) -> f32 {
        self.count();
        let correction = (1.0 - self.second_power).sqrt() / (1.0 - self.first_power);
        (f64::from(learning_rate) * correction) as f32
    }

    /// Moves weights by a step of a size from [`advance`](Self::advance), and their two moments
    /// toward the gradient and its square; all of one length.
    pub fn update(
        step_size: f32,
        gradient: &[f32],
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let rates = [1.0 - FIRST_DECAY, 1.0 - SECOND_DECAY];
        kernels::adam(step_size, rates, ADAM_EPSILON, gradient, weights, first, second);
    }

    /// Adds the count of steps to a file.
    pub fn save(&self, writer: &mut Writer) {
        writer.u32("learner.steps", &[self.steps as u32, (self.steps >> 32) as u32]);
    }

    /// Takes what [`save`](Self::save) added.
    ///
    /// # Errors
    /// If it is missing or of another type or shape.
    pub fn restore(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let steps = reader.u32("learner.steps")?;
        match steps[..] {
            [low, high] => Ok(Self::after(u64::from(low) | u64::from(high) << 32)),
            _ => Err(Error::TensorShape {
                name: "learner.steps".into(),
                found: vec![steps.len()],
                expected: "[2]".into(),
            }),
        }
    }
}
