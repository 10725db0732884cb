//! Fitting material and piece-square values to games by logistic regression.

use std::path::Path;

use anyhow::{Result, ensure};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::games::{Sample, read_all};
use super::targets::{Targets, fit_scale, sigmoid, teaches};
use crate::board::{Color, Position};
use crate::eval::material::{self, Weights};

/// How the fit is made.
#[derive(Clone, Debug)]
pub struct Fit {
    /// How often each position is used.
    pub epochs: usize,
    /// Positions for each step.
    pub batch: usize,
    /// The first step, in centipawns; later ones are smaller.
    pub rate: f32,
    /// The share of the game's result in the target; the rest are scores of the next moves.
    pub result_share: f32,
    /// How strongly weights are drawn to where they were, each step.
    pub decay: f32,
    /// Everything random follows from it.
    pub seed: u64,
    /// How many threads compute.
    pub threads: usize,
}

/// What an epoch achieved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// From 1.
    pub number: usize,
    /// The mean squared error on the positions that were learned from.
    pub training: f64,
    /// The same on games that were not.
    pub validation: f64,
}

/// A position as the fit sees it: Black's pieces and White's, by row of the weights.
struct Point {
    rows: Box<[u16]>,
    black: u8,
    /// The share of a full board that is there.
    full: f32,
    /// 1 if Black moves, else -1.
    turn: f32,
    /// Black's expected result.
    target: f32,
}

/// One game in this many is kept for validation.
const VALIDATION: usize = 20;
/// How much less the score of each later move says about a position.
const LOOK_AHEAD: f32 = 0.9;

/// The positions of games, split into those to learn from and those to check with.
pub struct Points {
    training: Vec<Point>,
    validation: Vec<Point>,
    /// Centipawns that change the odds by a factor of e.
    scale: f32,
}

impl Points {
    /// Reads games and picks quiet, undecided positions that were searched.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or there is not a single position.
    pub fn read(files: &[impl AsRef<Path>], result_share: f32) -> Result<Points> {
        let samples = read_all(files)?;
        let targets = Targets {
            scale: fit_scale(&samples),
            result_share,
            look_ahead: LOOK_AHEAD,
            calibration: None,
        };
        let mut points = Points {
            training: Vec::new(),
            validation: Vec::new(),
            scale: targets.scale,
        };
        for (n, sample) in samples.iter().enumerate() {
            let part = if n % VALIDATION == 0 {
                &mut points.validation
            } else {
                &mut points.training
            };
            read_game(sample, &targets, part)?;
        }
        ensure!(
            !points.training.is_empty() && !points.validation.is_empty(),
            "no positions"
        );
        Ok(points)
    }

    /// How many there are to learn from and to check with.
    pub fn len(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.training.is_empty()
    }

    /// Centipawns that change the odds of winning by a factor of e.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

fn read_game(sample: &Sample, targets: &Targets, points: &mut Vec<Point>) -> Result<()> {
    let mut position = sample.position()?;
    for (&(m, score), target) in sample.moves.iter().zip(targets.of_game(sample)?) {
        if teaches(&position, m, score) {
            points.push(point(&position, target));
        }
        position.make(m);
    }
    Ok(())
}

fn point(position: &Position, target: f32) -> Point {
    let rows = |color| {
        let own = position
            .pieces()
            .filter(move |(_, piece)| piece.color() == color);
        own.map(|(square, piece)| Weights::row(piece, square) as u16)
    };
    let black = rows(Color::Black).count() as u8;
    let rows: Box<[u16]> = rows(Color::Black).chain(rows(Color::White)).collect();
    let full = material::fullness(rows.len() as i32);
    let turn = if position.turn() == Color::Black {
        1.0
    } else {
        -1.0
    };
    Point {
        rows,
        black,
        full,
        turn,
        target,
    }
}

type Flat = Vec<[f32; 2]>;

impl Point {
    /// Black's score in centipawns.
    fn score(&self, weights: &Flat) -> f32 {
        let (black, white) = self.rows.split_at(usize::from(self.black));
        let sum = |rows: &[u16]| {
            rows.iter().fold([0.0, 0.0], |sum: [f32; 2], &row| {
                let weight = weights[usize::from(row)];
                [sum[0] + weight[0], sum[1] + weight[1]]
            })
        };
        let (black, white) = (sum(black), sum(white));
        (black[0] - white[0]) * self.full
            + (black[1] - white[1]) * (1.0 - self.full)
            + self.turn * material::TEMPO as f32
    }

