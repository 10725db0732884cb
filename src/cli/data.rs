//! `data`: files of self-play games.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use crate::train::dataset::{self, Info};

/// Look into files of self-play games, check them, put them together.
#[derive(Args, Debug)]
pub(super) struct Data {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Say what is in files: games, plies, positions, results, rule sets, scores
    Info {
        #[command(flatten)]
        files: Files,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Decode every game; say where a file is damaged
    Check(Files),
    /// Write all games into one new file, in their order
    Merge(Output),
    /// Write all games into one new file, in random order
    Shuffle {
        #[command(flatten)]
        output: Output,
        /// The order follows from it
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Args, Debug)]
struct Files {
    /// Files of games
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
struct Output {
    #[command(flatten)]
    files: Files,
    /// The file to write; there must be none of this name yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Data {
    pub(super) fn run(&self) -> Result<()> {
        match &self.what {
            What::Info { files, json } => {
                let info = Info::read(&files.files)?;
                let text = match json {
                    true => serde_json::to_string(&info)? + "\n",
                    false => info.to_string(),
                };
                write!(io::stdout(), "{text}")?;
            }
            What::Check(files) => return check(&files.files),
            What::Merge(output) => {
                let count = dataset::merge(&output.files.files, &output.out)?;
                writeln!(io::stdout(), "{count} games")?;
            }
            What::Shuffle { output, seed } => {
                let count = dataset::shuffle(&output.files.files, &output.out, *seed)?;
                writeln!(io::stdout(), "{count} games")?;
            }
        }
        Ok(())
    }
}

fn check(files: &[PathBuf]) -> Result<()> {
    let mut damaged = 0;
    for file in files {
        match dataset::check(file) {
            Ok(count) => writeln!(io::stdout(), "{}: {count} games", file.display())?,
            Err(error) => {
                damaged += 1;
                writeln!(io::stdout(), "{error:#}")?;
            }
        }
    }
    if damaged > 0 {
        bail!("{damaged} of {} files cannot be used", files.len());
    }
    Ok(())
}
