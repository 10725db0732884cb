//! What a position is made from.

use thiserror::Error;

use super::piece::{Color, Kind, Piece};
use super::square::Square;

/// Pieces on squares and what else an SFEN says; not yet checked against anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pieces: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// Where the side to move lost a lion to a non-lion on the previous move (rules §5.3).
    pub lion_fell: Option<Square>,
    /// The number of the next move, from 1.
    pub move_number: u32,
}

/// Why a [`Setup`] is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// More than one king on one side.
    #[error("{} has {count} kings, at most 1 is possible", name(*.color))]
    TooManyKings {
        /// Whose kings.
        color: Color,
        /// How many.
        count: usize,
    },
    /// More than one prince on one side.
    #[error("{} has {count} princes, at most 1 is possible", name(*.color))]
    TooManyPrinces {
        /// Whose princes.
        color: Color,
        /// How many.
        count: usize,
    },
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

impl Setup {
    /// An empty board, Black to move.
    pub const fn empty() -> Setup {
        Setup {
            pieces: [None; Square::COUNT],
            turn: Color::Black,
            lion_fell: None,
            move_number: 1,
        }
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Puts a piece on a square, or clears it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.index()] = piece;
    }

    /// The pieces with their squares, 12a … 1l.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| self.piece(square).map(|piece| (square, piece)))
    }

    /// The same with files mirrored; a chu shogi position and its mirror image have the same value.
    pub fn mirrored(&self) -> Setup {
        self.mapped(Square::mirrored, |color| color)
    }

    /// The same with the board turned, the colours swapped and the other side to move.
    pub fn flipped(&self) -> Setup {
        self.mapped(Square::turned, |color| !color)
    }

    fn mapped(&self, place: fn(Square) -> Square, side: fn(Color) -> Color) -> Setup {
        let mut mapped = Setup {
            pieces: [None; Square::COUNT],
            turn: side(self.turn),
            lion_fell: self.lion_fell.map(place),
            move_number: self.move_number,
        };
        for (square, piece) in self.pieces() {
            mapped.set(
                place(square),
                Some(Piece::new(side(piece.color()), piece.kind())),
            );
        }
        mapped
    }

    /// Everything that keeps this from being a position. Sides may be without royals, as the attacker of a mate
    /// problem is.
    pub fn errors(&self) -> Vec<SetupError> {
        let mut errors = Vec::new();
        let count = |piece| self.pieces().filter(|&(_, p)| p == piece).count();
        for color in Color::BOTH {
            let kings = count(Piece::new(color, Kind::KING));
            let princes = count(Piece::new(color, Kind::PRINCE));
            if kings > 1 {
                errors.push(SetupError::TooManyKings {
                    color,
                    count: kings,
                });
            }
            if princes > 1 {
                errors.push(SetupError::TooManyPrinces {
                    color,
                    count: princes,
                });
            }
        }
        errors
    }
}
