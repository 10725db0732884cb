//! What must hold in every position by any rules.

mod cases;
mod playout;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use playout::{Style, config, crowd, playouts, setup};
use proptest::prelude::*;
use sakijishi::board::{Color, Move, MoveList, Outcome, Position, RuleSet, Setup, Square, Stage};
use sakijishi::eval::evaluate;
use sakijishi::eval::material::Accumulator;
use sakijishi::notation::{sfen, usi};

fn generated(position: &Position, stage: Stage) -> MoveList {
    let mut list = MoveList::new();
    position.generate(stage, &mut list);
    list
}

fn texts(moves: impl IntoIterator<Item = Move>, position: &Position) -> BTreeSet<String> {
    let moves = moves.into_iter();
    moves.map(|m| usi::format(m, position)).collect()
}

/// Every number of [`Move::BITS`] bits that is a move.
fn every_move() -> &'static [Move] {
    static ALL: LazyLock<Vec<Move>> =
        LazyLock::new(|| (0..1 << Move::BITS).filter_map(Move::from_bits).collect());
    &ALL
}

/// A move is legal if and only if it is listed, or has the effect of a listed pass or igui and is one of its spellings.
fn assert_legal_is_generated(position: &Position) -> Result<(), TestCaseError> {
    let listed: BTreeSet<Move> = position.moves().into_iter().collect();
    let spelt: BTreeSet<String> = cases::spellings(position).into_iter().collect();
    let legal: BTreeSet<Move> = every_move()
        .iter()
        .copied()
        .filter(|&m| position.is_legal(m))
        .collect();
    prop_assert!(listed.is_subset(&legal));
    let others = legal.difference(&listed);
    for &m in others.clone() {
        let text = usi::format(m, position);
        prop_assert!(m.to() == m.from() && !m.promotes(), "{:?}", m);
        prop_assert!(
            listed.contains(&position.canonical(m)) && spelt.contains(&text),
            "{}",
            text
        );
    }
    // A pass is spelt once for each empty neighbour.
    let returning = spelt.iter().map(|text| usi::parse(text, position).unwrap());
    let returning: BTreeSet<Move> = returning.filter(|m| !listed.contains(m)).collect();
    prop_assert_eq!(&others.copied().collect::<BTreeSet<Move>>(), &returning);
    Ok(())
}

