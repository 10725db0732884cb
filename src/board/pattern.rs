//! How kinds move, sorted for generation.

use super::piece::{Kind, REACH, Reach};

/// The row of the promotion table that a kind uses, if it promotes at all.
pub(super) const fn promotion_class(kind: Kind) -> Option<u8> {
    match kind {
        Kind::PAWN => Some(1),
        Kind::LANCE => Some(2),
        _ if kind.promoted().is_some() => Some(0),
        _ => None,
    }
}

/// Some of the board's directions.
#[derive(Clone, Copy)]
pub(super) struct Directions {
    list: [u8; 8],
    count: u8,
}

impl Directions {
    const NONE: Directions = Directions {
        list: [0; 8],
        count: 0,
    };

    const fn add(&mut self, direction: usize) {
        self.list[self.count as usize] = direction as u8;
        self.count += 1;
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let list = self.list;
        (0..usize::from(self.count).min(8)).map(move |n| usize::from(list[n]))
    }
}

/// The reaches of a piece sorted by sort, so that generation neither looks at directions in which a piece does not move
/// nor guesses what it does there.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub(super) steps: Directions,
    pub(super) slides: Directions,
    pub(super) jumps: Directions,
    /// Directions with a double step, straight ahead or in all ways.
    pub(super) doubles: Directions,
    /// Whether they are those of a lion.
    pub(super) lion: bool,
    pub(super) promotion: Option<u8>,
}

/// Indexed by side and kind.
pub(super) static PATTERNS: [[Pattern; 64]; 2] = {
    let none = Pattern {
        steps: Directions::NONE,
        slides: Directions::NONE,
        jumps: Directions::NONE,
        doubles: Directions::NONE,
        lion: false,
        promotion: None,
    };
    let mut table = [[none; 64]; 2];
    let mut side = 0;
    while side < 2 {
        let mut n = 0;
        while n < Kind::COUNT {
            let kind = Kind::ALL[n];
            let mut pattern = Pattern {
                promotion: promotion_class(kind),
                ..none
            };
            let mut d = 0;
            while d < 8 {
                let reach = REACH[side][kind.index()][d];
                match reach {
                    Reach::No => {}
                    Reach::Step => pattern.steps.add(d),
                    Reach::Slide => pattern.slides.add(d),
                    Reach::Jump => pattern.jumps.add(d),
                    Reach::Double | Reach::Lion => pattern.doubles.add(d),
                }
                pattern.lion |= matches!(reach, Reach::Lion);
                d += 1;
            }
            table[side][kind.index()] = pattern;
            n += 1;
        }
        side += 1;
    }
    table
};
