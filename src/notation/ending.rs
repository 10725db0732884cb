//! How games end by what a record says, in the words of every format.

use crate::board::{Color, Outcome};

/// The end of a line of moves, as the record gives it; ends on the board need no word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move resigned.
    Resignation,
    /// The side to move is mated, or its last royal is gone.
    Mate,
    /// The side to move ran out of time.
    TimeUp,
    /// The side to move loses by breaking a rule.
    Foul,
    /// The side to move wins because the other side broke a rule.
    FoulByOpponent,
    /// The side to move wins by declaration.
    Declaration,
    /// A draw by repetition.
    Repetition,
    /// A draw because neither side can win any more.
    Impasse,
    /// A draw.
    Draw,
    /// The game was broken off.
    Interruption,
    /// This side won; the record does not say how.
    Win(Color),
}

/// What a game comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

impl Verdict {
    /// What the end of a game on the board comes to; nothing if it goes on.
    pub fn of(outcome: Outcome) -> Option<Verdict> {
        let verdict = outcome.winner().map_or(Verdict::Draw, Verdict::Win);
        outcome.is_over().then_some(verdict)
    }

    /// One word for it, for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Win(Color::Black) => "black",
            Verdict::Win(Color::White) => "white",
            Verdict::Draw => "draw",
        }
    }
}

use Ending::{
    Declaration, Draw, Foul, FoulByOpponent, Impasse, Interruption, Mate, Repetition, Resignation,
    TimeUp, Win,
};

/// The end words of KIF; the first for each ending is the one that is written.
const KIF_WORDS: [(&str, Ending); 15] = [
    ("投了", Resignation),
    ("詰み", Mate),
    ("詰", Mate),
    ("切れ負け", TimeUp),
    ("時間切れ", TimeUp),
    ("反則負け", Foul),
    ("反則勝ち", FoulByOpponent),
    ("入玉勝ち", Declaration),
    ("千日手", Repetition),
    ("持将棋", Impasse),
    ("引き分け", Draw),
    ("引分け", Draw),
    ("引分", Draw),
    ("中断", Interruption),
    ("封じ手", Interruption),
];

/// What PGN says about an ending. `L` and `W` stand for the loser and the winner.
const PGN_PHRASES: [(&str, Ending); 10] = [
    ("L resigns", Resignation),
    ("W mates", Mate),
    ("L forfeits on time", TimeUp),
    ("L forfeits by an illegal move", Foul),
    ("W claims an illegal move", FoulByOpponent),
    ("W wins by declaration", Declaration),
    ("Draw by repetition", Repetition),
    ("Draw by impasse", Impasse),
    ("Draw", Draw),
    ("Game broken off", Interruption),
];

impl Ending {
    /// One word for it, for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Resignation => "resignation",
            Mate => "mate",
            TimeUp => "time",
            Foul => "foul",
            FoulByOpponent => "foul-by-opponent",
            Declaration => "declaration",
            Repetition => "repetition",
            Impasse => "impasse",
            Draw => "draw",
            Interruption => "interruption",
            Win(Color::Black) => "black",
            Win(Color::White) => "white",
        }
    }

    /// The ending that a word of KIF means.
    pub fn from_kif(word: &str) -> Option<Ending> {
        let found = KIF_WORDS.iter().find(|(known, _)| *known == word);
        found.map(|&(_, ending)| ending)
    }

    /// The word that KIF writes after the last move; a win that nothing is known about has none.
    pub fn kif(self) -> Option<&'static str> {
        let found = KIF_WORDS.iter().find(|(_, ending)| *ending == self);
        found.map(|&(word, _)| word)
    }

    /// The ending that a comment of PGN means, when this side is to move.
    pub fn from_pgn(phrase: &str, turn: Color) -> Option<Ending> {
        PGN_PHRASES
            .iter()
            .map(|&(_, ending)| ending)
            .find(|ending| ending.pgn(turn).as_deref() == Some(phrase))
    }

    /// What PGN says about it when this side is to move, as in `Black resigns`. PGN's White is our Black.
    pub fn pgn(self, turn: Color) -> Option<String> {
        let &(phrase, _) = PGN_PHRASES.iter().find(|(_, ending)| *ending == self)?;
        let name = |color| match color {
            Color::Black => "White",
            Color::White => "Black",
        };
        Some(match (self.winner(turn), phrase.split_at_checked(1)) {
            (Some(winner), Some(("W", rest))) => format!("{}{rest}", name(winner)),
            (Some(winner), Some(("L", rest))) => format!("{}{rest}", name(!winner)),
            _ => phrase.to_owned(),
        })
    }

    /// What it comes to when this side is to move; nothing if the game was broken off.
    pub fn verdict(self, turn: Color) -> Option<Verdict> {
        let winner = self.winner(turn).map(Verdict::Win);
        winner.or(self.is_draw().then_some(Verdict::Draw))
    }

    /// Who wins when this side is to move; nobody if it is a draw or broken off.
    pub fn winner(self, turn: Color) -> Option<Color> {
        match self {
            Resignation | Mate | TimeUp | Foul => Some(!turn),
            FoulByOpponent | Declaration => Some(turn),
            Win(winner) => Some(winner),
            Repetition | Impasse | Draw | Interruption => None,
        }
    }

    /// Whether it is a draw.
    pub fn is_draw(self) -> bool {
        matches!(self, Repetition | Impasse | Draw)
    }
}
