//! Random games against the rules of another library, `minase-core`, where its rules can be mapped.
//!
//! | here | there |
//! |---|---|
//! | promotion `renmei`, with lance last rank | P0, with P3 |
//! | counter-strike `protected` | L0 with L4, which leaves lions that capture lions alone (without L3: a pawn or go-between captured on the first step keeps its foot) |
//! | counter-strike `always` | L1 |
//! | exempt square | L2 |
//! | repetition `lishogi` | R1 |
//! | repetition `teiban` | R3, but for its side in check, which may repeat here |
//! | bare king `renmei` with lone royals `draw` | E0, as long as no pawns or go-betweens and no second royals are about |
//! | bare king `lishogi` with lone royals `draw` | E3, as long as the winner has one royal and no pawn beside the loser |
//! | bare king `none` | E2 |
//! | a side loses when its last royal is captured | E1 (without it, mate ends the game) |
//!
//! Not mapped, because nothing there is like it: promotion `hon`, lion trade `none`, repetition `renmei`, bare king
//! `teiban`, and the move limit.

mod cases;
mod playout;

use std::collections::BTreeSet;

use minase_core as other;
use minase_core::notation::sfen::parse_extended_sfen;
use minase_core::notation::usi as other_usi;
use minase_core::{DrawReason, ExhaustionRule, GameResult, GameStatus, LionRule, WinReason};
use playout::{Playout, Style, choose, config, crowd, playouts_by, setup};
use proptest::prelude::*;
use sakijishi::board::{
    BareKing, Color, Kind, LionTrade, LoneRoyals, Move, MoveList, Outcome, Piece, Position,
    RepetitionRule, RuleSet, Rules, Setup, Square, StrikeScope,
};
use sakijishi::notation::{sfen, usi};

/// The rules that both sides know, as this side calls them.
fn shared_rules() -> impl Strategy<Value = Rules> {
    let of = |set: RuleSet| Rules::from(set);
    let any_scope = Rules {
        strike_scope: StrikeScope::Any,
        ..of(RuleSet::Lishogi)
    };
    let federation = Rules {
        repetition: RepetitionRule::Lishogi,
        lone_royals: LoneRoyals::Draw,
        ..of(RuleSet::Renmei)
    };
    let association = Rules {
        repetition: RepetitionRule::Teiban,
        lone_royals: LoneRoyals::Draw,
        ..of(RuleSet::Jcsa)
    };
    let unlimited = |rules| Rules {
        move_limit: None,
        ..rules
    };
    let table = [
        of(RuleSet::Lishogi),
        any_scope,
        federation,
        association,
        of(RuleSet::Edo),
    ];
    proptest::sample::select(table.map(unlimited).to_vec())
}

/// The same rules as the other side calls them.
fn mapped(rules: &Rules) -> other::Rules {
    other::Rules {
        moves: other::MoveRules {
            lion: match rules.lion_trade {
                LionTrade::Always => LionRule::L1,
                _ => LionRule::L0 { l4: true },
            },
            l2: rules.strike_exempt,
            p3: rules.lance_last_rank,
            ..other::MoveRules::standard()
        },
        repetition: match rules.repetition {
            RepetitionRule::Lishogi => other::RepetitionRule::R1,
            _ => other::RepetitionRule::R3,
        },
        e1: true,
        exhaustion: match rules.bare_king {
            BareKing::Lishogi => ExhaustionRule::E3,
            BareKing::None => ExhaustionRule::E2,
            _ => ExhaustionRule::E0,
        },
    }
}

/// The setup with what both sides can start from: a king each, and no lion fallen where none can have fallen: below an
/// own piece, or below a lion, unless it promoted there.
fn made_startable(mut setup: Setup) -> Setup {
    for color in Color::BOTH {
        let is_royal =
            |(_, piece): (Square, Piece)| piece.color() == color && piece.kind().is_royal();
        if !setup.pieces().any(is_royal) {
            let corner = Square::all().find(|&square| setup.piece(square).is_none());
            setup.set(corner.unwrap(), Some(Piece::new(color, Kind::KING)));
        }
    }
    setup.lion_fell = setup.lion_fell.filter(|&square| {
        setup
            .piece(square)
            .is_none_or(|piece| piece.color() != setup.turn && piece.kind() != Kind::LION)
    });
    setup
}

