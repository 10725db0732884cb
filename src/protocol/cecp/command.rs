//! CECP commands: what a GUI sends.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::notation::xboard;

/// A line from the GUI.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Nothing but blanks.
    Empty,
    /// CECP is spoken.
    XBoard,
    /// The GUI's version of the protocol; asks for the engine's features.
    ProtoVer(u32),
    /// A new game from the start position, in which the engine plays second.
    New,
    /// The game to play, as XBoard names it.
    Variant(String),
    /// Play neither side.
    Force,
    /// Play the side to move, and move.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// The other side's move, or the first of its two lines.
    UserMove(String),
    /// Move at once.
    MoveNow,
    /// Answer this number when everything before is done.
    Ping(String),
    /// A time control.
    Level(Level),
    /// So much time for each move.
    MoveTime(Duration),
    /// Search no deeper than this.
    Depth(u32),
    /// Measure time by nodes, so many a second; by the clock if there is no number.
    NodeRate(Option<u64>),
    /// What the engine's clock shows, in centiseconds; can be negative.
    Time(i64),
    /// What the opponent's clock shows.
    OpponentTime(i64),
    /// The position as a FEN.
    SetBoard(String),
    /// Take one move back.
    Undo,
    /// Take two moves back.
    Remove,
    /// Think on the opponent's time.
    Hard,
    /// Do not.
    Easy,
    /// Show what the search finds.
    Post,
    /// Do not.
    NoPost,
    /// Analyse positions until `exit`.
    Analyze,
    /// End the analysis.
    Exit,
    /// Say how far the analysis is.
    Status,
    /// Suggest a move.
    Hint,
    /// Use no more than so many MiB.
    Memory(usize),
    /// Use so many threads.
    Cores(usize),
    /// Set an option.
    Option {
        /// The option's name.
        name: String,
        /// The value; `None` for a button.
        value: Option<String>,
    },
    /// The opponent is an engine too.
    Computer,
    /// The game is over, with the result and its reason.
    Result(String),
    /// End.
    Quit,
    /// Something that people type: draw the board.
    Draw,
    /// Something that there is nothing to do about.
    Tolerated(String),
    /// A known command with an argument that makes no sense.
    Bad(String),
    /// Anything else.
    Unknown(String),
}

/// What `level` says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Moves that `base` is for, again and again; 0 if it is for the whole game.
    pub moves: u32,
    /// Time on the clock.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl Default for Level {
    /// What engines assume if they are told nothing: 40 moves in 5 minutes.
    fn default() -> Level {
        Level {
            moves: 40,
            base: Duration::from_secs(300),
            increment: Duration::ZERO,
        }
    }
}

/// Commands that need no answer and change nothing.
const TOLERATED: [&str; 22] = [
    "accepted", "rejected", "random", "name", "rating", "ics", "draw", "bk", "white", "black",
    "pause", "resume", "egtpath", "lift", "put", "hover", "partner", "score", "exclude", "include",
    "setscore", "holding",
];

impl FromStr for Command {
    type Err = std::convert::Infallible;

    fn from_str(line: &str) -> Result<Command, Self::Err> {
        let line = line.trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(Command::Empty);
        };
        let rest = line.get(first.len()..).unwrap_or_default().trim();
        let argument = words.next();
        let plain = match first {
            "xboard" => Command::XBoard,
            "new" => Command::New,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "?" => Command::MoveNow,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hard" => Command::Hard,
            "easy" => Command::Easy,
            "post" => Command::Post,
            "nopost" => Command::NoPost,
            "analyze" => Command::Analyze,
            "exit" => Command::Exit,
            "." => Command::Status,
            "hint" => Command::Hint,
            "computer" => Command::Computer,
            "quit" => Command::Quit,
            "d" => Command::Draw,
            "result" => Command::Result(rest.to_owned()),
            "ping" => Command::Ping(rest.to_owned()),
            "setboard" => Command::SetBoard(rest.to_owned()),
            _ if TOLERATED.contains(&first) => Command::Tolerated(line.to_owned()),
            // People type moves without the word before them.
            _ if argument.is_none() && xboard::is_move(first) => {
                Command::UserMove(first.to_owned())
            }
            _ => {
                let known = with_argument(first, argument, rest);
                return Ok(known.map_or_else(
                    || Command::Unknown(line.to_owned()),
                    |command| command.unwrap_or_else(|| Command::Bad(line.to_owned())),
                ));
            }
        };
        Ok(plain)
    }
}

