//! The search of a node.

use std::sync::LazyLock;

use smallvec::SmallVec;

use super::history;
use super::params::*;
use super::picker::{Picker, Sort, is_quiet, victim};
use super::see;
use super::tt::{Bound, Found};
use super::worker::Worker;
use crate::board::{Move, Recurrence};
use crate::eval::score::{INFINITE, MAX_PLY, Score, WON, mate_in, mated_in};

/// What is asked about a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether its score is expected to be at least `beta`.
    pub(super) cut: bool,
}

/// Moves that were tried at a node before the best one.
type Tried = SmallVec<[Move; 64]>;

/// Hundredths of a ply by which a late move is searched less, by depth and number.
static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            if depth == 0 || number == 0 {
                return 0;
            }
            let product = (depth as f64).ln() * (number as f64).ln();
            LMR_BASE + (product * 10_000.0 / f64::from(LMR_DIVISOR)) as i32
        })
    })
});

impl Worker<'_> {
    /// The score of a node for its side to move.
    pub(super) fn search<const PV: bool>(&mut self, node: Node) -> Score {
        let Node {
            mut alpha,
            mut beta,
            mut depth,
            ply,
            cut,
        } = node;
        // 1. An attacked last royal is not left to quiescence, which looks at captures alone.
        let us = self.position.turn();
        let in_check = self.position.is_in_check(us);
        if depth <= 0 && in_check {
            depth = 1;
        }
        if depth <= 0 {
            return self.quiescence(alpha, beta, ply);
        }
        self.clear_line(ply);
        self.seldepth = self.seldepth.max(ply);
        if self.stopped {
            return 0;
        }
        // 2. The end of the game, or of the search; a shorter win found elsewhere.
        if let Some(score) = self.settled(ply) {
            if PV
                && score == mate_in(ply + 1)
                && let Some(m) = self.royal_capture()
            {
                self.clear_line(ply + 1);
                self.set_line(ply, m);
            }
            return score;
        }
        alpha = alpha.max(mated_in(ply + 2));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        // 3. The table.
        let key = self.position.key();
        let found = self.shared.table.probe(key, ply);
        if let Some(found) = found
            && !PV
            && found.depth >= depth
            && found.bound.decides(found.score, alpha, beta)
        {
            return found.score;
        }
        let table_move = found
            .and_then(|found| found.mv)
            .filter(|&m| self.position.is_legal(m));
        // 4. What the position looks like.
        let raw_eval = found.map_or_else(|| self.evaluate(ply), |found| found.eval);
        let mut eval = raw_eval;
        if let Some(found) = found
            && found.bound.decides(found.score, eval, eval)
            && found.score.abs() < WON
        {
            eval = found.score;
        }
        self.frames[ply].eval = (!in_check).then_some(eval);
        let improving =
            !in_check && ply >= 2 && self.frames[ply - 2].eval.is_none_or(|before| eval > before);
        if !PV && !in_check {
            if let Some(score) = self.reverse_futility(eval, beta, depth, improving) {
                return score;
            }
            if let Some(score) = self.null_move(eval, beta, depth, ply, cut) {
                return score;
            }
        }
        // 5. Without a table move the depth is better spent later.
        if table_move.is_none() && depth >= 4 {
            depth -= 1;
        }
        // 6. The moves.
        let killers = self.memory.history.killers(ply);
        let mut picker = Picker::new(table_move, killers);
        let (mut best, mut best_move, before) = (-INFINITE, None, alpha);
        let (mut number, mut quiets_seen, mut forbidden) = (0, 0, false);
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        while let Some((m, sort)) = picker.next(&self.position, &self.memory.history) {
            let quiet = is_quiet(&self.position, m);
            // 7. Moves that will not matter.
            if best > -WON && !PV {
                if quiet && sort == Sort::Quiet {
                    let futile = FUTILITY_BASE + FUTILITY * depth;
                    if self.is_late(depth, quiets_seen, improving)
                        || !in_check && depth <= FUTILITY_DEPTH && eval + futile <= alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                }
                if sort == Sort::BadTactical
                    && depth <= SEE_DEPTH
                    && see::loses_more_than(&self.position, m, SEE_CAPTURE * depth)
                {
                    continue;
                }
            }
            quiets_seen += i32::from(sort == Sort::Quiet);
            let mover = self.position.cell(m.from());
            let history = match quiet {
                true => self.memory.history.quiet(us, mover, m),
                false => 0,
            };
            // 8. Make it; a repetition that the rules forbid is no move.
            self.tick();
            self.make(m, ply);
            let score = match self.position.recurrence(self.root) {
                Some(Recurrence::Forbidden) => {
                    forbidden = true;
                    self.position.unmake();
                    continue;
                }
                Some(Recurrence::Draw) => -self.draw_score(),
                Some(Recurrence::Loses(loser)) if loser == us => mated_in(MAX_PLY),
                Some(Recurrence::Loses(_)) => mate_in(MAX_PLY),
                None => {
                    number += 1;
                    let late = quiet || sort == Sort::BadTactical;
                    let reduction = match late && depth >= 3 && number > 1 + i32::from(PV) {
                        true => reduction::<PV>(depth, number, history, improving, cut),
                        false => 0,
                    };
                    let child = Node {
                        alpha,
                        beta,
                        depth: depth - 1,
                        ply: ply + 1,
                        cut,
                    };
                    self.search_child::<PV>(child, number, reduction)
                }
            };
            self.position.unmake();
            if self.stopped {
                return 0;
            }
            // 9. Is it better?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.set_line(ply, m);
                    }
                    if score >= beta {
                        self.learn(m, quiet, depth, ply, &quiets, &captures);
                        break;
                    }
                    alpha = score;
                }
            }
            if quiet {
                quiets.push(m)
            } else {
                captures.push(m)
            };
        }
        // 10. No move loses; only forbidden repetitions are a draw.
        if best == -INFINITE {
            return if forbidden {
                self.draw_score()
            } else {
                mated_in(ply)
            };
        }
        // 11. Remember it.
        let bound = if best >= beta {
            Bound::Lower
        } else if alpha > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let result = Found {
            mv: best_move,
            score: best,
            eval: raw_eval,
            depth,
            bound,
        };
        self.shared.table.store(key, ply, &result);
        best
    }

    /// Principal variation search of a child: in full if it is the first, else to prove that it is no better.
    fn search_child<const PV: bool>(&mut self, node: Node, number: i32, reduction: i32) -> Score {
        let Node {
            alpha,
            beta,
            depth,
            ply,
            cut,
        } = node;
        let narrow = |depth, cut| Node {
            alpha: -alpha - 1,
            beta: -alpha,
            depth,
            ply,
            cut,
        };
        let mut score = alpha + 1;
        if reduction > 0 {
            let reduced = (depth - reduction).clamp(0, depth);
            score = -self.search::<false>(narrow(reduced, true));
        }
        if score > alpha && (reduction > 0 || !PV || number > 1) {
            score = -self.search::<false>(narrow(depth, !cut));
        }
        if PV && (number == 1 || score > alpha) {
            let full = Node {
                alpha: -beta,
                beta: -alpha,
                depth,
                ply,
                cut: false,
            };
            score = -self.search::<true>(full);
        }
        score
    }

    /// Reverse futility: so far above the window that no move is needed.
    fn reverse_futility(
        &self,
        eval: Score,
        beta: Score,
        depth: i32,
        improving: bool,
    ) -> Option<Score> {
        let margin = REVERSE_FUTILITY * (depth - i32::from(improving));
        let holds = depth <= REVERSE_FUTILITY_DEPTH && eval - margin >= beta && beta.abs() < WON;
        holds.then_some(eval.min(WON - 1))
    }

    /// Null move: if even doing nothing is good enough, the node is.
    fn null_move(
        &mut self,
        eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        if depth < NULL_DEPTH || eval < beta || beta.abs() >= WON || self.frames[ply].is_null {
            return None;
        }
        let reduced = depth - NULL_BASE - depth / NULL_DIVISOR;
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

    /// Late move pruning: enough quiet moves have been tried at this depth.
    fn is_late(&self, depth: i32, quiets_seen: i32, improving: bool) -> bool {
        let enough = (LATE_BASE + 3 * depth * depth) * (1 + i32::from(improving));
        depth <= LATE_DEPTH && quiets_seen >= enough
    }

    /// Learns from a move that refuted the node, and from those that did not.
    fn learn(
        &mut self,
        m: Move,
        quiet: bool,
        depth: i32,
        ply: usize,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let position = &self.position;
        let history = &mut self.memory.history;
        let (turn, bonus) = (position.turn(), history::bonus(depth));
        if quiet {
            history.add_killer(ply, m);
            history.add_quiet(turn, position.cell(m.from()), m, bonus);
            for &other in quiets {
                history.add_quiet(turn, position.cell(other.from()), other, -bonus);
            }
        } else if let Some(kind) = victim(position, m) {
            history.add_capture(position.cell(m.from()), m, kind, bonus);
        }
        for &other in captures {
            if let Some(kind) = victim(position, other) {
                history.add_capture(position.cell(other.from()), other, kind, -bonus);
            }
        }
    }
}

/// Late move reductions: by how many plies a move is searched less at first.
fn reduction<const PV: bool>(
    depth: i32,
    number: i32,
    history: i32,
    improving: bool,
    cut: bool,
) -> i32 {
    let table = REDUCTIONS[depth.min(63) as usize][number.min(63) as usize];
    let mut hundredths = table - 100 * history / LMR_HISTORY;
    hundredths += 100 * (i32::from(!PV) + i32::from(!improving) + i32::from(cut)) / 2;
    (hundredths / 100).max(0)
}
