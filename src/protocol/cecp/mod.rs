//! The CECP front end: an engine behind XBoard, WinBoard or whatever else speaks their protocol.

mod clock;
mod command;
mod play;
mod reply;

use std::io::{self, BufRead, Write};
use std::time::Instant;

use super::debug;
use super::inbox::{Inbox, Message};
use super::log::Logged;
use super::usi::Settings;
use crate::board::{Color, Game, Illegal, Move, PlayError, Position};
use crate::engine::{Engine, Info};
use crate::notation::xboard;
use clock::Clock;

pub use command::{Command, Level};
pub use reply::{OptionFeature, Thinking};

/// The game as XBoard names it.
pub const VARIANT: &str = "chu";

/// Speaks CECP until `quit` or the end of the input. The engine answers `xboard` and `protover`, wherever they come.
///
/// # Errors
///
/// The output cannot be written.
pub fn run(
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    settings: &Settings,
) -> io::Result<()> {
    converse(engine, Inbox::new(input), Logged::new(output), settings)
}

/// Speaks CECP on streams that another front end may have read from.
pub(super) fn converse(
    engine: Engine,
    inbox: Inbox,
    output: Logged<impl Write>,
    settings: &Settings,
) -> io::Result<()> {
    let mut front = Front {
        engine,
        settings,
        output,
        inbox,
        mode: Mode::Playing(Color::White),
        clock: Clock::default(),
        searching: None,
        ponders: false,
        posts: false,
        against_engine: false,
        analyse_option: "false".to_owned(),
        hint: None,
        first_step: None,
        pings: Vec::new(),
    };
    let end = front.serve();
    front.engine.finish();
    end
}

/// What the engine does with the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// It plays neither side.
    Force,
    /// It plays this side.
    Playing(Color),
    /// It analyses whatever position there is.
    Analysing,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// The engine's move.
    Move,
    /// The engine's move after this one, which was made on the board but not yet by the opponent.
    Ponder(Move),
    /// Lines until something changes.
    Analyse,
}

struct Searching {
    number: u64,
    task: Task,
    /// The position that is searched.
    root: Position,
    /// Since when the engine's clock runs.
    since: Instant,
    /// What the search found last.
    last: Option<Info>,
}

struct Front<'a, W: Write> {
    engine: Engine,
    settings: &'a Settings,
    output: Logged<W>,
    inbox: Inbox,
    mode: Mode,
    clock: Clock,
    searching: Option<Searching>,
    ponders: bool,
    posts: bool,
    /// Whether the GUI said that the opponent is an engine.
    against_engine: bool,
    /// What `USI_AnalyseMode` was before `analyze`.
    analyse_option: String,
    /// The reply that the engine expects.
    hint: Option<Move>,
    /// The first of the two lines of a lion's move.
    first_step: Option<String>,
    /// Pings to answer after the engine's move.
    pings: Vec<String>,
}

