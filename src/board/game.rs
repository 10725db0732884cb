//! A game: where it started and what was played.

use thiserror::Error;

use super::illegal::Illegal;
use super::moves::Move;
use super::outcome::Outcome;
use super::position::Position;
use super::rules::Rules;
use super::setup::{Setup, SetupError};

/// A start position and the moves played from it, all of them legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    start: Setup,
    position: Position,
}

/// An illegal move in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct PlayError {
    /// Which move of the game it would have been, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: Illegal,
}

impl Game {
    /// A game that starts from a setup.
    ///
    /// # Errors
    ///
    /// Every reason why the setup is no position.
    pub fn new(start: Setup, rules: Rules) -> Result<Game, Vec<SetupError>> {
        let position = Position::new(&start, rules)?;
        Ok(Game { start, position })
    }

    /// Where the game started.
    pub fn start(&self) -> &Setup {
        &self.start
    }

    /// The position now, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played, oldest first.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.position.moves_made()
    }

    /// Whether the game is over.
    pub fn outcome(&self) -> Outcome {
        self.position.outcome()
    }

    /// Plays a move, checked by every rule.
    ///
    /// # Errors
    ///
    /// Which move it would have been, and why it may not be played.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError> {
        let number = self.position.made() + 1;
        self.position
            .play(m)
            .map(drop)
            .map_err(|reason| PlayError { number, reason })
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        self.position.unmake()
    }
}
