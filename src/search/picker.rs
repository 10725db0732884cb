//! The order in which moves are tried, generated only as far as they are needed.

use smallvec::SmallVec;

use super::history::{History, Steps};
use super::params::exposed_malus;
use super::see;
use crate::board::{Kind, Move, Position};
use crate::eval::{Score, value};

#[derive(Clone, Copy)]
struct Scored {
    m: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Step {
    TableMove,
    GenerateTactical,
    GoodTactical,
    Killers,
    GenerateQuiets,
    Quiets,
    BadTactical,
    Done,
}

/// What sort of move the picker gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Table,
    GoodTactical,
    Killer,
    Quiet,
    BadTactical,
}

/// Gives the moves of a position one by one: table move, captures and promotions that do not lose, killers, quiet
/// moves, the losing captures.
pub(super) struct Picker {
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    before: Steps,
    step: Step,
    /// Whether quiet moves into the reach of a lesser piece come later.
    by_exposure: bool,
    /// The worth of the least enemy piece that bears on each cell, once quiet moves are generated.
    attackers: Option<[Score; 256]>,
    /// Only captures and promotions, of which none loses more than this.
    tactical_only: Option<Score>,
    /// Captures and promotions that gain less at once are left out.
    least_gain: Score,
    moves: SmallVec<[Scored; 256]>,
    bad: SmallVec<[Move; 32]>,
    next: usize,
}

impl Picker {
    pub(super) fn new(
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        before: Steps,
        by_exposure: bool,
    ) -> Picker {
        Picker {
            table_move,
            killers,
            before,
            by_exposure,
            attackers: None,
            step: Step::TableMove,
            tactical_only: None,
            least_gain: Score::MIN,
            moves: SmallVec::new(),
            bad: SmallVec::new(),
            next: 0,
        }
    }

    /// Captures and promotions alone: those that gain at least `least_gain` at once, and in the exchange that they begin lose
    /// at most `margin`, both in centipawns. The table's move comes in any case.
    pub(super) fn tactical(table_move: Option<Move>, least_gain: Score, margin: Score) -> Picker {
        Picker {
            tactical_only: Some(margin),
            least_gain,
            ..Picker::new(table_move, [None; 2], Steps::default(), false)
        }
    }

    /// Leaves out the quiet moves from now on.
    pub(super) fn skip_quiets(&mut self) {
        if self.step >= Step::Killers && self.step < Step::BadTactical {
            self.begin_bad();
        }
    }

    /// Whether an enemy piece may take the piece of a quiet move that was generated: one bears on where it ends, or on where it
    /// stands now and so perhaps on what is behind.
    pub(super) fn may_be_taken(&self, m: Move) -> bool {
        self.attackers.as_ref().is_none_or(|least| {
            least[m.to().cell()] != Score::MAX || least[m.from().cell()] != Score::MAX
        })
    }

    fn begin_bad(&mut self) {
        self.step = Step::BadTactical;
        self.next = 0;
    }

