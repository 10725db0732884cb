//! What features share while they are learned, so that what is rarely seen learns from what is like it.
//!
//! The weights of a feature are the sum of a row of its own and of rows that it has in common with others: those for its
//! kind, for what moves the same on the same square, rank and file. The network only ever sees the sums.

use std::sync::LazyLock;

use crate::board::{Color, Kind, Piece, Square};
use crate::eval::nnue::features::{self, View};

/// How many rows a feature shares.
pub const SHARED: usize = 4;

/// The rows of a kind on a square: for the square, the rank, the file, and the kind alone.
const SIDES: usize = 2;
const SQUARES: usize = SIDES * Kind::COUNT * Square::COUNT;
const RANKS: usize = SQUARES + SIDES * Kind::COUNT * 12;
const FILES: usize = RANKS + SIDES * Kind::COUNT * 12;
/// How many rows there are to share.
pub const ROWS: usize = FILES + SIDES * Kind::COUNT;

/// The rows that each feature shares.
pub static FACTORS: LazyLock<Vec<[u16; SHARED]>> = LazyLock::new(|| {
    let view = View::new(Color::Black, false);
    let mut factors = vec![[0; SHARED]; features::COUNT];
    for (side, color) in Color::BOTH.into_iter().enumerate() {
        for kind in Kind::all() {
            let own = side * Kind::COUNT + kind.index() - 1;
            let alike = side * Kind::COUNT + first_alike(kind).index() - 1;
            for square in Square::all() {
                let feature = view.feature(Piece::new(color, kind), square);
                let (rank, file) = (square.index() / 12, square.index() % 12);
                factors[usize::from(feature)] = [
                    alike * Square::COUNT + square.index(),
                    SQUARES + alike * 12 + rank,
                    RANKS + alike * 12 + file,
                    FILES + own,
                ]
                .map(|row| row as u16);
            }
        }
    }
    factors
});

/// The first kind that moves the same.
fn first_alike(kind: Kind) -> Kind {
    let same = |other: &Kind| other.reaches() == kind.reaches();
    Kind::all().find(same).unwrap_or(kind)
}
