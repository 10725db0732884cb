//! What `go mate` is answered with.

use std::fmt;
use std::str::FromStr;

use super::reply::NotThis;
use crate::board::Position;
use crate::engine::{Progress, Verdict};
use crate::notation::usi;

/// A `checkmate` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// The moves of the mate, as text.
    Mate(Vec<String>),
    /// There is none by checks alone.
    NoMate,
    /// It was not found out.
    Timeout,
}

impl Checkmate {
    /// The line for a verdict on a position.
    pub fn new(verdict: &Verdict, position: &Position) -> Checkmate {
        match verdict {
            Verdict::Mate { line, .. } => {
                Checkmate::Mate(usi::format_line(position, line.iter().copied()))
            }
            Verdict::NoMate => Checkmate::NoMate,
            Verdict::Unknown => Checkmate::Timeout,
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checkmate::Mate(line) => write!(f, "checkmate {}", line.join(" ")),
            Checkmate::NoMate => f.write_str("checkmate nomate"),
            Checkmate::Timeout => f.write_str("checkmate timeout"),
        }
    }
}

impl FromStr for Checkmate {
    type Err = NotThis;

    fn from_str(line: &str) -> Result<Checkmate, NotThis> {
        let rest = line.strip_prefix("checkmate ").ok_or(NotThis)?;
        let words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
        match words.first().map(String::as_str) {
            None => Err(NotThis),
            Some("nomate") => Ok(Checkmate::NoMate),
            Some("timeout") => Ok(Checkmate::Timeout),
            Some(_) => Ok(Checkmate::Mate(words)),
        }
    }
}

/// The `info` line of a search for a mate; the length of the shortest that is found, in plies with the capture of the
/// last royal, is its score.
pub(super) fn progress_line(progress: &Progress) -> String {
    let ms = progress.time.as_millis();
    let score = progress
        .found
        .map_or(String::new(), |plies| format!(" score mate {}", plies + 2));
    format!(
        "info time {ms} nodes {} nps {} hashfull {}{score}",
        progress.nodes,
        u128::from(progress.nodes) * 1_000 / ms.max(1),
        progress.table_permille,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back() {
        for line in [
            "checkmate 4c6a+ 5b6a 6e8c",
            "checkmate nomate",
            "checkmate timeout",
        ] {
            let read = line.parse::<Checkmate>().map(|read| read.to_string());
            assert_eq!(read.as_deref(), Ok(line));
        }
        assert!("checkmate".parse::<Checkmate>().is_err());
    }
}
