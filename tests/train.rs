//! Self-play, files of games, and learning from them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use sakijishi::arena::{Shard, read_games};
use sakijishi::board::RuleSet;
use sakijishi::eval::material::Weights;
use sakijishi::notation::sfen;
use sakijishi::train::dataset::{self, Info};
use sakijishi::train::games::{GameWriter, Games, Sample};
use sakijishi::train::psq::{Fit, Points, fit};
use sakijishi::train::selfplay::{Plan, run};

/// A file that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("sakijishi-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Scratch(path)
    }

    fn games(&self) -> Vec<Sample> {
        Games::open(&self.0)
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn plan(games: usize, threads: usize) -> Plan {
    Plan {
        games,
        shard: Shard::WHOLE,
        nodes: 60,
        soft_nodes: None,
        eval_file: None,
        openings: Vec::new(),
        random_plies: (8, 10),
        balance: 400,
        seed: 7,
        rules: vec![RuleSet::Lishogi, RuleSet::Renmei],
        threads,
    }
}

fn play(file: &Scratch, games: usize, threads: usize) {
    let plan = plan(games, threads);
    run(&plan, &file.0, &AtomicBool::new(false), |_| {}).unwrap();
}

#[test]
fn the_same_plan_gives_the_same_file_however_it_is_interrupted() {
    let (whole, parts) = (Scratch::new("whole"), Scratch::new("parts"));
    play(&whole, 4, 2);
    play(&parts, 1, 1);
    // An interruption left a game half written.
    let mut bytes = std::fs::read(&parts.0).unwrap();
    bytes.extend_from_slice(&[40, 0, 0, 0, 1, 2, 3]);
    std::fs::write(&parts.0, bytes).unwrap();
    play(&parts, 4, 1);
    assert_eq!(
        std::fs::read(&whole.0).unwrap(),
        std::fs::read(&parts.0).unwrap()
    );
    let games = whole.games();
    assert_eq!(games.len(), 4);
    for (n, game) in games.iter().enumerate() {
        assert_eq!(game.rules, [RuleSet::Lishogi, RuleSet::Renmei][n % 2]);
        let unscored = game
            .moves
            .iter()
            .take_while(|(_, score)| score.is_none())
            .count();
        assert!((8..=10).contains(&unscored), "{unscored}");
        assert!(
            game.moves[unscored..]
                .iter()
                .all(|(_, score)| score.is_some())
        );
    }
}

#[test]
fn games_begin_within_other_games() {
    let text = Scratch::new("openings");
    let lines = "\n# two games\nstartpos moves 7i7h 7d7e 6i6h\nsfen 5k3r2/12/12/12/12/12/12/12/12/12/12/5K3R2 w - 9\n";
    std::fs::write(&text.0, lines).unwrap();
    let read = || read_games(&text.0, RuleSet::Lishogi.into(), |_| Ok(()));
    let openings = read().unwrap();
    let mut starts = BTreeSet::new();
    for mut game in openings.clone() {
        loop {
            starts.insert(sfen::format(&game.position().setup()));
            if game.undo().is_none() {
                break;
            }
        }
    }
    assert_eq!(starts.len(), 5);
    let file = Scratch::new("begun");
    let plan = Plan {
        openings,
        random_plies: (0, 2),
        balance: 10_000,
        nodes: 1,
        ..plan(40, 2)
    };
    run(&plan, &file.0, &AtomicBool::new(false), |_| {}).unwrap();
    let begun: BTreeSet<String> = file.games().into_iter().map(|game| game.start).collect();
    assert_eq!(begun, starts);
    // Nothing is balanced to less than nothing.
    let unfair = Plan {
        balance: -1,
        ..plan
    };
    let error = run(&unfair, &file.0, &AtomicBool::new(false), |_| {});
    assert!(error.is_ok(), "all games are there: {error:?}");
    let unfair = Plan {
        games: 41,
        ..unfair
    };
    let error = run(&unfair, &file.0, &AtomicBool::new(false), |_| {}).unwrap_err();
    assert!(error.to_string().contains("balanced to -1"), "{error}");
    for (lines, place) in [
        ("", "has no openings"),
        ("startpos\nstartpos moves 7i7a", "line 2"),
    ] {
        std::fs::write(&text.0, lines).unwrap();
        let error = read().unwrap_err();
        assert!(format!("{error:#}").contains(place), "{error:#}");
    }
}

#[test]
fn games_are_read_back_and_damage_is_noticed() {
    let file = Scratch::new("damage");
    play(&file, 2, 1);
    let games = file.games();
    let copy = Scratch::new("copy");
    let (mut writer, have) = GameWriter::append(&copy.0).unwrap();
    assert_eq!(have, 0);
    games.iter().for_each(|game| writer.write(game).unwrap());
    assert_eq!(copy.games(), games);
    let bytes = std::fs::read(&file.0).unwrap();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!(
        bytes.len() < 5 * plies,
        "{} bytes for {plies} plies",
        bytes.len()
    );
    for place in (8..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        std::fs::write(&file.0, damaged).unwrap();
        let read: Vec<_> = Games::open(&file.0).unwrap().take(3).collect();
        assert!(read.iter().any(Result::is_err), "byte {place}");
    }
    std::fs::write(&file.0, b"SKJgame0").unwrap();
    assert!(Games::open(&file.0).is_err());
    assert!(GameWriter::append(&file.0).is_err());
}

#[test]
fn a_fit_lowers_the_error_and_is_the_same_twice() {
    let file = Scratch::new("fit");
    play(&file, 40, 2);
    let learn = || {
        let mut points = Points::read(&[&file.0], 0.3).unwrap();
        let plan = Fit {
            epochs: 4,
            batch: 512,
            rate: 2.0,
            result_share: 0.3,
            decay: 0.0,
            seed: 3,
            threads: 2,
        };
        let mut errors = Vec::new();
        let weights = fit(&mut points, &Weights::built_in(), &plan, |epoch| {
            errors.push(epoch.training);
        });
        (weights, errors)
    };
    let (weights, errors) = learn();
    assert!(errors.last() < errors.first(), "{errors:?}");
    assert_ne!(weights, Weights::built_in());
    assert_eq!((weights, errors), learn());
}

#[test]
fn the_built_in_values_survive_their_file() {
    let weights = Weights::built_in();
    let file = include_bytes!("../src/eval/default.psq");
    assert_eq!(weights.to_bytes(), file);
    assert_eq!(Weights::from_flat(&weights.to_flat()), weights);
}

#[test]
fn files_are_put_together_and_looked_into() {
    let (first, second) = (Scratch::new("first"), Scratch::new("second"));
    play(&first, 3, 2);
    play(&second, 2, 1);
    let files = [&first.0, &second.0];
    let (merged, shuffled) = (Scratch::new("merged"), Scratch::new("shuffled"));
    assert_eq!(dataset::merge(&files, &merged.0).unwrap(), 5);
    let games: Vec<Sample> = [first.games(), second.games()].concat();
    assert_eq!(merged.games(), games);
    assert_eq!(dataset::check(&merged.0).unwrap(), 5);
    // No file is written over.
    assert!(dataset::merge(&files, &merged.0).is_err());
    assert_eq!(dataset::shuffle(&files, &shuffled.0, 3).unwrap(), 5);
    assert_ne!(shuffled.games(), games);
    let starts = |games: &[Sample]| -> BTreeSet<String> {
        games
            .iter()
            .map(|game| format!("{:?}", game.moves))
            .collect()
    };
    assert_eq!(starts(&shuffled.games()), starts(&games));
    let info = Info::read(&files).unwrap();
    assert_eq!(info, Info::read(&[&merged.0]).unwrap());
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    assert_eq!((info.games, info.plies), (5, plies));
    assert_eq!(info.results.iter().sum::<usize>(), 5);
    assert_eq!(info.rules.values().sum::<usize>(), 5);
    assert_eq!(
        info.scores.iter().map(|(_, n)| n).sum::<usize>(),
        info.scored
    );
    assert!(0 < info.positions && info.positions < info.scored && info.scored < plies);
    let mut bytes = std::fs::read(&merged.0).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&merged.0, bytes).unwrap();
    let error = format!("{:#}", dataset::check(&merged.0).unwrap_err());
    assert!(error.contains("games: at byte"), "{error}");
}

#[test]
fn shards_together_are_the_whole() {
    let part = |index, count| {
        let file = Scratch::new(&format!("shard{index}{count}"));
        let plan = Plan {
            games: 3,
            shard: Shard { index, count },
            nodes: 200,
            soft_nodes: Some(30),
            eval_file: Some("none".to_owned()),
            openings: Vec::new(),
            random_plies: (8, 10),
            balance: 400,
            seed: 7,
            rules: vec![RuleSet::Lishogi, RuleSet::Renmei],
            threads: 1,
        };
        run(&plan, &file.0, &AtomicBool::new(false), |_| {}).unwrap();
        file.games()
    };
    let (whole, odd, even) = (part(1, 1), part(1, 2), part(2, 2));
    assert_eq!((odd.len(), even.len()), (2, 1));
    assert_eq!(whole, [&odd[0], &even[0], &odd[1]].map(Clone::clone));
}
