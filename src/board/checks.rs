//! Moves that threaten the last royal, and moves that meet the threat: what forced mates are made of.

use std::cell::Cell;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::attacks::{FAR, NEAR, OVER, SECOND};
use super::moves::Move;
use super::piece::{Color, Kind};
use super::position::Position;
use super::square::Square;
use super::threats::{Royals, Threats, Trial};
use super::zobrist;

/// The direction (low three bits) and distance of each offset on one line, by rows and columns apart; 0 off the lines.
static LINES: [u8; 1024] = {
    let mut table = [0; 1024];
    let steps: [(i32, i32); 8] = [
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ];
    let mut d = 0;
    while d < 8 {
        let mut distance = 1;
        while distance < 12 {
            let (rows, columns) = (steps[d].0 * distance, steps[d].1 * distance);
            table[((rows + 16) << 5 | (columns + 16)) as usize] = (distance << 3) as u8 | d as u8;
            distance += 1;
        }
        d += 1;
    }
    table
};

/// The direction and distance from one square to another, if they are on one line.
#[inline]
fn line(from: Square, to: Square) -> Option<(usize, usize)> {
    let (a, b) = (from.cell(), to.cell());
    let rows = (b >> 4) + 16 - (a >> 4);
    let columns = (b & 15) + 16 - (a & 15);
    match LINES[(rows << 5 | columns) & 1023] {
        0 => None,
        line => Some((usize::from(line & 7), usize::from(line >> 3))),
    }
}

/// The squares whose piece, if it leaves the line, lets another piece bear on a royal: one at most in each direction,
/// with the distance of that other piece.
type Openers = [(Square, usize); 8];

impl Position {
    /// Calls `found` for each move that threatens the other side's last royal, which is not threatened now.
    pub(crate) fn visit_checks(&self, mut found: impl FnMut(Move)) {
        let us = self.turn();
        if let Some(royal) = self.last_royal(!us) {
            let openers = self.openers(royal, us);
            let mut trial = Trial::new(self);
            self.visit::<true, true>(|m| {
                let checks = match m.mid() {
                    Some(_) => trial.threatens_after(m, us),
                    None => self.checks_royal(m, royal, &openers),
                };
                if checks {
                    found(m);
                }
            });
            return;
        }
        let royals: Royals = self.royals(!us).collect();
        let [first, second] = royals[..] else { return };
        let adjacent = first.distance(second) == 1;
        let mut trial = Trial::new(self);
        self.visit::<true, true>(|m| {
            let takes = |royal| m.to() == royal || m.mid() == Some(royal);
            if (adjacent || takes(first) || takes(second)) && trial.threatens_after(m, us) {
                found(m);
            }
        });
    }

    fn openers(&self, royal: Square, by: Color) -> Openers {
        let mut openers = [(Square::NOWHERE, 0); 8];
        for (d, opener) in openers.iter_mut().enumerate() {
            let mut cell = royal.step(d);
            let mut distance = 1;
            while self.cell(cell).is_empty() {
                cell = cell.step(d);
                distance += 1;
            }
            if self.cell(cell).piece().is_none() {
                continue;
            }
            let blocker = cell;
            cell = cell.step(d);
            distance += 1;
            while self.cell(cell).is_empty() {
                cell = cell.step(d);
                distance += 1;
            }
            let slot = self.cell(cell);
            let wanted = if distance == 2 { SECOND } else { FAR };
            if slot.is_of(by) && slot.bearing(d ^ 4) & wanted != 0 {
                *opener = (blocker, distance);
            }
        }
        openers
    }

    /// Whether a one-step move attacks the only royal, which was not attacked before.
    #[inline]
    fn checks_royal(&self, m: Move, royal: Square, openers: &Openers) -> bool {
        let (from, to) = (m.from(), m.to());
        let lands = self.landing(m);
        let to_line = line(royal, to);
        let bears = match to_line {
            None => lands.kind().is_lion() && royal.distance(to) == 2,
            Some((d, distance)) => {
                let bearing = lands.bearing(d ^ 4);
                match distance {
                    1 => bearing & NEAR != 0,
                    2 if bearing & OVER != 0 => true,
                    2 => bearing & SECOND != 0 && self.is_open(royal, d, to, from),
                    _ => bearing & FAR != 0 && self.is_open(royal, d, to, from),
                }
            }
        };
        bears
            || line(royal, from).is_some_and(|(d, _)| {
                let (opener, distance) = openers[d & 7];
                let closes = to_line.is_some_and(|(way, far)| way == d && far < distance);
                opener == from && to != from && !closes
            })
    }

    /// Whether all squares between two on a line are empty once the piece on `gone` has left.
    #[inline]
    fn is_open(&self, start: Square, direction: usize, end: Square, gone: Square) -> bool {
        let mut cell = start.step(direction);
        while cell != end {
            if cell != gone && !self.cell(cell).is_empty() {
                return false;
            }
            cell = cell.step(direction);
        }
        true
    }

