//! Squares and directions of the framed board.

/// A cell of a 16×16 frame whose inner 12×12 cells are the board.
///
/// Two guard lines surround the board, so that every single step and every lion's jump from a board square
/// lands on a real cell; `[T; 256]` indexed by a square needs no bounds check. Files are numbered
/// 12 … 1 from Black's left to right, ranks 0 … 11 (written a … l) from White's edge to Black's (rules §1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = 144;
    /// A guard cell that is no square of the board; the place of an empty seat.
    pub(crate) const NOWHERE: Square = Square(0);

    /// The square of a file number (1 … 12) and a rank (0 … 11), if both are in range.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file >= 1 && file <= 12 && rank < 12 {
            Some(Square((rank + 2) * 16 + (14 - file)))
        } else {
            None
        }
    }

    /// The square with a dense index, 0 (12a) … 143 (1l), as they are read in an SFEN.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT {
            Some(Square(((index / 12 + 2) * 16 + index % 12 + 2) as u8))
        } else {
            None
        }
    }

    /// The cell with this raw number; the caller vouches that it is on the board.
    pub(crate) const fn from_cell(cell: u8) -> Square {
        Square(cell)
    }

    /// The number of the cell in the frame, an index into `[T; 256]`.
    pub const fn cell(self) -> usize {
        self.0 as usize
    }

    /// The dense index, 0 (12a) … 143 (1l).
    pub const fn index(self) -> usize {
        self.rank() as usize * 12 + (self.0 & 15) as usize - 2
    }

    /// The file number, 12 … 1 from Black's left to right.
    pub const fn file(self) -> u8 {
        14 - (self.0 & 15)
    }

    /// The rank, 0 (a, White's edge) … 11 (l, Black's edge).
    pub const fn rank(self) -> u8 {
        (self.0 >> 4).wrapping_sub(2)
    }

    /// The number of king's steps between two squares.
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self.0 & 15).abs_diff(other.0 & 15);
        let ranks = (self.0 >> 4).abs_diff(other.0 >> 4);
        if files > ranks { files } else { ranks }
    }

    /// The square mirrored left to right (file 1 ↔ file 12).
    pub const fn mirrored(self) -> Square {
        Square((self.0 & 0xF0) | (15 - (self.0 & 15)))
    }

    /// The square seen from the other side of the board (turned by half a turn).
    pub const fn turned(self) -> Square {
        Square(255 - self.0)
    }

    /// All squares, 12a … 1l.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..Square::COUNT).filter_map(Square::from_index)
    }

    /// The cell one step away; on a guard line if the step leaves the board.
    pub(crate) const fn step(self, direction: usize) -> Square {
        Square(self.0.wrapping_add(KING_STEPS[direction & 7]))
    }

    /// The cell two steps away in a straight line.
    pub(crate) const fn leap(self, direction: usize) -> Square {
        Square(
            self.0
                .wrapping_add(KING_STEPS[direction & 7].wrapping_mul(2)),
        )
    }

    /// The cell a chess knight's move away, one for each number 0 … 7.
    pub(crate) const fn knight(self, n: usize) -> Square {
        Square(self.0.wrapping_add(KNIGHT_STEPS[n & 7]))
    }

    /// The direction (0 … 7) of another square in a straight line from here.
    pub(crate) const fn line_to(self, other: Square) -> Option<usize> {
        let line = LINES[255 + other.0 as usize - self.0 as usize];
        if line < 8 { Some(line as usize) } else { None }
    }

    /// The direction (0 … 7) of a single step from here to an adjacent square.
    pub(crate) const fn direction_to(self, other: Square) -> Option<usize> {
        let offset = other.0.wrapping_sub(self.0);
        let mut d = 0;
        while d < 8 {
            if KING_STEPS[d] == offset {
                return Some(d);
            }
            d += 1;
        }
        None
    }
}

/// Steps in the order of [`Direction`]; a negative offset is written as its two's complement.
const KING_STEPS: [u8; 8] = [240, 241, 1, 17, 16, 15, 255, 239];
/// Directions of straight lines by the difference of cells, plus 255; 8 for other differences.
static LINES: [u8; 511] = {
    let mut lines = [8; 511];
    let mut d = 0;
    while d < 8 {
        let mut distance = 1;
        while distance < 12 {
            let difference = KING_STEPS[d] as i8 as isize * distance;
            lines[(255 + difference) as usize] = d as u8;
            distance += 1;
        }
        d += 1;
    }
    lines
};
const KNIGHT_STEPS: [u8; 8] = [225, 242, 18, 33, 31, 14, 238, 223];

/// A direction on the board as Black sees it, clockwise from straight ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank a.
    North,
    /// Towards rank a and file 1.
    NorthEast,
    /// Towards file 1.
    East,
    /// Towards rank l and file 1.
    SouthEast,
    /// Towards rank l.
    South,
    /// Towards rank l and file 12.
    SouthWest,
    /// Towards file 12.
    West,
    /// Towards rank a and file 12.
    NorthWest,
}

impl Direction {
    /// All eight, clockwise.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_coordinates_agree() {
        for (i, square) in Square::all().enumerate() {
            assert_eq!(square.index(), i);
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.turned().turned(), square);
            assert_eq!(square.turned().index(), 143 - i);
        }
        assert_eq!(Square::new(0, 0), None);
        assert_eq!(Square::new(13, 0), None);
        assert_eq!(Square::new(1, 12), None);
        assert_eq!(Square::from_index(144), None);
    }

    #[test]
    fn lion_jumps_stay_in_the_frame() {
        for square in Square::all() {
            for d in 0..8 {
                assert_eq!(square.direction_to(square.step(d)), Some(d));
                assert_eq!(square.step(d).step(d), square.leap(d));
                for cell in [square.step(d), square.leap(d), square.knight(d)] {
                    let on_board = Square::all().any(|s| s == cell);
                    let (row, column) = (cell.cell() / 16, cell.cell() % 16);
                    let inside = (2..14).contains(&row) && (2..14).contains(&column);
                    assert_eq!(on_board, inside);
                    assert!((square.cell() / 16).abs_diff(row) <= 2);
                    assert!((square.cell() % 16).abs_diff(column) <= 2);
                }
            }
        }
    }
}
