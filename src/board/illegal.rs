//! Why moves are not legal.

use thiserror::Error;

use super::lion::LionBan;
use super::outcome::Outcome;

/// Why a move may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Nothing stands where the move starts.
    #[error("there is no piece on its starting square")]
    NoPiece,
    /// The piece belongs to the other side.
    #[error("the piece belongs to the other side")]
    OtherSide,
    /// The destination, or the square between, holds an own piece.
    #[error("an own piece is in the way")]
    OwnPiece,
    /// The piece does not move like that.
    #[error("the piece does not move like that (rules §2, §3)")]
    Reach,
    /// A slide with something in between.
    #[error("a piece stands in between")]
    Blocked,
    /// A two-step capture with nothing to capture on the first step.
    #[error("there is nothing to capture on the first step")]
    NothingBetween,
    /// A pass without an empty neighbour.
    #[error("a pass needs a lion, falcon or eagle with an empty square to step to (rules §3)")]
    NoPass,
    /// Promotion where it is not offered.
    #[error("the piece may not promote with this move (rules §4)")]
    Promotion,
    /// A lion may not be captured by this move.
    #[error(transparent)]
    Lion(#[from] LionBan),
    /// The move repeats a position that its side may not repeat.
    #[error("the move repeats the position a fourth time (rules §7)")]
    Repetition,
    /// The game has ended.
    #[error("the game is over ({0})")]
    GameOver(Outcome),
}

impl Illegal {
    /// The section of the rules that forbids the move.
    pub const fn section(self) -> &'static str {
        match self {
            Illegal::NoPiece
            | Illegal::OtherSide
            | Illegal::OwnPiece
            | Illegal::Reach
            | Illegal::Blocked => "§2",
            Illegal::NothingBetween | Illegal::NoPass => "§3",
            Illegal::Promotion => "§4",
            Illegal::Lion(LionBan::Protected) => "§5.2",
            Illegal::Lion(LionBan::CounterStrike) => "§5.3",
            Illegal::GameOver(_) => "§6",
            Illegal::Repetition => "§7",
        }
    }
}
