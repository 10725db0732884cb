//! Squares and moves as USI writes them (rules §1): `7i7h`, `7d7c+`, `7g6f5e`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Color, Illegal, Kind, Move, Position, Reach, Square};

/// Text that is no square.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a square: files are 1 to 12, ranks a to l")]
pub struct SquareError(String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Square, SquareError> {
        match take_square(text) {
            Some((square, "")) => Ok(square),
            _ => Err(SquareError(text.to_owned())),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' + self.rank()))
    }
}

/// Reads a square from the beginning of a text; gives the rest too.
pub(crate) fn take_square(text: &str) -> Option<(Square, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (file, rest) = text.split_at_checked(digits)?;
    let rank = rest.bytes().next()?;
    let square = Square::new(file.parse().ok()?, rank.checked_sub(b'a')?)?;
    // "07a" would be read back as another text.
    (!file.starts_with('0')).then_some((square, rest.get(1..)?))
}

/// Text that is no legal move, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// It is not spelt like a move.
    #[error("`{0}` is not a move: expected squares like 7i7h, 7d7c+ or 7g6f5e")]
    Spelling(String),
    /// Two squares of a two-step move are not adjacent.
    #[error("`{0}`: each step of a two-step move goes to an adjacent square")]
    Steps(String),
    /// A two-step move of a piece without lion power in that direction.
    #[error("`{0}`: only a lion, or a falcon or eagle on its lines, moves in two steps (rules §3)")]
    NoLionPower(String),
    /// A two-step move that promotes.
    #[error("`{0}`: a two-step move does not promote")]
    TwoStepPromotion(String),
    /// It is a move, but not a legal one.
    #[error("`{text}`: {reason}")]
    Illegal {
        /// The move as it was written.
        text: String,
        /// What is wrong with it.
        reason: Illegal,
    },
}

/// Reads a move in any accepted spelling and checks it by rules §2–5.
///
/// A square between on which nothing is captured, a `=` or `?` at the end, and a pass written as `7g7g` are accepted
/// and leave no trace: each effect is one [`Move`].
///
/// # Errors
///
/// Why the text is no legal move here.
pub fn parse(text: &str, position: &Position) -> Result<Move, MoveError> {
    read(text)?.judge(text, position)
}

/// A move as the squares that are written, in whatever notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spelled {
    /// Where the piece starts.
    pub(super) from: Square,
    /// The square between, of a move in two steps.
    pub(super) mid: Option<Square>,
    /// Where it ends.
    pub(super) to: Square,
    /// Whether it promotes.
    pub(super) promotes: bool,
}

/// Reads the squares of a move.
fn read(text: &str) -> Result<Spelled, MoveError> {
    let spelling = || MoveError::Spelling(text.to_owned());
    let (from, rest) = take_square(text).ok_or_else(spelling)?;
    let (second, rest) = take_square(rest).ok_or_else(spelling)?;
    let (mid, to, suffix) = match take_square(rest) {
        Some((third, suffix)) => (Some(second), third, suffix),
        None => (None, second, rest),
    };
    let promotes = match suffix {
        "" | "=" | "?" => false,
        "+" => true,
        _ => return Err(spelling()),
    };
    Ok(Spelled {
        from,
        mid,
        to,
        promotes,
    })
}

impl Spelled {
    /// The legal move that is meant; `text` is quoted if there is none.
    pub(super) fn judge(self, text: &str, position: &Position) -> Result<Move, MoveError> {
        let m = self.fold(position).map_err(|kind| kind(text.to_owned()))?;
        match position.check(m) {
            Ok(()) => Ok(m),
            Err(reason) => Err(MoveError::Illegal {
                text: text.to_owned(),
                reason,
            }),
        }
    }

