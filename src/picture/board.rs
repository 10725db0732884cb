//! The board under the pieces: wood, lines, coordinates, the last move.

use std::fmt::Write;

use super::arrow::Arrow;
use super::glyphs;
use crate::board::{Color, Square};

/// The width of a picture in its own units.
pub const WIDTH: u32 = 776;
/// The height of a picture in its own units.
pub const HEIGHT: u32 = 824;

/// The upper left corner of the squares, and the size of one: a little higher than wide, as on real boards.
const LEFT: f32 = 22.0;
const TOP: f32 = 34.0;
const CELL_WIDTH: f32 = 60.0;
const CELL_HEIGHT: f32 = 64.0;

/// Where the squares are: x and y of the upper left corner, width and height of one.
pub const GEOMETRY: [f32; 4] = [LEFT, TOP, CELL_WIDTH, CELL_HEIGHT];

/// What names the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// a … l, as USI has them.
    #[default]
    Letters,
    /// 一 … 十二, as Japanese records have them.
    Kanji,
}

const KANJI: [&str; 12] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
];

/// The middle of a square.
pub(super) fn center(square: Square, flipped: bool) -> (f32, f32) {
    let square = if flipped { square.turned() } else { square };
    (
        LEFT + (12.5 - f32::from(square.file())) * CELL_WIDTH,
        TOP + (f32::from(square.rank()) + 0.5) * CELL_HEIGHT,
    )
}

/// The board without pieces. A mark at the right edge shows whose turn it is.
pub(super) fn draw(ranks: Ranks, flipped: bool, turn: Option<Color>) -> String {
    let (width, height) = (12.0 * CELL_WIDTH, 12.0 * CELL_HEIGHT);
    let (right, bottom) = (LEFT + width, TOP + height);
    let mut text = format!(
        "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"10\" fill=\"#c8924a\"/>\n<rect x=\"{LEFT}\" y=\"{TOP}\" \
         width=\"{width}\" height=\"{height}\" fill=\"#efc985\"/>\n<path d=\""
    );
    for n in 1..12u8 {
        let (x, y) = (
            LEFT + f32::from(n) * CELL_WIDTH,
            TOP + f32::from(n) * CELL_HEIGHT,
        );
        let _ = write!(text, "M{x} {TOP}V{bottom}M{LEFT} {y}H{right}");
    }
    let _ = writeln!(
        text,
        "\" fill=\"none\" stroke=\"#5b3c17\" stroke-opacity=\".75\"/>\n<rect x=\"{LEFT}\" y=\"{TOP}\" \
         width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#4a2f10\" stroke-width=\"2\"/>"
    );
    // The corners of the promotion zones.
    for (file, rank) in [(4.0, 4.0), (8.0, 4.0), (4.0, 8.0), (8.0, 8.0)] {
        let (x, y) = (LEFT + file * CELL_WIDTH, TOP + rank * CELL_HEIGHT);
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#4a2f10\"/>"
        );
    }
    text += &coordinates(ranks, flipped);
    if let Some(turn) = turn {
        let at_bottom = (turn == Color::Black) != flipped;
        let (y, tip) = if at_bottom {
            (bottom + 9.0, "0-8")
        } else {
            (TOP - 13.0, "0 8")
        };
        let base = if at_bottom { "7 5H-7" } else { "7-5H-7" };
        let x = right + 17.0;
        let _ = writeln!(
            text,
            "<path d=\"M{tip} {base}Z\" transform=\"translate({x} {y})\" fill=\"#3a2409\"/>"
        );
    }
    text
}

fn coordinates(ranks: Ranks, flipped: bool) -> String {
    let mut text = "<g fill=\"#3a2409\">".to_owned();
    for n in 1..=12u8 {
        let Some(square) = Square::new(n, n - 1) else {
            continue;
        };
        let (x, y) = center(square, flipped);
        text += &glyphs::centered(&n.to_string(), (x, TOP / 2.0 + 1.0), 17.0);
        let rank = match ranks {
            Ranks::Letters => char::from(b'a' + n - 1).to_string(),
            Ranks::Kanji => KANJI
                .get(usize::from(n) - 1)
                .copied()
                .unwrap_or_default()
                .to_owned(),
        };
        let size = if rank.chars().count() > 1 { 13.0 } else { 17.0 };
        // Small letters have less above the line than capitals.
        let y = if ranks == Ranks::Letters { y - 1.0 } else { y };
        text += &glyphs::centered(&rank, (LEFT + 12.0 * CELL_WIDTH + 17.0, y), size);
    }
    text + "</g>\n"
}

/// The squares of the last move, and the way between them if it went in two steps.
pub(super) fn last_move(last: &Arrow, flipped: bool) -> String {
    let mut text = String::new();
    let squares = [
        (Some(last.from), ".38"),
        (last.mid, ".38"),
        (Some(last.to), ".62"),
    ];
    let mut seen: Vec<Square> = Vec::new();
    for (square, strength) in squares.into_iter().rev() {
        let Some(square) = square.filter(|square| !seen.contains(square)) else {
            continue;
        };
        seen.push(square);
        let (x, y) = center(square, flipped);
        let (x, y) = (x - CELL_WIDTH / 2.0 + 0.5, y - CELL_HEIGHT / 2.0 + 0.5);
        let (width, height) = (CELL_WIDTH - 1.0, CELL_HEIGHT - 1.0);
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#8fb83a\" \
             fill-opacity=\"{strength}\"/>"
        );
    }
    if let Some(mid) = last.mid {
        let [from, mid, to] = [last.from, mid, last.to].map(|square| center(square, flipped));
        let _ = writeln!(
            text,
            "<path d=\"M{} {}L{} {} {} {}\" fill=\"none\" stroke=\"#4d6b12\" stroke-width=\"5\" \
             stroke-dasharray=\"1 9\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n<circle cx=\"{}\" cy=\"{}\" \
             r=\"9\" fill=\"none\" stroke=\"#4d6b12\" stroke-width=\"3\"/>",
            from.0, from.1, mid.0, mid.1, to.0, to.1, mid.0, mid.1
        );
    }
    text
}
