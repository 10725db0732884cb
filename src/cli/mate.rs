//! `mate`: problems solved.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;

use super::position::{PositionArgs, read_game};
use super::progress::{Teller, progress, watch_for_interrupt};
use crate::board::{Position, Rules};
use crate::mate::{Answer, Limits, Progress, Solver, Verdict};
use crate::notation::sfen;
use crate::notation::style::Style;

/// Solve mate problems (tsume): does the side to move capture the last royal by checks alone?
///
/// The problem is a position on the command line, or there is one a line in a file or in standard input. A line may also
/// hold fields between tabs; then the first is the problem's name and the first with an SFEN is the problem. Blank lines and
/// lines that begin with `#` are skipped.
///
/// Every move of the attacker must check; the defender may play anything; a position that comes back is no mate. The
/// attacker needs no royal of his own.
///
/// The exit status is 0 if every problem is a mate, 1 if one has none, 3 if one was not decided, 2 after an error.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi mate 'k11/12/NQ10/12/12/12/12/12/12/12/12/12 b - 1'
  sakijishi mate problems.txt --shortest --time 20000
  sakijishi mate --json < problems.txt")]
pub(super) struct Mate {
    #[command(flatten)]
    position: PositionArgs,
    /// Look until the mate is proved to be the shortest
    #[arg(long)]
    shortest: bool,
    /// Nodes for each problem [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for each problem in ms [default: no limit]
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Memory for the solver's table in MiB, at most
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
    /// One JSON object a problem
    #[arg(long)]
    json: bool,
}

/// A result, for JSON.
#[derive(Serialize)]
struct ResultJson<'a> {
    /// Which line of the input, from 1.
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    sfen: String,
    /// `mate`, `nomate` or `unknown`.
    result: &'static str,
    /// Moves of the attacker.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<usize>,
    /// Whether no shorter mate exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    /// The mate, as USI writes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pv: Vec<String>,
    /// The same in Japanese notation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    japanese: Vec<String>,
    nodes: u64,
    time_ms: u64,
}

/// Stack of the solver's thread.
const STACK: usize = 16 << 20;

/// How many problems came to which end.
#[derive(Default)]
struct Tally {
    refuted: usize,
    unknown: usize,
    bad: usize,
}

impl Tally {
    fn status(&self) -> ExitCode {
        ExitCode::from(match self {
            Tally { bad: 1.., .. } => 2,
            Tally { unknown: 1.., .. } => 3,
            Tally { refuted: 1.., .. } => 1,
            _ => 0,
        })
    }
}

impl Mate {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let stop = watch_for_interrupt()?;
        // The solver goes as deep as its longest line.
        thread::scope(|scope| {
            let solve = || self.solve_all(&stop);
            let thread = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, solve)?;
            let result = thread.join();
            result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn solve_all(&self, stop: &AtomicBool) -> Result<ExitCode> {
        let rules = self.position.rules.rules()?;
        let mut run = Run {
            args: self,
            rules,
            stop,
            solver: Solver::new((self.memory as usize) << 20),
            tally: Tally::default(),
        };
        match self.position.text().filter(|text| text != "-") {
            None => run.filter(io::stdin().lock())?,
            Some(text) if Path::new(&text).is_file() => {
                let file = File::open(&text).with_context(|| format!("cannot read `{text}`"))?;
                run.filter(BufReader::new(file))?;
            }
            Some(text) => {
                let position = read_game(&text, rules)?.position().clone();
                run.solve(None, &position, 1)?;
            }
        }
        Ok(if stop.load(Ordering::Relaxed) {
            ExitCode::from(130)
        } else {
            run.tally.status()
        })
    }
}

struct Run<'a> {
    args: &'a Mate,
    rules: Rules,
    stop: &'a AtomicBool,
    solver: Solver,
    tally: Tally,
}

