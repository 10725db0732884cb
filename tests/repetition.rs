//! Repetition in every rule set, against the reference table, by hand, and against a plain reading of the rules.

mod cases;
mod playout;

use playout::{Playout, Style, choose, config, crowd, playouts_by};
use proptest::prelude::*;
use sakijishi::board::{
    BareKing, Color, Illegal, LionTrade, Move, Position, RepetitionRule, RuleSet, Rules, Setup,
};
use sakijishi::notation::{sfen, usi};

/// What comes of playing an opening and then a cycle over and over, in the words of the table.
fn play(sfen: &str, opening: &str, cycle: &str, rules: Rules) -> String {
    let mut position = cases::position(sfen, rules);
    let moves = opening
        .split_whitespace()
        .chain(cycle.split_whitespace().cycle());
    for (n, text) in moves.take(40).enumerate() {
        let outcome = position.outcome();
        if outcome.is_over() {
            return format!("{outcome} {n}");
        }
        match usi::parse(text, &position).map(|m| position.play(m)) {
            Ok(Ok(_)) => {}
            Ok(Err(Illegal::Repetition)) => return format!("illegal {n}"),
            other => panic!("{sfen} {opening} {cycle} {n}: {other:?}"),
        }
    }
    "-".to_owned()
}

#[test]
fn every_row_of_the_table() {
    let rows = cases::rows("repetition.tsv");
    assert_eq!(rows.len(), 400);
    for row in rows {
        let [sfen, cycle, rules, what] = &row[..] else {
            panic!("{row:?}")
        };
        let happens = play(sfen, "", cycle, cases::rules(rules));
        assert_eq!(happens, *what, "{sfen} {cycle} {rules}");
    }
}

/// Plays a cycle by each of the rule sets, bare kings aside, and compares with what should happen: by `renmei` and
/// `jcsa`, by `teiban` and `edo`, by `lishogi`.
fn assert_happens(sfen: &str, opening: &str, cycle: &str, expected: [&str; 3]) {
    for set in RuleSet::ALL {
        let rules = Rules {
            bare_king: BareKing::None,
            ..Rules::from(set)
        };
        let expected = match rules.repetition {
            RepetitionRule::Renmei => expected[0],
            RepetitionRule::Teiban => expected[1],
            _ => expected[2],
        };
        let happens = play(sfen, opening, cycle, rules);
        assert_eq!(happens, expected, "{sfen} {opening} {cycle} {set:?}");
        let indifferent = Rules {
            repetition: RepetitionRule::None,
            ..rules
        };
        assert_eq!(play(sfen, opening, cycle, indifferent), "-");
    }
}

#[test]
fn only_forbidden_moves_are_left() {
    // Black can only shuttle with its go-between: a column of pawns stands on a dead one, and the king is walled in.
    let column = "7P4/".repeat(7);
    let sfen = format!("KL5P4/PP5P4/{column}7P3k/12/7I4 w - 1");
    let expected = ["repetition 11", "no-moves white 11", "repetition 12"];
    assert_happens(&sfen, "", "1j1i 5l5k 1i1j 5k5l", expected);
}

#[test]
fn two_royals_are_not_in_check() {
    // Black's gold opens one rook's file and closes the other's; it bears on nothing itself.
    let cycle = "8e9e 8a9a 9e8e 9a8a";
    let one = "4k7/12/12/12/4G7/12/12/12/12/3RR7/12/11K b - 1";
    let two = "4k6+e/12/12/12/4G7/12/12/12/12/3RR7/12/11K b - 1";
    assert_happens(
        one,
        "",
        cycle,
        ["illegal 12", "illegal 12", "perpetual white 12"],
    );
    assert_happens(
        two,
        "",
        cycle,
        ["illegal 11", "illegal 11", "perpetual white 12"],
    );
    // A rook that attacks with every move must deviate whether or not it is check.
    let cycle = "9f8f 8a9a 8f9f 9a8a";
    let one = "4k7/12/12/12/12/3R8/12/12/12/12/12/11K b - 1";
    let two = "4k6+e/12/12/12/12/3R8/12/12/12/12/12/11K b - 1";
    assert_happens(
        one,
        "",
        cycle,
        ["illegal 12", "illegal 12", "perpetual white 12"],
    );
    assert_happens(
        two,
        "",
        cycle,
        ["illegal 12", "illegal 11", "perpetual white 12"],
    );
}

