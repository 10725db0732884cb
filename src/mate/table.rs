//! What the search remembers about positions, in bounded memory.

use super::value::Value;

/// A number of plies; [`FOREVER`] for a refutation that holds at any length.
pub(super) type Plies = u16;

/// Longer than any line.
pub(super) const FOREVER: Plies = u16::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// Proof and disproof number as long as neither is certain.
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// Mate in at most this many plies is proved; [`FOREVER`] if none is.
    pub(super) mate: Plies,
    /// No mate in at most this many plies; unconditional.
    pub(super) no_mate: Plies,
    /// The least distance from the root at which the position was met.
    pub(super) depth: Plies,
    /// How many nodes were spent on it, the measure of its worth; 0 as long as it was only looked at.
    pub(super) work: u32,
}

impl Entry {
    const EMPTY: Entry = Entry::new(0);

    /// Nothing is known yet.
    pub(super) const fn new(key: u64) -> Entry {
        Entry {
            key,
            pn: 1,
            dn: 1,
            mate: FOREVER,
            no_mate: 0,
            depth: FOREVER,
            work: 0,
        }
    }

    /// Takes over what a search has found out. The value must hold on every path.
    pub(super) fn learn(&mut self, value: Value) {
        if value.pn == 0 {
            self.mate = self.mate.min(value.plies);
        } else if value.dn == 0 {
            self.no_mate = self.no_mate.max(value.plies);
        } else {
            (self.pn, self.dn) = (value.pn, value.dn);
        }
    }

    /// Certain knowledge is worth more than the work it took.
    fn worth(&self) -> u32 {
        let certain = self.mate != FOREVER || self.no_mate == FOREVER;
        self.work.saturating_add(if certain { 4 } else { 0 })
    }
}

const WAYS: usize = 4;
const FREE: [Entry; WAYS] = [Entry::EMPTY; WAYS];
/// Small enough that easy problems stay in the processor's cache.
const FEWEST_CLUSTERS: usize = 1 << 13;

/// A hash table of clusters that grows with what it holds. Once it may not grow any more, a full cluster gives up its
/// least worth entry, and a nearly full table is swept of its lesser half.
pub(super) struct Table {
    clusters: Vec<[Entry; WAYS]>,
    used: usize,
    /// Clusters at the start and how often they may double.
    fewest: usize,
    doublings: u32,
}

impl Table {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let most = (bytes / size_of::<[Entry; WAYS]>()).max(64);
        let doublings = (most / FEWEST_CLUSTERS).checked_ilog2().unwrap_or(0);
        let fewest = most >> doublings;
        Table {
            clusters: vec![FREE; fewest],
            used: 0,
            fewest,
            doublings,
        }
    }

    pub(super) fn clear(&mut self) {
        self.clusters.clear();
        self.clusters.shrink_to(self.fewest);
        self.clusters.resize(self.fewest, FREE);
        self.used = 0;
    }

    /// The share of the table in use, per mille of its greatest size.
    pub(super) fn permille(&self) -> u32 {
        (self.used * 1000 / ((self.fewest << self.doublings) * WAYS)) as u32
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.clusters[self.index(key)]
            .iter()
            .find(|entry| entry.key == key)
            .copied()
    }

    /// Replaces what is known of the entry's position.
    pub(super) fn put(&mut self, entry: Entry) {
        let index = self.index(entry.key);
        let cluster = &mut self.clusters[index];
        if let Some(slot) = cluster.iter_mut().find(|slot| slot.key == entry.key) {
            *slot = entry;
            return;
        }
        let slot = match cluster.iter_mut().position(|slot| slot.key == 0) {
            Some(free) => {
                self.used += 1;
                &mut cluster[free]
            }
            None => {
                let Some(least) = cluster.iter_mut().min_by_key(|slot| slot.worth()) else {
                    return;
                };
                least
            }
        };
        *slot = entry;
        let room = self.clusters.len() * WAYS;
        if self.clusters.len() < self.fewest << self.doublings {
            if self.used * 2 > room {
                self.grow();
            }
        } else if self.used * 16 > room * 15 {
            self.sweep();
        }
    }

    /// Doubles the table in place. The index grows with the key, so a cluster's entries move to two clusters behind it,
    /// which have already been emptied when the last cluster goes first.
    fn grow(&mut self) {
        let old = self.clusters.len();
        self.clusters.resize(old * 2, FREE);
        for i in (0..old).rev() {
            for entry in std::mem::replace(&mut self.clusters[i], FREE) {
                if entry.key != 0 {
                    let index = self.index(entry.key);
                    let free = self.clusters[index].iter().position(|slot| slot.key == 0);
                    self.clusters[index][free.unwrap_or(0)] = entry;
                }
            }
        }
    }

    /// Forgets the lesser half.
    fn sweep(&mut self) {
        let stride = (self.clusters.len() / 4096).max(1);
        let mut sample: Vec<u32> = self
            .clusters
            .iter()
            .step_by(stride)
            .flatten()
            .map(Entry::worth)
            .collect();
        let middle = sample.len() / 2;
        let (_, &mut median, _) = sample.select_nth_unstable(middle);
        self.used = 0;
        for entry in self.clusters.iter_mut().flatten() {
            if entry.worth() <= median {
                *entry = Entry::EMPTY;
            } else {
                self.used += 1;
            }
        }
    }
}
