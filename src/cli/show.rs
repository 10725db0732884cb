//! `show`: a position drawn in the terminal or as a picture.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args, ValueEnum};

use super::files::write_whole;
use super::position::PositionArgs;
use crate::board::{Color, Position};
use crate::notation::diagram::{self, Style};
use crate::notation::{sfen, usi};
use crate::picture::{self, Arrow, Look, PieceStyle, Ranks};

/// Draw a position.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true), after_help = "Examples:
  sakijishi show
  sakijishi show startpos moves 7j7h 6c7e --style kanji
  sakijishi show startpos moves 7j7h --arrow 6c7e --arrow 8d8e --png board.png
  sakijishi show 3-lions --style international --flip --svg board.svg
  sakijishi show --sfen '12/12/4k7/12/12/12/12/12/12/12/5K6/12 b - 1'")]
pub(super) struct Show {
    #[command(flatten)]
    position: PositionArgs,
    /// How pieces look [default: letters in the terminal, kanji in pictures]
    #[arg(long, value_enum)]
    style: Option<StyleArg>,
    /// When to use colours in the terminal
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    /// Write a picture as SVG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a picture as PNG; `-` is standard output
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = picture::WIDTH, requires = "png", value_parser = clap::value_parser!(u32).range(1..))]
    width: u32,
    /// Draw an arrow in the picture, as in 7j7h or 7g6f5e; may be given several times, the most important first
    #[arg(long = "arrow", value_name = "SQUARES", requires = "picture")]
    arrows: Vec<Arrow>,
    /// Draw the picture from White's side
    #[arg(long, requires = "picture")]
    flip: bool,
    /// What names the ranks of the picture
    #[arg(long, value_enum, default_value_t = RanksArg::Letters, requires = "picture")]
    ranks: RanksArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleArg {
    /// Letters; capitals are Black's
    Letters,
    /// Kanji; in the terminal with `v` before White's pieces and `+` behind promoted ones
    Kanji,
    /// Letters, in pictures with marks of how pieces move: dots step, wedges slide, rings jump, stars are lions
    International,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RanksArg {
    /// a to l
    Letters,
    /// 一 to 十二
    Kanji,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Show {
    pub(super) fn run(&self) -> Result<()> {
        let game = self.position.game()?;
        let position = game.position();
        if self.svg.is_none() && self.png.is_none() {
            return self.draw(position);
        }
        let svg = picture::svg(position, &self.look());
        if let Some(path) = &self.png {
            write_whole(path, &picture::png(&svg, self.width)?)?;
        }
        match &self.svg {
            Some(path) => write_whole(path, svg.as_bytes()),
            None => Ok(()),
        }
    }

    /// Draws in the terminal.
    fn draw(&self, position: &Position) -> Result<()> {
        let style = match self.style {
            Some(StyleArg::Kanji) => Style::Kanji,
            _ => Style::Letters,
        };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match self.color {
            When::Auto => io::stdout().is_terminal() && !plain,
            When::Always => true,
            When::Never => false,
        };
        let board = diagram::draw(position, style, position.last_move(), color);
        writeln!(io::stdout(), "{board}{}", caption(position))?;
        Ok(())
    }

    fn look(&self) -> Look {
        Look {
            pieces: match self.style {
                None | Some(StyleArg::Kanji) => PieceStyle::Kanji,
                Some(StyleArg::Letters) => PieceStyle::Letters,
                Some(StyleArg::International) => PieceStyle::International,
            },
            ranks: match self.ranks {
                RanksArg::Letters => Ranks::Letters,
                RanksArg::Kanji => Ranks::Kanji,
            },
            flipped: self.flip,
            last_move: true,
            arrows: self.arrows.clone(),
        }
    }
}

/// Whose turn it is, or how the game ended; and what is special.
fn caption(position: &Position) -> String {
    let outcome = position.outcome();
    let mut text = format!("move {}, ", position.ply() + 1);
    text += &match (outcome.is_over(), position.turn()) {
        (true, _) => format!("game over: {outcome}"),
        (false, Color::Black) => "black (capitals, moving up) to move".to_owned(),
        (false, Color::White) => "white to move".to_owned(),
    };
    if let Some(square) = position.lion_fell() {
        text += &format!(", a lion just fell on {square}");
    }
    if let Some(m) = position.last_move() {
        let mut before = position.clone();
        before.unmake();
        text += &format!(", last move {}", usi::format(m, &before));
    }
    format!("{text}\nsfen {}", sfen::format(&position.setup()))
}
