//! How far off the static evaluation has been after moves like the last ones.

use super::history::{Step, Steps};
use super::pages::spread;
use super::params::correction_weight;
use crate::eval::Score;

/// Entries stay within ± this.
const LIMIT: i32 = 8_192;
/// Entries for one centipawn, at full weight.
const GRAIN: i32 = 64;

/// The mean of search result minus evaluation, by the opponent's last move and by the own one before it.
pub(super) struct Correction {
    tables: [Vec<i16>; 2],
}

impl Correction {
    pub(super) fn new() -> Correction {
        Correction {
            tables: [(); 2].map(|()| spread(Step::COUNT)),
        }
    }

    pub(super) fn clear(&mut self) {
        for table in &mut self.tables {
            table.fill(0);
        }
    }

    /// What to add to an evaluation, in centipawns.
    pub(super) fn get(&self, before: &Steps) -> Score {
        let entries = self.tables.iter().zip(before);
        let sum: i32 = entries
            .map(|(table, step)| i32::from(table[step.index()]))
            .sum();
        sum * correction_weight() / (100 * GRAIN)
    }

    /// Learns from a node that a search of some depth found to be worth `error` more than its evaluation.
    pub(super) fn learn(&mut self, before: &Steps, error: Score, depth: i32) {
        let bonus = (error * GRAIN * depth / 32).clamp(-LIMIT / 4, LIMIT / 4);
        for (table, step) in self.tables.iter_mut().zip(before) {
            let entry = &mut table[step.index()];
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}
