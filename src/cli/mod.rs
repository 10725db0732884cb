//! The command line: each subcommand is one call into another room.

mod analyse;
mod arena;
mod convert;
mod data;
mod files;
mod games;
mod mate;
mod net;
mod position;
mod progress;
mod show;
mod train;
mod tune;

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use crate::board;
use crate::engine::{self, Cutoffs, Engine};
use crate::notation::usi;
use crate::protocol::{self, usi::Settings};
use analyse::Analyse;
use arena::{MatchArgs, ReportArgs};
use convert::Convert;
use data::Data;
use mate::Mate;
use position::{PositionArgs, RuleArgs};
use show::Show;
use train::{SelfPlay, Train};
use tune::Tune;

/// A chu shogi (中将棋) engine: plays and analyses over USI and CECP, counts moves, draws boards.
///
/// Without a subcommand it speaks USI on standard input and output, or CECP if the first line is `xboard`.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
    #[command(flatten)]
    front: FrontArgs,
}

const EXAMPLES: &str = "Examples:
  sakijishi                                        speak USI with a GUI
  sakijishi xboard                                 speak CECP with XBoard or WinBoard
  sakijishi analyse startpos --movetime 2000       analyse the start position for 2 s
  sakijishi analyse --json < positions.txt         one JSON object for each line
  sakijishi mate problems.txt                      solve mate problems, one a line
  sakijishi analyse game.kif --html report.html    analyse a whole game, for a browser
  sakijishi convert game.kif --to pgn              convert a game record
  sakijishi show 3-lions --style kanji             draw a handicap position
  sakijishi show startpos --png board.png          draw a picture
  sakijishi moves --rules lishogi --sfen '…'       list the legal moves
  sakijishi perft 4                                count the leaves of the move tree";

#[derive(Subcommand, Debug)]
enum Task {
    /// Speak USI on standard input and output (what happens without a subcommand too)
    Usi(FrontArgs),
    /// Speak CECP, the protocol of XBoard and WinBoard
    Xboard(FrontArgs),
    /// Analyse positions, one from the command line or one a line from standard input, or files of whole games
    Analyse(Box<Analyse>),
    /// Solve mate problems
    Mate(Box<Mate>),
    /// Convert game records: KIF, PGN, USI and ChuShogiLite lines; to JSON and text too
    Convert(Box<Convert>),
    /// Play games between engines
    Match(Box<MatchArgs>),
    /// Put result files of matches together into one report
    MatchReport(ReportArgs),
    /// Draw a position, in the terminal or as a picture
    Show(Box<Show>),
    /// List the legal moves of a position
    Moves(Moves),
    /// Count the leaves of the move tree
    Perft(Perft),
    /// Search a fixed set of positions; prints the node count that is the signature of the search
    Bench(Bench),
    /// Play games of the engine against itself, to learn from
    Selfplay(SelfPlay),
    /// Look into files of self-play games, check them, put them together
    Data(Data),
    /// Learn an evaluation from games
    Train(Train),
    /// Tune numbers of an engine by games
    Tune(Box<Tune>),
}

