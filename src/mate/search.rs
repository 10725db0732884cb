//! Depth-first proof-number search.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::loops::Loops;
use super::table::{Entry, FOREVER, Plies, Table};
use super::value::{INFINITE, Value};
use super::{Limits, Progress};
use crate::board::{Color, Move, MoveList, Position};

/// Numbers of thresholds never reach those of a decided position.
const MOST: u32 = INFINITE - 1;
/// After so many nodes the clock is looked at.
const NODES_BETWEEN_LOOKS: u64 = 2048;
const TIME_BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// A move with what is known of the position after it.
#[derive(Clone, Copy)]
struct Branch {
    m: Move,
    value: Value,
    /// Not searched yet.
    fresh: bool,
    /// Met before nearer to the root: a cycle may lead through it.
    old: bool,
}

/// A search in progress: the position it has reached and the path there.
pub(super) struct Search<'a> {
    pub(super) position: Position,
    pub(super) attacker: Color,
    pub(super) table: &'a mut Table,
    loops: &'a mut Loops,
    limits: Limits<'a>,
    on_progress: &'a mut dyn FnMut(&Progress),
    pub(super) start: Instant,
    /// Moves made.
    pub(super) nodes: u64,
    /// More nodes than this are not spent on the present purpose.
    pub(super) most_nodes: u64,
    pub(super) stopped: bool,
    /// Plies of the mate found so far.
    pub(super) found: Option<Plies>,
    next_look: u64,
    last_report: Instant,
    path: Vec<u64>,
    /// A number for the path.
    path_key: u64,
    branches: Vec<Branch>,
    /// Thresholds are raised until a new position has been reached, lest a cycle keep the numbers below them.
    raise: bool,
}

