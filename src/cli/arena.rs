//! `match` and `match-report`: games between engines.

use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;

use super::position::RuleArgs;
use super::progress::progress;
use crate::arena::stats::{Model, Sprt};
use crate::arena::{
    Adjudication, Conduct, Draw, Format, GameRecord, GameResult, Match, News, Openings,
    RandomOpenings, Report, Resign, Schedule, Shard, parse_all, read, rules,
};
use crate::protocol::client::Interrupt;

/// Play games between engines.
///
/// An engine is `self` (this program, without a process) or `cmd=PROGRAM ARGUMENTS`, followed by any of: `proto=usi|cecp`,
/// `name=TEXT`, `dir=PATH`, `option.NAME=VALUE`, and what it has for its moves: `tc=BASE+INCREMENT` (seconds), `byoyomi=SECONDS`,
/// `movetime=SECONDS`, `nodes=N`, `depth=PLIES`. Values may have blanks.
///
/// The rules core of this program is the referee. Games are appended to the result file as they end; the report goes to standard
/// output. The exit status is 130 if the match was interrupted.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi match --engine 'self name=new' --engine 'cmd=./old usi name=old' \\
      --each 'nodes=2000 option.USI_Hash=16' --games 400 --concurrency 2 --out new-old.jsonl
  sakijishi match --engine self --engine 'cmd=stdbuf -oL hachu proto=cecp' \\
      --each tc=10+0.1 --rules lishogi --games 200 --out hachu.jsonl --resume
  sakijishi match … --games 20000 --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05
  parallel sakijishi match … --games 400 --shard {}/4 --out part{}.jsonl ::: 1 2 3 4
  sakijishi match-report part*.jsonl")]
