//! Moves as Japanese books write them: `▲７八歩`, `△同獅`, `▲４三歩成`, `▲８六・７五獅`, `▲８六獅居食い`, `▲じっと`.

use super::kif::square::rank;
use super::usi;
use crate::board::{Color, Kind, Move, Position, Square};

const DIGITS: [char; 10] = ['０', '１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Writes a move that is legal in the position. Where another piece of the same name could make it too, the origin
/// stands behind in brackets; 同 is the square where the last move ended.
pub fn format(m: Move, position: &Position) -> String {
    let side = match position.turn() {
        Color::Black => '▲',
        Color::White => '△',
    };
    if m.is_pass() {
        return format!("{side}じっと");
    }
    let name = |kind: Kind| kind.kanji_short();
    let piece = position
        .piece(m.from())
        .map_or("", |piece| name(piece.kind()));
    let origin = if usi::is_ambiguous(m, position, |kind| name(kind) == piece) {
        format!("（{}）", square(m.from()))
    } else {
        String::new()
    };
    let last = position.last_move().map(Move::to);
    let target = if last == Some(m.to()) {
        "同".to_owned()
    } else {
        square(m.to())
    };
    match (m.mid(), m.is_igui()) {
        (Some(mid), true) => format!("{side}{}{piece}居食い{origin}", square(mid)),
        (Some(mid), false) => format!("{side}{}・{target}{piece}{origin}", square(mid)),
        (None, _) if m.promotes() => format!("{side}{target}{piece}成{origin}"),
        (None, _) if position.may_promote(m) => format!("{side}{target}{piece}不成{origin}"),
        (None, _) => format!("{side}{target}{piece}{origin}"),
    }
}

/// A square in full-width digits and kanji.
fn square(square: Square) -> String {
    let digits = square.file().to_string();
    let wide = digits
        .bytes()
        .filter_map(|byte| DIGITS.get(usize::from(byte.wrapping_sub(b'0'))));
    format!("{}{}", wide.collect::<String>(), rank(square))
}
