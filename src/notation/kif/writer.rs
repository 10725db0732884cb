//! Writing KIF files.

use super::{DEEPEST, board, clock, moves, reader, square};
use crate::board::{Color, Position, Rules};
use crate::notation::ending::Ending;
use crate::notation::headers::Tag;
use crate::notation::record::{Clock, Line, Record, is_possible};
use crate::notation::sfen;

const HEAD: &str = "手数----指手---------消費時間--\n";

/// Writes a record. Variations that are nested deeper than [`DEEPEST`] are left out.
pub fn write(record: &Record) -> String {
    let mut text = headers(record);
    text.push_str(HEAD);
    if let Ok(position) = record.position(Rules::default()) {
        let mut writer = Writer { text, position };
        writer.line(&record.main, 0);
        text = writer.text;
    }
    text
}

/// The headers, with the start before the players as lishogi has it.
fn headers(record: &Record) -> String {
    let row = |tag: &Tag, value: &str| format!("{}：{value}\n", tag.kif());
    let is_early = |tag: &Tag| {
        use Tag::{Ended, Event, Site, Started, TimeControl};
        matches!(tag, Started | Ended | Event | Site | TimeControl)
    };
    let all = || record.headers.iter();
    let mut text: String = all()
        .filter(|(tag, _)| is_early(tag))
        .map(|(tag, value)| row(tag, value))
        .collect();
    text.push_str(&start(record));
    text.extend(
        all()
            .filter(|(tag, _)| !is_early(tag))
            .map(|(tag, value)| row(tag, value)),
    );
    text
}

/// The start: nothing for the usual one, otherwise the handicap's name if it has one, and a diagram, without which
/// lishogi's reader takes the game for shogi; then what neither says.
fn start(record: &Record) -> String {
    let start = &record.start;
    let mut plain = start.clone();
    (plain.move_number, plain.lion_fell) = (1, None);
    let mut handicaps = sfen::HANDICAPS.iter().map(|handicap| handicap.japanese);
    let mut text = if plain == sfen::start() {
        "手合割：\n".to_owned()
    } else {
        let named = handicaps.find(|name| sfen::named(name).as_ref() == Some(&plain));
        let name = named.map_or(String::new(), |name| format!("手合割：{name}\n"));
        name + &board::draw(start)
    };
    if start.move_number != 1 {
        text.push_str(&format!("手数＝{}\n", start.move_number - 1));
    }
    if let Some(square) = start.lion_fell {
        text.push_str(&format!(
            "{}：{}\n",
            reader::LION_FELL,
            square::format(square)
        ));
    }
    text
}

struct Writer {
    text: String,
    position: Position,
}

impl Writer {
    /// Writes a line and the variations that leave it, the latest first, so that each leaves a line that is still open
    /// to the reader. The position is in the end where it was.
    fn line(&mut self, line: &Line, depth: usize) {
        let before = self.position.made();
        self.comments(&line.comments);
        for ply in &line.plies {
            if !is_possible(ply.m, &self.position) {
                break;
            }
            self.ply(moves::format(ply.m, &self.position), ply.clock);
            self.position.make(ply.m);
            self.comments(&ply.comments);
        }
        if let Some(ending) = line.ending {
            self.ending(ending, line.ending_clock);
        }
        for variation in line.variations_from_the_end() {
            let made = before + variation.after;
            if made > self.position.made() || depth == DEEPEST {
                continue;
            }
            self.go_back(made);
            self.text.push_str(&format!("\n変化：{}手\n", made + 1));
            self.line(&variation.line, depth + 1);
        }
        self.go_back(before);
    }

    fn go_back(&mut self, made: usize) {
        while self.position.made() > made {
            self.position.unmake();
        }
    }

    fn ply(&mut self, texts: Vec<String>, clock: Option<Clock>) {
        let number = self.position.made() + 1;
        let side = match self.position.turn() {
            Color::Black => '▲',
            Color::White => '△',
        };
        let steps = if texts.len() == 2 {
            ["一歩目", "二歩目"]
        } else {
            [""; 2]
        };
        let last = texts.len() - 1;
        for (n, (text, step)) in texts.into_iter().zip(steps).enumerate() {
            self.text
                .push_str(&format!("{number:>4}手目{step} {side}{text}"));
            if let Some(clock) = clock.filter(|_| n == last) {
                self.text.push(' ');
                self.text.push_str(&clock::format(clock));
            }
            self.text.push('\n');
        }
    }

    fn ending(&mut self, ending: Ending, clock: Option<Clock>) {
        let made = self.position.made();
        match (ending.kif(), ending) {
            (Some(word), _) => {
                let clock =
                    clock.map_or(String::new(), |clock| format!(" {}", clock::format(clock)));
                self.text
                    .push_str(&format!("{:>4}手目 {word}{clock}\n", made + 1));
            }
            (None, Ending::Win(winner)) => {
                let winner = if winner == Color::Black {
                    "先手"
                } else {
                    "後手"
                };
                self.text
                    .push_str(&format!("まで{made}手で{winner}の勝ち\n"));
            }
            (None, _) => {}
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for line in comments.iter().flat_map(|comment| comment.split('\n')) {
            self.text.push_str(&format!("*{}\n", line.trim_end()));
        }
    }
}