pub(super) struct MatchArgs {
    /// An engine; give it for each
    #[arg(long = "engine", value_name = "ITEMS", required = true)]
    engines: Vec<String>,
    /// Items for every engine; limits hold for engines that have none of their own
    #[arg(long, value_name = "ITEMS", default_value = "")]
    each: String,
    /// Games of each two engines that meet
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// The first engine plays all others, who do not meet
    #[arg(long)]
    gauntlet: bool,
    /// Games side by side
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    /// By how many ms a clock may be overstepped
    #[arg(long, value_name = "MS", default_value_t = 50)]
    time_margin: u64,
    /// Seconds after which a player without a clock is taken to hang
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    hang: u64,
    /// Seconds that an engine may take to get ready
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    start_time: u64,
    #[command(flatten)]
    ends: EndArgs,
    /// End the match when this test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05; model=logistic for other than normalised Elo
    #[arg(long, value_name = "TEST", value_parser = sprt)]
    sprt: Option<Sprt>,
    /// Append each finished game to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the match in the file: finished games are not played again
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only this part of the schedule, as in 2/8
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Append everything that is said to and by engine processes to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct OpeningArgs {
    /// A file of openings, one position or game a line
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Play the file's openings in a random order
    #[arg(long, requires = "openings")]
    shuffle: bool,
    /// Random openings of so many moves
    #[arg(long, value_name = "A-B", default_value = "8-12", value_parser = plies, conflicts_with = "openings")]
    random_plies: RangeInclusive<usize>,
    /// A short search must find random openings within so many centipawns
    #[arg(long, value_name = "CP", default_value_t = 150)]
    balance: i32,
    /// What random openings are made from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play each opening once, with colours alternating, instead of twice with colours swapped
    #[arg(long)]
    no_swap: bool,
}

#[derive(Args, Debug)]
struct EndArgs {
    /// A game whose moves have taken so many minutes together is decided by points
    #[arg(long, value_name = "MINUTES")]
    game_minutes: Option<f64>,
    /// End decided games: score=1500,moves=4, when both sides agree; or score=…,moves=…,one-sided
    #[arg(long, value_name = "WHEN", value_parser = resign)]
    resign: Option<Resign>,
    /// End drawn games: score=20,moves=10,from=200
    #[arg(long, value_name = "WHEN", value_parser = draw)]
    draw: Option<Draw>,
    /// A game of so many plies is a draw
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<usize>,
}

/// Put result files together into one report.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  sakijishi match-report shard-*.jsonl --json | jq .meetings[0].strength
  sakijishi match-report games.jsonl --games | sakijishi convert --to pgn")]
pub(super) struct ReportArgs {
    /// Result files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say where this test stands
    #[arg(long, value_name = "TEST", value_parser = sprt)]
    sprt: Option<Sprt>,
    /// Print the games instead, one a line, as USI writes them
    #[arg(long, conflicts_with_all = ["sprt", "json"])]
    games: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Splits `name=value,…` into pairs, and gives each to `set`.
fn settings(text: &str, mut set: impl FnMut(&str, &str) -> Result<()>) -> Result<()> {
    for item in text.split(',').filter(|item| !item.is_empty()) {
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        set(name.trim(), value.trim()).with_context(|| format!("`{item}`"))?;
    }
    Ok(())
}

fn sprt(text: &str) -> Result<Sprt> {
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalised,
    };
    settings(text, |name, value| {
        match name {
            "elo0" => sprt.elo0 = value.parse()?,
            "elo1" => sprt.elo1 = value.parse()?,
            "alpha" => sprt.alpha = value.parse()?,
            "beta" => sprt.beta = value.parse()?,
            "model" => {
                sprt.model = match value {
                    "normalised" | "normalized" => Model::Normalised,
                    "logistic" => Model::Logistic,
                    _ => bail!("models are normalised and logistic"),
                }
            }
            _ => bail!("a test has elo0, elo1, alpha, beta and model"),
        }
        Ok(())
    })?;
    ensure!(sprt.elo0 < sprt.elo1, "elo0 must be less than elo1");
    let chances = [sprt.alpha, sprt.beta];
    ensure!(
        chances.iter().all(|chance| (1e-9..0.5).contains(chance)),
        "alpha and beta lie between 0 and 0.5"
    );
    Ok(sprt)
}

fn resign(text: &str) -> Result<Resign> {
    let mut resign = Resign {
        score: 1_500,
        moves: 4,
        one_sided: false,
    };
    settings(text, |name, value| {
        match name {
            "score" => resign.score = value.parse()?,
            "moves" => resign.moves = value.parse()?,
            "one-sided" => resign.one_sided = true,
            _ => bail!("resigning has score, moves and one-sided"),
        }
        Ok(())
    })?;
    Ok(resign)
}

fn draw(text: &str) -> Result<Draw> {
    let mut draw = Draw {
        score: 20,
        moves: 10,
        from: 200,
    };
    settings(text, |name, value| {
        match name {
            "score" => draw.score = value.parse()?,
            "moves" => draw.moves = value.parse()?,
            "from" => draw.from = value.parse()?,
            _ => bail!("a draw has score, moves and from"),
        }
        Ok(())
    })?;
    Ok(draw)
}

fn plies(text: &str) -> Result<RangeInclusive<usize>> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let range = from.trim().parse()?..=to.trim().parse()?;
    ensure!(!range.is_empty(), "`{text}` is no range");
    Ok(range)
}

impl OpeningArgs {
    fn make(&self, options: &[(String, String)]) -> Result<(Openings, String)> {
        let rules = rules(options)?;
        let Some(path) = &self.openings else {
            let random = RandomOpenings {
                plies: self.random_plies.clone(),
                seed: self.seed,
                balance: self.balance,
                rules,
                options: options.to_vec(),
                known: Default::default(),
            };
            let (plies, balance, seed) = (&self.random_plies, self.balance, self.seed);
            let text = format!("{plies:?} random plies within {balance}, seed {seed}");
            return Ok((Openings::Random(Box::new(random)), text));
        };
        let seed = self.shuffle.then_some(self.seed);
        let text = format!("openings from {}, shuffled {seed:?}", path.display());
        Ok((Openings::read(path, rules, seed)?, text))
    }
}

impl EndArgs {
    fn adjudication(&self) -> Result<Adjudication> {
        let minutes = self.game_minutes.map(|minutes| minutes * 60.0);
        Ok(Adjudication {
            resign: self.resign,
            draw: self.draw,
            max_plies: self.max_plies,
            game_time: minutes
                .map(Duration::try_from_secs_f64)
                .transpose()
                .context("--game-minutes")?,
        })
    }
}

