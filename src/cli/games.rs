//! `analyse` for whole games: reading them, watching the work, writing what came out.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::analyse::Analyse;
use super::files::write_whole;
use super::position::progress;
use crate::analysis::{Analysis, News, Plan, Violation, html, json, run, table};
use crate::board::{Game, Rules};
use crate::engine::Limits;
use crate::notation::line;
use crate::notation::record::Record;

/// What is done with whole games.
#[derive(Args, Debug)]
#[command(next_help_heading = "Whole games")]
pub(super) struct GameArgs {
    /// Analyse every move of the game on the command line, or of those on standard input, as is done with files
    #[arg(long)]
    whole: bool,
    /// How many positions to search at the same time [default: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Write the results here instead of to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page for a browser, with boards to step through and a graph of the scores
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Use what an earlier `--json` found out; it may be the file of `--out`, and need not exist
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// Nodes for each position if no limit is given.
const NODES: u64 = 20_000;
/// Mebibytes of each search's table if not given.
const HASH: u32 = 16;

impl GameArgs {
    /// Whether the words name files or every move is asked for.
    pub(super) fn are_meant(&self, words: &[String]) -> bool {
        self.whole || words.first().is_some_and(|word| Path::new(word).is_file())
    }
}

/// A game with what the reader stopped at.
struct Source {
    name: String,
    record: Record,
    violation: Option<Violation>,
}

/// Analyses the games of files, of the command line or of standard input.
pub(super) fn analyse(task: &Analyse) -> Result<ExitCode> {
    let args = &task.games;
    let rules = task.position.rules.rules()?;
    let (sources, mut bad) = read_all(task, rules)?;
    let mut analyses = Vec::new();
    for source in sources {
        match Analysis::new(source.name.clone(), source.record, rules) {
            Ok(mut analysis) => {
                analysis.violation = analysis.violation.or(source.violation);
                analyses.push(analysis);
            }
            Err(errors) => {
                let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
                eprintln!("{}: {}", source.name, reasons.join("; "));
                bad += 1;
            }
        }
    }
    for analysis in &analyses {
        if let Some(violation) = &analysis.violation {
            eprintln!(
                "{}: move {}: {}",
                analysis.name, violation.ply, violation.reason
            );
            bad += 1;
        }
    }
    let plan = plan(task)?;
    let conditions = conditions(task, &plan.limits);
    if let Some(path) = args.resume.as_ref().filter(|path| path.exists()) {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let earlier = json::Earlier::read(&text).with_context(|| path.display().to_string())?;
        for analysis in &mut analyses {
            earlier.apply(analysis, &conditions);
        }
    }
    let stop = watch_for_interrupt()?;
    let mut display = Display::new(analyses.len());
    run(&mut analyses, &plan, &stop, |news| display.show(&news))?;
    display.bar.finish_and_clear();
    write(task, &analyses, &conditions)?;
    Ok(match (stop.load(Ordering::Relaxed), bad) {
        (true, _) => ExitCode::from(130),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(2),
    })
}

/// The first Ctrl-C lets what is done be written, the second ends the program.
fn watch_for_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

fn plan(task: &Analyse) -> Result<Plan> {
    ensure!(
        task.multipv == 1,
        "--multipv is for positions; a whole game has one line for each"
    );
    let mut limits = task.limits();
    if task.depth.is_none() && task.nodes.is_none() && task.movetime.is_none() {
        limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
    }
    let rules = &task.position.rules;
    let mut options = vec![
        ("Rules".to_owned(), rules.rules.word().to_owned()),
        ("Threads".to_owned(), task.threads.to_string()),
        ("USI_Hash".to_owned(), task.hash.unwrap_or(HASH).to_string()),
    ];
    options.extend(rules.options.iter().cloned());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = task
        .games
        .jobs
        .map_or(cores / usize::from(task.threads.max(1)), usize::from);
    Ok(Plan {
        limits,
        options,
        jobs: jobs.max(1),
    })
}

/// The rules and limits in words.
fn conditions(task: &Analyse, limits: &Limits) -> String {
    let rules = &task.position.rules;
    let mut text = rules.rules.word().to_owned();
    for (name, value) in &rules.options {
        text += &format!(" {name}={value}");
    }
    if let Some(depth) = limits.depth {
        text += &format!(", depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        text += &format!(", {nodes} nodes");
    }
    if let Some(time) = limits.move_time {
        text += &format!(", {} ms", time.as_millis());
    }
    text
}

/// The games that are given, and how many cannot be read.
fn read_all(task: &Analyse, rules: Rules) -> Result<(Vec<Source>, usize)> {
    let mut games = Games {
        rules,
        sources: Vec::new(),
        bad: 0,
    };
    let words = &task.position.words;
    match task.position.text().filter(|text| text != "-") {
        Some(_) if words.first().is_some_and(|word| Path::new(word).is_file()) => {
            for word in words {
                let text = std::fs::read(word).with_context(|| format!("cannot read {word}"))?;
                games.read(word, &String::from_utf8_lossy(&text));
            }
        }
        Some(text) => games.line("game", &text),
        None => {
            for (n, line) in io::stdin().lock().split(b'\n').enumerate() {
                games.line(&format!("line {}", n + 1), &String::from_utf8_lossy(&line?));
            }
        }
    }
    Ok((games.sources, games.bad))
}

struct Games {
    rules: Rules,
    sources: Vec<Source>,
    bad: usize,
}

impl Games {
    fn read(&mut self, name: &str, text: &str) {
        for (n, line) in text.lines().enumerate() {
            self.line(&format!("{name}:{}", n + 1), line);
        }
    }

    /// Reads a game on one line.
    fn line(&mut self, name: &str, text: &str) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let start = line::parse(text).and_then(|parsed| {
            let bare = line::GameLine {
                moves: Vec::new(),
                ..parsed.clone()
            };
            Ok((bare.play(self.rules)?, parsed.moves))
        });
        match start {
            Ok((game, moves)) => self.sources.push(played(name, game, &moves)),
            Err(error) => {
                eprintln!("{name}: {error}");
                self.bad += 1;
            }
        }
    }
}

fn played(name: &str, mut game: Game, moves: &[String]) -> Source {
    let mut violation = None;
    for text in moves {
        if let Err(error) = line::play(&mut game, text) {
            violation = Some(Violation {
                ply: game.position().made() + 1,
                reason: error.to_string(),
                section: None,
            });
            break;
        }
    }
    Source {
        name: name.to_owned(),
        record: Record::from(&game),
        violation,
    }
}

/// Writes the results in the form that is asked for.
fn write(task: &Analyse, analyses: &[Analysis], conditions: &str) -> Result<()> {
    if let Some(path) = &task.games.html {
        write_whole(path, html::page(analyses, conditions).as_bytes())?;
    }
    let mut text = String::new();
    for (n, analysis) in analyses.iter().enumerate() {
        if task.json {
            text += &serde_json::to_string(&json::game(analysis, conditions))?;
            text.push('\n');
        } else {
            if n > 0 {
                text.push('\n');
            }
            text += &table::text(analysis);
        }
    }
    match &task.games.out {
        Some(path) => write_whole(path, text.as_bytes()),
        None => Ok(io::stdout().write_all(text.as_bytes())?),
    }
}

/// How far the work is: a bar on a terminal, else a line now and then.
struct Display {
    bar: ProgressBar,
    games: usize,
    said: Instant,
}

/// How often work that nobody watches on a terminal says how far it is.
const SAY_EVERY: Duration = Duration::from_secs(10);

impl Display {
    fn new(games: usize) -> Display {
        let bar = progress(Some(0));
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left {wide_msg}");
        Display {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            games,
            said: Instant::now(),
        }
    }

    fn show(&mut self, news: &News) {
        self.bar.set_length(news.total as u64);
        self.bar.set_position(news.done as u64);
        if self.games > 1 {
            self.bar
                .set_message(format!("game {} of {}", news.game + 1, self.games));
        }
        if self.said.elapsed() > SAY_EVERY && !io::stderr().is_terminal() {
            self.said = Instant::now();
            eprintln!("{} of {} positions done", news.done, news.total);
        }
    }
}
