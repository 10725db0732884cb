//! Random numbers that identify positions.

use super::piece::Slot;
use super::square::Square;

struct Keys {
    pieces: [[u64; 256]; 128],
    lion_fell: [u64; 256],
    white_to_move: u64,
}

/// Made by splitmix64 from a fixed seed, so that keys are the same in every build.
static KEYS: Keys = {
    let mut keys = Keys {
        pieces: [[0; 256]; 128],
        lion_fell: [0; 256],
        white_to_move: 0x9E37_79B9_7F4A_7C15,
    };
    let mut state = 0x5341_4B49_4A49_5348u64;
    let mut row = 0;
    while row <= keys.pieces.len() {
        let mut cell = 0;
        while cell < 256 {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            if row < keys.pieces.len() {
                keys.pieces[row][cell] = z;
            } else {
                keys.lion_fell[cell] = z;
            }
            cell += 1;
        }
        row += 1;
    }
    keys
};

/// What a piece on a square adds to the key.
pub(super) fn piece(slot: Slot, square: Square) -> u64 {
    // Of a piece's colour bits, 6 and 7, exactly one is set: the low seven tell all pieces apart.
    KEYS.pieces[slot.index() & 127][square.cell()]
}

/// What a counter-strike ban for a lion that fell on a square adds to the key.
pub(super) fn lion_fell(square: Square) -> u64 {
    KEYS.lion_fell[square.cell()]
}

/// What White's turn adds to the key.
pub(super) fn white_to_move() -> u64 {
    KEYS.white_to_move
}
