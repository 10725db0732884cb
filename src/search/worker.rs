//! What one search thread works with.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::clock::Clock;
use super::correction::Correction;
use super::history::{History, Step, Steps};
use super::limits::{Limits, Signals};
use super::picker::is_quiet;
use super::root::{Cutoffs, RootMove};
use super::tt::{Found, Table};
use crate::board::{Move, Outcome, Position};
use crate::eval::score::{MAX_EVAL, MAX_PLY, Score, mate_in, mated_in};
use crate::eval::{Evaluator, Network};

/// What a thread keeps from search to search.
pub(super) struct Memory {
    pub(super) history: History,
    pub(super) correction: Correction,
    /// The best line found from each ply on.
    lines: Vec<Vec<Move>>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        let lines = (0..MAX_PLY + 2)
            .map(|_| Vec::with_capacity(MAX_PLY + 2))
            .collect();
        Memory {
            history: History::new(),
            correction: Correction::new(),
            lines,
        }
    }

    /// Forgets what earlier searches learned.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
    }
}

/// What the search remembers of the path to a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The static evaluation; `None` where the last royal was attacked.
    pub(super) eval: Option<Score>,
    pub(super) is_null: bool,
    /// The move that led here.
    pub(super) step: Step,
    /// A move that is left out, to see what the node is worth without it.
    pub(super) excluded: Option<Move>,
}

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) signals: &'a Signals,
    pub(super) limits: &'a Limits,
    /// What corrects the piece-square values, if anything does.
    pub(super) network: Option<&'a Network>,
    /// Nodes of all threads, a little behind.
    pub(super) nodes: AtomicU64,
    /// Set when the first thread is done.
    pub(super) halt: AtomicBool,
}

pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) position: Position,
    /// How many moves had been made at the root.
    pub(super) root: usize,
    pub(super) frames: Vec<Frame>,
    evaluator: Evaluator<'a>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) cutoffs: Cutoffs,
    /// The depth of the current iteration.
    pub(super) iteration: u32,
    pub(super) stopped: bool,
    /// Whether the clock may end the search: not before there is a move to play.
    pub(super) may_stop: bool,
    /// Only the first thread looks at the clock.
    pub(super) clock: Option<Clock>,
    flushed: u64,
    next_check: u64,
    draw: [Score; 2],
}

