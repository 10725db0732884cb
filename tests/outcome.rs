//! How games end, against the reference table.

mod cases;

#[test]
fn every_row_of_the_table() {
    let rows = cases::rows("outcome.tsv");
    assert_eq!(rows.len(), 70);
    for row in rows {
        let [id, rules, sfen, first, outcome] = &row[..] else {
            panic!("{row:?}")
        };
        let mut position = cases::position(sfen, cases::rules(rules));
        cases::play(&mut position, first);
        assert_eq!(position.outcome().to_string(), *outcome, "{id} {rules}");
    }
}
