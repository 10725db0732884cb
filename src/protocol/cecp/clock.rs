//! How long the engine may think, by what CECP has said so far.

use std::time::Duration;

use super::command::Level;
use crate::engine::{ClockLimits, Limits};

/// How many more moves a game is planned for where time is counted in nodes.
const HORIZON: u32 = 40;

/// The engine's clock and its time control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Clock {
    level: Level,
    /// Time for each move, if that is the control.
    per_move: Option<Duration>,
    left: Duration,
    /// The deepest search, in plies.
    pub(super) depth: Option<u32>,
    /// Nodes that stand for a second of time, if nodes are counted instead.
    pub(super) node_rate: Option<u64>,
}

impl Default for Clock {
    fn default() -> Clock {
        let level = Level::default();
        Clock {
            level,
            per_move: None,
            left: level.base,
            depth: None,
            node_rate: None,
        }
    }
}

impl Clock {
    /// Sets the control to a clock.
    pub(super) fn set_level(&mut self, level: Level) {
        self.level = level;
        self.per_move = None;
        self.left = level.base;
    }

    /// Sets the control to a time for each move.
    pub(super) fn set_per_move(&mut self, time: Duration) {
        self.per_move = Some(time);
    }

    /// A new game: the clock is wound up and limits that hold for a game are gone.
    pub(super) fn restart(&mut self) {
        self.left = self.level.base;
        self.depth = None;
        self.node_rate = None;
    }

    /// What the GUI's clock shows, in centiseconds.
    pub(super) fn set_left(&mut self, centiseconds: i64) {
        self.left = Duration::from_millis(centiseconds.max(0).saturating_mul(10) as u64);
    }

    /// Takes the time of a move off, the engine's move number `made`, until the GUI says what its clock shows.
    pub(super) fn spend(&mut self, used: Duration, made: u32) {
        self.left = self.left.saturating_sub(used) + self.level.increment;
        if self.level.moves > 0 && made.is_multiple_of(self.level.moves) {
            self.left += self.level.base;
        }
    }

    /// The limits of a search for a move when the engine has made so many.
    pub(super) fn limits(&self, made: u32) -> Limits {
        let mut limits = Limits {
            depth: self.depth,
            ..Limits::default()
        };
        let moves_to_go =
            (self.level.moves > 0).then(|| self.level.moves - made % self.level.moves);
        if let Some(rate) = self.node_rate {
            let time = self.per_move.unwrap_or_else(|| {
                self.left / moves_to_go.unwrap_or(HORIZON) + self.level.increment.min(self.left)
            });
            limits.nodes = Some(((time.as_secs_f64() * rate as f64) as u64).max(1));
        } else if let Some(time) = self.per_move {
            limits.move_time = Some(time);
        } else {
            limits.clock = Some(ClockLimits {
                main: self.left,
                increment: self.level.increment,
                byoyomi: Duration::ZERO,
                moves_to_go,
            });
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn sessions_of_moves_begin_again() {
        let mut clock = Clock::default();
        let plan = |clock: &Clock, made| clock.limits(made).clock.unwrap_or_default();
        assert_eq!(plan(&clock, 0).moves_to_go, Some(40));
        assert_eq!(plan(&clock, 39).moves_to_go, Some(1));
        assert_eq!(plan(&clock, 40).moves_to_go, Some(40));
        clock.spend(10 * SECOND, 39);
        assert_eq!(plan(&clock, 39).main, 290 * SECOND);
        clock.spend(500 * SECOND, 40);
        assert_eq!(plan(&clock, 40).main, 300 * SECOND);
        clock.set_left(-5);
        assert_eq!(plan(&clock, 40).main, Duration::ZERO);
        clock.set_left(i64::MAX);
        clock.spend(SECOND, 80);
    }

    #[test]
    fn each_control_replaces_the_other() {
        let mut clock = Clock::default();
        clock.set_per_move(2 * SECOND);
        assert_eq!(clock.limits(3).move_time, Some(2 * SECOND));
        assert_eq!(clock.limits(3).clock, None);
        clock.node_rate = Some(1_000);
        assert_eq!(
            (clock.limits(3).nodes, clock.limits(3).move_time),
            (Some(2_000), None)
        );
        clock.set_level(Level {
            moves: 0,
            base: 40 * SECOND,
            increment: SECOND,
        });
        assert_eq!(clock.limits(3).nodes, Some(2_000));
        clock.depth = Some(3);
        clock.restart();
        let limits = clock.limits(3);
        assert_eq!(
            (limits.nodes, limits.depth, limits.move_time),
            (None, None, None)
        );
        assert_eq!(limits.clock.map(|clock| clock.moves_to_go), Some(None));
    }
}
