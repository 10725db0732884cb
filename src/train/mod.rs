//! Learning from the engine's own games: making them, keeping them, fitting the evaluation to them.

pub mod games;
pub mod psq;
pub mod selfplay;
