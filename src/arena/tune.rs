//! Tuning of an engine's numbers by games (SPSA, simultaneous perturbation stochastic approximation).
//!
//! In each round all values are moved a little at once, each to one side by chance; the engine with the moved values plays
//! some games against the engine with the opposite ones, and all values go a bit to where the better one was. However many
//! values there are, it takes the same number of games.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::report::Wdl;

/// How fast the steps shrink, and how fast the learning rate does: the usual exponents of the method.
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;
/// The share of all rounds by which the learning rate is held back at the start.
const HOLD: f64 = 0.1;

/// A number that is tuned: an option of the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Knob {
    /// The option.
    pub name: String,
    /// Where it starts.
    pub start: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// By how much it is moved in the last round.
    pub step: f64,
}

/// What is tuned, and how long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunePlan {
    /// The numbers.
    pub knobs: Vec<Knob>,
    /// How many rounds.
    pub rounds: usize,
    /// How far values go for each game won more than lost in the last round, as a share of their steps.
    pub rate: f64,
    /// What chance is made from.
    pub seed: u64,
}

/// A round that has been played, as the log has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// From 1.
    pub number: usize,
    /// Games won by the values that were moved up, less those lost.
    pub balance: i64,
    /// The values after it, in the plan's order.
    pub values: Vec<f64>,
}

/// An option with a value.
pub type Setting = (String, i64);

/// Plays the games of a round between engines with two settings, the first moved up where the second is moved down; gives the result of
/// the first, or `None` if it was interrupted.
pub type PlayRound<'a> = dyn FnMut(&[Setting], &[Setting], usize) -> Result<Option<Wdl>> + 'a;

/// A tuning run: where its values are.
pub struct Tuning {
    plan: TunePlan,
    values: Vec<f64>,
    done: usize,
    log: Option<File>,
}

impl Tuning {
    /// Starts, or goes on with what a log of the same plan says.
    ///
    /// # Errors
    ///
    /// The log cannot be read or written, or is one of another plan.
    pub fn open(plan: TunePlan, log: Option<&Path>) -> Result<Tuning> {
        let mut tuning = Tuning {
            values: plan.knobs.iter().map(|knob| knob.start).collect(),
            plan,
            done: 0,
            log: None,
        };
        if let Some(path) = log {
            tuning
                .read(path)
                .with_context(|| format!("log {}", path.display()))?;
        }
        Ok(tuning)
    }