/// Commands whose argument can be wrong: `None` if the word is none of them, `Some(None)` if the argument is.
fn with_argument(word: &str, argument: Option<&str>, rest: &str) -> Option<Option<Command>> {
    let text = argument.unwrap_or_default();
    Some(match word {
        "protover" => text.parse().ok().map(Command::ProtoVer),
        "variant" => argument.map(|name| Command::Variant(name.to_owned())),
        "usermove" => argument.map(|text| Command::UserMove(text.to_owned())),
        "level" => level(rest).map(Command::Level),
        "st" => time(text, 1).map(Command::MoveTime),
        "sd" => whole(text).map(|n| Command::Depth(n.clamp(1, 1_000) as u32)),
        "nps" => whole(text).map(|n| Command::NodeRate(u64::try_from(n).ok().filter(|n| *n > 0))),
        "time" => whole(text).map(Command::Time),
        "otim" => whole(text).map(Command::OpponentTime),
        "memory" => whole(text).map(|n| Command::Memory(n.max(1) as usize)),
        "cores" => whole(text).map(|n| Command::Cores(n.max(1) as usize)),
        "option" if rest.is_empty() => None,
        "option" => Some(match rest.split_once('=') {
            Some((name, value)) => Command::Option {
                name: name.trim().to_owned(),
                value: Some(value.trim().to_owned()),
            },
            None => Command::Option {
                name: rest.to_owned(),
                value: None,
            },
        }),
        _ => return None,
    })
}

/// A number, rounded down; GUIs send fractions where there should be none.
fn whole(text: &str) -> Option<i64> {
    let number: f64 = text.parse().ok()?;
    number.is_finite().then_some(number.floor() as i64)
}

/// `level MOVES BASE INCREMENT`: the base in minutes or as `minutes:seconds`, the increment in seconds.
fn level(rest: &str) -> Option<Level> {
    let mut words = rest.split_whitespace();
    let moves = whole(words.next()?)?;
    let base = time(words.next()?, 60)?;
    let increment = words
        .next()
        .map_or(Some(Duration::ZERO), |word| time(word, 1))?;
    Some(Level {
        moves: moves.clamp(0, 10_000) as u32,
        base,
        increment,
    })
}

