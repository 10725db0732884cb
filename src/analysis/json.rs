//! An analysis as JSON, to be read by other programs, or by this one to go on where it stopped.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Analysis, Judgement, Mark, Verdict, Violation};
use crate::board::{Color, Position};
use crate::engine::score::{MATE, Score, mate_distance};
use crate::notation::headers::Tag;
use crate::notation::{sfen, usi};

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameJson {
    /// What the game is called.
    pub game: String,
    /// Who plays Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// Who plays White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// The rules and limits, as words.
    pub conditions: String,
    /// The start position as SFEN.
    pub start: String,
    /// How the game stands after its last move, as in `playing` or `royals black`.
    pub outcome: String,
    /// Whether every position was searched.
    pub complete: bool,
    /// How Black played.
    pub black_summary: SummaryJson,
    /// How White played.
    pub white_summary: SummaryJson,
    /// The first thing that is wrong with the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationJson>,
    /// The start position and the one after each move.
    pub positions: Vec<PositionJson>,
}

/// How a side played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SummaryJson {
    /// 0 … 100; missing if none of its moves was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// How many of its moves cost 5 % of winning chances or more.
    pub inaccuracies: usize,
    /// How many cost 10 % or more.
    pub mistakes: usize,
    /// How many cost 20 % or more.
    pub blunders: usize,
}

/// Where a game breaks the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ViolationJson {
    /// The move's number, from 1.
    pub ply: usize,
    /// What is wrong.
    pub reason: String,
    /// The section of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

/// A position, and the move that was played in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionJson {
    /// Plies played before it.
    pub after: usize,
    /// What the search says; missing if it was not searched.
    #[serde(flatten)]
    pub verdict: Option<VerdictJson>,
    /// The move that was played.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// The share of winning chances that the move cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The centipawns that the move cost; missing where an end is in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_cp: Option<Score>,
    /// What is wrong with the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// What a search found out, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VerdictJson {
    /// Centipawns, unless the end is in sight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<Score>,
    /// Plies to the end, negative when losing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<Score>,
    /// In plies; 0 if the game is over.
    pub depth: u32,
    /// How many nodes it took.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<String>,
}

/// Writes an analysis; `conditions` are the rules and limits in words, by which [`Earlier`] knows what may be used again.
pub fn game(analysis: &Analysis, conditions: &str) -> GameJson {
    let header = |tag| analysis.record.headers.get(&tag).map(str::to_owned);
    let summary = |side| {
        let summary = analysis.summary(side);
        let [inaccuracies, mistakes, blunders] = summary.marks;
        SummaryJson {
            accuracy: summary.accuracy.map(rounded),
            inaccuracies,
            mistakes,
            blunders,
        }
    };
    let positions = analysis.positions().enumerate();
    GameJson {
        game: analysis.name.clone(),
        black: header(Tag::Black),
        white: header(Tag::White),
        conditions: conditions.to_owned(),
        start: sfen::format(analysis.game().start()),
        outcome: analysis.game().outcome().to_string(),
        complete: analysis.is_complete(),
        black_summary: summary(Color::Black),
        white_summary: summary(Color::White),
        violation: analysis.violation.as_ref().map(ViolationJson::from),
        positions: positions
            .map(|(after, position)| place(analysis, after, &position))
            .collect(),
    }
}

fn place(analysis: &Analysis, after: usize, position: &Position) -> PositionJson {
    let played = analysis.game().moves().nth(after);
    let judgement = analysis.judgement(after + 1);
    let mark = judgement.as_ref().and_then(Judgement::mark);
    PositionJson {
        after,
        verdict: analysis
            .verdict(after)
            .map(|verdict| VerdictJson::new(verdict, position)),
        played: played.map(|m| usi::format(m, position)),
        loss: judgement.as_ref().map(|judgement| rounded(judgement.loss)),
        loss_cp: judgement.as_ref().and_then(Judgement::centipawns),
        mark: mark.map(Mark::word).map(str::to_owned),
    }
}

/// To four places.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

impl From<&Violation> for ViolationJson {
    fn from(violation: &Violation) -> ViolationJson {
        ViolationJson {
            ply: violation.ply,
            reason: violation.reason.clone(),
            section: violation.section.map(str::to_owned),
        }
    }
}

impl VerdictJson {
    fn new(verdict: &Verdict, position: &Position) -> VerdictJson {
        let mate = mate_distance(verdict.score);
        VerdictJson {
            cp: mate.is_none().then_some(verdict.score),
            mate,
            depth: verdict.depth,
            nodes: verdict.nodes,
            pv: usi::format_line(position, verdict.line.iter().copied()),
        }
    }

    /// The verdict, if its line can be played in the position.
    fn read(&self, position: &Position) -> Option<Verdict> {
        let score = match (self.cp, self.mate) {
            (Some(cp), None) => cp,
            (None, Some(plies)) if plies > 0 => MATE.checked_sub(plies)?,
            (None, Some(plies)) => (-MATE).checked_sub(plies)?,
            _ => return None,
        };
        let mut position = position.clone();
        let mut line = Vec::new();
        for text in &self.pv {
            let m = usi::parse(text, &position).ok()?;
            position.make(m);
            line.push(m);
        }
        Some(Verdict {
            score,
            depth: self.depth,
            nodes: self.nodes,
            line,
        })
    }
}

/// What earlier analyses found out.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// By conditions, start and moves.
    verdicts: HashMap<String, VerdictJson>,
}

impl Earlier {
    /// Reads what [`game`] wrote, one object a line.
    ///
    /// # Errors
    ///
    /// A line that is no such object, by its number.
    pub fn read(text: &str) -> Result<Earlier, EarlierError> {
        let mut earlier = Earlier::default();
        for (n, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
        {
            let game: GameJson = serde_json::from_str(line).map_err(|reason| EarlierError {
                line: n + 1,
                reason,
            })?;
            let mut key = key(&game.conditions, &game.start);
            for position in game.positions {
                if let Some(verdict) = position.verdict {
                    earlier.verdicts.insert(key.clone(), verdict);
                }
                extend(&mut key, &position.played.unwrap_or_default());
            }
        }
        Ok(earlier)
    }

    /// Gives the positions of a game the verdicts that are known from the same moves under the same conditions.
    pub fn apply(&self, analysis: &mut Analysis, conditions: &str) {
        let mut key = key(conditions, &sfen::format(analysis.game().start()));
        let moves: Vec<_> = analysis.game().moves().collect();
        let positions: Vec<_> = analysis.positions().collect();
        for (after, position) in positions.iter().enumerate() {
            if let Some(verdict) = self
                .verdicts
                .get(&key)
                .and_then(|known| known.read(position))
            {
                analysis.set_verdict(after, verdict);
            }
            if let Some(&m) = moves.get(after) {
                extend(&mut key, &usi::format(m, position));
            }
        }
    }
}

fn key(conditions: &str, start: &str) -> String {
    format!("{conditions}\n{start}\n")
}

fn extend(key: &mut String, played: &str) {
    key.push(' ');
    key.push_str(played);
}

/// A line that is no analysis of a game.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no analysis of a game: {reason}")]
pub struct EarlierError {
    line: usize,
    reason: serde_json::Error,
}
