//! Boards drawn with characters, for terminals and fixed-width text.

use crate::board::{Color, Move, Piece, Position, Square};

/// What pieces look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// One kanji a piece, `v` before White's, `+` behind promoted ones.
    Kanji,
    /// SFEN letters: capitals are Black's.
    #[default]
    Letters,
}

const RED: &str = "\x1b[31m";
const MARKED: &str = "\x1b[7m";
const RESET: &str = "\x1b[0m";

/// Draws the board with coordinates, White's side on top. The squares of `last` stand in brackets; with `color`,
/// escape codes also show them inverted and promoted pieces in red.
pub fn draw(position: &Position, style: Style, last: Option<Move>, color: bool) -> String {
    let marks: Vec<Square> = last.map_or(Vec::new(), |m| {
        [Some(m.from()), m.mid(), Some(m.to())]
            .into_iter()
            .flatten()
            .collect()
    });
    let is_marked =
        |file: u8, rank| Square::new(file, rank).is_some_and(|square| marks.contains(&square));
    let width = match style {
        Style::Kanji => 4,
        Style::Letters => 2,
    };
    let mut text = String::new();
    for file in (1..=12).rev() {
        text.push_str(&format!(" {file:>width$}"));
    }
    text.push('\n');
    for rank in 0..12 {
        // A square's brackets stand on the lines between the columns.
        let mut was_marked = false;
        for file in (1..=12).rev() {
            let marked = is_marked(file, rank);
            text.push(match (was_marked, marked) {
                (_, true) => '[',
                (true, false) => ']',
                (false, false) => ' ',
            });
            was_marked = marked;
            let piece = Square::new(file, rank).and_then(|square| position.piece(square));
            text.push_str(&cell(piece, style, marked, color));
        }
        text.push(if was_marked { ']' } else { ' ' });
        text.push_str(&format!(" {}\n", char::from(b'a' + rank)));
    }
    text
}

fn cell(piece: Option<Piece>, style: Style, marked: bool, color: bool) -> String {
    let face = match (style, piece) {
        (Style::Kanji, None) => " ・ ".to_owned(),
        (Style::Letters, None) => " .".to_owned(),
        (Style::Kanji, Some(piece)) => {
            let owner = if piece.color() == Color::White {
                'v'
            } else {
                ' '
            };
            let promoted = if piece.kind().is_promoted() { '+' } else { ' ' };
            format!("{owner}{}{promoted}", piece.kind().kanji_short())
        }
        (Style::Letters, Some(piece)) => format!("{:>2}", super::sfen::letter(piece)),
    };
    let promoted = piece.is_some_and(|piece| piece.kind().is_promoted());
    match (color, marked, promoted) {
        (true, false, true) => format!("{RED}{face}{RESET}"),
        (true, true, false) => format!("{MARKED}{face}{RESET}"),
        (true, true, true) => format!("{MARKED}{RED}{face}{RESET}"),
        _ => face,
    }
}
