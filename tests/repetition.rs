//! Repetition in every rule set, against the reference table and by hand.

mod cases;

use sakijishi::board::{Illegal, Rules};
use sakijishi::notation::usi;

/// What comes of playing a cycle over and over, in the words of the table.
fn play_cycle(sfen: &str, cycle: &str, rules: Rules) -> String {
    let mut position = cases::position(sfen, rules);
    for (n, text) in cycle.split_whitespace().cycle().take(40).enumerate() {
        let outcome = position.outcome();
        if outcome.is_over() {
            return format!("{outcome} {n}");
        }
        match usi::parse(text, &position).map(|m| position.play(m)) {
            Ok(Ok(_)) => {}
            Ok(Err(Illegal::Repetition)) => return format!("illegal {n}"),
            other => panic!("{sfen} {cycle} {n}: {other:?}"),
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
        assert_eq!(
            play_cycle(sfen, cycle, cases::rules(rules)),
            *what,
            "{sfen} {cycle} {rules}"
        );
    }
}
