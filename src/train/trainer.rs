//! Training a network on positions of games.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::samples::{Batch, Place, Samples};
use super::strip::{COLUMNS, Parameters, Step, Strip};
use super::targets::sigmoid;
use crate::eval::nnue::BUCKETS;

/// How a network is trained.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Columns of a side's accumulator, a multiple of 32.
    pub columns: usize,
    /// How often each position is used.
    pub epochs: usize,
    /// Positions a step.
    pub batch: usize,
    /// The size of the first steps, and of the last.
    pub rate: (f32, f32),
    /// How strongly numbers are drawn to zero.
    pub decay: f32,
    /// Everything random follows from it.
    pub seed: u64,
    /// Centipawns that change the odds of winning by a factor of e.
    pub scale: f32,
}

/// What an epoch achieved: mean squared errors of the expected result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// On the positions that were learned from, while they were.
    pub training: f64,
    /// On positions of other games, afterwards.
    pub validation: f64,
    /// The same with the results of those games as targets.
    pub result: f64,
}

/// A network that is being trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Its columns.
    pub strips: Vec<Strip>,
    /// A row with a bias for each bucket.
    pub head: Parameters,
    /// How many steps have been made.
    pub steps: usize,
    /// What each epoch so far achieved.
    pub losses: Vec<Losses>,
}

/// How many positions are made ready together; a batch is made of such parts.
const PART: usize = 256;

impl Model {
    /// A network of random numbers.
    pub fn random(plan: &Plan) -> Model {
        let mut dice = SmallRng::seed_from_u64(plan.seed);
        let strips = plan.columns.div_ceil(COLUMNS).max(1);
        Model {
            strips: (0..strips).map(|_| Strip::random(&mut dice)).collect(),
            head: Parameters::new(1),
            steps: 0,
            losses: Vec::new(),
        }
    }

    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.strips.len() * COLUMNS
    }

    /// The mean squared errors on some positions, of targets and of results.
    pub fn error(&mut self, samples: &Samples, places: &[Place], plan: &Plan) -> [f64; 2] {
        let mut parts = Vec::new();
        let mut sums = [0.0; 2];
        for places in places.chunks(plan.batch) {
            fill(samples, places, &mut parts);
            let (errors, _) = self.forward(&parts, plan.scale);
            sums = [sums[0] + errors[0], sums[1] + errors[1]];
        }
        sums.map(|sum| sum / places.len() as f64)
    }

    /// Learns from each position once; `on_batch` hears how many have been seen. Gives the mean squared error; nothing if
    /// the flag ended it early.
    fn learn(
        &mut self,
        samples: &Samples,
        plan: &Plan,
        stop: &AtomicBool,
        mut on_batch: impl FnMut(usize),
    ) -> Option<f64> {
        let mut places = samples.training.clone();
        let epoch = self.losses.len() as u64;
        places.shuffle(&mut SmallRng::seed_from_u64(
            plan.seed.wrapping_add(epoch + 1),
        ));
        let steps = plan.epochs * places.len().div_ceil(plan.batch);
        let (mut parts, mut sum, mut seen) = (Vec::new(), 0.0, 0);
        for places in places.chunks(plan.batch) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            fill(samples, places, &mut parts);
            let (errors, slopes) = self.forward(&parts, plan.scale);
            let progress = self.steps as f32 / steps as f32;
            self.steps += 1;
            let step = Step::new(self.steps, rate(plan.rate, progress), plan.decay);
            self.backward(&parts, &slopes, &step);
            sum += errors[0];
            seen += places.len();
            on_batch(seen);
        }
        Some(sum / seen as f64)
    }

    /// Computes a batch; gives the sums of squared errors of targets and of results, and how the mean changes with each output.
    fn forward(&mut self, parts: &[Batch], scale: f32) -> ([f64; 2], Vec<f32>) {
        self.strips
            .par_iter_mut()
            .for_each(|strip| strip.forward(parts));
        let rows = parts.iter().flat_map(|part| &part.rows);
        let biases = self.head.values[0];
        let (mut errors, mut slopes) = ([0.0; 2], Vec::new());
        for (n, row) in rows.enumerate() {
            let outputs = self.strips.iter().map(|strip| strip.outputs[n]);
            let output = outputs.sum::<f32>() + biases[row.bucket];
            let expected = sigmoid(row.base / scale + output);
            let off = expected - row.target;
            errors[0] += f64::from(off * off);
            errors[1] += f64::from(expected - row.result).powi(2);
            slopes.push(2.0 * off * expected * (1.0 - expected));
        }
        let share = 1.0 / slopes.len().max(1) as f32;
        slopes.iter_mut().for_each(|slope| *slope *= share);
        (errors, slopes)
    }

    fn backward(&mut self, parts: &[Batch], slopes: &[f32], step: &Step) {
        self.strips
            .par_iter_mut()
            .for_each(|strip| strip.backward(parts, slopes, step));
        let rows = parts.iter().flat_map(|part| &part.rows);
        for (row, slope) in rows.zip(slopes) {
            self.head.gradient_mut()[0][row.bucket] += slope;
        }
        self.head.step(step);
    }
}

const _: () = assert!(BUCKETS <= COLUMNS);

/// Makes a batch of the positions at some places.
fn fill(samples: &Samples, places: &[Place], parts: &mut Vec<Batch>) {
    parts.resize_with(places.len().div_ceil(PART), Batch::default);
    parts
        .par_iter_mut()
        .zip(places.par_chunks(PART))
        .for_each(|(part, places)| samples.fill(places, part));
}

/// The size of steps, from the first to the last along half a cosine.
fn rate((first, last): (f32, f32), progress: f32) -> f32 {
    last + (first - last) * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * progress))
}

/// What hears how training goes.
pub trait Watch {
    /// So many positions of an epoch, counted from 1, have been seen.
    fn on_batch(&mut self, epoch: usize, seen: usize);

    /// An epoch is over.
    ///
    /// # Errors
    ///
    /// What it keeps cannot be kept; training ends.
    fn on_epoch(&mut self, model: &Model) -> anyhow::Result<()>;
}

/// Trains a network until its plan is fulfilled or the flag ends it; then the epoch that was going on is lost. The same
/// samples, plan and start give the same numbers, however many threads there are.
///
/// # Errors
///
/// What `watch` reports.
pub fn train(
    model: &mut Model,
    samples: &Samples,
    plan: &Plan,
    stop: &AtomicBool,
    watch: &mut impl Watch,
) -> anyhow::Result<()> {
    while model.losses.len() < plan.epochs {
        let epoch = model.losses.len() + 1;
        let learnt = model.learn(samples, plan, stop, |seen| watch.on_batch(epoch, seen));
        let Some(training) = learnt else {
            break;
        };
        let [validation, result] = model.error(samples, &samples.validation, plan);
        model.losses.push(Losses {
            training,
            validation,
            result,
        });
        watch.on_epoch(model)?;
    }
    Ok(())
}
