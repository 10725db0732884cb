//! Moves on the lines of a KIF file.

use super::{Problem, clock, square};
use crate::board::{Move, Position, Square};
use crate::notation::names;
use crate::notation::record::Clock;
use crate::notation::usi::Spelled;

const IGUI: [&str; 2] = ["居食い", "居喰い"];
const PASS: &str = "じっと";

/// Where a line says that a move ends.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Target {
    /// Where the last move ended (同, 仝).
    Same,
    /// On one of these squares.
    On(square::Squares),
    /// It does not say.
    Untold,
}

/// One line's move, or one step of it, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written<'a> {
    text: &'a str,
    target: Target,
    name: String,
    promotes: bool,
    origin: square::Squares,
    is_igui: bool,
    is_pass: bool,
    /// The time behind it.
    pub(super) clock: Option<Clock>,
}

/// Cuts off the time at the end of a line.
pub(super) fn split_clock(text: &str) -> (&str, Option<Clock>) {
    let text = text.trim_end_matches(|c: char| c == '+' || c.is_whitespace());
    let cut = || {
        let inner = text.strip_suffix([')', '）'])?;
        let open = inner.rfind(['(', '（'])?;
        let (before, bracket) = inner.split_at_checked(open)?;
        let clock = clock::parse(bracket.trim_start_matches(['(', '（']))?;
        Some((before.trim_end(), Some(clock)))
    };
    cut().unwrap_or((text, None))
}

/// Reads the move of a line, without its number and its `▲` or `△`.
pub(super) fn parse(text: &str) -> Result<Written<'_>, Problem> {
    let (text, clock) = split_clock(text);
    let spelling = || Problem::Spelling(text.to_owned());
    let (target, rest) = match text.strip_prefix(['仝', '同']) {
        Some(rest) => (Target::Same, rest),
        None => match square::take(text) {
            Some((squares, rest)) => (Target::On(squares), rest),
            None if text.starts_with(['じ', '(', '（']) => (Target::Untold, text),
            None => return Err(spelling()),
        },
    };
    let mut written = Written {
        text,
        target,
        name: String::new(),
        promotes: false,
        origin: square::Squares::new(),
        is_igui: false,
        is_pass: false,
        clock,
    };
    let mut words = String::new();
    for (n, part) in rest.split(['(', '（']).enumerate() {
        let behind = match part.split_once([')', '）']) {
            Some((bracket, behind)) if n > 0 => {
                written.read_bracket(bracket.trim()).ok_or_else(spelling)?;
                behind
            }
            None if n == 0 => part,
            _ => return Err(spelling()),
        };
        words.extend(behind.chars().filter(|c| !c.is_whitespace()));
    }
    written.read_words(&words);
    let has_place = !written.origin.is_empty() || written.is_pass || names::is_name(&written.name);
    if has_place {
        Ok(written)
    } else {
        Err(spelling())
    }
}

