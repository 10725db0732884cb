//! An analysis as a page for a browser: one file that needs nothing else.

use serde::Serialize;

use super::{Analysis, Judgement, Mark, table};
use crate::board::{Color, Kind, Move, Piece, Position};
use crate::eval::winning_chance;
use crate::notation::headers::Tag;
use crate::notation::sfen;
use crate::notation::style::Style;
use crate::picture::{self, PieceStyle, Ranks};

const PAGE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// What the script gets to know.
#[derive(Serialize)]
struct PageData {
    /// Upper left corner of the squares, width and height of one.
    geometry: [f32; 4],
    games: Vec<GameData>,
}

#[derive(Serialize)]
struct GameData {
    name: String,
    /// Black's and White's.
    names: [String; 2],
    conditions: String,
    /// How the game stands, what is wrong with it, what is missing.
    notes: Vec<String>,
    sides: [SideData; 2],
    positions: Vec<PositionData>,
}

#[derive(Serialize)]
struct SideData {
    accuracy: Option<String>,
    marks: [usize; 3],
}

/// A position, and how it came about.
#[derive(Serialize)]
struct PositionData {
    /// As SFEN has it.
    board: String,
    /// 0 for Black.
    turn: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<PlayedData>,
    /// For Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    /// For Black, 0 … 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    depth: u32,
    /// The best line from here.
    line: Vec<StepData>,
}

/// The move that led to a position.
#[derive(Serialize)]
struct PlayedData {
    step: StepData,
    best: bool,
    /// An index into [`Mark::ALL`].
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<usize>,
    /// In per cent of winning chances.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<String>,
}

/// A move as squares, counted from 12a to 1l.
#[derive(Serialize)]
struct StepData {
    text: String,
    from: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    mid: Option<usize>,
    to: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    promotes: bool,
}

/// Writes games as one page; `conditions` are the rules and limits in words.
pub fn page(analyses: &[Analysis], conditions: &str, style: Style) -> String {
    let data = PageData {
        geometry: picture::GEOMETRY,
        games: analyses
            .iter()
            .map(|analysis| game(analysis, conditions, style))
            .collect(),
    };
    // In HTML a script ends at the first `</script`, wherever that stands.
    let data = serde_json::to_string(&data)
        .unwrap_or_default()
        .replace('<', "\\u003c");
    let title = match analyses {
        [one] => heading(one),
        _ => format!("{} games", analyses.len()),
    };
    let pieces: Vec<Piece> = Color::BOTH
        .into_iter()
        .flat_map(|color| Kind::all().map(move |kind| Piece::new(color, kind)))
        .collect();
    let definitions =
        |style| picture::definitions(style, &pieces, false).replace("xlink:href", "href");
    let ranks = match style {
        Style::Japanese => Ranks::Kanji,
        Style::Usi | Style::Western => Ranks::Letters,
    };
    let parts = [
        ("title", escaped(&title)),
        ("style", STYLE.to_owned()),
        ("width", picture::WIDTH.to_string()),
        ("height", picture::HEIGHT.to_string()),
        ("kanji", definitions(PieceStyle::Kanji)),
        ("letters", definitions(PieceStyle::International)),
        (
            "board",
            picture::empty_board(ranks).replace("xlink:href", "href"),
        ),
        ("data", data),
        ("script", SCRIPT.to_owned()),
    ];
    fill(PAGE, &parts)
}

/// Puts parts into the places that name them, as in `{{title}}`. What stands in the parts is left alone.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text += before;
        let Some((name, behind)) = after.split_once("}}") else {
            break;
        };
        text += parts
            .iter()
            .find(|(part, _)| *part == name)
            .map_or("", |(_, part)| part);
        rest = behind;
    }
    text + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// The players, or what the game is called.
fn heading(analysis: &Analysis) -> String {
    let headers = &analysis.record.headers;
    match (headers.get(&Tag::Black), headers.get(&Tag::White)) {
        (None, None) => analysis.name.clone(),
        (black, white) => format!("{} – {}", black.unwrap_or("?"), white.unwrap_or("?")),
    }
}

fn game(analysis: &Analysis, conditions: &str, style: Style) -> GameData {
    let name = |tag, side: &str| analysis.record.headers.get(&tag).unwrap_or(side).to_owned();
    let positions: Vec<Position> = analysis.positions().collect();
    GameData {
        name: analysis.name.clone(),
        names: [name(Tag::Black, "Black"), name(Tag::White, "White")],
        conditions: conditions.to_owned(),
        notes: table::notes(analysis),
        sides: Color::BOTH.map(|color| {
            let summary = analysis.summary(color);
            SideData {
                accuracy: summary.accuracy.map(|accuracy| format!("{accuracy:.1}")),
                marks: summary.marks,
            }
        }),
        positions: (0..positions.len())
            .map(|after| position(analysis, &positions, after, style))
            .collect(),
    }
}

fn position(
    analysis: &Analysis,
    positions: &[Position],
    after: usize,
    style: Style,
) -> PositionData {
    let here = &positions[after];
    let verdict = analysis.verdict(after);
    let for_black = verdict.map(|verdict| match here.turn() {
        Color::Black => verdict.score,
        Color::White => -verdict.score,
    });
    let sfen = sfen::format(&here.setup());
    PositionData {
        board: sfen.split(' ').next().unwrap_or_default().to_owned(),
        turn: here.turn().index(),
        played: here
            .last_move()
            .map(|m| played(m, &positions[after - 1], analysis.judgement(after), style)),
        score: for_black.map(table::score),
        chance: for_black.map(|score| (winning_chance(score) * 1e4).round() / 1e4),
        depth: verdict.map_or(0, |verdict| verdict.depth),
        line: verdict.map_or(Vec::new(), |verdict| line(here, &verdict.line, style)),
    }
}

fn played(
    m: Move,
    before: &Position,
    judgement: Option<Judgement<'_>>,
    style: Style,
) -> PlayedData {
    let mark = judgement.as_ref().and_then(Judgement::mark);
    PlayedData {
        step: step(m, style.format(m, before)),
        best: judgement.as_ref().is_some_and(Judgement::is_best),
        mark: mark.map(|mark: Mark| mark as usize),
        loss: judgement.map(|judgement| format!("{:.1}", 100.0 * judgement.loss)),
    }
}

fn line(position: &Position, moves: &[Move], style: Style) -> Vec<StepData> {
    let texts = style.format_line(position, moves.iter().copied());
    moves
        .iter()
        .zip(texts)
        .map(|(&m, text)| step(m, text))
        .collect()
}

fn step(m: Move, text: String) -> StepData {
    StepData {
        text,
        from: m.from().index(),
        mid: m.mid().map(|mid| mid.index()),
        to: m.to().index(),
        promotes: m.promotes(),
    }
}