    /// Calls `found` for each move after which the other side cannot capture the last royal of the side to move, which
    /// it could now; stops when `found` breaks.
    pub(crate) fn visit_escapes(
        &self,
        mut found: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let us = self.turn();
        let stop = Cell::new(ControlFlow::Continue(()));
        let mut trial = Trial::new(self);
        let mut attempt = |m: Move, safe: bool| {
            if stop.get().is_continue() && (safe || !trial.threatens_after(m, !us)) {
                stop.set(found(m));
            }
        };
        let Some(royal) = self.last_royal(us) else {
            self.visit::<true, true>(|m| attempt(m, false));
            return stop.get();
        };
        self.visit_piece(royal, |m| attempt(m, false));
        stop.get()?;
        let threats = Threats::new(self, royal, !us);
        let openers = self.openers(royal, !us);
        let is_pinned = |square| openers.iter().any(|&(opener, _)| opener == square);
        let mut movers: SmallVec<[Square; 32]> = SmallVec::new();
        for &square in &threats.first {
            let seen = movers.len();
            self.visit_bearers(square, us, |bearer| {
                if bearer.square != royal && !movers.contains(&bearer.square) {
                    movers.push(bearer.square);
                }
            });
            for &from in &movers[seen..] {
                let pinned = is_pinned(from);
                self.visit_piece(from, |m| {
                    if threats.are_met(m) && !self.crowns(m) {
                        attempt(m, !pinned && m.mid().is_none());
                    }
                });
            }
            stop.get()?;
        }
        for from in self.elephants(us) {
            stop.get()?;
            self.visit_piece(from, |m| {
                if self.crowns(m) {
                    attempt(m, false);
                }
            });
        }
        stop.get()
    }

    /// Whether a move makes a prince, so that the king's capture would not end the game.
    fn crowns(&self, m: Move) -> bool {
        m.promotes() && self.cell(m.from()).kind() == Kind::ELEPHANT
    }

    /// The [`Position::key`] after a legal move, without making it.
    pub(crate) fn key_after(&self, m: Move) -> u64 {
        let (from, mid, to) = (m.from(), m.mid().unwrap_or(m.from()), m.to());
        let mover = self.cell(from);
        let mut key = self.key()
            ^ zobrist::white_to_move()
            ^ self.ban_key(self.state.lion_fell)
            ^ zobrist::piece(mover, from)
            ^ zobrist::piece(self.landing(m), to);
        let mut fell = None;
        for square in [mid, to] {
            let slot = self.cell(square);
            if square != from && !slot.is_empty() {
                key ^= zobrist::piece(slot, square);
                if slot.kind().is_lion() && !mover.kind().is_lion() {
                    fell = Some(square);
                }
            }
        }
        key ^ self.ban_key(fell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MoveList, Piece, RuleSet, Setup};

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) as usize) % n
        }
    }

    /// A crowded corner of the board, so that pins, double checks and lion power meet often.
    fn scene(random: &mut Random) -> Position {
        let mut setup = Setup::empty();
        let place = |random: &mut Random| {
            Square::new(1 + random.below(6) as u8, random.below(6) as u8).unwrap()
        };
        for _ in 0..4 + random.below(16) {
            let kind = Kind::ALL[random.below(Kind::COUNT)];
            let color = Color::BOTH[random.below(2)];
            if !kind.is_royal() {
                setup.set(place(random), Some(Piece::new(color, kind)));
            }
        }
        for color in Color::BOTH {
            for kind in [Kind::KING, Kind::PRINCE] {
                if random.below(3) > 0 {
                    setup.set(place(random), Some(Piece::new(color, kind)));
                }
            }
        }
        setup.turn = Color::BOTH[random.below(2)];
        let rules = RuleSet::ALL[random.below(RuleSet::ALL.len())];
        Position::new(&setup, rules.into()).unwrap()
    }

    /// The definition: give the other side the move and see whether it can leave no royal.
    fn can_take_last_royal(position: &Position, by: Color) -> bool {
        let mut position = position.clone();
        if position.royal_count(!by) == 0 {
            return false;
        }
        if position.turn() != by {
            position.make_null();
        }
        position.moves().into_iter().any(|m| {
            position.make(m);
            let none = position.royal_count(!by) == 0;
            position.unmake();
            none
        })
    }

    #[test]
    fn checks_and_escapes_agree_with_their_definition() {
        let mut random = Random(7);
        let (mut checks_seen, mut escapes_seen) = (0, 0);
        for _ in 0..20_000 {
            let mut position = scene(&mut random);
            let us = position.turn();
            for color in Color::BOTH {
                let threat = can_take_last_royal(&position, color);
                assert_eq!(position.threatens_last_royal(color), threat, "{position:?}");
            }
            let (mut checks, mut escapes) = (MoveList::new(), MoveList::new());
            let (threatening, threatened) = (
                position.threatens_last_royal(us),
                position.threatens_last_royal(!us),
            );
            if !threatening {
                position.visit_checks(|m| checks.push(m));
            }
            if threatened {
                let _ = position.visit_escapes(|m| {
                    escapes.push(m);
                    ControlFlow::Continue(())
                });
            }
            let (mut all_checks, mut all_escapes) = (MoveList::new(), MoveList::new());
            for m in position.moves() {
                let key = position.key_after(m);
                let check = position.is_check(m);
                position.make(m);
                assert_eq!(position.key(), key);
                if can_take_last_royal(&position, us) {
                    assert!(check);
                    all_checks.push(m);
                } else {
                    assert!(!check);
                }
                if !can_take_last_royal(&position, !us) {
                    all_escapes.push(m);
                }
                position.unmake();
            }
            for list in [&mut checks, &mut escapes, &mut all_checks, &mut all_escapes] {
                list.sort();
            }
            if !threatening {
                assert_eq!(checks, all_checks, "{position:?}");
                checks_seen += checks.len();
            }
            if threatened {
                assert_eq!(escapes, all_escapes, "{position:?}");
                escapes_seen += escapes.len();
            }
        }
        assert!(
            checks_seen > 20_000 && escapes_seen > 10_000,
            "{checks_seen} {escapes_seen}"
        );
    }
}
