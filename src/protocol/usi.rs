//! The USI front end: an engine behind a stream of commands.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use super::cecp;
use super::checkmate::{self, Checkmate};
use super::command::{Command, DEBUG_WORDS, Go, MateTime, PositionText};
use super::debug;
use super::inbox::{Inbox, Message};
use super::log::Logged;
use super::reply::{Bestmove, InfoLine, OptionLine};
use crate::board::{Game, Move, Position};
use crate::engine::score::mate_distance;
use crate::engine::{Engine, Event, MateLimits, finished_score, options};
use crate::notation::record::{self, GameError, Record};
use crate::notation::usi;

/// What the engine calls itself.
pub const NAME: &str = concat!("sakijishi ", env!("CARGO_PKG_VERSION"));
/// Who wrote it.
pub const AUTHOR: &str = "the sakijishi authors";

/// What a front end is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The name to introduce the engine by instead of its own.
    pub id_name: Option<String>,
}

impl Settings {
    /// The name to introduce the engine by.
    pub fn name(&self) -> &str {
        self.id_name.as_deref().unwrap_or(NAME)
    }
}

/// Why the conversation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// `quit`, or the end of the input.
    Quit,
    /// The first line asked for CECP.
    XBoard,
}

/// Speaks USI until `quit` or the end of the input; CECP, if that is what the first line asks for.
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
    let mut front = Front {
        engine,
        settings,
        output: Logged::new(output),
        inbox: Inbox::new(input),
        searching: None,
        record: None,
        refused_variant: false,
    };
    let end = front.serve();
    front.engine.finish();
    match end? {
        End::Quit => Ok(()),
        End::XBoard => cecp::converse(front.engine, front.inbox, front.output, settings),
    }
}

/// A search whose best move is still owed.
struct Searching {
    number: u64,
    position: Position,
    lines: usize,
}

struct Front<'a, W: Write> {
    engine: Engine,
    settings: &'a Settings,
    output: Logged<W>,
    inbox: Inbox,
    searching: Option<Searching>,
    /// The last game that was set, to see whether the next one goes on from it.
    record: Option<Record>,
    /// Whether the last position was one of another game than chu shogi.
    refused_variant: bool,
}

