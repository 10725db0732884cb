//! Piece values by square, interpolated between a full and an empty board.
//!
//! The values were learned from the engine's own games (`sakijishi train psq`) and stand in `default.psq`.

use std::fmt;

use super::score::{MAX_EVAL, Score};
use crate::board::{Change, Color, Kind, Piece, Position, Slot, Square};

/// What it is worth to be the side to move, in centipawns.
pub const TEMPO: Score = 15;
/// How many pieces a full board has.
const FULL: i32 = 92;
/// Half a board: values are the same mirrored.
const SQUARES_A_KIND: usize = Square::COUNT / 2;
const ROWS: usize = Kind::COUNT * SQUARES_A_KIND;

const MAGIC: &[u8; 8] = b"SKJpsq1\n";
static DEFAULT: &[u8; MAGIC.len() + ROWS * 4] = include_bytes!("default.psq");

/// A number that tells these values from others: what was learned on top of them does not fit to any others.
pub(super) fn fingerprint() -> u32 {
    crc32fast::hash(DEFAULT)
}

/// The share of a full board that so many pieces are, at most 1.
pub fn fullness(pieces: i32) -> f32 {
    pieces.min(FULL) as f32 / FULL as f32
}

/// What a kind of piece is worth on each square, in centipawns, on a full (`[0]`) and on an empty board (`[1]`).
#[derive(Clone, PartialEq, Eq)]
pub struct Weights(Vec<[i16; 2]>);

impl Weights {
    /// The built-in values.
    pub fn built_in() -> Weights {
        let cells = DEFAULT[MAGIC.len()..].chunks_exact(4);
        Weights(cells.map(|cell| [at(cell, 0), at(cell, 2)]).collect())
    }

    /// The row of a piece on a square, for [`Weights::to_flat`].
    pub fn row(piece: Piece, square: Square) -> usize {
        let square = if piece.color() == Color::White {
            square.turned()
        } else {
            square
        };
        row_of(piece.kind(), square)
    }

    /// The values as numbers to learn from, by row.
    pub fn to_flat(&self) -> Vec<[f32; 2]> {
        self.0.iter().map(|cell| cell.map(f32::from)).collect()
    }

    /// Values from numbers, rounded.
    pub fn from_flat(flat: &[[f32; 2]]) -> Weights {
        Weights(
            flat.iter()
                .map(|cell| cell.map(|value| value.round() as i16))
                .collect(),
        )
    }

    /// The bytes of a file of these values: a header, then two 16 bit numbers a row, low byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = self
            .0
            .iter()
            .flatten()
            .flat_map(|value| value.to_le_bytes());
        MAGIC.iter().copied().chain(values).collect()
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights of {} rows", self.0.len())
    }
}

fn at(bytes: &[u8], place: usize) -> i16 {
    i16::from_le_bytes([bytes[place], bytes[place + 1]])
}

/// The row of a Black piece; mirrored squares share one.
const fn row_of(kind: Kind, square: Square) -> usize {
    let file = square.file() as usize - 1;
    let half = if file < 6 { file } else { 11 - file };
    (kind.index() - 1) * SQUARES_A_KIND + square.rank() as usize * 6 + half
}

/// A value of the built-in table, at compile time.
const fn built_in(row: usize, phase: usize) -> i16 {
    let place = MAGIC.len() + row * 4 + phase * 2;
    i16::from_le_bytes([DEFAULT[place], DEFAULT[place + 1]])
}

const _: () = {
    let mut n = 0;
    while n < MAGIC.len() {
        assert!(DEFAULT[n] == MAGIC[n]);
        n += 1;
    }
};

/// `[full board, empty board]` worth by slot and cell, positive for Black's pieces and negative for White's.
static SQUARES: [[[i16; 2]; 256]; 128] = {
    let mut table = [[[0; 2]; 256]; 128];
    let mut n = 0;
    while n < Kind::COUNT {
        let mut index = 0;
        while index < Square::COUNT {
            if let Some(square) = Square::from_index(index) {
                let row = row_of(Kind::ALL[n], square);
                let mut phase = 0;
                while phase < 2 {
                    // Black's bit puts its pieces in the upper half of the table.
                    table[64 + n + 1][square.cell()][phase] = built_in(row, phase);
                    table[n + 1][255 - square.cell()][phase] = -built_in(row, phase);
                    phase += 1;
                }
            }
            index += 1;
        }
        n += 1;
    }
    table
};

/// The mean worth of a kind over all squares of a board that is half full, in centipawns.
static VALUES: [Score; 64] = {
    let mut values = [0; 64];
    let mut n = 0;
    while n < Kind::COUNT {
        let mut sum = 0;
        let mut square = 0;
        while square < SQUARES_A_KIND {
            let row = n * SQUARES_A_KIND + square;
            sum += built_in(row, 0) as Score + built_in(row, 1) as Score;
            square += 1;
        }
        values[n + 1] = sum / (2 * SQUARES_A_KIND as Score);
        n += 1;
    }
    values
};

/// What a kind is worth in exchanges, in centipawns.
pub fn value(kind: Kind) -> Score {
    VALUES[kind.index() & 63]
}

/// The sums that an evaluation needs, kept up to date move by move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    /// Black's worth minus White's on a full and on an empty board, in centipawns.
    sums: [i32; 2],
    pieces: i32,
}

impl Accumulator {
    /// The sums of a position, from scratch.
    pub fn new(position: &Position) -> Accumulator {
        let mut sums = Accumulator::default();
        for (square, piece) in position.pieces() {
            sums.add(piece.into(), square, 1);
        }
        sums
    }

    fn add(&mut self, slot: Slot, square: Square, times: i32) {
        let worth = SQUARES[slot.index() & 127][square.cell()];
        self.sums[0] += times * i32::from(worth[0]);
        self.sums[1] += times * i32::from(worth[1]);
        self.pieces += times;
    }

    /// The sums after a move.
    #[must_use]
    pub fn after(mut self, change: &Change) -> Accumulator {
        for victim in &change.victims {
            if !victim.slot.is_empty() {
                self.add(victim.slot, victim.square, -1);
            }
        }
        self.add(change.mover, change.from, -1);
        self.add(change.lands, change.to, 1);
        self
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.pieces.max(0) as usize
    }

    /// The evaluation for the side to move, in centipawns.
    pub fn score(&self, turn: Color) -> Score {
        let full = self.pieces.min(FULL);
        let black = (self.sums[0] * full + self.sums[1] * (FULL - full)) / FULL;
        let own = match turn {
            Color::Black => black,
            Color::White => -black,
        };
        (own + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
