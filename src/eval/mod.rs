//! What a position is worth: [`score`] says in which units, [`material`] adds up pieces on their squares.

pub mod material;
pub mod score;

pub use material::{Accumulator, value};
pub use score::Score;
