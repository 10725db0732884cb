//! What comes out of reading a game: the record, as far as it could be read, and what is wrong with the rest.

use thiserror::Error;

use super::encoding::EncodingError;
use super::kif;
use super::line::LineError;
use super::pgn;
use super::record::Record;
use super::usi::MoveError;
use crate::board::Illegal;

/// One game of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The game, as far as it could be read.
    pub record: Record,
    /// What the reader stopped at.
    pub error: Option<Broken>,
}

/// Where a file is broken, and how.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct Broken {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a file, in whatever format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// A game on one line.
    #[error(transparent)]
    Line(#[from] LineError),
    /// KIF.
    #[error(transparent)]
    Kif(#[from] kif::Problem),
    /// PGN.
    #[error(transparent)]
    Pgn(#[from] pgn::Problem),
    /// Bytes that are no text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
}

impl Problem {
    /// Why a move is illegal, if that is the problem.
    pub fn illegal(&self) -> Option<Illegal> {
        match self {
            Problem::Line(LineError::Move {
                reason: MoveError::Illegal { reason, .. },
                ..
            })
            | Problem::Kif(kif::Problem::Move(MoveError::Illegal { reason, .. }))
            | Problem::Pgn(pgn::Problem::Move(MoveError::Illegal { reason, .. })) => Some(*reason),
            _ => None,
        }
    }
}

impl Reading {
    /// The record, if all of it could be read.
    ///
    /// # Errors
    ///
    /// What the reader stopped at.
    pub fn whole(self) -> Result<Record, Broken> {
        match self.error {
            None => Ok(self.record),
            Some(broken) => Err(broken),
        }
    }
}
