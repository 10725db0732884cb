//! `analyse`: what the engine thinks of positions; whole games are next door.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::games::{self, GameArgs};
use super::position::{PositionArgs, read_game};
use super::progress::{Teller, progress};
use crate::analysis::table;
use crate::board::{Color, Game};
use crate::engine::{Engine, Info, Limits, Report};
use crate::notation::style::Style;
use crate::notation::{sfen, usi};

/// Analyse positions, or whole games move by move.
///
/// With files of games (KIF, PGN, USI lines), or with `--whole`, every position of each game is searched, for 20000 nodes
/// if no limit is given. The result is a table: the score for Black after each move, in pawns or as plies to the end, what
/// the move cost in pawns and in per cent of winning chances, its mark (?! inaccuracy from 5 %, ? mistake from 10 %, ??
/// blunder from 20 %), and what was better; then the accuracy of both sides. Moves that break the rules are named, and end
/// the analysis of their game. Ctrl-C ends it with what is done; `--resume` goes on from there.
///
/// Without a position, reads standard input: one position or game a line, as USI writes them (`startpos moves …`,
/// `sfen … moves …`, or a bare SFEN). Blank lines and lines that begin with `#` are skipped. Each line gets one result,
/// in order; a bad line gets a message on standard error instead, and the exit status is 2 at the end.
///
/// A result is: score for the side to move in pawns or as plies to the end (`#5`, `#-4`), depth, best move, line.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi analyse startpos --movetime 2000
  sakijishi analyse 2-kings --depth 12 --multipv 3
  sakijishi analyse startpos moves 7j7h 6c7e --rules lishogi
  sakijishi analyse --nodes 100000 --json < positions.txt
  sakijishi analyse game.kif --notation japanese
  sakijishi analyse games.pgn --nodes 50000 --jobs 4 --html report.html
  sakijishi analyse game.kif --rules lishogi --annotate kif --out annotated.kif
  sakijishi analyse *.kif --json --out all.json --resume all.json")]
pub(super) struct Analyse {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    #[command(flatten)]
    pub(super) games: GameArgs,
    /// Time for each position in ms [default: 1000, if there is no other limit]
    #[arg(long, value_name = "MS")]
    pub(super) movetime: Option<u64>,
    /// Depth for each position in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// How many lines
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) multipv: u16,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) threads: u16,
    /// Size of the transposition table in MiB [default: 64, or 16 for each position of whole games]
    #[arg(long, value_name = "MIB")]
    pub(super) hash: Option<u32>,
    /// How moves are shown, except in JSON: usi, japanese or western
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(super) notation: Style,
    /// One JSON object a result
    #[arg(long)]
    pub(super) json: bool,
}

/// A line, for JSON. Scores are for the side to move.
#[derive(Serialize)]
struct LineJson {
    /// Centipawns, unless the end is in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Plies to the end, negative when losing.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    seldepth: u32,
    pv: Vec<String>,
}

#[derive(Serialize)]
struct ResultJson {
    /// Which line of the input, from 1.
    line: usize,
    sfen: String,
    turn: &'static str,
    outcome: String,
    best: Option<String>,
    lines: Vec<LineJson>,
    nodes: u64,
    nps: u64,
    time_ms: u64,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<ExitCode> {
        if self.games.are_meant(&self.position.words)? {
            return games::analyse(self);
        }
        let mut engine = self.position.rules.engine()?;
        engine.set_option("USI_AnalyseMode", "true")?;
        engine.set_option("Threads", &self.threads.to_string())?;
        engine.set_option("USI_Hash", &self.hash.unwrap_or(64).to_string())?;
        engine.set_option("MultiPV", &self.multipv.to_string())?;
        match self.position.text().filter(|text| text != "-") {
            Some(text) => {
                let game = read_game(&text, engine.rules())?;
                self.analyse(&mut engine, game, 1)?;
                Ok(ExitCode::SUCCESS)
            }
            None => self.filter(&mut engine),
        }
    }

    fn filter(&self, engine: &mut Engine) -> Result<ExitCode> {
        let mut bad = 0;
        let mut teller = Teller::new();
        for (n, line) in io::stdin().lock().split(b'\n').enumerate() {
            let line = String::from_utf8_lossy(&line?).into_owned();
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match read_game(text, engine.rules()) {
                Ok(game) => self.analyse(engine, game, n + 1)?,
                Err(error) => {
                    bad += 1;
                    eprintln!("line {}: {error:#}", n + 1);
                }
            }
            teller.tell(|| format!("{} lines done", n + 1));
        }
        Ok(if bad == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(2)
        })
    }

    pub(super) fn limits(&self) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let time = self.movetime.or(unlimited.then_some(1_000));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: time.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    fn analyse(&self, engine: &mut Engine, game: Game, line: usize) -> Result<()> {
        // What is said of a position does not depend on the lines before it.
        engine.new_game();
        engine.set_game(game.clone());
        let bar = progress(None);
        let report = engine.search_with(&self.limits(), |info| {
            if info.multi_pv == 1 {
                bar.set_message(text_line(&info, &game, self.notation));
                bar.tick();
            }
        });
        bar.finish_and_clear();
        let text = if self.json {
            json(&report, &game, line)?
        } else {
            text(&report, &game, self.notation)
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()?;
        Ok(())
    }
}

fn text_line(info: &Info, game: &Game, style: Style) -> String {
    let pv = style.format_line(game.position(), info.pv.iter().copied());
    format!(
        "{:>7}  depth {:>2}  {}",
        table::score(info.score),
        info.depth,
        pv.join(" ")
    )
}

fn text(report: &Report, game: &Game, style: Style) -> String {
    let outcome = game.outcome();
    if outcome.is_over() {
        return format!("game over: {outcome}");
    }
    let lines: Vec<String> = report
        .lines
        .iter()
        .map(|info| text_line(info, game, style))
        .collect();
    lines.join("\n")
}

fn json(report: &Report, game: &Game, line: usize) -> Result<String> {
    let position = game.position();
    let lines = report.lines.iter().map(|info| LineJson {
        cp: info.mate().is_none().then_some(info.score),
        mate: info.mate(),
        depth: info.depth,
        seldepth: info.seldepth,
        pv: usi::format_line(position, info.pv.iter().copied()),
    });
    let result = ResultJson {
        line,
        sfen: sfen::format(&position.setup()),
        turn: match position.turn() {
            Color::Black => "black",
            Color::White => "white",
        },
        outcome: game.outcome().to_string(),
        best: report.best.map(|m| usi::format(m, position)),
        lines: lines.collect(),
        nodes: report.nodes,
        nps: (report.nodes as f64 / report.time.as_secs_f64().max(1e-6)) as u64,
        time_ms: report.time.as_millis() as u64,
    };
    Ok(serde_json::to_string(&result)?)
}
