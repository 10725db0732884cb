//! How long to think.

use std::time::{Duration, Instant};

use super::limits::{ClockLimits, Limits};

/// How many own moves a game is planned for at its start.
const GAME: u32 = 120;
/// How many more own moves it is planned for however long it has lasted.
const HORIZON: u32 = 42;
/// The share of the increment that is spent at once.
const INCREMENT_SHARE: f64 = 0.8;
/// How much longer than planned a move may take when the position is unclear.
const STRETCH: f64 = 5.0;
/// What is kept of byoyomi, a share of it but no more than this: it is lost by a hair where many programs share a machine.
const BYOYOMI_KEPT: (u32, Duration) = (8, Duration::from_millis(100));
/// The largest share of the clock that one move may take.
const CLOCK_SHARE: f64 = 0.5;

/// The times at which a search ends, counted from its start or from the ponderhit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Budget {
    /// No new iteration is begun after this.
    pub(super) soft: Option<Duration>,
    /// The search is broken off after this.
    pub(super) hard: Option<Duration>,
}

impl Budget {
    /// The budget of a move that comes after `ply` plies of the game.
    pub(super) fn new(limits: &Limits, ply: u32) -> Budget {
        let mut budget = Budget {
            soft: None,
            hard: None,
        };
        if let Some(clock) = &limits.clock {
            let (soft, hard) = plan(clock, limits.overhead, ply);
            budget = Budget {
                soft: Some(soft),
                hard: Some(hard),
            };
        }
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(limits.overhead).max(LEAST);
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }
}

/// The least time for a move, whatever the clock says.
const LEAST: Duration = Duration::from_millis(1);

fn plan(clock: &ClockLimits, overhead: Duration, ply: u32) -> (Duration, Duration) {
    let left = GAME.saturating_sub(ply / 2).max(HORIZON);
    let moves = clock.moves_to_go.unwrap_or(left).clamp(1, left);
    let main = clock.main;
    let share = main / moves + clock.increment.mul_f64(INCREMENT_SHARE);
    // While there is main time, byoyomi is spent on top of it; then it is all there is.
    let soft = share
        + clock
            .byoyomi
            .mul_f64(if main.is_zero() { 1.0 } else { 0.7 });
    let kept = (clock.byoyomi / BYOYOMI_KEPT.0).min(BYOYOMI_KEPT.1);
    let last = moves == 1 || clock.byoyomi >= main;
    let ceiling = main.mul_f64(if last { 1.0 } else { CLOCK_SHARE }) + clock.byoyomi;
    let ceiling = (ceiling + clock.increment.min(main))
        .min(main + clock.byoyomi)
        .saturating_sub(overhead.max(kept))
        .max(LEAST);
    let hard = soft.mul_f64(STRETCH).max(LEAST).min(ceiling);
    (soft.min(hard), hard)
}

/// A stopwatch that starts again on a ponderhit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    started: Instant,
    clock_started: Option<Instant>,
    pub(super) budget: Budget,
}

impl Clock {
    pub(super) fn start(limits: &Limits, ply: u32) -> Clock {
        let now = Instant::now();
        Clock {
            started: now,
            clock_started: (!limits.ponder).then_some(now),
            budget: Budget::new(limits, ply),
        }
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the hard limit is over; `pondering` keeps the clock from starting.
    pub(super) fn is_over(&mut self, pondering: bool) -> bool {
        self.is_past(self.budget.hard, pondering)
    }

    /// Whether `factor` times the soft limit is over.
    pub(super) fn is_past_soft(&mut self, factor: f64, pondering: bool) -> bool {
        self.is_past(self.budget.soft.map(|soft| soft.mul_f64(factor)), pondering)
    }

    fn is_past(&mut self, limit: Option<Duration>, pondering: bool) -> bool {
        if pondering {
            return false;
        }
        let started = *self.clock_started.get_or_insert_with(Instant::now);
        limit.is_some_and(|limit| started.elapsed() >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn budget(main: u64, increment: u64, byoyomi: u64) -> (Duration, Duration) {
        let clock = ClockLimits {
            main: ms(main),
            increment: ms(increment),
            byoyomi: ms(byoyomi),
            moves_to_go: None,
        };
        let limits = Limits {
            clock: Some(clock),
            overhead: ms(30),
            ..Limits::default()
        };
        let budget = Budget::new(&limits, 0);
        (budget.soft.unwrap(), budget.hard.unwrap())
    }

    #[test]
    fn never_more_than_there_is() {
        for main in [0, 1, 20, 50, 100, 1_000, 10_000, 600_000] {
            for increment in [0, 100, 5_000] {
                for byoyomi in [0, 50, 500, 10_000] {
                    let (soft, hard) = budget(main, increment, byoyomi);
                    let left = ms((main + byoyomi).saturating_sub(30)).max(LEAST);
                    assert!(soft <= hard && hard <= left, "{main}+{increment} {byoyomi}");
                    assert!(hard > Duration::ZERO);
                }
            }
        }
    }

    #[test]
    fn byoyomi_alone_is_used_but_for_a_reserve() {
        let (soft, hard) = budget(0, 0, 1_000);
        assert_eq!((soft, hard), (ms(900), ms(900)));
    }

    #[test]
    fn move_time_is_kept() {
        let limits = Limits {
            move_time: Some(ms(100)),
            ..Limits::default()
        };
        assert_eq!(
            Budget::new(&limits, 0),
            Budget {
                soft: None,
                hard: Some(ms(100))
            }
        );
    }
}
