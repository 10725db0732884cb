//! Repetition (rules §7): who must deviate, and what a repeated position is worth.

use super::moves::Move;
use super::piece::{Color, Kind};
use super::position::Position;
use super::rules::RepetitionRule;

/// What it means that a position came back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Recurrence {
    /// The side that just moved was not allowed to bring it back.
    Forbidden,
    /// A draw.
    Draw,
    /// This side loses, because it alone attacked with every move.
    Loses(Color),
}

/// How many plies without a capture, promotion, pawn or lance move the lishogi rule wants before it looks.
const LISHOGI_QUIET_PLIES: u32 = 12;

/// What the moves of a cycle had in common, for each side.
struct Cycle {
    checked: [bool; 2],
    attacked: [bool; 2],
    passed: bool,
}

/// The side for which something holds, if it holds for exactly one.
fn only(holds: [bool; 2]) -> Option<Color> {
    match holds {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    }
}

impl Position {
    /// How many times a key has stood, with the number of moves after which it first did; the current position is not
    /// counted.
    fn earlier(&self, key: u64) -> (u32, usize) {
        let reversible = usize::from(self.state.reversible_plies).min(self.history.len());
        let oldest = self.history.len() - reversible;
        let mut count = 0;
        let mut first = self.history.len();
        for (i, entry) in self.history.iter().enumerate().skip(oldest) {
            if entry.before.key == key {
                count += 1;
                first = first.min(i);
            }
        }
        (count, first)
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        self.earlier(self.key()).0 + 1
    }

    pub(super) fn is_fourth_occurrence(&self) -> bool {
        self.reversible_plies() >= LISHOGI_QUIET_PLIES && self.occurrences() >= 4
    }

    /// Judges the current position as a fourth occurrence, if it is one that the lishogi rule looks at.
    pub(super) fn judge_fourth(&mut self) -> Option<Recurrence> {
        let (earlier, first) = self.earlier(self.key());
        (earlier >= 3).then(|| self.judge_lishogi(first))
    }

    /// Whether repetition forbids a move that is legal otherwise.
    pub fn repetition_forbids(&self, m: Move) -> bool {
        let rule = self.rules().repetition;
        let restrains = matches!(rule, RepetitionRule::Renmei | RepetitionRule::Teiban);
        // The fourth occurrence of a position comes six plies after the first at the earliest: two passes a cycle.
        if !restrains || self.reversible_plies() < 5 || self.is_irreversible(m) {
            return false;
        }
        let (earlier, first) = self.earlier(self.key_after_reversible(m));
        if earlier < 3 {
            return false;
        }
        let mut after = self.clone();
        after.make(m);
        after.judge(first) == Some(Recurrence::Forbidden)
    }

    fn is_irreversible(&self, m: Move) -> bool {
        let kind = self.cell(m.from()).kind();
        let captures = m.mid().is_some() || m.to() != m.from() && !self.cell(m.to()).is_empty();
        captures || m.promotes() || kind == Kind::PAWN || kind == Kind::LANCE
    }

    /// What the current position is for a search: a first repetition of a position reached after `root` moves or later
    /// counts already as one; of an older one, only the fourth occurrence does.
    pub fn recurrence(&mut self, root: usize) -> Option<Recurrence> {
        let reversible = usize::from(self.state.reversible_plies).min(self.history.len());
        let key = self.key();
        let mut plies = 2;
        let mut earlier = 0;
        while plies <= reversible {
            let i = self.history.len() - plies;
            if self.history[i].before.key == key {
                earlier += 1;
                if i >= root || earlier >= 3 {
                    return match self.rules().repetition {
                        RepetitionRule::None => Some(Recurrence::Draw),
                        _ => self.judge(i),
                    };
                }
            }
            plies += 2;
        }
        None
    }

    /// Judges the last move, which brought back the position that first stood after `first` moves.
    fn judge(&mut self, first: usize) -> Option<Recurrence> {
        let mover = !self.turn();
        match self.rules().repetition {
            RepetitionRule::None => None,
            RepetitionRule::Renmei => {
                (self.obliged(first) == mover).then_some(Recurrence::Forbidden)
            }
            RepetitionRule::Teiban => {
                let made = self.unmake();
                let escapes = self.is_in_check(mover);
                if let Some(m) = made {
                    self.make(m);
                }
                (!escapes).then_some(Recurrence::Forbidden)
            }
            RepetitionRule::Lishogi => Some(self.judge_lishogi(first)),
        }
    }

    fn judge_lishogi(&mut self, first: usize) -> Recurrence {
        let cycle = self.cycle(first, |position, mover, m| {
            let royals_attacked = position
                .royals(!mover)
                .any(|royal| position.is_attacked(royal, mover));
            royals_attacked || position.can_capture(m.to(), mover)
        });
        match only(cycle.attacked) {
            Some(attacker) => Recurrence::Loses(attacker),
            None => Recurrence::Draw,
        }
    }

    /// The side that must deviate from a cycle that began after `first` moves (rules §7, `renmei`).
    fn obliged(&mut self, first: usize) -> Color {
        let mover = !self.turn();
        let cycle = self.cycle(first, |position, _, m| position.bears_on_enemy(m.to()));
        if let Some(side) = only(cycle.checked).or_else(|| only(cycle.attacked)) {
            return side;
        }
        if !cycle.passed {
            return mover;
        }
        let is_pass = |m: &Option<Move>| m.is_some_and(Move::is_pass);
        let run = self
            .history
            .iter()
            .rev()
            .take_while(|entry| is_pass(&entry.made))
            .count();
        if run % 2 == 1 { mover } else { !mover }
    }

    /// What the moves since `first` have in common; `attacks` says whether a move other than a check attacks, in the
    /// position after it.
    fn cycle(&mut self, first: usize, attacks: impl Fn(&Position, Color, Move) -> bool) -> Cycle {
        let mut cycle = Cycle {
            checked: [true; 2],
            attacked: [true; 2],
            passed: true,
        };
        let mut undone = Vec::new();
        while self.history.len() > first {
            let (mover, last) = (!self.turn(), self.last_move());
            let side = mover.index();
            let check = self.is_in_check(!mover);
            cycle.checked[side] &= check;
            cycle.attacked[side] &= check || last.is_some_and(|m| attacks(self, mover, m));
            cycle.passed &= last.is_some_and(Move::is_pass);
            undone.push(last);
            self.unmake();
        }
        for m in undone.into_iter().rev() {
            match m {
                Some(m) => drop(self.make(m)),
                None => self.make_null(),
            }
        }
        cycle
    }
}
