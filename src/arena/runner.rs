//! A match from its first game to its last: slots that play games side by side, and one list of results.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::game::{Conduct, Ending, Played, Seat, play};
use super::log::RawLog;
use super::openings::Openings;
use super::player::{self, Backstage};
use super::report::Report;
use super::results::{GameRecord, MatchRecord, ResultFile};
use super::schedule::{Fixture, Schedule, Shard};
use super::spec::EngineSpec;
use super::stats::{Decision, Sprt};
use crate::board::{Color, Game, Rules};
use crate::notation::line;
use crate::protocol::client::{Client, ClientError, Interrupt};

/// Everything that makes a match.
pub struct Match {
    /// Who takes part.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Which part of the schedule is played here.
    pub shard: Shard,
    /// The options of our engine that make the rules.
    pub rules: Vec<(String, String)>,
    /// Where games start.
    pub openings: Openings,
    /// Openings, seed and all else that makes results differ, in words.
    pub conditions: Vec<String>,
    /// How games are conducted.
    pub conduct: Conduct,
    /// A test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// How many games are played side by side.
    pub concurrency: usize,
    /// How long an engine may take to get ready.
    pub patience: Duration,
    /// Where results go.
    pub out: Option<PathBuf>,
    /// Whether to go on with the results that are there.
    pub resume: bool,
    /// Where everything that engines say and hear goes.
    pub log: Option<PathBuf>,
    /// Stops the match when it is raised.
    pub interrupt: Interrupt,
}

/// What a match tells while it runs.
pub enum News<'a> {
    /// It begins: how many games there are here, how many of them were finished before.
    Begin {
        /// All games.
        games: usize,
        /// Those that are known from the result file.
        known: usize,
        /// Where it stands.
        report: &'a Report,
    },
    /// A game is over.
    Game {
        /// The game.
        game: &'a GameRecord,
        /// Where the match stands.
        report: &'a Report,
    },
}

/// What the slots share.
struct Shared<'a> {
    queue: std::vec::IntoIter<Fixture>,
    report: Report,
    file: Option<ResultFile>,
    news: &'a mut (dyn FnMut(News) + Send),
    /// What ended the match before its time.
    error: Option<anyhow::Error>,
}

/// A slot: players that are alive, one for each engine that has played in it.
struct Slot<'a> {
    number: usize,
    of: &'a Match,
    players: Vec<Option<Box<dyn Client>>>,
    log: Option<&'a RawLog>,
    backstage: &'a Backstage,
    /// Which engines have been alive in any slot.
    started: &'a [AtomicBool],
}

impl Match {
    /// What the result file says of the match.
    pub fn record(&self) -> MatchRecord {
        let engines = self.engines.iter();
        let engines = engines.map(|engine| {
            let text = format!(
                "{:?} {:?} {:?}",
                engine.speaks, engine.options, engine.control
            );
            (engine.name.clone(), text)
        });
        let mut conditions = self.conditions.clone();
        conditions.push(format!("{:?}", self.schedule));
        conditions.push(format!("{:?}", self.rules));
        conditions.push(format!("{:?}", self.conduct));
        MatchRecord::new(engines.collect(), conditions)
    }

