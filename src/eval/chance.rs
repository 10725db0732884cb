//! What scores mean for the result.

use super::score::{Score, mate_distance};

/// Centipawns that change the odds of winning by a factor of e, as `sakijishi train net` fitted them to the engine's games.
const ODDS: f64 = 720.0;

/// The share of the points that the side to move can expect at a score, 0 … 1, if the engine goes on playing against itself:
/// a logistic curve for evaluations, and certainty for a proved end.
///
/// ```
/// use sakijishi::eval::{score, winning_chance};
/// assert_eq!(winning_chance(0), 0.5);
/// assert_eq!(winning_chance(score::mate_in(3)), 1.0);
/// assert!((winning_chance(250) + winning_chance(-250) - 1.0).abs() < 1e-9);
/// ```
pub fn winning_chance(score: Score) -> f64 {
    match mate_distance(score) {
        Some(_) if score > 0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + libm::exp(-f64::from(score) / ODDS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::{MATE, WON};

    #[test]
    fn better_scores_win_more_often() {
        let scores = [-MATE, -WON, -3_000, -100, 0, 100, 3_000, WON, MATE];
        let expected = scores.map(winning_chance);
        assert!(expected.is_sorted());
        assert_eq!((expected[0], expected[4], expected[8]), (0.0, 0.5, 1.0));
        assert!((0.725..0.735).contains(&winning_chance(ODDS as Score)));
    }
}
