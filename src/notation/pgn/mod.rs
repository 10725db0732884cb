//! PGN for chu shogi, in the dialect of XBoard: its FEN and squares, our Black called White.
//!
//! ```text
//! [Variant "chu"]
//!
//! 1. Nf5 Ng7 2. Nxg7-f6 {[%emt 0:00:03]} -- {White resigns} 0-1
//! ```

mod reader;
mod san;
mod token;
mod writer;

pub use reader::read;
pub use writer::write;

pub use super::tree::DEEPEST;

use thiserror::Error;

use super::sfen::SfenError;
use super::usi;
use super::xboard::{self, FenError};
use crate::board::SetupError;

/// What is wrong with a PGN file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A tag that is not spelt like one.
    #[error("`{0}` is not a tag: expected one like [Event \"Meijin\"]")]
    Tag(String),
    /// A game of another kind.
    #[error("[Variant \"{0}\"] is not chu")]
    Variant(String),
    /// A start that is no FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A start that is no SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The start is no position.
    #[error("bad start position: {}", super::record::reasons(.0))]
    Setup(Vec<SetupError>),
    /// Not spelt like a move.
    #[error("`{0}` is not a move: expected one like Nf5, Nxg7-f6, Hxc4+ or --")]
    Spelling(String),
    /// No piece can move like that.
    #[error("`{0}`: no piece can move like that")]
    NoPiece(String),
    /// Several pieces can move like that.
    #[error("`{text}`: {count} pieces can move like that")]
    Ambiguous {
        /// The move.
        text: String,
        /// How many pieces can.
        count: usize,
    },
    /// The move of the only piece that could be meant is not legal.
    #[error(transparent)]
    Move(#[from] usi::MoveError),
    /// A move between squares that is not legal.
    #[error(transparent)]
    Squares(#[from] xboard::MoveError),
    /// A move of another number is due.
    #[error("`{text}`: move {due} is due")]
    Number {
        /// The number as it is written.
        text: String,
        /// The number that should stand there.
        due: u32,
    },
    /// A comment without an end.
    #[error("the comment `{{{0}` is not closed")]
    OpenComment(String),
    /// A variation of no move.
    #[error("there is no move for a variation to leave")]
    NoMove,
    /// A closing bracket too many.
    #[error("`)` closes no variation")]
    Unopened,
    /// A variation without an end.
    #[error("a variation is not closed")]
    OpenVariation,
    /// Variations of variations without end.
    #[error("variations are nested deeper than {DEEPEST}")]
    Depth,
    /// A game whose tags name a result that does not come.
    #[error("the game breaks off before its result `{0}`")]
    NoResult(String),
}
