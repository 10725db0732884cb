//! A raw log of everything that is said to and by the engines.

use std::fs::File;
use std::io::{LineWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::protocol::client::{Direction, Tap};

/// A log file that many engines share.
#[derive(Clone)]
pub struct RawLog {
    file: Arc<Mutex<LineWriter<File>>>,
    started: Instant,
}

impl RawLog {
    /// Makes the file, or adds to it.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn open(path: &Path) -> Result<RawLog> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(RawLog {
            file: Arc::new(Mutex::new(LineWriter::new(file))),
            started: Instant::now(),
        })
    }

    /// What writes down the lines of an engine: seconds, the game slot, the engine, the direction, the line.
    pub fn tap(&self, slot: usize, engine: &str) -> Tap {
        let (log, engine) = (self.clone(), engine.to_owned());
        Arc::new(move |direction, line| {
            let sign = match direction {
                Direction::Sent => '>',
                Direction::Received => '<',
                Direction::Complaint => '!',
            };
            let time = log.started.elapsed().as_secs_f64();
            let mut file = log.file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk must not end a match.
            let _ = writeln!(file, "{time:.4} {slot} {engine} {sign} {line}");
        })
    }
}
