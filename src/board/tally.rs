//! How many royals, live pieces and counting pieces a side has (rules §6).

use super::piece::{Color, Kind, Piece};
use super::position::Position;
use super::square::Square;

/// What a piece adds to its side's tally, by rank of the frame: royals, live pieces, counting pieces, a byte each.
pub(super) static TALLY: [[u32; 16]; 128] = {
    let mut table = [[0; 16]; 128];
    let mut side = 0;
    while side < 2 {
        let mut kind = 1;
        while kind <= Kind::COUNT {
            let piece = Piece::new(Color::BOTH[side], Kind::ALL[kind - 1]);
            let mut rank = 0;
            while rank < 12 {
                let mut tally = 0;
                if let Some(square) = Square::new(1, rank)
                    && !piece.is_dead_on(square)
                {
                    tally = 1 << 8;
                    if piece.kind().is_royal() {
                        tally |= 1;
                    } else if !piece.kind().is_pawn_like() {
                        tally |= 1 << 16;
                    }
                }
                // Black's bit makes its rows the upper half.
                table[kind + 64 * (1 - side)][rank as usize + 2] = tally;
                rank += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    table
};

impl Position {
    /// How many royals a side has.
    pub fn royal_count(&self, color: Color) -> u32 {
        self.state.tally[color.index()] & 0xFF
    }

    /// How many pieces of a side are not dead (rules §4), royals included.
    pub fn live_count(&self, color: Color) -> u32 {
        self.state.tally[color.index()] >> 8 & 0xFF
    }

    /// How many pieces of a side count against a bare king (rules §6).
    pub fn counting_count(&self, color: Color) -> u32 {
        self.state.tally[color.index()] >> 16 & 0xFF
    }
}
