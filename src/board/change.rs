//! What a move changed.

use super::piece::{Piece, Slot};
use super::square::Square;

/// A captured piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Victim {
    /// Where it stood.
    pub square: Square,
    /// What stood there; empty if this step captured nothing.
    pub slot: Slot,
    pub(super) seat: u8,
}

pub(super) const NO_VICTIM: Victim = Victim {
    square: Square::NOWHERE,
    slot: Slot::EMPTY,
    seat: 0,
};

/// What a move changed: enough to take it back, and to keep an evaluation up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The piece that moved, as it started.
    pub mover: Slot,
    /// Where it started.
    pub from: Square,
    /// The piece as it landed; different from `mover` if it promoted.
    pub lands: Slot,
    /// Where it landed.
    pub to: Square,
    /// What was captured on the first step of a two-step move, and at the end.
    pub victims: [Victim; 2],
}

impl Change {
    /// A null move, which moves nothing.
    pub const NONE: Change = Change {
        mover: Slot::EMPTY,
        from: Square::NOWHERE,
        lands: Slot::EMPTY,
        to: Square::NOWHERE,
        victims: [NO_VICTIM; 2],
    };

    /// The captured pieces with their squares.
    pub fn captured(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.victims
            .iter()
            .filter_map(|v| v.slot.piece().map(|piece| (v.square, piece)))
    }
}
