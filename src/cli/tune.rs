//! `tune`: numbers of an engine made better by games.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::position::RuleArgs;
use super::progress::progress;
use crate::arena::{
    Adjudication, Conduct, EngineSpec, Format, Knob, Match, Openings, RandomOpenings, Resign,
    Schedule, Setting, Shard, TunePlan, Tuning, rules,
};
use crate::protocol::client::Interrupt;
use crate::search::params;

/// Tune numbers of an engine by games against itself (SPSA).
///
/// Numbers are options of a USI engine; of this program a build with `--features tune` has every constant of the search
/// as one. Each round is a few pairs of games between two engines whose values are moved to opposite sides. Prints the values at
/// the end, or when it is interrupted; with the same arguments and `--log` it goes on from there.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  cargo run --release --features tune -- tune --rounds 2000 --nodes 5000 --concurrency 2 --log tune.jsonl
  sakijishi tune --engine 'cmd=./other --usi' --param Margin=100,50,200,10 --tc 1+0.01 --rounds 500")]
pub(super) struct Tune {
    /// The engine, as for `match`; this program if it is not given
    #[arg(long, value_name = "ITEMS")]
    engine: Option<String>,
    /// A number to tune: NAME, or NAME=START,MIN,MAX,STEP; all of this program's if none is given
    #[arg(long = "param", value_name = "PARAM")]
    params: Vec<String>,
    /// How many rounds
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rounds: usize,
    /// Pairs of games a round
    #[arg(long, value_name = "N", default_value_t = 4)]
    pairs: usize,
    /// How far values go for a game won in the last round, as a share of their steps
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    rate: f64,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, conflicts_with = "tc")]
    nodes: u64,
    /// Seconds for a game and for each move instead, as in 1+0.01
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Games side by side
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// Everything random follows from it
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Append each round to this file, and go on from what it says
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleArgs,
}

fn own_knobs() -> impl Iterator<Item = Knob> {
    params::ALL.iter().map(|param| {
        let (min, max) = (f64::from(param.min), f64::from(param.max));
        Knob {
            name: param.name.to_owned(),
            start: param.default.into(),
            min,
            max,
            step: ((max - min) / 20.0).max(0.5),
        }
    })
}

fn knob(text: &str) -> Result<Knob> {
    let Some((name, numbers)) = text.split_once('=') else {
        return own_knobs()
            .find(|knob| knob.name.eq_ignore_ascii_case(text))
            .with_context(|| {
                format!("`{text}` is no constant of the search: give NAME=START,MIN,MAX,STEP")
            });
    };
    let read = || -> Result<Vec<f64>> {
        numbers
            .split(',')
            .map(|number| Ok(number.trim().parse()?))
            .collect()
    };
    let numbers = read().with_context(|| format!("`{text}`"))?;
    let [start, min, max, step] = numbers[..] else {
        bail!("`{text}` is not NAME=START,MIN,MAX,STEP");
    };
    ensure!(
        min <= start && start <= max && step > 0.0,
        "`{text}`: it must start within its range, and have a step"
    );
    Ok(Knob {
        name: name.trim().to_owned(),
        start,
        min,
        max,
        step,
    })
}

impl Tune {
    fn plan(&self) -> Result<TunePlan> {
        let knobs: Vec<Knob> = if self.params.is_empty() {
            own_knobs().collect()
        } else {
            self.params
                .iter()
                .map(|text| knob(text))
                .collect::<Result<_>>()?
        };
        Ok(TunePlan {
            knobs,
            rounds: self.rounds,
            rate: self.rate,
            seed: self.seed,
        })
    }

    fn engine(&self) -> Result<EngineSpec> {
        let limit = match &self.tc {
            Some(tc) => format!("tc={tc}"),
            None => format!("nodes={}", self.nodes),
        };
        if let Some(engine) = &self.engine {
            return EngineSpec::parse(engine, &limit);
        }
        ensure!(
            cfg!(feature = "tune"),
            "the constants of this program are options only in a build with `--features tune`"
        );
        let own = std::env::current_exe().context("cannot find this program")?;
        let own = own.display();
        EngineSpec::parse(
            &format!("cmd='{own}' usi option.USI_Hash=16 option.Mate_Nodes=0"),
            &limit,
        )
    }

    pub(super) fn run(&self) -> Result<ExitCode> {
        let (plan, engine) = (self.plan()?, self.engine()?);
        let mut tuning = Tuning::open(plan, self.log.as_deref())?;
        let (interrupt, stop) = (Interrupt::new(), Interrupt::new());
        let on_signal = {
            let stop = stop.clone();
            let interrupt = interrupt.clone();
            move || {
                stop.raise();
                interrupt.raise();
            }
        };
        ctrlc::set_handler(on_signal).context("cannot watch for Ctrl-C")?;
        let bar = progress(Some(self.rounds as u64));
        let mut play = |up: &[Setting], down: &[Setting], round: usize| {
            let game = self.game(&engine, up, down, round, interrupt.clone())?;
            let report = game.run(&mut |_| {})?;
            let meeting = report.meetings.first().context("no games were played")?;
            Ok((!stop.is_raised()).then(|| meeting.wdl()))
        };
        bar.set_position(tuning.done() as u64);
        while let Some(round) = tuning.round(&mut play)? {
            bar.set_position(round.number as u64);
            bar.set_message(format!("last round {:+}", round.balance));
            if !io::stderr().is_terminal() && round.number % 10 == 0 {
                eprintln!("{} of {} rounds", round.number, self.rounds);
            }
        }
        bar.finish_and_clear();
        let mut out = io::stdout().lock();
        for (knob, value) in tuning.values() {
            writeln!(
                out,
                "{} = {} (was {})",
                knob.name,
                value.round(),
                knob.start
            )?;
        }
        Ok(if stop.is_raised() {
            ExitCode::from(130)
        } else {
            ExitCode::SUCCESS
        })
    }

    /// The games of a round.
    fn game(
        &self,
        engine: &EngineSpec,
        up: &[Setting],
        down: &[Setting],
        round: usize,
        interrupt: Interrupt,
    ) -> Result<Match> {
        let with = |name: &str, settings: &[Setting]| {
            let mut engine = engine.clone();
            engine.name = name.to_owned();
            let settings = settings.iter();
            engine
                .options
                .extend(settings.map(|(name, value)| (name.clone(), value.to_string())));
            engine
        };
        let mut options = vec![("Rules".to_owned(), self.rules.rules.word().to_owned())];
        options.extend(self.rules.options.iter().cloned());
        let openings = RandomOpenings {
            plies: 8..=12,
            seed: self.seed.wrapping_add((round as u64) << 20),
            balance: 150,
            rules: rules(&options)?,
            options: options.clone(),
            known: Default::default(),
        };
        let engines = vec![with("up", up), with("down", down)];
        Ok(Match {
            schedule: Schedule {
                engines: engines.len(),
                format: Format::RoundRobin,
                games: 2 * self.pairs,
                swap: true,
            },
            engines,
            shard: Shard::WHOLE,
            rules: options,
            openings: Openings::Random(Box::new(openings)),
            conditions: Vec::new(),
            conduct: Conduct {
                margin: Duration::from_millis(50),
                patience: Duration::from_secs(60),
                adjudication: Adjudication {
                    resign: Some(Resign {
                        score: 2_000,
                        moves: 4,
                        one_sided: false,
                    }),
                    ..Adjudication::default()
                },
            },
            sprt: None,
            concurrency: self.concurrency,
            patience: Duration::from_secs(10),
            out: None,
            resume: false,
            log: None,
            interrupt,
        })
    }
}
