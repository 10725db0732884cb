//! Moves as the engine holds them.

use std::num::NonZeroU32;

use smallvec::SmallVec;

use super::square::Square;

/// A move: from, to, the square captured on the way, promotion.
///
/// One effect is one move: a square between is named only if the first step captures there, so that a lion's two
/// quiet steps and its jump to the same square are the same move. A pass (jitto) is a move from a square to itself
/// with nothing between; it names the piece that passes, because repetition asks which piece attacked (rules §7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Move(NonZeroU32);

/// A list of moves; the start position has 36, a busy middlegame about 120.
pub type MoveList = SmallVec<[Move; 256]>;

const MID_SHIFT: u32 = 16;
const PROMOTE: u32 = 1 << 20;

impl Move {
    /// How many bits [`Move::bits`] uses.
    pub const BITS: u32 = 21;

    const fn pack(bits: u32) -> Move {
        match NonZeroU32::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move starts on a square, whose number is not 0"),
        }
    }

    /// A one-step move, a slide or a jump.
    pub(crate) const fn new(from: Square, to: Square, promote: bool) -> Move {
        let bits = from.cell() as u32 | (to.cell() as u32) << 8;
        Move::pack(if promote { bits | PROMOTE } else { bits })
    }

    /// A move that captures on its first step, in direction 0 … 7, and goes on to `to` (igui when it goes back).
    pub(crate) const fn two_step(from: Square, direction: usize, to: Square) -> Move {
        let bits = from.cell() as u32 | (to.cell() as u32) << 8;
        Move::pack(bits | (direction as u32 + 1) << MID_SHIFT)
    }

    /// The pass of the piece on `square`.
    pub(crate) const fn pass(square: Square) -> Move {
        Move::new(square, square, false)
    }

    /// The move as a number of [`Move::BITS`] bits, never 0.
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// The move that [`Move::bits`] gave; `None` for a number that is no move.
    pub const fn from_bits(bits: u32) -> Option<Move> {
        let (from, to, middle) = (bits as u8, (bits >> 8) as u8, bits >> MID_SHIFT & 15);
        let mid = match middle {
            0 => from,
            n => Square::from_cell(from).step(n as usize - 1).cell() as u8,
        };
        let inside = is_on_board(from) && is_on_board(to) && is_on_board(mid);
        if inside && middle <= 8 && bits >> Move::BITS == 0 {
            Some(Move::pack(bits))
        } else {
            None
        }
    }

    /// Where the piece starts.
    pub const fn from(self) -> Square {
        Square::from_cell(self.bits() as u8)
    }

    /// Where the piece ends; its start for a pass or igui.
    pub const fn to(self) -> Square {
        Square::from_cell((self.bits() >> 8) as u8)
    }

    /// The square where the first step captures, if this is a two-step capture.
    pub const fn mid(self) -> Option<Square> {
        match self.mid_direction() {
            Some(direction) => Some(self.from().step(direction)),
            None => None,
        }
    }

    pub(crate) const fn mid_direction(self) -> Option<usize> {
        match self.bits() >> MID_SHIFT & 15 {
            0 => None,
            n => Some(n as usize - 1),
        }
    }

    /// Whether the piece promotes.
    pub const fn promotes(self) -> bool {
        self.bits() & PROMOTE != 0
    }

    /// Whether this is a pass (jitto): out to an empty neighbour and back (rules §3).
    pub const fn is_pass(self) -> bool {
        self.bits() as u8 == (self.bits() >> 8) as u8 && self.bits() >> MID_SHIFT & 15 == 0
    }

    /// Whether this is igui: a capture on an adjacent square and the return (rules §3).
    pub const fn is_igui(self) -> bool {
        self.bits() as u8 == (self.bits() >> 8) as u8 && self.bits() >> MID_SHIFT & 15 != 0
    }

    /// The same move with its squares mapped, as a mirror or a half turn of the board does.
    pub fn map(self, place: impl Fn(Square) -> Square) -> Move {
        let (from, to) = (place(self.from()), place(self.to()));
        match self.mid().and_then(|mid| from.direction_to(place(mid))) {
            Some(direction) => Move::two_step(from, direction, to),
            None => Move::new(from, to, self.promotes()),
        }
    }
}

const fn is_on_board(cell: u8) -> bool {
    matches!(cell & 15, 2..=13) && matches!(cell >> 4, 2..=13)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_packing() {
        for from in Square::all() {
            assert!(Move::pass(from).is_pass());
            for d in 0..8 {
                let to = from.step(d);
                if Square::all().any(|s| s == to) {
                    let m = Move::new(from, to, true);
                    assert_eq!(
                        (m.from(), m.to(), m.mid(), m.promotes()),
                        (from, to, None, true)
                    );
                    let igui = Move::two_step(from, d, from);
                    assert_eq!(
                        (igui.mid(), igui.is_igui(), igui.is_pass()),
                        (Some(to), true, false)
                    );
                    for m in [m, igui] {
                        assert_eq!(Move::from_bits(m.bits()), Some(m));
                        assert_eq!(m.bits() >> Move::BITS, 0);
                    }
                }
            }
        }
        assert_eq!(Move::from_bits(0), None);
        for corner in [0, 11, 132, 143].map(|n| Square::from_index(n).unwrap()) {
            let igui = |d| Move::from_bits(Move::two_step(corner, d, corner).bits());
            assert_eq!((0..8).filter_map(igui).count(), 3);
        }
        assert_eq!(Move::from_bits(u32::MAX), None);
    }
}
