//! An analysis as a table of text.

use std::fmt::Write;

use super::{Analysis, Mark, Summary};
use crate::board::Color;
use crate::engine::score::{Score, mate_distance};
use crate::notation::style::Style;

/// How much of a best line is shown, in plies.
const SHOWN: usize = 6;

/// A score in pawns with two decimals, or `#` and the plies to the end.
pub fn score(score: Score) -> String {
    match mate_distance(score) {
        Some(plies) => format!("#{plies}"),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// A game as a table: a line for each move, with its score for Black, what it cost in pawns and in per cent of winning
/// chances, and what was better; then how the sides played and what is wrong with the game.
pub fn text(analysis: &Analysis, style: Style) -> String {
    let width = match style {
        Style::Usi => 10,
        Style::Japanese | Style::Western => 18,
    };
    let mut text = format!(
        "{}\n{:>4}  {:<width$} {:>7} {:>5} {:>6} {:>5}     better\n",
        analysis.name, "ply", "move", "score", "depth", "loss", "loss%"
    );
    let moves: Vec<_> = analysis.game().moves().collect();
    for (n, (position, m)) in analysis.positions().zip(moves).enumerate() {
        let ply = n + 1;
        let _ = write!(
            text,
            "{ply:>4}  {}",
            padded(&style.format(m, &position), width)
        );
        if let Some(judgement) = analysis.judgement(ply) {
            let for_black = match judgement.side {
                Color::Black => judgement.score,
                Color::White => -judgement.score,
            };
            let _ = write!(text, " {:>7} {:>5}", score(for_black), judgement.best.depth);
            if !judgement.is_best() {
                let pawns = judgement
                    .centipawns()
                    .map_or(String::new(), |cp| format!("{:.2}", f64::from(cp) / 100.0));
                let sign = judgement.mark().map_or("", Mark::sign);
                let line = judgement.best.line.iter().copied().take(SHOWN);
                let _ = write!(
                    text,
                    " {pawns:>6} {:>5.1} {sign:<2}  {}",
                    100.0 * judgement.loss,
                    style.format_line(&position, line).join(" ")
                );
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    for (side, name) in [(Color::Black, "black"), (Color::White, "white")] {
        let _ = writeln!(text, "{name}: {}", summary(&analysis.summary(side)));
    }
    for note in notes(analysis) {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// Text with blanks behind it; all but ASCII takes two columns.
fn padded(text: &str, width: usize) -> String {
    let columns: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(columns)))
}

/// How a side played, in words.
pub fn summary(summary: &Summary) -> String {
    let Some(accuracy) = summary.accuracy else {
        return "no moves judged".to_owned();
    };
    let counts = Mark::ALL.into_iter().zip(summary.marks);
    let counts = counts.map(|(mark, count)| {
        let word = if count == 1 {
            mark.word()
        } else {
            mark.plural()
        };
        format!("{count} {word}")
    });
    format!(
        "accuracy {accuracy:.1}, {}",
        counts.collect::<Vec<_>>().join(", ")
    )
}

/// How the game ended, what is wrong with it, and what is left to do, as far as there is anything to say.
pub fn notes(analysis: &Analysis) -> Vec<String> {
    let mut notes = Vec::new();
    let outcome = analysis.game().outcome();
    if outcome.is_over() {
        notes.push(format!("game over: {outcome}"));
    }
    if let Some(violation) = &analysis.violation {
        notes.push(violation.to_string());
    }
    let (done, all) = (analysis.done(), analysis.plies() + 1);
    if done < all {
        notes.push(format!("not finished: {done} of {all} positions"));
    }
    notes
}
