//! Every constant of the search that games can tune, once: name, default, range.

/// A tunable constant.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What the search uses.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal;)+) => {
        $($(#[$doc])* pub const $name: i32 = $default;)+

        /// All of them.
        pub const ALL: &[Param] = &[$(Param {
            name: stringify!($name), default: $default, min: $min, max: $max,
        }),+];

        const _: () = { $(assert!($min <= $default && $default <= $max);)+ };
    };
}

params! {
    /// Half the first aspiration window, in centipawns.
    ASPIRATION = 60, 10..=300;
    /// From which depth on the window is narrowed.
    ASPIRATION_DEPTH = 4, 2..=10;
    /// Reverse futility: centipawns a ply of depth.
    REVERSE_FUTILITY = 130, 50..=400;
    /// Reverse futility: the greatest depth.
    REVERSE_FUTILITY_DEPTH = 7, 3..=15;
    /// Null move: the least depth.
    NULL_DEPTH = 3, 2..=8;
    /// Null move: the reduction, in plies.
    NULL_BASE = 4, 2..=10;
    /// Null move: plies of depth for one more ply of reduction.
    NULL_DIVISOR = 4, 2..=10;
    /// Late move reductions: hundredths of a ply for every move.
    LMR_BASE = 40, 0..=150;
    /// Late move reductions: hundredths by which the product of logarithms is divided.
    LMR_DIVISOR = 230, 100..=400;
    /// Late move reductions: history for a ply less.
    LMR_HISTORY = 8192, 1000..=20000;
    /// Late move pruning: quiet moves tried at depth 0.
    LATE_BASE = 8, 2..=60;
    /// Late move pruning: the greatest depth.
    LATE_DEPTH = 5, 1..=12;
    /// Futility: centipawns at depth 0.
    FUTILITY_BASE = 120, 0..=500;
    /// Futility: centipawns a ply of depth.
    FUTILITY = 130, 30..=400;
    /// Futility: the greatest depth.
    FUTILITY_DEPTH = 6, 2..=12;
    /// Exchange pruning of captures: centipawns a ply of depth.
    SEE_CAPTURE = 150, 50..=500;
    /// Exchange pruning: the greatest depth.
    SEE_DEPTH = 7, 2..=12;
    /// Quiescence: a capture may lose this many centipawns.
    QUIESCENCE_SEE = 50, 0..=200;
    /// Quiescence: how many moves are tried.
    QUIESCENCE_MOVES = 10, 2..=60;
    /// Quiescence: what a capture may gain besides its victims, in centipawns, to be worth trying.
    QUIESCENCE_DELTA = 300, 50..=900;
    /// Delta by which history grows: factor of the depth.
    HISTORY_BONUS = 160, 20..=600;
    /// The most that one search result adds to history.
    HISTORY_MAX_BONUS = 1600, 200..=4000;
}
