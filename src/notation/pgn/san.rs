//! Moves as XBoard writes them: `Nf5`, `e8`, `Hfg8`, `fxf6`, `Rf9+`, `+Xxe8`, `Nxg7-f6`, `Nxc5xc4`, `--`.

use super::Problem;
use crate::board::{Illegal, Kind, Move, Position, Square};
use crate::notation::usi::{self, MoveError, Spelled};
use crate::notation::xboard::{self, format_square, parse_square};

/// How a pass is written.
const PASS: &str = "--";

/// A move as it is written: the piece, what is said of its origin, and the squares it goes to.
struct Written<'a> {
    kind: Kind,
    origin: &'a str,
    mid: Option<Square>,
    to: Square,
    promotes: bool,
}

/// Reads a move and checks it by rules §2–5.
pub(super) fn parse(text: &str, position: &Position) -> Result<Move, Problem> {
    let bare = text.trim_end_matches(['!', '?', '#']);
    if bare == PASS || bare == xboard::PASS {
        return Ok(xboard::parse_move(xboard::PASS, position)?);
    }
    if xboard::is_move(bare) {
        return Ok(xboard::parse_move(bare, position)?);
    }
    let written = read(bare).ok_or_else(|| Problem::Spelling(text.to_owned()))?;
    let (mut legal, mut failure) = (Vec::new(), None);
    for (from, piece) in position.pieces() {
        let is_meant = piece.color() == position.turn() && piece.kind() == written.kind;
        if !is_meant || !fits(from, written.origin) {
            continue;
        }
        let Written {
            mid, to, promotes, ..
        } = written;
        match (Spelled {
            from,
            mid,
            to,
            promotes,
        })
        .judge(text, position)
        {
            Ok(m) => legal.push(m),
            // Pieces that cannot get there are not meant.
            Err(MoveError::Illegal {
                reason: Illegal::Reach | Illegal::Blocked,
                ..
            }) => {}
            Err(error) => failure = Some(error),
        }
    }
    match (legal.as_slice(), failure) {
        ([m], _) => Ok(*m),
        ([], Some(error)) => Err(error.into()),
        ([], None) => Err(Problem::NoPiece(text.to_owned())),
        (several, _) => Err(Problem::Ambiguous {
            text: text.to_owned(),
            count: several.len(),
        }),
    }
}

/// Whether a square is the one, or on the file or rank, that is told of the origin.
fn fits(square: Square, told: &str) -> bool {
    let name = format_square(square);
    told.is_empty()
        || name == told
        || name
            .split_at_checked(1)
            .is_some_and(|(file, rank)| file == told || rank == told)
}

fn read(text: &str) -> Option<Written<'_>> {
    let (plus, rest) = text
        .strip_prefix('+')
        .map_or(("", text), |rest| ("+", rest));
    let (letter, rest) = match rest.split_at_checked(1)? {
        (letter, rest) if letter.starts_with(|c: char| c.is_ascii_uppercase()) => (letter, rest),
        _ => ("P", rest),
    };
    let kind = Kind::from_letter(&format!("{plus}{letter}"))?;
    let promotes = rest.ends_with('+');
    let rest = rest.trim_end_matches(['+', '=']);
    let mut parts = rest.splitn(4, ['x', '-']);
    let first = parts.next()?;
    let (origin, mid, to) = match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => {
            let (origin, to) = split_origin(first)?;
            (origin, None, to)
        }
        (Some(to), None, _) => (first, None, parse_square(to)?),
        (Some(mid), Some(to), None) => (first, Some(parse_square(mid)?), parse_square(to)?),
        _ => return None,
    };
    Some(Written {
        kind,
        origin,
        mid,
        to,
        promotes,
    })
}

/// Parts what is told of the origin from the square behind it.
fn split_origin(text: &str) -> Option<(&str, Square)> {
    let splits = (0..text.len()).filter_map(|at| text.split_at_checked(at));
    let mut squares = splits.filter_map(|(origin, to)| Some((origin, parse_square(to)?)));
    squares.next()
}

/// Writes a move that is legal in the position. The origin's file, rank or both stand behind the piece where others
/// of its kind could be meant; a pawn that captures always gives its file.
pub(super) fn format(m: Move, position: &Position) -> String {
    let Some(kind) = position
        .piece(m.from())
        .map(|piece| piece.kind())
        .filter(|_| !m.is_pass())
    else {
        return PASS.to_owned();
    };
    let from = format_square(m.from());
    let (file, rank) = from.split_at_checked(1).unwrap_or_default();
    let takes = m.mid().is_some() || position.piece(m.to()).is_some();
    let rivals: Vec<Square> = usi::rivals(m, position, |other| other == kind).collect();
    let is_only = |told: &str| !rivals.iter().any(|&rival| fits(rival, told));
    let mut text = if kind == Kind::PAWN {
        String::new()
    } else {
        kind.letter().to_owned()
    };
    if kind == Kind::PAWN && takes {
        text.push_str(file);
    } else if !rivals.is_empty() {
        let told = [file, rank].into_iter().find(|told| is_only(told));
        text.push_str(told.unwrap_or(&from));
    }
    if let Some(mid) = m.mid() {
        text.push_str(&format!("x{}", format_square(mid)));
    }
    let sign = match (position.piece(m.to()), m.mid()) {
        (Some(_), _) if m.to() != m.from() => "x",
        (_, Some(_)) => "-",
        _ => "",
    };
    text.push_str(&format!("{sign}{}", format_square(m.to())));
    if m.promotes() {
        text.push('+');
    }
    text
}
