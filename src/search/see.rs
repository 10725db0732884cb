//! Static exchange evaluation: what a move gains when both sides go on capturing where it ends.

use smallvec::SmallVec;

use crate::board::{Color, Move, Position, Reach, Slot, Square};
use crate::eval::{Score, value};

/// More than all other pieces: a last royal is not exchanged.
const LAST_ROYAL: Score = 100_000;

/// A piece that can capture on the square of the exchange.
#[derive(Clone, Copy)]
struct Attacker {
    color: Color,
    value: Score,
    is_lion: bool,
    is_last_royal: bool,
    /// It captures from next to the square and steps back, so that nobody recaptures (igui).
    steps_back: bool,
    /// The attacker that has to capture first, because it stands in the way.
    behind: Option<u8>,
    spent: bool,
}

struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    /// Squares that the first move has emptied.
    vacated: [Square; 2],
    attackers: SmallVec<[Attacker; 32]>,
}

/// What a move gains for its side by the exchange on the square where it ends, in centipawns. Adjacent lions, falcons
/// and eagles capture and step back; a lion two squares away does not take a protected lion (rules §5.2).
pub fn exchange(position: &Position, m: Move) -> Score {
    let us = position.turn();
    let slot = |square| position.cell(square);
    let mover = slot(m.from());
    let worth = |slot: Slot| worth_of(position, slot);
    let mut lands = mover;
    let mut gain = 0;
    if m.to() != m.from() {
        gain += worth(slot(m.to()));
    }
    if let Some(mid) = m.mid() {
        gain += worth(slot(mid));
    }
    if m.promotes()
        && let Some(promoted) = mover.kind().promoted()
    {
        lands = crate::board::Piece::new(us, promoted).into();
        gain += value(promoted) - value(mover.kind());
    }
    let vacated = [m.from(), m.mid().unwrap_or(m.from())];
    let mut exchange = Exchange {
        position,
        square: m.to(),
        vacated,
        attackers: SmallVec::new(),
    };
    exchange.gather();
    gain - exchange.reply(!us, worth(lands), lands.kind().is_lion())
}

/// Whether the exchange that a move begins loses more than `margin` centipawns.
pub fn loses_more_than(position: &Position, m: Move, margin: Score) -> bool {
    let victims = [Some(m.to()), m.mid()].into_iter().flatten();
    let mover = position.cell(m.from());
    let gain: Score = victims
        .map(|square| position.cell(square))
        .filter(|slot| slot.is_enemy_of(position.turn()))
        .map(|slot| worth_of(position, slot))
        .sum();
    // At worst the mover is lost for nothing.
    if gain - worth_of(position, mover) >= -margin {
        return false;
    }
    // What nobody can answer loses nothing.
    if margin >= 0 && !is_answered(position, m) {
        return false;
    }
    exchange(position, m) < -margin
}

/// Whether an enemy piece bears on the square where a move ends, once it is made.
fn is_answered(position: &Position, m: Move) -> bool {
    let them = !position.turn();
    let mid = m.mid().unwrap_or(m.from());
    position.is_protected(m.to(), them, [m.from(), mid, mid], None)
}

fn worth_of(position: &Position, slot: Slot) -> Score {
    match slot.piece() {
        Some(piece) if piece.kind().is_royal() && position.royal_count(piece.color()) == 1 => {
            LAST_ROYAL
        }
        Some(piece) => value(piece.kind()),
        None => 0,
    }
}

impl Exchange<'_> {
    fn slot(&self, square: Square) -> Slot {
        if self.vacated.contains(&square) && square != self.square {
            Slot::EMPTY
        } else {
            self.position.cell(square)
        }
    }

    fn gather(&mut self) {
        for d in 0..8 {
            self.gather_line(d);
        }
        for n in 0..8 {
            let slot = self.slot(self.square.knight(n));
            if slot.kind().is_lion() && slot.piece().is_some() {
                self.add(slot, false, None);
            }
        }
    }

    fn gather_line(&mut self, direction: usize) {
        use crate::board::attacks::{FAR, NEAR, OVER, SECOND};
        let mut cell = self.square;
        let mut behind = None;
        let mut open = true;
        for distance in 1.. {
            cell = cell.step(direction);
            let slot = self.slot(cell);
            if slot == Slot::EDGE || !open && distance > 2 {
                return;
            }
            if slot.is_empty() {
                continue;
            }
            let bearing = slot.bearing(direction ^ 4);
            let wanted = match distance {
                1 => NEAR,
                2 => SECOND,
                _ => FAR,
            };
            if distance == 2 && bearing & OVER != 0 {
                behind = self.add(slot, false, None);
            } else if open && bearing & wanted != 0 {
                let reach = slot.reach(direction ^ 4);
                let steps_back = distance == 1 && matches!(reach, Reach::Lion | Reach::Double);
                behind = self.add(slot, steps_back, behind);
            } else {
                open = false;
            }
        }
    }

    /// Adds an attacker; gives its number.
    fn add(&mut self, slot: Slot, steps_back: bool, behind: Option<u8>) -> Option<u8> {
        let piece = slot.piece()?;
        let worth = worth_of(self.position, slot);
        self.attackers.push(Attacker {
            color: piece.color(),
            value: worth,
            is_lion: piece.kind().is_lion(),
            is_last_royal: worth == LAST_ROYAL,
            steps_back,
            behind,
            spent: false,
        });
        u8::try_from(self.attackers.len() - 1).ok()
    }

    fn is_ready(&self, attacker: &Attacker) -> bool {
        let in_front = attacker
            .behind
            .and_then(|n| self.attackers.get(usize::from(n)));
        !attacker.spent && in_front.is_none_or(|front| front.spent)
    }

    fn has_ready(&self, color: Color) -> bool {
        self.attackers
            .iter()
            .any(|attacker| attacker.color == color && self.is_ready(attacker))
    }

    /// The next capture of a side: one that steps back if there is one, else with the least valuable piece.
    fn next(&self, color: Color, occupant_is_lion: bool) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (n, attacker) in self.attackers.iter().enumerate() {
            if attacker.color != color || !self.is_ready(attacker) {
                continue;
            }
            if attacker.steps_back {
                return Some(n);
            }
            // A lion two squares away may not capture a protected lion, nor a last royal anything that is.
            let shy = attacker.is_lion && occupant_is_lion || attacker.is_last_royal;
            if shy && self.has_ready(!color) {
                continue;
            }
            if best.is_none_or(|best| attacker.value < self.attackers[best].value) {
                best = Some(n);
            }
        }
        best
    }

    /// What `color` gains by capturing an occupant of this worth, if it wants to; never less than 0.
    fn reply(&mut self, color: Color, occupant: Score, occupant_is_lion: bool) -> Score {
        let mut gains: SmallVec<[Score; 32]> = SmallVec::new();
        let (mut side, mut worth, mut is_lion) = (color, occupant, occupant_is_lion);
        while let Some(n) = self.next(side, is_lion) {
            let attacker = self.attackers[n];
            self.attackers[n].spent = true;
            gains.push(worth);
            if attacker.steps_back {
                break;
            }
            (side, worth, is_lion) = (!side, attacker.value, attacker.is_lion);
        }
        gains
            .into_iter()
            .rev()
            .fold(0, |after, gain| (gain - after).max(0))
    }
}