impl Written<'_> {
    /// The move as it is written.
    pub(super) fn text(&self) -> &str {
        self.text
    }

    /// What stands in brackets: the origin, or what is special about the move.
    fn read_bracket(&mut self, bracket: &str) -> Option<()> {
        match bracket {
            PASS => self.is_pass = true,
            _ if IGUI.contains(&bracket) => self.is_igui = true,
            _ => {
                let origin = bracket.trim_start_matches(['←', ' ', '　']);
                match square::take(origin) {
                    Some((squares, "")) => self.origin = squares,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// What stands outside brackets: the piece, whether it promotes, and what is special about the move.
    fn read_words(&mut self, words: &str) {
        let mut name = words.strip_suffix("まで").unwrap_or(words);
        for word in IGUI {
            if let Some(before) = name.strip_suffix(word) {
                (name, self.is_igui) = (before, true);
            }
        }
        if let Some(before) = name.strip_suffix(PASS) {
            (name, self.is_pass) = (before, true);
        }
        if let Some(before) = name.strip_suffix("不成") {
            name = before;
        } else if let Some(before) = name.strip_suffix('成') {
            (name, self.promotes) = (before, true);
        }
        self.name = name.to_owned();
    }

    /// The squares on which it may end.
    fn targets(&self, position: &Position) -> Result<square::Squares, Problem> {
        match &self.target {
            Target::On(squares) => Ok(squares.clone()),
            Target::Untold => Ok(self.origin.clone()),
            Target::Same => match position.last_move() {
                Some(last) => Ok(std::iter::once(last.to()).collect()),
                None => Err(Problem::Same(self.text.to_owned())),
            },
        }
    }

    /// The legal move that this line alone says.
    pub(super) fn find(&self, position: &Position) -> Result<Move, Problem> {
        if self.origin.is_empty() {
            return self.find_by_name(position);
        }
        let targets = self.targets(position)?;
        let pairs = self
            .origin
            .iter()
            .flat_map(|&from| targets.iter().map(move |&to| (from, to)));
        self.first_legal(
            pairs.map(|(from, to)| {
                let (mid, to) = match (self.is_igui, self.is_pass) {
                    (true, _) => (Some(to), from),
                    (_, true) => (None, from),
                    _ => (None, to),
                };
                Spelled {
                    from,
                    mid,
                    to,
                    promotes: self.promotes,
                }
            }),
            position,
        )
    }

    /// The legal move that this line and the one before it, with the first step, say.
    pub(super) fn find_second(
        &self,
        first: &Written<'_>,
        position: &Position,
    ) -> Result<Move, Problem> {
        // A writer that says 仝 of the first step means where the second one ends.
        let told = match &first.target {
            Target::On(squares) => Some(squares),
            _ => None,
        };
        let mids = if self.origin.is_empty() {
            told
        } else {
            Some(&self.origin)
        };
        let mids = mids.cloned().unwrap_or_default();
        let is_told = |mid: &&Square| told.is_none_or(|told| told.contains(mid));
        let mut spelled = Vec::new();
        for &from in &first.origin {
            let targets = if self.is_igui || self.is_pass {
                std::iter::once(from).collect()
            } else {
                self.targets(position)?
            };
            for &mid in mids.iter().filter(is_told) {
                let ends = targets.iter();
                spelled.extend(ends.map(|&to| Spelled {
                    from,
                    mid: Some(mid),
                    to,
                    promotes: self.promotes,
                }));
            }
        }
        if spelled.is_empty() {
            return Err(Problem::Apart(self.text.to_owned()));
        }
        self.first_legal(spelled.into_iter(), position)
    }

    /// The first of these readings that is legal; why the first is not, if none is.
    fn first_legal(
        &self,
        spelled: impl Iterator<Item = Spelled>,
        position: &Position,
    ) -> Result<Move, Problem> {
        let mut failure = None;
        for spelled in spelled {
            let judged = self.check_name(spelled.from, position);
            match judged.and_then(|()| Ok(spelled.judge(self.text, position)?)) {
                Ok(m) => return Ok(m),
                Err(problem) => failure = failure.or(Some(problem)),
            }
        }
        Err(failure.unwrap_or_else(|| Problem::Spelling(self.text.to_owned())))
    }

    /// A name that no piece has says nothing; another piece's name is an error.
    fn check_name(&self, from: Square, position: &Position) -> Result<(), Problem> {
        match position.piece(from) {
            Some(piece)
                if !names::may_mean(&self.name, piece.kind()) && names::is_name(&self.name) =>
            {
                Err(Problem::Name {
                    text: self.text.to_owned(),
                    name: self.name.clone(),
                    square: square::format(from),
                    there: piece.kind().kanji(),
                })
            }
            _ => Ok(()),
        }
    }

    /// The only legal move of a piece of this name to this square.
    fn find_by_name(&self, position: &Position) -> Result<Move, Problem> {
        let moves = position.moves();
        if self.is_pass {
            let pass = moves.iter().find(|m| m.is_pass());
            let origin = || Problem::Origin {
                text: self.text.to_owned(),
                count: 0,
            };
            return pass.copied().ok_or_else(origin);
        }
        let targets = self.targets(position)?;
        let is_meant = |m: &&Move| {
            let piece = position.piece(m.from());
            let square = if self.is_igui {
                m.mid().filter(|_| m.is_igui())
            } else {
                Some(m.to())
            };
            square.is_some_and(|square| targets.contains(&square))
                && (self.is_igui || m.mid().is_none() && !m.is_pass())
                && m.promotes() == self.promotes
                && piece.is_some_and(|piece| names::may_mean(&self.name, piece.kind()))
        };
        let meant: Vec<Move> = moves.iter().filter(is_meant).copied().collect();
        match meant.as_slice() {
            [m] => Ok(*m),
            _ => Err(Problem::Origin {
                text: self.text.to_owned(),
                count: meant.len(),
            }),
        }
    }
}

/// Writes a move that is legal in the position: one text, or two for a move in two steps. The word for a pass stands
/// behind everything, because lishogi's reader stumbles over it where its writer puts it, before the origin.
pub(super) fn format(m: Move, position: &Position) -> Vec<String> {
    let (from, to) = (m.from(), m.to());
    let name = position
        .piece(from)
        .map_or("", |piece| names::in_moves(piece.kind()));
    let step = |from: Square, to: &str, special: &str| {
        format!("{to}{name}{special} （←{}）", square::format(from))
    };
    let mid = if m.is_pass() {
        position.first_empty_step(from)
    } else {
        m.mid()
    };
    if let Some(mid) = mid {
        let first = step(from, &square::format(mid), "");
        let special = if m.is_igui() { "（居食い）" } else { "" };
        let second = step(mid, &square::format(to), special);
        return vec![first, second + if m.is_pass() { "(じっと)" } else { "" }];
    }
    let is_same = position.last_move().is_some_and(|last| last.to() == to);
    let target = if is_same {
        "仝".to_owned()
    } else {
        square::format(to)
    };
    let special = match (m.promotes(), position.may_promote(m)) {
        (true, _) => "成",
        (_, true) => "不成",
        _ => "",
    };
    vec![step(from, &target, special)]
}
