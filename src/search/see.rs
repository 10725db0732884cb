//! Static exchange evaluation: what a move gains when both sides go on capturing where it ends.

use smallvec::SmallVec;

use crate::board::attacks::{FAR, NEAR, OVER, SECOND};
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
    let mover = position.cell(m.from());
    let (mut lands, mut gain) = (mover, captured(position, m));
    if m.promotes()
        && let Some(promoted) = mover.kind().promoted()
    {
        lands = crate::board::Piece::new(position.turn(), promoted).into();
        gain += value(promoted) - value(mover.kind());
    }
    let worth = worth_of(position, lands);
    gain - Exchange::after(position, m).reply(!position.turn(), worth, lands.kind().is_lion())
}

/// Whether the exchange that a move begins loses more than `margin` centipawns.
pub fn loses_more_than(position: &Position, m: Move, margin: Score) -> bool {
    // At worst the mover is lost for nothing.
    let risk = worth_of(position, position.cell(m.from()));
    captured(position, m) - risk < -margin && exchange(position, m) < -margin
}

/// What a move captures.
fn captured(position: &Position, m: Move) -> Score {
    let victims = [Some(m.to()), m.mid()].into_iter().flatten();
    victims
        .map(|square| position.cell(square))
        .filter(|slot| slot.is_enemy_of(position.turn()))
        .map(|slot| worth_of(position, slot))
        .sum()
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

impl<'a> Exchange<'a> {
    /// The exchange that a move begins, once it is made.
    fn after(position: &'a Position, m: Move) -> Exchange<'a> {
        let mut exchange = Exchange {
            position,
            square: m.to(),
            vacated: [m.from(), m.mid().unwrap_or(m.from())],
            attackers: SmallVec::new(),
        };
        let leaves = exchange.vacated.map(|left| m.to().line_to(left));
        for d in 0..8 {
            if leaves.contains(&Some(d)) {
                exchange.gather_line::<true>(d);
            } else {
                exchange.gather_line::<false>(d);
            }
        }
        for n in 0..8 {
            let slot = exchange.slot::<true>(m.to().knight(n));
            if slot.kind().is_lion() {
                exchange.add(slot, false, None);
            }
        }
        exchange
    }

    /// What stands on a square; `LEFT` if the move may have left it.
    fn slot<const LEFT: bool>(&self, square: Square) -> Slot {
        if LEFT && self.vacated.contains(&square) {
            Slot::EMPTY
        } else {
            self.position.cell(square)
        }
    }

    /// The attackers in a direction, which the move may have `LEFT`: next to the square, behind that, and far away.
    fn gather_line<const LEFT: bool>(&mut self, direction: usize) {
        let toward = direction ^ 4;
        let near = self.slot::<LEFT>(self.square.step(direction));
        let mut cell = self.square.leap(direction);
        let second = self.slot::<LEFT>(cell);
        let (mut behind, mut open) = (None, near.is_empty());
        if near.bearing(toward) & NEAR != 0 {
            let steps_back = matches!(near.reach(toward), Reach::Lion | Reach::Double);
            behind = self.add(near, steps_back, None);
            open = true;
        }
        if second.bearing(toward) & OVER != 0 {
            behind = self.add(second, false, None);
        } else if open && second.bearing(toward) & SECOND != 0 {
            behind = self.add(second, false, behind);
        } else {
            open &= second.is_empty();
        }
        while open {
            cell = cell.step(direction);
            let slot = self.slot::<LEFT>(cell);
            if slot.is_empty() {
                continue;
            }
            open = slot.bearing(toward) & FAR != 0;
            if open {
                behind = self.add(slot, false, behind);
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
