//! Forced mates (tsume): does a side capture the last royal by checks alone?
//!
//! Every move of the attacker must threaten to capture the defender's last royal with the next: the only one, or both king
//! and prince in one move with lion power (rules §3, §6). The defender may play anything; a move that leaves the royal
//! to be captured loses, and one that captures the attacker's last royal refutes. An attacker who never had a royal
//! cannot lose one. It is mate when every move of the defender, if there is any, allows the capture; the capture itself is not part
//! of the line. A position that comes back is no mate, whatever the rules of repetition (rules §7); nor do bare
//! king and move limit count here.
//!
//! The method is df-pn, a depth-first search guided by proof and disproof numbers. Every proof has a length in plies, and
//! every refutation a length up to which it holds, so that one table serves the first mate found and the search
//! for shorter ones. A refutation that rests on a repetition is kept apart with the path where it was found; only
//! when the repeated position itself is refuted does it hold everywhere.
//!
//! ```
//! use sakijishi::board::{Position, Rules};
//! use sakijishi::mate::{Limits, Solver, Verdict};
//! use sakijishi::notation::{sfen, usi};
//!
//! let setup = sfen::parse("k11/12/NQ10/12/12/12/12/12/12/12/12/12 b - 1").unwrap();
//! let position = Position::new(&setup, Rules::default()).unwrap();
//! let answer = Solver::new(1 << 20).solve(&position, Limits::default(), &mut |_| {});
//! let Verdict::Mate { line, minimal: true } = answer.verdict else { panic!("it is mate in one") };
//! assert_eq!(line.len(), 1);
//! ```

mod line;
mod loops;
mod search;
mod table;
mod value;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::{Move, Position};
use loops::Loops;
use search::Search;
use table::{FOREVER, Plies, Table};

/// Longer lines are not searched, in plies.
const LONGEST: Plies = 599;
/// When a mate is found, at least so many nodes more are spent on shorter ones.
const NODES_TO_SHORTEN: u64 = 800_000;

/// What to look for, and when to give up. Nothing set: any mate, however long it takes.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// At most about so many nodes.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// As soon as this is true.
    pub stop: Option<&'a AtomicBool>,
    /// Whether to go on until the mate is proved to be the shortest. If not, a mate is shortened
    /// only for about as long again as it took to find.
    pub shortest: bool,
}

/// How a search is getting on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Moves made on the board so far.
    pub nodes: u64,
    /// The time spent so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table_permille: u32,
    /// Plies of the shortest mate found so far.
    pub found: Option<u32>,
}

/// What the solver found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker mates.
    Mate {
        /// The attacker's shortest and the defender's longest moves among what was proved. The last one mates; only if the
        /// last royal can be captured at once is the line that capture.
        line: Vec<Move>,
        /// Whether it is proved that no shorter mate exists.
        minimal: bool,
    },
    /// There is no mate by checks alone.
    NoMate,
    /// A limit was reached first.
    Unknown,
}

/// A verdict and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What was found out.
    pub verdict: Verdict,
    /// Moves made on the board.
    pub nodes: u64,
    /// The time spent.
    pub time: Duration,
}

/// A mate solver with its table, to be used for any number of positions.
pub struct Solver {
    table: Table,
    loops: Loops,
}

impl Solver {
    /// A solver that takes at most about so many bytes, and less as long as it does not need them.
    pub fn new(bytes: usize) -> Solver {
        let loops = bytes / 32;
        Solver {
            table: Table::new(bytes - loops),
            loops: Loops::new(loops.min(1 << 22)),
        }
    }

    /// Looks for a mate by the side to move. `on_progress` is called about twice a second, and for each mate found.
    pub fn solve(
        &mut self,
        position: &Position,
        limits: Limits<'_>,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Answer {
        self.table.clear();
        self.loops.clear();
        let mut search = Search::new(
            position,
            &mut self.table,
            &mut self.loops,
            limits,
            on_progress,
        );
        let verdict = search.verdict(limits.shortest);
        Answer {
            verdict,
            nodes: search.nodes,
            time: search.start.elapsed(),
        }
    }
}

impl Search<'_> {
    fn verdict(&mut self, shortest: bool) -> Verdict {
        if self.position.threatens_last_royal(self.attacker) {
            return match self.capture() {
                Some(capture) => Verdict::Mate {
                    line: vec![capture],
                    minimal: true,
                },
                None => Verdict::NoMate,
            };
        }
        let first = self.solve(LONGEST);
        if first.pn != 0 {
            let refuted = first.dn == 0 && first.plies == FOREVER;
            return if refuted {
                Verdict::NoMate
            } else {
                Verdict::Unknown
            };
        }
        let Some(line) = self.line(first.plies, false) else {
            return Verdict::Unknown;
        };
        self.shorten(line, first.plies, shortest)
    }

    /// The move that captures the last royal, or both.
    fn capture(&mut self) -> Option<Move> {
        let defender = !self.attacker;
        let moves = self.position.moves();
        let takes = |m: &Move| {
            self.position.make(*m);
            let none = self.position.royal_count(defender) == 0;
            self.position.unmake();
            none
        };
        moves.into_iter().find(takes)
    }

    /// Looks for shorter mates than the one of this line until there is none or the effort is spent.
    fn shorten(&mut self, mut line: Vec<Move>, mut plies: Plies, shortest: bool) -> Verdict {
        if !shortest {
            self.most_nodes = self.nodes + self.nodes.max(NODES_TO_SHORTEN);
        }
        loop {
            self.found = Some(plies);
            self.report();
            let refuted = if plies < 3 {
                true
            } else {
                let value = self.solve(plies - 2);
                if value.pn == 0 {
                    plies = value.plies;
                    line = self.line(plies, false).unwrap_or(line);
                    continue;
                }
                value.dn == 0
            };
            if refuted {
                line = self.line(plies, true).unwrap_or(line);
            }
            let minimal = refuted && line.len() == usize::from(plies);
            return Verdict::Mate { line, minimal };
        }
    }
}
