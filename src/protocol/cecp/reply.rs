//! CECP replies: what an engine sends.

use std::fmt;
use std::str::FromStr;

use crate::board::{Color, Outcome, Position};
use crate::engine::Info;
use crate::engine::options::{self, Options, Sort, Spec};
use crate::engine::score::{MATE, MAX_EVAL, Score, mate_distance};
use crate::notation::xboard;
use crate::protocol::NotThis;

/// What the engine can do, apart from its name and options.
const FEATURES: &str = "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=0 sigint=0 sigterm=0 reuse=1 \
                        analyze=1 memory=1 smp=1 nps=1 colors=0 variants=\"chu\"";

/// Options for which CECP has commands of its own: `memory`, `hard`, `variant`, `analyze`, `cores`; and a second name.
const SET_OTHERWISE: [&str; 7] = [
    "USI_Hash",
    "USI_Ponder",
    "USI_Variant",
    "UCI_Variant",
    "USI_AnalyseMode",
    "Threads",
    "USI_MultiPV",
];

/// The answer to `protover`.
pub(super) fn features(name: &str, options: &Options) -> String {
    let mut text = format!(
        "{FEATURES}\nfeature myname=\"{}\"\n",
        name.replace('"', "'")
    );
    let specs = options::specs().into_iter();
    for spec in specs.filter(|spec| !SET_OTHERWISE.contains(&spec.name)) {
        let value = options.get(spec.name).unwrap_or_default();
        text.push_str(&format!("{}\n", OptionFeature { spec, value }));
    }
    text + "feature done=1"
}

/// A `feature option=…` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionFeature {
    /// The option.
    pub spec: Spec,
    /// Its value now, as text.
    pub value: String,
}

impl fmt::Display for OptionFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = &self.value;
        write!(f, "feature option=\"{} -", self.spec.name)?;
        match &self.spec.sort {
            Sort::Check { .. } => write!(f, "check {}", u8::from(value == "true")),
            Sort::Spin { min, max, .. } => write!(f, "spin {value} {min} {max}"),
            Sort::Combo { choices, .. } => {
                let star = |choice: &&str| if *choice == value { "*" } else { "" };
                let words = choices
                    .iter()
                    .map(|choice| format!("{}{choice}", star(choice)));
                write!(f, "combo {}", words.collect::<Vec<_>>().join(" /// "))
            }
            Sort::Button => f.write_str("button"),
            Sort::File { .. } => write!(f, "file {value}"),
        }?;
        f.write_str("\"")
    }
}

/// A line of thinking output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// In plies.
    pub depth: u32,
    /// For the side to move, in centipawns or as a distance to the end.
    pub score: Score,
    /// Hundredths of a second so far.
    pub centiseconds: u64,
    /// Nodes so far.
    pub nodes: u64,
    /// The line, as text.
    pub pv: Vec<String>,
}

/// What a win in no moves counts in thinking output.
const MATE_BASE: Score = 100_000;

impl Thinking {
    /// The line for an info of a search of `position`.
    pub fn new(info: &Info, position: &Position) -> Thinking {
        Thinking {
            depth: info.depth,
            score: info.score,
            centiseconds: u64::try_from(info.time.as_millis() / 10).unwrap_or(u64::MAX),
            nodes: info.nodes,
            pv: xboard::format_line(position, info.pv.iter().copied()),
        }
    }
}

impl fmt::Display for Thinking {
    /// Writes a proved win as 100000 and the winner's moves up to it, a loss as the negative of that.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = match mate_distance(self.score) {
            Some(plies) => {
                let moves = MATE_BASE + (plies.abs() + 1) / 2;
                if self.score > 0 { moves } else { -moves }
            }
            None => self.score,
        };
        write!(
            f,
            "{} {score} {} {}",
            self.depth, self.centiseconds, self.nodes
        )?;
        self.pv.iter().try_for_each(|text| write!(f, " {text}"))
    }
}

impl FromStr for Thinking {
    type Err = NotThis;