/// Both sides of a comparison.
struct Pair {
    here: Position,
    there: other::Game,
}

impl Pair {
    fn new(playout: &Playout) -> Pair {
        let rules = mapped(&playout.rules);
        let text = sfen::format(&playout.setup);
        let setup = parse_extended_sfen(&text, rules.moves).unwrap();
        Pair {
            here: playout.position(),
            there: other::Game::from_position(rules, setup.restore_position().unwrap()),
        }
    }

    fn text_there(&self, m: other::Move) -> String {
        other_usi::text_generated(self.there.position(), m)
    }

    /// Effects by piece: every pass and igui of every piece. A pass is spelt as a move to its own square, because its
    /// quiet step is a matter of taste.
    fn effects_there(&self, moves: impl IntoIterator<Item = other::Move>) -> BTreeSet<String> {
        let moves = moves.into_iter();
        moves
            .map(|m| {
                let text = self.text_there(m);
                let start = &text[..text.find(|c: char| c.is_alphabetic()).unwrap() + 1];
                let passes = m.from == m.to && m.mid.is_none();
                if passes { start.repeat(2) } else { text }
            })
            .collect()
    }

    fn effects_here(&self, moves: impl IntoIterator<Item = Move>) -> BTreeSet<String> {
        let mut effects = BTreeSet::new();
        for m in moves {
            let returns = m.from() == m.to();
            let spellings = if returns {
                usi::spellings(m, &self.here)
            } else {
                Vec::new()
            };
            for spelling in spellings {
                let each = usi::parse(&spelling, &self.here).unwrap();
                let short = format!("{0}{0}", each.from());
                effects.insert(if each.is_pass() { short } else { spelling });
            }
            if !returns {
                effects.insert(usi::format(m, &self.here));
            }
        }
        effects
    }

    /// Whether the two sides differ about this capture of a lion on the first step by a falcon or eagle.
    ///
    /// The scope `dest` does not look at first steps, and no rule there is like it. Whether the lion is protected is
    /// asked there when the first step is done, here when the move is, without what its second step captures
    /// (rules §5: "everything m captured gone").
    fn is_moot(&self, text: &str) -> bool {
        let squares: Vec<Square> = squares(text);
        let &[from, mid, to] = &squares[..] else {
            return false;
        };
        let is_lion = |square| {
            self.here
                .piece(square)
                .is_some_and(|piece| piece.kind().is_lion())
        };
        let goes_on = to != from && self.here.piece(to).is_some();
        !is_lion(from)
            && is_lion(mid)
            && match self.here.rules().lion_trade {
                LionTrade::Always => self.here.rules().strike_scope == StrikeScope::Destination,
                _ => goes_on,
            }
    }

    fn compare_moves(&self) -> Result<(), TestCaseError> {
        let mut listed = Vec::new();
        let generator = other::MoveGenerator::new(self.there.rules().moves);
        generator.generate_moves(self.there.position(), &mut listed);
        let (here, there) = (
            self.effects_here(self.here.moves()),
            self.effects_there(listed),
        );
        let differences: Vec<_> = here.symmetric_difference(&there).collect();
        let serious = differences.into_iter().filter(|text| !self.is_moot(text));
        prop_assert_eq!(
            serious.collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{}",
            self.sfen()
        );
        // Out of check a side may repeat here.
        if !self.here.outcome().is_over() && !self.here.is_in_check(self.here.turn()) {
            let playable = self.effects_here(self.here.game_moves());
            let differences = playable
                .symmetric_difference(&self.effects_there(self.there.legal_moves()))
                .filter(|text| !self.is_moot(text))
                .count();
            prop_assert_eq!(differences, 0, "{}", self.sfen());
        }
        Ok(())
    }

    fn sfen(&self) -> String {
        sfen::format(&self.here.setup())
    }

    /// Plays a move that both sides have.
    fn play(&mut self, m: Move) {
        let text = usi::format(m, &self.here);
        let there = other_usi::parse(self.there.position(), &text).unwrap();
        self.there.play(there).unwrap();
        self.here.play(m).unwrap();
    }

