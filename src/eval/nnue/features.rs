//! What a network sees of a position: which piece of whom stands where.

use crate::board::{Color, Kind, Piece, Position, Slot, Square};

/// How many features there are: kinds of both sides on each square.
pub const COUNT: usize = 2 * Kind::COUNT * Square::COUNT;

/// A side's view of the board: from its own edge, mirrored or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    side: usize,
    mirrored: bool,
}

/// The dense index of a cell by side and mirroring.
static PLACES: [[[u8; 256]; 2]; 2] = {
    let mut places = [[[0; 256]; 2]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        if let Some(square) = Square::from_index(index) {
            let turned = square.turned();
            places[0][0][square.cell()] = index as u8;
            places[0][1][square.mirrored().cell()] = index as u8;
            places[1][0][turned.cell()] = index as u8;
            places[1][1][turned.mirrored().cell()] = index as u8;
        }
        index += 1;
    }
    places
};

/// The feature of a slot on the first square, by side and slot; 0 where there is no piece.
static KINDS: [[u16; 256]; 2] = {
    let mut kinds = [[0; 256]; 2];
    let mut n = 0;
    while n < 2 * Kind::COUNT {
        let (color, kind) = (n / Kind::COUNT, n % Kind::COUNT);
        let slot = Piece::new(Color::BOTH[color], Kind::ALL[kind])
            .slot()
            .index();
        let mut side = 0;
        while side < 2 {
            let foreign = (color != side) as usize;
            kinds[side][slot] = ((foreign * Kind::COUNT + kind) * Square::COUNT) as u16;
            side += 1;
        }
        n += 1;
    }
    kinds
};

impl View {
    /// A side's view, mirrored or not.
    pub fn new(color: Color, mirrored: bool) -> View {
        View {
            side: color.index(),
            mirrored,
        }
    }

    /// How a side sees a position: its king, or its prince if it has no king, stands on its left half.
    pub fn of(color: Color, position: &Position) -> View {
        let mut home = None;
        for square in position.royals(color) {
            if home.is_none() || position.cell(square).kind() == Kind::KING {
                home = Some(square);
            }
        }
        let mirrored = home.is_some_and(|square| {
            let is_right = square.file() <= 6;
            is_right == (color == Color::Black)
        });
        View::new(color, mirrored)
    }

    /// Whether the board is mirrored.
    pub fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The feature that a piece on a square is, below [`COUNT`].
    pub fn feature(self, piece: Piece, square: Square) -> u16 {
        self.feature_of_slot(piece.into(), square)
    }

    /// The feature of a slot that holds a piece.
    pub(super) fn feature_of_slot(self, slot: Slot, square: Square) -> u16 {
        let place = PLACES[self.side & 1][usize::from(self.mirrored)][square.cell()];
        KINDS[self.side & 1][slot.index()] + u16::from(place)
    }

    /// All features of a position.
    pub fn features(self, position: &Position) -> impl Iterator<Item = u16> + '_ {
        let pieces = position.pieces();
        pieces.map(move |(square, piece)| self.feature(piece, square))
    }
}
