//! Every constant of the search that games can tune, once: name, default, range.
//!
//! A normal build has them as constants. With the feature `tune` they can be set while the program runs, for all engines
//! in it, and are options of the engine.

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
        /// All of them.
        pub const ALL: &[Param] = &[$(Param {
            name: stringify!($name), default: $default, min: $min, max: $max,
        }),+];

        const _: () = { $(assert!($min <= $default && $default <= $max);)+ };

        /// Their numbers in [`ALL`].
        #[cfg(feature = "tune")]
        #[allow(non_camel_case_types, reason = "a name serves as the function and as its number")]
        enum Number { $($name),+ }

        $(
            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub fn $name() -> i32 {
                tuned::get(Number::$name as usize)
            }

            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub const fn $name() -> i32 {
                $default
            }
        )+
    };
}

/// Values that were set while the program runs.
#[cfg(feature = "tune")]
mod tuned {
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::ALL;

    static VALUES: [AtomicI32; ALL.len()] = {
        let mut values = [const { AtomicI32::new(0) }; ALL.len()];
        let mut n = 0;
        while n < ALL.len() {
            values[n] = AtomicI32::new(ALL[n].default);
            n += 1;
        }
        values
    };

    #[inline]
    pub(super) fn get(number: usize) -> i32 {
        VALUES[number].load(Ordering::Relaxed)
    }

    pub(super) fn set(number: usize, value: i32) {
        VALUES[number].store(value, Ordering::Relaxed);
    }
}

/// What a constant is now; `None` if there is none of this name (in any case).
#[cfg(feature = "tune")]
pub fn get(name: &str) -> Option<i32> {
    let number = ALL
        .iter()
        .position(|param| param.name.eq_ignore_ascii_case(name))?;
    Some(tuned::get(number))
}

/// Sets a constant for all engines of this program, within its range; whether there is one of this name.
#[cfg(feature = "tune")]
pub fn set(name: &str, value: i32) -> bool {
    let number = ALL
        .iter()
        .position(|param| param.name.eq_ignore_ascii_case(name));
    if let Some(number) = number {
        tuned::set(number, value.clamp(ALL[number].min, ALL[number].max));
    }
    number.is_some()
}

params! {
    /// Half the first aspiration window, in centipawns.
    aspiration = 60, 10..=300;
    /// From which depth on the window is narrowed.
    aspiration_depth = 4, 2..=10;
    /// Reverse futility: centipawns a ply of depth.
    reverse_futility_margin = 130, 50..=400;
    /// Reverse futility: the greatest depth.
    reverse_futility_depth = 7, 3..=20;
    /// Null move: the least depth.
    null_depth = 3, 2..=8;
    /// Null move: the reduction, in plies.
    null_base = 4, 2..=12;
    /// Null move: hundredths of a ply of reduction for each ply of depth.
    null_growth = 25, 0..=80;
    /// Late move reductions: the least depth.
    lmr_depth = 3, 2..=5;
    /// Late move reductions: hundredths of a ply for every move.
    lmr_base = 40, 0..=150;
    /// Late move reductions: hundredths by which the product of logarithms is divided.
    lmr_divisor = 230, 80..=400;
    /// Late move reductions: hundredths more off the principal variation.
    lmr_off_line = 50, 0..=200;
    /// Late move reductions: hundredths more if the evaluation is not improving.
    lmr_worsening = 50, 0..=200;
    /// Late move reductions: hundredths more where a cut is expected.
    lmr_cut = 50, 0..=400;
    /// Late move reductions: history for a ply less.
    lmr_history = 8192, 1000..=20000;
    /// Late move pruning: quiet moves tried at depth 0.
    late_base = 16, 2..=100;
    /// Late move pruning: hundredths of a move more for the square of the depth.
    late_growth = 600, 0..=1000;
    /// Late move pruning: per cent of them if the evaluation is not improving.
    late_worsening = 50, 10..=100;
    /// Late move pruning: the greatest depth.
    late_depth = 5, 1..=30;
    /// Futility: centipawns at depth 0.
    futility_base = 120, 0..=500;
    /// Futility: centipawns a ply of reduced depth.
    futility = 130, 30..=400;
    /// Futility: the greatest reduced depth.
    futility_depth = 6, 2..=20;
    /// History pruning: history lost a ply of reduced depth.
    history_prune = 4000, 500..=20000;
    /// History pruning: the greatest reduced depth.
    history_depth = 4, 0..=10;
    /// Exchange pruning of quiet moves: centipawns for the square of the reduced depth.
    see_quiet = 60, 5..=300;
    /// Exchange pruning of quiet moves: the greatest reduced depth.
    see_quiet_depth = 7, 0..=14;
    /// Probcut: the least depth.
    probcut_depth = 5, 3..=99;
    /// Probcut: centipawns above the window.
    probcut_margin = 250, 50..=800;
    /// Singular extensions: the least depth.
    singular_depth = 6, 4..=99;
    /// Singular extensions: centipawns below the table's score, for 16 plies of depth.
    singular_margin = 32, 4..=160;
    /// Singular extensions: centipawns below that for a second ply.
    singular_double = 60, 0..=400;
    /// Exchange pruning of captures: centipawns a ply of depth.
    see_capture = 150, 50..=500;
    /// Exchange pruning: the greatest depth.
    see_depth = 7, 2..=12;
    /// Quiescence: a capture may lose this many centipawns.
    quiescence_see = 50, 0..=200;
    /// Quiescence: how many moves are tried.
    quiescence_moves = 10, 2..=60;
    /// Quiescence: hundredths of a move fewer for each ply since it began; one is always tried.
    quiescence_fewer = 150, 0..=1000;
    /// Quiescence: what a capture may gain besides its victims, in centipawns, to be worth trying.
    quiescence_delta = 300, 50..=900;
    /// Delta by which history grows: factor of the depth.
    history_bonus = 160, 20..=600;
    /// The most that one search result adds to history.
    history_max_bonus = 1600, 200..=4000;
    /// Ordering: history less for a quiet move into the reach of a lesser piece.
    exposed_malus = 16000, 0..=40000;
    /// Ordering: from which depth on that is looked at.
    exposed_depth = 3, 1..=99;
    /// What the moves before say about a quiet move, in per cent.
    continuation_weight = 100, 0..=300;
    /// How much the evaluation is corrected by what came of it, in per cent.
    correction_weight = 100, 0..=300;
}
