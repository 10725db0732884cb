//! Counting the leaves of the move tree, to check and time move generation.

use super::moves::Move;
use super::position::Position;

/// The number of sequences of `depth` moves by rules §2–5; a side whose last royal was captured has none.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.has_lost_royals(position.turn()) {
        return 0;
    }
    if depth == 1 {
        let mut count = 0;
        position.visit::<true, true>(|_| count += 1);
        return count;
    }
    divide(position, depth).map(|(_, leaves)| leaves).sum()
}

/// The moves of a position, each with its share of [`perft`]. `depth` must be at least 1.
pub fn divide(position: &mut Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let moves = position.moves();
    moves.into_iter().map(move |m| {
        position.make(m);
        let leaves = perft(position, depth.saturating_sub(1));
        position.unmake();
        (m, leaves)
    })
}
