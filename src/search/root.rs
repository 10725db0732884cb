//! Iterative deepening at the root.

use std::cmp::Reverse;
use std::time::Duration;

use super::params::*;
use super::picker::{Picker, is_quiet};
use super::prune::Late;
use super::tree::Node;
use super::worker::Worker;
use crate::board::{Move, Recurrence};
use crate::eval::score::{INFINITE, MAX_PLY, Score, WON, mate_distance, mated_in};

/// What is known about one line at some moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Depth in plies, of the last iteration that this line completed.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub seldepth: u32,
    /// Which line it is, 1 for the best.
    pub multi_pv: usize,
    /// For the side to move at the root, in centipawns or as a distance to the end (see [`Info::mate`]).
    pub score: Score,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hashfull: usize,
    /// The line, from the root; never empty.
    pub pv: Vec<Move>,
}

impl Info {
    /// Plies to the end of the game, negative when losing, if the score is a proved end.
    pub fn mate(&self) -> Option<Score> {
        mate_distance(self.score)
    }

    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The best move; `None` if there is none to play.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The lines, best first: as many as were asked for, fewer if there are fewer moves.
    pub lines: Vec<Info>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How well the moves were ordered.
    pub cutoffs: Cutoffs,
}

/// How often moves refuted a node, at depths of 3 plies and more, in the first thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutoffs {
    /// All of them.
    pub all: u64,
    /// Those by the first move that was tried.
    pub first: u64,
}

impl Cutoffs {
    /// From this depth on they are counted, in plies.
    pub(super) const DEPTH: i32 = 3;

    /// The share of first moves, 0 to 1.
    pub fn first_rate(&self) -> f64 {
        self.first as f64 / self.all.max(1) as f64
    }
}

impl Report {
    /// The score of the best line, for the side to move.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// Puts the lines in, and the moves that follow from them.
    pub(super) fn set_lines(&mut self, lines: Vec<Info>) {
        let mut best = lines
            .first()
            .map(|line| &line.pv[..])
            .unwrap_or_default()
            .iter();
        (self.best, self.ponder) = (best.next().copied(), best.next().copied());
        self.lines = lines;
    }
}

/// A move at the root and what came of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// In the current iteration; [`-INFINITE`] before and if it was only shown to be no better.
    pub(super) score: Score,
    /// In the last completed iteration.
    pub(super) previous: Score,
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    pub(super) fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -INFINITE,
            previous: -INFINITE,
            depth: 0,
            seldepth: 0,
            pv: vec![m],
        }
    }
}