/// Two lions a side that can pass, far from everything; a rook that can take one of White's.
const PASSERS: &str = "k11/12/2n9/12/5n6/12/12/5R6/12/8N3/12/11K b - 1";

#[test]
fn the_first_to_pass_must_deviate() {
    let passes = "4j5j4j 10c11c10c";
    assert_happens(
        PASSERS,
        "",
        passes,
        ["illegal 6", "illegal 5", "repetition 12"],
    );
    let white_first = PASSERS.replace(" b ", " w ");
    let passes = "10c11c10c 4j5j4j";
    assert_happens(
        &white_first,
        "",
        passes,
        ["illegal 6", "illegal 5", "repetition 12"],
    );
    // After a move that is no pass White passes first; Black may bring its own position back.
    let expected = ["illegal 7", "illegal 6", "repetition 12"];
    assert_happens(PASSERS, "1l1k", passes, expected);
}

#[test]
fn a_run_of_passes_may_begin_before_the_repeated_positions() {
    // White's first pass ends the ban that the capture began: the position before it does not come back, and the
    // repeated ones begin with a pass of Black's.
    let passes = "10c11c10c 4j5j4j";
    assert_happens(
        PASSERS,
        "7h7e",
        passes,
        ["illegal 7", "illegal 7", "repetition 13"],
    );
}

#[test]
fn a_ban_makes_another_position() {
    let free = |set| Rules {
        lion_trade: LionTrade::None,
        ..Rules::from(set)
    };
    let passes = "10c11c10c 4j5j4j";
    // Without bans the position after the capture is the first of four.
    assert_eq!(
        play(PASSERS, "7h7e", passes, free(RuleSet::Teiban)),
        "illegal 6"
    );
    assert_eq!(
        play(PASSERS, "7h7e", passes, RuleSet::Teiban.into()),
        "illegal 7"
    );
    let mut position = cases::position(PASSERS, Rules::default());
    cases::play(&mut position, "7h7e 10c11c10c 4j5j4j");
    assert_eq!(position.occurrences(), 1);
    let mut position = cases::position(PASSERS, free(RuleSet::Renmei));
    cases::play(&mut position, "7h7e 10c11c10c 4j5j4j");
    assert_eq!(position.occurrences(), 2);
}

#[test]
fn who_may_repeat_a_fourth_time_may_repeat_a_fifth() {
    let sfen = "4k7/12/12/12/12/3Q8/12/12/12/12/12/11K b - 1";
    let four = "9f8f 8a9a 8f9f 9a8a ".repeat(3);
    // Black may not check on 8f a fourth time, but can bring White's last position about in another way.
    let fifth = "9f8e 8a9b 8e9f 9b8a";
    for set in [RuleSet::Renmei, RuleSet::Teiban] {
        let rules = Rules {
            bare_king: BareKing::None,
            ..Rules::from(set)
        };
        let mut position = cases::position(sfen, rules);
        for text in format!("{four}{fifth}").split_whitespace() {
            let m = usi::parse(text, &position).unwrap();
            assert!(position.play(m).is_ok(), "{text} {set:?}");
        }
        assert_eq!(position.occurrences(), 5);
        assert_eq!(
            play(sfen, &format!("{four}{fifth}"), "9f8f", rules),
            "illegal 16"
        );
    }
}

#[test]
fn what_lets_the_lishogi_rule_begin_to_count_again() {
    let sfen = "1k10/12/2n9/12/7P4/11I/5P6/4+P7/12/8N3/12/L10K b - 1";
    let passes = "10c11c10c 4j5j4j";
    let table = [
        ("1l1k", 1, "repetition 12"),
        ("1f1e", 1, "repetition 12"),
        ("8h8g", 1, "repetition 12"),
        ("7g7f", 0, "repetition 13"),
        ("12l12h", 0, "repetition 13"),
        ("5e5d+", 0, "repetition 13"),
        ("1f1e 10c11c10c 7g7f", 0, "repetition 15"),
    ];
    for (opening, plies, expected) in table {
        let mut position = cases::position(sfen, RuleSet::Lishogi.into());
        cases::play(&mut position, opening);
        assert_eq!(position.reversible_plies(), plies, "{opening}");
        let happens = play(sfen, opening, passes, RuleSet::Lishogi.into());
        assert_eq!(happens, expected, "{opening}");
    }
}