    fn read(&mut self, path: &Path) -> Result<()> {
        let mut whole = 0;
        if path.exists() {
            let mut lines = BufReader::new(File::open(path)?);
            let mut line = String::new();
            for number in 0.. {
                line.clear();
                lines.read_line(&mut line)?;
                // A line without an end was cut off when the run was.
                if !line.ends_with('\n') {
                    break;
                }
                whole += line.len() as u64;
                if number == 0 {
                    let plan: TunePlan = serde_json::from_str(&line).context("line 1")?;
                    ensure!(
                        plan == self.plan,
                        "it is of another plan; take another file"
                    );
                } else {
                    let round: Round = serde_json::from_str(&line)
                        .with_context(|| format!("line {}", number + 1))?;
                    self.done = round.number;
                    self.values = round.values;
                }
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole)?;
        if whole == 0 {
            writeln!(file, "{}", serde_json::to_string(&self.plan)?)?;
        }
        self.log = Some(file);
        Ok(())
    }

    /// How many rounds are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The values as they are now, with the names of their options.
    pub fn values(&self) -> impl Iterator<Item = (&Knob, f64)> {
        self.plan.knobs.iter().zip(self.values.iter().copied())
    }

    /// Plays the next round, whose number `play` gets besides the settings. Gives the round, `None` if there is none left or it
    /// was interrupted.
    ///
    /// # Errors
    ///
    /// What `play` says, or the log cannot be written.
    pub fn round(&mut self, play: &mut PlayRound<'_>) -> Result<Option<Round>> {
        let number = self.done + 1;
        if number > self.plan.rounds {
            return Ok(None);
        }
        let mut dice = SmallRng::seed_from_u64(self.plan.seed.wrapping_add(number as u64));
        let rounds = self.plan.rounds as f64;
        let wider = (rounds / number as f64).powf(GAMMA);
        let hold = HOLD * rounds;
        let faster = ((hold + rounds) / (hold + number as f64)).powf(ALPHA);
        let signs: Vec<f64> = self
            .values
            .iter()
            .map(|_| if dice.random() { 1.0 } else { -1.0 })
            .collect();
        let mut settings = |side: f64| -> Vec<Setting> {
            let knobs = self.plan.knobs.iter().zip(&self.values).zip(&signs);
            knobs
                .map(|((knob, value), sign)| {
                    let moved = value + side * sign * knob.step * wider;
                    // Rounded up or down by chance, so that small steps have an effect too.
                    let whole = (moved.clamp(knob.min, knob.max) + dice.random::<f64>()).floor();
                    (knob.name.clone(), whole.min(knob.max) as i64)
                })
                .collect()
        };
        let (up, down) = (settings(1.0), settings(-1.0));
        let Some(result) = play(&up, &down, number)? else {
            return Ok(None);
        };
        let balance = result.wins as i64 - result.losses as i64;
        let knobs = self.plan.knobs.iter().zip(&mut self.values).zip(&signs);
        for ((knob, value), sign) in knobs {
            // The learning rate over the step: both shrink, the rate faster.
            let stride = self.plan.rate * knob.step * faster / wider;
            *value = (*value + stride * balance as f64 * sign).clamp(knob.min, knob.max);
        }
        self.done = number;
        let round = Round {
            number,
            balance,
            values: self.values.clone(),
        };
        if let Some(log) = &mut self.log {
            writeln!(log, "{}", serde_json::to_string(&round)?)?;
        }
        Ok(Some(round))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(rounds: usize) -> TunePlan {
        let knob = |name: &str, start| Knob {
            name: name.to_owned(),
            start,
            min: 0.0,
            max: 100.0,
            step: 5.0,
        };
        TunePlan {
            knobs: vec![knob("a", 10.0), knob("b", 90.0)],
            rounds,
            rate: 0.05,
            seed: 3,
        }
    }

    /// Wins where it is nearer to a = 60, b = 30, more often the more it is.
    fn nearer(up: &[Setting], down: &[Setting], round: usize) -> Result<Option<Wdl>> {
        let distance = |set: &[Setting]| {
            let square = |n: usize, goal: i64| ((set[n].1 - goal) as f64).powi(2);
            square(0, 60) + square(1, 30)
        };
        let edge = ((distance(down) - distance(up)) / 500.0).tanh();
        let mut dice = SmallRng::seed_from_u64(round as u64);
        let mut wdl = Wdl::default();
        for _ in 0..16 {
            if dice.random_bool((1.0 + edge) / 2.0) {
                wdl.wins += 1;
            } else {
                wdl.losses += 1;
            }
        }
        Ok(Some(wdl))
    }

    #[test]
    fn it_finds_the_best_values() {
        let mut tuning = Tuning::open(plan(400), None).unwrap();
        while tuning.round(&mut nearer).unwrap().is_some() {}
        let values: Vec<f64> = tuning.values().map(|(_, value)| value).collect();
        assert!((values[0] - 60.0).abs() < 6.0, "{values:?}");
        assert!((values[1] - 30.0).abs() < 6.0, "{values:?}");
    }

    #[test]
    fn an_interrupted_run_goes_on_as_if_it_had_not_been() {
        let path = std::env::temp_dir().join(format!("sakijishi-tune-{}", std::process::id()));
        let mut whole = Tuning::open(plan(30), None).unwrap();
        while whole.round(&mut nearer).unwrap().is_some() {}
        let mut part = Tuning::open(plan(30), Some(&path)).unwrap();
        for _ in 0..7 {
            part.round(&mut nearer).unwrap();
        }
        drop(part);
        let mut cut = OpenOptions::new().append(true).open(&path).unwrap();
        cut.write_all(b"{\"number\":8,").unwrap();
        let mut rest = Tuning::open(plan(30), Some(&path)).unwrap();
        assert_eq!(rest.done(), 7);
        while rest.round(&mut nearer).unwrap().is_some() {}
        assert_eq!(rest.values, whole.values);
        assert!(Tuning::open(plan(31), Some(&path)).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