#[derive(Args, Debug)]
struct FrontArgs {
    /// The name to introduce the engine by, for clients that accept only certain names
    #[arg(long, value_name = "TEXT", env = "SAKIJISHI_ID_NAME")]
    id_name: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi moves                                  of the start position
  sakijishi moves startpos moves 7j7h 6c7e --all   with every spelling of lion moves
  sakijishi moves --game --rules renmei < game     those that repetition allows")]
struct Moves {
    #[command(flatten)]
    position: PositionArgs,
    /// Every accepted spelling of every move
    #[arg(long, conflicts_with = "game")]
    all: bool,
    /// Only moves that may be played now: repetition heeded, none once the game is over
    #[arg(long)]
    game: bool,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi perft 4
  sakijishi perft 3 --divide --sfen '…'")]
struct Perft {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// A line for each move, too
    #[arg(long)]
    divide: bool,
}

#[derive(Args, Debug)]
struct Bench {
    /// Plies, if not those of the signature
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Print how often the first move refuted a node, too
    #[arg(long)]
    stats: bool,
}

/// Runs the program; gives its exit status: 0, or 2 with a message on standard error.
pub fn main() -> ExitCode {
    match run_task(Cli::parse()) {
        Ok(status) => status,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run_task(cli: Cli) -> Result<ExitCode> {
    match cli.command {
        None => speak(Protocol::Usi, &cli.front)?,
        Some(Task::Usi(args)) => speak(Protocol::Usi, &args)?,
        Some(Task::Xboard(args)) => speak(Protocol::Cecp, &args)?,
        Some(Task::Analyse(task)) => return task.run(),
        Some(Task::Mate(task)) => return task.run(),
        Some(Task::Convert(task)) => return task.run(),
        Some(Task::Match(task)) => return task.run(),
        Some(Task::MatchReport(task)) => task.run()?,
        Some(Task::Show(task)) => task.run()?,
        Some(Task::Moves(task)) => list_moves(&task)?,
        Some(Task::Perft(task)) => count(&task)?,
        Some(Task::Bench(task)) => bench(&task)?,
        Some(Task::Selfplay(task)) => task.run()?,
        Some(Task::Data(task)) => task.run()?,
        Some(Task::Train(task)) => task.run()?,
        Some(Task::Tune(task)) => return task.run(),
    }
    Ok(ExitCode::SUCCESS)
}

/// What to begin a conversation in.
enum Protocol {
    Usi,
    Cecp,
}

fn speak(protocol: Protocol, args: &FrontArgs) -> Result<()> {
    let engine = args.rules.engine()?;
    let settings = Settings {
        id_name: args.id_name.clone(),
    };
    let input = BufReader::new(io::stdin());
    let output = io::stdout().lock();
    match protocol {
        Protocol::Usi => protocol::usi::run(engine, input, output, &settings),
        Protocol::Cecp => protocol::cecp::run(engine, input, output, &settings),
    }
    .context("cannot write")
}

fn list_moves(args: &Moves) -> Result<()> {
    let game = args.position.game()?;
    let position = game.position();
    let moves = if args.game {
        position.game_moves()
    } else {
        position.moves()
    };
    let texts: Vec<String> = if args.all {
        moves
            .iter()
            .flat_map(|&m| usi::spellings(m, position))
            .collect()
    } else {
        moves.iter().map(|&m| usi::format(m, position)).collect()
    };
    let text = if args.json {
        serde_json::to_string(&texts)?
    } else {
        texts.join("\n")
    };
    if !text.is_empty() {
        writeln!(io::stdout(), "{text}")?;
    }
    Ok(())
}

fn count(args: &Perft) -> Result<()> {
    let mut position = args.position.game()?.position().clone();
    let mut out = io::stdout().lock();
    let start = std::time::Instant::now();
    let leaves = if args.divide {
        let shares: Vec<_> = board::divide(&mut position, args.depth).collect();
        for (m, leaves) in &shares {
            writeln!(out, "{}: {leaves}", usi::format(*m, &position))?;
        }
        shares.iter().map(|(_, leaves)| leaves).sum()
    } else {
        board::perft(&mut position, args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{leaves}")?;
    eprintln!(
        "{seconds:.3} s, {:.1} M leaves/s",
        leaves as f64 / seconds.max(1e-9) / 1e6
    );
    Ok(())
}

fn bench(args: &Bench) -> Result<()> {
    let bar = progress::progress(Some(0));
    let result = engine::bench(args.depth, |done, total| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    writeln!(out, "{} nodes {} nps", result.nodes, result.nps())?;
    if args.stats {
        let Cutoffs { all, first } = result.cutoffs;
        let rate = 100.0 * result.cutoffs.first_rate();
        writeln!(
            out,
            "{all} nodes refuted at depth 3 and more, {first} by the first move ({rate:.1} %)"
        )?;
    }
    Ok(())
}

/// An engine with these options set.
fn engine_with<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Engine> {
    let mut engine = Engine::new();
    for (name, value) in options {
        engine.set_option(name, value)?;
    }
    Ok(engine)
}
