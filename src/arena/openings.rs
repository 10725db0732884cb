//! Where games start: positions from a file, or random moves that a short search finds balanced.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use crate::board::{Game, Rules};
use crate::engine::{Engine, Limits};
use crate::notation::{line, sfen};

/// A search of this many nodes judges whether a random opening is balanced.
const NODES: u64 = 5_000;
/// So many random openings in a row that are not balanced mean that none is to be had.
const TRIES: usize = 10_000;

/// The openings of a match. The n-th one depends on nothing but n and these settings.
pub enum Openings {
    /// One after the other, again from the first when they run out.
    List(Vec<Game>),
    /// Random moves.
    Random(Box<RandomOpenings>),
}

/// How random openings are made.
pub struct RandomOpenings {
    /// How many moves.
    pub plies: RangeInclusive<usize>,
    /// What makes them different from other matches'.
    pub seed: u64,
    /// The largest score for either side that is balanced, in centipawns.
    pub balance: i32,
    /// The rules to play by.
    pub rules: Rules,
    /// The options of our engine that make these rules.
    pub options: Vec<(String, String)>,
    /// Those that are known: both games of a pair want the same.
    pub known: Mutex<HashMap<usize, Arc<Mutex<Option<Game>>>>>,
}

impl Openings {
    /// Reads a file: a position or a game a line, as USI writes them. Blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a line is no game that goes on; which one.
    pub fn read(path: &Path, rules: Rules, shuffle: Option<u64>) -> Result<Openings> {
        let mut games = read_games(path, rules, |game| {
            ensure!(!game.outcome().is_over(), "the game is over");
            Ok(())
        })?;
        if let Some(seed) = shuffle {
            games.shuffle(&mut SmallRng::seed_from_u64(seed));
        }
        Ok(Openings::List(games))
    }

    /// The opening with a number, from 0.
    ///
    /// # Errors
    ///
    /// No random opening is balanced.
    pub fn get(&self, number: usize) -> Result<Game> {
        match self {
            Openings::List(games) => games
                .get(number % games.len().max(1))
                .cloned()
                .context("there are no openings"),
            Openings::Random(random) => random.get(number),
        }
    }

    /// Makes a random opening that was played before the known one, whatever would be made of its number now.
    pub fn remember(&self, number: usize, game: Game) {
        if let Openings::Random(random) = self {
            *lock(&random.cell(number)) = Some(game);
        }
    }
}

/// Reads a file: a position or a game a line, as USI writes them, by these rules, each accepted by `check`. Blank lines and
/// lines that begin with `#` are skipped.
///
/// # Errors
///
/// The file cannot be read or has no games, or a line is no game or not accepted; which one.
pub fn read_games(
    path: &Path,
    rules: Rules,
    check: impl Fn(&Game) -> Result<()>,
) -> Result<Vec<Game>> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read openings from {name}"))?;
    let mut games = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("{name} line {}", n + 1);
        let game = line::parse(line)
            .and_then(|game| game.play(rules))
            .with_context(place)?;
        check(&game).with_context(place)?;
        games.push(game);
    }
    ensure!(!games.is_empty(), "{name} has no openings");
    Ok(games)
}

/// What a thread that panicked has left is whole: openings are set in one go.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RandomOpenings {
    fn cell(&self, number: usize) -> Arc<Mutex<Option<Game>>> {
        Arc::clone(lock(&self.known).entry(number).or_default())
    }

    fn get(&self, number: usize) -> Result<Game> {
        let cell = self.cell(number);
        let mut known = lock(&cell);
        if let Some(game) = &*known {
            return Ok(game.clone());
        }
        let game = self.make(number)?;
        *known = Some(game.clone());
        Ok(game)
    }

    fn make(&self, number: usize) -> Result<Game> {
        let step = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut rng = SmallRng::seed_from_u64(self.seed.wrapping_add(step));
        let mut engine = Engine::new();
        for (name, value) in &self.options {
            engine.set_option(name, value)?;
        }
        engine.set_option("USI_Hash", "1")?;
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        for _ in 0..TRIES {
            let Some(game) = self.wander(&mut rng) else {
                continue;
            };
            engine.new_game();
            engine.set_game(game.clone());
            let score = engine.search(&limits).score();
            if score.is_some_and(|score| score.abs() <= self.balance) {
                return Ok(game);
            }
        }
        anyhow::bail!(
            "no opening of {}-{} random plies is balanced to {} centipawns",
            self.plies.start(),
            self.plies.end(),
            self.balance
        )
    }

    /// Random moves from the start position; `None` if the game ends.
    fn wander(&self, rng: &mut SmallRng) -> Option<Game> {
        let mut game = Game::new(sfen::start(), self.rules).ok()?;
        for _ in 0..rng.random_range(self.plies.clone()) {
            let moves = game.position().game_moves();
            let m = *moves.get(rng.random_range(0..moves.len().max(1)))?;
            game.play(m).ok()?;
        }
        (!game.outcome().is_over()).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: u64) -> Openings {
        Openings::Random(Box::new(RandomOpenings {
            plies: 8..=12,
            seed,
            balance: 150,
            rules: Rules::default(),
            options: Vec::new(),
            known: Mutex::default(),
        }))
    }

    #[test]
    fn same_seed_same_openings() {
        let (one, two) = (random(7), random(7));
        let games = [3, 0, 1].map(|n| one.get(n).unwrap());
        let again = [1, 0, 3].map(|n| two.get(n).unwrap());
        assert_eq!(games[2], again[0]);
        assert_eq!(games[0], again[2]);
        assert_ne!(games[0], games[1]);
        assert_ne!(random(8).get(0).unwrap(), games[1]);
        for game in games {
            assert!((8..=12).contains(&game.position().made()));
        }
    }
}
