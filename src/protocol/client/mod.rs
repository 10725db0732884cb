//! The client side: other engines as processes, driven over USI or CECP.
//!
//! A [`Client`] plays moves. Everything that can go wrong with a foreign program comes back as a [`ClientError`], in
//! bounded time; a client that is dropped has killed its process group and reaped its child.

mod cecp;
mod listener;
mod process;
mod usi;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::InfoLine;
use crate::board::{Color, Game, Move};

pub use cecp::CecpClient;
pub use process::Launch;
pub use usi::UsiClient;

/// Time, nodes and depth that a side has for its moves. Nothing set is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Main time for the game; counted only if [`TimeControl::has_clock`].
    pub main: Duration,
    /// Added to the main time after each move.
    pub increment: Duration,
    /// For each move once the main time is used up.
    pub byoyomi: Duration,
    /// For each move, without a clock.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search in plies.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Whether the side has a clock that can run out over several moves.
    pub fn has_clock(&self) -> bool {
        !(self.main.is_zero() && self.increment.is_zero() && self.byoyomi.is_zero())
    }

    /// The longest that the next move may take with `left` on the clock; `None` if time does not matter.
    pub fn longest(&self, left: Duration) -> Option<Duration> {
        let clock = self.has_clock().then(|| left + self.byoyomi);
        [clock, self.move_time].into_iter().flatten().min()
    }
}

/// A move that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game; its side to move is the client's.
    pub game: &'a Game,
    /// The same game as USI writes it after `position`.
    pub line: &'a str,
    /// What Black and White have for their moves.
    pub controls: [&'a TimeControl; 2],
    /// The main time that Black and White have left.
    pub left: [Duration; 2],
    /// After this the answer is not worth waiting for; the engine is told to stop, and soon given up.
    pub patience: Duration,
}

impl Turn<'_> {
    /// The side to move.
    pub fn side(&self) -> Color {
        self.game.position().turn()
    }

    /// What the side to move has for its moves.
    pub fn control(&self) -> &TimeControl {
        let [black, white] = self.controls;
        match self.side() {
            Color::Black => black,
            Color::White => white,
        }
    }
}

/// What an engine answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move that is legal by rules §2–5; repetition is left to the referee.
    Move(Move),
    /// It resigns.
    Resign,
    /// Text that is no legal move here, or a claim that is not true.
    Illegal {
        /// What it wrote.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// An answer with what is known of the thinking behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The answer.
    pub answer: Answer,
    /// The last line of the search that had a score.
    pub info: Option<InfoLine>,
    /// From the question to the answer's arrival.
    pub elapsed: Duration,
}

/// Why an engine does not play on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program cannot be started.
    #[error("cannot start `{command}`: {reason}")]
    Start {
        /// The command.
        command: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine said nothing to the purpose in time.
    #[error("no {wanted} within {:.1} s", after.as_secs_f64())]
    Hang {
        /// What was waited for.
        wanted: &'static str,
        /// How long.
        after: Duration,
    },
    /// The process died.
    #[error("it died: {status}")]
    Crash {
        /// How it ended.
        status: String,
    },
    /// The engine closed its output or ended in good order where it should not.
    #[error("it went away")]
    Disconnect,
    /// The engine wrote without end.
    #[error("it wrote {lines} lines without an answer")]
    Flood {
        /// How many lines.
        lines: usize,
    },
    /// The game needs something that the engine or its protocol cannot do.
    #[error("{0}")]
    Unable(String),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl ClientError {
    /// The same, but that the wait was this long.
    fn after(self, after: Duration) -> ClientError {
        match self {
            ClientError::Hang { wanted, .. } => ClientError::Hang { wanted, after },
            error => error,
        }
    }
}

/// An engine as a player of games.
pub trait Client: Send {
    /// The engine's own name, if it told one.
    fn name(&self) -> Option<&str>;

    /// Prepares for a new game from `start` on (its moves, if any, are an opening), the engine playing `side`.
    ///
    /// # Errors
    ///
    /// The engine does not answer, or cannot play such a game.
    fn new_game(
        &mut self,
        start: &Game,
        side: Color,
        control: &TimeControl,
    ) -> Result<(), ClientError>;

    /// Asks for a move. The time runs from the call to the arrival of the answer.
    ///
    /// # Errors
    ///
    /// There is no answer.
    fn think(&mut self, turn: &Turn) -> Result<Thought, ClientError>;

    /// Tells how the game ended, for engines that want to know.
    fn game_over(&mut self, winner: Option<Color>);
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To the engine.
    Sent,
    /// From the engine's standard output.
    Received,
    /// From the engine's standard error.
    Complaint,
}

/// Gets every line that goes to and comes from an engine.
pub type Tap = Arc<dyn Fn(Direction, &str) + Send + Sync>;

/// Raised by one thread to make others stop waiting.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// How often waiting threads look.
    pub const EVERY: Duration = Duration::from_millis(50);

    /// One that is not raised.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Makes everybody stop waiting.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// A moment until which something is waited for.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    wanted: &'static str,
    after: Duration,
    at: Option<Instant>,
}

impl Deadline {
    fn new(wanted: &'static str, after: Duration) -> Deadline {
        // A wait beyond what the clock can count is one without end.
        let at = Instant::now().checked_add(after);
        Deadline { wanted, after, at }
    }

    fn left(&self) -> Duration {
        self.at.map_or(Duration::MAX, |at| {
            at.saturating_duration_since(Instant::now())
        })
    }

    fn error(&self) -> ClientError {
        ClientError::Hang {
            wanted: self.wanted,
            after: self.after,
        }
    }
}
