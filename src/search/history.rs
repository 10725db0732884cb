//! What moves have been worth so far: killers, and history by square, by piece, and by the moves before.

use super::pages::spread;
use super::params::{continuation_weight, history_bonus, history_max_bonus};
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
    /// Destinations of quiet moves, a row for what the opponent's last move was, and for what the own move before was.
    continuations: [Vec<i16>; 2],
    killers: Vec<[Option<Move>; 2]>,
}

const SQUARES: usize = Square::COUNT;
const KINDS: usize = Kind::COUNT + 1;
/// Slots of pieces, of either side.
const SLOTS: usize = 128;

/// A move as continuations know it: by piece and destination. The default stands for no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Step(usize);

impl Step {
    /// How many there are.
    pub(super) const COUNT: usize = SLOTS * SQUARES;

    pub(super) fn new(mover: Slot, m: Move) -> Step {
        Step((mover.index() & (SLOTS - 1)) * SQUARES + m.to().index())
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// The last two moves before a node: the opponent's, and the own one before it.
pub(super) type Steps = [Step; 2];

/// What a search of this depth adds to the history of its best move.
pub(super) fn bonus(depth: i32) -> i32 {
    (history_bonus() * depth).min(history_max_bonus())
}

fn grow(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

impl History {
    pub(super) fn new() -> History {
        History {
            quiets: spread(2 * SQUARES * SQUARES),
            pieces: spread(Step::COUNT),
            captures: spread(Step::COUNT * KINDS),
            continuations: [(); 2].map(|()| spread(Step::COUNT * SQUARES)),
            killers: vec![[None; 2]; crate::eval::score::MAX_PLY + 2],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiets.fill(0);
        self.pieces.fill(0);
        self.captures.fill(0);
        for table in &mut self.continuations {
            table.fill(0);
        }
        self.clear_killers();
    }

    pub(super) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    fn quiet_index(turn: Color, m: Move) -> usize {
        (turn.index() * SQUARES + m.from().index()) * SQUARES + m.to().index()
    }

    fn capture_index(mover: Slot, m: Move, victim: Kind) -> usize {
        Step::new(mover, m).0 * KINDS + victim.index()
    }

    /// What a quiet move has been worth.
    pub(super) fn quiet(&self, turn: Color, mover: Slot, m: Move, before: &Steps) -> i32 {
        let to = m.to().index();
        let after = |n: usize| i32::from(self.continuations[n][before[n].0 * SQUARES + to]);
        i32::from(self.quiets[History::quiet_index(turn, m)])
            + i32::from(self.pieces[Step::new(mover, m).0])
            + (after(0) + after(1)) * continuation_weight() / 100
    }

    pub(super) fn add_quiet(
        &mut self,
        turn: Color,
        mover: Slot,
        m: Move,
        before: &Steps,
        bonus: i32,
    ) {
        grow(&mut self.quiets[History::quiet_index(turn, m)], bonus);
        grow(&mut self.pieces[Step::new(mover, m).0], bonus);
        for (table, step) in self.continuations.iter_mut().zip(before) {
            grow(&mut table[step.0 * SQUARES + m.to().index()], bonus);
        }
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
