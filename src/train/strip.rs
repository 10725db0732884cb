//! The arithmetic of training: 32 columns of a network at a time, through all positions of a batch.
//!
//! Every strip is computed by one thread from beginning to end, so that threads share nothing that they write, and the
//! numbers do not depend on how many there are.

use std::ops::{Deref, DerefMut};

use multiversion::multiversion;
use rand::Rng;
use rand::rngs::SmallRng;

use super::factors;
use super::samples::Batch;
use crate::eval::nnue::{BUCKETS, features};

/// How many columns a strip has.
pub const COLUMNS: usize = 32;

/// A number for each column of a strip, where the processor loads it from the fewest lines of its cache.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub struct Row(pub [f32; COLUMNS]);

impl Row {
    const ZERO: Row = Row([0.0; COLUMNS]);
}

impl Deref for Row {
    type Target = [f32; COLUMNS];

    fn deref(&self) -> &[f32; COLUMNS] {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [f32; COLUMNS] {
        &mut self.0
    }
}

/// The row of the biases, after those of the features; then follow those of the output, two a bucket.
pub const BIASES: usize = features::COUNT;
const OUTPUT: usize = BIASES + 1;
/// The first of the rows that features share.
const SHARED: usize = OUTPUT + 2 * BUCKETS;
/// How many rows a strip has.
pub const ROWS: usize = SHARED + factors::ROWS;

/// The most that a weight, a bias and an output weight may be, so that whole numbers can hold them.
const MOST_WEIGHT: f32 = 1.27;
const MOST_BIAS: f32 = 8.0;
const MOST_OUTPUT: f32 = 1.98;

/// The row of output weights of a bucket: for the side to move, and for the other.
pub const fn output_row(bucket: usize, half: usize) -> usize {
    OUTPUT + 2 * bucket + half
}

/// Numbers to be learned, with what the optimiser remembers of each.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The numbers.
    pub values: Vec<Row>,
    /// The means of their gradients and of their squares.
    pub moments: Vec<[Row; 2]>,
    gradient: Vec<Row>,
}

impl Parameters {
    /// So many rows of zeros.
    pub fn new(rows: usize) -> Parameters {
        Parameters {
            values: vec![Row::ZERO; rows],
            moments: vec![[Row::ZERO; 2]; rows],
            gradient: vec![Row::ZERO; rows],
        }
    }

    /// The gradient, to be added to.
    pub fn gradient_mut(&mut self) -> &mut [Row] {
        &mut self.gradient
    }

    /// Makes a step against the gradient, and forgets it.
    pub fn step(&mut self, step: &Step) {
        let limit = |row: usize| match row {
            BIASES => MOST_BIAS,
            OUTPUT..SHARED => MOST_OUTPUT,
            _ => MOST_WEIGHT,
        };
        let rows = self.values.iter_mut().zip(&mut self.moments);
        for (row, ((values, moments), gradient)) in rows.zip(&mut self.gradient).enumerate() {
            adam(values, moments, gradient, step, limit(row));
            *gradient = Row::ZERO;
        }
    }
}

/// A step of the optimiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    rate: f32,
    decay: f32,
    /// What makes up for the moments' start at zero.
    unbias: [f32; 2],
}

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;

impl Step {
    /// The step with this number, from 1.
    pub fn new(number: usize, rate: f32, decay: f32) -> Step {
        let number = number as f32;
        Step {
            rate,
            decay: 1.0 - rate * decay,
            unbias: [FIRST, SECOND].map(|keep| 1.0 / (1.0 - libm::powf(keep, number))),
        }
    }
}

/// AdamW for a row of numbers.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn adam(values: &mut Row, moments: &mut [Row; 2], gradient: &Row, step: &Step, limit: f32) {
    let [first, second] = moments;
    for n in 0..COLUMNS {
        first[n] = FIRST * first[n] + (1.0 - FIRST) * gradient[n];
        second[n] = SECOND * second[n] + (1.0 - SECOND) * gradient[n] * gradient[n];
        let size = (second[n] * step.unbias[1]).sqrt() + 1e-8;
        let change = step.rate * first[n] * step.unbias[0] / size;
        values[n] = (values[n] * step.decay - change).clamp(-limit, limit);
    }
}

/// A strip of the network and what it computed for a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct Strip {
    /// By feature what sets it apart from others; biases and output weights; what features share.
    pub parameters: Parameters,
    /// The weights of the features: their own rows and those that they share, summed.
    pub weights: Vec<Row>,
    /// The accumulators of each position of the batch.
    sums: Vec<[Row; 2]>,
    /// What the strip adds to the output for each position of the batch.
    pub outputs: Vec<f32>,
}

