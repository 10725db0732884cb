//! Threats to capture the last royal, and what stops them.

use smallvec::SmallVec;

use super::attacks::{FAR, NEAR, OVER, SECOND};
use super::moves::Move;
use super::piece::{Color, Piece, Reach, Slot};
use super::position::Position;
use super::square::Square;

/// A piece that bears on a square.
#[derive(Clone, Copy)]
pub(super) struct Bearer {
    pub(super) square: Square,
    /// The direction from the square that it bears on; meaningless for a knight's jump.
    direction: usize,
    /// How many empty squares between the two have to stay empty.
    between: usize,
}

pub(super) type Royals = SmallVec<[Square; 4]>;

/// A copy of the board on which moves are tried without the bookkeeping of [`Position::make`].
pub(super) struct Trial<'a> {
    position: &'a Position,
    cells: [Slot; 256],
}

impl Trial<'_> {
    pub(super) fn new(position: &Position) -> Trial<'_> {
        Trial {
            position,
            cells: *position.cells(),
        }
    }

    /// Whether `by` could capture the last royal of the other side after a move.
    #[inline]
    pub(super) fn threatens_after(&mut self, m: Move, by: Color) -> bool {
        let position = self.position;
        let (from, mid, to) = (m.from(), m.mid().unwrap_or(m.from()), m.to());
        let lands = position.landing(m);
        self.cells[from.cell()] = Slot::EMPTY;
        self.cells[mid.cell()] = Slot::EMPTY;
        self.cells[to.cell()] = lands;
        let threatens = match position.last_royal(!by) {
            Some(royal)
                if royal != to && royal != mid && royal != from && !lands.kind().is_royal() =>
            {
                is_attacked(royal, by, |square| self.cells[square.cell()])
            }
            _ => {
                let stays = |&square: &Square| square != from && square != to && square != mid;
                let mut royals: Royals = position.royals(!by).filter(stays).collect();
                if lands.is_of(!by) && lands.kind().is_royal() {
                    royals.push(to);
                }
                threatens(&royals, by, |square| self.cells[square.cell()])
            }
        };
        for square in [from, mid, to] {
            self.cells[square.cell()] = position.cell(square);
        }
        threatens
    }
}

/// Whether `by` could capture all these royals of the other side in one move.
fn threatens(royals: &[Square], by: Color, cell: impl Fn(Square) -> Slot) -> bool {
    match *royals {
        [royal] => is_attacked(royal, by, cell),
        [first, second] => takes_both(first, second, by, cell),
        _ => false,
    }
}

/// Whether a piece of `by` bears on a square of a board that is given cell by cell.
#[inline]
fn is_attacked(square: Square, by: Color, cell: impl Fn(Square) -> Slot) -> bool {
    for d in 0..8 {
        let toward = d ^ 4;
        let mut place = square.step(d);
        let mut slot = cell(place);
        let mut wanted = NEAR;
        if slot.is_empty() {
            place = place.step(d);
            slot = cell(place);
            wanted = SECOND;
            while slot.is_empty() {
                place = place.step(d);
                slot = cell(place);
                wanted = FAR;
            }
        } else {
            let second = cell(square.leap(d));
            if second.is_of(by) && second.bearing(toward) & OVER != 0 {
                return true;
            }
        }
        if slot.is_of(by) && slot.bearing(toward) & wanted != 0 {
            return true;
        }
        let leaper = cell(square.knight(d));
        if leaper.is_of(by) && leaper.kind().is_lion() {
            return true;
        }
    }
    false
}

/// Whether one move with lion power captures on both squares.
fn takes_both(first: Square, second: Square, by: Color, cell: impl Fn(Square) -> Slot) -> bool {
    let Some(onward) = first.direction_to(second) else {
        return false;
    };
    let power = |square: Square, toward: usize| {
        let slot = cell(square);
        if slot.is_of(by) {
            slot.reach(toward)
        } else {
            Reach::No
        }
    };
    let lion_beside = |square: Square| (0..8).any(|d| power(square.step(d), d ^ 4) == Reach::Lion);
    lion_beside(first)
        || lion_beside(second)
        || power(first.step(onward ^ 4), onward) == Reach::Double
        || power(second.step(onward), onward ^ 4) == Reach::Double
}

