//! USI replies: what an engine sends.

use std::fmt;
use std::str::FromStr;

use crate::board::Position;
use crate::engine::Info;
use crate::engine::options::{Sort, Spec};
use crate::engine::score::{Score, mate_distance};
use crate::notation::usi;

/// An `option` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionLine(pub Spec);

impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.0.name)?;
        match &self.0.sort {
            Sort::Check { default } => write!(f, "check default {default}"),
            Sort::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Sort::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {choice}"))
            }
            Sort::Button => f.write_str("button"),
            Sort::File { default } => write!(f, "filename default {default}"),
        }
    }
}

/// An `info` line with a score. Numbers that a sender left out are 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// In plies.
    pub depth: u32,
    /// The deepest ply looked at.
    pub seldepth: u32,
    /// Which line, if several are sent.
    pub multi_pv: Option<usize>,
    /// For the side to move, in centipawns or as a distance to the end.
    pub score: Score,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Thousandths of the table in use.
    pub hashfull: usize,
    /// Milliseconds so far.
    pub time: u64,
    /// The line, as text.
    pub pv: Vec<String>,
}

impl InfoLine {
    /// The line for an info of a search of `position`; its number is left out if there is only one line.
    pub fn new(info: &Info, position: &Position, lines: usize) -> InfoLine {
        InfoLine {
            depth: info.depth,
            seldepth: info.seldepth,
            multi_pv: (lines > 1).then_some(info.multi_pv),
            score: info.score,
            nodes: info.nodes,
            nps: info.nps(),
            hashfull: info.hashfull,
            time: u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX),
            pv: usi::format_line(position, info.pv.iter().copied()),
        }
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {} seldepth {}", self.depth, self.seldepth)?;
        if let Some(n) = self.multi_pv {
            write!(f, " multipv {n}")?;
        }
        match mate_distance(self.score) {
            Some(0) if self.score < 0 => f.write_str(" score mate -0")?,
            Some(plies) => write!(f, " score mate {plies}")?,
            None => write!(f, " score cp {}", self.score)?,
        }
        write!(
            f,
            " nodes {} nps {} hashfull {} time {}",
            self.nodes, self.nps, self.hashfull, self.time
        )?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

impl FromStr for InfoLine {
    type Err = NotThis;

    fn from_str(line: &str) -> Result<InfoLine, NotThis> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("info") {
            return Err(NotThis);
        }
        let mut info = InfoLine::default();
        let mut scored = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = take(&mut words).unwrap_or(0),
                "seldepth" => info.seldepth = take(&mut words).unwrap_or(0),
                "multipv" => info.multi_pv = take(&mut words),
                "nodes" => info.nodes = take(&mut words).unwrap_or(0),
                "nps" => info.nps = take(&mut words).unwrap_or(0),
                "hashfull" => info.hashfull = take(&mut words).unwrap_or(0),
                "time" => info.time = take(&mut words).unwrap_or(0),
                "score" => {
                    let mate = match words.next() {
                        Some("cp") => false,
                        Some("mate") => true,
                        _ => continue,
                    };
                    let Some(text) = words.next() else { continue };
                    info.score = score(text, mate).ok_or(NotThis)?;
                    scored = true;
                }
                "string" => break,
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        if scored { Ok(info) } else { Err(NotThis) }
    }
}

fn take<'a, T: FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next().and_then(|word| word.parse().ok())
}

/// Reads `cp` or `mate`; a mate may be a bare `+` or `-`.
fn score(text: &str, mate: bool) -> Option<Score> {
    use crate::engine::score::{MATE, MAX_EVAL};
    if !mate {
        return text
            .parse::<Score>()
            .ok()
            .map(|score| score.clamp(-MAX_EVAL, MAX_EVAL));
    }
    let plies = text.trim_start_matches(['+', '-']);
    let plies: Score = if plies.is_empty() {
        1
    } else {
        plies.parse().ok()?
    };
    let plies = plies.clamp(0, 999);
    Some(if text.starts_with('-') {
        plies - MATE
    } else {
        MATE - plies
    })
}

/// The line is not of the sort that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a line of this sort")]
pub struct NotThis;

/// A `bestmove` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bestmove {
    /// The move as text; `None` is `resign`.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}

impl fmt::Display for Bestmove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.best.as_deref().unwrap_or("resign"))?;
        match &self.ponder {
            Some(ponder) => write!(f, " ponder {ponder}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Bestmove {
    type Err = NotThis;

    fn from_str(line: &str) -> Result<Bestmove, NotThis> {
        let mut words = line.split_whitespace();
        if words.next() != Some("bestmove") {
            return Err(NotThis);
        }
        let best = words.next().ok_or(NotThis)?;
        let ponder = match words.next() {
            Some("ponder") => words.next().map(str::to_owned),
            _ => None,
        };
        Ok(Bestmove {
            best: (best != "resign").then(|| best.to_owned()),
            ponder,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        for line in [
            "info depth 3 seldepth 5 score cp -15 nodes 12 nps 34 hashfull 1 time 5 pv 7i7h 6d6e",
            "info depth 3 seldepth 5 multipv 2 score mate -4 nodes 12 nps 34 hashfull 1 time 5",
            "info depth 3 seldepth 5 score mate 7 nodes 12 nps 34 hashfull 1 time 5 pv 7i7h",
        ] {
            assert_eq!(
                line.parse::<InfoLine>()
                    .map(|info| info.to_string())
                    .as_deref(),
                Ok(line)
            );
        }
        for line in [
            "bestmove 7i7h ponder 6d6e",
            "bestmove resign",
            "bestmove 7g6f7g",
        ] {
            assert_eq!(
                line.parse::<Bestmove>()
                    .map(|best| best.to_string())
                    .as_deref(),
                Ok(line)
            );
        }
        assert!("info string score cp 3".parse::<InfoLine>().is_err());
        assert!("bestmove".parse::<Bestmove>().is_err());
    }
}
