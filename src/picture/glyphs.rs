//! Outlines of characters.

use std::collections::BTreeSet;
use std::fmt::Write;

/// See the head of the file for where it comes from, and its licence, which is not the program's.
const OUTLINES: &str = include_str!("glyphs.txt");

/// Half the height of capitals and digits, in thousandths of the em.
const HALF_CAPITAL: f32 = 366.0;
/// The middle of a kanji above the base line, in thousandths of the em.
const HALF_KANJI: f32 = 380.0;

/// A character's outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    character: char,
    /// How far the next character is, in thousandths of the em.
    advance: f32,
    path: &'static str,
}

impl Glyph {
    fn find(character: char) -> Option<Glyph> {
        OUTLINES
            .lines()
            .filter(|line| !line.starts_with('#'))
            .find_map(|line| {
                let rest = line.strip_prefix(character)?.strip_prefix(' ')?;
                let (advance, path) = rest.split_once(' ')?;
                Some(Glyph {
                    character,
                    advance: advance.parse().ok()?,
                    path,
                })
            })
    }

    fn id(self) -> String {
        format!("u{:x}", u32::from(self.character))
    }
}

/// The outlines of these characters as definitions that [`centered`] refers to.
pub(super) fn definitions(characters: &BTreeSet<char>) -> String {
    let mut text = String::new();
    for glyph in characters.iter().filter_map(|&c| Glyph::find(c)) {
        let _ = writeln!(text, "<path id=\"{}\" d=\"{}\"/>", glyph.id(), glyph.path);
    }
    text
}

/// Text centred on a point, `size` units to the em. Its outlines must be among the [`definitions`].
pub(super) fn centered(text: &str, (x, y): (f32, f32), size: f32) -> String {
    let glyphs: Vec<Glyph> = text.chars().filter_map(Glyph::find).collect();
    let width: f32 = glyphs.iter().map(|glyph| glyph.advance).sum();
    let half = if text.is_ascii() {
        HALF_CAPITAL
    } else {
        HALF_KANJI
    };
    let mut left = -width / 2.0;
    let mut line = format!(
        "<g transform=\"translate({x} {y}) scale({})\">",
        size / 1000.0
    );
    for glyph in glyphs {
        let id = glyph.id();
        let _ = write!(
            line,
            "<use xlink:href=\"#{id}\" x=\"{left}\" y=\"{half}\"/>"
        );
        left += glyph.advance;
    }
    line + "</g>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Kind;

    #[test]
    fn every_name_has_its_outlines() {
        let names = Kind::all().flat_map(|kind| [kind.kanji_short(), kind.letter()]);
        let ranks = ["abcdefghijkl", "一二三四五六七八九十", "0123456789"];
        for c in names.chain(ranks).flat_map(str::chars) {
            let is_whole = |glyph: Glyph| {
                glyph.advance > 0.0 && glyph.path.starts_with('M') && glyph.path.ends_with('Z')
            };
            assert!(Glyph::find(c).is_some_and(is_whole), "{c}");
        }
        assert!(Glyph::find('#').is_none() && Glyph::find('W').is_none());
    }
}
