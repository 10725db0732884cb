//! Counts of the move tree against the reference table.

mod cases;

use sakijishi::board::{Position, perft};
use sakijishi::notation::{sfen, usi};

/// The number of sequences of spellings.
fn spelled_perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.has_lost_royals(position.turn()) {
        return 0;
    }
    let moves = position.moves();
    let mut leaves = 0;
    for m in moves {
        let spellings = usi::spellings(m, position).len() as u64;
        position.make(m);
        leaves += spellings * spelled_perft(position, depth - 1);
        position.unmake();
    }
    leaves
}

#[test]
fn every_row_of_the_table() {
    let rows = cases::rows("perft.tsv");
    assert_eq!(rows.len(), 26);
    for row in rows {
        let [sfen, rules, depth, moves, spellings] = &row[..] else {
            panic!("{row:?}")
        };
        let mut position = cases::position(sfen, cases::rules(rules));
        let (before, depth) = (position.clone(), depth.parse().unwrap());
        assert_eq!(perft(&mut position, depth).to_string(), *moves, "{row:?}");
        assert_eq!(
            spelled_perft(&mut position, depth).to_string(),
            *spellings,
            "{row:?}"
        );
        assert_eq!(position, before);
    }
}

#[test]
fn start_position_to_depth_four() {
    let mut position = cases::position(sfen::START, cases::rules("lishogi"));
    let moves = [36, 1_296, 48_315, 1_801_639];
    let spellings = [36, 1_296, 52_599, 2_134_748];
    for depth in 1..=4 {
        assert_eq!(perft(&mut position, depth), moves[depth as usize - 1]);
        assert_eq!(
            spelled_perft(&mut position, depth),
            spellings[depth as usize - 1]
        );
    }
}