impl Run<'_> {
    fn filter(&mut self, input: impl BufRead) -> Result<()> {
        for (n, line) in input.split(b'\n').enumerate() {
            let line = String::from_utf8_lossy(&line?).into_owned();
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            match self.problem(text) {
                Ok((name, position)) => self.solve(name, &position, n + 1)?,
                Err(error) => {
                    self.tally.bad += 1;
                    eprintln!("line {}: {error:#}", n + 1);
                }
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// The name, if it has one, and the position of a line.
    fn problem<'t>(&self, line: &'t str) -> Result<(Option<&'t str>, Position)> {
        let mut fields = line.split('\t').map(str::trim);
        let first = fields.next().unwrap_or_default();
        let (name, text) = if first.contains('/') || !line.contains('\t') {
            (None, first)
        } else {
            let problem = fields.find(|field| field.contains('/'));
            (
                Some(first),
                problem.ok_or_else(|| anyhow!("no field of `{line}` is an SFEN"))?,
            )
        };
        Ok((name, read_game(text, self.rules)?.position().clone()))
    }

    fn solve(&mut self, name: Option<&str>, position: &Position, line: usize) -> Result<()> {
        let limits = Limits {
            nodes: self.args.nodes,
            time: self.args.time.map(Duration::from_millis),
            stop: Some(self.stop),
            shortest: self.args.shortest,
        };
        let mut watch = Watch::new(name);
        let answer = self
            .solver
            .solve(position, limits, &mut |progress| watch.show(progress));
        watch.bar.finish_and_clear();
        match answer.verdict {
            Verdict::Mate { .. } => {}
            Verdict::NoMate => self.tally.refuted += 1,
            Verdict::Unknown => self.tally.unknown += 1,
        }
        let text = if self.args.json {
            json(&answer, name, position, line)?
        } else {
            text(&answer, name, position)
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")?;
        out.flush()?;
        Ok(())
    }
}

/// Shows how a long search is getting on.
struct Watch<'a> {
    name: &'a str,
    bar: ProgressBar,
    teller: Teller,
}

impl Watch<'_> {
    fn new(name: Option<&str>) -> Watch<'_> {
        Watch {
            name: name.unwrap_or("problem"),
            bar: progress(None),
            teller: Teller::new(),
        }
    }

    fn show(&mut self, progress: &Progress) {
        let found = progress.found.map_or(String::new(), |plies| {
            format!(", mate in {} found", plies.div_ceil(2))
        });
        let message = format!(
            "{}: {:.1} M nodes, table {} % full{found}",
            self.name,
            progress.nodes as f64 / 1e6,
            progress.table_permille / 10,
        );
        self.teller.tell(|| message.clone());
        self.bar.set_message(message);
        self.bar.tick();
    }
}

/// The mate, if there is one.
fn line_in(style: Style, answer: &Answer, position: &Position) -> Vec<String> {
    match &answer.verdict {
        Verdict::Mate { line, .. } => style.format_line(position, line.iter().copied()),
        Verdict::NoMate | Verdict::Unknown => Vec::new(),
    }
}

fn text(answer: &Answer, name: Option<&str>, position: &Position) -> String {
    let name = name.map_or(String::new(), |name| format!("{name}: "));
    let line = |style| line_in(style, answer, position).join(" ");
    match &answer.verdict {
        Verdict::Mate {
            line: moves,
            minimal,
        } => format!(
            "{name}mate in {}, {}\n  {}\n  {}",
            moves.len().div_ceil(2),
            if *minimal {
                "the shortest"
            } else {
                "perhaps not the shortest"
            },
            line(Style::Usi),
            line(Style::Japanese),
        ),
        Verdict::NoMate => format!("{name}no mate"),
        Verdict::Unknown => format!("{name}not decided"),
    }
}

fn json(answer: &Answer, name: Option<&str>, position: &Position, line: usize) -> Result<String> {
    let (result, moves, shortest) = match &answer.verdict {
        Verdict::Mate { line, minimal } => ("mate", Some(line.len().div_ceil(2)), Some(*minimal)),
        Verdict::NoMate => ("nomate", None, None),
        Verdict::Unknown => ("unknown", None, None),
    };
    let result = ResultJson {
        line,
        name,
        sfen: sfen::format(&position.setup()),
        result,
        moves,
        shortest,
        pv: line_in(Style::Usi, answer, position),
        japanese: line_in(Style::Japanese, answer, position),
        nodes: answer.nodes,
        time_ms: u64::try_from(answer.time.as_millis()).unwrap_or(u64::MAX),
    };
    Ok(serde_json::to_string(&result)?)
}
