//! `analyse` for whole games: reading them, watching the work, writing what came out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::analyse::Analyse;
use super::convert::{name, read_records};
use super::files::write_whole;
use super::progress::{Teller, progress, watch_for_interrupt};
use crate::analysis::{Analysis, News, Plan, annotate, html, json, run, table};
use crate::board::Rules;
use crate::engine::Limits;
use crate::notation::format::Format;
use crate::notation::line;
use crate::notation::reading::Reading;

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
    /// Write the games with scores, marks and better lines in them, as kif, pgn or text
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", value_parser = annotated_format)]
    annotate: Option<Format>,
    /// Write a page for a browser, with boards to step through and a graph of the scores
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Use what an earlier `--json` found out; it may be the file of `--out`, and need not exist
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

fn annotated_format(word: &str) -> Result<Format> {
    let format = word.parse()?;
    ensure!(
        matches!(format, Format::Kif | Format::Pgn | Format::Text),
        "{format} has no place for comments; there are kif, pgn and text"
    );
    Ok(format)
}

/// Nodes for each position if no limit is given.
const NODES: u64 = 20_000;
/// Mebibytes of each search's table if not given.
const HASH: u32 = 16;

impl GameArgs {
    /// Whether the words name files or every move is asked for, directly or by what only whole games have.
    pub(super) fn are_meant(&self, words: &[String]) -> Result<bool> {
        let reports = self.html.is_some() || self.annotate.is_some() || self.resume.is_some();
        let meant = self.whole || reports || words.first().is_some_and(|word| is_file(word));
        ensure!(
            meant || (self.out.is_none() && self.jobs.is_none()),
            "--out and --jobs are for whole games: give files, or --whole"
        );
        Ok(meant)
    }
}

/// Endings of the names of files of games.
const ENDINGS: [&str; 5] = ["kif", "kifu", "pgn", "usi", "txt"];

/// Whether a word names a file, even if there is no such file.
fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    let ending = path.extension().and_then(|ending| ending.to_str());
    path.is_file() || ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Analyses the games of files, of the command line or of standard input.
pub(super) fn analyse(task: &Analyse) -> Result<ExitCode> {
    let args = &task.games;
    let rules = task.position.rules.rules()?;
    let (mut analyses, bad) = read_all(task, rules)?;
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
    let mut saved = Instant::now();
    run(&mut analyses, &plan, &stop, |news, analyses| {
        display.show(&news);
        // What can be resumed outlives whatever happens to this program.
        if task.json && args.out.is_some() && saved.elapsed() > SAVE_EVERY {
            saved = Instant::now();
            // A failure that lasts is told in the end.
            let _ = write(task, analyses, &conditions);
        }
    })?;
    display.bar.finish_and_clear();
    write(task, &analyses, &conditions)?;
    Ok(match (stop.load(Ordering::Relaxed), bad) {
        (true, _) => ExitCode::from(130),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(2),
    })
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

/// The games that are given, and how many of them are not whole or none at all, each with a message.
fn read_all(task: &Analyse, rules: Rules) -> Result<(Vec<Analysis>, usize)> {
    let (mut analyses, mut bad) = (Vec::new(), 0);
    for (name, readings) in readings(task, rules)? {
        let several = readings.len() > 1;
        for (n, reading) in readings.into_iter().enumerate() {
            let name = if several {
                format!("{name}#{}", n + 1)
            } else {
                name.clone()
            };
            if let Some(error) = reading
                .error
                .as_ref()
                .filter(|_| reading.record.main.plies.is_empty())
            {
                eprintln!("{name}: {error}");
                bad += 1;
                continue;
            }
            let analysis =
                Analysis::of_reading(name.clone(), reading, rules).map_err(|errors| {
                    let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    anyhow!("{name}: {}", reasons.join("; "))
                })?;
            if let Some(violation) = &analysis.violation {
                eprintln!("{name}: {violation}");
                bad += 1;
            }
            analyses.push(analysis);
        }
    }
    Ok((analyses, bad))
}

/// What is read, by the names of the files.
fn readings(task: &Analyse, rules: Rules) -> Result<Vec<(String, Vec<Reading>)>> {
    let words = &task.position.words;
    let files: Vec<&Path> = match task.position.text().filter(|text| text != "-") {
        None => vec![Path::new("-")],
        Some(_) if words.first().is_some_and(|word| is_file(word)) => {
            words.iter().map(Path::new).collect()
        }
        Some(text) => return Ok(vec![("game".to_owned(), line::read(&text, rules))]),
    };
    let read = |file| {
        read_records(file, None, rules).with_context(|| format!("cannot read {}", name(file)))
    };
    files
        .into_iter()
        .map(|file| Ok((name(file), read(file)?)))
        .collect()
}

/// Writes the results in the form that is asked for.
fn write(task: &Analyse, analyses: &[Analysis], conditions: &str) -> Result<()> {
    let style = task.notation;
    if let Some(path) = &task.games.html {
        write_whole(path, html::page(analyses, conditions, style).as_bytes())?;
    }
    let mut text = String::new();
    for (n, analysis) in analyses.iter().enumerate() {
        if task.json {
            text += &serde_json::to_string(&json::game(analysis, conditions))?;
            text.push('\n');
            continue;
        }
        if n > 0 {
            text.push('\n');
        }
        text += &match task.games.annotate {
            Some(format) => {
                let record = annotate::annotated(analysis, conditions, format, style);
                format.write(&record, *analysis.game().position().rules(), style)
            }
            None => table::text(analysis, style),
        };
    }
    let out = task.games.out.as_deref().unwrap_or(Path::new("-"));
    write_whole(out, text.as_bytes())
}

/// How far the work is: a bar on a terminal, else a line now and then.
struct Display {
    bar: ProgressBar,
    games: usize,
    teller: Teller,
}

/// How often `--json` with `--out` is written while the work goes on.
const SAVE_EVERY: Duration = Duration::from_secs(30);

impl Display {
    fn new(games: usize) -> Display {
        let bar = progress(Some(0));
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left {wide_msg}");
        Display {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            games,
            teller: Teller::new(),
        }
    }

    fn show(&mut self, news: &News) {
        self.bar.set_length(news.total as u64);
        self.bar.set_position(news.done as u64);
        if self.games > 1 {
            self.bar
                .set_message(format!("game {} of {}", news.game + 1, self.games));
        }
        self.teller
            .tell(|| format!("{} of {} positions done", news.done, news.total));
    }
}