impl MatchArgs {
    fn plan(&self, interrupt: Interrupt) -> Result<Match> {
        let engines = parse_all(&self.engines, &self.each)?;
        ensure!(engines.len() >= 2, "a match needs two engines");
        let mut options = vec![("Rules".to_owned(), self.rules.rules.word().to_owned())];
        options.extend(self.rules.options.iter().cloned());
        let (openings, conditions) = self.openings.make(&options)?;
        Ok(Match {
            schedule: Schedule {
                engines: engines.len(),
                format: if self.gauntlet {
                    Format::Gauntlet
                } else {
                    Format::RoundRobin
                },
                games: self.games,
                swap: !self.openings.no_swap,
            },
            engines,
            shard: self.shard,
            rules: options,
            openings,
            conditions: vec![conditions],
            conduct: Conduct {
                margin: Duration::from_millis(self.time_margin),
                patience: Duration::from_secs(self.hang),
                adjudication: self.ends.adjudication()?,
            },
            sprt: self.sprt,
            concurrency: self.concurrency,
            patience: Duration::from_secs(self.start_time),
            out: self.out.clone(),
            resume: self.resume,
            log: self.log.clone(),
            interrupt,
        })
    }

    pub(super) fn run(&self) -> Result<ExitCode> {
        let (interrupt, asked) = (Interrupt::new(), Interrupt::new());
        let game = self.plan(interrupt.clone())?;
        let on_signal = {
            let asked = asked.clone();
            move || {
                asked.raise();
                interrupt.raise();
            }
        };
        ctrlc::set_handler(on_signal).context("cannot watch for Ctrl-C")?;
        let mut display = Display::new();
        let report = game.run(&mut |news| display.show(&news))?;
        display.bar.finish_and_clear();
        print(&report, self.json)?;
        Ok(if asked.is_raised() {
            ExitCode::from(130)
        } else {
            ExitCode::SUCCESS
        })
    }
}

impl ReportArgs {
    pub(super) fn run(&self) -> Result<()> {
        let results = read(&self.files)?;
        if self.games {
            let lines: String = results.games().map(|game| game.line() + "\n").collect();
            write!(io::stdout(), "{lines}")?;
            return Ok(());
        }
        let mut report = Report::of(&results);
        report.sprt = self.sprt;
        print(&report, self.json)
    }
}

fn print(report: &Report, json: bool) -> Result<()> {
    let text = if json {
        serde_json::to_string(&report.json())?
    } else {
        report.to_string()
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}

/// How often a match that nobody watches on a terminal says where it stands.
const SAY_EVERY: Duration = Duration::from_secs(5);

/// A bar with the running score on a terminal, now and then a line elsewhere; what went wrong always gets a line.
struct Display {
    bar: ProgressBar,
    is_terminal: bool,
    said: Option<Instant>,
    games: usize,
}

impl Display {
    fn new() -> Display {
        Display {
            bar: progress(Some(0)),
            is_terminal: io::stderr().is_terminal(),
            said: None,
            games: 0,
        }
    }

    fn show(&mut self, news: &News) {
        match news {
            News::Begin {
                games,
                known,
                report,
            } => {
                self.games = *games;
                self.bar.set_length(*games as u64);
                self.bar.set_position(*known as u64);
                if *known > 0 {
                    self.say(&format!("{known} of {games} games are finished already"));
                    self.bar.set_message(report.running());
                }
            }
            News::Game { game, report } => {
                if let Some(detail) = &game.detail {
                    self.say(&fault_line(game, detail));
                }
                self.bar.set_position(report.games());
                self.bar.set_message(report.running());
                let is_last = report.games() as usize >= self.games;
                let is_due = self.said.is_none_or(|said| said.elapsed() > SAY_EVERY);
                if !self.is_terminal && (is_due || is_last) {
                    self.said = Some(Instant::now());
                    let (played, games) = (report.games(), self.games);
                    self.say(&format!("{played}/{games} {}", report.running()));
                }
            }
        }
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }
}

fn fault_line(game: &GameRecord, detail: &str) -> String {
    let (loser, side) = match game.result {
        GameResult::White => (&game.black, "Black"),
        _ => (&game.white, "White"),
    };
    let (number, reason, ply) = (game.number, &game.reason, game.moves.len() + 1);
    format!("game {number}: {loser} ({side}) loses at ply {ply}: {reason}: {detail}")
}
