//! Reading PGN files.

use std::time::Duration;

use super::token::{Token, Tokens};
use super::{Problem, san};
use crate::board::{Color, Position, Rules, Setup};
use crate::notation::ending::{Ending, Verdict};
use crate::notation::headers::{Headers, Tag};
use crate::notation::reading::{Broken, Reading};
use crate::notation::record::{Clock, Record};
use crate::notation::tree::{DEEPEST, Tree};
use crate::notation::{sfen, xboard};

/// The tag of a start that FEN cannot tell in full.
pub(super) const SFEN: &str = "SFEN";
/// What stands before the time of a move.
pub(super) const SPENT: &str = "emt";
/// What stands before the time of all moves of a player so far.
pub(super) const TOTAL: &str = "tot";

/// The number of the pair that the next move belongs to.
pub(super) fn pair(position: &Position) -> u32 {
    let (ply, turn) = (position.ply(), position.turn());
    // White may move first.
    let is_odd = turn == Color::White;
    let fits = (ply % 2 == 1) == is_odd;
    (ply.saturating_add(u32::from(!fits))) / 2 + 1
}

/// Reads the games of a PGN file, their moves by the rules §2–5 of these rules. A game ends at its first word that is
/// wrong; a tag behind moves begins the next game.
pub fn read(text: &str, rules: Rules) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut game = Builder::new(rules);
    for (line, token) in Tokens::new(text) {
        if matches!(token, Token::Tag(_)) && game.has_moves() {
            readings.push(std::mem::replace(&mut game, Builder::new(rules)).finish());
        }
        game.take(line, token);
    }
    if game.is_something {
        readings.push(game.finish());
    }
    readings
}

/// A game that is being read.
struct Builder {
    rules: Rules,
    headers: Headers,
    start: Setup,
    /// What the tag says of the result.
    promised: Option<String>,
    result: Option<String>,
    /// The lines of moves; none before the first of them.
    tree: Option<Tree>,
    /// What the file adds to the numbers of pairs; known from the first one.
    offset: Option<i64>,
    is_something: bool,
    last_line: usize,
    broken: Option<Broken>,
}

impl Builder {
    fn new(rules: Rules) -> Builder {
        Builder {
            rules,
            headers: Headers::default(),
            start: sfen::start(),
            promised: None,
            result: None,
            tree: None,
            offset: None,
            is_something: false,
            last_line: 1,
            broken: None,
        }
    }

    fn has_moves(&self) -> bool {
        self.tree.is_some() || self.broken.is_some() || self.result.is_some()
    }

    /// Takes the next word of the file; nothing more once the game is broken.
    fn take(&mut self, line: usize, token: Token) {
        self.is_something = true;
        if self.broken.is_some() {
            return;
        }
        self.last_line = line;
        if let Err(problem) = self.read_token(token) {
            let problem = problem.into();
            self.broken = Some(Broken { line, problem });
        }
    }

    fn read_token(&mut self, token: Token) -> Result<(), Problem> {
        match token {
            Token::Tag(text) => self.tag(text),
            Token::Comment(text) => self.comment(text),
            Token::OpenComment(text) => Err(Problem::OpenComment(text.trim_end().to_owned())),
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Number(text) => self.number(text),
            Token::Result(text) => {
                if self.begin()?.depth() > 0 {
                    return Err(Problem::OpenVariation);
                }
                self.result = Some(text.to_owned());
                Ok(())
            }
            Token::Word(text)
                if text.starts_with('$') || text.chars().all(|c| matches!(c, '!' | '?')) =>
            {
                Ok(())
            }
            Token::Word(text) => {
                let tree = self.begin()?;
                let m = san::parse(text, tree.position())?;
                tree.play(m, None);
                Ok(())
            }
        }
    }

    fn tag(&mut self, text: &str) -> Result<(), Problem> {
        let bad = || Problem::Tag(text.to_owned());
        let inner = text
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .ok_or_else(bad)?;
        let (name, value) = inner
            .trim()
            .split_once(char::is_whitespace)
            .ok_or_else(bad)?;
        let value = value
            .trim()
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .ok_or_else(bad)?;
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        match name {
            "Variant"
                if !["chu", "chushogi", "chu shogi"].contains(&value.to_lowercase().as_str()) =>
            {
                return Err(Problem::Variant(value));
            }
            "Variant" | "SetUp" => {}
            "Result" => self.promised = Some(value),
            "FEN" => self.start = xboard::parse_fen(&value)?,
            SFEN => self.start = sfen::parse(&value)?,
            "Time" => self.add_time(Tag::Started, &value),
            "EndTime" => self.add_time(Tag::Ended, &value),
            _ if value == "?" || value.starts_with("????") => {}
            _ => match Tag::from_pgn(name) {
                tag @ (Tag::Started | Tag::Ended) => {
                    self.headers.set(tag, &value.replace('.', "/"))
                }
                tag => self.headers.set(tag, &value),
            },
        }
        Ok(())
    }

