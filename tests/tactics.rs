//! Positions with one best move, which the search must find with few nodes.

mod cases;

use sakijishi::board::{Game, RuleSet};
use sakijishi::engine::{Engine, Limits};
use sakijishi::notation::{sfen, usi};

/// Nodes for each position.
const NODES: u64 = 100_000;

#[test]
fn best_moves_are_found() {
    let mut engine = Engine::new();
    engine.set_option("USI_Hash", "16").unwrap();
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let mut missed = Vec::new();
    let rows = cases::rows("tactics.tsv");
    assert!(rows.len() >= 40);
    for row in &rows {
        let [name, rules, text, best] = &row[..] else {
            panic!("{row:?}")
        };
        let rules = RuleSet::from_word(rules).unwrap();
        engine.set_option("Rules", rules.word()).unwrap();
        engine.new_game();
        let setup = sfen::parse(text).unwrap();
        let game = Game::new(setup, engine.rules()).unwrap();
        let best = usi::parse(best, game.position()).unwrap();
        engine.set_game(game.clone());
        let found = engine.search(&limits).best.unwrap();
        if found != best {
            let found = usi::format(found, game.position());
            missed.push(format!("{name}: {found}\n{text}"));
        }
    }
    assert!(
        missed.is_empty(),
        "missed {}:\n{}",
        missed.len(),
        missed.join("\n")
    );
}
