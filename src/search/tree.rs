//! The search of a node.

use smallvec::SmallVec;

use super::history;
use super::params::*;
use super::picker::{Picker, Sort, is_quiet, victim};
use super::prune::{self, Late};
use super::root::Cutoffs;
use super::see;
use super::tt::{Bound, Found};
use super::worker::Worker;
use crate::board::{Move, Recurrence};
use crate::eval::score::{INFINITE, MAX_EVAL, MAX_PLY, Score, WON, mate_in, mated_in};

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
        let excluded = self.frames[ply].excluded;
        let key = self.position.key();
        let found = self.shared.table.probe(key, ply);
        if let Some(found) = found
            && !PV
            && excluded.is_none()
            && found.depth >= depth
            && found.bound.decides(found.score, alpha, beta)
        {
            return found.score;
        }
        let table_move = found
            .and_then(|found| found.mv)
            .filter(|&m| self.position.is_legal(m));
        // 4. What the position looks like.
        let before = self.steps(ply);
        let (raw_eval, static_eval) = self.static_eval(ply, found);
        let mut eval = static_eval;
        if let Some(found) = found
            && found.bound.decides(found.score, eval, eval)
            && found.score.abs() < WON
        {
            eval = found.score;
        }
        self.frames[ply].eval = (!in_check).then_some(static_eval);
        let improving = !in_check
            && ply >= 2
            && self.frames[ply - 2]
                .eval
                .is_none_or(|before| static_eval > before);
        if !PV && !in_check && excluded.is_none() {
            if let Some(score) = prune::reverse_futility(eval, beta, depth, improving) {
                return score;
            }
            if let Some(score) = self.null_move(eval, beta, depth, ply, cut) {
                return score;
            }
            if !self.stopped
                && let Some(score) = self.probcut(eval, beta, depth, ply, found)
            {
                return score;
            }
            if self.stopped {
                return 0;
            }
        }
        // 5. Without a table move the depth is better spent later.
        if table_move.is_none() && depth >= 4 && excluded.is_none() {
            depth -= 1;
        }
        // 6. The moves.
        let killers = self.memory.history.killers(ply);
        let mut picker = Picker::new(table_move, killers, before, depth >= exposed_depth());
        let (mut best, mut best_move, old_alpha) = (-INFINITE, None, alpha);
        let (mut number, mut quiets_seen, mut forbidden) = (0, 0, false);
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        while let Some((m, sort)) = picker.next(&self.position, &self.memory.history) {
            if Some(m) == excluded {
                continue;
            }
            let quiet = is_quiet(&self.position, m);
            let mover = self.position.cell(m.from());
            let history = match quiet {
                true => self.memory.history.quiet(us, mover, m, &before),
                false => 0,
            };
            let late = Late {
                depth,
                number: number + 1,
                history,
                improving,
                cut,
            };
            // 7. Moves that will not matter.
            if best > -WON && !PV {
                if quiet && sort == Sort::Quiet {
                    let reduced = late.reduced();
                    if late.is_too_late(quiets_seen)
                        || !in_check && prune::is_futile(eval, alpha, reduced)
                        || late.has_bad_history(reduced)
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    if picker.may_be_taken(m) && prune::loses_piece(&self.position, m, reduced) {
                        continue;
                    }
                }
                if sort == Sort::BadTactical
                    && depth <= see_depth()
                    && see::loses_more_than(&self.position, m, see_capture() * depth)
                {
                    continue;
                }
            }
            quiets_seen += i32::from(sort == Sort::Quiet);
            // 8. A move without which the node is much worse is looked at deeper.
            let mut extension = 0;
            if Some(m) == table_move
                && excluded.is_none()
                && let Some(found) = found
            {
                match self.singularity::<PV>(node, depth, m, &found) {
                    Ok(plies) => extension = plies,
                    Err(score) => return score,
                }
            }
            // 9. Make it; a repetition that the rules forbid is no move.
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
                    let reducible = quiet || sort == Sort::BadTactical;
                    let reduction =
                        match reducible && depth >= lmr_depth() && number > 1 + i32::from(PV) {
                            true => late.reduction::<PV>(),
                            false => 0,
                        };
                    let child = Node {
                        alpha,
                        beta,
                        depth: depth - 1 + extension,
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
            // 10. Is it better?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    if PV {
                        self.set_line(ply, m);
                    }
                    if score >= beta {
                        if depth >= Cutoffs::DEPTH {
                            self.cutoffs.all += 1;
                            self.cutoffs.first += u64::from(number == 1);
                        }
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
        // 11. No move loses; only forbidden repetitions are a draw.
        if best == -INFINITE {
            return if excluded.is_some() {
                alpha
            } else if forbidden {
                self.draw_score()
            } else {
                mated_in(ply)
            };
        }
        if excluded.is_some() {
            return best;
        }
        // 12. Remember it.
        let bound = Bound::of(best, beta, alpha > old_alpha);
        let is_news = bound.decides(best, static_eval, static_eval);
        if !in_check && is_news && best_move.is_none_or(|m| is_quiet(&self.position, m)) {
            let error = best.clamp(-MAX_EVAL, MAX_EVAL) - static_eval;
            self.memory.correction.learn(&before, error, depth);
        }
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
            let reduced = (depth - reduction).clamp(0, depth.max(0));
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
        let before = self.steps(ply);
        let position = &self.position;
        let history = &mut self.memory.history;
        let (turn, bonus) = (position.turn(), history::bonus(depth));
        if quiet {
            history.add_killer(ply, m);
            history.add_quiet(turn, position.cell(m.from()), m, &before, bonus);
            for &other in quiets {
                history.add_quiet(turn, position.cell(other.from()), other, &before, -bonus);
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