    pub(super) fn next(&mut self, position: &Position, history: &History) -> Option<(Move, Sort)> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::GenerateTactical;
                    if let Some(m) = self.table_move {
                        return Some((m, Sort::Table));
                    }
                }
                Step::GenerateTactical => {
                    self.generate_tactical(position, history);
                    self.step = Step::GoodTactical;
                }
                Step::GoodTactical => match self.best() {
                    Some(m) => {
                        let margin = self.tactical_only.unwrap_or(0);
                        if !see::loses_more_than(position, m, margin) {
                            return Some((m, Sort::GoodTactical));
                        }
                        self.bad.push(m);
                    }
                    None if self.tactical_only.is_some() => self.step = Step::Done,
                    None => {
                        self.step = Step::Killers;
                        self.next = 0;
                    }
                },
                Step::Killers => {
                    let Some(&killer) = self.killers.get(self.next) else {
                        self.step = Step::GenerateQuiets;
                        continue;
                    };
                    self.next += 1;
                    if let Some(m) = killer
                        && self.table_move != Some(m)
                        && is_quiet(position, m)
                        && position.is_legal(m)
                    {
                        return Some((m, Sort::Killer));
                    }
                }
                Step::GenerateQuiets => {
                    self.generate_quiets(position, history);
                    self.step = Step::Quiets;
                }
                Step::Quiets => match self.best() {
                    Some(m) => return Some((m, Sort::Quiet)),
                    None => self.begin_bad(),
                },
                Step::BadTactical => {
                    let Some(&m) = self.bad.get(self.next) else {
                        self.step = Step::Done;
                        continue;
                    };
                    self.next += 1;
                    return Some((m, Sort::BadTactical));
                }
                Step::Done => return None,
            }
        }
    }

    /// Takes the best of the remaining moves.
    fn best(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let first = rest.first()?;
        let (mut best, mut score) = (0, first.score);
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > score {
                (best, score) = (i, scored.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0].m)
    }

    fn generate_tactical(&mut self, position: &Position, history: &History) {
        let (table_move, least_gain) = (self.table_move, self.least_gain);
        let moves = &mut self.moves;
        position.visit::<true, false>(|m| {
            let gain = gain(position, m);
            if Some(m) != table_move && gain >= least_gain {
                let score = tactical_score(position, history, m, gain);
                moves.push(Scored { m, score });
            }
        });
        self.next = 0;
    }

    fn generate_quiets(&mut self, position: &Position, history: &History) {
        let (table_move, killers, turn) = (self.table_move, self.killers, position.turn());
        let before = self.before;
        let attackers = self
            .attackers
            .insert(position.least_attackers(!turn, value));
        let by_exposure = self.by_exposure;
        self.moves.clear();
        let moves = &mut self.moves;
        position.visit::<false, true>(|m| {
            if Some(m) != table_move && !killers.contains(&Some(m)) {
                // A pass comes last: it gives up the move.
                let score = match m.is_pass() {
                    true => i32::MIN,
                    false => {
                        let mover = position.cell(m.from());
                        let is_exposed =
                            by_exposure && attackers[m.to().cell()] < value(mover.kind());
                        let malus = if is_exposed { exposed_malus() } else { 0 };
                        history.quiet(turn, mover, m, &before) - malus
                    }
                };
                moves.push(Scored { m, score });
            }
        });
        self.next = 0;
    }
}

/// Whether a move neither captures nor promotes.
pub(super) fn is_quiet(position: &Position, m: Move) -> bool {
    !m.promotes() && m.mid().is_none() && (m.to() == m.from() || position.cell(m.to()).is_empty())
}

/// The most valuable piece that a move captures.
pub(super) fn victim(position: &Position, m: Move) -> Option<Kind> {
    let end = (m.to() != m.from()).then_some(m.to());
    let squares = [end, m.mid()].into_iter().flatten();
    let pieces = squares.filter_map(|square| position.piece(square));
    pieces
        .map(|piece| piece.kind())
        .max_by_key(|&kind| value(kind))
}

/// What a move captures and gains by promoting, in centipawns.
pub(super) fn gain(position: &Position, m: Move) -> Score {
    let slot_value = |square| {
        position
            .piece(square)
            .map_or(0, |piece| value(piece.kind()))
    };
    let mut gain = m.mid().map_or(0, slot_value);
    if m.to() != m.from() {
        gain += slot_value(m.to());
    }
    if m.promotes() {
        let mover = position.cell(m.from()).kind();
        gain += mover
            .promoted()
            .map_or(0, |promoted| value(promoted) - value(mover));
    }
    gain
}

/// Most valuable victim first, then the least valuable capturer; what captures have been worth decides the rest.
fn tactical_score(position: &Position, history: &History, m: Move, gain: Score) -> i32 {
    let mover = position.cell(m.from());
    let learned = victim(position, m).map_or(0, |kind| history.capture(mover, m, kind) / 16);
    let declined = !m.promotes() && position.may_promote(m);
    8 * gain - value(mover.kind()) / 4 + learned - i32::from(declined) * 4_000
}
