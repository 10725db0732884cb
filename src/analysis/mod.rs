//! What the engine thinks of whole games: a verdict on every position, what each move cost, reports.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use sakijishi::analysis::{Analysis, Plan, run, table};
//! use sakijishi::engine::Limits;
//! use sakijishi::notation::{line, record::Record, style::Style};
//!
//! let game = line::parse("startpos moves 7j7h 6c7e 7h7g")?.play(Default::default())?;
//! let mut games = [Analysis::new("mine", Record::from(&game), Default::default()).unwrap()];
//! let limits = Limits { nodes: Some(500), ..Limits::default() };
//! run(&mut games, &Plan { limits, ..Plan::default() }, &AtomicBool::new(false), |_, _| {})?;
//! assert!(games[0].is_complete());
//! println!("{}", table::text(&games[0], Style::Japanese));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotate;
pub mod html;
pub mod json;
mod judge;
mod run;
pub mod table;

use std::fmt;

use crate::board::{Game, Illegal, Move, Position, Rules, SetupError};
use crate::engine::score::Score;
use crate::notation::line::LineError;
use crate::notation::reading::{Broken, Problem, Reading};
use crate::notation::record::Record;
use crate::notation::usi;

pub use judge::{Judgement, Mark, Summary};
pub use run::{News, Plan, run};

/// A game, and what is known about its positions so far.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What the game is called in reports.
    pub name: String,
    /// The game as it was written.
    pub record: Record,
    /// The main line as far as it is legal.
    game: Game,
    /// A verdict on the start position and on the one after each move, once there is one.
    verdicts: Vec<Option<Verdict>>,
    /// The first thing that is wrong with the game.
    pub violation: Option<Violation>,
}

/// What a search found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// For the side to move.
    pub score: Score,
    /// In plies; 0 if the game is over.
    pub depth: u32,
    /// How many nodes it took.
    pub nodes: u64,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
}

/// Where a game breaks the rules, or cannot be read. What comes behind it is not analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The move's number, from 1.
    pub ply: usize,
    /// What is wrong, with the move as it is written.
    pub reason: String,
    /// The section of the rules, if it is a rule that is broken.
    pub section: Option<&'static str>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.section {
            Some(section) => write!(
                f,
                "move {} breaks rules {section}: {}",
                self.ply, self.reason
            ),
            None => write!(f, "move {}: {}", self.ply, self.reason),
        }
    }
}

impl Violation {
    /// What a reader stopped at where this move should be.
    fn unread(ply: usize, broken: &Broken) -> Violation {
        let reason = match &broken.problem {
            Problem::Line(LineError::Move { reason, .. }) => reason.to_string(),
            problem => format!("{problem} (line {})", broken.line),
        };
        Violation {
            ply,
            reason,
            section: broken.problem.illegal().map(Illegal::section),
        }
    }

    fn illegal(m: Move, position: &Position, reason: Illegal) -> Violation {
        Violation {
            ply: position.made() + 1,
            reason: format!("`{}`: {reason}", usi::format(m, position)),
            section: Some(reason.section()),
        }
    }
}

impl Analysis {
    /// A game of which nothing is known yet, judged by these rules up to the first move that breaks them.
    ///
    /// # Errors
    ///
    /// Every reason why the start is no position.
    pub fn new(
        name: impl Into<String>,
        record: Record,
        rules: Rules,
    ) -> Result<Analysis, Vec<SetupError>> {
        let mut game = Game::new(record.start.clone(), rules)?;
        let mut violation = None;
        for m in record.main.moves() {
            if let Err(error) = game.play(m) {
                violation = Some(Violation::illegal(m, game.position(), error.reason));
                break;
            }
        }
        let positions = game.position().made() + 1;
        Ok(Analysis {
            name: name.into(),
            record,
            game,
            verdicts: vec![None; positions],
            violation,
        })
    }

    /// The same for a game that may have been read in part only.
    ///
    /// # Errors
    ///
    /// Every reason why the start is no position.
    pub fn of_reading(
        name: impl Into<String>,
        reading: Reading,
        rules: Rules,
    ) -> Result<Analysis, Vec<SetupError>> {
        let read = reading.record.main.plies.len();
        let mut analysis = Analysis::new(name, reading.record, rules)?;
        let broken = reading
            .error
            .map(|broken| Violation::unread(read + 1, &broken));
        analysis.violation = analysis.violation.or(broken);
        Ok(analysis)
    }

    /// The game, as far as it is legal.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of moves, as far as the game is legal.
    pub fn plies(&self) -> usize {
        self.game.position().made()
    }

    /// The verdict on the position after so many plies.
    pub fn verdict(&self, after: usize) -> Option<&Verdict> {
        self.verdicts.get(after)?.as_ref()
    }

    /// Gives a verdict on the position after so many plies; nothing happens if there is no such position.
    pub fn set_verdict(&mut self, after: usize, verdict: Verdict) {
        if let Some(place) = self.verdicts.get_mut(after) {
            *place = Some(verdict);
        }
    }

    /// How many positions have their verdict.
    pub fn done(&self) -> usize {
        self.verdicts.iter().flatten().count()
    }

    /// Whether every position has its verdict.
    pub fn is_complete(&self) -> bool {
        self.verdicts.iter().all(Option::is_some)
    }

    /// The game after so many plies, with its history.
    pub fn game_after(&self, plies: usize) -> Game {
        let mut game = self.game.clone();
        while game.position().made() > plies {
            game.undo();
        }
        game
    }

    /// The start position and the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.game_after(0).position().clone();
        let mut moves = self.game.moves();
        let mut next = Some(position.clone());
        std::iter::from_fn(move || {
            let here = next.take()?;
            if let Some(m) = moves.next() {
                position.make(m);
                next = Some(position.clone());
            }
            Some(here)
        })
    }
}
