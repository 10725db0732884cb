//! The main line of a mate that has been proved.

use super::search::Search;
use super::table::Plies;
use super::value::Value;
use crate::board::Move;

/// The least number of nodes that is spent on a position of the line which the table has forgotten.
const NODES_FOR_A_GAP: u64 = 1_000_000;

impl Search<'_> {
    /// The line of a mate in at most so many plies: the attacker plays the shortest and the defender the longest of
    /// what is proved. If `exact`, there is no shorter mate, and the line has that length if the limits allow.
    ///
    /// `None` if the table has forgotten too much of the proof and the limits do not allow to find it again.
    pub(super) fn line(&mut self, plies: Plies, exact: bool) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut left = plies;
        let complete = loop {
            let attacks = line.len() % 2 == 0;
            let next = if attacks {
                self.best_attack(left)
            } else {
                self.best_defence(left, exact)
            };
            match next {
                Next::Move(m, plies) => {
                    self.make(m);
                    line.push(m);
                    left = plies;
                }
                Next::Mated => break true,
                Next::Forgotten => break false,
            }
        };
        for _ in &line {
            self.position.unmake();
        }
        complete.then_some(line)
    }

    /// The check after which mate is nearest.
    fn best_attack(&mut self, left: Plies) -> Next {
        for attempt in 0..2 {
            if attempt == 1 && self.solve_gap(left).pn != 0 {
                break;
            }
            let checks = self.moves(true);
            let known = checks.into_iter().map(|m| (self.mate_after(m), m)).min();
            if let Some((plies, m)) = known.filter(|&(plies, _)| plies < left) {
                return Next::Move(m, plies);
            }
        }
        Next::Forgotten
    }

    /// The defence against which mate is farthest.
    fn best_defence(&mut self, left: Plies, exact: bool) -> Next {
        let escapes = self.moves(false);
        let mut known = Vec::new();
        for m in escapes {
            let mut plies = self.mate_after(m);
            if plies >= left {
                self.make(m);
                let value = self.solve_gap(left - 1);
                self.position.unmake();
                if value.pn != 0 {
                    return Next::Forgotten;
                }
                plies = value.plies;
            }
            known.push((plies, m));
        }
        // Stable, so that equally long defences stay in their order.
        known.sort_by_key(|&(plies, _)| std::cmp::Reverse(plies));
        let Some(&(plies, m)) = known.first() else {
            return Next::Mated;
        };
        if !exact || left < 4 {
            return Next::Move(m, plies);
        }
        // What was proved of a defence need not be its shortest mate; one of them takes all that is left.
        for &(plies, m) in known.iter().filter(|&&(plies, _)| plies == left - 1) {
            self.make(m);
            let shorter = self.solve_gap(left - 3);
            self.position.unmake();
            if shorter.dn == 0 {
                return Next::Move(m, plies);
            }
        }
        Next::Move(m, plies)
    }

    /// Plies to mate after a move, as far as the table knows; more than any bound if it knows none.
    fn mate_after(&mut self, m: Move) -> Plies {
        let key = self.position.key_after(m);
        if let Some(entry) = self.table.get(key) {
            return entry.mate;
        }
        let attacked = self.position.turn() == self.attacker;
        self.make(m);
        let entry = self.look(key, !attacked);
        self.position.unmake();
        entry.mate
    }

    fn solve_gap(&mut self, bound: Plies) -> Value {
        let most = self.most_nodes;
        self.most_nodes = most.max(self.nodes + NODES_FOR_A_GAP);
        let value = self.solve(bound);
        self.most_nodes = most;
        value
    }
}

/// The next move of a line with the plies to mate after it.
enum Next {
    Move(Move, Plies),
    Mated,
    Forgotten,
}
