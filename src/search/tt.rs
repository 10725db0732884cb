//! The transposition table: what was found out about positions, shared by all threads.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::pages::spread;
use crate::board::Move;
use crate::eval::score::{Score, WON};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Only the move and the evaluation are of use.
    None,
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    /// What a node's best score says: it reached `beta`, is one of a move better than `alpha`, or neither.
    pub(super) fn of(best: Score, beta: Score, is_exact: bool) -> Bound {
        if best >= beta {
            Bound::Lower
        } else if is_exact {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a stored score of this bound decides a window.
    pub(super) fn decides(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Upper => score <= alpha,
            Bound::Lower => score >= beta,
            Bound::Exact => true,
        }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) mv: Option<Move>,
    pub(super) score: Score,
    pub(super) eval: Score,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

/// An entry is two words, each with its own part of the key, so that a mixture of two entries is recognised:
/// key (32 bits), evaluation (16), score (16); and key (26), depth (8), age (7), bound (2), move (21).
#[derive(Default)]
struct Entry {
    values: AtomicU64,
    details: AtomicU64,
}

#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; 4]);

/// A hash table of a fixed size in memory.
pub struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

const AGES: u8 = 127;
const KEY_HIGH: u64 = 0xFFFF_FFFF_0000_0000;
const KEY_LOW: u64 = 0x03FF_FFFF;
const MOVE_BITS: u64 = (1 << Move::BITS) - 1;

impl Entry {
    fn details(&self) -> u64 {
        self.details.load(Ordering::Relaxed)
    }

    fn age(details: u64) -> u8 {
        (details >> 23 & 127) as u8
    }

    fn depth(details: u64) -> i32 {
        (details >> 30 & 255) as i32 - DEPTH_OFFSET
    }
}

/// Depths from -1 (quiescence) on are stored.
const DEPTH_OFFSET: i32 = 2;

impl Table {
    /// A table of about this many mebibytes, at least one bucket.
    pub fn new(mebibytes: usize) -> Table {
        let count = (mebibytes << 20) / size_of::<Bucket>();
        Table {
            buckets: spread(count.max(1)),
            age: AtomicU8::new(0),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.values.store(0, Ordering::Relaxed);
            entry.details.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Makes what is stored so far older than what comes now.
    pub(super) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// How full it is with entries of this search, in thousandths.
    pub fn fullness(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(250);
        let entries = sample.flat_map(|bucket| &bucket.0);
        let count = entries.clone().count().max(1);
        let used = entries
            .filter(|entry| entry.details() != 0 && Entry::age(entry.details()) == age)
            .count();
        used * 1000 / count
    }

    /// Asks for the part of memory where a position will be looked up.
    pub(super) fn prefetch(&self, key: u64) {
        // An atomic load is not optimised away, and the processor does not wait for a result that nobody uses.
        self.bucket(key).0[0].details();
    }

    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Found> {
        for entry in &self.bucket(key).0 {
            let (values, details) = (entry.values.load(Ordering::Relaxed), entry.details());
            if values & KEY_HIGH == key & KEY_HIGH && details >> 38 == key & KEY_LOW {
                let bound = match details >> 21 & 3 {
                    0 => Bound::None,
                    1 => Bound::Upper,
                    2 => Bound::Lower,
                    _ => Bound::Exact,
                };
                return Some(Found {
                    mv: Move::from_bits((details & MOVE_BITS) as u32),
                    score: from_table(Score::from(values as i16), ply),
                    eval: Score::from((values >> 16) as i16),
                    depth: Entry::depth(details),
                    bound,
                });
            }
        }
        None
    }

    pub(super) fn store(&self, key: u64, ply: usize, found: &Found) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = &self.bucket(key).0;
        let is_same = |entry: &&Entry| {
            entry.values.load(Ordering::Relaxed) & KEY_HIGH == key & KEY_HIGH
                && entry.details() >> 38 == key & KEY_LOW
        };
        let worth = |entry: &&Entry| {
            let details = entry.details();
            let years = (AGES + age - Entry::age(details)) % AGES;
            if details == 0 {
                i32::MIN
            } else {
                Entry::depth(details) - 4 * i32::from(years)
            }
        };
        let same = bucket.iter().find(is_same);
        let Some(entry) = same.or_else(|| bucket.iter().min_by_key(worth)) else {
            return;
        };
        let old = entry.details();
        let mut bits = found.mv.map_or(0, |m| u64::from(m.bits()));
        if same.is_some() {
            if bits == 0 {
                bits = old & MOVE_BITS;
            }
            // A shallow bound does not overwrite a much deeper result of this search.
            if found.bound != Bound::Exact
                && Entry::age(old) == age
                && Entry::depth(old) > found.depth + 3
            {
                return;
            }
        }
        let bound = match found.bound {
            Bound::None => 0,
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let depth = (found.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        let details =
            (key & KEY_LOW) << 38 | depth << 30 | u64::from(age) << 23 | bound << 21 | bits;
        let score = to_table(found.score, ply) as i16 as u16;
        let eval = found.eval as i16 as u16;
        let values = key & KEY_HIGH | u64::from(eval) << 16 | u64::from(score);
        entry.values.store(values, Ordering::Relaxed);
        entry.details.store(details, Ordering::Relaxed);
    }
}

/// Distances to the end are stored from the position's view, not from the root's.
fn to_table(score: Score, ply: usize) -> Score {
    if score >= WON {
        score + ply as Score
    } else if score <= -WON {
        score - ply as Score
    } else {
        score
    }
}

fn from_table(score: Score, ply: usize) -> Score {
    if score >= WON {
        score - ply as Score
    } else if score <= -WON {
        score + ply as Score
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::mate_in;

    #[test]
    fn what_goes_in_comes_out() {
        let table = Table::new(1);
        for (i, score) in [(1u64, 5), (2, -31_000), (3, mate_in(9)), (4, -4_000)] {
            let key = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let found = Found {
                mv: Move::from_bits(0x3433),
                score,
                eval: -123,
                depth: -1 + i as i32,
                bound: Bound::Lower,
            };
            table.store(key, 4, &found);
            assert_eq!(table.probe(key, 4), Some(found));
            assert_eq!(table.probe(!key, 4), None);
        }
        let nearer = table
            .probe(3u64.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0)
            .unwrap();
        assert_eq!(nearer.score, mate_in(5));
        table.clear();
        assert_eq!(table.fullness(), 0);
    }
}
