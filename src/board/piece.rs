//! Pieces: one table says what they are called, how they move and what they become (rules §2).

use std::ops::Not;

use super::square::Square;

/// A side. Black is sente, moves first and up the board (towards rank a).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Color {
    /// Sente.
    Black,
    /// Gote.
    White,
}

impl Color {
    /// Both sides, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank of a square as this side counts it: 0 is its far edge, 11 its own.
    pub const fn relative_rank(self, square: Square) -> u8 {
        match self {
            Color::Black => square.rank(),
            Color::White => 11 - square.rank(),
        }
    }

    const fn bit(self) -> u8 {
        0x40 << self as u8
    }
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// What a piece may do in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Reach {
    /// Nothing.
    No,
    /// One step.
    Step,
    /// Any number of empty squares.
    Slide,
    /// A leap over exactly one square, whatever stands there.
    Jump,
    /// Lion power along this line alone (horned falcon, soaring eagle).
    Double,
    /// Lion power in all directions.
    Lion,
}

/// A kind of piece; promoted kinds are kinds of their own, so that a promoted rook is not a dragon king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Kind(u8);

struct Row {
    letter: &'static str,
    english: &'static str,
    kanji: &'static str,
    short: &'static str,
    reach: [Reach; 8],
    points: u16,
}

const fn row(
    letter: &'static str,
    english: &'static str,
    kanji: &'static str,
    short: &'static str,
    reaches: &'static str,
    points: u16,
) -> Row {
    let mut reach = [Reach::No; 8];
    let mut d = 0;
    while d < 8 {
        reach[d] = match reaches.as_bytes()[d] {
            b'.' => Reach::No,
            b's' => Reach::Step,
            b'r' => Reach::Slide,
            b'j' => Reach::Jump,
            b'd' => Reach::Double,
            b'l' => Reach::Lion,
            _ => panic!("a reach is one of . s r j d l"),
        };
        d += 1;
    }
    Row {
        letter,
        english,
        kanji,
        short,
        reach,
        points,
    }
}

/// Letter, names, one and two character kanji, reach clockwise from straight ahead (s step, r slide, j jump, d double,
/// l lion), and points in tenths (rules §8). Row n + 21 is what row n promotes to.
const ROWS: [Row; Kind::COUNT + 1] = [
    row("", "", "", "", "........", 0),
    row("P", "pawn", "歩兵", "歩", "s.......", 10),
    row("I", "go-between", "仲人", "仲", "s...s...", 16),
    row("C", "copper general", "銅将", "銅", "ss..s..s", 30),
    row("S", "silver general", "銀将", "銀", "ss.s.s.s", 34),
    row("G", "gold general", "金将", "金", "sss.s.ss", 44),
    row("F", "ferocious leopard", "猛豹", "豹", "ss.sss.s", 40),
    row("T", "blind tiger", "盲虎", "虎", ".sssssss", 47),
    row("E", "drunk elephant", "醉象", "象", "ssss.sss", 59),
    row("L", "lance", "香車", "香", "r.......", 35),
    row("A", "reverse chariot", "反車", "反", "r...r...", 49),
    row("M", "side mover", "横行", "横", "s.r.s.r.", 64),
    row("V", "vertical mover", "竪行", "竪", "r.s.r.s.", 64),
    row("B", "bishop", "角行", "角", ".r.r.r.r", 67),
    row("R", "rook", "飛車", "飛", "r.r.r.r.", 95),
    row("H", "dragon horse", "龍馬", "馬", "srsrsrsr", 97),
    row("D", "dragon king", "龍王", "龍", "rsrsrsrs", 121),
    row("X", "phoenix", "鳳凰", "鳳", "sjsjsjsj", 57),
    row("O", "kirin", "麒麟", "麒", "jsjsjsjs", 64),
    row("N", "lion", "獅子", "獅", "llllllll", 191),
    row("Q", "queen", "奔王", "奔", "rrrrrrrr", 141),
    row("K", "king", "玉将", "玉", "ssssssss", 0),
    row("+P", "tokin", "と金", "と", "sss.s.ss", 35),
    row("+I", "promoted go-between", "成醉象", "醉", "ssss.sss", 40),
    row("+C", "promoted copper", "成横行", "横", "s.r.s.r.", 54),
    row("+S", "promoted silver", "成竪行", "竪", "r.s.r.s.", 54),
    row("+G", "promoted gold", "成飛車", "飛", "r.r.r.r.", 84),
    row("+F", "promoted leopard", "成角行", "角", ".r.r.r.r", 57),
    row("+T", "flying stag", "飛鹿", "鹿", "rsssrsss", 76),
    row("+E", "prince", "太子", "太", "ssssssss", 176),
    row("+L", "white horse", "白駒", "駒", "rr..r..r", 70),
    row("+A", "whale", "鯨鯢", "鯨", "r..rrr..", 70),
    row("+M", "free boar", "奔猪", "猪", ".rrr.rrr", 99),
    row("+V", "flying ox", "飛牛", "牛", "rr.rrr.r", 99),
    row("+B", "promoted bishop", "成龍馬", "馬", "srsrsrsr", 81),
    row("+R", "promoted rook", "成龍王", "龍", "rsrsrsrs", 106),
    row("+H", "horned falcon", "角鷹", "鷹", "drrrrrrr", 140),
    row("+D", "soaring eagle", "飛鷲", "鷲", "rdrrrrrd", 148),
    row("+X", "promoted phoenix", "成奔王", "奔", "rrrrrrrr", 141),
    row("+O", "promoted kirin", "成獅子", "獅", "llllllll", 191),
];