impl<W: Write> Front<'_, W> {
    fn serve(&mut self) -> io::Result<()> {
        loop {
            let line = match self.inbox.next() {
                Message::Line(Some(line)) => line,
                Message::Line(None) => return Ok(()),
                Message::Search(number, event) => {
                    self.on_event(number, event)?;
                    continue;
                }
            };
            self.output.received(&line);
            let Ok(command) = line.parse();
            if command == Command::Quit {
                return Ok(());
            }
            self.obey(command)?;
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::ProtoVer(_) => {
                let features = reply::features(self.settings.name(), self.engine.options());
                self.output.send(&features)
            }
            Command::New => self.new_game(),
            Command::Variant(name) if name != VARIANT => {
                self.error("unsupported variant", &format!("variant {name}"))
            }
            Command::Variant(_) => self.change_game(Engine::new_game),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::UserMove(text) => self.user_move(text),
            Command::Force => self.leave_for(Mode::Force),
            Command::Result(_) => {
                self.hint = None;
                self.leave_for(Mode::Force)
            }
            Command::Go if self.is_thinking() => Ok(()),
            Command::Go => {
                self.leave_for(Mode::Playing(self.turn()))?;
                self.think()
            }
            Command::PlayOther => self.leave_for(Mode::Playing(!self.turn())),
            Command::MoveNow => {
                if self.is_thinking() {
                    self.engine.stop();
                }
                Ok(())
            }
            Command::Analyze if self.mode == Mode::Analysing => Ok(()),
            Command::Analyze => self.begin_analysis(),
            Command::Exit if self.mode == Mode::Analysing => self.leave_for(Mode::Force),
            Command::Exit => Ok(()),
            Command::Status => self.status(),
            Command::Hint => self.give_hint(),
            Command::Ping(number) if self.is_thinking() => {
                self.pings.push(number);
                Ok(())
            }
            Command::Ping(number) => self.output.send(&format!("pong {number}")),
            Command::Memory(size) => self.set_option("USI_Hash", &size.to_string()),
            Command::Cores(number) => self.set_option("Threads", &number.to_string()),
            Command::Option { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or_default())
            }
            Command::Draw => {
                let text = debug::describe(&self.position());
                self.output.send(&text)
            }
            Command::Bad(line) => self.error("bad argument", &line),
            Command::Unknown(line) => self.error("unknown command", &line),
            setting => self.set(setting),
        }
    }

    /// Obeys what only sets something for later, or nothing.
    fn set(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Level(level) => self.clock.set_level(level),
            Command::MoveTime(time) => self.clock.set_per_move(time),
            Command::Depth(depth) => self.clock.depth = Some(depth),
            Command::NodeRate(rate) => self.clock.node_rate = rate,
            Command::Time(centiseconds) => self.clock.set_left(centiseconds),
            Command::Post => self.posts = true,
            Command::NoPost => self.posts = false,
            Command::Hard => self.ponders = true,
            Command::Easy => {
                self.ponders = false;
                if self.is_pondering() {
                    self.cancel()?;
                }
            }
            Command::Computer => self.against_engine = true,
            _ => {}
        }
        Ok(())
    }

    fn error(&mut self, reason: &str, line: &str) -> io::Result<()> {
        self.output.send(&format!("Error ({reason}): {line}"))
    }

    /// The position that the other side knows of, without a move that the engine ponders on.
    fn position(&self) -> Position {
        let mut position = self.engine.game().position().clone();
        if self.is_pondering() {
            position.unmake();
        }
        position
    }

    fn turn(&self) -> Color {
        let turn = self.engine.game().position().turn();
        if self.is_pondering() { !turn } else { turn }
    }

    fn is_thinking(&self) -> bool {
        matches!(&self.searching, Some(searching) if searching.task == Task::Move)
    }

    fn is_pondering(&self) -> bool {
        matches!(&self.searching, Some(searching) if matches!(searching.task, Task::Ponder(_)))
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.clock.restart();
        self.against_engine = false;
        self.change_game(Engine::new_game)?;
        if self.mode != Mode::Analysing {
            self.mode = Mode::Playing(Color::White);
        }
        Ok(())
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        let game = xboard::parse_fen(fen)
            .map_err(|error| error.to_string())
            .and_then(|setup| {
                Game::new(setup, self.engine.rules()).map_err(|errors| {
                    let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    reasons.join("; ")
                })
            });
        match game {
            Ok(game) => self.change_game(|engine| engine.set_game(game)),
            Err(reason) => {
                let text = format!("tellusererror Illegal position: {reason}");
                self.output.send(&text)
            }
        }
    }

    fn take_back(&mut self, moves: usize, word: &str) -> io::Result<()> {
        if self.position().made() < moves {
            return self.error("no such move to take back", word);
        }
        self.change_game(|engine| {
            for _ in 0..moves {
                engine.game_mut().undo();
            }
        })
    }

    /// Stops what runs, changes the game, and goes on with an analysis. A move that the engine was thinking about is
    /// not made: it plays neither side until it is told to.
    fn change_game(&mut self, change: impl FnOnce(&mut Engine)) -> io::Result<()> {
        if self.is_thinking() {
            self.mode = Mode::Force;
        }
        self.cancel()?;
        self.first_step = None;
        self.hint = None;
        change(&mut self.engine);
        self.analyse();
        Ok(())
    }

    /// Reads a move of the other side, or the first of its two lines, and answers it.
    fn user_move(&mut self, text: String) -> io::Result<()> {
        if self.first_step.is_none() && text.ends_with(',') {
            self.first_step = Some(text);
            return Ok(());
        }
        let text = self.first_step.take().unwrap_or_default() + &text;
        if self.is_thinking() {
            return self.illegal("it is not your turn", &text);
        }
        let before = self.position();
        let m = match xboard::parse_move(&text, &before) {
            Ok(m) => m,
            Err(error) => return self.illegal(&error.to_string(), &text),
        };
        if let Some(searching) = &mut self.searching
            && let Task::Ponder(expected) = searching.task
            && before.canonical(m) == before.canonical(expected)
        {
            searching.task = Task::Move;
            searching.since = Instant::now();
            self.engine.ponderhit();
            return Ok(());
        }
        self.cancel()?;
        self.hint = None;
        match self.engine.game_mut().play(m) {
            Ok(()) => self.after_user_move(),
            // An engine would not take the move back.
            Err(PlayError {
                reason: Illegal::Repetition,
                ..
            }) if self.against_engine && matches!(self.mode, Mode::Playing(_)) => {
                let claim = reply::result(Some(!before.turn()), "forbidden repetition");
                self.output.send(&claim)
            }
            Err(error) => {
                self.analyse();
                self.illegal(&error.to_string(), &text)
            }
        }
    }

    fn after_user_move(&mut self) -> io::Result<()> {
        match self.mode {
            Mode::Force => Ok(()),
            Mode::Analysing => {
                self.analyse();
                Ok(())
            }
            Mode::Playing(side) if side == self.turn() => self.think(),
            Mode::Playing(_) => self.claim_end().map(drop),
        }
    }

    /// Refuses a move, with what is left of the reason without the move and without references.
    fn illegal(&mut self, reason: &str, text: &str) -> io::Result<()> {
        let reason = reason
            .split_once("`: ")
            .map_or(reason, |(_, reason)| reason);
        let reason = reason.split(" (").next().unwrap_or_default();
        let line = match reason.starts_with('`') {
            true => format!("Illegal move: {text}"),
            false => format!("Illegal move ({reason}): {text}"),
        };
        self.output.send(&line)
    }

    /// Claims the result of a game that is over on the board; says whether it is.
    fn claim_end(&mut self) -> io::Result<bool> {
        match reply::claim(self.engine.game().outcome()) {
            Some(claim) => {
                self.output.send(&claim)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Sets an option between two halves of whatever search runs.
    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let was_thinking = self.is_thinking();
        self.abandon();
        if let Err(error) = self.engine.set_option(name, value) {
            self.error(&error.to_string(), &format!("option {name}={value}"))?;
        }
        let log = self.engine.options().log().cloned();
        if let Err(error) = self.output.log_to(log.as_deref()) {
            self.error(&error.to_string(), &format!("option {name}={value}"))?;
        }
        if was_thinking {
            return self.think();
        }
        self.analyse();
        Ok(())
    }
}
