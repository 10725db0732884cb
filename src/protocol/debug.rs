//! What people ask an engine besides the protocol: each a text to print.

use std::time::Instant;

use crate::board::{self, Color, MoveList, Position};
use crate::engine::{self, Engine};
use crate::notation::diagram::{self, Style};
use crate::notation::{sfen, usi};

/// The deepest count that is begun.
const DEEPEST: u32 = 12;

/// The board, then SFEN, key, number of moves and outcome.
pub(super) fn describe(position: &Position) -> String {
    format!(
        "{}sfen: {}\nkey: {:016x}\nmoves: {}\noutcome: {}",
        diagram::draw(position, Style::Letters, position.last_move(), false),
        sfen::format(&position.setup()),
        position.key(),
        position.moves().len(),
        position.outcome(),
    )
}

/// The moves on one line: in our spelling, in every spelling (`all`), or those that may be played now (`game`).
pub(super) fn moves(position: &Position, which: Option<&str>) -> String {
    let ours = |moves: MoveList| moves.iter().map(|&m| usi::format(m, position)).collect();
    let texts: Vec<String> = match which {
        None => ours(position.moves()),
        Some("game") => ours(position.game_moves()),
        Some("all") => position
            .moves()
            .iter()
            .flat_map(|&m| usi::spellings(m, position))
            .collect(),
        Some(other) => return format!("info string moves: `{other}` is neither all nor game"),
    };
    texts
        .into_iter()
        .fold("moves".to_owned(), |line, text| line + " " + &text)
}

fn depth(argument: Option<&str>) -> Result<u32, String> {
    let Some(text) = argument else {
        return Err(format!(
            "info string perft needs a depth from 1 to {DEEPEST}"
        ));
    };
    match text.parse() {
        Ok(depth @ 1..=DEEPEST) => Ok(depth),
        _ => Err(format!(
            "info string perft: `{text}` is not a depth from 1 to {DEEPEST}"
        )),
    }
}

/// The number of leaves, and how fast they were counted.
pub(super) fn perft(position: &Position, argument: Option<&str>) -> String {
    let depth = match depth(argument) {
        Ok(depth) => depth,
        Err(error) => return error,
    };
    let start = Instant::now();
    let leaves = board::perft(&mut position.clone(), depth);
    counted(leaves, start)
}

/// The number of leaves for each move, and of all.
pub(super) fn divide(position: &Position, argument: Option<&str>) -> String {
    let depth = match depth(argument) {
        Ok(depth) => depth,
        Err(error) => return error,
    };
    let start = Instant::now();
    let mut copy = position.clone();
    let shares: Vec<_> = board::divide(&mut copy, depth).collect();
    let lines = shares
        .iter()
        .map(|(m, leaves)| format!("{}: {leaves}\n", usi::format(*m, position)));
    let text: String = lines.collect();
    text + &counted(shares.iter().map(|(_, leaves)| leaves).sum(), start)
}

fn counted(leaves: u64, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let speed = leaves as f64 / seconds.max(1e-9) / 1e6;
    format!("info string {seconds:.3} s, {speed:.1} M leaves/s\nNodes searched: {leaves}")
}

/// The static evaluation.
pub(super) fn evaluation(engine: &Engine) -> String {
    let score = engine.evaluate();
    let black = match engine.game().position().turn() {
        Color::Black => score,
        Color::White => -score,
    };
    format!("eval: {score} cp for the side to move, {black} cp for black")
}

/// The points of both sides and who wins by them (rules §8).
pub(super) fn points(position: &Position) -> String {
    let [black, white] = Color::BOTH.map(|color| position.points(color));
    let verdict = match black.cmp(&white) {
        std::cmp::Ordering::Greater => "black wins",
        std::cmp::Ordering::Less => "white wins",
        std::cmp::Ordering::Equal => "draw",
    };
    let tenths = |points: u32| format!("{}.{}", points / 10, points % 10);
    format!(
        "points: black {} white {} {verdict}",
        tenths(black),
        tenths(white)
    )
}

/// The signature of the search, and its speed.
pub(super) fn bench(argument: Option<&str>) -> String {
    let depth = match argument.map(str::parse) {
        None => None,
        Some(Ok(depth @ 1..=100)) => Some(depth),
        Some(_) => return "info string bench: the depth is a number from 1 to 100".to_owned(),
    };
    let result = engine::bench(depth, |_, _| {});
    format!("{} nodes {} nps", result.nodes, result.nps())
}

/// What this was built for.
pub(super) fn compiler() -> String {
    format!(
        "info string {} {} for {} {}, {} build, Rust {} or later",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        },
        env!("CARGO_PKG_RUST_VERSION"),
    )
}
