//! Results as they are kept: one JSON object a line, the match first, then a game each, in the order in which they end.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::board::Color;
use crate::notation::line;

/// A line of a result file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Match(MatchRecord),
    Game(Box<GameRecord>),
}

/// What is played: equal in all shards and after a pause.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRecord {
    /// A fingerprint of the rest; games of the same match and number are the same game.
    pub id: String,
    /// The engines in the order of the command line, each with its description.
    pub engines: Vec<(String, String)>,
    /// The rules and other conditions, as text.
    pub conditions: Vec<String>,
}

impl MatchRecord {
    /// A record with its fingerprint.
    pub fn new(engines: Vec<(String, String)>, conditions: Vec<String>) -> MatchRecord {
        let text = format!("{engines:?} {conditions:?}");
        // FNV-1a: the same on every machine and in every version of the standard library.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        MatchRecord {
            id: format!("{hash:016x}"),
            engines,
            conditions,
        }
    }
}

/// What an engine did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// It played what is no legal move, or claimed what is not so.
    Illegal,
    /// It took too long.
    Time,
    /// It did not answer at all.
    Hang,
    /// It died.
    Crash,
    /// It went away.
    Disconnect,
    /// It wrote without end.
    Flood,
    /// It cannot play this game.
    Unable,
}

impl Fault {
    /// All, in the order of reports.
    pub const ALL: [Fault; 7] = [
        Fault::Illegal,
        Fault::Time,
        Fault::Hang,
        Fault::Crash,
        Fault::Disconnect,
        Fault::Flood,
        Fault::Unable,
    ];

    /// The word that results use.
    pub fn word(self) -> &'static str {
        match self {
            Fault::Illegal => "illegal",
            Fault::Time => "time",
            Fault::Hang => "hang",
            Fault::Crash => "crash",
            Fault::Disconnect => "disconnect",
            Fault::Flood => "flood",
            Fault::Unable => "unable",
        }
    }
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody.
    Draw,
}

impl From<Option<Color>> for GameResult {
    fn from(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::Black) => GameResult::Black,
            Some(Color::White) => GameResult::White,
            None => GameResult::Draw,
        }
    }
}

/// A finished game. What there is for each move has no entries for the opening's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1.
    pub number: usize,
    /// The pair of games with colours swapped that it is one of; they have their opening in common.
    pub pair: Option<usize>,
    /// Which opening it began with.
    pub opening: usize,
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// Who won.
    pub result: GameResult,
    /// Why: as outcomes are written, or `resign`, `adjudicated`, `max-plies`, `points`, or a fault.
    pub reason: String,
    /// What the loser did wrong, if that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The fault in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The start position as USI writes it.
    pub start: String,
    /// How many of the moves are the opening's.
    pub book: usize,
    /// All moves, as USI writes them.
    pub moves: Vec<String>,
    /// The time of each move in ms.
    pub ms: Vec<f64>,
    /// The mover's main time after each move in ms; empty without clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock: Vec<f64>,
    /// The mover's score in centipawns.
    pub score: Vec<Option<i32>>,
    /// Depth in plies, 0 if the engine did not say.
    pub depth: Vec<u32>,
    /// Nodes, 0 if the engine did not say.
    pub nodes: Vec<u64>,
}

impl GameRecord {
    /// Its moves on a line, as USI writes a game.
    pub fn line(&self) -> String {
        line::join(self.start.clone(), &self.moves, " moves ")
    }
}

/// The results in a file, or in several that were put together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// Each match with its games.
    pub matches: Vec<(MatchRecord, Vec<GameRecord>)>,
}

impl Results {
    /// All games, each once however often the files have it.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        let mut seen = HashSet::new();
        let games = self
            .matches
            .iter()
            .flat_map(|(record, games)| games.iter().map(move |game| (record.id.as_str(), game)));
        games
            .filter(move |(id, game)| seen.insert((*id, game.number)))
            .map(|(_, game)| game)
    }
}

/// Reads results; gives the number of bytes up to the end of the last whole line, too. A last line without an end is that
/// of a runner that was killed, and is left out.
fn read_lines(file: &File, path: &Path, results: &mut Results) -> Result<u64> {
    let mut reader = BufReader::new(file);
    let (mut whole, mut number, mut line) = (0, 0, Vec::new());
    loop {
        line.clear();
        number += 1;
        let place = || format!("{} line {number}", path.display());
        let length = reader.read_until(b'\n', &mut line).with_context(place)?;
        if line.last() != Some(&b'\n') {
            return Ok(whole);
        }
        match serde_json::from_slice(&line).with_context(place)? {
            Line::Match(record) => results.matches.push((record, Vec::new())),
            Line::Game(game) => match results.matches.last_mut() {
                Some((_, games)) => games.push(*game),
                None => bail!("{}: a game before its match", place()),
            },
        }
        whole += length as u64;
    }
}

/// Reads result files.
///
/// # Errors
///
/// A file cannot be read, or a line of it is no result.
pub fn read(paths: &[impl AsRef<Path>]) -> Result<Results> {
    let mut results = Results::default();
    for path in paths {
        let path = path.as_ref();
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        read_lines(&file, path, &mut results)?;
    }
    Ok(results)
}

/// A file that games are appended to.
pub struct ResultFile {
    file: File,
}

impl ResultFile {
    /// Makes the file of a match; with `resume` goes on with one that may be there, and gives its games.
    ///
    /// # Errors
    ///
    /// The file is there without `resume`, is another match's, or cannot be written.
    pub fn open(
        path: &Path,
        record: &MatchRecord,
        resume: bool,
    ) -> Result<(ResultFile, Vec<GameRecord>)> {
        let name = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {name}"))?;
        let is_empty = file.metadata()?.len() == 0;
        ensure!(
            resume || is_empty,
            "{name} has results; go on with --resume or give another file"
        );
        let mut results = Results::default();
        let whole = read_lines(&file, path, &mut results)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::End(0))?;
        let mut file = ResultFile { file };
        if results.matches.is_empty() {
            file.append(&Line::Match(record.clone()))?;
        }
        let mut games = Vec::new();
        for (known, played) in results.matches {
            ensure!(
                known.id == record.id,
                "{name} is of another match: {:?} {:?} there, {:?} {:?} here",
                known.engines,
                known.conditions,
                record.engines,
                record.conditions
            );
            games.extend(played);
        }
        Ok((file, games))
    }

    fn append(&mut self, line: &Line) -> Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        // One call: a runner that is killed leaves a line or none, or one without an end.
        self.file.write_all(&text)?;
        Ok(())
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.append(&Line::Game(Box::new(game.clone())))
            .context("cannot write results")
    }
}
