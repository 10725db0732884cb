//! Records as JSON, an object for each game, for scripts.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ending::{Ending, Verdict};
use super::record::{Line, Record};
use super::{sfen, usi};
use crate::board::{Position, Rules};

#[derive(Serialize)]
struct RecordJson<'a> {
    headers: BTreeMap<&'a str, &'a str>,
    start: String,
    /// `black`, `white` or `draw`, if the record or the rules say how the game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(flatten)]
    main: Option<LineJson<'a>>,
}

#[derive(Serialize)]
struct LineJson<'a> {
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    comments: &'a [String],
    moves: Vec<PlyJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<VariationJson<'a>>,
}

#[derive(Serialize)]
struct PlyJson<'a> {
    usi: String,
    /// Seconds for this move.
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<u64>,
    /// Seconds for all the player's moves so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    comments: &'a [String],
}

#[derive(Serialize)]
struct VariationJson<'a> {
    /// After how many moves of the line that it leaves.
    after: usize,
    #[serde(flatten)]
    line: LineJson<'a>,
}

/// Writes a record on one line; the rules decide how the game ended where the record does not say.
pub fn write(record: &Record, rules: Rules) -> String {
    let json = RecordJson {
        headers: record
            .headers
            .iter()
            .map(|(tag, value)| (tag.word(), value))
            .collect(),
        start: sfen::format(&record.start),
        result: record.verdict(rules).map(Verdict::word),
        main: record
            .position(rules)
            .ok()
            .map(|mut position| line(&record.main, &mut position)),
    };
    serde_json::to_string(&json).unwrap_or_default()
}

/// A line that leaves a position; the position is in the end where it was.
fn line<'a>(line: &'a Line, position: &mut Position) -> LineJson<'a> {
    let before = position.made();
    let mut moves = Vec::new();
    line.walk(position, |ply, position| {
        moves.push(PlyJson {
            usi: usi::format(ply.m, position),
            spent: ply.clock.map(|clock| clock.spent.as_secs()),
            total: ply
                .clock
                .and_then(|clock| clock.total)
                .map(|total| total.as_secs()),
            comments: &ply.comments,
        });
    });
    let mut variations = Vec::new();
    for variation in line.variations().iter().rev() {
        let after = variation.after;
        while position.made() > before + after {
            position.unmake();
        }
        if position.made() == before + after {
            let line = self::line(&variation.line, position);
            variations.push(VariationJson { after, line });
        }
    }
    variations.reverse();
    while position.made() > before {
        position.unmake();
    }
    LineJson {
        comments: &line.comments,
        moves,
        ending: line.ending.map(Ending::word),
        variations,
    }
}
