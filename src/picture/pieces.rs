//! Pieces: a pentagon that points where its owner moves, and what stands on it.

use std::collections::BTreeSet;
use std::f32::consts::FRAC_1_SQRT_2;
use std::fmt::Write;

use super::glyphs;
use crate::board::{Color, Kind, Piece, Reach};

/// What stands on the pieces. Promoted pieces are red in all styles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceStyle {
    /// One kanji, turned with the piece.
    #[default]
    Kanji,
    /// SFEN letters; pieces are light and dark.
    Letters,
    /// SFEN letters among marks of how the piece moves: a dot for one step, a wedge for a slide, a ring for a jump,
    /// a star for lion power; pieces are light and dark.
    International,
}

/// The name of a piece's drawing among the [`definitions`].
pub fn id(piece: Piece) -> String {
    let side = match piece.color() {
        Color::Black => 'b',
        Color::White => 'w',
    };
    format!("{side}{}", piece.kind().letter().replace('+', "p"))
}

/// The drawings of these pieces, each around the point 0 0 and named by its [`id`], to be placed by `use`. With `flipped`,
/// White's pieces point up.
pub fn definitions(style: PieceStyle, pieces: &[Piece], flipped: bool) -> String {
    let mut text = "<defs>\n".to_owned();
    for (name, light, dark) in [
        ("ivory", "#fff0cd", "#e9c98b"),
        ("walnut", "#6d4a33", "#4b3021"),
    ] {
        // Light falls from above, on pieces of both directions alike.
        for (turn, from, to) in [("", light, dark), ("-turned", dark, light)] {
            let _ = writeln!(
                text,
                "<linearGradient id=\"{name}{turn}\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" \
                 stop-color=\"{from}\"/><stop offset=\"1\" stop-color=\"{to}\"/></linearGradient>"
            );
        }
    }
    // Coordinates stand beside every board.
    let mut characters: BTreeSet<char> = "abcdefghijkl一二三四五六七八九十0123456789"
        .chars()
        .collect();
    for piece in pieces {
        characters.extend(face_text(style, piece.kind()).chars());
    }
    text += &glyphs::definitions(&characters);
    for &piece in pieces {
        let up = (piece.color() == Color::Black) != flipped;
        let drawing = draw(style, piece, up);
        let _ = writeln!(text, "<g id=\"{}\">{drawing}</g>", id(piece));
    }
    text + "</defs>\n"
}

fn face_text(style: PieceStyle, kind: Kind) -> &'static str {
    match style {
        PieceStyle::Kanji => kind.kanji_short(),
        PieceStyle::Letters | PieceStyle::International => kind.letter(),
    }
}

/// How big a kind is beside the king, as real sets have it.
fn size(kind: Kind) -> f32 {
    let kind = kind.unpromoted().unwrap_or(kind);
    match kind.letter() {
        "K" | "N" | "Q" | "D" | "H" => 1.0,
        "P" | "I" => 0.86,
        _ => 0.94,
    }
}

/// Wood, rim, and ink of what is not promoted and of what is.
struct Colours {
    wood: &'static str,
    rim: &'static str,
    ink: &'static str,
    red: &'static str,
}

const IVORY: Colours = Colours {
    wood: "ivory",
    rim: "#7a5a2c",
    ink: "#1d1510",
    red: "#c3141c",
};
const WALNUT: Colours = Colours {
    wood: "walnut",
    rim: "#24150c",
    ink: "#fff4dc",
    red: "#ff8f73",
};

const PENTAGON: &str = "M0-29 19.5-21.5 25.5 27.5H-25.5L-19.5-21.5Z";

fn draw(style: PieceStyle, piece: Piece, up: bool) -> String {
    let kind = piece.kind();
    let size = match style {
        PieceStyle::International => 1.0,
        _ => size(kind),
    };
    let colours = match (style, piece.color()) {
        (PieceStyle::Kanji, _) | (_, Color::White) => IVORY,
        (_, Color::Black) => WALNUT,
    };
    let ink = if kind.is_promoted() {
        colours.red
    } else {
        colours.ink
    };
    let (wood, rim) = (colours.wood, colours.rim);
    let (turn, lit) = if up {
        ("", "")
    } else {
        (" rotate(180)", "-turned")
    };
    let body = format!(
        "<path d=\"{PENTAGON}\" transform=\"translate(1.2 2.2) scale({size}){turn}\" fill=\"#3a2008\" \
         fill-opacity=\".32\"/><path d=\"{PENTAGON}\" transform=\"scale({size}){turn}\" fill=\"url(#{wood}{lit})\" \
         stroke=\"{rim}\" stroke-width=\"1.1\" stroke-linejoin=\"round\"/>"
    );
    let text = face_text(style, kind);
    let down = if up { 1.0 } else { -1.0 };
    let face = match style {
        PieceStyle::Kanji => {
            let glyph = glyphs::centered(text, (0.0, 3.0), 37.0);
            format!("<g transform=\"scale({size}){turn}\">{glyph}</g>")
        }
        PieceStyle::Letters => {
            let size = if text.len() > 1 { 27.0 } else { 35.0 };
            glyphs::centered(text, (0.0, 3.0 * down), size)
        }
        PieceStyle::International => {
            // Marks stand on both sides of two letters as well.
            let size = if text.len() > 1 { 15.5 } else { 25.0 };
            let letter = glyphs::centered(text, (0.0, 3.0 * down), size);
            let turned = if up { "" } else { " transform=\"rotate(180)\"" };
            format!("{letter}<g{turned}>{}</g>", marks(kind, ink))
        }
    };
    format!("{body}<g fill=\"{ink}\">{face}</g>")
}

/// Where the marks of the eight directions stand, clockwise from straight ahead, on a piece that points up.
const MARK_PLACES: [(f32, f32); 8] = [
    (0.0, -18.5),
    (14.0, -14.5),
    (17.5, 3.0),
    (17.5, 20.0),
    (0.0, 21.0),
    (-17.5, 20.0),
    (-17.5, 3.0),
    (-14.0, -14.5),
];

fn marks(kind: Kind, ink: &str) -> String {
    let mut text = String::new();
    for (n, (reach, (x, y))) in kind.reaches().into_iter().zip(MARK_PLACES).enumerate() {
        let turn = 45 * n;
        let at = format!("translate({x} {y}) rotate({turn})");
        text += &match reach {
            Reach::No => continue,
            Reach::Step => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"2.1\"/>"),
            Reach::Slide => format!("<path d=\"M0-5.4 3.9 3.4H-3.9Z\" transform=\"{at}\"/>"),
            Reach::Jump => format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.9\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.7\"/>"
            ),
            Reach::Double | Reach::Lion => {
                let inner = 1.7 * FRAC_1_SQRT_2;
                format!(
                    "<path d=\"M0-5.2 {inner}-{inner} 5.2 0 {inner} {inner} 0 5.2-{inner} {inner}-5.2 \
                     0-{inner}-{inner}Z\" transform=\"translate({x} {y})\"/>"
                )
            }
        };
    }
    text
}
