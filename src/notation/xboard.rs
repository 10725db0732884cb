//! Squares, moves and positions as XBoard writes them.
//!
//! Files are `a` … `l` from Black's left, ranks `1` … `12` from Black's side: `7i` is `f4`. Black, who moves first, is
//! called white.

use std::fmt;

use thiserror::Error;

use super::sfen;
use super::usi::{self, Spelled};
use crate::board::{Color, Illegal, Move, Position, Setup, Square};

/// How a pass is written.
pub const PASS: &str = "@@@@";

/// Text that is no legal move, with the reason.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// It is not spelt like a move.
    #[error("`{0}` is not a move: expected squares like f4f5, f9f10+ or c7d6,d6c7, or {PASS}")]
    Spelling(String),
    /// The second step starts elsewhere than the first ended.
    #[error("`{0}`: the second step does not start where the first ends")]
    Apart(String),
    /// A pass when no piece can pass.
    #[error("`{PASS}`: {}", Illegal::NoPass)]
    NoPass,
    /// It is a move, but not a legal one.
    #[error(transparent)]
    Illegal(#[from] usi::MoveError),
}

/// One thing that is wrong with a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FenProblem {
    /// The board or what stands on it; ranks are named `a` … `l` from the first, as in SFEN.
    #[error(transparent)]
    Board(#[from] sfen::Problem),
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move `{0}` is neither w nor b")]
    Side(String),
    /// The third field is neither `-` nor a square.
    #[error("the third field `{0}` is neither - nor the square where a lion was lost")]
    LionField(String),
    /// A counter that is no number.
    #[error("`{0}` is not a number of moves")]
    Counter(String),
    /// More fields than there are.
    #[error("`{0}` after the move number is not expected")]
    Trailing(String),
}

/// Everything that is wrong with a FEN, at least one thing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct FenError(Vec<FenProblem>);

impl FenError {
    /// The reasons, in the order of the text.
    pub fn problems(&self) -> &[FenProblem] {
        &self.0
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "bad FEN: {}", reasons.join("; "))
    }
}

/// The square of a text like `f4`.
pub fn parse_square(text: &str) -> Option<Square> {
    match take_square(text) {
        Some((square, "")) => Some(square),
        _ => None,
    }
}

/// Writes a square: `a1` … `l12`.
pub fn format_square(square: Square) -> String {
    let file = char::from(b'a' + (12 - square.file()));
    format!("{file}{}", 12 - square.rank())
}

