//! The engine as one thing: a game, options, and searches that run in the background.

mod bench;
pub mod options;
mod skill;

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::board::{Game, Move, Outcome, Position, Rules};
use crate::notation::sfen;
use crate::search::{Pool, Signals};

pub use crate::eval::score;
pub use crate::search::{ClockLimits, Info, Limits, Report};
pub use bench::{BenchResult, bench};
pub use options::{OptionError, Options};
use skill::Skill;

/// What a search in the background sends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line, as the search has it now.
    Info(Info),
    /// The search is over; nothing comes after this.
    Best {
        /// The move to play; `None` to resign, or if the game is over.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
}

/// A chu shogi engine. It never prints.
///
/// ```
/// use sakijishi::engine::{Engine, Limits};
/// let mut engine = Engine::new();
/// let report = engine.search(&Limits { depth: Some(3), ..Limits::default() });
/// assert!(engine.game().position().is_legal(report.best.unwrap()));
/// ```
pub struct Engine {
    options: Options,
    game: Game,
    /// What outlives a search; away while one runs, made when first needed.
    pool: Option<Pool>,
    /// Threads and mebibytes of the table as they are in the pool.
    pool_size: (usize, usize),
    pool_rules: Rules,
    clear: bool,
    signals: Arc<Signals>,
    running: Option<JoinHandle<(Pool, Report)>>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with default options at the start position. Memory for the search is taken when it is first needed.
    pub fn new() -> Engine {
        let options = Options::default();
        let rules = options.rules();
        let game = new_game(rules);
        Engine {
            options,
            game,
            pool: None,
            pool_size: (0, 0),
            pool_rules: rules,
            clear: false,
            signals: Arc::new(Signals::default()),
            running: None,
        }
    }

    /// The options as they are set.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option by name; what needs the search threads takes effect with the next search.
    ///
    /// # Errors
    ///
    /// The name or the value is unknown; the old value is kept.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match self.options.set(name, value)? {
            options::Effect::Plain => {}
            options::Effect::ClearTable => self.clear = true,
            options::Effect::Rules => {
                let rules = self.options.rules();
                self.game = under_rules(&self.game, rules);
            }
        }
        Ok(())
    }

    /// The rules that the options make.
    pub fn rules(&self) -> Rules {
        self.options.rules()
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sets the game that the next search is about.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Changes the game in place.
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Forgets the last game: the start position, and a search without memory of it.
    pub fn new_game(&mut self) {
        self.finish();
        self.clear = true;
        self.game = new_game(self.rules());
    }

    /// Whether a search runs, or is done but not yet released.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Takes the memory that the search needs, if no search has it.
    pub fn prepare(&mut self) {
        if self.running.is_some() {
            return;
        }
        let size = (self.options.threads, self.options.hash);
        let pool = self.pool.get_or_insert_with(|| {
            self.pool_size = size;
            Pool::new(size.0, size.1)
        });
        if self.pool_size.0 != size.0 {
            pool.set_threads(size.0);
        }
        if self.pool_size.1 != size.1 {
            pool.set_table(size.1);
        }
        self.pool_size = size;
        // Scores depend on the rules, which are no part of the keys.
        if self.clear || self.pool_rules != self.options.rules() {
            pool.clear();
        }
        let network = self.options.network();
        if pool.network().map(Arc::as_ptr) != network.map(Arc::as_ptr) {
            pool.set_network(network.cloned());
        }
        self.clear = false;
        self.pool_rules = self.options.rules();
    }

    /// Searches the current position; blocks until the limits end it.
    pub fn search(&mut self, limits: &Limits) -> Report {
        self.search_with(limits, |_| {})
    }

    /// Searches the current position and blocks until the limits end it; `on_info` gets the lines as they come.
    pub fn search_with(&mut self, limits: &Limits, mut on_info: impl FnMut(Info) + Send) -> Report {
        self.finish();
        self.prepare();
        let Some(mut pool) = self.pool.take() else {
            return Report::default();
        };
        self.signals.reset(false);
        let (skill, limits) = self.plan(limits);
        let position = self.game.position();
        let report = pool.search(position, &limits, &self.signals, &mut on_info);
        self.pool = Some(pool);
        skill.choose(position, report)
    }

    /// Searches the current position in the background. `on_event` gets the lines as they come, and at last exactly one
    /// [`Event::Best`]; with `infinite` or `ponder` limits not before [`Engine::stop`] or [`Engine::ponderhit`].
    pub fn go(&mut self, limits: &Limits, mut on_event: impl FnMut(Event) + Send + 'static) {
        self.finish();
        self.prepare();
        let Some(mut pool) = self.pool.take() else {
            return;
        };
        self.signals.reset(limits.ponder);
        let (skill, limits) = self.plan(limits);
        let resign = self.options.resign_score();
        let signals = Arc::clone(&self.signals);
        let position = self.game.position().clone();
        self.running = Some(thread::spawn(move || {
            let mut on_info = |info| on_event(Event::Info(info));
            let report = pool.search(&position, &limits, &signals, &mut on_info);
            let report = skill.choose(&position, report);
            signals.wait_for_release(limits.infinite);
            let resigns = resign.is_some_and(|least| report.score().is_some_and(|s| s < least));
            on_event(if resigns {
                Event::Best {
                    best: None,
                    ponder: None,
                }
            } else {
                Event::Best {
                    best: report.best,
                    ponder: report.ponder,
                }
            });
            (pool, report)
        }));
    }

    /// Ends the running search soon; it still sends its best move.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// The expected move was played: the search goes on with the clock running.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    /// Waits for the running search to end by itself.
    pub fn wait(&mut self) -> Option<Report> {
        let (pool, report) = self.running.take()?.join().ok()?;
        self.pool = Some(pool);
        Some(report)
    }

    /// Stops the running search, if any, and waits for it.
    pub fn finish(&mut self) {
        if self.running.is_some() {
            self.stop();
            self.wait();
        }
    }

    /// The static evaluation of the current position for its side to move, in centipawns.
    pub fn evaluate(&self) -> crate::eval::Score {
        let network = self.options.network();
        crate::eval::evaluate(self.game.position(), network.map(Arc::as_ref))
    }

    /// What the options make of limits.
    fn plan(&self, limits: &Limits) -> (Skill, Limits) {
        let mut limits = limits.clone();
        limits.multi_pv = limits.multi_pv.max(self.options.multi_pv);
        limits.overhead = self.options.overhead();
        if !self.options.analyse {
            limits.draw_score = -self.options.contempt;
        }
        let skill = Skill::new(&self.options);
        skill.restrain(&mut limits);
        (skill, limits)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

fn new_game(rules: Rules) -> Game {
    Game::new(sfen::start(), rules).unwrap_or_else(|_| unreachable!("the start position is one"))
}

/// The same game under other rules; if a move of it is illegal by them, the position without its history.
fn under_rules(game: &Game, rules: Rules) -> Game {
    let replay = || {
        let mut same = Game::new(game.start().clone(), rules).ok()?;
        game.moves().try_for_each(|m| same.play(m).ok())?;
        Some(same)
    };
    let here = || Game::new(game.position().setup(), rules).ok();
    replay().or_else(here).unwrap_or_else(|| new_game(rules))
}

/// The score of a finished game for the side to move, in centipawns: what is reported instead of a search.
pub fn finished_score(position: &Position, outcome: Outcome) -> crate::eval::Score {
    match outcome.winner() {
        Some(winner) if winner == position.turn() => crate::eval::score::MATE,
        Some(_) => -crate::eval::score::MATE,
        None => 0,
    }
}