    fn add_time(&mut self, tag: Tag, time: &str) {
        let date = self.headers.get(&tag).unwrap_or_default();
        let both = format!("{date} {time}");
        self.headers.set(tag, &both);
    }

    /// The lines, begun before the first move.
    fn begin(&mut self) -> Result<&mut Tree, Problem> {
        if self.tree.is_none() {
            let position = Position::new(&self.start, self.rules).map_err(Problem::Setup)?;
            return Ok(self.tree.insert(Tree::new(position)));
        }
        self.tree.as_mut().ok_or(Problem::NoMove)
    }

    fn number(&mut self, text: &str) -> Result<(), Problem> {
        let due = i64::from(pair(self.begin()?.position()));
        let number = text
            .trim_end_matches('.')
            .parse::<i64>()
            .unwrap_or(i64::MAX);
        let offset = *self.offset.get_or_insert(number.saturating_sub(due));
        if number.saturating_sub(offset) == due {
            return Ok(());
        }
        let due = u32::try_from(due.saturating_add(offset)).unwrap_or_default();
        Err(Problem::Number {
            text: text.to_owned(),
            due,
        })
    }

    /// A comment, or the time of the move before it.
    fn comment(&mut self, text: &str) -> Result<(), Problem> {
        let tree = self.begin()?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (clock, rest) = split_clock(&text);
        if let (Some(clock), Some(ply)) = (clock, tree.line().plies.last_mut()) {
            ply.clock = Some(clock);
            if rest.is_empty() {
                return Ok(());
            }
        }
        tree.comment(rest);
        Ok(())
    }

    /// Opens a variation of the last move.
    fn open(&mut self) -> Result<(), Problem> {
        let tree = self.begin()?;
        if tree.depth() == DEEPEST {
            return Err(Problem::Depth);
        }
        match tree.span() {
            (begin, end) if begin < end => tree.open(end - 1),
            _ => return Err(Problem::NoMove),
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let tree = self.begin()?;
        settle_ending(tree);
        if tree.close() {
            Ok(())
        } else {
            Err(Problem::Unopened)
        }
    }

    fn finish(mut self) -> Reading {
        let problem = match self.begin() {
            Err(problem) => Some(problem),
            Ok(tree) if tree.depth() > 0 => Some(Problem::OpenVariation),
            Ok(_) => self
                .promised
                .clone()
                .filter(|_| self.result.is_none())
                .map(Problem::NoResult),
        };
        if let Some(problem) = problem.filter(|_| self.broken.is_none()) {
            let (line, problem) = (self.last_line, problem.into());
            self.broken = Some(Broken { line, problem });
        }
        let mut record = Record::new(self.start);
        record.headers = self.headers;
        if let Some(mut tree) = self.tree {
            if tree.depth() == 0 {
                settle_ending(&mut tree);
            }
            let told = self
                .result
                .and_then(|result| ending_of(&result, tree.position()));
            record.main = tree.finish();
            record.main.ending = record.main.ending.or(told);
        }
        Reading {
            record,
            error: self.broken,
        }
    }
}

/// Takes an ending out of the comments of the last move.
fn settle_ending(tree: &mut Tree) {
    let turn = tree.position().turn();
    let comments = tree.comments();
    let ending = comments
        .last()
        .and_then(|phrase| Ending::from_pgn(phrase, turn));
    if ending.is_some() {
        comments.pop();
        tree.end(ending, None);
    }
}

/// The ending that a result tells, where the board does not.
fn ending_of(result: &str, position: &Position) -> Option<Ending> {
    let (verdict, ending) = match result {
        "1-0" => (Verdict::Win(Color::Black), Ending::Win(Color::Black)),
        "0-1" => (Verdict::Win(Color::White), Ending::Win(Color::White)),
        "1/2-1/2" => (Verdict::Draw, Ending::Draw),
        _ => return None,
    };
    (Verdict::of(position.outcome()) != Some(verdict)).then_some(ending)
}

/// Parts the times of a move from the rest of a comment.
fn split_clock(text: &str) -> (Option<Clock>, String) {
    let mut rest = text.to_owned();
    let mut cut = |name: &str| {
        let (before, behind) = rest.split_once(&format!("[%{name} "))?;
        let (time, behind) = behind.split_once(']')?;
        let mut parts = time.trim().split(':').map(|part| {
            part.split('.')
                .next()
                .unwrap_or_default()
                .parse::<u64>()
                .ok()
        });
        let seconds = parts.try_fold(0u64, |sum, part| sum.checked_mul(60)?.checked_add(part?))?;
        rest = format!("{before}{behind}").trim().to_owned();
        Some(Duration::from_secs(seconds))
    };
    let (spent, total) = (cut(SPENT), cut(TOTAL));
    match spent {
        Some(spent) => (Some(Clock { spent, total }), rest),
        None => (None, text.to_owned()),
    }
}
