//! Thinking, pondering and analysing.

use std::io::{self, Write};
use std::time::Instant;

use super::{Front, Mode, Searching, Task, Thinking};
use crate::board::Move;
use crate::engine::{Event, Limits};
use crate::notation::xboard;

/// The option by which the engine knows that positions are analysed.
const ANALYSE_OPTION: &str = "USI_AnalyseMode";

impl<W: Write> Front<'_, W> {
    /// Searches the current position.
    fn search(&mut self, task: Task, limits: &Limits) {
        let number = self.inbox.search(&mut self.engine, limits);
        self.searching = Some(Searching {
            number,
            task,
            root: self.engine.game().position().clone(),
            since: Instant::now(),
            last: None,
        });
    }

    /// How many moves the side to move has made in this game.
    fn own_moves(&self) -> u32 {
        u32::try_from(self.engine.game().position().made() / 2).unwrap_or(u32::MAX)
    }

    /// Looks for the engine's move; claims the result instead if the game is over.
    pub(super) fn think(&mut self) -> io::Result<()> {
        self.abandon();
        if self.claim_end()? {
            return self.answer_pings();
        }
        let limits = self.clock.limits(self.own_moves());
        self.search(Task::Move, &limits);
        Ok(())
    }

    /// Thinks about the answer to the move that the engine expects.
    fn ponder(&mut self) {
        let Some(expected) = self.hint.filter(|_| self.ponders) else {
            return;
        };
        if self.engine.game_mut().play(expected).is_err() {
            return;
        }
        if self.engine.game().outcome().is_over() {
            self.engine.game_mut().undo();
            return;
        }
        let limits = Limits {
            ponder: true,
            ..self.clock.limits(self.own_moves())
        };
        self.search(Task::Ponder(expected), &limits);
    }

    /// Analyses the current position, in that mode and unless the game is over there.
    pub(super) fn analyse(&mut self) {
        if self.mode != Mode::Analysing {
            return;
        }
        self.abandon();
        if !self.engine.game().outcome().is_over() {
            let limits = Limits {
                infinite: true,
                ..Limits::default()
            };
            self.search(Task::Analyse, &limits);
        }
    }

    /// Stops what runs and analyses from now on.
    pub(super) fn begin_analysis(&mut self) -> io::Result<()> {
        self.leave_for(Mode::Analysing)?;
        let options = self.engine.options();
        self.analyse_option = options.get(ANALYSE_OPTION).unwrap_or_default();
        // It is an option of the engine and "true" is a value of it.
        let _ = self.engine.set_option(ANALYSE_OPTION, "true");
        self.analyse();
        Ok(())
    }

    /// Stops what runs and goes over to another mode.
    pub(super) fn leave_for(&mut self, mode: Mode) -> io::Result<()> {
        self.cancel()?;
        self.first_step = None;
        if self.mode == Mode::Analysing {
            let _ = self.engine.set_option(ANALYSE_OPTION, &self.analyse_option);
        }
        self.mode = mode;
        Ok(())
    }

    /// Stops what runs, without its move, and answers the pings that waited for it.
    pub(super) fn cancel(&mut self) -> io::Result<()> {
        self.abandon();
        self.answer_pings()
    }

    /// Stops what runs, without its move; what it still sends is not listened to.
    pub(super) fn abandon(&mut self) {
        if let Some(searching) = self.searching.take() {
            self.engine.finish();
            if matches!(searching.task, Task::Ponder(_)) {
                self.engine.game_mut().undo();
            }
        }
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        for number in std::mem::take(&mut self.pings) {
            self.output.send(&format!("pong {number}"))?;
        }
        Ok(())
    }

    pub(super) fn on_event(&mut self, number: u64, event: Event) -> io::Result<()> {
        let Some(searching) = self.searching.as_mut().filter(|s| s.number == number) else {
            return Ok(());
        };
        match event {
            Event::Info(info) => {
                let mut thinking = Thinking::new(&info, &searching.root);
                searching.last = Some(info);
                if !self.posts && searching.task != Task::Analyse {
                    return Ok(());
                }
                // GUIs show lines from the position that they have.
                if let Task::Ponder(expected) = searching.task {
                    let text = xboard::format_move(expected, &self.position());
                    thinking.pv.insert(0, text);
                }
                self.output.send(&thinking.to_string())
            }
            Event::Best { best, ponder } => self.on_best(best, ponder),
            // CECP has no command that starts a search for a mate.
            Event::Solving(_) | Event::Solved(_) => Ok(()),
        }
    }

    /// Makes the engine's move, or resigns; then thinks on the opponent's time.
    fn on_best(&mut self, best: Option<Move>, ponder: Option<Move>) -> io::Result<()> {
        let Some(searching) = self.searching.take() else {
            return Ok(());
        };
        self.engine.wait();
        match searching.task {
            Task::Move => {}
            // Both end only when they are stopped.
            Task::Analyse => return Ok(()),
            Task::Ponder(_) => {
                self.engine.game_mut().undo();
                return Ok(());
            }
        }
        let before = searching.root;
        let made = self.own_moves() + 1;
        let Some(m) = best.filter(|&m| self.engine.game_mut().play(m).is_ok()) else {
            self.output.send("resign")?;
            return self.answer_pings();
        };
        self.clock.spend(searching.since.elapsed(), made);
        for text in xboard::two_lines(m, &before) {
            self.output.send(&format!("move {text}"))?;
        }
        self.hint = ponder;
        if !self.claim_end()? {
            self.ponder();
        }
        self.answer_pings()
    }

    /// Says how far the analysis is.
    pub(super) fn status(&mut self) -> io::Result<()> {
        let Some(searching) = self.searching.as_ref().filter(|s| s.task == Task::Analyse) else {
            return Ok(());
        };
        let time = searching.since.elapsed().as_millis() / 10;
        let (nodes, depth) = match &searching.last {
            Some(info) => (info.nodes, info.depth),
            None => (0, 0),
        };
        let moves = searching.root.moves().len();
        let text = format!("stat01: {time} {nodes} {depth} 0 {moves}");
        self.output.send(&text)
    }

    /// Names the reply that the engine expects, if it is the other side's turn.
    pub(super) fn give_hint(&mut self) -> io::Result<()> {
        let position = self.position();
        match self.hint.filter(|&m| position.is_legal(m)) {
            Some(m) if !self.is_thinking() => {
                let text = format!("Hint: {}", xboard::format_move(m, &position));
                self.output.send(&text)
            }
            _ => Ok(()),
        }
    }
}
