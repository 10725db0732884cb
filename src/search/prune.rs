//! What need not be searched, or less, or more.

use std::sync::LazyLock;

use super::params::*;
use super::picker::Picker;
use super::see;
use super::tree::Node;
use super::tt::{Bound, Found};
use super::worker::Worker;
use crate::board::{Move, Position};
use crate::eval::score::{INFINITE, Score, WON};

/// Ten thousand times the product of the logarithms of a depth and the number of a move.
static PRODUCTS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let logarithm = |n: usize| libm::log(n.max(1) as f64);
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| (logarithm(depth) * logarithm(number) * 10_000.0) as i32)
    })
});

/// Reverse futility: so far above the window that no move is needed.
pub(super) fn reverse_futility(
    eval: Score,
    beta: Score,
    depth: i32,
    improving: bool,
) -> Option<Score> {
    let margin = reverse_futility_margin() * (depth - i32::from(improving));
    let holds = depth <= reverse_futility_depth() && eval - margin >= beta && beta.abs() < WON;
    holds.then_some(eval.min(WON - 1))
}

/// Futility: the evaluation is so far below the window that a quiet move will not reach it in a search of reduced depth.
pub(super) fn is_futile(eval: Score, alpha: Score, reduced: i32) -> bool {
    reduced <= futility_depth() && eval + futility_base() + futility() * reduced <= alpha
}

/// Exchange pruning: a quiet move leaves its piece to be taken, for a reduced depth.
pub(super) fn loses_piece(position: &Position, m: Move, reduced: i32) -> bool {
    reduced <= see_quiet_depth()
        && see::loses_more_than(position, m, see_quiet() * reduced * reduced)
}

/// A quiet move that comes late at a node.
pub(super) struct Late {
    pub(super) depth: i32,
    /// How many moves come before it, and 1.
    pub(super) number: i32,
    /// What it has been worth.
    pub(super) history: i32,
    pub(super) improving: bool,
    pub(super) cut: bool,
}

impl Late {
    /// Late move pruning: enough quiet moves have been tried at this depth.
    pub(super) fn is_too_late(&self, quiets_seen: i32) -> bool {
        let share = if self.improving {
            100
        } else {
            late_worsening()
        };
        let enough = (late_base() * 100 + late_growth() * self.depth * self.depth) * share / 10_000;
        self.depth <= late_depth() && quiets_seen >= enough
    }

    /// The depth to which it would be searched at first off the principal variation, at least 1.
    pub(super) fn reduced(&self) -> i32 {
        (self.depth - self.reduction::<false>()).max(1)
    }

    /// History pruning: it has refuted nothing for long, for a reduced depth.
    pub(super) fn has_bad_history(&self, reduced: i32) -> bool {
        reduced <= history_depth() && self.history < -history_prune() * reduced
    }

    /// Late move reductions: by how many plies it is searched less at first.
    pub(super) fn reduction<const PV: bool>(&self) -> i32 {
        let product = PRODUCTS[self.depth.clamp(0, 63) as usize][self.number.clamp(0, 63) as usize];
        let mut hundredths = lmr_base() + product / lmr_divisor();
        hundredths -= 100 * self.history / lmr_history();
        hundredths += lmr_off_line() * i32::from(!PV);
        hundredths += lmr_worsening() * i32::from(!self.improving);
        hundredths += lmr_cut() * i32::from(self.cut);
        (hundredths / 100).max(0)
    }
}

impl Worker<'_> {
    /// Null move: if even doing nothing is good enough, the node is.
    pub(super) fn null_move(
        &mut self,
        eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        if depth < null_depth() || eval < beta || beta.abs() >= WON || self.frames[ply].is_null {
            return None;
        }
        let reduced = depth - null_base() - depth * null_growth() / 100;
        self.make_null(ply);
        let child = Node {
            alpha: -beta,
            beta: -beta + 1,
            depth: reduced,
            ply: ply + 1,
            cut: !cut,
        };
        let score = -self.search::<false>(child);
        self.position.unmake();
        (score >= beta && !self.stopped).then_some(if score >= WON { beta } else { score })
    }

    /// Probcut: a capture that is far above the window in a shallow search will be above it in a deep one.
    pub(super) fn probcut(
        &mut self,
        eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        found: Option<Found>,
    ) -> Option<Score> {
        let goal = beta + probcut_margin();
        let known_below = |found: Found| found.depth >= depth - 3 && found.score < goal;
        if depth < probcut_depth() || goal.abs() >= WON || found.is_some_and(known_below) {
            return None;
        }
        let table_move = self.tactical_table_move(found);
        let mut picker = Picker::tactical(table_move, goal - eval, 0);
        while let Some((m, _)) = picker.next(&self.position, &self.memory.history) {
            self.tick();
            self.make(m, ply);
            let child = Node {
                alpha: -goal,
                beta: -goal + 1,
                depth: (depth - 4).max(1),
                ply: ply + 1,
                cut: false,
            };
            let mut score = -INFINITE;
            if self.position.recurrence(self.root).is_none() {
                score = -self.quiescence(child.alpha, child.beta, ply + 1);
                if score >= goal {
                    score = -self.search::<false>(child);
                }
            }
            self.position.unmake();
            if self.stopped {
                return None;
            }
            if score >= goal {
                return Some(if score >= WON { beta } else { score });
            }
        }
        None
    }

    /// By how many plies the table's move is extended because it alone holds the node (or, negative, searched less
    /// because others do as well); an error is the score of a node where so many moves are good enough that it needs no search.
    pub(super) fn singularity<const PV: bool>(
        &mut self,
        node: Node,
        depth: i32,
        m: Move,
        found: &Found,
    ) -> Result<i32, Score> {
        let Node { beta, ply, cut, .. } = node;
        let trusted = matches!(found.bound, Bound::Lower | Bound::Exact)
            && found.depth >= depth - 3
            && found.score.abs() < WON;
        if depth < singular_depth() || !trusted || ply >= 2 * self.iteration as usize {
            return Ok(0);
        }
        let least = found.score - singular_margin() * depth / 16;
        let rest = Node {
            alpha: least - 1,
            beta: least,
            depth: (depth - 1) / 2,
            ply,
            cut,
        };
        self.frames[ply].excluded = Some(m);
        let score = self.search::<false>(rest);
        self.frames[ply].excluded = None;
        if self.stopped {
            return Err(0);
        }
        if score < least {
            let doubly = !PV && score < least - singular_double();
            return Ok(1 + i32::from(doubly));
        }
        if !PV && least >= beta {
            return Err(least);
        }
        Ok(if found.score >= beta || cut { -1 } else { 0 })
    }
}
