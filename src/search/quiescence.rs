//! Search of captures and promotions until the position is quiet.

use super::params::*;
use super::picker::Picker;
use super::tt::{Bound, Found};
use super::worker::Worker;
use crate::eval::score::{INFINITE, Score, WON};

/// The depth under which quiescence results are stored.
const DEPTH: i32 = 0;

impl Worker<'_> {
    /// The score of a node in which only captures and promotions are looked at.
    pub(super) fn quiescence(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        self.quiescence_at(alpha, beta, ply, 0)
    }

    /// As [`Worker::quiescence`], so many plies after it began.
    fn quiescence_at(&mut self, mut alpha: Score, beta: Score, ply: usize, after: i32) -> Score {
        self.clear_line(ply);
        self.seldepth = self.seldepth.max(ply);
        if self.stopped {
            return 0;
        }
        // 1. The end of the game, or of the search.
        if let Some(score) = self.settled(ply) {
            return score;
        }
        // 2. The table.
        let key = self.position.key();
        let found = self.shared.table.probe(key, ply);
        if let Some(found) = found
            && found.bound.decides(found.score, alpha, beta)
            && beta - alpha == 1
        {
            return found.score;
        }
        // 3. Nobody has to capture.
        let (raw_eval, eval) = self.static_eval(ply, found);
        let mut best = eval;
        if let Some(found) = found
            && found.bound.decides(found.score, eval, eval)
        {
            best = found.score;
        }
        if best >= beta {
            return best;
        }
        let before = alpha;
        alpha = alpha.max(best);
        // 4. Captures and promotions that do not lose.
        let table_move = self.tactical_table_move(found);
        let least_gain = match alpha > -WON {
            true => alpha - eval - quiescence_delta() + 1,
            false => Score::MIN,
        };
        let mut picker = Picker::tactical(table_move, least_gain, quiescence_see());
        let mut best_move = None;
        let enough = (quiescence_moves() - quiescence_fewer() * after / 100).max(1);
        let mut tried = 0;
        while let Some((m, _)) = picker.next(&self.position, &self.memory.history) {
            if tried >= enough {
                break;
            }
            tried += 1;
            self.tick();
            self.make(m, ply);
            let score = -self.quiescence_at(-beta, -alpha, ply + 1, after + 1);
            self.position.unmake();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                    self.set_line(ply, m);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        debug_assert!(best.abs() < INFINITE);
        // 5. Remember it.
        let result = Found {
            mv: best_move,
            score: best,
            eval: raw_eval,
            depth: DEPTH,
            bound: Bound::of(best, beta, best > before && best_move.is_some()),
        };
        self.shared.table.store(key, ply, &result);
        best
    }
}
