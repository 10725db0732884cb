//! Piece values by square, interpolated between a full and an empty board.

use super::score::{MAX_EVAL, Score};
use crate::board::{Change, Color, Kind, Position, Slot, Square};

/// What a kind of piece is worth, in centipawns, on a full (`[0]`) and on an empty board (`[1]`).
struct Worth {
    letter: &'static str,
    /// On an average square.
    value: [i16; 2],
    /// For each rank towards the far edge, counted from the middle of the board.
    advance: [i16; 2],
    /// For each of up to five steps from the edge files towards the middle.
    centre: [i16; 2],
}

const fn worth(
    letter: &'static str,
    value: [i16; 2],
    advance: [i16; 2],
    centre: [i16; 2],
) -> Worth {
    Worth {
        letter,
        value,
        advance,
        centre,
    }
}

const WORTHS: [Worth; Kind::COUNT] = [
    worth("P", [90, 130], [4, 16], [3, 0]),
    worth("I", [120, 150], [5, 4], [4, 1]),
    worth("C", [240, 270], [7, 9], [4, 4]),
    worth("S", [250, 280], [8, 9], [4, 4]),
    worth("G", [360, 400], [6, 14], [3, 5]),
    worth("F", [370, 390], [6, 9], [4, 5]),
    worth("T", [390, 430], [5, 10], [4, 6]),
    worth("E", [480, 560], [-6, 22], [3, 5]),
    worth("L", [360, 370], [1, 8], [1, 0]),
    worth("A", [370, 400], [2, 6], [1, 1]),
    worth("M", [490, 520], [8, 10], [2, 2]),
    worth("V", [500, 530], [5, 9], [4, 2]),
    worth("B", [610, 650], [7, 10], [4, 4]),
    worth("R", [740, 780], [5, 12], [3, 3]),
    worth("H", [870, 910], [8, 14], [5, 5]),
    worth("D", [1000, 1050], [7, 13], [4, 4]),
    worth("X", [400, 430], [12, 30], [4, 4]),
    worth("O", [420, 450], [15, 45], [4, 4]),
    worth("N", [2500, 2400], [14, 2], [12, 14]),
    worth("Q", [1500, 1550], [6, 4], [5, 6]),
    worth("K", [700, 700], [-22, 2], [-1, 5]),
    worth("+P", [360, 400], [2, 2], [4, 6]),
    worth("+I", [400, 420], [2, 2], [4, 6]),
    worth("+C", [500, 520], [2, 1], [2, 2]),
    worth("+S", [500, 520], [1, 1], [3, 2]),
    worth("+G", [750, 780], [2, 2], [3, 3]),
    worth("+F", [620, 650], [2, 2], [4, 4]),
    worth("+T", [750, 800], [2, 1], [4, 4]),
    worth("+E", [675, 700], [-4, 2], [1, 5]),
    worth("+L", [850, 880], [-4, -4], [4, 4]),
    worth("+A", [640, 680], [4, 4], [4, 4]),
    worth("+M", [1000, 1040], [2, 2], [4, 4]),
    worth("+V", [1000, 1040], [2, 2], [4, 4]),
    worth("+B", [880, 920], [2, 2], [4, 4]),
    worth("+R", [1000, 1050], [2, 2], [4, 4]),
    worth("+H", [1250, 1300], [3, 2], [6, 6]),
    worth("+D", [1380, 1430], [3, 2], [6, 6]),
    worth("+X", [1500, 1550], [3, 2], [5, 6]),
    worth("+O", [2500, 2400], [5, 2], [12, 14]),
];

/// The rows stand in the order of the kinds.
const _: () = {
    let mut n = 0;
    while n < Kind::COUNT {
        let (kind, row) = (
            Kind::ALL[n].letter().as_bytes(),
            WORTHS[n].letter.as_bytes(),
        );
        assert!(kind.len() == row.len() && kind[kind.len() - 1] == row[row.len() - 1]);
        n += 1;
    }
};

/// What it is worth to be the side to move.
const TEMPO: Score = 15;
/// How many pieces a full board has.
const FULL: i32 = 92;

/// `[full board, empty board]` worth by slot and cell, positive for Black's pieces and negative for White's.
static SQUARES: [[[i16; 2]; 256]; 128] = {
    let mut table = [[[0; 2]; 256]; 128];
    let mut n = 0;
    while n < Kind::COUNT {
        let worth = &WORTHS[n];
        let mut index = 0;
        while index < Square::COUNT {
            let (rank, file) = ((index / 12) as i16, (index % 12) as i16);
            let centre = if file < 6 { file } else { 11 - file } - 2;
            let mut phase = 0;
            while phase < 2 {
                let advance = 2 * (5 - rank) + 1;
                let score = worth.value[phase]
                    + worth.advance[phase] * advance / 2
                    + worth.centre[phase] * centre;
                // Black's bit puts its pieces in the upper half of the table.
                let black = match Square::from_index(index) {
                    Some(square) => square.cell(),
                    None => 0,
                };
                table[64 + n + 1][black][phase] = score;
                table[n + 1][255 - black][phase] = -score;
                phase += 1;
            }
            index += 1;
        }
        n += 1;
    }
    table
};

const VALUES: [Score; 64] = {
    let mut values = [0; 64];
    let mut n = 0;
    while n < Kind::COUNT {
        values[n + 1] = WORTHS[n].value[0] as Score;
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

/// The evaluation of a position for its side to move, in centipawns.
pub fn evaluate(position: &Position) -> Score {
    Accumulator::new(position).score(position.turn())
}
