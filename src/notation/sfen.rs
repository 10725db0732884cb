//! SFEN, as lishogi writes it for chu shogi (rules §1), and the named start positions (rules §10).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::usi;
use crate::board::{Color, Kind, Piece, Setup, SetupError, Square};

/// The start position.
pub const START: &str = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/\
                         PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1";

/// A start position with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The name in records (手合割).
    pub japanese: &'static str,
    /// The name on command lines.
    pub english: &'static str,
    /// The position.
    pub sfen: &'static str,
}

/// The handicaps of rules §10. White is the stronger side and moves first.
pub const HANDICAPS: [Handicap; 3] = [
    Handicap {
        japanese: "三枚獅子",
        english: "3-lions",
        sfen: "lfcsgekgscfl/a1b1txxt1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/\
               PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1T+O+OT1B1A/LFCSGKEGSCFL w - 1",
    },
    Handicap {
        japanese: "二枚獅子",
        english: "2-lions",
        sfen: "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/\
               PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1T+OXT1B1A/LFCSGKEGSCFL w - 1",
    },
    Handicap {
        japanese: "二枚王",
        english: "2-kings",
        sfen: "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/\
               PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGK+EGSCFL w - 1",
    },
];

/// One thing that is wrong with an SFEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// No text at all.
    #[error("it is empty")]
    Empty,
    /// Not twelve ranks.
    #[error("the board `{board}` has {ranks} ranks, chu shogi has 12")]
    Ranks {
        /// The board field.
        board: String,
        /// How many ranks it has.
        ranks: usize,
    },
    /// A rank with more or less than twelve squares.
    #[error("rank {rank} `{text}` has {files} squares, chu shogi has 12")]
    Files {
        /// The rank's letter; `?` beyond the board.
        rank: char,
        /// The rank as it is written.
        text: String,
        /// How many squares it has.
        files: usize,
    },
    /// A letter that is no piece.
    #[error("`{letter}` in rank {rank} is not a piece")]
    Piece {
        /// The letter.
        letter: String,
        /// The rank's letter; `?` beyond the board.
        rank: char,
    },
    /// A `+` before a piece that does not promote, or before no piece.
    #[error("`{text}` in rank {rank}: there is no such promoted piece")]
    Promoted {
        /// The sign and what follows.
        text: String,
        /// The rank's letter; `?` beyond the board.
        rank: char,
    },
    /// A run of empty squares that is 0 or more than 12.
    #[error("`{run}` in rank {rank} is not a number of empty squares from 1 to 12")]
    Run {
        /// The number as it is written.
        run: String,
        /// The rank's letter; `?` beyond the board.
        rank: char,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("the side to move `{0}` is neither b nor w")]
    Side(String),
    /// There is no side to move.
    #[error("the side to move, b or w, is missing")]
    NoSide,
    /// The third field is neither `-` nor a square.
    #[error("the third field `{0}` is neither - nor the square where a lion was lost")]
    LionField(String),
    /// The move number is not a number from 1.
    #[error("the move number `{0}` is not a whole number from 1")]
    MoveNumber(String),
    /// More than four fields.
    #[error("`{0}` after the move number is not expected")]
    Trailing(String),
    /// The board is well written but no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Everything that is wrong with an SFEN, at least one thing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct SfenError(Vec<Problem>);

impl SfenError {
    /// The reasons, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.0
    }

    /// Whether the board is not a 12×12 board at all, as with an SFEN of another shogi variant.
    pub fn is_other_variant(&self) -> bool {
        self.0
            .iter()
            .any(|problem| matches!(problem, Problem::Ranks { .. }))
    }
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad SFEN: ")?;
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Setup, SfenError> {
        parse(text)
    }
}

/// The start position as a setup.
pub fn start() -> Setup {
    parse(START).unwrap_or_else(|_| Setup::empty())
}

/// A start position by name: `startpos`, `平手`, `中将棋`, or a handicap in Japanese or English.
pub fn named(name: &str) -> Option<Setup> {
    if ["startpos", "平手", "中将棋"].contains(&name) {
        return Some(start());
    }
    let handicap = HANDICAPS
        .iter()
        .find(|h| h.japanese == name || h.english == name)?;
    parse(handicap.sfen).ok()
}

