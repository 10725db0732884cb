//! Games on one line: `position startpos moves …`, `sfen S moves …`, a name, or a bare SFEN with moves behind it.

use thiserror::Error;

use super::reading::{Broken, Reading};
use super::record::{Ply, Record, reasons};
use super::sfen::{self, SfenError};
use super::usi::{self, MoveError};
use crate::board::{Game, Illegal, Move, PlayError, Position, Rules, Setup};

/// Why a line is no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LineError {
    /// There is nothing on the line.
    #[error("there is no position")]
    Empty,
    /// The start position is bad.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The start position cannot be played by the rules.
    #[error("bad position: {0}")]
    Setup(String),
    /// Something stands where `moves` should.
    #[error("`{0}` is not expected after the position; `moves` is")]
    NoMoves(String),
    /// A move cannot be read or is not legal.
    #[error("move {number}: {reason}")]
    Move {
        /// Which move of the line, from 1.
        number: usize,
        /// What is wrong with it.
        reason: MoveError,
    },
}

/// A start position and moves as they are written, not yet played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameLine {
    /// Where the game starts.
    pub start: Setup,
    /// The moves as text.
    pub moves: Vec<String>,
}

/// Reads a line without playing its moves. The word `position` may come first; a missing or empty `moves` is a game
/// without moves.
///
/// # Errors
///
/// The start position is bad, or something stands where it should not.
pub fn parse(line: &str) -> Result<GameLine, LineError> {
    let mut words = line.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let first = words.next().ok_or(LineError::Empty)?;
    let start = match sfen::named(first) {
        Some(setup) => setup,
        None => {
            let mut fields = Vec::new();
            if first != "sfen" {
                fields.push(first);
            }
            // A bare SFEN may have moves right behind it: no field of an SFEN looks like a move.
            while let Some(word) =
                words.next_if(|word| *word != "moves" && !(fields.len() >= 2 && is_move(word)))
            {
                fields.push(word);
            }
            sfen::parse(&fields.join(" "))?
        }
    };
    if words.next_if_eq(&"moves").is_none()
        && let Some(word) = words.peek().filter(|word| !is_move(word))
    {
        return Err(LineError::NoMoves((*word).to_owned()));
    }
    Ok(GameLine {
        start,
        moves: words.map(str::to_owned).collect(),
    })
}

/// Whether a word begins like a move, with two squares.
fn is_move(word: &str) -> bool {
    usi::take_square(word).is_some_and(|(_, rest)| usi::take_square(rest).is_some())
}

impl GameLine {
    /// Plays the moves by the rules.
    ///
    /// # Errors
    ///
    /// The first move that is unreadable or illegal, or that comes after the end of the game.
    pub fn play(&self, rules: Rules) -> Result<Game, LineError> {
        let game = Game::new(self.start.clone(), rules);
        let mut game = game.map_err(|errors| LineError::Setup(reasons(&errors)))?;
        self.moves
            .iter()
            .try_for_each(|text| play(&mut game, text))?;
        Ok(game)
    }
}

/// Plays one more move, given as text.
///
/// # Errors
///
/// Which move of the game it would be, and what is wrong with it.
pub fn play(game: &mut Game, text: &str) -> Result<(), LineError> {
    let number = game.position().made() + 1;
    let illegal = |reason: Illegal| MoveError::Illegal {
        text: text.to_owned(),
        reason,
    };
    let outcome = game.outcome();
    let played = if outcome.is_over() {
        Err(illegal(Illegal::GameOver(outcome)))
    } else {
        usi::parse(text, game.position()).and_then(|m| {
            game.play(m)
                .map_err(|PlayError { reason, .. }| illegal(reason))
        })
    };
    played.map_err(|reason| LineError::Move { number, reason })
}

/// Writes a game as a line: `startpos` or `sfen …`, then the moves.
pub fn format(game: &Game) -> String {
    write(&Record::from(game))
}

/// The moves of a game as USI text.
pub fn texts(game: &Game) -> Vec<String> {
    match Game::new(game.start().clone(), *game.position().rules()) {
        Ok(start) => usi::format_line(start.position(), game.moves()),
        Err(_) => Vec::new(),
    }
}

/// Reads games on lines, their moves by the rules §2–5 of these rules, whether or not the game is over. Blank lines and
/// lines that begin with `#` are skipped.
pub fn read(text: &str, rules: Rules) -> Vec<Reading> {
    let lines = text.lines().map(str::trim).enumerate();
    let games = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
    games
        .map(|(n, text)| {
            let mut record = Record::new(sfen::start());
            let error = read_into(&mut record, text, rules).err();
            let error = error.map(|error| Broken {
                line: n + 1,
                problem: error.into(),
            });
            Reading { record, error }
        })
        .collect()
}

fn read_into(record: &mut Record, text: &str, rules: Rules) -> Result<(), LineError> {
    let game = parse(text)?;
    let position = Position::new(&game.start, rules);
    let mut position = position.map_err(|errors| LineError::Setup(reasons(&errors)))?;
    record.start = game.start;
    for (n, text) in game.moves.iter().enumerate() {
        let m = usi::parse(text, &position).map_err(|reason| LineError::Move {
            number: n + 1,
            reason,
        })?;
        position.make(m);
        record.main.plies.push(Ply::from(m));
    }
    Ok(())
}

/// Writes the main line of a record as a game on one line.
pub fn write(record: &Record) -> String {
    let moves = written_moves(record, usi::format);
    let start = if record.start == sfen::start() {
        "startpos".to_owned()
    } else {
        format!("sfen {}", sfen::format(&record.start))
    };
    join(start, &moves, " moves ")
}

/// Writes the main line of a record as ChuShogiLite does: an SFEN and the moves behind it, a pass as `7g7g`.
pub fn write_bare(record: &Record) -> String {
    let moves = written_moves(record, |m, position| match m.is_pass() {
        true => format!("{0}{0}", m.from()),
        false => usi::format(m, position),
    });
    join(sfen::format(&record.start), &moves, " ")
}

fn written_moves(record: &Record, write: fn(Move, &Position) -> String) -> Vec<String> {
    let Ok(mut position) = record.position(Rules::default()) else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    record.main.walk(&mut position, |ply, position| {
        moves.push(write(ply.m, position))
    });
    moves
}

/// Puts a start and moves together; nothing comes between if there are no moves.
pub(crate) fn join(start: String, moves: &[String], between: &str) -> String {
    if moves.is_empty() {
        start
    } else {
        format!("{start}{between}{}", moves.join(" "))
    }
}