impl Worker<'_> {
    /// Searches deeper and deeper until the limits end it; `report` gets the lines after each completed iteration.
    pub(super) fn iterate(&mut self, report: &mut dyn FnMut(&mut Self, bool)) {
        let lines = self.lines_wanted();
        let last = self
            .shared
            .limits
            .depth
            .unwrap_or(MAX_PLY as u32)
            .clamp(1, MAX_PLY as u32);
        let mut stable = 0;
        for depth in 1..=last {
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            self.order_root_moves();
            let before = self.root_moves.first().map(|best| (best.m, best.score));
            self.iteration = depth;
            for line in 0..lines {
                self.seldepth = 0;
                self.aspire(depth, line);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            report(self, false);
            self.check_soon();
            let Some(best) = self.root_moves.first() else {
                break;
            };
            stable = if before.is_some_and(|(m, _)| m == best.m) {
                stable + 1
            } else {
                0
            };
            let fallen = before.map_or(0, |(_, score)| score - best.score);
            if self.is_time_to_play(stable, fallen, depth) {
                break;
            }
        }
        report(self, true);
    }

    /// How many lines are to be found.
    fn lines_wanted(&self) -> usize {
        let most = self.root_moves.len().max(1);
        self.shared.limits.multi_pv.clamp(1, most)
    }

    /// Puts the moves that were shown to be no better in the order in which an inner node would try them.
    fn order_root_moves(&mut self) {
        let killers = self.memory.history.killers(0);
        let mut picker = Picker::new(None, killers, self.steps(0), true);
        let mut order = Vec::with_capacity(self.root_moves.len());
        while let Some((m, _)) = picker.next(&self.position, &self.memory.history) {
            order.push(self.position.canonical(m));
        }
        let rank = |m| order.iter().position(|&other| other == m);
        self.root_moves.sort_by_cached_key(|root_move| {
            let unknown = usize::from(root_move.score == -INFINITE);
            (
                Reverse(root_move.score),
                rank(root_move.m).unwrap_or(usize::MAX) * unknown,
            )
        });
    }

    /// Whether another iteration is not worth beginning: the planned time or nodes are used, or the game is decided.
    fn is_time_to_play(&mut self, stable: i32, fallen: Score, depth: u32) -> bool {
        let soft = self.shared.limits.soft_nodes;
        if soft.is_some_and(|soft| self.flush_nodes() >= soft) {
            return true;
        }
        let pondering = self.shared.signals.is_pondering();
        let Some(clock) = &mut self.clock else {
            return false;
        };
        if clock.budget.soft.is_none() {
            return false;
        }
        let only_one = self.root_moves.len() == 1;
        let mate = self
            .root_moves
            .first()
            .and_then(|best| mate_distance(best.score));
        if !pondering && (only_one || mate.is_some_and(|n| n.unsigned_abs() + 2 <= depth)) {
            return true;
        }
        let calm = [1.5, 1.1, 0.9, 0.75, 0.65, 0.6][stable.clamp(0, 5) as usize];
        let trouble = 1.0 + f64::from(fallen.clamp(0, 300)) / 200.0;
        clock.is_past_soft(calm * trouble * 0.65, pondering)
    }

    /// Searches one line with a window around its last score, widened until the score is inside.
    fn aspire(&mut self, depth: u32, line: usize) {
        let previous = self
            .root_moves
            .get(line)
            .map_or(-INFINITE, |root_move| root_move.previous);
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut width = aspiration();
        if depth as i32 >= aspiration_depth() && previous.abs() < WON {
            (alpha, beta) = (previous - width, previous + width);
        }
        loop {
            let score = self.search_root(alpha, beta, depth, line);
            self.root_moves[line..].sort_by_key(|root_move| Reverse(root_move.score));
            if self.stopped {
                return;
            }
            width += width / 2 + 5;
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if width > 1500 {
                    -INFINITE
                } else {
                    score - width
                };
            } else if score >= beta && beta < INFINITE {
                beta = if width > 1500 {
                    INFINITE
                } else {
                    score + width
                };
            } else {
                break;
            }
        }
        // Lines found earlier in this iteration may have turned out worse than this one.
        self.root_moves[..=line].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// Principal variation search of the root moves from `line` on.
    fn search_root(&mut self, mut alpha: Score, beta: Score, depth: u32, line: usize) -> Score {
        let us = self.position.turn();
        let mut best = -INFINITE;
        for n in line..self.root_moves.len() {
            let m = self.root_moves[n].m;
            let mover = self.position.cell(m.from());
            let number = (n - line) as i32 + 1;
            let late = Late {
                depth: depth as i32,
                number,
                history: self.memory.history.quiet(us, mover, m, &self.steps(0)),
                improving: true,
                cut: false,
            };
            let reducible = number > 2 && depth >= 2 && is_quiet(&self.position, m);
            let reduction = match reducible {
                true => late.reduction::<true>(),
                false => 0,
            };
            self.tick();
            self.make(m, 0);
            let child = Node {
                alpha,
                beta,
                depth: depth as i32 - 1,
                ply: 1,
                cut: false,
            };
            let score = match self.position.recurrence(self.root) {
                Some(Recurrence::Forbidden | Recurrence::Draw) => -self.draw_score(),
                Some(Recurrence::Loses(loser)) if loser == us => mated_in(MAX_PLY),
                Some(Recurrence::Loses(_)) => -mated_in(MAX_PLY),
                None => self.search_root_child(child, number, reduction),
            };
            self.position.unmake();
            if self.stopped {
                return best;
            }
            // From now on there is a move to play for each line that was asked for.
            self.may_stop |= line + 1 == self.lines_wanted();
            let line_after = self.line(1).to_vec();
            let seldepth = self.seldepth;
            let root_move = &mut self.root_moves[n];
            if number == 1 || score > alpha {
                root_move.score = score;
                root_move.depth = depth;
                root_move.seldepth = seldepth;
                root_move.pv.truncate(1);
                root_move.pv.extend(line_after);
            } else {
                root_move.score = -INFINITE;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    fn search_root_child(&mut self, node: Node, number: i32, reduction: i32) -> Score {
        let Node {
            alpha,
            beta,
            depth,
            ply,
            ..
        } = node;
        self.clear_line(ply);
        let full = Node {
            alpha: -beta,
            beta: -alpha,
            ..node
        };
        if number == 1 {
            return -self.search::<true>(full);
        }
        let narrow = |depth| Node {
            alpha: -alpha - 1,
            beta: -alpha,
            depth,
            ply,
            cut: true,
        };
        let mut score = -self.search::<false>(narrow((depth - reduction).max(0)));
        if score > alpha && reduction > 0 {
            score = -self.search::<false>(narrow(depth));
        }
        if score > alpha && score < beta {
            score = -self.search::<true>(full);
        }
        score
    }
}
