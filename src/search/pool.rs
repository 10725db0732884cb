//! Search threads and what they keep between searches.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::clock::Clock;
use super::limits::{Limits, Signals};
use super::root::{Info, Report, RootMove};
use super::tt::Table;
use super::worker::{Memory, Shared, Worker};
use crate::board::{Move, Position};
use crate::eval::Network;
use crate::eval::score::{INFINITE, mate_distance};

/// The table and the threads' memories.
pub struct Pool {
    table: Table,
    memories: Vec<Memory>,
    network: Option<Arc<Network>>,
}

/// The stack of a thread that searches: a search recurses once a ply, with lists of moves in each frame. On a thread
/// that has less, each search takes a stack of its own.
pub const STACK: usize = 16 << 20;
/// How much of it a search may use.
const STACK_NEEDED: usize = STACK / 2;
/// After this long, lines are reported at most every [`REPORT_EVERY`].
const REPORT_ALL: Duration = Duration::from_secs(1);
const REPORT_EVERY: Duration = Duration::from_millis(50);

impl Pool {
    /// A pool of some threads, at least one, and a table of some mebibytes.
    pub fn new(threads: usize, mebibytes: usize) -> Pool {
        let memories = (0..threads.max(1)).map(|_| Memory::new()).collect();
        Pool {
            table: Table::new(mebibytes),
            memories,
            network: None,
        }
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), Memory::new);
    }

    /// The network that corrects the piece-square values, if one does.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Changes the network that corrects the piece-square values; scores that earlier searches found are forgotten.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        self.network = network;
        self.clear();
    }

    /// Replaces the table by an empty one of this many mebibytes.
    pub fn set_table(&mut self, mebibytes: usize) {
        self.table = Table::new(1);
        self.table = Table::new(mebibytes);
    }

    /// Forgets everything that earlier searches found.
    pub fn clear(&mut self) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.clear();
        }
    }

    /// Searches a position until the limits or a signal end it; `on_info` gets the lines as they come.
    ///
    /// The moves are those that may be played now. Without any, the report has no best move. The first thread is the
    /// caller's, which does best to have a stack of [`STACK`] bytes.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut (dyn FnMut(Info) + Send),
    ) -> Report {
        let clock = Clock::start(limits, position.ply());
        let wanted = |m: &Move| {
            limits.search_moves.is_empty()
                || limits
                    .search_moves
                    .iter()
                    .any(|&w| position.canonical(w) == *m)
        };
        let moves: Vec<Move> = position.game_moves().into_iter().filter(wanted).collect();
        if moves.is_empty() {
            return Report {
                time: clock.elapsed(),
                ..Report::default()
            };
        }
        self.table.new_search();
        let shared = Shared {
            table: &self.table,
            signals,
            limits,
            network: self.network.as_deref(),
            nodes: AtomicU64::new(0),
            halt: AtomicBool::new(false),
        };
        let Some((first, helpers)) = self.memories.split_first_mut() else {
            return Report::default();
        };
        let (mut report, others) = thread::scope(|scope| {
            let builder = || thread::Builder::new().stack_size(STACK);
            let mut running = Vec::new();
            for memory in helpers {
                let mut worker = Worker::new(&shared, memory, position, None);
                worker.root_moves = moves.iter().map(|&m| RootMove::new(m)).collect();
                worker.may_stop = true;
                let help = move || {
                    worker.iterate(&mut |_, _| {});
                    lines(&mut worker, &clock).into_iter().next()
                };
                match builder().spawn_scoped(scope, help) {
                    Ok(thread) => running.push(thread),
                    Err(_) => break,
                }
            }
            let mut worker = Worker::new(&shared, first, position, Some(clock));
            worker.root_moves = moves.iter().map(|&m| RootMove::new(m)).collect();
            // Whatever happens in it, the others are told to end, and there is a report.
            let report = panic::catch_unwind(AssertUnwindSafe(|| {
                stacker::maybe_grow(STACK_NEEDED, STACK, || {
                    lead(&mut worker, &clock, &mut *on_info)
                })
            }));
            shared.halt.store(true, Ordering::Relaxed);
            let others = running.into_iter().filter_map(|thread| thread.join().ok());
            (
                report.unwrap_or_default(),
                others.flatten().collect::<Vec<_>>(),
            )
        });
        if limits.multi_pv <= 1
            && let Some(best) = elect(&report, others)
        {
            on_info(best.clone());
            report.set_lines(vec![best]);
        }
        report
    }
}

/// Among the lines that the threads ended with, that of the move which most of them hold for the best, weighted by depth and
/// score; `None` if it is the first thread's.
fn elect(report: &Report, mut lines: Vec<Info>) -> Option<Info> {
    let own = report.lines.first()?;
    lines.retain(|line| line.depth > 0 && line.score.abs() < INFINITE);
    lines.insert(0, own.clone());
    let least = lines.iter().map(|line| line.score).min()?;
    let weight = |line: &Info| i64::from(line.score - least + 15) * i64::from(line.depth);
    let votes = |line: &Info| -> i64 {
        let same = lines
            .iter()
            .filter(|other| other.pv.first() == line.pv.first());
        same.map(weight).sum()
    };
    // The first of equals, so that the own line stays unless another is better.
    let rank = |line: &Info| match mate_distance(line.score) {
        Some(plies) if plies > 0 => (1, -i64::from(plies), 0),
        _ => (0, votes(line), i64::from(line.depth)),
    };
    let best = lines.iter().rev().max_by_key(|line| rank(line))?;
    (best.pv != own.pv).then(|| best.clone())
}

/// Runs the first thread: it reports, and looks at the clock.
fn lead(worker: &mut Worker, clock: &Clock, on_info: &mut (dyn FnMut(Info) + Send)) -> Report {
    let mut report = Report::default();
    // When lines were last sent, and after how many nodes.
    let (mut sent, mut sent_nodes) = (Duration::ZERO, 0);
    worker.iterate(&mut |worker, last| {
        report.lines = lines(worker, clock);
        let (now, nodes) = (clock.elapsed(), worker.nodes);
        let due = now < REPORT_ALL || now > sent + REPORT_EVERY;
        if if last { nodes > sent_nodes } else { due } {
            (sent, sent_nodes) = (now, nodes);
            report.lines.iter().cloned().for_each(&mut *on_info);
        }
    });
    report.nodes = worker.flush_nodes();
    report.time = clock.elapsed();
    report.cutoffs = worker.cutoffs;
    let lines = std::mem::take(&mut report.lines);
    report.set_lines(lines);
    report
}

/// The best lines as they stand; before an iteration has finished, those that the last one found.
fn lines(worker: &mut Worker, clock: &Clock) -> Vec<Info> {
    let nodes = worker.flush_nodes();
    let wanted = worker.shared.limits.multi_pv.max(1);
    let hashfull = worker.shared.table.fullness();
    let lines = worker.root_moves.iter().take(wanted).enumerate();
    lines
        .map(|(n, line)| Info {
            depth: line.depth,
            seldepth: line.seldepth.max(line.pv.len()) as u32,
            multi_pv: n + 1,
            score: if line.score == -INFINITE {
                line.previous
            } else {
                line.score
            },
            nodes,
            time: clock.elapsed(),
            hashfull,
            pv: line.pv.clone(),
        })
        .collect()
}
