//! The formats of game records, and which one a text is in.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::reading::Reading;
use super::record::Record;
use super::style::Style;
use super::{headers::Tag, json, kif, line, pgn, sfen, text};
use crate::board::Rules;

/// A format of game records.
///
/// ```
/// use sakijishi::board::Rules;
/// use sakijishi::notation::{format::Format, style::Style};
///
/// let text = "先手：仁兵衛\n   1手目 ▲7八獅子 （←7十）\n   2手目 投了\n";
/// let format = Format::recognise(text).unwrap();
/// let record = format.read(text, Rules::default()).remove(0).whole()?;
/// assert_eq!(Format::Usi.write(&record, Rules::default(), Style::Usi), "startpos moves 7j7h\n");
/// # Ok::<(), sakijishi::notation::reading::Broken>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// KIF, the Japanese format.
    Kif,
    /// PGN, as XBoard writes it.
    Pgn,
    /// A game a line, as USI has it: `startpos moves …`, `sfen … moves …`.
    Usi,
    /// A game a line, as ChuShogiLite has it: an SFEN and moves behind it.
    Sfen,
    /// A JSON object a line; only written.
    Json,
    /// Plain text for people; only written.
    Text,
}

/// A word that names no format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no format: there are kif, pgn, usi, sfen, json and text")]
pub struct FormatError(String);

impl Format {
    const WORDS: [(&str, Format); 6] = [
        ("kif", Format::Kif),
        ("pgn", Format::Pgn),
        ("usi", Format::Usi),
        ("sfen", Format::Sfen),
        ("json", Format::Json),
        ("text", Format::Text),
    ];

    /// The format that a text is in, told from its first lines that say it; none if no line does.
    pub fn recognise(text: &str) -> Option<Format> {
        text.lines()
            .find_map(|line| Format::of_line(line.trim_matches(['\u{feff}', ' ', '\t', '　'])))
    }

    /// The format that a line shows.
    fn of_line(line: &str) -> Option<Format> {
        let first = line.split_whitespace().next()?;
        let is_kif_word = |word: &str| line.starts_with(word);
        let is_header = |mark: char| {
            let name = line.split_once(mark).map(|(name, _)| name.trim());
            name.is_some_and(|name| {
                name == "手合割" || !matches!(Tag::from_kif(name), Tag::Other(_))
            })
        };
        if line.starts_with('[') || line.starts_with("1.") {
            Some(Format::Pgn)
        } else if ["手数", "|", "｜", "# KIF"].into_iter().any(is_kif_word)
            || first.ends_with("手目")
            || line.contains("←")
            || is_header('：')
            || is_header(':')
        {
            Some(Format::Kif)
        } else if ["position", "sfen"].contains(&first)
            || sfen::named(first).is_some()
            || first.matches('/').count() > 2
        {
            Some(Format::Usi)
        } else {
            None
        }
    }

    /// Reads the games of a text in this format, their moves by the rules §2–5 of these rules. Formats that are only
    /// written have none.
    pub fn read(self, text: &str, rules: Rules) -> Vec<Reading> {
        match self {
            Format::Kif => kif::read(text, rules),
            Format::Pgn => pgn::read(text, rules),
            Format::Usi | Format::Sfen => line::read(text, rules),
            Format::Json | Format::Text => Vec::new(),
        }
    }

    /// Writes a game, with a line end behind it. The rules decide how it ended where the record does not say; the
    /// notation is that of plain text.
    pub fn write(self, record: &Record, rules: Rules, style: Style) -> String {
        match self {
            Format::Kif => kif::write(record),
            Format::Pgn => pgn::write(record, rules),
            Format::Usi => line::write(record) + "\n",
            Format::Sfen => line::write_bare(record) + "\n",
            Format::Json => json::write(record, rules) + "\n",
            Format::Text => text::write(record, rules, style),
        }
    }

    /// What stands between two games.
    pub fn separator(self) -> &'static str {
        match self {
            Format::Kif | Format::Pgn | Format::Text => "\n",
            Format::Usi | Format::Sfen | Format::Json => "",
        }
    }

    /// Whether it can be read, not only written.
    pub fn is_readable(self) -> bool {
        !matches!(self, Format::Json | Format::Text)
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Format, FormatError> {
        let known = Format::WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word));
        known
            .map(|&(_, format)| format)
            .ok_or_else(|| FormatError(word.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Format::WORDS.iter().find(|(_, format)| format == self);
        f.write_str(known.map_or("", |(word, _)| word))
    }
}
