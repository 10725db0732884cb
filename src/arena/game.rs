//! One game between two players, with our rules core as the referee.

use std::time::Duration;

use super::adjudicate::{Adjudication, Agreement, Verdict};
use super::results::Fault;
use crate::board::{Color, Game};
use crate::notation::{line, usi};
use crate::protocol::client::{Answer, Client, ClientError, Thought, TimeControl, Turn};

/// Who plays a colour, and with what time.
pub struct Seat<'a> {
    /// The player.
    pub client: &'a mut dyn Client,
    /// What it has for its moves.
    pub control: TimeControl,
}

/// How games are conducted.
#[derive(Clone, Copy, Debug)]
pub struct Conduct {
    /// By how much a clock may be overstepped.
    pub margin: Duration,
    /// How long a player without a clock may think before it is taken to hang.
    pub patience: Duration,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

/// A move and what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// As USI writes it.
    pub text: String,
    /// How long it took.
    pub elapsed: Duration,
    /// The main time left after it.
    pub left: Option<Duration>,
    /// In centipawns.
    pub score: Option<i32>,
    /// In plies, 0 if unknown.
    pub depth: u32,
    /// 0 if unknown.
    pub nodes: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub winner: Option<Color>,
    /// Why, in a word.
    pub reason: String,
    /// What the loser did wrong, and that in words.
    pub fault: Option<(Fault, String)>,
    /// Who must be started again before it can play another game.
    pub broken: Option<Color>,
}

impl Ending {
    fn new(winner: Option<Color>, reason: &str) -> Ending {
        Ending {
            winner,
            reason: reason.to_owned(),
            fault: None,
            broken: None,
        }
    }

    fn fault(loser: Color, fault: Fault, detail: String) -> Ending {
        Ending {
            fault: Some((fault, detail)),
            ..Ending::new(Some(!loser), fault.word())
        }
    }

    /// A player that does not play on has lost; `None` if we stopped it ourselves.
    pub fn failure(loser: Color, error: &ClientError) -> Option<Ending> {
        let fault = match error {
            ClientError::Interrupted => return None,
            ClientError::Hang { .. } => Fault::Hang,
            ClientError::Crash { .. } | ClientError::Start { .. } => Fault::Crash,
            ClientError::Disconnect => Fault::Disconnect,
            ClientError::Flood { .. } => Fault::Flood,
            _ => Fault::Unable,
        };
        Some(Ending {
            broken: Some(loser),
            ..Ending::fault(loser, fault, error.to_string())
        })
    }
}

/// A game in progress.
struct Match<'a, 'b> {
    seats: [&'a mut Seat<'b>; 2],
    conduct: &'a Conduct,
    game: Game,
    line: String,
    left: [Duration; 2],
    agreement: Agreement,
    moves: Vec<Played>,
}

/// Plays a game from an opening; gives the moves after it and the end, or nothing if the players were interrupted.
pub fn play(
    [black, white]: [&mut Seat; 2],
    opening: &Game,
    conduct: &Conduct,
) -> Option<(Vec<Played>, Ending)> {
    let left = [black.control.main, white.control.main];
    let mut line = line::format(opening);
    if opening.position().made() == 0 {
        line.push_str(" moves");
    }
    let mut game = Match {
        seats: [black, white],
        conduct,
        game: opening.clone(),
        line,
        left,
        agreement: Agreement::default(),
        moves: Vec::new(),
    };
    let ending = game.run()?;
    for seat in game.seats {
        seat.client.game_over(ending.winner);
    }
    Some((game.moves, ending))
}

impl Match<'_, '_> {
    fn run(&mut self) -> Option<Ending> {
        for side in Color::BOTH {
            let seat = &mut self.seats[side.index()];
            if let Err(error) = seat.client.new_game(&self.game, side, &seat.control) {
                return Ending::failure(side, &error);
            }
        }
        loop {
            let side = self.game.position().turn();
            let thought = match self.ask(side) {
                Ok(thought) => thought,
                Err(error) => return Ending::failure(side, &error),
            };
            if let Some(ending) = self.answered(side, thought) {
                return Some(ending);
            }
        }
    }

    fn ask(&mut self, side: Color) -> Result<Thought, ClientError> {
        let [black, white] = &mut self.seats;
        let (controls, client) = {
            let controls = [black.control, white.control];
            let seat = if side == Color::Black { black } else { white };
            (controls, &mut seat.client)
        };
        let control = &controls[side.index()];
        let longest = control.longest(self.left[side.index()]);
        let patience = match longest {
            Some(longest) => longest + self.conduct.margin,
            None => self.conduct.patience,
        };
        client.think(&Turn {
            game: &self.game,
            line: &self.line,
            controls: [&controls[0], &controls[1]],
            left: self.left,
            patience,
        })
    }

    /// Judges an answer and plays its move; gives the end of the game, if it is that.
    fn answered(&mut self, side: Color, thought: Thought) -> Option<Ending> {
        if let Some(ending) = self.tick(side, thought.elapsed) {
            return Some(ending);
        }
        let m = match thought.answer {
            Answer::Move(m) => m,
            Answer::Resign => return Some(Ending::new(Some(!side), "resign")),
            Answer::Illegal { reason, .. } => {
                return Some(Ending::fault(side, Fault::Illegal, reason));
            }
        };
        let text = usi::format(m, self.game.position());
        if let Err(error) = self.game.play(m) {
            let detail = format!("`{text}`: {error}");
            return Some(Ending::fault(side, Fault::Illegal, detail));
        }
        self.line.push(' ');
        self.line.push_str(&text);
        let info = thought.info.as_ref();
        let score = info.map(|info| info.score);
        self.moves.push(Played {
            text,
            elapsed: thought.elapsed,
            left: self.seats[side.index()]
                .control
                .has_clock()
                .then_some(self.left[side.index()]),
            score,
            depth: info.map_or(0, |info| info.depth),
            nodes: info.map_or(0, |info| info.nodes),
        });
        let outcome = self.game.outcome();
        if outcome.is_over() {
            let text = outcome.to_string();
            let reason = text.split(' ').next().unwrap_or_default();
            return Some(Ending::new(outcome.winner(), reason));
        }
        self.adjudicate(side, score, thought.elapsed)
    }

    /// Takes the time of a move off the clock; the end if it ran out.
    fn tick(&mut self, side: Color, elapsed: Duration) -> Option<Ending> {
        let control = &self.seats[side.index()].control;
        let left = &mut self.left[side.index()];
        if let Some(longest) = control.longest(*left)
            && elapsed > longest + self.conduct.margin
        {
            let detail = format!(
                "{:.3} s for a move, {:.3} s were left",
                elapsed.as_secs_f64(),
                longest.as_secs_f64()
            );
            return Some(Ending::fault(side, Fault::Time, detail));
        }
        if control.has_clock() {
            *left = left.saturating_sub(elapsed) + control.increment;
        }
        None
    }

    fn adjudicate(&mut self, side: Color, score: Option<i32>, elapsed: Duration) -> Option<Ending> {
        let rules = &self.conduct.adjudication;
        self.agreement.note(rules, side, score, elapsed);
        let position = self.game.position();
        let verdict = self.agreement.verdict(rules, position, position.made())?;
        Some(match verdict {
            Verdict::Win(winner) => Ending::new(Some(winner), "adjudicated"),
            Verdict::Draw => Ending::new(None, "adjudicated"),
            Verdict::MaxPlies => Ending::new(None, "max-plies"),
            Verdict::Points(winner) => Ending::new(winner, "points"),
        })
    }
}
