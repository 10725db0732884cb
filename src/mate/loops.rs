//! What holds on one path alone.

use super::table::Plies;

/// Refutations that hold only on the path where they were found, because they hang on a position that came back.
pub(super) struct Loops {
    slots: Vec<Loop>,
}

#[derive(Clone, Copy)]
struct Loop {
    /// Of the position and of the path to it.
    key: u64,
    no_mate: Plies,
    hangs_on: Plies,
}

impl Loops {
    pub(super) fn new(bytes: usize) -> Loops {
        let slots = (bytes / size_of::<Loop>()).max(64);
        Loops {
            slots: vec![
                Loop {
                    key: 0,
                    no_mate: 0,
                    hangs_on: 0
                };
                slots
            ],
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Loop {
            key: 0,
            no_mate: 0,
            hangs_on: 0,
        });
    }

    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// The length that is refuted and the depth of the position that it hangs on.
    pub(super) fn get(&self, key: u64) -> Option<(Plies, Plies)> {
        let slot = &self.slots[self.index(key)];
        (slot.key == key).then_some((slot.no_mate, slot.hangs_on))
    }

    pub(super) fn put(&mut self, key: u64, no_mate: Plies, hangs_on: Plies) {
        let index = self.index(key);
        self.slots[index] = Loop {
            key,
            no_mate,
            hangs_on,
        };
    }
}
