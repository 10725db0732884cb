//! The signature of the search.

use sakijishi::engine;

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
