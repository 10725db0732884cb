//! What can be done with files of games as wholes: looking into them, checking them, putting them together.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::games::{GameWriter, Games, Sample};
use super::targets::teaches;
use crate::board::Color;

/// Upper ends of the ranges of scores that are counted, in centipawns; one more range has the rest.
const RANGES: [i32; 7] = [50, 100, 200, 400, 800, 1_600, 3_200];

/// What is in files of games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Info {
    /// Games.
    pub games: usize,
    /// Moves of all games.
    pub plies: usize,
    /// Moves that were searched.
    pub scored: usize,
    /// Positions that a network would learn from.
    pub positions: usize,
    /// Games that Black won, that White won, and draws.
    pub results: [usize; 3],
    /// Games by rule set.
    pub rules: BTreeMap<&'static str, usize>,
    /// Plies of the shortest and of the longest game.
    pub lengths: Option<(usize, usize)>,
    /// Moves by the size of their score, in centipawns; each range has its upper end, the last none.
    pub scores: Vec<(Option<i32>, usize)>,
}

impl Info {
    /// Reads files, game by game.
    ///
    /// # Errors
    ///
    /// A file cannot be read or is damaged.
    pub fn read(files: &[impl AsRef<Path>]) -> Result<Info> {
        let ends = RANGES.map(Some).into_iter().chain([None]);
        let mut info = Info {
            scores: ends.map(|end| (end, 0)).collect(),
            ..Info::default()
        };
        for file in files.iter().map(AsRef::as_ref) {
            for sample in Games::open(file)? {
                info.add(&sample.with_context(|| format!("{}", file.display()))?)?;
            }
        }
        Ok(info)
    }

    fn add(&mut self, sample: &Sample) -> Result<()> {
        let plies = sample.moves.len();
        self.games += 1;
        self.plies += plies;
        let (least, most) = self.lengths.unwrap_or((plies, plies));
        self.lengths = Some((least.min(plies), most.max(plies)));
        *self.rules.entry(sample.rules.word()).or_default() += 1;
        self.results[match sample.winner {
            Some(Color::Black) => 0,
            Some(Color::White) => 1,
            None => 2,
        }] += 1;
        let mut position = sample.position()?;
        for &(m, score) in &sample.moves {
            self.positions += usize::from(teaches(&position, m, score));
            if let Some(score) = score {
                self.scored += 1;
                let in_range = |end: Option<i32>| end.is_none_or(|end| score.abs() < end);
                let range = self.scores.iter_mut().find(|(end, _)| in_range(*end));
                range.into_iter().for_each(|(_, count)| *count += 1);
            }
            position.make(m);
        }
        Ok(())
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let [black, white, draws] = self.results;
        writeln!(f, "games      {}", self.games)?;
        let mean = self.plies as f64 / self.games.max(1) as f64;
        let (least, most) = self.lengths.unwrap_or_default();
        writeln!(
            f,
            "plies      {} ({mean:.0} a game, {least} to {most})",
            self.plies
        )?;
        writeln!(f, "scored     {}", self.scored)?;
        writeln!(f, "positions  {} to learn from", self.positions)?;
        for (word, count) in &self.rules {
            writeln!(f, "rules      {word} {:.1} %", share(*count, self.games))?;
        }
        writeln!(
            f,
            "results    Black {:.1} %, White {:.1} %, draws {:.1} %",
            share(black, self.games),
            share(white, self.games),
            share(draws, self.games)
        )?;
        let mut from = 0;
        for &(end, count) in &self.scores {
            let range = match end {
                Some(end) => format!("{from} to {}", end - 1),
                None => format!("{from} or more"),
            };
            writeln!(
                f,
                "scores     {range:<13} {:>5.1} %",
                share(count, self.scored)
            )?;
            from = end.unwrap_or(from);
        }
        Ok(())
    }
}

/// How many games a file has; every one is decoded.
///
/// # Errors
///
/// The file cannot be read, or where it is damaged.
pub fn check(file: &Path) -> Result<usize> {
    let mut count = 0;
    for sample in Games::open(file)? {
        sample.with_context(|| format!("{}: after {count} games", file.display()))?;
        count += 1;
    }
    Ok(count)
}

/// Writes the games of some files into one, in their order; gives their number. The file is written whole or not at all.
///
/// # Errors
///
/// A file cannot be read or written, or is damaged.
pub fn merge(files: &[impl AsRef<Path>], out: &Path) -> Result<usize> {
    write_whole(out, |writer| {
        let mut count = 0;
        for file in files.iter().map(AsRef::as_ref) {
            let mut games = Games::open(file)?;
            let what = |place: u64| format!("{}, at byte {place}", file.display());
            loop {
                let place = games.place();
                let Some(record) = games.read_record().with_context(|| what(place))? else {
                    break;
                };
                writer.write_record(&record)?;
                count += 1;
            }
        }
        Ok(count)
    })
}

/// Writes the games of some files into one, in an order that follows from the seed; gives their number. Only their places
/// are kept in memory.
///
/// # Errors
///
/// A file cannot be read or written, or is damaged.
pub fn shuffle(files: &[impl AsRef<Path>], out: &Path, seed: u64) -> Result<usize> {
    let (mut places, mut sources) = (Vec::new(), Vec::new());
    for (n, file) in files.iter().map(AsRef::as_ref).enumerate() {
        let mut games = Games::open(file)?;
        loop {
            let place = games.place();
            let what = || format!("{}, at byte {place}", file.display());
            if games.read_record().with_context(what)?.is_none() {
                break;
            }
            places.push((n, place));
        }
        sources.push(games);
    }
    places.shuffle(&mut SmallRng::seed_from_u64(seed));
    write_whole(out, |writer| {
        for &(n, place) in &places {
            writer.write_record(&sources[n].record_at(place)?)?;
        }
        Ok(places.len())
    })
}

/// Fills a file beside the wanted one, and gives it its name when it is complete.
fn write_whole(out: &Path, fill: impl FnOnce(&mut GameWriter) -> Result<usize>) -> Result<usize> {
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    ensure!(!out.exists(), "{} is there already", out.display());
    let mut writer = GameWriter::create(&part)?;
    let count = fill(&mut writer)?;
    writer.flush()?;
    fs::rename(&part, out).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(count)
}