/// Reads a square from the beginning of a text; gives the rest too.
fn take_square(text: &str) -> Option<(Square, &str)> {
    let file = text.bytes().next()?.checked_sub(b'a')?;
    let rest = text.get(1..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (rank, rest) = rest.split_at_checked(digits)?;
    let number: u8 = rank.parse().ok()?;
    let square = Square::new(12u8.checked_sub(file)?, 12u8.checked_sub(number)?)?;
    // "f04" would be written back as another text.
    (!rank.starts_with('0')).then_some((square, rest))
}

/// Reads two squares from the beginning of a text; gives the rest too.
fn take_step(text: &str) -> Option<(Square, Square, &str)> {
    let (from, rest) = take_square(text)?;
    let (to, rest) = take_square(rest)?;
    Some((from, to, rest))
}

/// Whether a word begins like a move.
pub(crate) fn is_move(word: &str) -> bool {
    word == PASS || take_step(word).is_some()
}

/// Reads a move on one line and checks it by rules §2–5: `f4f5`, `f9f10+`, `c7d6,d6c7` or `@@@@`.
///
/// A `=` behind a move, a quiet first step and a pass written as `f4f4` are accepted and leave no trace. Of a move on
/// two lines, `c7d6,` and `d6c7`, read the lines put together.
///
/// # Errors
///
/// Why the text is no legal move here.
pub fn parse_move(text: &str, position: &Position) -> Result<Move, MoveError> {
    if text == PASS {
        let mut moves = position.moves().into_iter();
        return moves.find(|m| m.is_pass()).ok_or(MoveError::NoPass);
    }
    Ok(read(text)?.judge(text, position)?)
}

/// Reads the squares of a move.
fn read(text: &str) -> Result<Spelled, MoveError> {
    let spelling = || MoveError::Spelling(text.to_owned());
    let (from, second, rest) = take_step(text).ok_or_else(spelling)?;
    let (mid, to, suffix) = match rest.strip_prefix(',') {
        None => (None, second, rest),
        Some(rest) => {
            let (start, to, suffix) = take_step(rest).ok_or_else(spelling)?;
            if start != second {
                return Err(MoveError::Apart(text.to_owned()));
            }
            (Some(second), to, suffix)
        }
    };
    let promotes = match suffix {
        "" | "=" => false,
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

/// Writes a move that is legal in the position on one line; a two-step move only if its first step captures.
pub fn format_move(m: Move, position: &Position) -> String {
    two_lines(m, position).concat()
}

/// Writes a move that is legal in the position as engines send it: one text, or two for a two-step move, the first
/// of which ends in a comma.
pub fn two_lines(m: Move, position: &Position) -> Vec<String> {
    if m.is_pass() {
        return vec![PASS.to_owned()];
    }
    let [from, to] = [m.from(), m.to()].map(format_square);
    match m.mid().map(format_square) {
        Some(mid) => vec![format!("{from}{mid},"), format!("{mid}{to}")],
        None if m.promotes() => vec![format!("{from}{to}+")],
        None if position.may_promote(m) => vec![format!("{from}{to}=")],
        None => vec![format!("{from}{to}")],
    }
}

/// Writes moves that follow each other from a position, each on one line; ends before the first that is not legal.
pub fn format_line(position: &Position, moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    super::write_line(position, moves, format_move)
}

/// Reads a FEN: an SFEN's board; `w` if Black is to move and `b` if White is; `-`, or the square on which the side to
/// move just lost a lion to a non-lion; a number that is not used; the number of the next pair of moves. All but the
/// board may be missing.
///
/// # Errors
///
/// Every reason why it is none, with the offending text.
pub fn parse_fen(text: &str) -> Result<Setup, FenError> {
    let mut setup = Setup::empty();
    let mut fields = text.split_whitespace().peekable();
    let mut board_problems = Vec::new();
    match fields.next() {
        Some(board) => sfen::read_board(board, &mut setup, &mut board_problems),
        None => board_problems.push(sfen::Problem::Empty),
    }
    let mut problems: Vec<FenProblem> = board_problems.into_iter().map(FenProblem::Board).collect();
    // A tail without a side begins with the dash.
    match fields.next_if(|field| *field != "-") {
        None | Some("w") => setup.turn = Color::Black,
        Some("b") => setup.turn = Color::White,
        Some(other) => problems.push(FenProblem::Side(other.to_owned())),
    }
    match fields.next() {
        None | Some("-") => {}
        Some(field) => match parse_square(field) {
            Some(square) => setup.lion_fell = Some(square),
            None => problems.push(FenProblem::LionField(field.to_owned())),
        },
    }
    // Chess has one more field before the counters.
    fields.next_if_eq(&"-");
    let mut pair = 1;
    for counter in [&mut 0, &mut pair] {
        if let Some(field) = fields.next() {
            match field.parse::<u32>() {
                Ok(number) => *counter = number,
                Err(_) => problems.push(FenProblem::Counter(field.to_owned())),
            }
        }
    }
    if let Some(field) = fields.next() {
        problems.push(FenProblem::Trailing(field.to_owned()));
    }
    let second = u32::from(setup.turn == Color::White);
    setup.move_number = pair.max(1).saturating_mul(2) - 1 + second;
    let setup_problems = setup.errors().into_iter().map(sfen::Problem::Setup);
    problems.extend(setup_problems.map(FenProblem::Board));
    if problems.is_empty() {
        Ok(setup)
    } else {
        Err(FenError(problems))
    }
}

/// Writes a setup with all fields of a FEN.
pub fn format_fen(setup: &Setup) -> String {
    let fell = setup.lion_fell.map_or("-".to_owned(), format_square);
    let board = sfen::format_board(setup);
    let pair = setup.move_number.div_ceil(2).max(1);
    format!("{board} {} {fell} 0 {pair}", side(setup.turn))
}

/// The letter that XBoard uses for a side: `w` for Black, `b` for White.
pub fn side(color: Color) -> char {
    match color {
        Color::Black => 'w',
        Color::White => 'b',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{RuleSet, Rules};

    type Failed = Box<dyn std::error::Error>;

    fn position(fen: &str) -> Result<Position, Failed> {
        let errors = |errors| Failed::from(format!("{errors:?}"));
        Position::new(&parse_fen(fen)?, Rules::default()).map_err(errors)
    }

    #[test]
    fn squares() {
        for (ours, theirs) in [("7i", "f4"), ("12a", "a12"), ("1l", "l1"), ("1a", "l12")] {
            let square = ours.parse().ok();
            assert_eq!(parse_square(theirs), square, "{theirs}");
            assert_eq!(square.map(format_square).as_deref(), Some(theirs));
        }
        for square in Square::all() {
            assert_eq!(parse_square(&format_square(square)), Some(square));
        }
        for text in [
            "", "f", "4", "f0", "f13", "m1", "F4", "f04", "f4 ", "é4", "f999",
        ] {
            assert_eq!(parse_square(text), None, "{text}");
        }
    }

    /// Every legal move of every position of the table, under every rule set, written and read.
    #[test]
    fn moves_are_read_back() -> Result<(), Failed> {
        let mut seen = 0;
        for row in include_str!("../../tests/data/movelists.tsv")
            .lines()
            .skip(1)
        {
            let mut fields = row.split('\t');
            let setup = sfen::parse(fields.next().unwrap_or_default())?;
            let rules = fields.next().and_then(RuleSet::from_word);
            let rules = Rules::from(rules.ok_or("no rule set")?);
            let position = Position::new(&setup, rules).map_err(|e| format!("{e:?}"))?;
            for m in position.moves() {
                let text = format_move(m, &position);
                assert_eq!(parse_move(&text, &position), Ok(m), "{text} in {row}");
                assert_eq!(
                    two_lines(m, &position).len(),
                    1 + usize::from(m.mid().is_some())
                );
                seen += 1;
            }
            let again = parse_fen(&format_fen(&setup))?;
            assert_eq!(sfen::format_board(&again), sfen::format_board(&setup));
            assert_eq!((again.turn, again.lion_fell), (setup.turn, setup.lion_fell));
        }
        assert!(seen > 10_000, "{seen}");
        Ok(())
    }

    #[test]
    fn lion_moves_in_two_steps() -> Result<(), Failed> {
        let position = position("12/12/12/12/12/12/2p9/1pN9/12/12/12/12 w")?;
        let say = |text: &str| parse_move(text, &position).map(|m| two_lines(m, &position));
        let lines = |texts: &[&str]| Ok(texts.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(say("c5b5,b5c5"), lines(&["c5b5,", "b5c5"]));
        assert_eq!(say("c5b5,b5c6"), lines(&["c5b5,", "b5c6"]));
        assert_eq!(say("c5d5,d5e5"), lines(&["c5e5"]));
        for pass in ["@@@@", "c5d5,d5c5", "c5c5"] {
            assert_eq!(say(pass), lines(&["@@@@"]), "{pass}");
        }
        for (text, reason) in [
            ("c5", "is not a move: expected squares like"),
            ("c5b5,", "is not a move"),
            ("c5b5,b5", "is not a move"),
            ("c5b5b5c5", "is not a move"),
            ("c5e5!", "is not a move"),
            (
                "c5b5,c5c6",
                "the second step does not start where the first ends",
            ),
            ("c5b5,b5e5", "goes to an adjacent square"),
            ("c5b5,b5c5+", "does not promote"),
            ("a1a2", "no piece"),
        ] {
            let error = say(text).err().map(|error| error.to_string());
            let error = error.ok_or_else(|| format!("{text} is accepted"))?;
            assert!(error.contains(text) && error.contains(reason), "{error}");
        }
        Ok(())
    }

    #[test]
    fn a_pass_needs_a_lion() -> Result<(), Failed> {
        let position = position("12/12/12/12/12/12/12/12/12/12/12/K11 w")?;
        assert_eq!(parse_move(PASS, &position), Err(MoveError::NoPass));
        assert!(parse_move("a1a1", &position).is_err());
        Ok(())
    }

    #[test]
    fn promotion_is_taken_or_declined() -> Result<(), Failed> {
        let position = position("12/12/12/12/5S6/12/12/12/12/12/12/12 w - 0 1")?;
        let say = |text: &str| parse_move(text, &position).map(|m| format_move(m, &position));
        assert_eq!(say("f8f9+").as_deref(), Ok("f8f9+"));
        for declined in ["f8f9", "f8f9="] {
            assert_eq!(say(declined).as_deref(), Ok("f8f9="));
        }
        assert_eq!(say("f8e7=").as_deref(), Ok("f8e7"));
        assert!(say("f8e7+").is_err());
        Ok(())
    }

    #[test]
    fn fens_with_and_without_tails() -> Result<(), Failed> {
        let start = sfen::START.split(' ').next().unwrap_or_default();
        for (tail, written) in [
            ("", "w - 0 1"),
            (" w", "w - 0 1"),
            (" - 0 1", "w - 0 1"),
            (" b - 3 7", "b - 0 7"),
            (" w - - 0 4", "w - 0 4"),
            (" b f4 0 2", "b f4 0 2"),
            (" w -", "w - 0 1"),
            (" w - 0 0", "w - 0 1"),
            (" b - 0 4294967295", "b - 0 2147483648"),
        ] {
            let setup = parse_fen(&format!("{start}{tail}"))?;
            assert_eq!(format_fen(&setup), format!("{start} {written}"), "{tail}");
        }
        assert_eq!(parse_fen(&format!("{start} b - 0 3"))?.move_number, 6);
        Ok(())
    }

    #[test]
    fn every_reason_at_once() {
        let error = parse_fen("12/13 x f13 a b c").map_err(|error| error.to_string());
        assert_eq!(
            error,
            Err(
                "bad FEN: the board `12/13` has 2 ranks, chu shogi has 12; `13` in rank b is not a number of empty \
                 squares from 1 to 12; the side to move `x` is neither w nor b; the third field `f13` is neither - \
                 nor the square where a lion was lost; `a` is not a number of moves; `b` is not a number of moves; \
                 `c` after the move number is not expected"
                    .to_owned()
            )
        );
        let error = parse_fen("  ").map_err(|error| error.to_string());
        assert_eq!(error, Err("bad FEN: it is empty".to_owned()));
    }
}
