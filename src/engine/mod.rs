//! The engine as one thing: a game, options, and searches that run in the background.

mod bench;
pub mod options;
mod probe;
mod skill;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::board::{Game, Move, Outcome, Position, Rules};
use crate::mate::{self, Solver};
use crate::notation::sfen;
use crate::search::{Pool, Signals};

pub use crate::eval::score;
pub use crate::mate::{Answer, Progress, Verdict};
pub use crate::search::{ClockLimits, Cutoffs, Info, Limits, Report, STACK};
pub use bench::{BenchResult, bench};
pub use options::{OptionError, Options};
use probe::Prober;
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
    /// How a search for a mate is getting on.
    Solving(Progress),
    /// A search for a mate is over; nothing comes after this.
    Solved(Answer),
}

/// When a search for a mate gives up; by default never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MateLimits {
    /// After this time.
    pub time: Option<Duration>,
    /// After about so many nodes.
    pub nodes: Option<u64>,
}

/// Stack of the solver's thread: it goes as deep as its longest line.
const SOLVER_STACK: usize = 16 << 20;

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
    tools: Option<Tools>,
    /// Threads and mebibytes of the table as they are in the pool.
    pool_size: (usize, usize),
    pool_rules: Rules,
    clear: bool,
    signals: Arc<Signals>,
    running: Option<Running>,
}

/// What searches with a memory of the last one.
struct Tools {
    pool: Pool,
    prober: Prober,
}

/// What runs in the background.
enum Running {
    Search(JoinHandle<(Tools, Report)>),
    Mate(JoinHandle<()>),
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
            tools: None,
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
        let tools = self.tools.get_or_insert_with(|| {
            self.pool_size = size;
            Tools {
                pool: Pool::new(size.0, size.1),
                prober: Prober::default(),
            }
        });
        let pool = &mut tools.pool;
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
        let Some(mut tools) = self.tools.take() else {
            return Report::default();
        };
        self.signals.reset(false);
        let plan = self.plan(limits);
        let report = tools.search(&self.game, &plan, &self.signals, &mut on_info);
        self.tools = Some(tools);
        report
    }

    /// Searches the current position in the background. `on_event` gets the lines as they come, and at last exactly one
    /// [`Event::Best`]; with `infinite` or `ponder` limits not before [`Engine::stop`] or [`Engine::ponderhit`].
    pub fn go(&mut self, limits: &Limits, mut on_event: impl FnMut(Event) + Send + 'static) {
        self.finish();
        self.prepare();
        let Some(mut tools) = self.tools.take() else {
            return;
        };
        self.signals.reset(limits.ponder);
        let plan = self.plan(limits);
        let resign = self.options.resign_score();
        let signals = Arc::clone(&self.signals);
        let game = self.game.clone();
        self.running = Some(Running::Search(thread::spawn(move || {
            let mut on_info = |info| on_event(Event::Info(info));
            let report = tools.search(&game, &plan, &signals, &mut on_info);
            signals.wait_for_release(plan.limits.infinite);
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
            (tools, report)
        })));
    }

    /// Looks for a mate by the side to move in the background, by checks alone (see [`crate::mate`]), with a table
    /// of the size of the search's. `on_event` hears how it is getting on, and at last exactly one [`Event::Solved`];
    /// [`Engine::stop`] brings it soon.
    ///
    /// # Errors
    ///
    /// No thread can be had.
    pub fn go_mate(
        &mut self,
        limits: MateLimits,
        mut on_event: impl FnMut(Event) + Send + 'static,
    ) -> io::Result<()> {
        self.finish();
        self.signals.reset(false);
        let signals = Arc::clone(&self.signals);
        let position = self.game.position().clone();
        let bytes = self.options.hash << 20;
        let solve = move || {
            let limits = mate::Limits {
                nodes: limits.nodes,
                time: limits.time,
                stop: Some(signals.stop_flag()),
                shortest: false,
            };
            let mut on_progress = |progress: &Progress| on_event(Event::Solving(*progress));
            let answer = Solver::new(bytes).solve(&position, limits, &mut on_progress);
            on_event(Event::Solved(answer));
        };
        let thread = thread::Builder::new().stack_size(SOLVER_STACK);
        self.running = Some(Running::Mate(thread.spawn(solve)?));
        Ok(())
    }

    /// Ends the running search soon; it still sends its best move.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// The expected move was played: the search goes on with the clock running.
    pub fn ponderhit(&self) {
        self.signals.ponderhit();
    }

    /// Waits for the running search to end by itself. A search for a mate has no report.
    pub fn wait(&mut self) -> Option<Report> {
        match self.running.take()? {
            Running::Search(thread) => {
                let (tools, report) = thread.join().ok()?;
                self.tools = Some(tools);
                Some(report)
            }
            Running::Mate(thread) => {
                let _ = thread.join();
                None
            }
        }
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
    fn plan(&self, limits: &Limits) -> Plan {
        let mut limits = limits.clone();
        limits.multi_pv = limits.multi_pv.max(self.options.multi_pv);
        let lines = limits.multi_pv.max(1);
        limits.overhead = self.options.overhead();
        if !self.options.analyse {
            limits.draw_score = -self.options.contempt;
        }
        let skill = Skill::new(&self.options);
        skill.restrain(&mut limits);
        Plan {
            skill,
            limits,
            lines,
            mate_nodes: self.options.mate_nodes,
        }
    }
}

/// How a search is to be done.
struct Plan {
    skill: Skill,
    limits: Limits,
    /// How many lines are shown; a weak player looks at more.
    lines: usize,
    /// The most nodes that are spent on a mate first.
    mate_nodes: u64,
}

impl Tools {
    /// A quick look for a mate, then the search; what the skill level makes of it.
    fn search(
        &mut self,
        game: &Game,
        plan: &Plan,
        signals: &Signals,
        on_info: &mut (dyn FnMut(Info) + Send),
    ) -> Report {
        let most = if plan.skill.is_full() {
            plan.mate_nodes
        } else {
            0
        };
        let (mate, nodes) = self.prober.probe(game, &plan.limits, most, signals);
        if let Some(report) = mate {
            report.lines.iter().cloned().for_each(on_info);
            return report;
        }
        let mut limits = plan.limits.clone();
        limits.nodes = limits.nodes.map(|limit| limit.saturating_sub(nodes));
        let mut show = |info: Info| {
            if info.multi_pv <= plan.lines {
                on_info(info);
            }
        };
        let found = self
            .pool
            .search(game.position(), &limits, signals, &mut show);
        let mut report = plan.skill.choose(game.position(), found);
        report.lines.truncate(plan.lines);
        report
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
