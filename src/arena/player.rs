//! Players: engines in this process and in others.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::spec::{EngineSpec, Speaks};
use crate::board::{Color, Game, Rules};
use crate::engine::{ClockLimits, Engine, Event, Limits, options};
use crate::protocol::InfoLine;
use crate::protocol::client::{
    Answer, CecpClient, Client, ClientError, Interrupt, Launch, Tap, Thought, TimeControl, Turn,
    UsiClient,
};

/// How a player is brought to life.
#[derive(Clone)]
pub struct Backstage {
    /// The options of our engine that make the match's rules.
    pub rules: Vec<(String, String)>,
    /// How long a process may take to get ready.
    pub patience: Duration,
    /// Ends every wait.
    pub interrupt: Interrupt,
}

/// Starts a player.
///
/// # Errors
///
/// The process cannot be started or does not speak its protocol; an option is refused.
pub fn start(
    spec: &EngineSpec,
    backstage: &Backstage,
    tap: Option<Tap>,
) -> Result<Box<dyn Client>, ClientError> {
    let launch = |command: &[String]| Launch {
        dir: spec.dir.clone(),
        options: spec.options.clone(),
        hints: hints(&backstage.rules),
        patience: backstage.patience,
        tap,
        interrupt: backstage.interrupt.clone(),
        ..Launch::new(command.to_vec())
    };
    Ok(match &spec.speaks {
        Speaks::InProcess => Box::new(InProcess::new(spec, backstage)?),
        Speaks::Usi(command) => Box::new(UsiClient::start(&launch(command))?),
        Speaks::Cecp(command) => Box::new(CecpClient::start(&launch(command))?),
    })
}

/// What is told to engines that have such options: the game, and the rules by our names.
fn hints(rules: &[(String, String)]) -> Vec<(String, String)> {
    let variant =
        ["USI_Variant", "UCI_Variant"].map(|name| (name.to_owned(), "chushogi".to_owned()));
    variant.into_iter().chain(rules.iter().cloned()).collect()
}

/// Our engine as a player, without a process.
struct InProcess {
    engine: Engine,
    interrupt: Interrupt,
}

impl InProcess {
    fn new(spec: &EngineSpec, backstage: &Backstage) -> Result<InProcess, ClientError> {
        let mut engine = Engine::new();
        for (name, value) in backstage.rules.iter().chain(&spec.options) {
            engine
                .set_option(name, value)
                .map_err(|error| ClientError::Unable(error.to_string()))?;
        }
        engine.prepare();
        Ok(InProcess {
            engine,
            interrupt: backstage.interrupt.clone(),
        })
    }
}

fn limits(turn: &Turn) -> Limits {
    let control = turn.control();
    let clock = control.has_clock().then(|| ClockLimits {
        main: turn.left[turn.side().index()],
        increment: control.increment,
        byoyomi: control.byoyomi,
        moves_to_go: None,
    });
    Limits {
        depth: control.depth,
        nodes: control.nodes,
        move_time: control.move_time,
        clock,
        ..Limits::default()
    }
}

impl Client for InProcess {
    fn name(&self) -> Option<&str> {
        Some(crate::protocol::usi::NAME)
    }

    fn new_game(&mut self, start: &Game, _: Color, _: &TimeControl) -> Result<(), ClientError> {
        self.engine.new_game();
        self.engine.set_game(start.clone());
        Ok(())
    }

    fn think(&mut self, turn: &Turn) -> Result<Thought, ClientError> {
        let known = self.engine.game().position().made();
        let news: Vec<_> = turn.game.moves().skip(known).collect();
        for m in news {
            let played = self.engine.game_mut().play(m);
            played.map_err(|error| ClientError::Unable(error.to_string()))?;
        }
        let position = turn.game.position();
        let started = Instant::now();
        let (sender, events) = mpsc::channel();
        self.engine.go(&limits(turn), move |event| {
            let _ = sender.send((Instant::now(), event));
        });
        let (at, best) = loop {
            match events.recv_timeout(Interrupt::EVERY) {
                Ok((at, Event::Best { best, .. })) => break (at, best),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_raised() => {
                    self.engine.finish();
                    return Err(ClientError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if started.elapsed() > turn.patience => {
                    self.engine.stop();
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The search has panicked; what is left of the engine is of no use.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ClientError::Crash {
                        status: "its search panicked".to_owned(),
                    });
                }
            }
        };
        let report = self.engine.wait().unwrap_or_default();
        let info = report.lines.first().map(|line| InfoLine {
            nodes: report.nodes,
            time: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            ..InfoLine::new(line, position, 1)
        });
        Ok(Thought {
            answer: best.map_or(Answer::Resign, Answer::Move),
            info,
            elapsed: at.saturating_duration_since(started),
        })
    }

    fn game_over(&mut self, _winner: Option<Color>) {}
}

/// The rules that options of our engine make.
///
/// # Errors
///
/// There is no such option or value.
pub fn rules(options: &[(String, String)]) -> Result<Rules> {
    let mut engine = Engine::new();
    for (name, value) in options {
        engine.set_option(name, value)?;
    }
    Ok(engine.rules())
}

/// Checks that our engine has an engine's options, before anything is started.
///
/// # Errors
///
/// An option does not exist.
pub fn check_options(spec: &EngineSpec) -> Result<()> {
    if spec.speaks == Speaks::InProcess {
        let known = options::specs();
        for (name, _) in &spec.options {
            ensure!(
                known
                    .iter()
                    .any(|known| known.name.eq_ignore_ascii_case(name)),
                "engine `{}`: there is no option `{name}`",
                spec.name
            );
        }
    }
    Ok(())
}
