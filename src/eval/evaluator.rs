//! The evaluation of positions along a line of search.

use super::material::Accumulator;
use super::nnue::{Accumulators, Network};
use super::score::{MAX_EVAL, Score};
use crate::board::{Change, Position};

/// Follows a line of moves, and evaluates where it is asked to.
///
/// Piece-square sums are kept up to date with every move; a network's accumulators, which cost more, only where a score is
/// asked for.
pub struct Evaluator<'a> {
    sums: Vec<Accumulator>,
    network: Option<Accumulators<'a>>,
}

impl<'a> Evaluator<'a> {
    /// Starts from a position, at ply 0, with room for a line of so many plies. Without a network the piece-square values
    /// are all there is.
    pub fn new(network: Option<&'a Network>, position: &Position, plies: usize) -> Evaluator<'a> {
        Evaluator {
            sums: vec![Accumulator::new(position); plies + 1],
            network: network.map(|network| Accumulators::new(network, position, plies)),
        }
    }

    /// Takes note of the move from a ply to the next one.
    pub fn make(&mut self, ply: usize, change: &Change) {
        self.sums[ply + 1] = self.sums[ply].after(change);
        if let Some(network) = &mut self.network {
            network.record(ply + 1, change);
        }
    }

    /// Takes note of a null move from a ply to the next one.
    pub fn make_null(&mut self, ply: usize) {
        self.sums[ply + 1] = self.sums[ply];
        if let Some(network) = &mut self.network {
            network.record(ply + 1, &Change::NONE);
        }
    }

    /// The evaluation at a ply, where this position stands, for its side to move, in centipawns.
    pub fn score(&mut self, ply: usize, position: &Position) -> Score {
        let sums = &self.sums[ply];
        let base = sums.score(position.turn());
        match &mut self.network {
            None => base,
            Some(network) => {
                let correction = network.score(ply, position, sums.pieces());
                (base + correction).clamp(-MAX_EVAL, MAX_EVAL)
            }
        }
    }
}

/// The evaluation of a position for its side to move, in centipawns.
pub fn evaluate(position: &Position, network: Option<&Network>) -> Score {
    Evaluator::new(network, position, 0).score(0, position)
}
