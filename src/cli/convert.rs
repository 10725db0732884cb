//! `convert`: game records from one format to another.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::files::write_whole;
use super::position::RuleArgs;
use crate::board::Rules;
use crate::notation::encoding::{self, Encoding};
use crate::notation::format::Format;
use crate::notation::reading::{Broken, Reading};
use crate::notation::style::Style;

/// Convert game records: KIF, PGN, USI and ChuShogiLite lines; to JSON and text too.
///
/// The format of the input is told from its content, and its encoding too: UTF-8 or Shift-JIS. A file may hold many
/// games. What can be read of a broken game is written nevertheless; a message on standard error says in which line it
/// breaks off, and the exit status is 2.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi convert game.kif --to pgn --out game.pgn
  sakijishi convert *.kif --to usi | sakijishi analyse --depth 12
  sakijishi convert game.pgn --to kif --encoding shift-jis --out game.kif
  echo 'startpos moves 7j7h 6c7e' | sakijishi convert --to text --notation japanese")]
pub(super) struct Convert {
    /// Files; standard input if there are none, or for `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What to write: kif, pgn, usi, sfen (ChuShogiLite's lines), json or text
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// What to read, if not what the content looks like
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Where to write, all at once when everything is read; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The encoding to write: utf-8 or shift-jis
    #[arg(long, value_name = "NAME", default_value_t)]
    encoding: Encoding,
    /// How text shows moves: usi, japanese or western
    #[arg(long, value_name = "NAME", default_value_t)]
    notation: Style,
    #[command(flatten)]
    rules: RuleArgs,
}

impl Convert {
    pub(super) fn run(&self) -> Result<ExitCode> {
        let rules = self.rules.rules()?;
        if let Some(format) = self.from.filter(|format| !format.is_readable()) {
            bail!("{format} is only written");
        }
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() {
            &standard_input[..]
        } else {
            &self.files
        };
        let mut output = String::new();
        let mut is_whole = true;
        for file in files {
            match read_records(file, self.from, rules) {
                Ok(readings) => is_whole &= self.write_readings(readings, file, rules, &mut output),
                Err(error) => {
                    eprintln!("{}: {error:#}", name(file));
                    is_whole = false;
                }
            }
        }
        if is_whole || !output.is_empty() {
            let bytes = encoding::encode(&output, self.encoding)?;
            write_whole(self.out.as_deref().unwrap_or(Path::new("-")), &bytes)?;
        }
        Ok(if is_whole {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(2)
        })
    }

    /// Writes what could be read of each game; whether that is everything.
    fn write_readings(
        &self,
        readings: Vec<Reading>,
        file: &Path,
        rules: Rules,
        output: &mut String,
    ) -> bool {
        let mut is_whole = true;
        for Reading { record, error } in readings {
            let is_worth_it = error.is_none() || !record.main.plies.is_empty();
            if let Some(error) = error {
                eprintln!("{}: {error}", name(file));
                is_whole = false;
            }
            if is_worth_it {
                if !output.is_empty() {
                    output.push_str(self.to.separator());
                }
                output.push_str(&self.to.write(&record, rules, self.notation));
            }
        }
        is_whole
    }
}

/// The games of a file, or of standard input for `-`, in this format or in the one that the content looks like.
pub(super) fn read_records(
    file: &Path,
    format: Option<Format>,
    rules: Rules,
) -> Result<Vec<Reading>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(file)?;
    }
    let decoded = encoding::decode(&bytes);
    let broken = decoded.error.map(|(line, error)| Broken {
        line,
        problem: error.into(),
    });
    let mut readings = match format.or_else(|| Format::recognise(&decoded.text)) {
        Some(format) => format.read(&decoded.text, rules),
        None => Vec::new(),
    };
    match (readings.last_mut(), broken) {
        // What follows from the text's being cut off is not what is wrong.
        (Some(last), Some(broken)) => last.error = Some(broken),
        (None, Some(broken)) => return Err(broken.into()),
        (None, None) => bail!("no game in any format that can be read"),
        (Some(_), None) => {}
    }
    Ok(readings)
}

pub(super) fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}
