//! An engine that speaks CECP, the protocol of XBoard and WinBoard.

use std::time::{Duration, Instant};

use super::listener::{Features, Listener, Reply};
use super::process::{Launch, Process};
use super::{Answer, Client, ClientError, Deadline, Thought, TimeControl, Turn};
use crate::board::{Color, Game, Move};
use crate::notation::{sfen, xboard};

/// How long an engine that never says that its features are complete is waited for.
const FEATURES: Duration = Duration::from_secs(2);
/// How long an engine may take to answer that it shall move now.
const STOPPING: Duration = Duration::from_secs(1);
/// Mebibytes for an engine that takes memory, if no option says otherwise.
const MEMORY: &str = "64";

/// An engine process that speaks CECP.
pub struct CecpClient {
    process: Process,
    features: Features,
    patience: Duration,
    side: Color,
    /// The game as the engine knows it.
    known: Option<Game>,
    /// Whether the engine answers moves by itself; before its first one it only listens.
    going: bool,
    pings: u32,
}

impl CecpClient {
    /// Starts an engine and sets its options; `memory` and `cores` among them are commands of the protocol.
    ///
    /// # Errors
    ///
    /// It cannot be started, or does not answer as CECP engines do.
    pub fn start(launch: &Launch) -> Result<CecpClient, ClientError> {
        let mut process = Process::start(launch)?;
        process.send("xboard");
        process.send("protover 2");
        let mut features = Features::default();
        let mut read = |line: &str| {
            features.read(line);
            (features.done == Some(true)).then_some(())
        };
        let deadline = Deadline::new("feature done=1", FEATURES.min(launch.patience));
        let mut told = process.wait_for(&deadline, &mut read);
        if matches!(told, Err(ClientError::Hang { .. })) && launch.patience > FEATURES {
            let deadline = Deadline::new("feature done=1", launch.patience - FEATURES);
            told = process.wait_for(&deadline, &mut read);
        }
        told?;
        let of = |name: &str| {
            let mut options = launch.options.iter();
            options
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
        };
        // Before anything else: there are engines that take their memory now or never.
        if features.memory {
            process.send(&format!("memory {}", of("memory").unwrap_or(MEMORY)));
        }
        if let Some(cores) = of("cores").filter(|_| features.smp) {
            process.send(&format!("cores {cores}"));
        }
        for (name, value) in &launch.options {
            match name.as_str() {
                "memory" | "cores" => {}
                _ if value.is_empty() => process.send(&format!("option {name}")),
                _ => process.send(&format!("option {name}={value}")),
            }
        }
        let mut client = CecpClient {
            process,
            features,
            patience: launch.patience,
            side: Color::Black,
            known: None,
            going: false,
            pings: 0,
        };
        client.sync()?;
        Ok(client)
    }

    /// Waits until the engine has done everything that it was told, if it can say so.
    fn sync(&mut self) -> Result<(), ClientError> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings));
        let wanted = format!("pong {}", self.pings);
        let deadline = Deadline::new("pong", self.patience);
        self.process
            .wait_for(&deadline, |line| (line.trim() == wanted).then_some(()))?;
        Ok(())
    }

    /// Tells a move; gives what was written.
    fn tell(&mut self, game: &mut Game, m: Move) -> Result<String, ClientError> {
        let text = xboard::format_move(m, game.position());
        let word = if self.features.usermove {
            "usermove "
        } else {
            ""
        };
        self.process.send(&format!("{word}{text}"));
        let played = game.play(m);
        played.map_err(|error| ClientError::Unable(error.to_string()))?;
        Ok(text)
    }

    fn send_clocks(&mut self, turn: &Turn) {
        let (own, other) = match turn.left {
            [black, white] if self.side == Color::Black => (black, white),
            [black, white] => (white, black),
        };
        let control = turn.control();
        let own = match control.has_clock() {
            true => Some(own),
            false => control.move_time,
        };
        if let Some(own) = own {
            self.process.send(&format!("time {}", own.as_millis() / 10));
            self.process
                .send(&format!("otim {}", other.as_millis() / 10));
        }
    }

    /// Brings the engine's game up to date, which makes it think; gives the last move that it was told.
    fn ask(&mut self, turn: &Turn) -> Result<Option<String>, ClientError> {
        let mut game = match self.known.take() {
            Some(game) => game,
            None => setup(turn.game)?,
        };
        let told = game.position().made();
        let news: Vec<Move> = turn.game.moves().skip(told).collect();
        let mut last = None;
        if self.going && news.len() == 1 {
            self.send_clocks(turn);
            for m in news {
                last = Some(self.tell(&mut game, m)?);
            }
        } else {
            if self.going {
                self.process.send("force");
            }
            for m in news {
                last = Some(self.tell(&mut game, m)?);
            }
            self.send_clocks(turn);
            self.process.send("go");
            self.going = true;
        }
        self.known = Some(game);
        Ok(last)
    }
}

