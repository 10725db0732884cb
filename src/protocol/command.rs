//! USI commands: what a GUI sends.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::Color;
use crate::engine::{ClockLimits, Limits};

/// A line from the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing but blanks.
    Empty,
    /// Introduce yourself.
    Usi,
    /// Say when you are ready.
    IsReady,
    /// Set an option.
    SetOption {
        /// The option's name.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// A new game begins.
    UsiNewGame,
    /// The game so far.
    Position(PositionText),
    /// Search.
    Go(Box<Go>),
    /// Count leaves, a line for each move.
    GoPerft(Option<String>),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// The game is over.
    GameOver,
    /// End.
    Quit,
    /// CECP is spoken from here on.
    XBoard,
    /// Something that people type.
    Debug {
        /// The first word.
        word: String,
        /// The rest.
        rest: Vec<String>,
    },
    /// Anything else.
    Unknown(String),
}

/// A game as the `position` command gives it: everything behind that word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText(pub String);

/// What `go` says. What is not given is `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Think until `stop`.
    pub infinite: bool,
    /// Black's and White's main time in ms; clients send negative ones.
    pub time: [Option<i64>; 2],
    /// Increments in ms.
    pub increment: [Option<i64>; 2],
    /// Byoyomi in ms.
    pub byoyomi: Option<i64>,
    /// Time for this move in ms.
    pub move_time: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Depth in plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Solve as a mate problem: in so many ms, or with no limit.
    pub mate: Option<MateTime>,
    /// Moves to search, as text.
    pub search_moves: Vec<String>,
    /// Words that make no sense here.
    pub ignored: Vec<String>,
}

/// How long a mate search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateTime {
    /// So many milliseconds.
    Milliseconds(i64),
    /// As long as it takes.
    Infinite,
}

/// What people may type besides the protocol; `help` lists them.
pub const DEBUG_WORDS: [(&str, &str); 10] = [
    (
        "d",
        "draw the board, with SFEN, key, number of moves and outcome",
    ),
    (
        "moves",
        "list the moves; `moves all`: in every spelling; `moves game`: those that may be played",
    ),
    ("perft", "count the leaves at a depth"),
    ("eval", "evaluate the position"),
    (
        "bench",
        "search the bench positions, to a depth if one is given; prints the signature",
    ),
    ("flip", "turn the board and swap the sides"),
    (
        "points",
        "count the pieces as after a game's time has run out",
    ),
    ("help", "list the commands"),
    ("compiler", "say what this was built for"),
    ("go perft", "count the leaves at a depth for each move"),
];

impl FromStr for Command {
    type Err = std::convert::Infallible;

    fn from_str(line: &str) -> Result<Command, Self::Err> {
        let line = line.trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(Command::Empty);
        };
        let rest = line
            .get(first.len()..)
            .unwrap_or_default()
            .trim()
            .to_owned();
        Ok(match first {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => set_option(words),
            "usinewgame" => Command::UsiNewGame,
            "position" => Command::Position(PositionText(rest)),
            "go" => go(words),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "gameover" => Command::GameOver,
            "quit" => Command::Quit,
            "xboard" => Command::XBoard,
            _ if DEBUG_WORDS.iter().any(|(word, _)| *word == first) => Command::Debug {
                word: first.to_owned(),
                rest: words.map(str::to_owned).collect(),
            },
            _ => Command::Unknown(line.to_owned()),
        })
    }
}

/// `setoption name N value V`; the word `name` may be missing, N and V may have blanks.
fn set_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let (mut name, mut value) = (Vec::new(), Vec::new());
    let mut in_value = false;
    for (n, word) in words.enumerate() {
        match word {
            "name" if n == 0 => {}
            "value" if !in_value && !name.is_empty() => in_value = true,
            _ if in_value => value.push(word),
            _ => name.push(word),
        }
    }
    Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

const GO_WORDS: [&str; 14] = [
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "searchmoves",
    "movestogo",
    "perft",
];

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next_if(|text| !GO_WORDS.contains(text))?;
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            if number.is_none() {
                go.ignored.push(format!("{word} {text}"));
            }
            number.map(|number| number as i64)
        };
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "btime" => go.time[0] = number(),
            "wtime" => go.time[1] = number(),
            "binc" => go.increment[0] = number(),
            "winc" => go.increment[1] = number(),
            "byoyomi" => go.byoyomi = number(),
            "movetime" => go.move_time = number(),
            "movestogo" => go.moves_to_go = number(),
            "depth" => go.depth = number(),
            "nodes" => go.nodes = number(),
            "mate" => {
                let infinite = words.next_if_eq(&"infinite").is_some();
                let time = (!infinite)
                    .then(|| words.next_if(|word| word.parse::<i64>().is_ok()))
                    .flatten()
                    .and_then(|word| word.parse().ok());
                go.mate = Some(time.map_or(MateTime::Infinite, MateTime::Milliseconds));
            }
            "searchmoves" => {
                while let Some(text) = words.next_if(|text| !GO_WORDS.contains(text)) {
                    go.search_moves.push(text.to_owned());
                }
            }
            "perft" => return Command::GoPerft(words.next().map(str::to_owned)),
            _ => go.ignored.push(word.to_owned()),
        }
    }
    Command::Go(Box::new(go))
}

