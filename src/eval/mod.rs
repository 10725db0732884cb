//! What a position is worth: [`score`] says in which units, [`chance`] what that means for the result, [`material`]
//! adds up pieces on their squares.

pub mod chance;
pub mod material;
pub mod score;

pub use chance::winning_chance;
pub use material::{Accumulator, value};
pub use score::Score;
