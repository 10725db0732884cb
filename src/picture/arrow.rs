//! Arrows over the board.

use std::str::FromStr;

use thiserror::Error;

use crate::board::{Move, Square};
use crate::notation::usi;

/// An arrow from square to square, by way of another or not. From a square to itself it is a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it starts.
    pub from: Square,
    /// Where it bends.
    pub mid: Option<Square>,
    /// Where it points.
    pub to: Square,
}

impl From<Move> for Arrow {
    fn from(m: Move) -> Arrow {
        Arrow {
            from: m.from(),
            mid: m.mid(),
            to: m.to(),
        }
    }
}

/// Text that is no arrow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no arrow: write two or three squares, as in 7j7h or 7g6f5e")]
pub struct ArrowError(String);

impl FromStr for Arrow {
    type Err = ArrowError;

    /// Reads squares as USI writes a move, whether or not it is one; a sign of promotion is ignored.
    fn from_str(text: &str) -> Result<Arrow, ArrowError> {
        let read = || {
            let (from, rest) = usi::take_square(text)?;
            let (second, rest) = usi::take_square(rest)?;
            let (mid, to, rest) = match usi::take_square(rest) {
                Some((to, rest)) => (Some(second), to, rest),
                None => (None, second, rest),
            };
            ["", "+", "="]
                .contains(&rest)
                .then_some(Arrow { from, mid, to })
        };
        read().ok_or_else(|| ArrowError(text.to_owned()))
    }
}

/// Colour, opacity and width of the first arrow, the second, and the rest.
const SHADES: [(&str, &str, f32); 3] = [
    ("#12569c", ".82", 9.0),
    ("#2f8fb8", ".74", 7.0),
    ("#5f9ea8", ".66", 5.5),
];

type Point = (f32, f32);

impl Arrow {
    /// Draws it as the `rank`-th arrow, from 0; `center` gives the middle of a square.
    pub(super) fn draw(&self, rank: usize, center: impl Fn(Square) -> Point) -> String {
        let [.., last] = SHADES;
        let (colour, opacity, width) = SHADES.get(rank).copied().unwrap_or(last);
        let from = center(self.from);
        let mut path: Vec<Point> = [self.mid, Some(self.to)]
            .into_iter()
            .flatten()
            .map(&center)
            .collect();
        let stroke = format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        );
        let mut shape = String::new();
        // A piece that comes back, or does not go, has a ring around it.
        if self.to == self.from {
            path.pop();
            let (x, y) = from;
            shape += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"25\" {stroke}/>");
        }
        if let Some((&to, bends)) = path.split_last() {
            let (end, head) = head(bends.last().copied().unwrap_or(from), to, width);
            shape += &format!("<path d=\"M{} {}", from.0, from.1);
            for (x, y) in bends {
                shape += &format!("L{x} {y}");
            }
            shape += &format!(
                "L{:.1} {:.1}\" {stroke}/><path d=\"{head}\" fill=\"{colour}\"/>",
                end.0, end.1
            );
            for (x, y) in bends {
                shape +=
                    &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{width}\" fill=\"{colour}\"/>");
            }
        }
        format!("<g opacity=\"{opacity}\">{shape}</g>\n")
    }
}

/// The head of an arrow that comes from a point, and where its shaft has to end.
fn head(from: Point, to: Point, width: f32) -> (Point, String) {
    let (dx, dy) = unit(from, to);
    let (length, half) = (width * 2.6, width * 1.55);
    let tip = (to.0 + dx * 8.0, to.1 + dy * 8.0);
    let base = (tip.0 - dx * length, tip.1 - dy * length);
    let path = format!(
        "M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}Z",
        tip.0,
        tip.1,
        base.0 - dy * half,
        base.1 + dx * half,
        base.0 + dy * half,
        base.1 - dx * half
    );
    (base, path)
}

/// The direction from a point to another, of length 1.
fn unit(from: Point, to: Point) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f32::EPSILON);
    (dx / length, dy / length)
}
