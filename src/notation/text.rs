//! Records as plain text, a move a line, in any notation.

use std::time::Duration;

use super::ending::{Ending, Verdict};
use super::record::{Clock, Line, Record};
use super::sfen;
use super::style::Style;
use crate::board::{Position, Rules};

/// How far a variation stands to the right of the line that it leaves.
const INDENT: &str = "    ";

/// Writes a record to be read by people. The rules decide how the game ended where the record does not say.
pub fn write(record: &Record, rules: Rules, style: Style) -> String {
    let headers = record
        .headers
        .iter()
        .map(|(tag, value)| format!("{}: {value}\n", tag.word()));
    let mut text: String = headers.collect();
    match record.handicap() {
        Some(handicap) => text.push_str(&format!("start: {}\n", handicap.english)),
        None if record.start == sfen::start() => {}
        None => text.push_str(&format!("start: {}\n", sfen::format(&record.start))),
    }
    if let Ok(mut position) = record.position(rules) {
        line(&mut text, &record.main, &mut position, style, "");
    }
    if let Some(verdict) = record.verdict(rules) {
        text.push_str(&format!("result: {}\n", Verdict::word(verdict)));
    }
    text
}

/// Writes a line and the variations that leave it; the position is in the end where it was.
fn line(text: &mut String, line: &Line, position: &mut Position, style: Style, indent: &str) {
    let before = position.made();
    comments(text, &line.comments, indent);
    line.walk(position, |ply, position| {
        let (number, m) = (position.made() + 1, style.format(ply.m, position));
        let clock = ply.clock.map_or(String::new(), time);
        text.push_str(&format!("{indent}{number:>4} {m}{clock}\n"));
        comments(text, &ply.comments, indent);
    });
    if let Some(ending) = line.ending {
        text.push_str(&format!("{indent}{INDENT} {}\n", Ending::word(ending)));
    }
    for variation in line.variations_from_the_end() {
        go_back(position, before + variation.after);
        if position.made() == before + variation.after {
            text.push_str(&format!(
                "{indent}variation of move {}:\n",
                position.made() + 1
            ));
            self::line(
                text,
                &variation.line,
                position,
                style,
                &format!("{indent}{INDENT}"),
            );
        }
    }
    go_back(position, before);
}

fn go_back(position: &mut Position, made: usize) {
    while position.made() > made {
        position.unmake();
    }
}

fn comments(text: &mut String, comments: &[String], indent: &str) {
    for line in comments.iter().flat_map(|comment| comment.lines()) {
        text.push_str(&format!("{indent}{INDENT} # {line}\n"));
    }
}

fn time(clock: Clock) -> String {
    let minutes = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    let total = clock
        .total
        .map_or(String::new(), |total| format!(" / {}", minutes(total)));
    format!("  ({}{total})", minutes(clock.spent))
}
