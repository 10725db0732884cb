//! What a position of a game should be worth, from the scores and the result of the game.

use anyhow::Result;

use super::calibration::Calibration;
use super::games::Sample;
use super::selfplay::result_for;
use crate::board::{Color, Move, Position};
use crate::eval::Score;

/// Later scores that would count less than this are not looked at.
const LEAST_WEIGHT: f32 = 0.015;
/// Positions with larger scores are decided and teach nothing, in centipawns.
pub const DECIDED: i32 = 3_000;

/// How targets are made.
#[derive(Clone, PartialEq, Debug)]
pub struct Targets {
    /// Centipawns that change the odds of winning by a factor of e, for scores that are not corrected.
    pub scale: f32,
    /// The share of the game's result in the target, 0 … 1; the rest are scores.
    pub result_share: f32,
    /// How much each later score counts compared with the one before, 0 … 1; with 0 only the position's own counts.
    pub look_ahead: f32,
    /// What corrects scores, if anything does.
    pub calibration: Option<Calibration>,
}

/// The expected result for a score that is a multiple of the scale.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The scale by which scores predict results best, in centipawns.
pub fn fit_scale(samples: &[Sample]) -> f32 {
    // The number of moves and the sum of results by score: results are all that differs between moves of one score.
    let mut counts = vec![[0.0f64; 2]; 2 * DECIDED as usize];
    for sample in samples {
        let mut turn = sample.turn();
        for &(_, score) in &sample.moves {
            if let Some(score) = score.filter(|score| score.abs() < DECIDED) {
                let cell = &mut counts[(score + DECIDED) as usize];
                let result = f64::from(result_for(sample.winner, turn));
                cell[0] += 1.0;
                cell[1] += result;
            }
            turn = !turn;
        }
    }
    let error = |scale: f32| -> f64 {
        let error_at = |(n, &[moves, results]): (usize, &[f64; 2])| {
            let expected = f64::from(sigmoid((n as i32 - DECIDED) as f32 / scale));
            moves * expected * expected - 2.0 * expected * results
        };
        counts.iter().enumerate().map(error_at).sum()
    };
    let scales = (20..300).map(|n| n as f32 * 10.0);
    scales
        .min_by(|&a, &b| error(a).total_cmp(&error(b)))
        .unwrap_or(600.0)
}

impl Targets {
    /// Black's expected result at each ply of a game; meaningless where a move was not searched.
    ///
    /// # Errors
    ///
    /// The game's start is damaged.
    pub fn of_game(&self, sample: &Sample) -> Result<Vec<f32>> {
        let mut position = sample.position()?;
        let expected = |&(m, score): &(Move, Option<Score>)| {
            let own = score.map(|score| self.expected(&position, score));
            let black = match position.turn() {
                Color::Black => own,
                Color::White => own.map(|own| 1.0 - own),
            };
            position.make(m);
            black
        };
        let expected: Vec<Option<f32>> = sample.moves.iter().map(expected).collect();
        let result = result_for(sample.winner, Color::Black);
        let target = |n: usize| {
            let ahead = self.mean(&expected[n..]);
            (1.0 - self.result_share) * ahead + self.result_share * result
        };
        Ok((0..expected.len()).map(target).collect())
    }

    /// The expected result for the side to move, from the score that a search gave it.
    fn expected(&self, position: &Position, score: Score) -> f32 {
        sigmoid(match &self.calibration {
            Some(calibration) => calibration.odds(position, score),
            None => score as f32 / self.scale,
        })
    }

    /// The mean of expected results, later ones counting less.
    fn mean(&self, expected: &[Option<f32>]) -> f32 {
        let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
        for value in expected {
            if let Some(value) = value {
                sum += weight * value;
                weights += weight;
            }
            weight *= self.look_ahead;
            if weight < LEAST_WEIGHT {
                break;
            }
        }
        sum / weights
    }
}

/// Whether a position with the move and the score that were found for it teaches a static evaluation: undecided, and quiet
/// enough that no capture or promotion is what it is about.
pub fn teaches(position: &Position, m: Move, score: Option<i32>) -> bool {
    let quiet = m.mid().is_none() && !m.promotes() && position.piece(m.to()).is_none();
    score.is_some_and(|score| score.abs() < DECIDED)
        && (quiet || m.is_pass())
        && !position.is_in_check(position.turn())
}
