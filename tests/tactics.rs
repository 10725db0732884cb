//! Positions with one best move, which the search must find with few nodes.

mod cases;

use sakijishi::board::{Game, RuleSet};
use sakijishi::engine::{Engine, Limits};
use sakijishi::notation::{sfen, usi};

/// Nodes for nearly every position, and for the few that need more.
const NODES: [u64; 2] = [100_000, 400_000];
/// How many may need more.
const FEW: usize = 3;

#[test]
fn best_moves_are_found() {
    let mut engine = Engine::new();
    engine.set_option("USI_Hash", "16").unwrap();
    let (mut late, mut missed) = (0, Vec::new());
    let rows = cases::rows("tactics.tsv");
    assert!(rows.len() >= 40);
    for row in &rows {
        let [name, rules, text, best] = &row[..] else {
            panic!("{row:?}")
        };
        let rules = RuleSet::from_word(rules).unwrap();
        engine.set_option("Rules", rules.word()).unwrap();
        let setup = sfen::parse(text).unwrap();
        let game = Game::new(setup, engine.rules()).unwrap();
        let best = usi::parse(best, game.position()).unwrap();
        let mut search = |nodes| {
            engine.new_game();
            engine.set_game(game.clone());
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            engine.search(&limits).best.unwrap()
        };
        let mut found = search(NODES[0]);
        if found != best {
            late += 1;
            found = search(NODES[1]);
        }
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
    assert!(late <= FEW, "{late} needed {} nodes", NODES[1]);
}
