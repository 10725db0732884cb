//! Games as they are written down: headers, moves, clocks, comments and variations, whatever the format.

use std::time::Duration;

use thiserror::Error;

use super::ending::{Ending, Verdict};
use super::headers::Headers;
use super::sfen;
use crate::board::{Color, Game, Illegal, Move, Position, Rules, Setup, SetupError};

/// A game with everything that was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Players, dates and so on.
    pub headers: Headers,
    /// Where the game starts.
    pub start: Setup,
    /// The moves that were played, with the variations that leave them.
    pub main: Line,
}

/// Moves that follow each other from some position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What is said before the first move, a line each.
    pub comments: Vec<String>,
    /// The moves, in order.
    pub plies: Vec<Ply>,
    /// What the record says about the end.
    pub ending: Option<Ending>,
    /// The end took this time.
    pub ending_clock: Option<Clock>,
    /// Other ways to go on, ordered by where they leave this line.
    variations: Vec<Variation>,
}

/// A move with what was written about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The time it took.
    pub clock: Option<Clock>,
    /// What is said after it, a line each.
    pub comments: Vec<String>,
}

impl From<Move> for Ply {
    fn from(m: Move) -> Ply {
        Ply {
            m,
            clock: None,
            comments: Vec::new(),
        }
    }
}

/// The time that a player took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// For this move.
    pub spent: Duration,
    /// For all the player's moves up to this one.
    pub total: Option<Duration>,
}

/// A line that leaves another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// After how many plies of the other line it begins.
    pub after: usize,
    /// Its moves.
    pub line: Line,
}

/// Why the moves of a record cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The start is no position.
    #[error("bad start position: {}", reasons(.0))]
    Start(Vec<SetupError>),
    /// A move is not legal by the rules.
    #[error("move {number}: {reason}")]
    Move {
        /// Which move it is, from 1.
        number: usize,
        /// What is wrong with it.
        reason: Illegal,
    },
}

/// Every reason, in one line.
pub(super) fn reasons(errors: &[SetupError]) -> String {
    let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
    reasons.join("; ")
}

impl Record {
    /// A record without moves.
    pub fn new(start: Setup) -> Record {
        Record {
            headers: Headers::default(),
            start,
            main: Line::default(),
        }
    }

    /// The moves of the main line, played by rules that may differ from those of the record.
    ///
    /// # Errors
    ///
    /// The start is no position, or a move is not legal, repeats a position that it may not, or comes after the end.
    pub fn play(&self, rules: Rules) -> Result<Game, PlayError> {
        let mut game = Game::new(self.start.clone(), rules).map_err(PlayError::Start)?;
        for ply in &self.main.plies {
            game.play(ply.m).map_err(|error| PlayError::Move {
                number: error.number,
                reason: error.reason,
            })?;
        }
        Ok(game)
    }

    /// The position before the first move, by these rules.
    ///
    /// # Errors
    ///
    /// Every reason why the start is no position.
    pub fn position(&self, rules: Rules) -> Result<Position, Vec<SetupError>> {
        Position::new(&self.start, rules)
    }

    /// The position after the main line, whatever these rules say of its moves; none if the start is no position.
    fn final_position(&self, rules: Rules) -> Option<Position> {
        let mut position = self.position(rules).ok()?;
        self.main.walk(&mut position, |_, _| {});
        Some(position)
    }

    /// What the game comes to, by the record's own word or else by these rules; nothing if it has not ended.
    pub fn verdict(&self, rules: Rules) -> Option<Verdict> {
        match self.main.ending {
            Some(ending) => ending.verdict(self.turn_after(self.main.plies.len())),
            None => Verdict::of(self.final_position(rules)?.outcome()),
        }
    }

    /// The handicap that it starts from, if that has a name.
    pub fn handicap(&self) -> Option<&'static sfen::Handicap> {
        let is_start = |handicap: &&sfen::Handicap| {
            sfen::parse(handicap.sfen).is_ok_and(|setup| setup == self.start)
        };
        sfen::HANDICAPS.iter().find(is_start)
    }

    /// The side to move after so many plies of the main line.
    pub fn turn_after(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) {
            self.start.turn
        } else {
            !self.start.turn
        }
    }
}

impl From<&Game> for Record {
    fn from(game: &Game) -> Record {
        let mut record = Record::new(game.start().clone());
        record.main = game.moves().collect();
        record
    }
}

impl FromIterator<Move> for Line {
    fn from_iter<T: IntoIterator<Item = Move>>(moves: T) -> Line {
        Line {
            plies: moves.into_iter().map(Ply::from).collect(),
            ..Line::default()
        }
    }
}

impl Line {
    /// The moves alone.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.m)
    }

    /// Makes the moves, as far as that is possible, and shows each with the position before it.
    pub(super) fn walk<'a>(
        &'a self,
        position: &mut Position,
        mut visit: impl FnMut(&'a Ply, &Position),
    ) {
        for ply in &self.plies {
            if !is_possible(ply.m, position) {
                break;
            }
            visit(ply, position);
            position.make(ply.m);
        }
    }

    /// Adds another way to go on after so many plies of this line, behind those that are there.
    pub fn branch(&mut self, after: usize, line: Line) {
        let at = self
            .variations
            .partition_point(|other| other.after <= after);
        self.variations.insert(at, Variation { after, line });
    }

    /// The other ways to go on, ordered by where they leave this line.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// The other ways to go on, those that leave latest first.
    pub(super) fn variations_from_the_end(&self) -> impl Iterator<Item = &Variation> {
        let groups = self
            .variations
            .chunk_by(|one, other| one.after == other.after);
        groups.rev().flatten()
    }

    /// The other ways to go on after so many plies of this line.
    pub fn variations_after(&self, after: usize) -> impl Iterator<Item = &Line> {
        let here = self.variations.iter().filter(move |v| v.after == after);
        here.map(|variation| &variation.line)
    }
}

/// Whether the pieces stand so that a move can be made at all, whatever the rules of its game say.
pub(super) fn is_possible(m: Move, position: &Position) -> bool {
    let us = position.turn();
    let color = |square| position.piece(square).map(|piece| piece.color());
    let takes = |square| color(square) == Some(!us);
    color(m.from()) == Some(us)
        && (m.to() == m.from() || color(m.to()) != Some(us))
        && m.mid().is_none_or(takes)
}
