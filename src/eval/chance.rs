//! What scores mean for the result.

use super::score::Score;

/// Centipawns that change the odds of winning by a factor of e.
const SCALE: f64 = 600.0;

/// The share of the points that the side to move of a score can expect, 0 … 1: a logistic curve, on which a proved end is
/// as good as certain.
///
/// ```
/// use sakijishi::eval::{score, winning_chance};
/// assert_eq!(winning_chance(0), 0.5);
/// assert!(winning_chance(score::mate_in(3)) > 0.999);
/// assert!((winning_chance(250) + winning_chance(-250) - 1.0).abs() < 1e-9);
/// ```
pub fn winning_chance(score: Score) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / SCALE).exp())
}
