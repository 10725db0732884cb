//! The game itself: squares, pieces, moves, rules, positions, outcome and repetition.
//!
//! Nothing here reads or writes text formats; see [`crate::notation`] for those. "Rules §n" in the
//! documentation of this room means a section of the rules that the README summarises.

pub(crate) mod attacks;
mod change;
mod checks;
mod game;
mod illegal;
mod lion;
mod movegen;
mod moves;
mod outcome;
mod pattern;
mod perft;
mod piece;
mod position;
mod repetition;
mod rules;
mod setup;
mod square;
mod tally;
mod threats;
mod zobrist;

pub use change::{Change, Victim};
pub use game::{Game, PlayError};
pub use illegal::Illegal;
pub use lion::LionBan;
pub use movegen::Stage;
pub use moves::{Move, MoveList};
pub use outcome::Outcome;
pub use perft::{divide, perft};
pub use piece::{Color, Kind, Piece, Reach, Slot};
pub use position::Position;
pub use repetition::Recurrence;
pub use rules::{
    BareKing, LionTrade, LoneRoyals, Promotion, RepetitionRule, RuleSet, Rules, StrikeScope,
};
pub use setup::{Setup, SetupError};
pub use square::{Direction, Square};