    /// Reads a line that begins with four numbers; other engines put a sign behind the depth.
    fn from_str(line: &str) -> Result<Thinking, NotThis> {
        let mut words = line.split_whitespace();
        let mut next = || words.next().ok_or(NotThis);
        let number = |word: &str| word.parse().map_err(|_| NotThis);
        let depth = next()?.trim_end_matches(['.', '&', '+', '-']);
        let depth = depth.parse().map_err(|_| NotThis)?;
        let score: i64 = number(next()?)?;
        let (time, nodes) = (number(next()?)?, number(next()?)?);
        let won = i64::from(MATE_BASE);
        let score = if score.abs() < won {
            score.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL)) as Score
        } else {
            let moves = (score.abs() - won).min(500) as Score;
            if score > 0 {
                MATE - (2 * moves - 1).max(0)
            } else {
                2 * moves - MATE
            }
        };
        Ok(Thinking {
            depth,
            score,
            centiseconds: u64::try_from(time).unwrap_or(0),
            nodes: u64::try_from(nodes).unwrap_or(0),
            pv: words.map(str::to_owned).collect(),
        })
    }
}

/// The claim for a game that is over on the board, such as `1-0 {last royal captured}`; `None` while it goes on.
pub(super) fn claim(outcome: Outcome) -> Option<String> {
    let reason = match outcome {
        Outcome::Playing => return None,
        Outcome::Royals(_) => "last royal captured",
        Outcome::BareKing(_) => "bare king",
        Outcome::NoMoves(_) => "no legal move",
        Outcome::Repetition => "repetition",
        Outcome::Perpetual(_) => "perpetual attack",
        Outcome::Draw => "only royals are left",
        Outcome::MoveLimit => "move limit",
    };
    Some(result(outcome.winner(), reason))
}

/// A result with its reason. The side that moved first is CECP's white.
pub(super) fn result(winner: Option<Color>, reason: &str) -> String {
    let score = match winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    };
    format!("{score} {{{reason}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_read_back() {
        for line in [
            "3 -15 12 345 f4f5 g9g8",
            "7 100001 0 9 c7d6,d6c7",
            "7 100003 0 9",
            "7 -100002 0 9 @@@@",
            "0 -100000 0 0",
        ] {
            let thinking = line
                .parse::<Thinking>()
                .map(|thinking| thinking.to_string());
            assert_eq!(thinking.as_deref(), Ok(line));
        }
        assert_eq!("5. 3 4 5 f4f5".parse::<Thinking>().map(|t| t.depth), Ok(5));
        for line in ["", "3 4 5", "depth 1 2 3", "move f4f5", "1 2 3 x"] {
            assert_eq!(line.parse::<Thinking>(), Err(NotThis), "{line}");
        }
        let wild = "1 99999999999 -1 -1"
            .parse::<Thinking>()
            .map(|t| t.to_string());
        assert_eq!(wild.as_deref(), Ok("1 100500 0 0"));
    }

    #[test]
    fn options_show_their_value() {
        let text = features("a \"name\"", &Options::default());
        for line in [
            "feature myname=\"a 'name'\"",
            "feature option=\"MultiPV -spin 1 1 500\"",
            "feature option=\"Rules -combo *renmei /// teiban /// lishogi /// jcsa /// edo\"",
            "feature option=\"USI_LimitStrength -check 0\"",
            "feature option=\"Clear_Hash -button\"",
            "feature option=\"EvalFile -file <built-in>\"",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in {text}");
        }
        assert!(text.ends_with("\nfeature done=1"));
        for name in SET_OTHERWISE {
            assert!(!text.contains(&format!("\"{name} ")));
            assert!(options::specs().iter().any(|spec| spec.name == name));
        }
    }

    #[test]
    fn claims_name_the_winner_as_cecp_does() {
        assert_eq!(claim(Outcome::Playing), None);
        for (outcome, text) in [
            (Outcome::Royals(Color::Black), "1-0 {last royal captured}"),
            (Outcome::BareKing(Color::White), "0-1 {bare king}"),
            (Outcome::Repetition, "1/2-1/2 {repetition}"),
        ] {
            assert_eq!(claim(outcome).as_deref(), Some(text));
        }
    }
}
