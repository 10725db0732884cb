//! Random rules, positions and games for the property tests.
#![allow(dead_code)]

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use sakijishi::board::{
    BareKing, Color, Kind, LionTrade, LoneRoyals, Move, MoveList, Piece, Position, Promotion,
    RepetitionRule, RuleSet, Rules, Setup, Square, Stage, StrikeScope,
};
use sakijishi::notation::sfen;

use crate::cases;

/// So many cases from a fixed seed, so that every run tests the same; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for
/// more and for others.
pub fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(12);
    }
    config
}

/// Now and then one of these values.
fn maybe<T: Copy + fmt::Debug + 'static>(
    words: &'static [(&'static str, T)],
) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.25, select(words).prop_map(|(_, value)| value))
}

/// A rule set, some of whose fields are replaced.
pub fn rules() -> impl Strategy<Value = Rules> {
    const SWITCH: &[(&str, bool)] = &[("off", false), ("on", true)];
    let fields = (
        maybe(Promotion::WORDS),
        maybe(SWITCH),
        maybe(LionTrade::WORDS),
        maybe(StrikeScope::WORDS),
        maybe(SWITCH),
        maybe(BareKing::WORDS),
        maybe(RepetitionRule::WORDS),
        proptest::option::weighted(0.25, proptest::option::of(1..400u32)),
        maybe(LoneRoyals::WORDS),
    );
    (select(&RuleSet::ALL[..]), fields).prop_map(|(set, other)| {
        let base = Rules::from(set);
        Rules {
            promotion: other.0.unwrap_or(base.promotion),
            lance_last_rank: other.1.unwrap_or(base.lance_last_rank),
            lion_trade: other.2.unwrap_or(base.lion_trade),
            strike_scope: other.3.unwrap_or(base.strike_scope),
            strike_exempt: other.4.unwrap_or(base.strike_exempt),
            bare_king: other.5.unwrap_or(base.bare_king),
            repetition: other.6.unwrap_or(base.repetition),
            move_limit: other.7.unwrap_or(base.move_limit),
            lone_royals: other.8.unwrap_or(base.lone_royals),
        }
    })
}

/// The start, the handicaps, and the positions of the move list table.
fn known_setup() -> impl Strategy<Value = Setup> {
    let mut sfens = vec![sfen::START.to_owned()];
    sfens.extend(sfen::HANDICAPS.map(|handicap| handicap.sfen.to_owned()));
    let named = sfens.len();
    sfens.extend(cases::sfens());
    let at = prop_oneof![1 => 0..named, 3 => named..sfens.len()];
    at.prop_map(move |n| sfens[n].parse().unwrap())
}

/// Pieces with lion power, those that become lions, and those whose captures are special.
const TRADERS: [&str; 8] = ["N", "+O", "+H", "+D", "O", "P", "I", "+E"];

/// Up to `most` pieces crowded into a few files and ranks, many of them with lion power, so that captures of lions are
/// not rare.
pub fn crowd(most: usize) -> impl Strategy<Value = Setup> {
    let kind = prop_oneof![
        select(&TRADERS[..]).prop_map(|letter| Kind::from_letter(letter).unwrap()),
        select(&Kind::ALL[..]),
    ];
    let piece = (0..6u8, 0..6u8, kind, any::<bool>());
    let corner = (1..=7u8, 0..=6u8);
    let fell = proptest::option::weighted(0.3, (0..6u8, 0..6u8));
    (corner, vec(piece, 2..most), fell, any::<bool>()).prop_map(|(corner, pieces, fell, turn)| {
        let square = |file: u8, rank: u8| Square::new(corner.0 + file, corner.1 + rank);
        let color = |black| if black { Color::Black } else { Color::White };
        let mut setup = Setup::empty();
        for (file, rank, kind, black) in pieces {
            let (square, piece) = (square(file, rank).unwrap(), Piece::new(color(black), kind));
            // A side's second elephant could become its second prince, and no setup has two.
            let reigns = |kind: Kind| kind.unpromoted().unwrap_or(kind);
            let is_rival = |other: Piece| {
                other.color() == piece.color() && reigns(other.kind()) == reigns(kind)
            };
            let may_reign = [Kind::KING, Kind::ELEPHANT].contains(&reigns(kind));
            if !may_reign || !setup.pieces().any(|(_, other)| is_rival(other)) {
                setup.set(square, Some(piece));
            }
        }
        setup.turn = color(turn);
        setup.lion_fell = fell.and_then(|(file, rank)| square(file, rank));
        setup
    })
}

/// A known position or a crowd.
pub fn setup() -> impl Strategy<Value = Setup> {
    prop_oneof![known_setup(), crowd(30)]
}

/// A start, rules, and what decides about the moves.
pub struct Playout {
    pub setup: Setup,
    pub rules: Rules,
    pub choices: Vec<u16>,
}

impl fmt::Debug for Playout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, rules) = (sfen::format(&self.setup), self.rules);
        write!(f, "{start} {rules:?} choices {:?}", self.choices)
    }
}

/// Playouts of up to `plies` moves from these positions by any rules.
pub fn playouts(
    setups: impl Strategy<Value = Setup>,
    plies: usize,
) -> impl Strategy<Value = Playout> {
    playouts_by(rules(), setups, plies)
}

/// Playouts of up to `plies` moves from these positions by these rules.
pub fn playouts_by(
    rules: impl Strategy<Value = Rules>,
    setups: impl Strategy<Value = Setup>,
    plies: usize,
) -> impl Strategy<Value = Playout> {
    (setups, rules, vec(any::<u16>(), 1..=plies)).prop_map(|(setup, rules, choices)| Playout {
        setup,
        rules,
        choices,
    })
}

/// How the moves of a playout are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Every fourth move captures or promotes if it can.
    Lively,
    /// Three moves in four go back where the piece came from, if they can, so that positions repeat.
    Shuffling,
}

impl Playout {
    pub fn position(&self) -> Position {
        Position::new(&self.setup, self.rules).unwrap()
    }

    /// Shows every position of the playout to `visit`; the playout goes on through ends of the game.
    pub fn walk(
        &self,
        style: Style,
        mut visit: impl FnMut(&mut Position) -> Result<(), TestCaseError>,
    ) -> Result<(), TestCaseError> {
        let mut position = self.position();
        for &choice in &self.choices {
            visit(&mut position)?;
            match choose(&position, &position.moves(), choice, style) {
                Some(m) => position.make(m),
                None => break,
            };
        }
        Ok(())
    }
}

/// The move of the list that a number stands for.
pub fn choose(position: &Position, moves: &MoveList, choice: u16, style: Style) -> Option<Move> {
    let (mood, n) = (choice & 3, usize::from(choice >> 2));
    if style == Style::Shuffling && mood != 0 {
        let back = position.moves_made().rev().nth(1).and_then(|last| {
            let returns = |m: &&Move| m.from() == last.to() && m.to() == last.from();
            moves.iter().find(returns)
        });
        if back.is_some() {
            return back.copied();
        }
    }
    let mut tactical = MoveList::new();
    position.generate(Stage::Tactical, &mut tactical);
    tactical.retain(|m| moves.contains(m));
    let from = if style == Style::Lively && mood == 0 && !tactical.is_empty() {
        &tactical
    } else {
        moves
    };
    from.get(n % from.len().max(1)).copied()
}
