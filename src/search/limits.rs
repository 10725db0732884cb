//! What ends a search, and how another thread talks to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::board::Move;

/// A clock: what the side to move has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockLimits {
    /// Main time left. Negative clocks count as empty.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// For each move once the main time is used up.
    pub byoyomi: Duration,
    /// Moves to the next time control, if known.
    pub moves_to_go: Option<u32>,
}

/// What a search may use. No limit at all means that only [`Signals::stop`] ends it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// Nodes after which no deeper iteration is begun.
    pub soft_nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A clock to plan with.
    pub clock: Option<ClockLimits>,
    /// Time kept back for the way to the GUI.
    pub overhead: Duration,
    /// Report nothing before [`Signals::stop`].
    pub infinite: bool,
    /// Report nothing before [`Signals::stop`] or [`Signals::ponderhit`], which starts the clock.
    pub ponder: bool,
    /// Only these moves; all if empty.
    pub search_moves: Vec<Move>,
    /// How many lines.
    pub multi_pv: usize,
    /// What a draw is worth to the side to move at the root, in centipawns; negative to avoid draws.
    pub draw_score: i32,
}

/// How other threads talk to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    changed: Condvar,
    lock: Mutex<()>,
}

impl Signals {
    /// Prepares for a search that starts in `pondering` or in normal mode.
    pub fn reset(&self, pondering: bool) {
        self.stop.store(false, Ordering::SeqCst);
        self.pondering.store(pondering, Ordering::SeqCst);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.notify();
    }

    /// The expected move was played: the clock runs from now on.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::SeqCst);
        self.notify();
    }

    /// Whether the search should end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What [`Signals::stop`] sets, for a search that is not this room's.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether the clock does not run yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    fn notify(&self) {
        let _guard = self
            .lock
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        self.changed.notify_all();
    }

    /// Waits for [`Signals::stop`], or for [`Signals::ponderhit`] unless `infinite`.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut guard = self
            .lock
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        while !self.stop.load(Ordering::SeqCst)
            && (infinite || self.pondering.load(Ordering::SeqCst))
        {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}
