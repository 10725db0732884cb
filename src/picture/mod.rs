//! Positions as pictures: SVG that looks the same everywhere, because characters are outlines and not text, and PNG
//! made from it.
//!
//! ```
//! use sakijishi::notation::line;
//! use sakijishi::picture::{Look, png, svg};
//! let game = line::parse("startpos moves 7j7h")?.play(Default::default())?;
//! let mut look = Look::default();
//! look.arrows.push("6c7e".parse()?);
//! let picture = svg(game.position(), &look);
//! assert!(picture.starts_with("<svg "));
//! assert!(png(&picture, 600)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod arrow;
mod board;
mod glyphs;
mod pieces;
mod png;

use std::fmt::Write;

use crate::board::{Color, Position, Square};
use crate::notation::sfen;

pub use arrow::{Arrow, ArrowError};
pub use board::{GEOMETRY, HEIGHT, Ranks, WIDTH};
pub use pieces::{PieceStyle, definitions, id};
pub use png::{PngError, png};

/// How a picture is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// What stands on the pieces.
    pub pieces: PieceStyle,
    /// What names the ranks.
    pub ranks: Ranks,
    /// Whether the board is seen from White's side.
    pub flipped: bool,
    /// Whether the last move is shown.
    pub last_move: bool,
    /// Arrows, the most important first.
    pub arrows: Vec<Arrow>,
}

/// Draws a position: the board with coordinates and pieces, the last move with a lion's path, arrows.
pub fn svg(position: &Position, look: &Look) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 {WIDTH} \
         {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n<title>Chu shogi, move {}, {} to move</title>\n\
         <desc>{}</desc>\n",
        position.ply().saturating_add(1),
        match position.turn() {
            Color::Black => "black",
            Color::White => "white",
        },
        sfen::format(&position.setup()),
    );
    let mut present: Vec<_> = position.pieces().map(|(_, piece)| piece).collect();
    present.sort();
    present.dedup();
    text += &definitions(look.pieces, &present, look.flipped);
    text += &board::draw(look.ranks, look.flipped, Some(position.turn()));
    if look.last_move
        && let Some(m) = position.last_move()
    {
        text += &board::last_move(&Arrow::from(m), look.flipped);
    }
    for (square, piece) in position.pieces() {
        let (x, y) = board::center(square, look.flipped);
        let id = id(piece);
        let _ = writeln!(text, "<use xlink:href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
    }
    // The first arrow ends up on top.
    for (rank, arrow) in look.arrows.iter().enumerate().rev() {
        text += &arrow.draw(rank, |square: Square| board::center(square, look.flipped));
    }
    text + "</svg>\n"
}

/// The board with coordinates and without pieces, to put pieces on later by their [`id`]s.
pub fn empty_board(ranks: Ranks) -> String {
    board::draw(ranks, false, None)
}