impl Kind {
    /// How many kinds there are; [`Kind::index`] runs from 1 to this number.
    pub const COUNT: usize = 39;
    const PROMOTABLE: u8 = 18;
    const PROMOTION: u8 = 21;

    /// Pawn (P).
    pub const PAWN: Kind = Kind(1);
    /// Go-between (I).
    pub const GO_BETWEEN: Kind = Kind(2);
    /// Drunk elephant (E).
    pub const ELEPHANT: Kind = Kind(8);
    /// Lance (L).
    pub const LANCE: Kind = Kind(9);
    /// Kirin (O).
    pub const KIRIN: Kind = Kind(18);
    /// Lion (N).
    pub const LION: Kind = Kind(19);
    /// Queen, also called free king (Q).
    pub const QUEEN: Kind = Kind(20);
    /// King (K).
    pub const KING: Kind = Kind(21);
    /// Prince, the promoted drunk elephant (+E).
    pub const PRINCE: Kind = Kind(29);
    /// Horned falcon, the promoted dragon horse (+H).
    pub const FALCON: Kind = Kind(36);
    /// Soaring eagle, the promoted dragon king (+D).
    pub const EAGLE: Kind = Kind(37);
    /// Promoted kirin (+O), a lion.
    pub const PROMOTED_KIRIN: Kind = Kind(39);

    /// Every kind, in the order of [`Kind::index`].
    pub const ALL: [Kind; Kind::COUNT] = {
        let mut all = [Kind(0); Kind::COUNT];
        let mut n = 0;
        while n < Kind::COUNT {
            all[n] = Kind(n as u8 + 1);
            n += 1;
        }
        all
    };