/// A duration in a unit of so many seconds, or as `minutes:seconds`; negative ones are none at all.
fn time(text: &str, unit: u32) -> Option<Duration> {
    const LONGEST: f64 = 1e8;
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let seconds = match text.split_once(':') {
        Some((minutes, seconds)) => number(minutes)? * 60.0 + number(seconds)?,
        None => number(text)? * f64::from(unit),
    };
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.base.as_secs();
        write!(f, "level {} {}", self.moves, seconds / 60)?;
        if !seconds.is_multiple_of(60) {
            write!(f, ":{:02}", seconds % 60)?;
        }
        write!(f, " {}", self.increment.as_secs_f64())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Empty => Ok(()),
            Command::XBoard => f.write_str("xboard"),
            Command::ProtoVer(version) => write!(f, "protover {version}"),
            Command::New => f.write_str("new"),
            Command::Variant(name) => write!(f, "variant {name}"),
            Command::Force => f.write_str("force"),
            Command::Go => f.write_str("go"),
            Command::PlayOther => f.write_str("playother"),
            Command::UserMove(text) => write!(f, "usermove {text}"),
            Command::MoveNow => f.write_str("?"),
            Command::Ping(number) => write!(f, "ping {number}"),
            Command::Level(level) => level.fmt(f),
            Command::MoveTime(time) => write!(f, "st {}", time.as_secs_f64()),
            Command::Depth(depth) => write!(f, "sd {depth}"),
            Command::NodeRate(Some(rate)) => write!(f, "nps {rate}"),
            Command::NodeRate(None) => f.write_str("nps -1"),
            Command::Time(time) => write!(f, "time {time}"),
            Command::OpponentTime(time) => write!(f, "otim {time}"),
            Command::SetBoard(fen) => write!(f, "setboard {fen}"),
            Command::Undo => f.write_str("undo"),
            Command::Remove => f.write_str("remove"),
            Command::Hard => f.write_str("hard"),
            Command::Easy => f.write_str("easy"),
            Command::Post => f.write_str("post"),
            Command::NoPost => f.write_str("nopost"),
            Command::Analyze => f.write_str("analyze"),
            Command::Exit => f.write_str("exit"),
            Command::Status => f.write_str("."),
            Command::Hint => f.write_str("hint"),
            Command::Memory(size) => write!(f, "memory {size}"),
            Command::Cores(number) => write!(f, "cores {number}"),
            Command::Option { name, value } => match value {
                Some(value) => write!(f, "option {name}={value}"),
                None => write!(f, "option {name}"),
            },
            Command::Computer => f.write_str("computer"),
            Command::Result(text) => write!(f, "result {text}"),
            Command::Quit => f.write_str("quit"),
            Command::Draw => f.write_str("d"),
            Command::Tolerated(line) | Command::Bad(line) | Command::Unknown(line) => {
                f.write_str(line)
            }
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
            "xboard",
            "protover 2",
            "new",
            "variant chu",
            "force",
            "go",
            "playother",
            "usermove c7d6,d6c7",
            "usermove c7d6,",
            "usermove @@@@",
            "?",
            "ping 7",
            "level 40 5 0",
            "level 0 0:20 0.5",
            "st 2.5",
            "sd 7",
            "nps 1000",
            "nps -1",
            "time -20",
            "otim 3000",
            "setboard 12/12 w - 0 1",
            "undo",
            "remove",
            "hard",
            "easy",
            "post",
            "nopost",
            "analyze",
            "exit",
            ".",
            "hint",
            "memory 68",
            "cores 2",
            "option MultiPV=3",
            "option Clear_Hash",
            "option EvalFile=/a = b",
            "computer",
            "result 1-0 {White mates}",
            "rejected setboard",
            "quit",
            "what is this",
        ] {
            assert_eq!(parse(&format!("  {line}\t")).to_string(), line);
        }
    }

    #[test]
    fn every_form_of_a_time_control() {
        let seconds = Duration::from_secs_f64;
        for (line, moves, base, increment) in [
            ("level 40 5 0", 40, 300.0, 0.0),
            ("level 0 2 12", 0, 120.0, 12.0),
            ("level 0 0:20 0.25", 0, 20.0, 0.25),
            ("level 0 1:30.5 1", 0, 90.5, 1.0),
            ("level 60 0.5", 60, 30.0, 0.0),
            ("level -1 -5 -1", 0, 0.0, 0.0),
        ] {
            let (base, increment) = (seconds(base), seconds(increment));
            let level = Level {
                moves,
                base,
                increment,
            };
            assert_eq!(parse(line), Command::Level(level), "{line}");
        }
        assert_eq!(parse("st 0:05"), Command::MoveTime(seconds(5.0)));
    }

    #[test]
    fn nonsense_is_named() {
        for line in [
            "level",
            "level 40",
            "level x 5 0",
            "level 0 1:x 0",
            "level 0 5 inf",
            "st",
            "st nan",
            "sd x",
            "nps",
            "time",
            "time soon",
            "memory much",
            "cores",
            "option",
            "protover two",
            "variant",
            "usermove",
        ] {
            assert_eq!(parse(line), Command::Bad(line.to_owned()));
        }
        for line in ["usi", "f3f5 f6", "F3f5", "é", "\0"] {
            assert_eq!(parse(line), Command::Unknown(line.to_owned()));
        }
        assert_eq!(parse("f3f5+"), Command::UserMove("f3f5+".to_owned()));
        assert_eq!(parse("sd -3"), Command::Depth(1));
        assert_eq!(parse("memory 1e30"), Command::Memory(i64::MAX as usize));
        assert_eq!(parse("nps 0"), Command::NodeRate(None));
    }
}
