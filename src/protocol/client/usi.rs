//! An engine that speaks USI.

use std::time::{Duration, Instant};

use super::process::{Launch, Process};
use super::{Answer, Client, ClientError, Deadline, Thought, TimeControl, Turn};
use crate::board::{Color, Game};
use crate::notation::usi;
use crate::protocol::command::{Command, Go, PositionText};
use crate::protocol::{Bestmove, InfoLine};

/// How long an engine may take to answer `stop`.
const STOPPING: Duration = Duration::from_secs(1);

/// An engine process that speaks USI.
pub struct UsiClient {
    process: Process,
    name: Option<String>,
    patience: Duration,
    side: Color,
}

impl UsiClient {
    /// Starts an engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// It cannot be started, or does not answer as USI engines do.
    pub fn start(launch: &Launch) -> Result<UsiClient, ClientError> {
        let mut process = Process::start(launch)?;
        process.send(&Command::Usi.to_string());
        let (mut name, mut known) = (None, Vec::new());
        let deadline = Deadline::new("usiok", launch.patience);
        process.wait_for(&deadline, |line| {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix("id name ") {
                name = Some(rest.trim().to_owned());
            } else if let Some(rest) = line.strip_prefix("option name ") {
                let option = rest.split(" type ").next().unwrap_or(rest).trim();
                known.push(option.to_ascii_lowercase());
            }
            (line == "usiok").then_some(())
        })?;
        let hints = launch
            .hints
            .iter()
            .filter(|(name, _)| known.contains(&name.to_ascii_lowercase()));
        for (name, value) in hints.chain(&launch.options) {
            let (name, value) = (name.clone(), value.clone());
            process.send(&Command::SetOption { name, value }.to_string());
        }
        let mut client = UsiClient {
            process,
            name,
            patience: launch.patience,
            side: Color::Black,
        };
        client.ready()?;
        Ok(client)
    }

    fn ready(&mut self) -> Result<(), ClientError> {
        self.process.send(&Command::IsReady.to_string());
        let deadline = Deadline::new("readyok", self.patience);
        self.process
            .wait_for(&deadline, |line| (line.trim() == "readyok").then_some(()))?;
        Ok(())
    }
}

/// What to tell an engine about the limits of a turn.
fn go(turn: &Turn) -> Go {
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let control = turn.control();
    let mut go = Go {
        move_time: control.move_time.map(ms),
        nodes: control.nodes.map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
        depth: control.depth.map(i64::from),
        ..Go::default()
    };
    if control.has_clock() {
        go.time = turn.left.map(|left| Some(ms(left)));
        let increments = turn.controls.map(|control| control.increment);
        if increments.iter().any(|increment| !increment.is_zero()) {
            go.increment = increments.map(|increment| Some(ms(increment)));
        }
        if !control.byoyomi.is_zero() {
            go.byoyomi = Some(ms(control.byoyomi));
        }
    }
    if go == Go::default() {
        go.infinite = true;
    }
    go
}

impl Client for UsiClient {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn new_game(
        &mut self,
        _start: &Game,
        side: Color,
        _control: &TimeControl,
    ) -> Result<(), ClientError> {
        self.process.drain()?;
        self.side = side;
        self.process.send(&Command::UsiNewGame.to_string());
        self.ready()
    }

    fn think(&mut self, turn: &Turn) -> Result<Thought, ClientError> {
        self.process.drain()?;
        let position = PositionText(turn.line.to_owned());
        let go = Command::Go(Box::new(go(turn))).to_string();
        let started = Instant::now();
        self.process.send(&Command::Position(position).to_string());
        self.process.send(&go);
        let mut info = None;
        let mut answer = |line: &str| {
            if let Ok(best) = line.parse::<Bestmove>() {
                return Some(best);
            }
            // Other lines of a multi-PV search are of lesser moves.
            if let Ok(line) = line.parse::<InfoLine>()
                && line.multi_pv.unwrap_or(1) == 1
            {
                info = Some(line);
            }
            None
        };
        let deadline = Deadline::new("bestmove", turn.patience);
        let answered = match self.process.wait_for(&deadline, &mut answer) {
            Err(ClientError::Hang { .. }) => {
                self.process.send(&Command::Stop.to_string());
                let deadline = Deadline::new("bestmove", STOPPING);
                self.process.wait_for(&deadline, &mut answer)
            }
            answered => answered,
        };
        let (at, best) = answered.map_err(|error| error.after(started.elapsed()))?;
        let answer = match best.best {
            None => Answer::Resign,
            Some(text) => match usi::parse(&text, turn.game.position()) {
                Ok(m) => Answer::Move(m),
                Err(error) => Answer::Illegal {
                    reason: error.to_string(),
                    text,
                },
            },
        };
        Ok(Thought {
            answer,
            info,
            elapsed: at.saturating_duration_since(started),
        })
    }

    fn game_over(&mut self, winner: Option<Color>) {
        let word = match winner {
            Some(winner) if winner == self.side => "win",
            Some(_) => "lose",
            None => "draw",
        };
        self.process.send(&format!("gameover {word}"));
    }
}
