//! Legal moves in every rule set against the reference tables.

mod cases;

use sha2::{Digest, Sha256};

#[test]
fn every_move_list() {
    let rows = cases::rows("movelists.tsv");
    assert_eq!(rows.len(), 1800);
    for row in rows {
        let [sfen, rules, count, moves, hash] = &row[..] else {
            panic!("{row:?}")
        };
        let position = cases::position(sfen, cases::rules(rules));
        let spellings = cases::spellings(&position);
        assert_eq!(
            spellings.len().to_string(),
            *count,
            "spellings of {sfen} by {rules}"
        );
        assert_eq!(
            position.moves().len().to_string(),
            *moves,
            "moves of {sfen} by {rules}"
        );
        let digest = Sha256::digest(spellings.join(" "));
        let digest: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(digest, *hash, "{sfen} by {rules}: {spellings:?}");
    }
}

#[test]
fn every_legality_case() {
    let rows = cases::rows("legal.tsv");
    assert_eq!(rows.len(), 100);
    for row in rows {
        let [id, rules, sfen, first, legal, illegal, lion_field] = &row[..] else {
            panic!("{row:?}")
        };
        let mut position = cases::position(sfen, cases::rules(rules));
        cases::play(&mut position, first);
        let spellings = cases::spellings(&position);
        for text in legal.split_whitespace().filter(|&text| text != "-") {
            assert!(
                spellings.iter().any(|s| s == text),
                "{id} {rules}: {text} should be legal"
            );
        }
        for text in illegal.split_whitespace().filter(|&text| text != "-") {
            assert!(
                spellings.iter().all(|s| s != text),
                "{id} {rules}: {text} is not legal"
            );
        }
        let fell = position
            .lion_fell()
            .map_or("-".to_owned(), |square| square.to_string());
        assert_eq!(fell, *lion_field, "{id} {rules}");
    }
}
