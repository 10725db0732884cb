//! Files of self-play games, about three bytes a ply.
//!
//! A file is a header and records, one a game, each with its length and a checksum, so that a file can be appended to,
//! and what an interruption left half written is noticed and cut off.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;

use crate::board::{Color, Game, Move, Position, RuleSet};
use crate::engine::score::Score;
use crate::notation::sfen;

const MAGIC: &[u8; 8] = b"SKJgame1";
/// No record is longer; a longer one is damage.
const LONGEST: usize = 1 << 20;

/// A self-play game with the score that each move was played for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The rules it was played by.
    pub rules: RuleSet,
    /// Where it started.
    pub start: String,
    /// The moves, with the mover's score in centipawns; `None` for a move that was not searched.
    pub moves: Vec<(Move, Option<Score>)>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

impl Sample {
    /// The start position.
    ///
    /// # Errors
    ///
    /// The file holds no position there.
    pub fn position(&self) -> Result<Position> {
        let setup = sfen::parse(&self.start)?;
        match Game::new(setup, self.rules.into()) {
            Ok(game) => Ok(game.position().clone()),
            Err(errors) => bail!("bad start position: {errors:?}"),
        }
    }

    /// Who moved first.
    pub fn turn(&self) -> Color {
        sfen::parse(&self.start).map_or(Color::Black, |setup| setup.turn)
    }

    fn encode(&self) -> Result<Vec<u8>> {
        let rules = RuleSet::ALL
            .iter()
            .position(|&set| set == self.rules)
            .unwrap_or(0);
        let winner = match self.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        let mut bytes = vec![rules as u8, winner];
        put(&mut bytes, self.start.len() as u64);
        bytes.extend(self.start.as_bytes());
        let mut position = self.position()?;
        let mut last = [0; 2];
        for &(m, score) in &self.moves {
            let index = listed(&position)
                .iter()
                .position(|&listed| listed == position.canonical(m));
            put(
                &mut bytes,
                index.context("a move that is not legal")? as u64,
            );
            let side = position.turn().index();
            // 0 is no score; otherwise the difference to the side's last one, the sign in the lowest bit.
            match score {
                None => put(&mut bytes, 0),
                Some(score) => {
                    let step = i64::from(score - last[side]);
                    put(&mut bytes, (((step << 1) ^ (step >> 63)) as u64) + 1);
                    last[side] = score;
                }
            }
            position.make(m);
        }
        Ok(bytes)
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Sample> {
        let mut rest = bytes;
        let [rules, winner] = *rest.split_off(..2).context("too short")? else {
            bail!("too short")
        };
        let rules = *RuleSet::ALL
            .get(usize::from(rules))
            .context("unknown rule set")?;
        let winner = match winner {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => bail!("unknown winner"),
        };
        let length = take(&mut rest)? as usize;
        let start = rest.split_off(..length).context("too short")?;
        let start = String::from_utf8(start.to_vec())?;
        let mut sample = Sample {
            rules,
            start,
            moves: Vec::new(),
            winner,
        };
        let mut position = sample.position()?;
        let mut last = [0; 2];
        while !rest.is_empty() {
            let index = take(&mut rest)? as usize;
            let m = *listed(&position)
                .get(index)
                .context("a move that is not legal")?;
            let side = position.turn().index();
            let score = match take(&mut rest)? {
                0 => None,
                code => {
                    let code = (code - 1) as i64;
                    last[side] += ((code >> 1) ^ -(code & 1)) as Score;
                    Some(last[side])
                }
            };
            sample.moves.push((m, score));
            position.make(m);
        }
        Ok(sample)
    }
}

/// The legal moves in an order that depends on nothing but the position.
fn listed(position: &Position) -> Vec<Move> {
    let mut moves = position.moves().to_vec();
    moves.sort_unstable();
    moves
}

/// Appends a number, seven bits a byte, low ones first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *rest.split_off_first().context("too short")?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    bail!("a number that is too long")
}

/// Reads the games of a file one by one.
pub struct Games<R: Read> {
    input: R,
    /// How many bytes have been read as whole records.
    good: u64,
}

impl Games<BufReader<File>> {
    /// Opens a file of games.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is none.
    pub fn open(path: &Path) -> Result<Games<BufReader<File>>> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        Games::new(BufReader::new(file)).with_context(|| format!("{}", path.display()))
    }
}

impl<R: Read + Seek> Games<R> {
    /// The bytes of the game that begins at a place.
    pub(super) fn record_at(&mut self, place: u64) -> Result<Vec<u8>> {
        self.input.seek(SeekFrom::Start(place))?;
        self.good = place;
        self.read_record()?.context("no game there")
    }
}

