//! Proof and disproof numbers.

use super::table::{Entry, FOREVER, Plies};

/// Greater than any number of a position that is still open.
pub(super) const INFINITE: u32 = 1 << 30;

/// What is known of a position in the course of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// How many positions have to be proved to prove this one, at least; 0 if it is proved.
    pub(super) pn: u32,
    /// How many positions have to be refuted to refute this one, at least; 0 if it is refuted.
    pub(super) dn: u32,
    /// Plies to mate if proved, the length up to which there is none if refuted.
    pub(super) plies: Plies,
    /// The depth of the earliest position on the path that a refutation hangs on; [`FOREVER`] if it hangs on none.
    pub(super) hangs_on: Plies,
}

impl Value {
    /// Neither proved nor refuted.
    pub(super) fn open(pn: u32, dn: u32) -> Value {
        Value {
            pn: pn.min(INFINITE - 1),
            dn: dn.min(INFINITE - 1),
            plies: 0,
            hangs_on: FOREVER,
        }
    }

    pub(super) fn mate(plies: Plies) -> Value {
        Value {
            pn: 0,
            dn: INFINITE,
            plies,
            hangs_on: FOREVER,
        }
    }

    /// A refutation on its own ground.
    pub(super) fn no_mate(plies: Plies) -> Value {
        Value::no_mate_on_path(plies, FOREVER)
    }

    /// A refutation as long as the position at a depth of the path is on it.
    pub(super) fn no_mate_on_path(plies: Plies, hangs_on: Plies) -> Value {
        Value {
            pn: INFINITE,
            dn: 0,
            plies,
            hangs_on,
        }
    }

    pub(super) fn is_certain(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// What a table entry says about a mate within so many plies.
    pub(super) fn of_entry(entry: &Entry, bound: Plies) -> Value {
        if entry.mate <= bound {
            Value::mate(entry.mate)
        } else if entry.no_mate >= bound {
            Value::no_mate(entry.no_mate)
        } else {
            Value::open(entry.pn, entry.dn)
        }
    }

    /// Refutations that hang on nothing before the position at this depth hold everywhere: a mate that comes back to
    /// where it started could have been shorter.
    pub(super) fn detached(mut self, depth: usize) -> Value {
        if usize::from(self.hangs_on) >= depth {
            self.hangs_on = FOREVER;
        }
        self
    }

    /// The value of a position with the attacker to move: one proved move is enough.
    pub(super) fn of_attack(moves: impl Iterator<Item = Value>) -> Value {
        let (mut pn, mut dn) = (INFINITE, 0u32);
        let (mut mate, mut no_mate, mut hangs_on) = (FOREVER, FOREVER, FOREVER);
        for value in moves {
            pn = pn.min(value.pn);
            dn = dn.saturating_add(value.dn);
            if value.pn == 0 {
                mate = mate.min(value.plies);
            } else if value.dn == 0 {
                no_mate = no_mate.min(value.plies);
                hangs_on = hangs_on.min(value.hangs_on);
            }
        }
        match (pn, dn) {
            (0, _) => Value::mate(mate + 1),
            (_, 0) => Value::no_mate_on_path(no_mate.saturating_add(1), hangs_on),
            _ => Value::open(pn, dn),
        }
    }

    /// The value of a position with the defender to move: one refuted move is enough, best one that hangs on little.
    pub(super) fn of_defence(moves: impl Iterator<Item = Value>) -> Value {
        let (mut pn, mut dn, mut mate) = (0u32, INFINITE, 0);
        let mut refuted: Option<(Plies, Plies)> = None;
        for value in moves {
            pn = pn.saturating_add(value.pn);
            dn = dn.min(value.dn);
            if value.pn == 0 {
                mate = mate.max(value.plies);
            } else if value.dn == 0 {
                refuted = refuted.max(Some((value.hangs_on, value.plies)));
            }
        }
        match (refuted, pn) {
            (Some((hangs_on, plies)), _) => {
                Value::no_mate_on_path(plies.saturating_add(1), hangs_on)
            }
            (None, 0) => Value::mate(mate + 1),
            _ => Value::open(pn, dn),
        }
    }
}
