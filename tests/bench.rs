//! The signature of the search.

use sakijishi::board::Game;
use sakijishi::engine::{self, Engine, Limits};
use sakijishi::notation::sfen;

/// The signature changes with every change of what the search does; `sakijishi bench` prints the new one.
#[test]
fn the_signature_is_the_recorded_one() {
    let recorded = include_str!("data/bench.txt").trim();
    assert_eq!(engine::bench(None, |_, _| {}).nodes.to_string(), recorded);
}

#[test]
fn the_same_search_twice_counts_the_same_nodes() {
    let count = || engine::bench(Some(5), |_, _| {}).nodes;
    assert_eq!(count(), count());
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    let text = "lf1sgeg1s1fl/4tx1t1c1a/a4k1h1rvm/p2p1ppbpp2/1p1c4i2p/10p1/7P4/P5PXIP1P/1P3PT1PRP1/M1V5DHVM/AC1S3T1SCA/LF3KEG3L w - 100";
    let mut engine = Engine::new();
    engine.set_option("Mate_Nodes", "0").unwrap();
    engine.set_option("Rules", "lishogi").unwrap();
    engine.set_option("USI_Hash", "16").unwrap();
    let game = Game::new(sfen::parse(text).unwrap(), engine.rules()).unwrap();
    for nodes in (20_000..60_000).step_by(1_997).chain([200_000]) {
        engine.new_game();
        engine.set_game(game.clone());
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        assert_eq!(engine.search(&limits).nodes, nodes);
    }
}