    /// Every kind, in the order of [`Kind::index`].
    pub fn all() -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter()
    }

    const fn row(self) -> &'static Row {
        &ROWS[self.0 as usize]
    }

    /// 1 … [`Kind::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The kind with this SFEN letter, `P` … `K` or `+P` … `+O`, in capitals.
    pub fn from_letter(letter: &str) -> Option<Kind> {
        Kind::all().find(|kind| kind.letter() == letter)
    }

    /// The SFEN letter in capitals, with `+` before it if promoted.
    pub const fn letter(self) -> &'static str {
        self.row().letter
    }

    /// The English name.
    pub const fn english(self) -> &'static str {
        self.row().english
    }

    /// The name in kanji as records write it: two characters, or 成 and two for a promoted kind that shares its name.
    pub const fn kanji(self) -> &'static str {
        self.row().kanji
    }

    /// The single character for diagrams; a promoted kind that moves like another shares its character.
    pub const fn kanji_short(self) -> &'static str {
        self.row().short
    }

    /// What it promotes to, if it does (rules §2).
    pub const fn promoted(self) -> Option<Kind> {
        if self.0 >= 1 && self.0 <= Kind::PROMOTABLE {
            Some(Kind(self.0 + Kind::PROMOTION))
        } else {
            None
        }
    }

    /// What it was before it promoted, if it is a promoted kind.
    pub const fn unpromoted(self) -> Option<Kind> {
        if self.0 > Kind::PROMOTION {
            Some(Kind(self.0 - Kind::PROMOTION))
        } else {
            None
        }
    }

    /// Whether this is a promoted kind.
    pub const fn is_promoted(self) -> bool {
        self.0 > Kind::PROMOTION
    }

    /// Its reach in each direction, clockwise from straight ahead.
    pub const fn reaches(self) -> [Reach; 8] {
        self.row().reach
    }

    /// Its worth in tenths of a point when a game is adjudicated; the king has none (rules §8).
    pub const fn points(self) -> u16 {
        self.row().points
    }

    /// King or prince.
    pub const fn is_royal(self) -> bool {
        self.0 == Kind::KING.0 || self.0 == Kind::PRINCE.0
    }

    /// Lion or promoted kirin: what lion trading is about (rules §5).
    pub const fn is_lion(self) -> bool {
        self.0 == Kind::LION.0 || self.0 == Kind::PROMOTED_KIRIN.0
    }

    /// Whether it has lion power in some direction: lion, promoted kirin, falcon, eagle (rules §3).
    pub const fn has_lion_power(self) -> bool {
        self.is_lion() || self.0 == Kind::FALCON.0 || self.0 == Kind::EAGLE.0
    }

    /// Pawn or go-between: too little to protect or to bare a king with (rules §5.2, §6).
    pub const fn is_pawn_like(self) -> bool {
        self.0 == Kind::PAWN.0 || self.0 == Kind::GO_BETWEEN.0
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Piece(u8);

impl Piece {
    /// The piece of this side and kind.
    pub const fn new(color: Color, kind: Kind) -> Piece {
        Piece(color.bit() | kind.0)
    }

    /// Whose it is.
    pub const fn color(self) -> Color {
        if self.0 & 0x80 == 0 {
            Color::Black
        } else {
            Color::White
        }
    }

    /// What it is.
    pub const fn kind(self) -> Kind {
        Kind(self.0 & 0x3F)
    }

    /// Whether it stands unpromoted on the last rank and can never move again (rules §4).
    pub const fn is_dead_on(self, square: Square) -> bool {
        (self.kind().0 == Kind::PAWN.0 || self.kind().0 == Kind::LANCE.0)
            && self.color().relative_rank(square) == 0
    }
}

/// What a cell of the board holds: a piece, nothing, or the edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Slot(u8);

impl Slot {
    /// No piece.
    pub const EMPTY: Slot = Slot(0);
    /// A guard cell around the board. It belongs to both sides, so that nobody moves there.
    pub const EDGE: Slot = Slot(0xC0);

    /// Whether nothing stands here (the edge is not empty).
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The piece, if there is one.
    pub const fn piece(self) -> Option<Piece> {
        if self.0 & 0x3F == 0 {
            None
        } else {
            Some(Piece(self.0))
        }
    }

    /// Whether `color` cannot move here: an own piece or the edge.
    pub(crate) const fn blocks(self, color: Color) -> bool {
        self.0 & color.bit() != 0
    }

    /// Whether a piece of `color` stands here.
    pub(crate) const fn is_of(self, color: Color) -> bool {
        self.0 & 0xC0 == color.bit()
    }

    /// Whether a piece of the other side stands here.
    pub(crate) const fn is_enemy_of(self, color: Color) -> bool {
        self.0 & 0xC0 == 0xC0 - color.bit()
    }

    /// The kind that stands here; meaningless for an empty cell or the edge.
    pub(crate) const fn kind(self) -> Kind {
        Kind(self.0 & 0x3F)
    }

    /// An index below 256, different for each piece.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Piece {
    /// A slot that holds it.
    pub(crate) const fn slot(self) -> Slot {
        Slot(self.0)
    }
}

impl From<Piece> for Slot {
    fn from(piece: Piece) -> Slot {
        piece.slot()
    }
}

/// The reaches of every piece by board direction, indexed by side and by the low six bits of a slot.
pub(crate) static REACH: [[[Reach; 8]; 64]; 2] = {
    let mut table = [[[Reach::No; 8]; 64]; 2];
    let mut kind = 1;
    while kind <= Kind::COUNT {
        let mut d = 0;
        while d < 8 {
            table[0][kind][d] = ROWS[kind].reach[d];
            table[1][kind][(d + 4) & 7] = ROWS[kind].reach[d];
            d += 1;
        }
        kind += 1;
    }
    table
};

impl Slot {
    /// The reach of the piece here in a board direction; `No` for an empty cell or the edge.
    pub(crate) fn reach(self, direction: usize) -> Reach {
        REACH[(self.0 >> 7) as usize][self.kind().index() & 63][direction & 7]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_promotions() {
        assert_eq!(Kind::all().count(), 39);
        for kind in Kind::all() {
            assert_eq!(Kind::from_letter(kind.letter()), Some(kind));
            if let Some(promoted) = kind.promoted() {
                assert_eq!(promoted.letter(), format!("+{}", kind.letter()));
                assert_eq!(promoted.unpromoted(), Some(kind));
            }
            assert_eq!(kind.is_promoted(), kind.letter().starts_with('+'));
        }
        for letter in ["N", "Q", "K", "+P", "+O"] {
            assert_eq!(Kind::from_letter(letter).and_then(Kind::promoted), None);
        }
        assert_eq!(Kind::KIRIN.promoted(), Some(Kind::PROMOTED_KIRIN));
        assert_eq!(Kind::ELEPHANT.promoted(), Some(Kind::PRINCE));
    }

    #[test]
    fn a_slot_is_one_thing() {
        for color in Color::BOTH {
            for kind in Kind::all() {
                let piece = Piece::new(color, kind);
                let slot = Slot::from(piece);
                assert_eq!(
                    (piece.color(), piece.kind(), slot.piece()),
                    (color, kind, Some(piece))
                );
                assert!(slot.is_of(color) && slot.blocks(color) && !slot.is_enemy_of(color));
                assert!(slot.is_enemy_of(!color) && !slot.blocks(!color) && !slot.is_empty());
            }
            assert!(Slot::EDGE.blocks(color) && !Slot::EDGE.is_enemy_of(color));
            assert!(!Slot::EMPTY.blocks(color) && !Slot::EMPTY.is_enemy_of(color));
        }
        assert_eq!((Slot::EDGE.piece(), Slot::EMPTY.piece()), (None, None));
    }
}
