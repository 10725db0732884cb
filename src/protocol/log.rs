//! Writing to the other side, with a copy to a log file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An output whose every line is flushed, and logged if a file is set.
pub(super) struct Logged<W: Write> {
    output: W,
    log: Option<(PathBuf, File)>,
}

impl<W: Write> Logged<W> {
    pub(super) fn new(output: W) -> Logged<W> {
        Logged { output, log: None }
    }

    /// Logs to this file from now on, or to none.
    pub(super) fn log_to(&mut self, path: Option<&Path>) -> io::Result<()> {
        if self.log.as_ref().map(|(path, _)| path.as_path()) != path {
            self.log = None;
            if let Some(path) = path {
                let file = OpenOptions::new().create(true).append(true).open(path)?;
                self.log = Some((path.to_owned(), file));
            }
        }
        Ok(())
    }

    /// Logs what came in.
    pub(super) fn received(&mut self, line: &str) {
        self.note("<", line);
    }

    /// Writes a line, or several, and flushes.
    pub(super) fn send(&mut self, text: &str) -> io::Result<()> {
        self.note(">", text);
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }

    fn note(&mut self, direction: &str, text: &str) {
        if let Some((_, file)) = &mut self.log {
            // A full disk must not end a game.
            let _ = text
                .lines()
                .try_for_each(|line| writeln!(file, "{direction} {line}"));
        }
    }
}