impl<W: Write> Front<'_, W> {
    fn serve(&mut self) -> io::Result<End> {
        let mut first = true;
        loop {
            let line = match self.inbox.next() {
                Message::Line(line) => line,
                Message::Search(number, event) => {
                    self.on_event(number, event)?;
                    continue;
                }
            };
            let Some(line) = line else {
                self.end_search()?;
                return Ok(End::Quit);
            };
            self.output.received(&line);
            let Ok(command) = line.parse();
            match command {
                Command::Quit => {
                    self.end_search()?;
                    return Ok(End::Quit);
                }
                Command::XBoard if first => return Ok(End::XBoard),
                command => self.obey(command)?,
            }
            first = false;
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Empty | Command::Quit => Ok(()),
            Command::Usi => self.introduce(),
            Command::IsReady => {
                self.engine.prepare();
                self.output.send("readyok")
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::UsiNewGame => {
                self.end_search()?;
                self.engine.new_game();
                self.record = None;
                self.refused_variant = false;
                Ok(())
            }
            Command::Position(text) => {
                self.end_search()?;
                self.set_position(&text)
            }
            Command::Go(go) => {
                self.end_search()?;
                self.go(&go)
            }
            Command::Stop | Command::GameOver => self.end_search(),
            Command::PonderHit => {
                self.engine.ponderhit();
                Ok(())
            }
            Command::GoPerft(depth) => {
                self.end_search()?;
                let text = debug::divide(self.engine.game().position(), depth.as_deref());
                self.output.send(&text)
            }
            Command::XBoard => self.note("xboard is understood as the first line only"),
            Command::Debug { word, rest } => self.debug(&word, &rest),
            Command::Unknown(line) => self.note(&format!("unknown command `{line}`; try help")),
        }
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.output.send(&format!("info string {text}"))
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = self.settings.name();
        let mut text = format!("id name {name}\nid author {AUTHOR}\n");
        for mut spec in options::specs() {
            // What was set on the command line is the default of this session.
            if spec.name == "Rules"
                && let options::Sort::Combo { default, choices } = &mut spec.sort
            {
                let rules = self.engine.options().get("Rules");
                let set = choices
                    .iter()
                    .find(|choice| rules.as_deref() == Some(**choice));
                *default = set.unwrap_or(default);
            }
            text.push_str(&format!("{}\n", OptionLine(spec)));
        }
        text.push_str("usiok");
        self.output.send(&text)
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if let Err(error) = self.engine.set_option(name, value) {
            self.note(&error.to_string())?;
        }
        let log = self.engine.options().log().cloned();
        if let Err(error) = self.output.log_to(log.as_deref()) {
            self.note(&format!("option Debug_Log_File: `{value}`: {error}"))?;
        }
        Ok(())
    }

    fn set_position(&mut self, text: &PositionText) -> io::Result<()> {
        self.refused_variant = false;
        match self.play_record(&text.0) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.refused_variant =
                    matches!(&error, GameError::Sfen(error) if error.is_other_variant());
                self.note(&format!("{error}; the position is unchanged"))
            }
        }
    }

    /// Sets the game, from the last one if the new one goes on from it.
    fn play_record(&mut self, text: &str) -> Result<(), GameError> {
        let new = record::parse(text)?;
        let rules = self.engine.rules();
        let known = self.record.take().filter(|known| {
            known.start == new.start
                && new.moves.starts_with(&known.moves)
                && *self.engine.game().position().rules() == rules
                && self.engine.game().position().made() == known.moves.len()
        });
        let Some(known) = known else {
            self.engine.set_game(new.play(rules)?);
            self.record = Some(new);
            return Ok(());
        };
        let before = known.moves.len();
        for text in new.moves.iter().skip(before) {
            if let Err(error) = record::play(self.engine.game_mut(), text) {
                while self.engine.game().position().made() > before {
                    self.engine.game_mut().undo();
                }
                self.record = Some(known);
                return Err(error);
            }
        }
        self.record = Some(new);
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        for word in &go.ignored {
            self.note(&format!("go: `{word}` makes no sense and is ignored"))?;
        }
        if self.refused_variant {
            self.note("the last position was not one of chu shogi")?;
            if go.mate.is_some() {
                return self.output.send(&Checkmate::Timeout.to_string());
            }
            return self.output.send(
                &Bestmove {
                    best: None,
                    ponder: None,
                }
                .to_string(),
            );
        }
        if let Some(time) = go.mate {
            return self.go_mate(time, go);
        }
        let position = self.engine.game().position().clone();
        let mut limits = go.limits(position.turn());
        for text in &go.search_moves {
            match usi::parse(text, &position) {
                Ok(m) => limits.search_moves.push(m),
                Err(error) => self.note(&format!("go searchmoves: {error}"))?,
            }
        }
        let lines = self.engine.options().multi_pv;
        let number = self.inbox.search(&mut self.engine, &limits);
        self.searching = Some(Searching {
            number,
            position,
            lines,
        });
        Ok(())
    }

    fn go_mate(&mut self, time: MateTime, go: &Go) -> io::Result<()> {
        if !go.search_moves.is_empty() {
            self.note("go mate looks at all moves; searchmoves is ignored")?;
        }
        let limits = MateLimits {
            time: match time {
                MateTime::Infinite => None,
                MateTime::Milliseconds(ms) => Some(Duration::from_millis(ms.max(0) as u64)),
            },
            nodes: go.nodes.map(|nodes| nodes.max(0) as u64),
        };
        match self.inbox.solve(&mut self.engine, limits) {
            Ok(number) => {
                self.searching = Some(Searching {
                    number,
                    position: self.engine.game().position().clone(),
                    lines: 1,
                });
                Ok(())
            }
            Err(error) => {
                self.note(&format!("go mate: {error}"))?;
                self.output.send(&Checkmate::Timeout.to_string())
            }
        }
    }

    fn on_event(&mut self, number: u64, event: Event) -> io::Result<()> {
        let Some(searching) = &self.searching else {
            return Ok(());
        };
        if searching.number != number {
            return Ok(());
        }
        match event {
            Event::Info(info) => {
                let line = InfoLine::new(&info, &searching.position, searching.lines);
                self.output.send(&line.to_string())
            }
            Event::Best { best, ponder } => self.on_best(best, ponder),
            Event::Solving(progress) => self.output.send(&checkmate::progress_line(&progress)),
            Event::Solved(answer) => {
                let line = Checkmate::new(&answer.verdict, &searching.position);
                self.searching = None;
                self.engine.wait();
                self.output.send(&line.to_string())
            }
        }
    }

    fn on_best(&mut self, best: Option<Move>, ponder: Option<Move>) -> io::Result<()> {
        let Some(Searching { position, .. }) = self.searching.take() else {
            return Ok(());
        };
        self.engine.wait();
        let outcome = position.outcome();
        if best.is_none() && outcome.is_over() {
            let score = finished_score(&position, outcome);
            debug_assert!(outcome.winner().is_none() || mate_distance(score) == Some(0));
            self.note(&format!("the game is over: {outcome}"))?;
            self.output.send(
                &InfoLine {
                    score,
                    ..InfoLine::default()
                }
                .to_string(),
            )?;
        }
        let line = usi::format_line(&position, best.into_iter().chain(ponder));
        let mut line = line.into_iter();
        let best = Bestmove {
            best: line.next(),
            ponder: line.next(),
        };
        self.output.send(&best.to_string())
    }

    /// Stops the running search, if any, and answers its best move.
    fn end_search(&mut self) -> io::Result<()> {
        if self.searching.is_some() {
            self.engine.stop();
        }
        while self.searching.is_some() {
            match self.inbox.next_event() {
                Some((number, event)) => self.on_event(number, event)?,
                None => self.searching = None,
            }
        }
        Ok(())
    }

    fn debug(&mut self, word: &str, rest: &[String]) -> io::Result<()> {
        let argument = rest.first().map(String::as_str);
        let position = self.engine.game().position();
        let text = match word {
            "d" => debug::describe(position),
            "moves" => debug::moves(position, argument),
            "perft" => debug::perft(position, argument),
            "eval" => debug::evaluation(&self.engine),
            "points" => debug::points(position),
            "bench" => debug::bench(argument),
            "compiler" => debug::compiler(),
            "flip" => return self.flip(),
            _ => {
                let lines = DEBUG_WORDS.iter();
                let lines: Vec<String> = lines
                    .map(|(word, help)| format!("info string {word}: {help}"))
                    .collect();
                lines.join("\n")
            }
        };
        self.output.send(&text)
    }

    fn flip(&mut self) -> io::Result<()> {
        self.end_search()?;
        let flipped = self.engine.game().position().setup().flipped();
        self.record = None;
        match Game::new(flipped, self.engine.rules()) {
            Ok(game) => {
                self.engine.set_game(game);
                Ok(())
            }
            Err(errors) => self.note(&format!("flip: {errors:?}")),
        }
    }
}
