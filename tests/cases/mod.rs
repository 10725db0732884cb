//! Reading the tables in `tests/data`.
#![allow(dead_code)]

use sakijishi::board::{Move, Position, RuleSet, Rules};
use sakijishi::notation::{sfen, usi};

/// The rows of a table, without its head.
pub fn rows(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// The rule set of this name.
pub fn rules(name: &str) -> Rules {
    RuleSet::from_word(name)
        .unwrap_or_else(|| panic!("no rule set {name}"))
        .into()
}

/// The position of an SFEN.
pub fn position(text: &str, rules: Rules) -> Position {
    let setup = sfen::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    Position::new(&setup, rules).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// The distinct positions of the move list table, without their move numbers' history.
pub fn sfens() -> Vec<String> {
    let mut sfens: Vec<String> = rows("movelists.tsv")
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    sfens.dedup();
    sfens
}

/// Makes the moves of a field, checked by rules §2–5 alone; `-` is none.
pub fn play(position: &mut Position, field: &str) {
    for text in field.split_whitespace().filter(|&text| text != "-") {
        let m: Move = usi::parse(text, position).unwrap_or_else(|e| panic!("{field}: {e}"));
        position.make(m);
    }
}

/// Every spelling of every move, sorted.
pub fn spellings(position: &Position) -> Vec<String> {
    let moves = position.moves();
    let mut all: Vec<String> = moves
        .iter()
        .flat_map(|&m| usi::spellings(m, position))
        .collect();
    all.sort();
    all
}
