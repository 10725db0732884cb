//! What engines that speak CECP say.

use crate::board::Color;
use crate::engine::score::{MATE, MAX_EVAL, Score};
use crate::protocol::InfoLine;

/// Scores beyond this are distances to mate in moves.
const MATE_SCORE: i64 = 100_000;

/// What an engine says that it can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Features {
    pub(super) name: Option<String>,
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    /// Whether the list is complete; `Some(false)` asks for patience.
    pub(super) done: Option<bool>,
}

impl Features {
    /// Reads a line of features; what other lines say is ignored.
    pub(super) fn read(&mut self, line: &str) {
        let Some(mut rest) = line.trim().strip_prefix("feature ") else {
            return;
        };
        while let Some((name, value)) = rest.split_once('=') {
            let (value, after) = match value.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => value.split_once(' ').unwrap_or((value, "")),
            };
            let yes = value != "0";
            match name.trim() {
                "myname" => self.name = Some(value.to_owned()),
                "ping" => self.ping = yes,
                "setboard" => self.setboard = yes,
                "usermove" => self.usermove = yes,
                "memory" => self.memory = yes,
                "smp" => self.smp = yes,
                "done" => self.done = Some(yes),
                _ => {}
            }
            rest = after;
        }
    }
}

/// Reads `depth score centiseconds nodes line…`.
fn thinking(line: &str) -> Option<InfoLine> {
    let mut words = line.split_whitespace();
    let mut number = || words.next()?.parse::<i64>().ok();
    let (depth, score, time, nodes) = (number()?, number()?, number()?, number()?);
    let score = match score {
        MATE_SCORE.. => {
            MATE - Score::try_from((score - MATE_SCORE) * 2)
                .unwrap_or(999)
                .min(999)
        }
        _ if score <= -MATE_SCORE => {
            Score::try_from((-score - MATE_SCORE) * 2)
                .unwrap_or(999)
                .min(999)
                - MATE
        }
        _ => Score::try_from(score)
            .unwrap_or(0)
            .clamp(-MAX_EVAL, MAX_EVAL),
    };
    let time = u64::try_from(time).ok()? * 10;
    let nodes = u64::try_from(nodes).ok()?;
    Some(InfoLine {
        depth: u32::try_from(depth).ok()?,
        score,
        nodes,
        nps: nodes.saturating_mul(1_000) / time.max(1),
        time,
        pv: words.map(str::to_owned).collect(),
        ..InfoLine::default()
    })
}

/// What a line says, if it answers.
pub(super) enum Reply {
    /// A whole move.
    Move(String),
    Resign,
    /// The engine says how the game ended; who won.
    Claim(Option<Color>, String),
    /// The engine does not accept the move that it was told.
    Refused(String),
}

/// Puts the lines of an answer together.
#[derive(Default)]
pub(super) struct Listener {
    /// The first line of a move on two lines.
    begun: String,
    /// The last line of thinking.
    pub(super) info: Option<InfoLine>,
}

impl Listener {
    pub(super) fn hear(&mut self, line: &str) -> Option<Reply> {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("move ") {
            self.begun.push_str(text.trim());
            if self.begun.ends_with(',') {
                return None;
            }
            return Some(Reply::Move(std::mem::take(&mut self.begun)));
        }
        if let Some(info) = thinking(line) {
            self.info = Some(info);
            return None;
        }
        let claim = |winner| Some(Reply::Claim(winner, line.to_owned()));
        match line.split_whitespace().next() {
            Some("resign") => Some(Reply::Resign),
            // The white of CECP moves first, as Black does here.
            Some("1-0") => claim(Some(Color::Black)),
            Some("0-1") => claim(Some(Color::White)),
            Some("1/2-1/2") => claim(None),
            Some("Illegal") => Some(Reply::Refused(line.to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read() {
        let mut features = Features::default();
        features.read("feature ping=1 setboard=0 myname=\"An engine = good\" usermove=1 done=0");
        features.read("feature option=\"Full PV -check 1\"");
        features.read("# feature memory=1");
        let expected = Features {
            name: Some("An engine = good".to_owned()),
            ping: true,
            usermove: true,
            done: Some(false),
            ..Features::default()
        };
        assert_eq!(features, expected);
    }

    #[test]
    fn thinking_lines() {
        let info = thinking("2 -108 3 842 e4e5 h9h8").unwrap();
        assert_eq!(
            (info.depth, info.score, info.time, info.nodes),
            (2, -108, 30, 842)
        );
        assert_eq!(info.pv, ["e4e5", "h9h8"]);
        assert_eq!(thinking("9 100003 3 842 x").unwrap().score, MATE - 6);
        assert_eq!(thinking("9 -100001 3 842 x").unwrap().score, 2 - MATE);
        for line in ["", "1-0 {x}", "1 2 3", "# 1 2 3 4", "move e4e5"] {
            assert!(thinking(line).is_none(), "{line}");
        }
    }

    #[test]
    fn moves_on_two_lines() {
        let mut listener = Listener::default();
        assert!(listener.hear("move c7d6,").is_none());
        assert!(listener.hear("3 5 7 9 c7d6").is_none());
        let Some(Reply::Move(text)) = listener.hear("move d6c7") else {
            panic!("no move");
        };
        assert_eq!(text, "c7d6,d6c7");
        assert!(matches!(
            listener.hear("Illegal move"),
            Some(Reply::Refused(_))
        ));
        assert!(matches!(
            listener.hear("0-1 {resigns}"),
            Some(Reply::Claim(Some(Color::White), _))
        ));
    }
}
