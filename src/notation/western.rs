//! Moves as western books write them: `P-7h`, `Lnx7g`, `S-8d+`, `S-8d=`, `Lnx8fx7e`, `Lnx8f-8e`, igui `Lnx!8f`, pass `--`.

use super::usi;
use crate::board::{Kind, Move, Position};

/// How a pass is written.
pub const PASS: &str = "--";

/// The abbreviations that are longer than the letter of SFEN.
const ABBREVIATIONS: [(&str, &str); 13] = [
    ("I", "GB"),
    ("F", "FL"),
    ("T", "BT"),
    ("E", "DE"),
    ("A", "RC"),
    ("M", "SM"),
    ("V", "VM"),
    ("H", "DH"),
    ("D", "DK"),
    ("X", "Ph"),
    ("O", "Kr"),
    ("N", "Ln"),
    ("Q", "FK"),
];

/// The abbreviation of a kind, with `+` before it if it is promoted.
pub fn abbreviation(kind: Kind) -> String {
    let letter = kind.letter().trim_start_matches('+');
    let known = ABBREVIATIONS.iter().find(|(known, _)| *known == letter);
    let name = known.map_or(letter, |(_, name)| name);
    format!("{}{name}", if kind.is_promoted() { "+" } else { "" })
}

/// Writes a move that is legal in the position. Where another piece of the same kind could make it too, the origin
/// stands behind the piece.
pub fn format(m: Move, position: &Position) -> String {
    let Some(piece) = position.piece(m.from()).filter(|_| !m.is_pass()) else {
        return PASS.to_owned();
    };
    let mut text = abbreviation(piece.kind());
    if usi::is_ambiguous(m, position, |kind| kind == piece.kind()) {
        text.push_str(&m.from().to_string());
    }
    if let Some(mid) = m.mid() {
        if m.is_igui() {
            return format!("{text}x!{mid}");
        }
        text.push_str(&format!("x{mid}"));
    }
    let takes = position.piece(m.to()).is_some();
    text.push_str(&format!("{}{}", if takes { 'x' } else { '-' }, m.to()));
    text.push_str(match (m.promotes(), position.may_promote(m)) {
        (true, _) => "+",
        (_, true) => "=",
        _ => "",
    });
    text
}
