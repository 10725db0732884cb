//! Writing PGN files.

use std::time::Duration;

use super::{DEEPEST, reader, san};
use crate::board::{Color, Position, Rules};
use crate::notation::ending::Verdict;
use crate::notation::headers::Tag;
use crate::notation::record::{Line, Ply, Record, Variation, is_possible};
use crate::notation::{sfen, xboard};

const WIDTH: usize = 80;
/// The tags that every PGN file has, in their order.
const ROSTER: [Tag; 5] = [Tag::Event, Tag::Site, Tag::Started, Tag::Black, Tag::White];

/// Writes a record. Variations that are nested deeper than [`DEEPEST`] are left out; the rules decide the result where
/// the record names none.
pub fn write(record: &Record, rules: Rules) -> String {
    let mut text = String::new();
    let result = result(record, rules);
    for tag in ROSTER {
        let value = record.headers.get(&tag).unwrap_or("?");
        push_tag(&mut text, &tag, value);
    }
    text.push_str(&format!("[Result \"{result}\"]\n[Variant \"chu\"]\n"));
    let others = record
        .headers
        .iter()
        .filter(|(tag, _)| !ROSTER.contains(tag));
    for (tag, value) in others {
        push_tag(&mut text, tag, value);
    }
    push_start(&mut text, record);
    text.push('\n');
    if let Ok(position) = record.position(rules) {
        let mut writer = Writer {
            text,
            column: 0,
            position,
            needs_number: true,
        };
        writer.line(&record.main, 0);
        let turn = writer.position.turn();
        if let Some(phrase) = record.main.ending.and_then(|ending| ending.pgn(turn)) {
            writer.word(&format!("{{{phrase}}}"));
        }
        writer.word(result);
        text = writer.text;
    }
    text.push('\n');
    text
}

/// The result in PGN's terms, whose White is our Black.
fn result(record: &Record, rules: Rules) -> &'static str {
    match record.verdict(rules) {
        Some(Verdict::Win(Color::Black)) => "1-0",
        Some(Verdict::Win(Color::White)) => "0-1",
        Some(Verdict::Draw) => "1/2-1/2",
        None => "*",
    }
}

/// Writes a tag; a date with a time behind it becomes two.
fn push_tag(text: &mut String, tag: &Tag, value: &str) {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let mut push =
        |name: &str, value: &str| text.push_str(&format!("[{name} \"{}\"]\n", escaped(value)));
    let time = match tag {
        Tag::Started => Some("Time"),
        Tag::Ended => Some("EndTime"),
        _ => None,
    };
    match (time, value.split_once(' ')) {
        (Some(time), Some((date, clock))) => {
            push(tag.pgn(), &date.replace('/', "."));
            push(time, clock);
        }
        (Some(_), None) => push(tag.pgn(), &value.replace('/', ".")),
        (None, _) => push(tag.pgn(), value),
    }
}

/// The start, if it is not the usual one. A FEN counts moves in pairs, so that not every number can be told.
fn push_start(text: &mut String, record: &Record) {
    if record.start == sfen::start() {
        return;
    }
    let fen = xboard::format_fen(&record.start);
    text.push_str(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
    if xboard::parse_fen(&fen).as_ref() != Ok(&record.start) {
        text.push_str(&format!(
            "[{} \"{}\"]\n",
            reader::SFEN,
            sfen::format(&record.start)
        ));
    }
}

struct Writer {
    text: String,
    column: usize,
    position: Position,
    /// Whether White's next move needs a number because something stands between it and Black's.
    needs_number: bool,
}

impl Writer {
    /// Writes a word and a blank or a line end before it.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 && !self.text.ends_with('(') && word != ")" {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// Writes a line with its variations, each behind the move that it replaces.
    fn line(&mut self, line: &Line, depth: usize) {
        self.comments(&line.comments);
        let mut variations = line.variations().iter().peekable();
        for (n, ply) in line.plies.iter().enumerate() {
            if !is_possible(ply.m, &self.position) {
                break;
            }
            self.ply(ply);
            let is_last = n + 1 == line.plies.len();
            while let Some(variation) =
                variations.next_if(|variation| variation.after <= n || is_last)
            {
                self.variation(variation, (variation.after > n).then_some(ply), depth);
            }
            self.position.make(ply.m);
        }
    }

    /// Writes a variation before the move that it leaves is made; one that goes on behind the last move of its line
    /// begins with that move, `first`.
    fn variation(&mut self, variation: &Variation, first: Option<&Ply>, depth: usize) {
        if depth == DEEPEST {
            return;
        }
        self.word("(");
        self.needs_number = true;
        let before = self.position.made();
        if let Some(first) = first {
            self.ply(&Ply::from(first.m));
            self.position.make(first.m);
        }
        self.line(&variation.line, depth + 1);
        if let Some(phrase) = variation
            .line
            .ending
            .and_then(|ending| ending.pgn(self.position.turn()))
        {
            self.word(&format!("{{{phrase}}}"));
        }
        while self.position.made() > before {
            self.position.unmake();
        }
        self.word(")");
        self.needs_number = true;
    }

    /// Writes a move with its number, time and comments.
    fn ply(&mut self, ply: &Ply) {
        let pair = reader::pair(&self.position);
        match self.position.turn() {
            Color::Black => self.word(&format!("{pair}.")),
            Color::White if self.needs_number => self.word(&format!("{pair}...")),
            Color::White => {}
        }
        self.needs_number = false;
        self.word(&san::format(ply.m, &self.position));
        if let Some(clock) = ply.clock {
            let time = |name: &str, time: Duration| {
                let seconds = time.as_secs();
                format!(
                    "[%{name} {}:{:02}:{:02}]",
                    seconds / 3600,
                    seconds / 60 % 60,
                    seconds % 60
                )
            };
            let total = clock.total.map(|total| time(reader::TOTAL, total));
            self.word(&format!(
                "{{{}{}}}",
                time(reader::SPENT, clock.spent),
                total.unwrap_or_default()
            ));
        }
        self.comments(&ply.comments);
    }

    /// Writes each line of comments between braces of its own.
    fn comments(&mut self, comments: &[String]) {
        for line in comments.iter().flat_map(|comment| comment.split('\n')) {
            self.word(&format!("{{{}}}", line.trim().replace('}', ")")));
            self.needs_number = true;
        }
    }
}