    /// The move without asking whether it is legal, but for the quiet first step that the move will not remember.
    fn fold(self, position: &Position) -> Result<Move, fn(String) -> MoveError> {
        let (from, to) = (self.from, self.to);
        let Some(mid) = self.mid else {
            return Ok(Move::new(from, to, self.promotes));
        };
        if self.promotes {
            return Err(MoveError::TwoStepPromotion);
        }
        let (Some(first), Some(onward)) = (from.direction_to(mid), mid.direction_to(to)) else {
            return Err(MoveError::Steps);
        };
        let slot = position.cell(from);
        let reach = if slot.piece().is_some() {
            slot.reach(first)
        } else {
            Reach::Lion
        };
        match reach {
            Reach::Lion => {}
            Reach::Double if onward == first || to == from => {}
            _ => return Err(MoveError::NoLionPower),
        }
        Ok(if !position.cell(mid).is_empty() {
            Move::two_step(from, first, to)
        } else if to == from {
            Move::pass(from)
        } else {
            Move::new(from, to, false)
        })
    }
}

/// Writes a move that is legal in the position: the direct spelling if nothing is captured on the way, a pass by the
/// first empty neighbour.
pub fn format(m: Move, position: &Position) -> String {
    let (from, to) = (m.from(), m.to());
    let mid = if m.is_pass() {
        position.first_empty_step(from)
    } else {
        m.mid()
    };
    match mid {
        Some(mid) => format!("{from}{mid}{to}"),
        None => format!("{from}{to}{}", if m.promotes() { "+" } else { "" }),
    }
}

/// All spellings of a legal move: the direct form and each two-step form with the same effect. A pass and
/// an igui have those of every piece that has the same effect.
pub fn spellings(m: Move, position: &Position) -> Vec<String> {
    if m.is_pass() {
        let own = position
            .pieces()
            .filter(|(_, piece)| piece.color() == position.turn());
        return own
            .flat_map(|(square, _)| quiet_two_steps(position, square, square))
            .collect();
    }
    if let Some(mid) = m.mid().filter(|_| m.is_igui()) {
        return position
            .igui_by(m.from(), mid)
            .map(|from| format!("{from}{mid}{from}"))
            .collect();
    }
    let mut spellings = vec![format(m, position)];
    if m.mid().is_none() && !m.promotes() {
        spellings.extend(quiet_two_steps(position, m.from(), m.to()));
    }
    spellings
}

/// The two-step spellings between two squares by way of an empty one.
fn quiet_two_steps(position: &Position, from: Square, to: Square) -> Vec<String> {
    let slot = position.cell(from);
    let leads = |&first: &usize| {
        let mid = from.step(first);
        position.cell(mid).is_empty()
            && match (slot.reach(first), mid.direction_to(to)) {
                (Reach::Lion, Some(_)) => true,
                (Reach::Double, Some(onward)) => onward == first || to == from,
                _ => false,
            }
    };
    (0..8)
        .filter(leads)
        .map(|first| format!("{from}{}{to}", from.step(first)))
        .collect()
}

/// The letter that USI and SFEN use for a side: `b` or `w`.
pub fn side(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// Writes moves that follow each other from a position; ends before the first that is not legal.
pub fn format_line(position: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    super::write_line(position, moves, format)
}

/// Whether another piece of the side to move, of a kind that is called the same, could move to the same squares.
pub(super) fn is_ambiguous(
    m: Move,
    position: &Position,
    is_called_so: impl Fn(Kind) -> bool,
) -> bool {
    rivals(m, position, is_called_so).next().is_some()
}

/// The other pieces of the side to move, of these kinds, that could move to the same squares.
pub(super) fn rivals(
    m: Move,
    position: &Position,
    is_called_so: impl Fn(Kind) -> bool,
) -> impl Iterator<Item = Square> {
    let others = position.pieces().filter(move |(square, piece)| {
        *square != m.from() && piece.color() == position.turn() && is_called_so(piece.kind())
    });
    let squares = others.map(|(square, _)| square);
    squares.filter(move |&from| {
        let to = if m.is_igui() { from } else { m.to() };
        let (mid, promotes) = (m.mid(), false);
        let spelled = Spelled {
            from,
            mid,
            to,
            promotes,
        };
        // What a rule about lions forbids still looks possible to a reader.
        spelled
            .fold(position)
            .is_ok_and(|other| matches!(position.check(other), Ok(()) | Err(Illegal::Lion(_))))
    })
}
