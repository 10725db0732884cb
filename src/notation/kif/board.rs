//! Board diagrams.

use super::{Problem, square};
use crate::board::{Color, Piece, Setup, Square};
use crate::notation::names;

const FILES: &str = " １２ １１ １０ ９  ８  ７  ６  ５  ４  ３  ２  １";
const EDGE: &str = "+------------------------------------------------+";

/// Draws the board, and says whose turn it is if it is White's.
pub(super) fn draw(setup: &Setup) -> String {
    let mut text = format!("{FILES}\n{EDGE}\n");
    for (rank, name) in (0..12).zip(square::RANKS) {
        text.push('|');
        for square in (1..=12).rev().filter_map(|file| Square::new(file, rank)) {
            text.push_str(&cell(setup.piece(square)));
        }
        text.push_str(&format!("|{name}\n"));
    }
    text.push_str(EDGE);
    text.push('\n');
    if setup.turn == Color::White {
        text.push_str("後手番\n");
    }
    text
}

/// A square, as wide as four letters.
fn cell(piece: Option<Piece>) -> String {
    let Some(piece) = piece else {
        return "  ・".to_owned();
    };
    let name = names::on_board(piece.kind());
    let owner = match piece.color() {
        Color::Black => " ",
        Color::White => "v",
    };
    // Two kanji leave no room but for the owner of White's pieces.
    match (name.chars().count(), piece.color()) {
        (2, Color::Black) => format!(" {name}"),
        (2, Color::White) => format!("v{name}"),
        _ => format!(" {owner}{name}"),
    }
}

/// Reads the rows of a diagram, each with its line of the file; on failure gives the line that is wrong.
pub(super) fn read(rows: &[(usize, &str)]) -> Result<Setup, (usize, Problem)> {
    let mut setup = Setup::empty();
    for (rank, &(line, row)) in (0..12).zip(rows) {
        let pieces = read_row(row).map_err(|problem| (line, problem))?;
        for (file, piece) in (1..=12).rev().zip(&pieces) {
            if let Some(square) = Square::new(file, rank) {
                setup.set(square, *piece);
            }
        }
        if pieces.len() != 12 {
            let (row, files) = (row.to_owned(), pieces.len());
            return Err((line, Problem::Files { row, files }));
        }
    }
    match rows.last() {
        Some(&(line, _)) if rows.len() != 12 => Err((line, Problem::Ranks(rows.len()))),
        _ => Ok(setup),
    }
}

fn read_row(row: &str) -> Result<Vec<Option<Piece>>, Problem> {
    let inside = row.trim_start_matches(['|', '｜']);
    let inside = inside.split(['|', '｜']).next().unwrap_or_default();
    let mut pieces = Vec::new();
    let (mut color, mut name) = (Color::Black, String::new());
    for c in inside.chars() {
        match c {
            'v' | 'V' | 'ｖ' => color = Color::White,
            c if c.is_whitespace() || c == '^' => {}
            '・' | '･' | '.' => pieces.push(None),
            '成' => name.push(c),
            c => {
                name.push(c);
                let Some(kind) = names::read_on_board(&name) else {
                    let row = row.to_owned();
                    return Err(Problem::Piece { piece: name, row });
                };
                pieces.push(Some(Piece::new(color, kind)));
                (color, name) = (Color::Black, String::new());
            }
        }
    }
    Ok(pieces)
}
