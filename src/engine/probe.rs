//! A quick look for a forced mate before each search.

use std::time::Duration;

use crate::board::{Game, Outcome};
use crate::eval::score::{MAX_PLY, mate_in};
use crate::mate::{self, Answer, Solver, Verdict};
use crate::search::{Info, Limits, Report, Signals};

/// Bytes of the solver's table.
const TABLE: usize = 4 << 20;
/// A probe takes at most this part of the nodes, or of the time, of a search.
const PART: u64 = 20;
/// About how many nodes the solver looks at in a ms.
const NODES_A_MS: u64 = 1_000;
/// A move is expected to use this part of the clock.
const MOVES: u64 = 40;
/// With fewer nodes than this it is not worth it.
const LEAST: u64 = 500;

/// A mate solver with a small table, made when it is first needed.
#[derive(Default)]
pub(super) struct Prober {
    solver: Option<Solver>,
}

impl Prober {
    /// What a search with these limits would find if there is a forced mate that is found with at most so many nodes;
    /// also the nodes that it took to look.
    pub(super) fn probe(
        &mut self,
        game: &Game,
        limits: &Limits,
        most_nodes: u64,
        signals: &Signals,
    ) -> (Option<Report>, u64) {
        let nodes = affordable(limits).min(most_nodes);
        if nodes < LEAST || !limits.search_moves.is_empty() || limits.multi_pv > 1 {
            return (None, 0);
        }
        let solver = self.solver.get_or_insert_with(|| Solver::new(TABLE));
        let limits = mate::Limits {
            nodes: Some(nodes),
            stop: Some(signals.stop_flag()),
            ..mate::Limits::default()
        };
        let answer = solver.solve(game.position(), limits, &mut |_| {});
        (report(game, &answer), answer.nodes)
    }
}

/// How many nodes a probe may take from a search.
fn affordable(limits: &Limits) -> u64 {
    let part = |time: Duration| {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        ms.saturating_mul(NODES_A_MS) / PART
    };
    let clock = limits.clock.map(|clock| {
        let share = clock.main / MOVES as u32 + clock.increment + clock.byoyomi;
        part(share)
    });
    let limits = [
        limits.nodes.map(|nodes| nodes / PART),
        limits.move_time.map(part),
        clock,
    ];
    limits.into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// What a mate says about a game, if its line can be played by all of its rules: repetition, bare kings and the move
/// limit, which the solver does not look at, may end the game before.
fn report(game: &Game, answer: &Answer) -> Option<Report> {
    let Verdict::Mate { line, .. } = &answer.verdict else {
        return None;
    };
    let mut after = game.clone();
    for &m in line {
        if after.outcome().is_over() {
            return None;
        }
        after.play(m).ok()?;
    }
    let plies = match after.outcome() {
        // The defender's last move, and the capture.
        Outcome::Playing => line.len() + 2,
        outcome if outcome.winner() == Some(game.position().turn()) => line.len(),
        _ => return None,
    };
    if plies >= MAX_PLY {
        return None;
    }
    let info = Info {
        depth: plies as u32,
        seldepth: plies as u32,
        multi_pv: 1,
        score: mate_in(plies),
        nodes: answer.nodes,
        time: answer.time,
        hashfull: 0,
        pv: line.clone(),
    };
    Some(Report {
        best: line.first().copied(),
        ponder: line.get(1).copied(),
        nodes: answer.nodes,
        time: answer.time,
        lines: vec![info],
    })
}
