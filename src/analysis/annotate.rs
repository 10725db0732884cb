//! An analysis as comments and variations in the record of the game.

use super::{Analysis, Judgement, Mark, table};
use crate::board::{Color, Position};
use crate::engine::score::{Score, mate_distance};
use crate::notation::format::Format;
use crate::notation::record::{Line, Record};
use crate::notation::style::Style;

/// How much of a better line becomes a variation, in plies.
const SHOWN: usize = 10;

/// The record with scores and marks as comments, and with what was better than a marked move as a variation. Scores are
/// for Black, in the form that programs look for in files of this format.
pub fn annotated(analysis: &Analysis, conditions: &str, format: Format, style: Style) -> Record {
    let mut record = analysis.record.clone();
    let mut opening = vec![format!("sakijishi: {conditions}")];
    for (side, name) in [(Color::Black, "black"), (Color::White, "white")] {
        opening.push(format!(
            "{name}: {}",
            table::summary(&analysis.summary(side))
        ));
    }
    opening.extend(table::notes(analysis));
    record.main.comments.extend(opening);
    let positions: Vec<Position> = analysis.positions().collect();
    for (ply, judgement) in analysis.judgements() {
        let Some(played) = record.main.plies.get_mut(ply - 1) else {
            break;
        };
        played.comments.push(evaluation(&judgement, format));
        let Some(mark) = judgement.mark() else {
            continue;
        };
        let before = &positions[ply - 1];
        let words = fault(&judgement, mark, before, format, style);
        played.comments.push(words);
        let better = judgement.best.line.iter().copied().take(SHOWN);
        let mut line: Line = better.collect();
        if let Some(first) = line.plies.first_mut() {
            let score = for_black(judgement.side, judgement.best.score);
            first
                .comments
                .push(format!("better: {}", table::score(score)));
        }
        record.main.branch(ply - 1, line);
    }
    record
}

fn for_black(side: Color, score: Score) -> Score {
    match side {
        Color::Black => score,
        Color::White => -score,
    }
}

/// The score after a move.
fn evaluation(judgement: &Judgement<'_>, format: Format) -> String {
    let score = for_black(judgement.side, judgement.score);
    match (format, mate_distance(score)) {
        (Format::Kif, _) => format!("#評価値={score}"),
        (Format::Pgn, None) => format!("[%eval {:.2}]", f64::from(score) / 100.0),
        (Format::Pgn, Some(plies)) => format!("[%eval #{plies}]"),
        _ => table::score(score),
    }
}

/// What is wrong with a move, and what was better.
fn fault(
    judgement: &Judgement<'_>,
    mark: Mark,
    before: &Position,
    format: Format,
    style: Style,
) -> String {
    let (name, better) = match format {
        Format::Kif => (mark.japanese(), "最善"),
        _ => (mark.word(), "better"),
    };
    let best = judgement
        .best
        .line
        .first()
        .map_or(String::new(), |&m| style.format(m, before));
    format!(
        "{} {name} (-{:.1} %), {better} {best}",
        mark.sign(),
        100.0 * judgement.loss
    )
}
