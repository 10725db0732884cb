//! `train net`: a network learned from games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;

use super::files::write_whole;
use super::progress::{progress, watch_for_interrupt};
use crate::eval::Network;
use crate::train::calibration::Calibration;
use crate::train::games::{Sample, read_all};
use crate::train::samples::Samples;
use crate::train::targets::Targets;
use crate::train::trainer::{Model, Plan, Watch, train};
use crate::train::{curves, quantise};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sakijishi train net games.skj --out new.nnue --plot new.svg
  sakijishi train net games.skj --out new.nnue --resume
  sakijishi match --engine 'self option.EvalFile=new.nnue' --engine 'self name=old' --each nodes=2000

After each epoch the network is written, and beside it a checkpoint (new.nnue.checkpoint) to go on from.
Ctrl-C loses no more than the running epoch.")]
pub(super) struct Net {
    /// Files of self-play games, the newest last; those of a file should have been played with the same network
    #[arg(required = true, value_name = "FILES")]
    games: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Columns of a side's accumulator, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128)]
    hidden: usize,
    /// How often each position is used: more than twice learns games by heart
    #[arg(long, value_name = "N", default_value_t = 2)]
    epochs: usize,
    /// Positions a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// The size of the first steps
    #[arg(long, value_name = "RATE", default_value_t = 5e-4)]
    rate: f32,
    /// The size of the last steps
    #[arg(long, value_name = "RATE", default_value_t = 1e-5)]
    last_rate: f32,
    /// How strongly numbers are drawn to zero
    #[arg(long, value_name = "D", default_value_t = 0.01)]
    decay: f32,
    /// The share of the game's result in the target; the rest are scores
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    result_weight: f32,
    /// How much each later score counts compared with the one before; 0 for the position's own score alone
    #[arg(long, value_name = "GAMMA", default_value_t = 0.85)]
    look_ahead: f32,
    /// Centipawns that change the odds of winning by a factor of e; fitted to the last file if not given
    #[arg(long, value_name = "CP")]
    scale: Option<f32>,
    /// Go on from the checkpoint beside the network
    #[arg(long)]
    resume: bool,
    /// Draw the losses into this SVG picture
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Everything random follows from it
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads; more than a thirty-second of the columns do not help
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

impl Net {
    pub(super) fn run(&self) -> Result<()> {
        ensure!(
            self.hidden.is_multiple_of(32) && (32..=1024).contains(&self.hidden),
            "--hidden {}: a multiple of 32 up to 1024",
            self.hidden
        );
        let stop = watch_for_interrupt()?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.max(1));
        pool.build()?.install(|| self.train(&stop))
    }

    fn train(&self, stop: &AtomicBool) -> Result<()> {
        let sets: Result<Vec<_>> = self.games.iter().map(|file| self.set(file)).collect();
        let sets = sets?;
        let newest = sets.last().map_or(0.0, |(_, targets)| targets.scale);
        let scale = self.scale.unwrap_or(newest);
        let samples = Samples::new(&sets)?;
        let games: usize = sets.iter().map(|(games, _)| games.len()).sum();
        drop(sets);
        let plan = Plan {
            columns: self.hidden,
            epochs: self.epochs,
            batch: self.batch.max(1),
            rate: (self.rate, self.last_rate),
            decay: self.decay,
            seed: self.seed,
            scale,
        };
        println(&format!(
            "{games} games, {} positions, {} more to check, scale {scale}",
            samples.training.len(),
            samples.validation.len(),
        ))?;
        let [bare, result] = samples.piece_square_error(&samples.validation, scale);
        println(&format!(
            "piece-square values alone     validation {bare:.6}  results {result:.6}"
        ))?;
        let mut model = self.start(&plan)?;
        let mut progress = Progress {
            task: self,
            scale,
            bar: progress(Some(samples.training.len() as u64)),
            began: Instant::now(),
            learning: Duration::ZERO,
        };
        train(&mut model, &samples, &plan, stop, &mut progress)?;
        progress.bar.finish_and_clear();
        Ok(())
    }

    /// The games of a file, with what makes targets of them.
    fn set(&self, file: &Path) -> Result<(Vec<Sample>, Targets)> {
        let games = read_all(&[file])?;
        let what = || format!("{}: scores cannot be corrected", file.display());
        let calibration = Calibration::fit(&games).with_context(what)?;
        let targets = Targets {
            scale: calibration.scale(),
            result_share: self.result_weight,
            look_ahead: self.look_ahead,
            calibration: Some(calibration),
        };
        Ok((games, targets))
    }

    fn checkpoint(&self) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(".checkpoint");
        name.into()
    }

    /// A fresh model, or that of the checkpoint.
    fn start(&self, plan: &Plan) -> Result<Model> {
        if !self.resume {
            return Ok(Model::random(plan));
        }
        let path = self.checkpoint();
        let what = || format!("cannot resume from {}", path.display());
        let bytes = std::fs::read(&path).with_context(what)?;
        let model = Model::from_bytes(&bytes).with_context(what)?;
        if model.columns() != plan.columns {
            bail!("{}: it has {} columns", what(), model.columns());
        }
        Ok(model)
    }
}

/// Shows and keeps what training achieves.
struct Progress<'a> {
    task: &'a Net,
    scale: f32,
    bar: ProgressBar,
    /// When the running epoch began, and how long it has been learning.
    began: Instant,
    learning: Duration,
}

impl Watch for Progress<'_> {
    fn on_batch(&mut self, epoch: usize, seen: usize) {
        self.learning = self.began.elapsed();
        self.bar.set_position(seen as u64);
        self.bar
            .set_message(format!("epoch {epoch} of {}", self.task.epochs));
    }

    fn on_epoch(&mut self, model: &Model) -> Result<()> {
        let (number, task) = (model.losses.len(), self.task);
        if let Some(losses) = model.losses.last() {
            let line = format!(
                "epoch {number:>3}  training {:.6}  validation {:.6}  results {:.6}",
                losses.training, losses.validation, losses.result
            );
            self.bar.suspend(|| println(&line))?;
            let speed = self.bar.position() as f64 / self.learning.as_secs_f64().max(1e-9);
            let speed = format!("{:.2} million positions a second", speed / 1e6);
            self.bar.suspend(|| eprintln!("{speed}"));
        }
        let numbers = quantise::quantise(model, self.scale);
        Network::new(&numbers)?;
        write_whole(&task.out, &numbers.to_bytes())?;
        write_whole(&task.checkpoint(), &model.to_bytes())?;
        match &task.plot {
            Some(path) => write_whole(path, curves::svg(&model.losses)?.as_bytes()),
            None => Ok(()),
        }?;
        self.began = Instant::now();
        Ok(())
    }
}

fn println(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
