//! `show`: a position drawn in the terminal.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::position::PositionArgs;
use crate::board::{Color, Position};
use crate::notation::diagram::{self, Style};
use crate::notation::{sfen, usi};

/// Draw a position.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi show
  sakijishi show startpos moves 7j7h 6c7e --style kanji
  sakijishi show --sfen '12/12/4k7/12/12/12/12/12/12/12/5K6/12 b - 1'")]
pub(super) struct Show {
    #[command(flatten)]
    position: PositionArgs,
    /// How pieces look
    #[arg(long, value_enum, default_value_t = StyleArg::Letters)]
    style: StyleArg,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleArg {
    /// Letters; capitals are Black's
    Letters,
    /// Kanji; `v` before White's pieces, `+` behind promoted ones
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
        let style = match self.style {
            StyleArg::Letters => Style::Letters,
            StyleArg::Kanji => Style::Kanji,
        };
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match self.color {
            When::Auto => io::stdout().is_terminal() && !plain,
            When::Always => true,
            When::Never => false,
        };
        let position = game.position();
        let board = diagram::draw(position, style, position.last_move(), color);
        writeln!(io::stdout(), "{board}{}", caption(position))?;
        Ok(())
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