impl Go {
    /// The limits for the side to move; moves to search are not part of it.
    pub fn limits(&self, turn: Color) -> Limits {
        let ms = |n: i64| Duration::from_millis(n.max(0) as u64);
        let side = turn.index();
        // A clock given for one side alone is taken to hold for both.
        let pick = |values: [Option<i64>; 2]| values[side].or(values[1 - side]);
        let (main, increment) = (pick(self.time), pick(self.increment));
        let has_clock = main.is_some() || increment.is_some() || self.byoyomi.is_some();
        let clock = (has_clock && !self.infinite).then(|| ClockLimits {
            main: ms(main.unwrap_or(0)),
            increment: ms(increment.unwrap_or(0)),
            byoyomi: ms(self.byoyomi.unwrap_or(0)),
            moves_to_go: self.moves_to_go.map(|n| n.clamp(1, 1_000) as u32),
        });
        Limits {
            depth: self.depth.map(|n| n.clamp(1, 1_000) as u32),
            nodes: self.nodes.map(|n| n.max(1) as u64),
            move_time: self.move_time.filter(|_| !self.infinite).map(ms),
            clock,
            infinite: self.infinite,
            ponder: self.ponder,
            ..Limits::default()
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let flags = [("ponder", self.ponder), ("infinite", self.infinite)];
        for (word, _) in flags.iter().filter(|(_, set)| *set) {
            write!(f, " {word}")?;
        }
        let numbers = [
            ("btime", self.time[0]),
            ("wtime", self.time[1]),
            ("byoyomi", self.byoyomi),
            ("binc", self.increment[0]),
            ("winc", self.increment[1]),
            ("movestogo", self.moves_to_go),
            ("movetime", self.move_time),
            ("depth", self.depth),
            ("nodes", self.nodes),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        match self.mate {
            Some(MateTime::Infinite) => f.write_str(" mate infinite")?,
            Some(MateTime::Milliseconds(n)) => write!(f, " mate {n}")?,
            None => {}
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Empty => Ok(()),
            Command::Usi => f.write_str("usi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } if value.is_empty() => {
                write!(f, "setoption name {name}")
            }
            Command::SetOption { name, value } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::UsiNewGame => f.write_str("usinewgame"),
            Command::Position(PositionText(text)) => write!(f, "position {text}"),
            Command::Go(go) => go.fmt(f),
            Command::GoPerft(depth) => write!(f, "go perft {}", depth.as_deref().unwrap_or("")),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::GameOver => f.write_str("gameover"),
            Command::Quit => f.write_str("quit"),
            Command::XBoard => f.write_str("xboard"),
            Command::Debug { word, rest } if rest.is_empty() => f.write_str(word),
            Command::Debug { word, rest } => write!(f, "{word} {}", rest.join(" ")),
            Command::Unknown(line) => f.write_str(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        let Ok(command) = line.parse::<Command>();
        command
    }

    #[test]
    fn what_is_written_is_read_back() {
        for line in [
            "usi",
            "isready",
            "setoption name USI_Hash value 64",
            "setoption name Clear_Hash",
            "usinewgame",
            "position startpos moves 7i7h",
            "go infinite",
            "go ponder btime 1000 wtime -20 binc 5 winc 6",
            "go btime 0 byoyomi 500 movestogo 3 movetime 5 depth 4 nodes 3",
            "go mate 500",
            "go mate infinite searchmoves 7i7h 6i6h",
            "stop",
            "quit",
            "moves all",
            "what is this",
        ] {
            assert_eq!(parse(&format!("  {line}\t")).to_string(), line);
        }
    }

    #[test]
    fn go_in_any_order_and_with_nonsense() {
        let Command::Go(go) = parse("go nodes depth 5 foo movetime x winc 3 btime 1e3") else {
            panic!("not a go");
        };
        assert_eq!((go.nodes, go.depth, go.move_time), (None, Some(5), None));
        assert_eq!(
            (go.increment, go.time),
            ([None, Some(3)], [Some(1000), None])
        );
        assert_eq!(go.ignored, ["foo", "movetime x"]);
    }

    #[test]
    fn clocks_of_one_side_hold_for_both() {
        let Command::Go(go) = parse("go btime -50 byoyomi 100") else {
            panic!("not a go")
        };
        for turn in Color::BOTH {
            let clock = go.limits(turn).clock.unwrap_or_default();
            assert_eq!(clock.main, Duration::ZERO);
            assert_eq!(clock.byoyomi, Duration::from_millis(100));
        }
        let Command::Go(go) = parse("go depth 3") else {
            panic!("not a go")
        };
        assert_eq!(go.limits(Color::Black).clock, None);
    }
}
