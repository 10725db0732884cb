//! Many quick games by every rule set. Run with
//! `SOAK_GAMES=10000 cargo test --release --test soak -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::time::Duration;

use sakijishi::board::{Color, Game, Position, RuleSet, Rules};
use sakijishi::engine::{Engine, Limits};
use sakijishi::notation::sfen;

/// A game of rule sets without a limit of their own ends as a draw after this many plies.
const LIMIT: u32 = 600;
const RANDOM_PLIES: u64 = 10;

fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(0x5851_F42D_4C95_7F2D)
        .wrapping_add(0x1405_7B7E_F767_814F);
    ((*seed >> 33) as usize) % below
}

/// Plays one game; every move is checked by all rules. Gives how it ended and its length.
fn play(engine: &mut Engine, seed: u64) -> (String, usize) {
    let mut dice = seed;
    engine.new_game();
    let mut game = Game::new(sfen::start(), engine.rules()).unwrap();
    let random_plies = RANDOM_PLIES + seed % 3;
    while !game.outcome().is_over() {
        let moves = game.position().game_moves();
        let m = if (game.position().made() as u64) < random_plies {
            moves[random(&mut dice, moves.len())]
        } else {
            engine.set_game(game.clone());
            let time = Some(Duration::from_millis(1));
            let report = engine.search(&Limits {
                move_time: time,
                ..Limits::default()
            });
            report.best.expect("a move in a game that is not over")
        };
        game.play(m)
            .unwrap_or_else(|error| panic!("game {seed}: {error}"));
    }
    check(game.position());
    let mut outcome = game.outcome().to_string();
    for color in [" black", " white"] {
        outcome = outcome.replace(color, "");
    }
    (outcome, game.position().made())
}

fn check(position: &Position) {
    assert_eq!(position.key(), position.computed_key());
    assert!(
        Color::BOTH
            .iter()
            .all(|&color| position.royal_count(color) <= 2)
    );
}

#[test]
#[ignore = "takes an hour at its full length"]
fn quick_games_end_by_a_rule() {
    let games = std::env::var("SOAK_GAMES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(50);
    let threads = 2;
    let ends: Vec<BTreeMap<String, (usize, usize)>> = std::thread::scope(|scope| {
        let run = |thread| {
            move || {
                let mut engine = Engine::new();
                engine.set_option("USI_Hash", "2").unwrap();
                engine.set_option("Move_Overhead", "0").unwrap();
                let mut ends = BTreeMap::new();
                for n in (thread..games).step_by(threads) {
                    let set = RuleSet::ALL[n / threads % RuleSet::ALL.len()];
                    let limit = Rules::from(set).move_limit.map_or(LIMIT, |_| 1_000);
                    engine.set_option("Rules", set.word()).unwrap();
                    engine
                        .set_option("MaxMovesToDraw", &limit.to_string())
                        .unwrap();
                    let (outcome, plies) = play(&mut engine, n as u64);
                    let end: &mut (usize, usize) = ends
                        .entry(format!("{:8} {outcome}", set.word()))
                        .or_default();
                    *end = (end.0 + 1, end.1 + plies);
                    if (n + 1) % 500 == 0 {
                        println!("{} games", n + 1);
                    }
                }
                ends
            }
        };
        let running: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(run(thread)))
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut all = BTreeMap::new();
    for (end, (count, plies)) in ends.into_iter().flatten() {
        let sum: &mut (usize, usize) = all.entry(end).or_default();
        *sum = (sum.0 + count, sum.1 + plies);
    }
    let total: usize = all.values().map(|(count, _)| count).sum();
    for (end, (count, plies)) in &all {
        println!(
            "{end:28} {count:6} games, {:4} plies on average",
            plies / count
        );
    }
    assert_eq!(total, games);
}
