//! KIF, the format of Japanese records, as lishogi writes it for chu shogi.
//!
//! Headers and a board diagram come first, then a line for each move, two for a move in two steps:
//!
//! ```text
//! 先手：仁兵衛
//! 後手：Anna
//! 手数----指手---------消費時間--
//!    1手目 ▲7八獅子 （←7十） (0:03/0:00:03)
//!   57手目一歩目 ▲6六獅子 （←7七）
//!   57手目二歩目 ▲7七獅子（居食い） （←6六） (0:10/0:04:12)
//! *A comment on the move before it.
//!   58手目 投了
//! 変化：1手
//! ```
//!
//! The reader takes what other programs write too: one kanji for a piece, full-width digits, digits for ranks, 同 for 仝,
//! まで behind the last move, and old characters for new ones.

mod board;
mod clock;
mod moves;
mod reader;
pub(super) mod square;
mod writer;

pub use reader::read;
pub use writer::write;

pub use super::tree::DEEPEST;

use thiserror::Error;

use super::usi::MoveError;
use crate::board::SetupError;

/// What is wrong with a line of a KIF file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing that a KIF file has.
    #[error("`{0}` is not a line of a KIF file")]
    Unknown(String),
    /// A start by name that there is not.
    #[error("手合割 `{0}` is no handicap of chu shogi, and there is no board")]
    Handicap(String),
    /// Too many or too few ranks of a diagram.
    #[error("the board has {0} ranks, chu shogi has 12")]
    Ranks(usize),
    /// Too many or too few squares in a rank of a diagram.
    #[error("`{row}` has {files} squares, chu shogi has 12")]
    Files {
        /// The rank as it is written.
        row: String,
        /// How many squares it has.
        files: usize,
    },
    /// A piece in a diagram that there is not.
    #[error("`{piece}` in `{row}` is not a piece")]
    Piece {
        /// The piece as it is written.
        piece: String,
        /// The rank as it is written.
        row: String,
    },
    /// The diagram is no position.
    #[error("bad start position: {}", super::record::reasons(.0))]
    Setup(Vec<SetupError>),
    /// Not spelt like a move.
    #[error("`{0}` is not a move: expected one like 7八獅子 （←7十）")]
    Spelling(String),
    /// A move of another number is due.
    #[error("`{text}`: move {due} is due")]
    Number {
        /// The line.
        text: String,
        /// The number that should stand there.
        due: usize,
    },
    /// 同 or 仝 without a move before.
    #[error("`{0}`: there is no last move whose square that could be")]
    Same(String),
    /// Another piece stands on the origin.
    #[error("`{text}`: the piece on {square} is not {name} but {there}")]
    Name {
        /// The move.
        text: String,
        /// Its piece.
        name: String,
        /// Its origin.
        square: String,
        /// What stands there.
        there: &'static str,
    },
    /// Without an origin, no piece can be meant or several can.
    #[error("`{text}`: {count} pieces can move like that, and no origin is given")]
    Origin {
        /// The move.
        text: String,
        /// How many pieces can.
        count: usize,
    },
    /// A second step that starts elsewhere.
    #[error("`{0}`: the second step does not start where the first ends")]
    Apart(String),
    /// A second step alone.
    #[error("`{0}`: there is no first step before this second one")]
    NoFirstStep(String),
    /// A first step alone.
    #[error("`{0}`: the second step is missing")]
    NoSecondStep(String),
    /// The move is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move behind the end.
    #[error("`{0}` comes after the end")]
    Ended(String),
    /// A variation of a move that there is not.
    #[error("`{0}`: there is no such move to vary")]
    Variation(String),
    /// Variations of variations without end.
    #[error("`{0}`: variations are nested deeper than {DEEPEST}")]
    Depth(String),
}