impl Strip {
    /// A strip of random numbers.
    pub fn random(dice: &mut SmallRng) -> Strip {
        let mut parameters = Parameters::new(ROWS);
        for (n, row) in parameters.values.iter_mut().enumerate() {
            for value in &mut row[..] {
                *value = match n {
                    ..BIASES => 0.0,
                    BIASES => dice.random_range(0.1..0.5),
                    OUTPUT..SHARED => dice.random_range(-0.06..0.06),
                    _ => dice.random_range(-0.01..0.01),
                };
            }
        }
        Strip::new(parameters)
    }

    /// A strip of these numbers.
    pub fn new(parameters: Parameters) -> Strip {
        let mut strip = Strip {
            parameters,
            weights: vec![Row::ZERO; features::COUNT],
            sums: Vec::new(),
            outputs: Vec::new(),
        };
        strip.compose();
        strip
    }

    /// Sums up the weights of each feature.
    fn compose(&mut self) {
        let values = &self.parameters.values;
        for (feature, weights) in self.weights.iter_mut().enumerate() {
            *weights = values[feature];
            for &factor in &factors::FACTORS[feature] {
                add(weights, &values[SHARED + usize::from(factor)]);
            }
            for weight in &mut weights[..] {
                *weight = weight.clamp(-MOST_WEIGHT, MOST_WEIGHT);
            }
        }
    }

    /// Computes its part of the output for each position of a batch, given in parts.
    pub fn forward(&mut self, batch: &[Batch]) {
        self.sums.clear();
        self.outputs.clear();
        for part in batch {
            forward(
                &self.weights,
                &self.parameters.values,
                part,
                &mut self.sums,
                &mut self.outputs,
            );
        }
    }

    /// Adds up the gradient over the batch that was computed last, from how the error changes with each output; makes a
    /// step.
    pub fn backward(&mut self, batch: &[Batch], slopes: &[f32], step: &Step) {
        let Parameters {
            values, gradient, ..
        } = &mut self.parameters;
        let mut done = 0;
        for part in batch {
            let here = done..done + part.rows.len();
            backward(
                values,
                part,
                &self.sums[here.clone()],
                &slopes[here.clone()],
                gradient,
            );
            done = here.end;
        }
        let (own, shared) = gradient.split_at_mut(SHARED);
        for (own, factors) in own.iter().zip(factors::FACTORS.iter()) {
            for &factor in factors {
                add(&mut shared[usize::from(factor)], own);
            }
        }
        self.parameters.step(step);
        self.compose();
    }
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for n in 0..COLUMNS {
        sum[n] += row[n];
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn forward(
    features: &[Row],
    values: &[Row],
    batch: &Batch,
    sums: &mut Vec<[Row; 2]>,
    outputs: &mut Vec<f32>,
) {
    let mut start = 0;
    for row in &batch.rows {
        let mut both = [values[BIASES]; 2];
        let mut output = Row::ZERO;
        for half in 0..2 {
            let mut sum = values[BIASES];
            for &feature in &batch.features[half][start..row.end] {
                add(&mut sum, &features[usize::from(feature)]);
            }
            let weights = &values[output_row(row.bucket, half)];
            for n in 0..COLUMNS {
                let clipped = sum[n].clamp(0.0, 1.0);
                output[n] += clipped * clipped * weights[n];
            }
            both[half] = sum;
        }
        sums.push(both);
        outputs.push(output.iter().sum());
        start = row.end;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn backward(
    values: &[Row],
    batch: &Batch,
    sums: &[[Row; 2]],
    slopes: &[f32],
    gradient: &mut [Row],
) {
    let mut start = 0;
    let mut biases = Row::ZERO;
    for ((row, sums), &slope) in batch.rows.iter().zip(sums).zip(slopes) {
        for half in 0..2 {
            let weights = &values[output_row(row.bucket, half)];
            let output = &mut gradient[output_row(row.bucket, half)];
            let mut delta = Row::ZERO;
            for n in 0..COLUMNS {
                let clipped = sums[half][n].clamp(0.0, 1.0);
                let inside = sums[half][n] > 0.0 && sums[half][n] < 1.0;
                output[n] += slope * clipped * clipped;
                delta[n] = if inside {
                    2.0 * clipped * weights[n] * slope
                } else {
                    0.0
                };
            }
            add(&mut biases, &delta);
            for &feature in &batch.features[half][start..row.end] {
                add(&mut gradient[usize::from(feature)], &delta);
            }
        }
        start = row.end;
    }
    add(&mut gradient[BIASES], &biases);
}