/// The start of a game, without its moves.
fn setup(game: &Game) -> Result<Game, ClientError> {
    Game::new(game.start().clone(), *game.position().rules()).map_err(|errors| {
        let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
        ClientError::Unable(reasons.join("; "))
    })
}

/// The commands that tell an engine what it has for its moves.
fn time_control(control: &TimeControl) -> Result<Vec<String>, ClientError> {
    let mut commands = Vec::new();
    let clock = control.main.max(control.increment);
    if !clock.is_zero() && !control.byoyomi.is_zero() {
        let text = "CECP has no byoyomi after main time";
        return Err(ClientError::Unable(text.to_owned()));
    }
    if control.nodes.is_some() {
        let text = "CECP has no limit of nodes";
        return Err(ClientError::Unable(text.to_owned()));
    }
    if !clock.is_zero() {
        let base = control.main.as_secs().max(1);
        let increment = control.increment.as_secs_f64();
        commands.push(format!(
            "level 0 {}:{:02} {increment}",
            base / 60,
            base % 60
        ));
    }
    let move_time = control
        .move_time
        .or(Some(control.byoyomi).filter(|time| !time.is_zero()));
    if let Some(time) = move_time {
        commands.push(format!("st {}", time.as_secs_f64()));
    }
    if let Some(depth) = control.depth {
        commands.push(format!("sd {depth}"));
    }
    Ok(commands)
}

impl CecpClient {
    /// What a reply is worth; `told` is the last move that the engine was told.
    fn judge(&mut self, reply: Reply, turn: &Turn, told: Option<String>) -> Answer {
        let text = match reply {
            Reply::Move(text) => text,
            Reply::Resign => return Answer::Resign,
            Reply::Claim(Some(winner), _) if winner != self.side => return Answer::Resign,
            Reply::Claim(_, text) => {
                let reason = format!("it claims `{text}`, which is not so");
                return Answer::Illegal { text, reason };
            }
            Reply::Refused(text) => {
                let told = told.unwrap_or_default();
                let reason = format!("it refuses `{told}`, which is legal: `{text}`");
                return Answer::Illegal { text, reason };
            }
        };
        match xboard::parse_move(&text, turn.game.position()) {
            Ok(m) => {
                // If repetition forbids the move, the game is over, and nobody asks again.
                if let Some(game) = &mut self.known {
                    let _ = game.play(m);
                }
                Answer::Move(m)
            }
            Err(error) => Answer::Illegal {
                reason: error.to_string(),
                text,
            },
        }
    }
}

impl Client for CecpClient {
    fn name(&self) -> Option<&str> {
        self.features.name.as_deref()
    }

    fn new_game(
        &mut self,
        start: &Game,
        side: Color,
        control: &TimeControl,
    ) -> Result<(), ClientError> {
        self.process.drain()?;
        self.side = side;
        self.going = false;
        for command in ["force", "new", "variant chu"] {
            self.process.send(command);
        }
        for command in time_control(control)? {
            self.process.send(&command);
        }
        for command in ["post", "easy", "force"] {
            self.process.send(command);
        }
        if *start.start() != sfen::start() {
            if !self.features.setboard {
                let text = "the engine knows no other start position than the usual one";
                return Err(ClientError::Unable(text.to_owned()));
            }
            let fen = xboard::format_fen(start.start());
            self.process.send(&format!("setboard {fen}"));
        }
        self.known = Some(setup(start)?);
        self.sync()
    }

    fn think(&mut self, turn: &Turn) -> Result<Thought, ClientError> {
        self.process.drain()?;
        let started = Instant::now();
        let told = self.ask(turn)?;
        let mut listener = Listener::default();
        let deadline = Deadline::new("move", turn.patience);
        let answered = match self.process.wait_for(&deadline, |line| listener.hear(line)) {
            Err(ClientError::Hang { .. }) => {
                self.process.send("?");
                let deadline = Deadline::new("move", STOPPING);
                self.process.wait_for(&deadline, |line| listener.hear(line))
            }
            answered => answered,
        };
        let (at, reply) = answered.map_err(|error| error.after(started.elapsed()))?;
        Ok(Thought {
            answer: self.judge(reply, turn, told),
            info: listener.info,
            elapsed: at.saturating_duration_since(started),
        })
    }

    fn game_over(&mut self, winner: Option<Color>) {
        let result = match winner {
            Some(Color::Black) => "1-0",
            Some(Color::White) => "0-1",
            None => "1/2-1/2",
        };
        self.process.send(&format!("result {result} {{}}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        let seconds = Duration::from_secs_f64;
        let clock = TimeControl {
            main: seconds(90.0),
            increment: seconds(0.1),
            ..TimeControl::default()
        };
        assert_eq!(time_control(&clock).unwrap(), ["level 0 1:30 0.1"]);
        let each = TimeControl {
            move_time: Some(seconds(2.0)),
            depth: Some(5),
            ..TimeControl::default()
        };
        assert_eq!(time_control(&each).unwrap(), ["st 2", "sd 5"]);
        let both = TimeControl {
            byoyomi: seconds(1.0),
            ..clock
        };
        assert!(time_control(&both).is_err());
    }
}
