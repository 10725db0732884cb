//! How long work shows where it is, and how it is ended early.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A progress bar, or a spinner if there is no total, on a terminal's standard error; otherwise nothing is drawn.
pub(super) fn progress(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30} {pos}/{len} {elapsed} {wide_msg}",
        ),
        None => (ProgressBar::no_length(), "{spinner} {elapsed} {wide_msg}"),
    };
    if !io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// How often work that nobody watches on a terminal says how far it is.
const SAY_EVERY: Duration = Duration::from_secs(10);

/// Says now and then how far work is, in lines on standard error, if that is no terminal, which has a bar.
pub(super) struct Teller {
    said: Instant,
}

impl Teller {
    /// The first line comes after a while.
    pub(super) fn new() -> Teller {
        Teller {
            said: Instant::now(),
        }
    }

    /// Says a line if it is time for one.
    pub(super) fn tell(&mut self, line: impl FnOnce() -> String) {
        if self.said.elapsed() > SAY_EVERY && !io::stderr().is_terminal() {
            self.said = Instant::now();
            eprintln!("{}", line());
        }
    }
}

/// A flag that the first Ctrl-C raises, so that what is done can be kept; the second one ends the program.
pub(super) fn watch_for_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(stop)
}
