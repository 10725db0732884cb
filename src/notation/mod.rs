//! Text to game and back: SFEN, USI moves, XBoard's squares and FEN, drawn boards, and whole records in KIF and PGN.
//!
//! Text comes from outside: nothing in this room panics on any input.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod diagram;
pub mod encoding;
pub mod ending;
pub mod format;
pub mod headers;
pub mod japanese;
pub mod json;
pub mod kif;
pub mod line;
mod names;
pub mod pgn;
pub mod reading;
pub mod record;
pub mod sfen;
pub mod style;
pub mod text;
mod tree;
pub mod usi;
pub mod western;
pub mod xboard;

use crate::board::{Move, Position};

/// Writes moves that follow each other from a position; ends before the first that is not legal.
fn write_line(
    position: &Position,
    moves: impl IntoIterator<Item = Move>,
    write: fn(Move, &Position) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        texts.push(write(m, &position));
        position.make(m);
    }
    texts
}
