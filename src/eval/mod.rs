//! What a position is worth: [`score`] says in which units, [`chance`] what that means for the result, [`material`] adds
//! up pieces on their squares, [`nnue`] corrects the sum by a network, and [`Evaluator`] does both along a line of search.

pub mod chance;
mod evaluator;
pub mod material;
pub mod nnue;
pub mod score;

pub use chance::winning_chance;
pub use evaluator::{Evaluator, evaluate};
pub use material::value;
pub use nnue::Network;
pub use score::Score;