    /// Adds its part of the gradient; gives its squared error.
    fn learn(&self, weights: &Flat, scale: f32, gradient: &mut Flat) -> f64 {
        let expected = sigmoid(self.score(weights) / scale);
        let off = expected - self.target;
        let slope = off * expected * (1.0 - expected);
        for (n, &row) in self.rows.iter().enumerate() {
            let sign = if n < usize::from(self.black) {
                slope
            } else {
                -slope
            };
            let cell = &mut gradient[usize::from(row)];
            cell[0] += sign * self.full;
            cell[1] += sign * (1.0 - self.full);
        }
        f64::from(off * off)
    }
}

fn error(points: &[Point], weights: &Flat, scale: f32) -> f64 {
    let square = |point: &Point| {
        let off = sigmoid(point.score(weights) / scale) - point.target;
        f64::from(off * off)
    };
    points.iter().map(square).sum::<f64>() / points.len() as f64
}

/// Fits weights to positions, starting from `start`; `on_epoch` hears how it goes.
pub fn fit(
    points: &mut Points,
    start: &Weights,
    fit: &Fit,
    mut on_epoch: impl FnMut(Epoch),
) -> Weights {
    let origin = start.to_flat();
    let mut weights = origin.clone();
    let mut moments = vec![[[0.0f32; 2]; 2]; weights.len()];
    let mut dice = SmallRng::seed_from_u64(fit.seed);
    let scale = points.scale;
    let steps = (fit.epochs * points.training.len().div_ceil(fit.batch)).max(1);
    let mut step = 0;
    for number in 1..=fit.epochs {
        points.training.shuffle(&mut dice);
        let mut sum = 0.0;
        for batch in points.training.chunks(fit.batch) {
            step += 1;
            let (gradient, square) = gradient(batch, &weights, scale, fit.threads);
            sum += square;
            let progress = step as f32 / steps as f32;
            let rate = fit.rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam(
                &mut weights,
                &origin,
                &gradient,
                &mut moments,
                rate,
                fit.decay,
                step,
            );
        }
        on_epoch(Epoch {
            number,
            training: sum / points.training.len() as f64,
            validation: error(&points.validation, &weights, scale),
        });
    }
    Weights::from_flat(&weights)
}

fn gradient(batch: &[Point], weights: &Flat, scale: f32, threads: usize) -> (Flat, f64) {
    let part = batch.len().div_ceil(threads.max(1)).max(1);
    let sums = std::thread::scope(|scope| {
        let work = |points: &'_ [Point]| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            let square: f64 = points
                .iter()
                .map(|p| p.learn(weights, scale, &mut gradient))
                .sum();
            (gradient, square)
        };
        let running: Vec<_> = batch
            .chunks(part)
            .map(|points| scope.spawn(move || work(points)))
            .collect();
        running
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect::<Vec<_>>()
    });
    let mut total = (vec![[0.0; 2]; weights.len()], 0.0);
    for (gradient, square) in sums {
        total.1 += square;
        for (sum, part) in total.0.iter_mut().zip(gradient) {
            sum[0] += part[0] / batch.len() as f32;
            sum[1] += part[1] / batch.len() as f32;
        }
    }
    total
}

/// One step of Adam; weights are drawn a little to their origin.
fn adam(
    weights: &mut Flat,
    origin: &Flat,
    gradient: &Flat,
    moments: &mut [[[f32; 2]; 2]],
    rate: f32,
    decay: f32,
    step: usize,
) {
    const FIRST: f32 = 0.9;
    const SECOND: f32 = 0.999;
    let step = step.min(10_000) as i32;
    let (unbias1, unbias2) = (1.0 - FIRST.powi(step), 1.0 - SECOND.powi(step));
    for (n, weight) in weights.iter_mut().enumerate() {
        for phase in 0..2 {
            let slope = gradient[n][phase];
            let [first, second] = &mut moments[n][phase];
            *first = FIRST * *first + (1.0 - FIRST) * slope;
            *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
            let change = (*first / unbias1) / ((*second / unbias2).sqrt() + 1e-9);
            let pull = decay * (weight[phase] - origin[n][phase]);
            weight[phase] -= rate * (change + pull);
        }
    }
}
