//! Positions and rules on the command line.

use std::io;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use super::engine_with;
use crate::board::{Game, RuleSet, Rules};
use crate::engine::Engine;
use crate::notation::line;
use crate::notation::sfen::HANDICAPS;

/// The rules to play by.
#[derive(Args, Clone, Debug)]
pub(super) struct RuleArgs {
    /// The rule set: renmei, teiban, lishogi, jcsa or edo
    #[arg(long, value_name = "SET", env = "SAKIJISHI_RULES", default_value = "renmei",
        value_parser = rule_set)]
    pub(super) rules: RuleSet,
    /// An option of the engine, as in `-o LionTrade=none`; may be given several times
    #[arg(short = 'o', long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(super) options: Vec<(String, String)>,
}

pub(super) fn rule_set(word: &str) -> Result<RuleSet> {
    let words: Vec<&str> = RuleSet::WORDS.iter().map(|(word, _)| *word).collect();
    RuleSet::from_word(word).ok_or_else(|| anyhow!("rule sets are {}", words.join(", ")))
}

fn pair(text: &str) -> Result<(String, String)> {
    let (name, value) = text.split_once('=').context("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl RuleArgs {
    /// An engine that plays by them.
    pub(super) fn engine(&self) -> Result<Engine> {
        let own = self
            .options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        engine_with(std::iter::once(("Rules", self.rules.word())).chain(own))
    }

    pub(super) fn rules(&self) -> Result<Rules> {
        Ok(self.engine()?.rules())
    }
}

/// A position to do something with.
#[derive(Args, Clone, Debug)]
pub(super) struct PositionArgs {
    /// `startpos`, a handicap (3-lions, 2-lions, 2-kings), or `sfen …`; `moves …` may follow; `-` reads a line from
    /// standard input
    #[arg(value_name = "POSITION")]
    pub(super) words: Vec<String>,
    /// The position as an SFEN; `moves …` may follow it
    #[arg(
        long,
        value_name = "SFEN",
        conflicts_with = "words",
        allow_hyphen_values = true
    )]
    pub(super) sfen: Option<String>,
    #[command(flatten)]
    pub(super) rules: RuleArgs,
}

impl PositionArgs {
    /// The position as one line of text, if one is given.
    pub(super) fn text(&self) -> Option<String> {
        match &self.sfen {
            Some(sfen) => Some(sfen.clone()),
            None if self.words.is_empty() => None,
            None => Some(self.words.join(" ")),
        }
    }

    /// The game: the start position if none is given.
    pub(super) fn game(&self) -> Result<Game> {
        let text = match self.text() {
            None => "startpos".to_owned(),
            Some(text) if text == "-" => {
                let mut line = String::new();
                io::stdin()
                    .read_line(&mut line)
                    .context("cannot read standard input")?;
                line
            }
            Some(text) => text,
        };
        read_game(&text, self.rules.rules()?)
    }
}

/// Reads a game and plays it.
pub(super) fn read_game(text: &str, rules: Rules) -> Result<Game> {
    let first = text.split_whitespace().next().unwrap_or_default();
    if !first.is_empty() && !first.contains('/') && line::parse(first).is_err() {
        let is_keyword = ["position", "sfen"].contains(&first);
        if !is_keyword {
            let names: Vec<&str> = HANDICAPS.iter().map(|handicap| handicap.english).collect();
            bail!(
                "`{first}` is no position: give startpos, {}, or an SFEN",
                names.join(", ")
            );
        }
    }
    Ok(line::parse(text)?.play(rules)?)
}