/// The moves of a position, mapped, are those of its image.
fn assert_symmetric(
    position: &Position,
    image: &Setup,
    place: fn(Square) -> Square,
) -> Result<(), TestCaseError> {
    let image = Position::new(image, *position.rules()).unwrap();
    let mapped = position.moves().into_iter().map(|m| m.map(place));
    let mapped = mapped.map(|m| image.canonical(m));
    prop_assert_eq!(texts(mapped, &image), texts(image.moves(), &image));
    prop_assert_eq!(evaluate(&image, None), evaluate(position, None));
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn unmaking_restores_everything(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            let before = position.clone();
            for m in position.moves() {
                position.make(m);
                prop_assert_eq!(position.key(), position.computed_key());
                prop_assert_eq!(position.last_move(), Some(m));
                prop_assert_eq!(position.unmake(), Some(m));
                prop_assert_eq!(&*position, &before);
            }
            position.make_null();
            prop_assert_eq!(position.key(), position.computed_key());
            prop_assert_eq!(position.unmake(), None);
            prop_assert_eq!(&*position, &before);
            Ok(())
        })?;
    }

    #[test]
    fn a_whole_game_can_be_taken_back(playout in playouts(setup(), 200)) {
        let mut end = playout.position();
        playout.walk(Style::Lively, |position| {
            end = position.clone();
            Ok(())
        })?;
        while end.unmake().is_some() {}
        prop_assert_eq!(end, playout.position());
    }

    #[test]
    fn the_key_says_what_the_setup_says(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            let fresh = Position::new(&position.setup(), *position.rules()).unwrap();
            prop_assert_eq!(fresh.key(), position.key());
            prop_assert_eq!(fresh.setup(), position.setup());
            let (here, there): (BTreeSet<Move>, BTreeSet<Move>) =
                (position.moves().into_iter().collect(), fresh.moves().into_iter().collect());
            prop_assert_eq!(here, there);
            Ok(())
        })?;
    }

    #[test]
    fn evaluation_keeps_up_with_the_moves(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            let before = Accumulator::new(position);
            for m in position.moves() {
                let change = position.make(m);
                prop_assert_eq!(before.after(&change), Accumulator::new(position));
                position.unmake();
            }
            Ok(())
        })?;
    }

    #[test]
    fn mirror_images_and_changed_sides_play_alike(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            let setup = position.setup();
            prop_assert_eq!(setup.mirrored().mirrored(), setup.clone());
            prop_assert_eq!(setup.flipped().flipped(), setup.clone());
            assert_symmetric(position, &setup.mirrored(), Square::mirrored)?;
            assert_symmetric(position, &setup.flipped(), Square::turned)
        })?;
    }

    #[test]
    fn least_attackers_are_those_that_attack(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            for color in Color::BOTH {
                let least = position.least_attackers(color, |kind| kind.index() as i32);
                for square in Square::all() {
                    let found = least[square.cell()];
                    prop_assert_eq!(found < i32::MAX, position.is_attacked(square, color));
                    let is_there = position
                        .pieces()
                        .any(|(_, piece)| piece.color() == color && piece.kind().index() as i32 == found);
                    prop_assert!(is_there || found == i32::MAX);
                }
            }
            let least = position.least_attackers(position.turn(), |kind| kind.index() as i32);
            for m in position.moves().into_iter().filter(|m| m.mid().is_none()) {
                if position.piece(m.to()).is_some() && m.to() != m.from() {
                    let mover = position.piece(m.from()).unwrap().kind();
                    prop_assert!(least[m.to().cell()] <= mover.index() as i32);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn stages_share_out_the_moves(playout in playouts(setup(), 80)) {
        playout.walk(Style::Lively, |position| {
            let [all, tactical, quiet] =
                [Stage::All, Stage::Tactical, Stage::Quiet].map(|stage| generated(position, stage));
            let set: BTreeSet<Move> = all.iter().copied().collect();
            prop_assert_eq!(set.len(), all.len(), "a move is listed twice");
            prop_assert_eq!(all.len(), tactical.len() + quiet.len());
            prop_assert_eq!(&set, &tactical.iter().chain(&quiet).copied().collect());
            let us = position.turn();
            for &m in &all {
                let change = position.make(m);
                let captures = change.captured().count();
                prop_assert!(change.captured().all(|(_, piece)| piece.color() != us));
                prop_assert_eq!(change.lands != change.mover, m.promotes());
                position.unmake();
                let is_quiet = captures == 0 && !position.may_promote(m);
                prop_assert!(captures < 2 || m.mid().is_some());
                prop_assert!(!is_quiet || quiet.contains(&m));
                prop_assert!(captures == 0 && !m.promotes() || tactical.contains(&m));
            }
            Ok(())
        })?;
    }

    #[test]
    fn spellings_fold_to_one_move(playout in playouts(setup(), 60)) {
        playout.walk(Style::Lively, |position| {
            let mut all = BTreeSet::new();
            for m in position.moves() {
                let text = usi::format(m, position);
                prop_assert_eq!(usi::parse(&text, position), Ok(m));
                prop_assert_eq!(position.canonical(m), m);
                let spellings = usi::spellings(m, position);
                prop_assert!(spellings.contains(&text), "{} in {:?}", text, spellings);
                for spelling in spellings {
                    let read = usi::parse(&spelling, position);
                    prop_assert_eq!(read.map(|m| position.canonical(m)), Ok(m), "{}", &spelling);
                    prop_assert!(all.insert(spelling.clone()), "two moves are spelt {}", spelling);
                }
                let short = m.is_pass().then(|| format!("{0}{0}", m.from()));
                let declined = [format!("{text}="), format!("{text}?")];
                for input in short.into_iter().chain(declined).filter(|t| !t.contains('+')) {
                    prop_assert_eq!(usi::parse(&input, position), Ok(m), "{}", input);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn sfen_round_trips(playout in playouts(setup(), 60)) {
        playout.walk(Style::Lively, |position| {
            let setup = position.setup();
            let text = sfen::format(&setup);
            let read: Setup = text.parse().unwrap();
            prop_assert_eq!(&read, &setup);
            prop_assert_eq!(sfen::format(&read), text);
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn legal_is_what_is_generated(playout in playouts(setup(), 8)) {
        playout.walk(Style::Lively, |position| assert_legal_is_generated(position))?;
    }
}

#[test]
fn an_igui_may_be_banned_for_one_piece_and_not_for_another() -> Result<(), TestCaseError> {
    // The bishop behind the eagle protects the lion once the eagle has left, and not while the falcon takes it.
    let sfen = "12/12/12/12/5n6/4+D+H6/12/2b9/12/12/12/kK10 b 1a 1";
    let position = cases::position(sfen, RuleSet::Renmei.into());
    assert_legal_is_generated(&position)?;
    prop_assert!(usi::parse("8f7e8f", &position).is_err());
    let igui = usi::parse("7f7e7f", &position).unwrap();
    prop_assert!(position.moves().contains(&igui));
    prop_assert_eq!(usi::spellings(igui, &position), ["7f7e7f"]);
    Ok(())
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn a_game_accepts_its_moves_and_no_others(
        lively in playouts(setup(), 30),
        shuffling in playouts(crowd(9), 60),
    ) {
        lively.walk(Style::Lively, play_accepts_game_moves)?;
        shuffling.walk(Style::Shuffling, play_accepts_game_moves)?;
    }
}

fn play_accepts_game_moves(position: &mut Position) -> Result<(), TestCaseError> {
    let (outcome, playable) = (position.outcome(), position.game_moves());
    prop_assert_eq!(outcome == Outcome::Playing, !playable.is_empty());
    let listed = position.moves();
    prop_assert!(playable.iter().all(|m| listed.contains(m)));
    for m in listed {
        let mut after = position.clone();
        let accepted = after.play(m).is_ok();
        prop_assert_eq!(
            accepted,
            playable.contains(&m),
            "{}",
            usi::format(m, position)
        );
        prop_assert_eq!(after == *position, !accepted);
    }
    Ok(())
}