impl<R: Read> Games<R> {
    /// Reads from a stream.
    ///
    /// # Errors
    ///
    /// The header is not one of a game file.
    pub fn new(mut input: R) -> Result<Games<R>> {
        let mut magic = [0; 8];
        input.read_exact(&mut magic).context("no game file")?;
        ensure!(&magic == MAGIC, "no game file, or one of another version");
        Ok(Games {
            input,
            good: magic.len() as u64,
        })
    }

    /// Where the next game begins, in bytes.
    pub(super) fn place(&self) -> u64 {
        self.good
    }

    fn read(&mut self) -> Result<Option<Sample>> {
        let record = self.read_record()?;
        record.map(|bytes| Sample::decode(&bytes)).transpose()
    }

    /// The bytes of the next game, which are those that were written.
    pub(super) fn read_record(&mut self) -> Result<Option<Vec<u8>>> {
        let mut head = [0; 8];
        match self.input.read(&mut head[..1])? {
            0 => return Ok(None),
            _ => self
                .input
                .read_exact(&mut head[1..])
                .context("the last game is cut off")?,
        }
        let [a, b, c, d, checksum @ ..] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        ensure!(length <= LONGEST, "damaged: a game of {length} bytes");
        let mut bytes = vec![0; length];
        self.input
            .read_exact(&mut bytes)
            .context("the last game is cut off")?;
        ensure!(
            crc32fast::hash(&bytes) == u32::from_le_bytes(checksum),
            "damaged: wrong checksum"
        );
        self.good += (head.len() + length) as u64;
        Ok(Some(bytes))
    }
}

/// How many games are decoded at a time.
const CHUNK: usize = 1024;

/// All games of some files, decoded on all threads.
///
/// # Errors
///
/// A file cannot be read, is none, or is damaged.
pub fn read_all(files: &[impl AsRef<Path>]) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for file in files.iter().map(AsRef::as_ref) {
        let what = || format!("{}", file.display());
        let mut games = Games::open(file)?;
        loop {
            let mut records = Vec::new();
            while records.len() < CHUNK
                && let Some(record) = games.read_record().with_context(what)?
            {
                records.push(record);
            }
            let decoded: Result<Vec<Sample>> =
                records.par_iter().map(|r| Sample::decode(r)).collect();
            samples.extend(decoded.with_context(what)?);
            if records.len() < CHUNK {
                break;
            }
        }
    }
    Ok(samples)
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        let place = self.good;
        self.read()
            .with_context(|| format!("at byte {place}"))
            .transpose()
    }
}

/// Appends games to a file.
pub struct GameWriter {
    output: BufWriter<File>,
}

impl GameWriter {
    /// Opens a file to append to, or creates it. What an interruption left half written at its end is cut off. Gives the
    /// number of games that are there, too.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is no game file, or is damaged before its end.
    pub fn append(path: &Path) -> Result<(GameWriter, usize)> {
        let what = || format!("cannot append to {}", path.display());
        let mut count = 0;
        let mut good = 0;
        if path.exists() {
            let mut games = Games::open(path)?;
            loop {
                match games.read_record() {
                    Ok(Some(_)) => count += 1,
                    Ok(None) => break,
                    Err(error) if is_cut_off(&error) => break,
                    Err(error) => {
                        let place = games.good;
                        return Err(error.context(format!("{}, at byte {place}", path.display())));
                    }
                }
            }
            good = games.good;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(what)?;
        file.set_len(good).with_context(what)?;
        let mut output = BufWriter::new(file);
        if good == 0 {
            output.write_all(MAGIC)?;
        }
        Ok((GameWriter { output }, count))
    }

    /// Starts a new file in the place of any other.
    pub(super) fn create(path: &Path) -> Result<GameWriter> {
        let what = || format!("cannot write {}", path.display());
        let mut output = BufWriter::new(File::create(path).with_context(what)?);
        output.write_all(MAGIC).with_context(what)?;
        Ok(GameWriter { output })
    }

    /// Writes a game and flushes it.
    ///
    /// # Errors
    ///
    /// It cannot be written, or has an illegal move.
    pub fn write(&mut self, sample: &Sample) -> Result<()> {
        self.write_record(&sample.encode()?)?;
        self.flush()
    }

    /// Writes the bytes of a game.
    pub(super) fn write_record(&mut self, bytes: &[u8]) -> Result<()> {
        let mut record = Vec::with_capacity(bytes.len() + 8);
        record.extend((bytes.len() as u32).to_le_bytes());
        record.extend(crc32fast::hash(bytes).to_le_bytes());
        record.extend(bytes);
        Ok(self.output.write_all(&record)?)
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        Ok(self.output.flush()?)
    }
}

/// Whether a file ends where more was to come.
fn is_cut_off(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof)
}