/// A game as rules §7 `renmei` looks at it.
#[derive(Clone)]
struct Record {
    stood: Vec<Setup>,
    moves: Vec<Played>,
}

#[derive(Clone, Copy)]
struct Played {
    side: Color,
    check: bool,
    attack: bool,
    pass: bool,
}

/// The position as far as it is the same position when it comes back.
fn stripped(position: &Position) -> Setup {
    let mut setup = position.setup();
    setup.move_number = 1;
    if position.rules().lion_trade == LionTrade::None {
        setup.lion_fell = None;
    }
    setup
}

/// Whether the piece that a move just brought to its square could capture there and then, lion trading aside, in one step.
fn bears_on_enemy(after: &Position, m: Move) -> bool {
    let mut setup = after.setup();
    setup.turn = !setup.turn;
    let rules = Rules {
        lion_trade: LionTrade::None,
        ..Rules::default()
    };
    let own_turn = Position::new(&setup, rules).unwrap();
    let mut moves = own_turn
        .moves()
        .into_iter()
        .filter(|next| next.mid().is_none());
    moves.any(|next| {
        next.from() == m.to() && next.to() != m.to() && after.piece(next.to()).is_some()
    })
}

impl Record {
    fn add(&mut self, after: &Position, m: Move) {
        let side = !after.turn();
        let check = after.royal_count(!side) == 1
            && after
                .royals(!side)
                .all(|royal| after.is_attacked(royal, side));
        self.moves.push(Played {
            side,
            check,
            attack: check || bears_on_enemy(after, m),
            pass: m.is_pass(),
        });
        self.stood.push(stripped(after));
    }

    /// Whether the last move was forbidden.
    fn is_forbidden(&self) -> bool {
        let (now, before) = self.stood.split_last().unwrap();
        let Some(first) = before.iter().position(|setup| setup == now) else {
            return false;
        };
        if before.iter().filter(|&setup| setup == now).count() < 3 {
            return false;
        }
        let (cycle, mover) = (&self.moves[first..], self.moves[self.moves.len() - 1].side);
        let only = |holds: fn(&Played) -> bool| {
            let always = |side| cycle.iter().filter(|played| played.side == side).all(holds);
            let mut sides = Color::BOTH.into_iter().filter(|&side| always(side));
            sides.next().filter(|_| sides.next().is_none())
        };
        let obliged = only(|played| played.check).or_else(|| only(|played| played.attack));
        let passes = cycle.iter().all(|played| played.pass);
        let first_pass = || {
            let run = self.moves.iter().rev().take_while(|played| played.pass);
            run.last().map(|played| played.side).filter(|_| passes)
        };
        obliged.or_else(first_pass).unwrap_or(mover) == mover
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn the_obliged_side_by_a_plain_reading(
        playout in playouts_by(Just(RuleSet::Renmei.into()), crowd(7), 60),
    ) {
        follow(&playout)?;
    }
}

fn follow(playout: &Playout) -> Result<(), TestCaseError> {
    let mut position = playout.position();
    let mut record = Record {
        stood: vec![stripped(&position)],
        moves: Vec::new(),
    };
    for &choice in &playout.choices {
        for m in position.moves() {
            let mut after = position.clone();
            after.make(m);
            // The plain reading is slow; only what came back often is worth it.
            let often = record
                .stood
                .iter()
                .filter(|&setup| *setup == stripped(&after))
                .count()
                >= 2;
            let expected = often && {
                let mut record = record.clone();
                record.add(&after, m);
                record.is_forbidden()
            };
            let sfen = sfen::format(&after.setup());
            prop_assert_eq!(position.repetition_forbids(m), expected, "{}", sfen);
        }
        let allowed = position.game_moves();
        let Some(m) = choose(&position, &allowed, choice, Style::Shuffling) else {
            break;
        };
        position.make(m);
        record.add(&position, m);
    }
    Ok(())
}
