//! Which squares pieces bear on.

use super::piece::{Color, Kind, Reach, Slot};
use super::position::Position;
use super::square::Square;

/// It bears on the adjacent square.
pub(crate) const NEAR: u8 = 1;
/// It bears on the second square if the first is empty.
pub(crate) const SECOND: u8 = 2;
/// It bears on the second square whatever stands on the first.
pub(crate) const OVER: u8 = 4;
/// It bears on everything up to the next piece.
pub(crate) const FAR: u8 = 8;

/// How each slot bears on what lies in a direction from it: the four bits above.
pub(crate) static BEARING: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < 64 {
            let mut d = 0;
            while d < 8 {
                table[kind | 0x40 << side][d] = match super::piece::REACH[side][kind][d] {
                    Reach::No => 0,
                    Reach::Step => NEAR,
                    Reach::Slide => NEAR | SECOND | FAR,
                    Reach::Jump => SECOND | OVER,
                    Reach::Double | Reach::Lion => NEAR | SECOND | OVER,
                };
                d += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    table
};

impl Slot {
    /// How the piece here bears on what lies in a direction from it; 0 for no piece.
    pub(crate) fn bearing(self, direction: usize) -> u8 {
        BEARING[self.index() & 255][direction & 7]
    }
}

impl Position {
    /// Whether a piece of `by` bears on a square by its ordinary movement, protected or not.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        for d in 0..8 {
            let toward = d ^ 4;
            let mut cell = square.step(d);
            let mut slot = self.cell(cell);
            if !slot.is_empty() {
                let second = self.cell(square.leap(d));
                if slot.is_of(by) && slot.bearing(toward) & NEAR != 0
                    || second.is_of(by) && second.bearing(toward) & OVER != 0
                {
                    return true;
                }
                continue;
            }
            cell = cell.step(d);
            slot = self.cell(cell);
            if slot.is_empty() {
                while slot.is_empty() {
                    cell = cell.step(d);
                    slot = self.cell(cell);
                }
                if slot.is_of(by) && slot.bearing(toward) & FAR != 0 {
                    return true;
                }
            } else if slot.is_of(by) && slot.bearing(toward) & SECOND != 0 {
                return true;
            }
        }
        self.is_attacked_by_knight_jump(square, by)
    }

    fn is_attacked_by_knight_jump(&self, square: Square, by: Color) -> bool {
        (0..8).any(|n| {
            let slot = self.cell(square.knight(n));
            slot.is_of(by) && slot.kind().is_lion()
        })
    }

    /// Whether a piece of `by` would bear on a square if the pieces on `gone` were off the board; `foot` is a square
    /// among them whose piece still bears (rules §5).
    pub(crate) fn is_protected(
        &self,
        square: Square,
        by: Color,
        gone: [Square; 3],
        foot: Option<Square>,
    ) -> bool {
        for d in 0..8 {
            let mut cell = square;
            let mut open = true;
            for distance in 1.. {
                cell = cell.step(d);
                let slot = self.cell(cell);
                if slot == Slot::EDGE || !open && distance > 2 {
                    break;
                }
                let is_gone = gone.contains(&cell);
                if slot.is_of(by) && (!is_gone || foot == Some(cell)) {
                    let wanted = match distance {
                        1 => NEAR,
                        2 if open => SECOND,
                        2 => OVER,
                        _ => FAR,
                    };
                    if slot.bearing(d ^ 4) & wanted != 0 {
                        return true;
                    }
                }
                open &= slot.is_empty() || is_gone;
            }
            let leaper = square.knight(d);
            let slot = self.cell(leaper);
            if slot.is_of(by) && slot.kind().is_lion() && !gone.contains(&leaper) {
                return true;
            }
        }
        false
    }

    /// The worth of the least piece of `by` that bears on each cell, as `worth` rates kinds; [`i32::MAX`] if none does.
    pub fn least_attackers(&self, by: Color, worth: impl Fn(Kind) -> i32) -> [i32; 256] {
        let mut least = [i32::MAX; 256];
        for &square in self.seats(by) {
            let slot = self.cell(square);
            let worth = worth(slot.kind());
            let mut bear_on = |cell: Square| {
                let old = &mut least[cell.cell()];
                *old = worth.min(*old);
            };
            for d in 0..8 {
                let bearing = slot.bearing(d);
                if bearing & NEAR != 0 {
                    bear_on(square.step(d));
                }
                let open = self.cell(square.step(d)).is_empty();
                if bearing & OVER != 0 || bearing & SECOND != 0 && open {
                    bear_on(square.leap(d));
                }
                if bearing & FAR != 0 && open {
                    let mut cell = square.leap(d);
                    while self.cell(cell).is_empty() {
                        cell = cell.step(d);
                        bear_on(cell);
                    }
                }
            }
            if slot.kind().is_lion() {
                (0..8).for_each(|n| bear_on(square.knight(n)));
            }
        }
        least
    }

    /// Whether the side's only royal is attacked; a side with two royals, or none, is never in check (rules §7).
    pub fn is_in_check(&self, color: Color) -> bool {
        self.last_royal(color)
            .is_some_and(|royal| self.is_attacked(royal, !color))
    }

    /// Whether the piece on a square bears on an enemy piece by its ordinary movement (rules §7).
    pub(super) fn bears_on_enemy(&self, square: Square) -> bool {
        let mover = self.cell(square);
        let Some(piece) = mover.piece() else {
            return false;
        };
        let us = piece.color();
        for d in 0..8 {
            let bearing = mover.bearing(d);
            if bearing == 0 {
                continue;
            }
            let (near, second) = (self.cell(square.step(d)), self.cell(square.leap(d)));
            let second_open = bearing & OVER != 0 || bearing & SECOND != 0 && near.is_empty();
            if bearing & NEAR != 0 && near.is_enemy_of(us) || second_open && second.is_enemy_of(us)
            {
                return true;
            }
            if bearing & FAR != 0 && near.is_empty() && second.is_empty() {
                let mut cell = square.leap(d);
                while self.cell(cell).is_empty() {
                    cell = cell.step(d);
                }
                if self.cell(cell).is_enemy_of(us) {
                    return true;
                }
            }
        }
        mover.kind().is_lion() && (0..8).any(|n| self.cell(square.knight(n)).is_enemy_of(us))
    }
}
