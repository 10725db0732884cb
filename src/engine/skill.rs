//! Playing below full strength.

use super::options::Options;
use crate::board::Position;
use crate::eval::score::WON;
use crate::search::{Limits, Report};

/// A strength to play at: how many nodes may be looked at, among how many moves is chosen, and how far the choice errs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Skill {
    level: i32,
}

const FULL: i32 = 20;
/// Nodes at the lowest level, enough to judge its many candidates; each level up looks at this much more.
const LEAST_NODES: f64 = 3_000.0;
const GROWTH: f64 = 1.163;
/// How many moves are chosen among just below full strength, and how many more for the square of what is missing.
/// The best few are mostly of equal worth, so that a weak player has to consider many to go wrong.
const CANDIDATES: usize = 4;
const MORE_CANDIDATES: f64 = 1.0 / 60.0;
/// Centipawns by which the choice errs a level below full strength; they grow with the power 1.5 of what is missing.
const ERROR: f64 = 3.0;

impl Skill {
    pub(super) fn new(options: &Options) -> Skill {
        Skill {
            level: options.level(),
        }
    }

    /// Whether nothing is held back.
    pub(super) fn is_full(self) -> bool {
        self.level >= FULL
    }

    /// Keeps a search within what the level may see.
    pub(super) fn restrain(self, limits: &mut Limits) {
        if self.is_full() || limits.infinite {
            return;
        }
        let nodes = (LEAST_NODES * GROWTH.powi(self.level + FULL)) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        let more = MORE_CANDIDATES * self.missing().powi(2);
        limits.multi_pv = limits.multi_pv.max(CANDIDATES + more as usize);
    }

    /// How many levels are missing to full strength.
    fn missing(self) -> f64 {
        f64::from(FULL - self.level)
    }

    /// Chooses among the lines as a player of this level would: near the best, now and then a worse one. The choice
    /// depends on the position alone.
    pub(super) fn choose(self, position: &Position, mut report: Report) -> Report {
        if self.is_full() || report.lines.len() < 2 {
            return report;
        }
        let error = ERROR * self.missing().powf(1.5);
        let mut seed = position.key();
        let mut noise = || {
            seed = seed
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            let uniform = ((seed >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
            -(-uniform.min(1.0 - 1e-12).ln()).ln() * error
        };
        let liking = |score: i32, noise: f64| f64::from(score.clamp(-WON, WON)) + noise;
        let liked: Vec<f64> = report
            .lines
            .iter()
            .map(|line| liking(line.score, noise()))
            .collect();
        let best = (0..liked.len()).max_by(|&a, &b| liked[a].total_cmp(&liked[b]));
        if let Some(line) = best.and_then(|n| report.lines.get(n)) {
            report.best = line.pv.first().copied();
            report.ponder = line.pv.get(1).copied();
        }
        report
    }
}