/// Reads an SFEN; the third and fourth fields may be missing.
///
/// # Errors
///
/// Every reason why it is none, with the offending text.
pub fn parse(text: &str) -> Result<Setup, SfenError> {
    let mut problems = Vec::new();
    let mut setup = Setup::empty();
    let mut fields = text.split_whitespace();
    match fields.next() {
        Some(board) => read_board(board, &mut setup, &mut problems),
        None => return Err(SfenError(vec![Problem::Empty])),
    }
    match fields.next() {
        Some("b") => setup.turn = Color::Black,
        Some("w") => setup.turn = Color::White,
        Some(other) => problems.push(Problem::Side(other.to_owned())),
        None => problems.push(Problem::NoSide),
    }
    match fields.next() {
        None | Some("-") => {}
        Some(field) => match field.parse() {
            Ok(square) => setup.lion_fell = Some(square),
            Err(_) => problems.push(Problem::LionField(field.to_owned())),
        },
    }
    if let Some(field) = fields.next() {
        match field.parse() {
            Ok(number) if number > 0 => setup.move_number = number,
            _ => problems.push(Problem::MoveNumber(field.to_owned())),
        }
    }
    if let Some(field) = fields.next() {
        problems.push(Problem::Trailing(field.to_owned()));
    }
    problems.extend(setup.errors().into_iter().map(Problem::Setup));
    if problems.is_empty() {
        Ok(setup)
    } else {
        Err(SfenError(problems))
    }
}

/// Reads the board field of an SFEN or a FEN.
pub(super) fn read_board(board: &str, setup: &mut Setup, problems: &mut Vec<Problem>) {
    let ranks = board.split('/').count();
    if ranks != 12 {
        problems.push(Problem::Ranks {
            board: board.to_owned(),
            ranks,
        });
    }
    for (rank, text) in board.split('/').enumerate() {
        read_rank(rank, text, setup, problems);
    }
}

fn read_rank(rank: usize, text: &str, setup: &mut Setup, problems: &mut Vec<Problem>) {
    let name = u8::try_from(rank)
        .ok()
        .filter(|&r| r < 12)
        .map_or('?', |r| char::from(b'a' + r));
    let mut files = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let (run, after) = rest.split_at(digits);
            match run.parse() {
                Ok(n @ 1..=12) => files += n,
                _ => problems.push(Problem::Run {
                    run: run.to_owned(),
                    rank: name,
                }),
            }
            rest = after;
            continue;
        }
        let plus = usize::from(first == '+');
        let length = rest.chars().take(plus + 1).map(char::len_utf8).sum();
        let (letter, after) = rest.split_at(length);
        rest = after;
        let color = if letter.chars().any(|c| c.is_ascii_uppercase()) {
            Color::Black
        } else {
            Color::White
        };
        match Kind::from_letter(&letter.to_ascii_uppercase()) {
            Some(kind) => {
                let index = rank * 12 + files;
                if let Some(square) = Square::from_index(index).filter(|_| files < 12) {
                    setup.set(square, Some(Piece::new(color, kind)));
                }
            }
            None if plus == 1 => {
                problems.push(Problem::Promoted {
                    text: letter.to_owned(),
                    rank: name,
                });
            }
            None => problems.push(Problem::Piece {
                letter: letter.to_owned(),
                rank: name,
            }),
        }
        files += 1;
    }
    let runs_are_right =
        !matches!(problems.last(), Some(Problem::Run { rank, .. }) if *rank == name);
    if files != 12 && runs_are_right {
        problems.push(Problem::Files {
            rank: name,
            text: text.to_owned(),
            files,
        });
    }
}

/// Writes a setup with all four fields.
pub fn format(setup: &Setup) -> String {
    let fell = setup
        .lion_fell
        .map_or("-".to_owned(), |square| square.to_string());
    format!(
        "{} {} {fell} {}",
        format_board(setup),
        usi::side(setup.turn),
        setup.move_number
    )
}

/// Writes the board field of an SFEN or a FEN.
pub(super) fn format_board(setup: &Setup) -> String {
    let mut text = String::new();
    for rank in 0..12 {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (1..=12).rev() {
            match Square::new(file, rank).and_then(|square| setup.piece(square)) {
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push_str(&letter(piece));
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    text
}

/// The letter of a piece: capital for Black, `+` before it if promoted.
pub fn letter(piece: Piece) -> String {
    match piece.color() {
        Color::Black => piece.kind().letter().to_owned(),
        Color::White => piece.kind().letter().to_ascii_lowercase(),
    }
}
