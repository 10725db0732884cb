//! What moves have been worth so far: killers, and history by square and piece.

use super::params::{HISTORY_BONUS, HISTORY_MAX_BONUS};
use crate::board::{Color, Kind, Move, Slot, Square};

/// History values stay within ± this.
const LIMIT: i32 = 16_384;

/// Tables of one thread, kept from search to search.
pub(super) struct History {
    /// Quiet moves by side, origin and destination.
    quiets: Vec<i16>,
    /// Quiet moves by piece and destination.
    pieces: Vec<i16>,
    /// Captures by piece, destination and victim.
    captures: Vec<i16>,
    killers: Vec<[Option<Move>; 2]>,
}

const SQUARES: usize = Square::COUNT;
const KINDS: usize = Kind::COUNT + 1;

/// What a search of this depth adds to the history of its best move.
pub(super) fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth).min(HISTORY_MAX_BONUS)
}

fn grow(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiets: vec![0; 2 * SQUARES * SQUARES],
            pieces: vec![0; 128 * SQUARES],
            captures: vec![0; 128 * SQUARES * KINDS],
            killers: vec![[None; 2]; crate::eval::score::MAX_PLY + 2],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiets.fill(0);
        self.pieces.fill(0);
        self.captures.fill(0);
        self.clear_killers();
    }

    pub(super) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    fn quiet_index(turn: Color, m: Move) -> usize {
        (turn.index() * SQUARES + m.from().index()) * SQUARES + m.to().index()
    }

    fn piece_index(mover: Slot, m: Move) -> usize {
        (mover.index() & 127) * SQUARES + m.to().index()
    }

    fn capture_index(mover: Slot, m: Move, victim: Kind) -> usize {
        History::piece_index(mover, m) * KINDS + victim.index()
    }

    pub(super) fn quiet(&self, turn: Color, mover: Slot, m: Move) -> i32 {
        i32::from(self.quiets[History::quiet_index(turn, m)])
            + i32::from(self.pieces[History::piece_index(mover, m)])
    }

    pub(super) fn add_quiet(&mut self, turn: Color, mover: Slot, m: Move, bonus: i32) {
        grow(&mut self.quiets[History::quiet_index(turn, m)], bonus);
        grow(&mut self.pieces[History::piece_index(mover, m)], bonus);
    }

    pub(super) fn capture(&self, mover: Slot, m: Move, victim: Kind) -> i32 {
        i32::from(self.captures[History::capture_index(mover, m, victim)])
    }

    pub(super) fn add_capture(&mut self, mover: Slot, m: Move, victim: Kind, bonus: i32) {
        grow(
            &mut self.captures[History::capture_index(mover, m, victim)],
            bonus,
        );
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub(super) fn add_killer(&mut self, ply: usize, m: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }
}
