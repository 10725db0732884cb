//! Games of the engine against itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::games::{GameWriter, Sample};
use crate::arena::Shard;
use crate::board::{Color, Game, RuleSet};
use crate::engine::score::Score;
use crate::engine::{Engine, Limits, STACK};
use crate::notation::sfen;

/// How games are made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games there are to be, in the files of all shards together.
    pub games: usize,
    /// Which of them the file holds.
    pub shard: Shard,
    /// Nodes a move.
    pub nodes: u64,
    /// Nodes after which no deeper iteration is begun.
    pub soft_nodes: Option<u64>,
    /// The network to play with, as the option `EvalFile` takes it.
    pub eval_file: Option<String>,
    /// Games from somewhere in which they begin; from the start position if there are none.
    pub openings: Vec<Game>,
    /// Random plies at the start, at least and at most.
    pub random_plies: (usize, usize),
    /// Openings that one side likes by more than this many centipawns are thrown away.
    pub balance: Score,
    /// Everything random follows from it.
    pub seed: u64,
    /// Rule sets, used in turn.
    pub rules: Vec<RuleSet>,
    /// How many games are played at a time.
    pub threads: usize,
}

impl Plan {
    /// How many games the file is to hold.
    pub fn games_here(&self) -> usize {
        (self.games + self.shard.count - self.shard.index) / self.shard.count
    }
}

/// So many openings in a row that cannot be used mean that none is to be had.
const TRIES: usize = 10_000;
/// A game is over when both sides have agreed for [`DECIDED_PLIES`] that one is ahead by this many centipawns.
const DECIDED: Score = 3_500;
const DECIDED_PLIES: usize = 8;
/// A longer game is a draw.
const LONGEST: usize = 500;

/// Plays games and appends them to a file, in the order of their numbers, after those that are there already; the same
/// plan gives the same file. `on_game` hears the number of games in the file; the flag ends it after the running games.
///
/// # Errors
///
/// The file cannot be written.
pub fn run(
    plan: &Plan,
    path: &Path,
    stop: &AtomicBool,
    on_game: impl Fn(usize) + Sync,
) -> Result<()> {
    let (writer, have) = GameWriter::append(path)?;
    let next = AtomicUsize::new(have);
    let queue = Mutex::new(Queue {
        writer,
        next: have,
        done: BTreeMap::new(),
    });
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            let mut player = Player::new(plan)?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= plan.games_here() || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let sample = player.play(number * plan.shard.count + plan.shard.index - 1)?;
                let mut queue = queue
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                queue.add(number, sample)?;
                on_game(queue.next);
            }
        };
        let threads: Vec<_> = (0..plan.threads.max(1))
            .map(|_| {
                let thread = std::thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, work)
            })
            .collect::<std::io::Result<_>>()?;
        threads
            .into_iter()
            .try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
    })
}

/// Games that wait for one with a smaller number.
struct Queue {
    writer: GameWriter,
    next: usize,
    done: BTreeMap<usize, Sample>,
}

impl Queue {
    fn add(&mut self, number: usize, sample: Sample) -> Result<()> {
        self.done.insert(number, sample);
        while let Some(sample) = self.done.remove(&self.next) {
            self.writer.write(&sample)?;
            self.next += 1;
        }
        Ok(())
    }
}

struct Player<'a> {
    plan: &'a Plan,
    engine: Engine,
    limits: Limits,
}

impl Player<'_> {
    fn new(plan: &Plan) -> Result<Player<'_>> {
        let mut engine = Engine::new();
        engine.set_option("USI_Hash", "8")?;
        engine.set_option("USI_AnalyseMode", "true")?;
        if let Some(file) = &plan.eval_file {
            engine.set_option("EvalFile", file)?;
        }
        let limits = Limits {
            nodes: Some(plan.nodes),
            soft_nodes: plan.soft_nodes,
            ..Limits::default()
        };
        Ok(Player {
            plan,
            engine,
            limits,
        })
    }

    fn play(&mut self, number: usize) -> Result<Sample> {
        let rules = self.plan.rules[number % self.plan.rules.len()];
        self.engine.set_option("Rules", rules.word())?;
        let mut dice = SmallRng::seed_from_u64(self.plan.seed.wrapping_add(number as u64));
        self.engine.new_game();
        let opening = (0..TRIES).find_map(|_| self.opening(&mut dice));
        let (mut game, mut moves) = opening.with_context(|| {
            format!(
                "{TRIES} openings in a row are over or not balanced to {} centipawns",
                self.plan.balance
            )
        })?;
        let mut winner = None;
        let mut agreed = 0;
        while !game.outcome().is_over() && moves.len() < LONGEST {
            self.engine.set_game(game.clone());
            let report = self.engine.search(&self.limits);
            let (Some(m), Some(score)) = (report.best, report.score()) else {
                break;
            };
            let ahead = if score > 0 {
                game.position().turn()
            } else {
                !game.position().turn()
            };
            moves.push((m, Some(score)));
            game.play(m)?;
            let decided = score.abs() >= DECIDED && winner.is_none_or(|w| w == ahead);
            agreed = if decided { agreed + 1 } else { 0 };
            winner = decided.then_some(ahead);
            if agreed >= DECIDED_PLIES {
                break;
            }
        }
        let winner = if agreed >= DECIDED_PLIES {
            winner
        } else {
            game.outcome().winner()
        };
        Ok(Sample {
            rules,
            start: sfen::format(game.start()),
            moves,
            winner,
        })
    }

    /// Random moves from where a game begins, if they leave a fair one.
    fn opening(&mut self, dice: &mut SmallRng) -> Option<Opening> {
        let mut game = self.beginning(dice)?;
        let mut moves = Vec::new();
        let (least, most) = self.plan.random_plies;
        for _ in 0..dice.random_range(least..=most.max(least)) {
            let list = game.position().game_moves();
            let m = *list.get(dice.random_range(0..list.len().max(1)))?;
            game.play(m).ok()?;
            moves.push((m, None));
        }
        self.engine.set_game(game.clone());
        let score = self.engine.search(&self.limits).score()?;
        (score.abs() <= self.plan.balance).then_some((game, moves))
    }

    /// The start position, or one from the openings, without what led to it.
    fn beginning(&self, dice: &mut SmallRng) -> Option<Game> {
        let openings = &self.plan.openings;
        let rules = self.engine.rules();
        if openings.is_empty() {
            return Game::new(sfen::start(), rules).ok();
        }
        let opening = &openings[dice.random_range(0..openings.len())];
        let plies = dice.random_range(0..=opening.moves().count());
        let mut game = Game::new(opening.start().clone(), rules).ok()?;
        // What one rule set forbids or ends, another may not.
        opening
            .moves()
            .take(plies)
            .try_for_each(|m| game.play(m))
            .ok()?;
        let start = game.position().setup();
        (!game.outcome().is_over()).then(|| Game::new(start, rules).ok())?
    }
}

type Opening = (Game, Vec<(crate::board::Move, Option<Score>)>);

/// The result for a side: 1 a win, 0 a loss, ½ a draw.
pub fn result_for(winner: Option<Color>, color: Color) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == color => 1.0,
        Some(_) => 0.0,
    }
}
