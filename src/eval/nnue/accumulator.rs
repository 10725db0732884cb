//! The first layer's sums along a line of search, brought up to date only where they are asked for.

use smallvec::SmallVec;

use super::Network;
use super::features::View;
use super::layers::{self, TILE, Tile};
use crate::board::{Change, Color, Position};
use crate::eval::score::Score;

/// How many moves an accumulator is carried over; beyond that it is cheaper to add up the whole board.
const FARTHEST: usize = 12;

/// The accumulators of both sides for each ply of a line.
pub struct Accumulators<'a> {
    network: &'a Network,
    plies: Vec<Ply>,
    /// Two accumulators a ply, in the order of the sides.
    tiles: Vec<Tile>,
}

#[derive(Clone, Copy)]
struct Ply {
    /// The move that led here.
    change: Change,
    /// The views that the accumulators were computed for; `None` where they were not.
    views: [Option<View>; 2],
}

/// Features that come and go on the way to a ply.
struct Steps {
    added: List<FARTHEST>,
    removed: List<{ 3 * FARTHEST }>,
}

/// The first `len` of some features.
struct List<const N: usize> {
    features: [u16; N],
    len: usize,
}

impl<const N: usize> List<N> {
    const EMPTY: List<N> = List {
        features: [0; N],
        len: 0,
    };

    fn push(&mut self, feature: u16) {
        if let Some(free) = self.features.get_mut(self.len) {
            *free = feature;
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[u16] {
        &self.features[..self.len]
    }
}

impl Steps {
    fn push(&mut self, change: &Change, view: View) {
        if change.mover.is_empty() {
            return;
        }
        let lands = view.feature_of_slot(change.lands, change.to);
        let left = view.feature_of_slot(change.mover, change.from);
        self.added.push(lands);
        self.removed.push(left);
        for victim in &change.victims {
            if !victim.slot.is_empty() {
                let captured = view.feature_of_slot(victim.slot, victim.square);
                self.removed.push(captured);
            }
        }
    }
}

impl<'a> Accumulators<'a> {
    /// Room for a line of so many plies that starts from a position, at ply 0.
    pub fn new(network: &'a Network, position: &Position, plies: usize) -> Accumulators<'a> {
        let ply = Ply {
            change: Change::NONE,
            views: [None; 2],
        };
        let blank = Tile([0; TILE]);
        let mut accumulators = Accumulators {
            network,
            plies: vec![ply; plies + 1],
            tiles: vec![blank; (plies + 1) * 2 * network.biases.len()],
        };
        for color in Color::BOTH {
            accumulators.bring_up(0, color, position);
        }
        accumulators
    }

    /// Takes note of the move that leads to a ply; [`Change::NONE`] for a null move.
    pub fn record(&mut self, ply: usize, change: &Change) {
        self.plies[ply] = Ply {
            change: *change,
            views: [None; 2],
        };
    }

    /// What the network says about the position at a ply, which has so many pieces, for its side to move, in centipawns.
    pub fn score(&mut self, ply: usize, position: &Position, pieces: usize) -> Score {
        for color in Color::BOTH {
            self.bring_up(ply, color, position);
        }
        let width = self.network.biases.len();
        let (black, white) = self.tiles[2 * ply * width..][..2 * width].split_at(width);
        match position.turn() {
            Color::Black => self.network.output(black, white, pieces),
            Color::White => self.network.output(white, black, pieces),
        }
    }

    /// Computes a side's accumulator at a ply: from the nearest one before it with the same view, or from the board.
    fn bring_up(&mut self, ply: usize, color: Color, position: &Position) {
        let side = color.index();
        if self.plies[ply].views[side].is_some() {
            return;
        }
        let view = View::of(color, position);
        self.plies[ply].views[side] = Some(view);
        let (network, width) = (self.network, self.network.biases.len());
        let place = |ply: usize| (2 * ply + side) * width;
        let (before, rest) = self.tiles.split_at_mut(place(ply));
        let target = &mut rest[..width];
        let mut steps = Steps {
            added: List::EMPTY,
            removed: List::EMPTY,
        };
        for at in (ply.saturating_sub(FARTHEST)..ply).rev() {
            steps.push(&self.plies[at + 1].change, view);
            if self.plies[at].views[side] == Some(view) {
                let source = &before[place(at)..][..width];
                layers::update(
                    target,
                    source,
                    &network.weights,
                    steps.added.as_slice(),
                    steps.removed.as_slice(),
                );
                return;
            }
        }
        let features: SmallVec<[u16; 144]> = view.features(position).collect();
        layers::update(target, &network.biases, &network.weights, &features, &[]);
    }
}