/// How many nodes pass between two looks at the clock.
const CHECK_EVERY: u64 = 1024;

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        position: &Position,
        clock: Option<Clock>,
    ) -> Worker<'a> {
        let mut draw = [-shared.limits.draw_score; 2];
        draw[position.turn().index()] = shared.limits.draw_score;
        memory.history.clear_killers();
        Worker {
            shared,
            memory,
            position: position.clone(),
            root: position.made(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            evaluator: Evaluator::new(shared.network, position, MAX_PLY + 1),
            root_moves: Vec::new(),
            nodes: 0,
            seldepth: 0,
            cutoffs: Cutoffs::default(),
            iteration: 0,
            stopped: false,
            may_stop: false,
            clock,
            flushed: 0,
            next_check: 0,
            draw,
        }
    }

    /// Counts a node, and now and then asks whether to stop.
    pub(super) fn tick(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
    }

    fn check_limits(&mut self) {
        let total = self.flush_nodes();
        let mut next = self.nodes + CHECK_EVERY;
        if let Some(limit) = self.shared.limits.nodes {
            self.stopped |= self.may_stop && total >= limit;
            next = next.min(self.nodes + limit.saturating_sub(total).max(1));
        }
        self.next_check = next;
        let signals = self.shared.signals;
        self.stopped |= self.may_stop && signals.is_stopped();
        self.stopped |= self.shared.halt.load(Ordering::Relaxed);
        if let Some(clock) = &mut self.clock {
            let over = clock.is_over(signals.is_pondering());
            self.stopped |= self.may_stop && over;
        }
    }

    /// Adds this thread's nodes to those of all; gives the sum.
    pub(super) fn flush_nodes(&mut self) -> u64 {
        let new = self.nodes - self.flushed;
        self.flushed = self.nodes;
        self.shared.nodes.fetch_add(new, Ordering::Relaxed) + new
    }

    /// Lets the next look at the limits come at once.
    pub(super) fn check_soon(&mut self) {
        self.next_check = 0;
    }

    /// Makes a move at a ply.
    pub(super) fn make(&mut self, m: Move, ply: usize) {
        let change = self.position.make(m);
        self.evaluator.make(ply, &change);
        let frame = &mut self.frames[ply + 1];
        frame.is_null = false;
        frame.step = Step::new(change.mover, m);
        self.shared.table.prefetch(self.position.key());
    }

    pub(super) fn make_null(&mut self, ply: usize) {
        self.position.make_null();
        self.evaluator.make_null(ply);
        let frame = &mut self.frames[ply + 1];
        frame.is_null = true;
        frame.step = Step::default();
    }

    /// The last two moves before a node.
    pub(super) fn steps(&self, ply: usize) -> Steps {
        let own = ply.checked_sub(1).map(|ply| self.frames[ply].step);
        [self.frames[ply].step, own.unwrap_or_default()]
    }

    /// The static evaluation at a ply.
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        self.evaluator.score(ply, &self.position)
    }

    /// The static evaluation at a ply, which the table may know: as it is, and corrected by what came of it.
    pub(super) fn static_eval(&mut self, ply: usize, found: Option<Found>) -> (Score, Score) {
        let raw = match found {
            Some(found) => found.eval,
            None => self.evaluate(ply),
        };
        let correction = self.memory.correction.get(&self.steps(ply));
        (raw, (raw + correction).clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// The table's move if it is a capture or a promotion.
    pub(super) fn tactical_table_move(&self, found: Option<Found>) -> Option<Move> {
        let m = found.and_then(|found| found.mv)?;
        (!is_quiet(&self.position, m) && self.position.is_legal(m)).then_some(m)
    }

    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.memory.lines[ply]
    }

    pub(super) fn clear_line(&mut self, ply: usize) {
        self.memory.lines[ply].clear();
    }

    /// Makes the best line at a ply a move and what follows it.
    pub(super) fn set_line(&mut self, ply: usize, m: Move) {
        let (before, after) = self.memory.lines.split_at_mut(ply + 1);
        let (Some(line), Some(rest)) = (before.last_mut(), after.first()) else {
            return;
        };
        line.clear();
        line.push(m);
        line.extend_from_slice(rest);
    }

    /// What a draw is worth to the side to move.
    pub(super) fn draw_score(&self) -> Score {
        self.draw[self.position.turn().index()]
    }

    /// The score of a node where the game is over by what is on the board.
    fn ended(&self, ply: usize) -> Option<Score> {
        let position = &self.position;
        let us = position.turn();
        let limit = position.rules().move_limit;
        // Only a side without counting pieces can be bare (rules §6).
        let rich = position.counting_count(us) > 0 && position.counting_count(!us) > 0;
        if rich && !position.has_lost_royals(us) && limit.is_none_or(|n| position.ply() < n) {
            return None;
        }
        let mut outcome = position.material_outcome();
        if outcome == Outcome::Playing {
            outcome = position.late_outcome();
        }
        match outcome.winner() {
            Some(winner) if winner == us => Some(mate_in(ply)),
            Some(_) => Some(mated_in(ply)),
            None => outcome.is_over().then(|| self.draw_score()),
        }
    }

    /// The score of a node that needs no search: the game is over, the last royal can be captured, or the search is as
    /// deep as it may get.
    pub(super) fn settled(&mut self, ply: usize) -> Option<Score> {
        let ended = self.ended(ply);
        if ended.is_some() {
            ended
        } else if self.wins_at_once() {
            Some(mate_in(ply + 1))
        } else {
            (ply >= MAX_PLY).then(|| self.evaluate(ply))
        }
    }

    /// Whether the side to move can capture the last royal at once.
    fn wins_at_once(&self) -> bool {
        let us = self.position.turn();
        self.position
            .last_royal(!us)
            .is_some_and(|royal| self.position.is_attacked(royal, us))
    }

    /// A move that captures the last royal.
    pub(super) fn royal_capture(&self) -> Option<Move> {
        let royal = self.position.last_royal(!self.position.turn())?;
        let mut capture = None;
        self.position.visit::<true, false>(|m| {
            if m.to() == royal && (capture.is_none() || m.mid().is_none()) {
                capture = Some(m);
            }
        });
        capture
    }
}
