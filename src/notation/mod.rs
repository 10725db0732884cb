//! Text to game and back: SFEN, USI moves, XBoard's squares and FEN, drawn boards.
//!
//! Text comes from outside: nothing in this room panics on any input.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod diagram;
pub mod record;
pub mod sfen;
pub mod usi;
pub mod xboard;
