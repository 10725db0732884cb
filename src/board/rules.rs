//! The rule sets, as plain data: named presets and one field for each row of the table (rules §9).

/// A named set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// The federation's page; the default.
    #[default]
    Renmei,
    /// The standard rules with local options.
    Teiban,
    /// As lishogi.org plays it.
    Lishogi,
    /// Over-the-board regulations of the Japanese association.
    Jcsa,
    /// The old rules.
    Edo,
}

impl RuleSet {
    /// All presets, in the order of the table.
    pub const ALL: [RuleSet; 5] = [
        RuleSet::Renmei,
        RuleSet::Teiban,
        RuleSet::Lishogi,
        RuleSet::Jcsa,
        RuleSet::Edo,
    ];
}

/// When a piece may promote (rules §4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promotion {
    /// On entering the zone, on a capture that starts or ends there, and on the last rank for what would be dead.
    Renmei,
    /// With any move that starts or ends in the zone.
    Hon,
}

/// How far lion trading is restricted (rules §5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LionTrade {
    /// Not at all.
    None,
    /// A counter-strike may not take a protected lion.
    Protected,
    /// A counter-strike may not take any lion.
    Always,
}

/// Which captures a counter-strike ban is about (rules §5.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StrikeScope {
    /// On either step of a move.
    Any,
    /// Only on the square where the move ends.
    Destination,
}

/// How a side that has only its royals left loses (rules §6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BareKing {
    /// It does not.
    None,
    /// One counting piece against none wins, unless it can be captured at once.
    Renmei,
    /// The bared side has one reply.
    Teiban,
    /// Judged after every move for both sides.
    Lishogi,
}

/// What happens when a position comes back (rules §7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RepetitionRule {
    /// Nothing.
    None,
    /// The obliged side must deviate.
    Renmei,
    /// Nobody may repeat, except out of check.
    Teiban,
    /// The game ends: perpetual attack loses, else a draw.
    Lishogi,
}

/// What two royals with nothing else alive make (rules §6, §9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoneRoyals {
    /// Play goes on.
    PlayOn,
    /// A draw, unless one of them can be captured.
    Draw,
}

/// The rules of a game. Start from a preset and change what differs.
///
/// ```
/// use sakijishi::board::{LionTrade, Rules, RuleSet};
/// let rules = Rules { lion_trade: LionTrade::None, ..Rules::from(RuleSet::Teiban) };
/// assert_ne!(rules, Rules::from(RuleSet::Teiban));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// When pieces promote (rules §4).
    pub promotion: Promotion,
    /// Whether a lance may promote by reaching the last rank (rules §4).
    pub lance_last_rank: bool,
    /// Lion trading and the counter-strike (rules §5).
    pub lion_trade: LionTrade,
    /// Which captures the counter-strike ban is about (rules §5.3).
    pub strike_scope: StrikeScope,
    /// Whether a lion on the square where the own lion fell may be taken despite the ban (rules §5.3).
    pub strike_exempt: bool,
    /// Bare king (rules §6).
    pub bare_king: BareKing,
    /// Repetition (rules §7).
    pub repetition: RepetitionRule,
    /// The game is a draw after this many plies, counted by the move number (rules §6).
    pub move_limit: Option<u32>,
    /// Two lone royals (rules §6).
    pub lone_royals: LoneRoyals,
}

impl From<RuleSet> for Rules {
    fn from(set: RuleSet) -> Rules {
        let renmei = Rules {
            promotion: Promotion::Renmei,
            lance_last_rank: true,
            lion_trade: LionTrade::Protected,
            strike_scope: StrikeScope::Any,
            strike_exempt: false,
            bare_king: BareKing::Renmei,
            repetition: RepetitionRule::Renmei,
            move_limit: None,
            lone_royals: LoneRoyals::PlayOn,
        };
        match set {
            RuleSet::Renmei => renmei,
            RuleSet::Teiban => Rules {
                bare_king: BareKing::Teiban,
                repetition: RepetitionRule::Teiban,
                lone_royals: LoneRoyals::Draw,
                ..renmei
            },
            RuleSet::Lishogi => Rules {
                lion_trade: LionTrade::Always,
                strike_scope: StrikeScope::Destination,
                strike_exempt: true,
                bare_king: BareKing::Lishogi,
                repetition: RepetitionRule::Lishogi,
                move_limit: Some(1000),
                lone_royals: LoneRoyals::Draw,
                ..renmei
            },
            RuleSet::Jcsa => Rules {
                lance_last_rank: false,
                ..renmei
            },
            RuleSet::Edo => Rules {
                lion_trade: LionTrade::Always,
                lance_last_rank: false,
                bare_king: BareKing::None,
                repetition: RepetitionRule::Teiban,
                ..renmei
            },
        }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        RuleSet::default().into()
    }
}

/// Gives an enum of the rules its word for options and command lines, both ways.
macro_rules! words {
    ($($type:ty { $($variant:ident = $word:literal),+ })+) => { $(
        impl $type {
            /// Every value with the word that options use for it.
            pub const WORDS: &[(&'static str, $type)] = &[$(($word, <$type>::$variant)),+];

            /// The word that options use for it.
            pub fn word(self) -> &'static str {
                match self { $(<$type>::$variant => $word),+ }
            }

            /// The value of a word, in any case.
            pub fn from_word(word: &str) -> Option<$type> {
                Self::WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|&(_, value)| value)
            }
        }
    )+ };
}

words! {
    RuleSet { Renmei = "renmei", Teiban = "teiban", Lishogi = "lishogi", Jcsa = "jcsa", Edo = "edo" }
    Promotion { Renmei = "renmei", Hon = "hon" }
    LionTrade { None = "none", Protected = "protected", Always = "always" }
    StrikeScope { Any = "any", Destination = "dest" }
    BareKing { None = "none", Renmei = "renmei", Teiban = "teiban", Lishogi = "lishogi" }
    RepetitionRule { None = "none", Renmei = "renmei", Teiban = "teiban", Lishogi = "lishogi" }
    LoneRoyals { PlayOn = "play-on", Draw = "draw" }
}

/// Promotion rules as a table: bit 0 of an entry for most pieces, bit 1 for pawns, bit 2 for lances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PromotionTable([u8; 16]);

impl PromotionTable {
    pub(crate) fn new(rules: &Rules) -> PromotionTable {
        let mut table = [0; 16];
        for (i, entry) in table.iter_mut().enumerate() {
            let (from_zone, to_zone) = (i & 8 != 0, i & 4 != 0);
            let (captures, last_rank) = (i & 2 != 0, i & 1 != 0);
            let any = match rules.promotion {
                Promotion::Renmei if captures => from_zone || to_zone,
                Promotion::Renmei => to_zone && !from_zone,
                Promotion::Hon => from_zone || to_zone,
            };
            let pawn = any || last_rank;
            let lance = any || (last_rank && rules.lance_last_rank);
            *entry = any as u8 | (pawn as u8) << 1 | (lance as u8) << 2;
        }
        PromotionTable(table)
    }

    /// Whether a piece of this class (0 most, 1 pawn, 2 lance) may promote with a move between these relative ranks.
    pub(crate) fn allows(&self, class: u8, from_rank: u8, to_rank: u8, captures: bool) -> bool {
        let index = usize::from(from_rank < 4) << 3
            | usize::from(to_rank < 4) << 2
            | usize::from(captures) << 1
            | usize::from(to_rank == 0);
        self.0[index & 15] >> class & 1 != 0
    }
}
