//! `selfplay` and `train`: games of the engine against itself, and an evaluation learned from them.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};

use super::files::write_whole;
use super::net::Net;
use super::position::rule_set;
use super::progress::{progress, watch_for_interrupt};
use crate::arena::{Shard, read_games};
use crate::board::RuleSet;
use crate::eval::material::Weights;
use crate::train::psq::{Fit, Points, fit};
use crate::train::selfplay::{Plan, run};

/// Play games of the engine against itself and append them to a file.
///
/// The same arguments give the same games. Ctrl-C ends it after the running games; calling it again goes on.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sakijishi selfplay --games 10000 --nodes 2000 --threads 2 --out games.skj
  parallel sakijishi selfplay --games 80000 --shard {}/8 --out games{}.skj ::: 1 2 3 4 5 6 7 8")]
pub(super) struct SelfPlay {
    /// How many games there are to be, in the files of all shards together
    #[arg(long, value_name = "N")]
    games: usize,
    /// Play only this part of the games, as in 2/8
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes after which no deeper iteration is begun, if fewer
    #[arg(long, value_name = "N")]
    soft_nodes: Option<u64>,
    /// The file of the network to play with, or none; the built-in evaluation if not given
    #[arg(long, value_name = "FILE")]
    eval_file: Option<String>,
    /// Begin at random moves of the games in this file, a position or a game a line as USI writes them, instead of at the start
    /// position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random plies at the start, at least and at most
    #[arg(long, value_name = "A-B", default_value = "8-16", value_parser = span)]
    random_plies: (usize, usize),
    /// A short search must find what a game begins with within so many centipawns
    #[arg(long, value_name = "CP", default_value_t = 400)]
    balance: i32,
    /// Everything random follows from it
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Rule sets, used in turn
    #[arg(long, value_name = "SETS", value_delimiter = ',', default_value = "lishogi,renmei", value_parser = rule_set)]
    rules: Vec<RuleSet>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The file to append to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn span(text: &str) -> Result<(usize, usize)> {
    let (least, most) = text.split_once('-').context("write it as 8-16")?;
    let (least, most) = (least.parse()?, most.parse()?);
    ensure!(least <= most, "{least} is more than {most}");
    Ok((least, most))
}

impl SelfPlay {
    pub(super) fn run(&self) -> Result<()> {
        let openings = match (&self.openings, self.rules.first()) {
            (Some(file), Some(&rules)) => read_games(file, rules.into(), |_| Ok(()))?,
            _ => Vec::new(),
        };
        let plan = Plan {
            games: self.games,
            shard: self.shard,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            eval_file: self.eval_file.clone(),
            openings,
            random_plies: self.random_plies,
            balance: self.balance,
            seed: self.seed,
            rules: self.rules.clone(),
            threads: self.threads,
        };
        let stop = watch_for_interrupt()?;
        let games = plan.games_here();
        let bar = progress(Some(games as u64));
        run(&plan, &self.out, &stop, |done| {
            bar.set_position(done as u64);
            if !io::stderr().is_terminal() && done % 100 == 0 {
                eprintln!("{done} of {games} games");
            }
        })?;
        bar.finish_and_clear();
        Ok(())
    }
}

/// Learn an evaluation from games.
#[derive(Args, Debug)]
pub(super) struct Train {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Fit material and piece-square values by logistic regression
    Psq(Psq),
    /// Train the network that corrects them
    Net(Box<Net>),
}

#[derive(Args, Debug)]
#[command(after_help = "Example:
  sakijishi train psq games.skj --out src/eval/default.psq")]
struct Psq {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILES")]
    games: Vec<PathBuf>,
    /// Where the values go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often each position is used
    #[arg(long, value_name = "N", default_value_t = 3)]
    epochs: usize,
    /// The first step, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 1.0)]
    rate: f32,
    /// The share of the game's result in the target
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,
    /// How strongly values are drawn to where they were
    #[arg(long, value_name = "D", default_value_t = 0.01)]
    decay: f32,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// Everything random follows from it
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

impl Train {
    pub(super) fn run(&self) -> Result<()> {
        match &self.what {
            What::Psq(args) => args.run(),
            What::Net(args) => args.run(),
        }
    }
}

impl Psq {
    fn run(&self) -> Result<()> {
        let mut points = Points::read(&self.games, self.result_share)?;
        let (training, validation) = points.len();
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{training} positions, {validation} more to check, scale {}",
            points.scale()
        )?;
        let plan = Fit {
            epochs: self.epochs,
            batch: self.batch.max(1),
            rate: self.rate,
            result_share: self.result_share,
            decay: self.decay,
            seed: self.seed,
            threads: self.threads,
        };
        let mut failed = None;
        let weights = fit(&mut points, &Weights::built_in(), &plan, |epoch| {
            let line = format!(
                "epoch {:>3}  training {:.6}  validation {:.6}",
                epoch.number, epoch.training, epoch.validation
            );
            failed = writeln!(out, "{line}").err();
        });
        failed.map_or(Ok(()), Err)?;
        write_whole(&self.out, &weights.to_bytes())
    }
}