impl Position {
    /// Whether `by` could capture the last royal of the other side if it were to move: the only one, or both in one
    /// move with lion power (rules §3, §6).
    pub fn threatens_last_royal(&self, by: Color) -> bool {
        match self.last_royal(!by) {
            Some(royal) => self.is_attacked(royal, by),
            None => {
                let royals: Royals = self.royals(!by).collect();
                threatens(&royals, by, |square| self.cell(square))
            }
        }
    }

    /// Whether a legal move threatens the other side's last royal.
    pub fn is_check(&self, m: Move) -> bool {
        Trial::new(self).threatens_after(m, self.turn())
    }

    /// What stands where a move ends.
    #[inline]
    pub(super) fn landing(&self, m: Move) -> Slot {
        let mover = self.cell(m.from());
        match mover.kind().promoted() {
            Some(kind) if m.promotes() => Piece::new(self.turn(), kind).into(),
            _ => mover,
        }
    }

    /// Calls `found` for each piece of `by` that bears on a square.
    #[inline]
    pub(super) fn visit_bearers(&self, square: Square, by: Color, mut found: impl FnMut(Bearer)) {
        for direction in 0..8 {
            let toward = direction ^ 4;
            let mut cell = square.step(direction);
            let (mut slot, mut wanted, mut between) = (self.cell(cell), NEAR, 0);
            if slot.is_empty() {
                cell = cell.step(direction);
                (slot, wanted, between) = (self.cell(cell), SECOND, 1);
                if slot.bearing(toward) & OVER != 0 {
                    between = 0;
                }
                while slot.is_empty() {
                    cell = cell.step(direction);
                    between += 1;
                    (slot, wanted) = (self.cell(cell), FAR);
                }
            } else {
                let second = square.leap(direction);
                let over = self.cell(second);
                if over.is_of(by) && over.bearing(toward) & OVER != 0 {
                    found(Bearer {
                        square: second,
                        direction,
                        between: 0,
                    });
                }
            }
            if slot.is_of(by) && slot.bearing(toward) & wanted != 0 {
                found(Bearer {
                    square: cell,
                    direction,
                    between,
                });
            }
            let leap = square.knight(direction);
            let leaper = self.cell(leap);
            if leaper.is_of(by) && leaper.kind().is_lion() {
                found(Bearer {
                    square: leap,
                    direction,
                    between: 0,
                });
            }
        }
    }
}

/// What has to be captured or interposed to meet every attack on a royal.
pub(super) struct Threats {
    /// For each cell the attackers, a bit each, that a piece arriving there stops.
    stops: [u32; 256],
    all: u32,
    /// The cells that stop the first attacker.
    pub(super) first: SmallVec<[Square; 12]>,
}

impl Threats {
    pub(super) fn new(position: &Position, royal: Square, by: Color) -> Threats {
        let mut threats = Threats {
            stops: [0; 256],
            all: 0,
            first: SmallVec::new(),
        };
        position.visit_bearers(royal, by, |attacker| {
            let bit = threats.all + 1;
            let mut add = |square: Square| {
                threats.stops[square.cell()] |= bit;
                if bit == 1 {
                    threats.first.push(square);
                }
            };
            add(attacker.square);
            let mut cell = royal;
            for _ in 0..attacker.between {
                cell = cell.step(attacker.direction);
                add(cell);
            }
            threats.all |= bit;
        });
        threats
    }

    #[inline]
    pub(super) fn are_met(&self, m: Move) -> bool {
        let mid = m.mid().map_or(0, |mid| self.stops[mid.cell()]);
        self.stops[m.to().cell()] | mid == self.all
    }
}
