//! A fixed amount of search whose node count is the signature of the search.

use std::time::Duration;

use super::Engine;
use crate::board::{Game, RuleSet};
use crate::notation::sfen;
use crate::search::Limits;

/// Start, openings, middlegames and endings, one SFEN a line.
const POSITIONS: &str = include_str!("bench.txt");
/// The depth of the signature, in plies.
const DEPTH: u32 = 8;
/// Mebibytes of its table.
const HASH: &str = "16";

/// What a bench run counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all positions: the signature, if the depth is the default.
    pub nodes: u64,
    /// How long the searches took.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches each bench position to a depth (8 plies by default) with one thread; calls `on_position` with the number of
/// positions done and their total after each. The same build gives the same node count every time.
pub fn bench(depth: Option<u32>, mut on_position: impl FnMut(usize, usize)) -> BenchResult {
    let mut engine = Engine::new();
    let _ = engine.set_option("Rules", RuleSet::Lishogi.word());
    let limits = Limits {
        depth: Some(depth.unwrap_or(DEPTH)),
        ..Limits::default()
    };
    let _ = engine.set_option("USI_Hash", HASH);
    // What the solver finds would not be searched.
    let _ = engine.set_option("Mate_Nodes", "0");
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let total = POSITIONS.lines().count();
    for (n, line) in POSITIONS.lines().enumerate() {
        engine.new_game();
        let game = sfen::parse(line)
            .ok()
            .and_then(|setup| Game::new(setup, engine.rules()).ok());
        if let Some(game) = game {
            engine.set_game(game);
            let report = engine.search(&limits);
            nodes += report.nodes;
            time += report.time;
        }
        on_position(n + 1, total);
    }
    BenchResult { nodes, time }
}
