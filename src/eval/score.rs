//! The units of scores.

/// A score from the side to move's view: centipawns, or a distance to the end of the game near ±[`MATE`].
pub type Score = i32;

/// The score of having won on the spot; a win `n` plies away is `MATE - n`.
pub const MATE: Score = 32_000;
/// More than any score.
pub const INFINITE: Score = 32_500;
/// The most plies that a search looks ahead.
pub const MAX_PLY: usize = 127;
/// Scores beyond this are wins found by search, closer to 0 are evaluations.
pub const WON: Score = MATE - 1_000;
/// The largest evaluation; beyond it are scores that search has proved.
pub const MAX_EVAL: Score = WON - 1;

/// The score of winning `ply` plies from the root.
pub const fn mate_in(ply: usize) -> Score {
    MATE - ply as Score
}

/// The score of losing `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// The plies to the end of the game in a score that is one: positive for a win, negative for a loss.
pub const fn mate_distance(score: Score) -> Option<Score> {
    if score >= WON {
        Some(MATE - score)
    } else if score <= -WON {
        Some(-MATE - score)
    } else {
        None
    }
}