    /// Plays the match. `news` hears of every game.
    ///
    /// # Errors
    ///
    /// An engine cannot be started at all, there are no openings, or results cannot be written.
    pub fn run(&self, news: &mut (dyn FnMut(News) + Send)) -> Result<Report> {
        ensure!(self.engines.len() >= 2, "a match needs two engines");
        for engine in &self.engines {
            player::check_options(engine)?;
        }
        let rules = player::rules(&self.rules)?;
        let record = self.record();
        let log = self.log.as_deref().map(RawLog::open).transpose()?;
        let backstage = Backstage {
            rules: self.rules.clone(),
            patience: self.patience,
            interrupt: self.interrupt.clone(),
        };
        let fixtures = self.schedule.fixtures(self.shard);
        let games = fixtures.len();
        let (file, played) = match &self.out {
            Some(path) => {
                let (file, played) = ResultFile::open(path, &record, self.resume)?;
                (Some(file), played)
            }
            None => (None, Vec::new()),
        };
        let mut report = Report::default();
        report.sprt = self.sprt;
        for engine in &self.engines {
            report.engine(&engine.name);
        }
        self.remember(&played, rules);
        for game in &played {
            report.add(&record.id, game);
        }
        let known: HashSet<usize> = played.iter().map(|game| game.number).collect();
        let queue: Vec<Fixture> = fixtures
            .into_iter()
            .filter(|fixture| !known.contains(&fixture.number))
            .collect();
        news(News::Begin {
            games,
            known: games - queue.len(),
            report: &report,
        });
        let started: Vec<AtomicBool> = self.engines.iter().map(|_| AtomicBool::default()).collect();
        let slots = self.concurrency.clamp(1, queue.len().max(1));
        let shared = Mutex::new(Shared {
            queue: queue.into_iter(),
            report,
            file,
            news,
            error: None,
        });
        thread::scope(|scope| {
            for number in 1..=slots {
                let (log, backstage, shared, id) = (log.as_ref(), &backstage, &shared, &record.id);
                let started = &started;
                scope.spawn(move || {
                    let mut slot = Slot {
                        number,
                        of: self,
                        players: self.engines.iter().map(|_| None).collect(),
                        log,
                        backstage,
                        started,
                    };
                    if let Err(error) = slot.work(shared, id) {
                        self.interrupt.raise();
                        lock(shared).error.get_or_insert(error);
                    }
                });
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.error {
            Some(error) => Err(error),
            None => Ok(shared.report),
        }
    }

    /// Makes the openings of finished games those of the games that belong to them.
    fn remember(&self, played: &[GameRecord], rules: Rules) {
        for game in played {
            let opening = line::parse(&game.start).and_then(|mut start| {
                start.moves = game.moves.iter().take(game.book).cloned().collect();
                start.play(rules)
            });
            if let Ok(opening) = opening {
                self.openings.remember(game.opening, opening);
            }
        }
    }

    fn is_decided(&self, report: &Report) -> bool {
        self.sprt
            .is_some_and(|sprt| sprt.decision(&report.tally()) != Decision::Open)
    }
}

fn lock<'a, 'b>(shared: &'a Mutex<Shared<'b>>) -> MutexGuard<'a, Shared<'b>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot<'_> {
    /// Plays games until there are none left.
    fn work(&mut self, shared: &Mutex<Shared>, id: &str) -> Result<()> {
        loop {
            let fixture = {
                let mut shared = lock(shared);
                if self.of.interrupt.is_raised() || self.of.is_decided(&shared.report) {
                    return Ok(());
                }
                match shared.queue.next() {
                    Some(fixture) => fixture,
                    None => return Ok(()),
                }
            };
            let opening = self.of.openings.get(fixture.opening)?;
            let Some((moves, ending)) = self.play(&fixture, &opening)? else {
                return Ok(());
            };
            let game = game_record(&fixture, &self.of.engines, &opening, moves, ending);
            let mut shared = lock(shared);
            let shared = &mut *shared;
            // Games that end after the test is decided are not part of it.
            if self.of.is_decided(&shared.report) {
                return Ok(());
            }
            if let Some(file) = &mut shared.file {
                file.add(&game)?;
            }
            shared.report.add(id, &game);
            (shared.news)(News::Game {
                game: &game,
                report: &shared.report,
            });
            if self.of.is_decided(&shared.report) {
                self.of.interrupt.raise();
                return Ok(());
            }
        }
    }

    fn play(&mut self, fixture: &Fixture, opening: &Game) -> Result<Option<(Vec<Played>, Ending)>> {
        let engines = [fixture.black, fixture.white];
        let mut players = Vec::new();
        for (side, engine) in Color::BOTH.into_iter().zip(engines) {
            match self.player(engine) {
                Ok(player) => players.push(player),
                // An engine that never started is a mistake on the command line, not a loss.
                Err(error) if !self.started[engine].load(Ordering::Relaxed) => {
                    if self.of.interrupt.is_raised() {
                        return Ok(None);
                    }
                    bail!("engine `{}`: {error}", self.of.engines[engine].name);
                }
                Err(error) => {
                    return Ok(Ending::failure(side, &error).map(|ending| (Vec::new(), ending)));
                }
            }
        }
        let mut seats = players
            .iter_mut()
            .zip(engines)
            .map(|(client, engine)| Seat {
                client: client.as_mut(),
                control: self.of.engines[engine].control,
            });
        let (Some(mut black), Some(mut white)) = (seats.next(), seats.next()) else {
            return Ok(None);
        };
        drop(seats);
        let finished = play([&mut black, &mut white], opening, &self.of.conduct);
        let broken = finished.as_ref().and_then(|(_, ending)| ending.broken);
        for (side, player) in Color::BOTH.into_iter().zip(players) {
            // A broken player is killed here, and started again for its next game.
            if broken != Some(side) {
                self.players[engines[side.index()]] = Some(player);
            }
        }
        Ok(finished)
    }

    /// Takes a player out of the slot; starts it if it is not there.
    fn player(&mut self, engine: usize) -> Result<Box<dyn Client>, ClientError> {
        if let Some(player) = self.players[engine].take() {
            return Ok(player);
        }
        let spec = &self.of.engines[engine];
        let tap = self.log.map(|log| log.tap(self.number, &spec.name));
        let player = player::start(spec, self.backstage, tap)?;
        self.started[engine].store(true, Ordering::Relaxed);
        Ok(player)
    }
}

/// What the result file keeps of a game.
fn game_record(
    fixture: &Fixture,
    engines: &[EngineSpec],
    opening: &Game,
    played: Vec<Played>,
    ending: Ending,
) -> GameRecord {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let text = line::format(opening);
    let start = text.split(" moves").next().unwrap_or_default().to_owned();
    let mut moves = line::texts(opening);
    let book = moves.len();
    moves.extend(played.iter().map(|played| played.text.clone()));
    let (fault, detail) = ending.fault.unzip();
    GameRecord {
        number: fixture.number,
        pair: fixture.pair,
        opening: fixture.opening,
        black: engines[fixture.black].name.clone(),
        white: engines[fixture.white].name.clone(),
        result: ending.winner.into(),
        reason: ending.reason,
        fault,
        detail,
        start,
        book,
        moves,
        ms: played.iter().map(|played| ms(played.elapsed)).collect(),
        clock: played
            .iter()
            .filter_map(|played| played.left.map(ms))
            .collect(),
        score: played.iter().map(|played| played.score).collect(),
        depth: played.iter().map(|played| played.depth).collect(),
        nodes: played.iter().map(|played| played.nodes).collect(),
    }
}
