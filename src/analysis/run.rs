//! Searching the positions of games, several at a time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::{Analysis, Verdict};
use crate::board::Game;
use crate::engine::{Engine, Event, Limits, OptionError, Report, finished_score};

/// How to analyse.
#[derive(Clone, Debug)]
pub struct Plan {
    /// For each position.
    pub limits: Limits,
    /// Options of the engine, the rules among them.
    pub options: Vec<(String, String)>,
    /// How many positions to search at the same time.
    pub jobs: usize,
}

impl Default for Plan {
    /// One position at a time, for a second each.
    fn default() -> Plan {
        Plan {
            limits: Limits {
                move_time: Some(Duration::from_secs(1)),
                ..Limits::default()
            },
            options: Vec::new(),
            jobs: 1,
        }
    }
}

/// A position has got its verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct News {
    /// Which game.
    pub game: usize,
    /// After how many plies.
    pub after: usize,
    /// How many positions are done, of those that were to be searched.
    pub done: usize,
    /// How many were to be searched.
    pub total: usize,
}

/// How often a search is asked to stop if it is to.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Searches every position of the games that has no verdict yet, in their order, until `stop` is raised. `on_news` hears
/// of each, and sees the games as they are.
///
/// Every position is searched with an empty table, so with limits of depth or nodes and one thread the verdicts depend
/// neither on `jobs` nor on what was known before.
///
/// # Errors
///
/// An option that the engine does not know.
pub fn run(
    analyses: &mut [Analysis],
    plan: &Plan,
    stop: &AtomicBool,
    mut on_news: impl FnMut(News, &[Analysis]),
) -> Result<(), OptionError> {
    let mut engines = (0..plan.jobs.max(1))
        .map(|_| engine(plan))
        .collect::<Result<Vec<_>, _>>()?;
    let open: Vec<(usize, usize)> = open(analyses).collect();
    let total = open.len();
    engines.truncate(total);
    let (next, games) = (AtomicUsize::new(0), analyses.to_vec());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut engine in engines {
            let (sender, next, open, games) = (sender.clone(), &next, &open, &games);
            scope.spawn(move || {
                while let Some(&(game, after)) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let position = games[game].game_after(after);
                    let Some(verdict) = verdict(&mut engine, position, plan, stop) else {
                        break;
                    };
                    if sender.send((game, after, verdict)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (done, (game, after, verdict)) in receiver.iter().enumerate() {
            analyses[game].set_verdict(after, verdict);
            let news = News {
                game,
                after,
                done: done + 1,
                total,
            };
            on_news(news, analyses);
        }
    });
    Ok(())
}

/// The positions without verdict: which game, and after how many plies.
fn open(analyses: &[Analysis]) -> impl Iterator<Item = (usize, usize)> {
    analyses.iter().enumerate().flat_map(|(n, analysis)| {
        let plies = 0..=analysis.plies();
        plies
            .filter(|&after| analysis.verdict(after).is_none())
            .map(move |after| (n, after))
    })
}

fn engine(plan: &Plan) -> Result<Engine, OptionError> {
    let mut engine = Engine::new();
    for (name, value) in &plan.options {
        engine.set_option(name, value)?;
    }
    engine.set_option("USI_AnalyseMode", "true")?;
    Ok(engine)
}

/// Searches a position; `None` if it was stopped.
fn verdict(engine: &mut Engine, game: Game, plan: &Plan, stop: &AtomicBool) -> Option<Verdict> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let outcome = game.outcome();
    if outcome.is_over() {
        return Some(Verdict {
            score: finished_score(game.position(), outcome),
            depth: 0,
            nodes: 0,
            line: Vec::new(),
        });
    }
    engine.new_game();
    engine.set_game(game);
    let report = search(engine, &plan.limits, stop)?;
    let best = report.lines.first()?;
    Some(Verdict {
        score: best.score,
        depth: best.depth,
        nodes: report.nodes,
        line: best.pv.clone(),
    })
}

/// Searches until the limits or `stop` end it, in which case what it found is not worth anything.
fn search(engine: &mut Engine, limits: &Limits, stop: &AtomicBool) -> Option<Report> {
    let (sender, receiver) = mpsc::channel();
    engine.go(limits, move |event| tell_end(&sender, &event));
    while receiver.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        if stop.load(Ordering::Relaxed) {
            engine.finish();
            return None;
        }
    }
    engine.wait()
}

fn tell_end(sender: &Sender<()>, event: &Event) {
    if matches!(event, Event::Best { .. }) {
        // Nobody listens any more once the search was stopped.
        let _ = sender.send(());
    }
}
