//! The notations that moves are shown in.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{japanese, usi, western};
use crate::board::{Move, Position};

/// A notation for moves that people read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Squares alone: `7i7h`, `7g6f5e`.
    #[default]
    Usi,
    /// As Japanese books have it: `▲７八歩`.
    Japanese,
    /// As western books have it: `P-7h`.
    Western,
}

/// A word that names no notation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is no notation: there are usi, japanese and western")]
pub struct StyleError(String);

impl Style {
    const WORDS: [(&str, Style); 3] = [
        ("usi", Style::Usi),
        ("japanese", Style::Japanese),
        ("western", Style::Western),
    ];

    /// Writes a move that is legal in the position.
    pub fn format(self, m: Move, position: &Position) -> String {
        self.writer()(m, position)
    }

    /// Writes moves that follow each other from a position; ends before the first that is not legal.
    pub fn format_line(
        self,
        position: &Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Vec<String> {
        super::write_line(position, moves, self.writer())
    }

    fn writer(self) -> fn(Move, &Position) -> String {
        match self {
            Style::Usi => usi::format,
            Style::Japanese => japanese::format,
            Style::Western => western::format,
        }
    }
}

impl FromStr for Style {
    type Err = StyleError;

    fn from_str(word: &str) -> Result<Style, StyleError> {
        let known = Style::WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word));
        known
            .map(|&(_, style)| style)
            .ok_or_else(|| StyleError(word.to_owned()))
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Style::WORDS.iter().find(|(_, style)| style == self);
        f.write_str(known.map_or("", |(word, _)| word))
    }
}