/// A number for a position at a depth of the path; they add up to the number of the path.
fn step_key(key: u64, depth: usize) -> u64 {
    let mut z = key.wrapping_add((depth as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 27)
}

impl<'a> Search<'a> {
    pub(super) fn new(
        position: &Position,
        table: &'a mut Table,
        loops: &'a mut Loops,
        limits: Limits<'a>,
        on_progress: &'a mut dyn FnMut(&Progress),
    ) -> Search<'a> {
        let now = Instant::now();
        Search {
            position: position.clone(),
            attacker: position.turn(),
            table,
            loops,
            limits,
            on_progress,
            start: now,
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
            found: None,
            next_look: 0,
            last_report: now,
            path: Vec::new(),
            path_key: 0,
            branches: Vec::new(),
            raise: false,
        }
    }

    /// Proves or refutes a mate within `bound` plies; the value stays open if a limit is reached first.
    pub(super) fn solve(&mut self, bound: Plies) -> Value {
        let mut value = Value::open(1, 1);
        self.look_at_limits();
        while !value.is_certain() && !self.stopped {
            value = self.search(MOST, MOST, bound, true);
        }
        value
    }

    pub(super) fn make(&mut self, m: Move) {
        self.nodes += 1;
        self.position.make(m);
    }

    /// Stops the search when a limit is reached, and reports now and then.
    pub(super) fn look_at_limits(&mut self) {
        let late = |time| self.start.elapsed() >= time;
        let most = self.limits.nodes.unwrap_or(u64::MAX).min(self.most_nodes);
        self.stopped = self.nodes >= most
            || self.limits.time.is_some_and(late)
            || self
                .limits
                .stop
                .is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.next_look = most.min(self.nodes + NODES_BETWEEN_LOOKS);
        if self.last_report.elapsed() >= TIME_BETWEEN_REPORTS {
            self.report();
        }
    }

    pub(super) fn report(&mut self) {
        self.last_report = Instant::now();
        (self.on_progress)(&Progress {
            nodes: self.nodes,
            time: self.start.elapsed(),
            table_permille: self.table.permille(),
            found: self.found.map(u32::from),
        });
    }

    /// Searches the position until its proof or disproof number reaches its threshold.
    fn search(&mut self, mut most_pn: u32, mut most_dn: u32, bound: Plies, fresh: bool) -> Value {
        let (depth, key, start) = (self.path.len(), self.position.key(), self.nodes);
        let attacks = self.position.turn() == self.attacker;
        let first = self.branches.len();

        // 1. List the moves with what is known of them.
        if let Some(value) = self.branch(attacks, bound) {
            self.branches.truncate(first);
            self.remember(key, value, start);
            return value;
        }
        if fresh {
            self.raise = false;
        }
        self.raise |= self.branches[first..].iter().any(|branch| branch.old);

        // 2. Search the most promising move until the numbers are beyond the thresholds.
        let path_key = self.path_key;
        self.path.push(key);
        self.path_key = path_key.wrapping_add(step_key(key, depth));
        let value = loop {
            let value = self.sum(attacks, first);
            if value.is_certain() || self.stopped {
                break value;
            }
            if self.raise {
                most_pn = most_pn.max(value.pn + 1).min(MOST);
                most_dn = most_dn.max(value.dn + 1).min(MOST);
            }
            if value.pn >= most_pn || value.dn >= most_dn {
                break value;
            }
            let (chosen, pn, dn) = self.choose(attacks, first, value, most_pn, most_dn);
            let branch = self.branches[chosen];
            self.make(branch.m);
            let value = self.search(pn, dn, bound - 1, branch.fresh);
            self.position.unmake();
            self.branches[chosen].value = value;
            self.branches[chosen].fresh = false;
            if self.nodes >= self.next_look {
                self.look_at_limits();
            }
        };

        // 3. Go back.
        self.path.pop();
        self.path_key = path_key;
        self.branches.truncate(first);
        let value = value.detached(depth);
        self.remember(key, value, start);
        value
    }

    fn sum(&self, attacks: bool, first: usize) -> Value {
        let values = self.branches[first..].iter().map(|branch| branch.value);
        if attacks {
            Value::of_attack(values)
        } else {
            Value::of_defence(values)
        }
    }

    /// The most promising move and its thresholds: it is left when another becomes better by a quarter, which saves
    /// much going to and fro.
    fn choose(
        &self,
        attacks: bool,
        first: usize,
        sum: Value,
        most_pn: u32,
        most_dn: u32,
    ) -> (usize, u32, u32) {
        let numbers = |value: &Value| {
            if attacks {
                (value.pn, value.dn)
            } else {
                (value.dn, value.pn)
            }
        };
        let (mut best, mut least, mut second) = (first, (u32::MAX, 0), INFINITE);
        for (i, branch) in self.branches.iter().enumerate().skip(first) {
            let numbers = numbers(&branch.value);
            if numbers < least {
                second = second.min(least.0);
                (best, least) = (i, numbers);
            } else {
                second = second.min(numbers.0);
            }
        }
        let enough = second.saturating_add(second / 4 + 1);
        let chosen = self.branches[best].value;
        if attacks {
            (
                best,
                most_pn.min(enough),
                (most_dn - sum.dn).saturating_add(chosen.dn).min(MOST),
            )
        } else {
            (
                best,
                (most_pn - sum.pn).saturating_add(chosen.pn).min(MOST),
                most_dn.min(enough),
            )
        }
    }

    /// Puts a result into the table, or among the loops if it holds on this path alone.
    fn remember(&mut self, key: u64, value: Value, start: u64) {
        let mut entry = self.table.get(key).unwrap_or(Entry::new(key));
        let work = u32::try_from(self.nodes - start).unwrap_or(u32::MAX);
        entry.work = entry.work.saturating_add(work.max(1));
        entry.depth = entry.depth.min(self.path.len() as Plies);
        if value.dn == 0 && value.hangs_on != FOREVER {
            self.loops
                .put(key ^ self.path_key, value.plies, value.hangs_on);
        } else {
            entry.learn(value);
        }
        self.table.put(entry);
    }

    /// Lists the moves of the position with what is known of them; the position's value if that settles it.
    #[inline(never)]
    fn branch(&mut self, attacks: bool, bound: Plies) -> Option<Value> {
        let first = self.branches.len();
        let key = self.position.key();
        let path_key = self.path_key.wrapping_add(step_key(key, self.path.len()));
        for m in self.moves(attacks) {
            let branch = self.known(m, path_key, attacks, bound - 1);
            let value = branch.value;
            if attacks && value.pn == 0 && value.plies == 0 {
                return Some(Value::mate(1));
            }
            if !attacks && value.dn == 0 && value.hangs_on == FOREVER {
                return Some(Value::no_mate(value.plies.saturating_add(1)));
            }
            self.branches.push(branch);
        }
        if self.branches.len() > first {
            None
        } else if attacks {
            Some(Value::no_mate(FOREVER))
        } else {
            Some(Value::mate(0))
        }
    }

    /// Checks of the attacker, or the moves of the defender that do not lose the last royal at once.
    pub(super) fn moves(&self, attacks: bool) -> MoveList {
        let mut moves = MoveList::new();
        if attacks {
            self.position.visit_checks(|m| moves.push(m));
        } else {
            let _ = self.position.visit_escapes(|m| {
                moves.push(m);
                ControlFlow::Continue(())
            });
        }
        moves
    }

    /// What is known of the position after a move, or a first look at it. `path_key` is that of the path to it.
    fn known(&mut self, m: Move, path_key: u64, attacks: bool, bound: Plies) -> Branch {
        let key = self.position.key_after(m);
        let mut branch = Branch {
            m,
            value: Value::open(1, 1),
            fresh: true,
            old: false,
        };
        if let Some(depth) = self.path.iter().position(|&on_path| on_path == key) {
            branch.value = Value::no_mate_on_path(FOREVER, depth as Plies);
            return branch;
        }
        let entry = match self.table.get(key) {
            Some(entry) => entry,
            None => {
                self.make(m);
                let entry = self.look(key, !attacks);
                self.position.unmake();
                self.table.put(entry);
                entry
            }
        };
        branch.value = Value::of_entry(&entry, bound);
        if branch.value.is_certain() {
            return branch;
        }
        branch.fresh = entry.work == 0;
        branch.old = usize::from(entry.depth) <= self.path.len();
        if let Some((plies, hangs_on)) = self.loops.get(key ^ path_key)
            && plies >= bound
        {
            branch.value = Value::no_mate_on_path(plies, hangs_on);
        }
        branch
    }

    /// A first look at a new position, deep enough to see a mate in one move of the attacker.
    pub(super) fn look(&mut self, key: u64, attacks: bool) -> Entry {
        let mut entry = Entry::new(key);
        let value = if attacks {
            self.look_at_attack()
        } else {
            self.look_at_defence()
        };
        if !value.is_certain() {
            // Longer than what has been looked at, and the parity of the attacker's moves is odd.
            entry.no_mate = if attacks { 2 } else { 1 };
        }
        entry.learn(value);
        entry
    }

    fn look_at_defence(&mut self) -> Value {
        if self.position.threatens_last_royal(!self.attacker) {
            return Value::no_mate(FOREVER);
        }
        let mut escapes = 0;
        let _ = self.position.visit_escapes(|_| {
            escapes += 1;
            ControlFlow::Continue(())
        });
        if escapes == 0 {
            Value::mate(0)
        } else {
            Value::open(escapes, 1)
        }
    }

    fn look_at_attack(&mut self) -> Value {
        let checks = self.moves(true);
        for &m in &checks {
            self.make(m);
            let mates = !self.position.threatens_last_royal(!self.attacker)
                && self
                    .position
                    .visit_escapes(|_| ControlFlow::Break(()))
                    .is_continue();
            self.position.unmake();
            if mates {
                return Value::mate(1);
            }
        }
        match checks.len() {
            0 => Value::no_mate(FOREVER),
            checks => Value::open(1, checks as u32),
        }
    }
}
