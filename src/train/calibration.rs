//! What scores turned out to be worth, by material and by how full the board was.
//!
//! A search repeats the errors of the evaluation that it uses, and a network that learns from its scores learns them
//! again. Results of games have no such errors, but a single one says very little. So they correct only what a few numbers
//! describe: how much a score, and a piece more of each kind, changed the odds of winning, found by logistic regression. Every
//! network has errors of its own: games played with different ones are better calibrated apart.

use anyhow::{Context, Result, ensure};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::games::Sample;
use super::selfplay::result_for;
use super::targets::teaches;
use crate::board::{Kind, Position};
use crate::eval::Score;
use crate::eval::material::fullness;

/// The score and a piece more of each kind.
const TERMS: usize = 1 + Kind::COUNT;
/// Each of them on an empty board, and how much more on a full one.
const INPUTS: usize = 2 * TERMS;
/// Centipawns in which scores are counted, so that all inputs are about as large.
const UNIT: f32 = 1_000.0;
/// One position in so many is looked at: those of a game say much the same.
const EVERY: usize = 10;
/// How strongly numbers are drawn to zero, as if by so many positions: what a score says, just enough that few games which
/// their scores foretell have an answer, and what a kind adds.
const RIDGE: [f64; 2] = [1.0, 150.0];
/// Positions that are summed up together.
const PART: usize = 1_024;
/// Steps of Newton's method; it is there after fewer.
const STEPS: usize = 8;

const TOO_FEW: &str = "too few games that somebody won; merge it with others of the same network";

/// How scores are to be corrected.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// How much each input changes the logarithm of the odds of winning.
    weights: DVector<f64>,
    /// Centipawns that change the odds by a factor of e, in the mean.
    scale: f32,
}

/// What a position says of the odds, from the point of view of its side to move.
#[derive(Clone)]
struct Point {
    /// The score, and by how many pieces of each kind it is ahead.
    terms: [f32; TERMS],
    /// How full the board is.
    full: f32,
    /// 1 if it won, else 0.
    result: f32,
}

impl Point {
    fn new(position: &Position, score: Score, result: f32) -> Point {
        let mut terms = [0.0; TERMS];
        terms[0] = score as f32 / UNIT;
        let mut pieces = 0;
        for (_, piece) in position.pieces() {
            pieces += 1;
            let own = piece.color() == position.turn();
            terms[piece.kind().index()] += if own { 1.0 } else { -1.0 };
        }
        Point {
            terms,
            full: fullness(pieces),
            result,
        }
    }

    fn inputs(&self) -> impl Iterator<Item = f64> {
        let full = self.terms.iter().map(|term| term * self.full);
        self.terms.iter().copied().chain(full).map(f64::from)
    }
}

impl Calibration {
    /// Fits it to games.
    ///
    /// # Errors
    ///
    /// A game is damaged, or there are too few that were won to tell what scores say.
    pub fn fit(games: &[Sample]) -> Result<Calibration> {
        let points: Result<Vec<_>> = games.par_iter().map(points).collect();
        let points = points?.concat();
        let [score, kind] = RIDGE;
        let ridge = |n: usize| if n.is_multiple_of(TERMS) { score } else { kind };
        let ridge = DVector::from_fn(INPUTS, |n, _| ridge(n));
        let mut weights = DVector::zeros(INPUTS);
        for _ in 0..STEPS {
            let sums: Vec<_> = points
                .par_chunks(PART)
                .map(|part| slope_and_curvature(part, &weights))
                .collect();
            let mut slope = -weights.component_mul(&ridge);
            let mut curvature = DMatrix::from_diagonal(&ridge);
            // In order, so that the sums do not depend on how many threads there are.
            for (part_slope, part_curvature) in sums {
                slope += part_slope;
                curvature += part_curvature;
            }
            let roots = curvature.cholesky().context(TOO_FEW)?;
            weights += roots.solve(&slope);
        }
        let full: f64 = points.iter().map(|point| f64::from(point.full)).sum();
        let of_score = weights[0] + weights[TERMS] * full / points.len().max(1) as f64;
        ensure!(of_score > 0.0, TOO_FEW);
        Ok(Calibration {
            weights,
            scale: (f64::from(UNIT) / of_score) as f32,
        })
    }

    /// Centipawns that change the odds of winning by a factor of e, in the mean.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The logarithm of the odds that the side to move wins after a search gave it this score.
    pub fn odds(&self, position: &Position, score: Score) -> f32 {
        let Point { terms, full, .. } = Point::new(position, score, 0.0);
        let weight = |n: usize| self.weights[n] as f32 + full * self.weights[TERMS + n] as f32;
        let weighted = terms.iter().enumerate().map(|(n, term)| term * weight(n));
        weighted.sum()
    }
}

/// How the likelihood of the results grows with the weights, and how that ends.
fn slope_and_curvature(points: &[Point], weights: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let inputs = points.iter().flat_map(Point::inputs);
    let inputs = DMatrix::from_iterator(INPUTS, points.len(), inputs);
    let expected = inputs
        .tr_mul(weights)
        .map(|odds| 1.0 / (1.0 + libm::exp(-odds)));
    let results = DVector::from_iterator(
        points.len(),
        points.iter().map(|point| f64::from(point.result)),
    );
    let mut weighted = inputs.clone();
    for (mut column, p) in weighted.column_iter_mut().zip(&expected) {
        column *= p * (1.0 - p);
    }
    (
        &inputs * (results - expected),
        weighted * inputs.transpose(),
    )
}

/// Positions of a game, if somebody won it.
fn points(game: &Sample) -> Result<Vec<Point>> {
    let mut points = Vec::new();
    if game.winner.is_none() {
        return Ok(points);
    }
    let mut position = game.position()?;
    // Another start for each game, so that all plies have their turn.
    let first = game.moves.len() % EVERY;
    for (n, &(m, score)) in game.moves.iter().enumerate() {
        if n % EVERY == first
            && teaches(&position, m, score)
            && let Some(score) = score
        {
            let result = result_for(game.winner, position.turn());
            points.push(Point::new(&position, score, result));
        }
        position.make(m);
    }
    Ok(points)
}