    fn compare_positions(&self) -> Result<(), TestCaseError> {
        let position = self.there.position();
        let text = self.sfen();
        prop_assert!(text.starts_with(&other::to_sfen(position)), "{}", text);
        let fell = position
            .lion_capture_square()
            .map(other::notation::sfen::square_to_text);
        prop_assert_eq!(self.here.lion_fell().is_some(), fell.is_some());
        Ok(())
    }

    /// Whether the two sides differ about a bare king here; see the table above.
    fn is_moot_end(&self) -> bool {
        let here = &self.here;
        let is_little =
            |square: Square, piece: Piece| piece.kind().is_pawn_like() || piece.is_dead_on(square);
        let mut sides = Color::BOTH.into_iter();
        let differs = match here.rules().bare_king {
            // Here any piece of the winner beside the bare king counts, there pawns, go-betweens and the dead do not.
            BareKing::Lishogi => sides.any(|color| {
                here.last_royal(!color).is_some_and(|royal| {
                    here.pieces().any(|(square, piece)| {
                        let beside = piece.color() == color && royal.distance(square) == 1;
                        beside && is_little(square, piece)
                    })
                })
            }),
            // Here the last counting piece must be captured at once, there the royal will do as well.
            BareKing::Renmei => {
                let mut pieces = here.pieces();
                pieces
                    .any(|(square, piece)| piece.kind().is_pawn_like() && !piece.is_dead_on(square))
                    || sides.any(|color| here.is_in_check(color))
            }
            _ => false,
        };
        differs || Color::BOTH.iter().any(|&color| here.royal_count(color) > 1)
    }

    /// Whether the game goes on, on both sides.
    fn compare_outcomes(&self) -> Result<bool, TestCaseError> {
        let here = self.here.outcome();
        let there = match self.there.status() {
            GameStatus::Ongoing => "playing".to_owned(),
            GameStatus::Finished(GameResult::Win { winner, reason }) => {
                let reason = match reason {
                    WinReason::RoyalCapture => "royals",
                    WinReason::Repetition => "perpetual",
                    WinReason::PieceExhaustion | WinReason::BareKing => "bare-king",
                    WinReason::Stalemate => "no-moves",
                    WinReason::Mate | WinReason::Resignation => "none of these rules",
                };
                format!("{reason} {winner:?}").to_lowercase()
            }
            GameStatus::Finished(GameResult::Draw { reason }) => match reason {
                DrawReason::Repetition => "repetition".to_owned(),
                _ => "draw".to_owned(),
            },
        };
        let escapes = there.starts_with("no-moves") && self.here.is_in_check(self.here.turn());
        let bares = matches!(here, Outcome::BareKing(_)) || there.starts_with("bare-king");
        if here.to_string() != there && (bares && self.is_moot_end() || escapes) {
            return Ok(false);
        }
        prop_assert_eq!(here.to_string(), there, "{}", self.sfen());
        Ok(here == Outcome::Playing)
    }
}

/// The squares that a move names.
fn squares(text: &str) -> Vec<Square> {
    let ends = text
        .match_indices(|c: char| c.is_alphabetic())
        .map(|(i, _)| i + 1);
    let starts = std::iter::once(0).chain(ends.clone());
    starts
        .zip(ends)
        .filter_map(|(start, end)| text[start..end].parse().ok())
        .collect()
}

fn compare(playout: &Playout, style: Style) -> Result<(), TestCaseError> {
    let mut pair = Pair::new(playout);
    pair.compare_moves()?;
    // A game that is over before it begins is only noticed here.
    if pair.here.outcome().is_over() {
        return Ok(());
    }
    for &choice in &playout.choices {
        let theirs = pair.effects_there(pair.there.legal_moves());
        let common: MoveList = pair
            .here
            .game_moves()
            .into_iter()
            .filter(|&m| pair.effects_here([m]).is_subset(&theirs))
            .collect();
        let Some(m) = choose(&pair.here, &common, choice, style) else {
            break;
        };
        pair.play(m);
        pair.compare_positions()?;
        if !pair.compare_outcomes()? {
            break;
        }
        pair.compare_moves()?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn lively_games(playout in playouts_by(shared_rules(), setup().prop_map(made_startable), 60)) {
        compare(&playout, Style::Lively)?;
    }

    #[test]
    fn games_that_repeat(playout in playouts_by(shared_rules(), crowd(8).prop_map(made_startable), 60)) {
        compare(&playout, Style::Shuffling)?;
    }
}
