//! Reading KIF files.

use super::moves::{self, Written};
use super::square::digit;
use super::{DEEPEST, Problem, board};
use crate::board::{Color, Position, Rules, Setup};
use crate::notation::ending::Ending;
use crate::notation::headers::{Headers, Tag};
use crate::notation::reading::{Broken, Reading};
use crate::notation::record::{Line, Ply, Record};
use crate::notation::sfen;

/// The header under which the square stands where a lion was just lost (rules §5.3), which no diagram shows.
pub(super) const LION_FELL: &str = "先獅子";
/// Headers that say what the diagram or the name of the start says too.
const STRUCTURE: [&str; 4] = ["先手の持駒", "後手の持駒", "上手の持駒", "下手の持駒"];
/// Words for a start from a diagram.
const ANY_START: [&str; 4] = ["その他", "其他", "任意", "局面"];

/// Reads the games of a KIF file, their moves by the rules §2–5 of these rules. A game ends at its first line that is
/// wrong; a header behind moves begins the next game.
pub fn read(text: &str, rules: Rules) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut game = Builder::new(rules);
    for (n, text) in text.lines().enumerate() {
        let text = text.trim_matches(['\u{feff}', '\0']).trim();
        if game.has_begun() && begins_game(text) {
            readings.push(std::mem::replace(&mut game, Builder::new(rules)).finish());
        }
        game.take(n + 1, text);
    }
    if game.is_something {
        readings.push(game.finish());
    }
    readings
}

/// Whether a line behind moves begins another game.
fn begins_game(text: &str) -> bool {
    let is_about_moves = text.starts_with(['*', '#', '&'])
        || ["変化", "まで"].iter().any(|word| text.starts_with(word));
    let is_board = text.starts_with(['|', '｜']) || text.starts_with("+-") || names_files(text);
    is_board || !is_about_moves && (text.starts_with("手数") || split_header(text).is_some())
}

/// Whether a line is the one above a board.
fn names_files(text: &str) -> bool {
    let is_number = |word: &str| word.chars().all(|c| digit(c).is_some());
    text.split_whitespace().count() > 2 && text.split_whitespace().all(is_number)
}

/// A header's name and what it says.
fn split_header(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(['：', ':'])?;
    let is_name =
        !name.is_empty() && !name.starts_with(|c| digit(c).is_some() || c == '(' || c == '（');
    is_name.then_some((name.trim(), value.trim()))
}

/// A line of moves that is being read, and where it leaves the one below it on the stack.
struct Track {
    /// How many plies of the game come before it.
    after: usize,
    line: Line,
}

/// The first step of a move in two steps, with its line of the file.
type FirstStep<'a> = (usize, Written<'a>);

/// A game that is being read.
struct Builder<'a> {
    rules: Rules,
    headers: Headers,
    handicap: Option<(usize, &'a str)>,
    rows: Vec<(usize, &'a str)>,
    turn: Option<Color>,
    lion_fell: Option<&'a str>,
    /// 手数, the number of moves before the start.
    plies_before: u32,
    start: Setup,
    /// Where the last line that was read stands; none before the first move.
    position: Option<Position>,
    /// The main line and the variations that are open, each leaving the one before it.
    tracks: Vec<Track>,
    /// What the file adds to the numbers of moves.
    offset: usize,
    first_step: Option<FirstStep<'a>>,
    is_something: bool,
    broken: Option<Broken>,
}

impl<'a> Builder<'a> {
    fn new(rules: Rules) -> Builder<'a> {
        Builder {
            rules,
            headers: Headers::default(),
            handicap: None,
            rows: Vec::new(),
            turn: None,
            lion_fell: None,
            plies_before: 0,
            start: sfen::start(),
            position: None,
            tracks: vec![Track {
                after: 0,
                line: Line::default(),
            }],
            offset: 0,
            first_step: None,
            is_something: false,
            broken: None,
        }
    }

    fn has_begun(&self) -> bool {
        self.position.is_some() || self.broken.is_some()
    }

    /// Takes the next line of the file; nothing more once the game is broken.
    fn take(&mut self, line: usize, text: &'a str) {
        if self.broken.is_some() || text.is_empty() {
            return;
        }
        if let Err((line, problem)) = self.read_line(line, text) {
            let problem = problem.into();
            self.broken = Some(Broken { line, problem });
        }
    }

    fn read_line(&mut self, line: usize, text: &'a str) -> Result<(), (usize, Problem)> {
        let here = |problem| (line, problem);
        if text.starts_with(['#', '&', '+']) {
            return Ok(());
        }
        if let Some(comment) = text.strip_prefix('*') {
            self.comment(comment);
            return Ok(());
        }
        if text.starts_with("手数") {
            self.is_something = true;
            let number = text.trim_start_matches(['手', '数', '=', '＝', ' ']);
            self.plies_before = leading_number(number).map_or(self.plies_before, |(n, _)| n);
            return if text.contains("--") {
                self.begin(line)
            } else {
                Ok(())
            };
        }
        if text.starts_with(['|', '｜']) {
            self.is_something = true;
            self.rows.push((line, text));
            return Ok(());
        }
        if let Some(number) = text.strip_prefix("変化") {
            return self.vary(text, number).map_err(here);
        }
        if let Some(summary) = text.strip_prefix("まで") {
            self.summary(summary);
            return Ok(());
        }
        if names_files(text) {
            return Ok(());
        }
        if let Some((number, rest)) = leading_number(text) {
            self.begin(line)?;
            return self.numbered(line, text, number, rest);
        }
        if Ending::from_kif(text).is_some() {
            self.begin(line)?;
            return self.end(text).map_err(here);
        }
        self.header(text).map_err(here)
    }

    fn header(&mut self, text: &'a str) -> Result<(), Problem> {
        match text {
            "後手番" | "上手番" => self.turn = Some(Color::White),
            "先手番" | "下手番" => self.turn = Some(Color::Black),
            _ => match split_header(text) {
                Some(("手合割" | "手合", _)) | Some((LION_FELL, _)) if self.position.is_some() =>
                    {}
                Some(("手合割" | "手合", value)) => {
                    self.is_something = true;
                    self.handicap = (!value.is_empty()).then_some((0, value));
                }
                Some((LION_FELL, value)) => self.lion_fell = Some(value),
                Some((name, _)) if STRUCTURE.contains(&name) => {}
                Some((name, value)) => {
                    self.is_something = true;
                    self.headers.set(Tag::from_kif(name), value);
                }
                None if self.position.is_some() => return Err(Problem::Unknown(text.to_owned())),
                None => {}
            },
        }
        Ok(())
    }

    /// Sets the board up before the first move.
    fn begin(&mut self, line: usize) -> Result<(), (usize, Problem)> {
        if self.position.is_some() {
            return Ok(());
        }
        self.is_something = true;
        let mut start = if !self.rows.is_empty() {
            let mut start = board::read(&self.rows)?;
            start.turn = self.turn.unwrap_or(Color::Black);
            start
        } else {
            match self.handicap {
                Some((_, name)) if !ANY_START.contains(&name) => {
                    sfen::named(name).ok_or_else(|| (line, Problem::Handicap(name.to_owned())))?
                }
                _ => sfen::start(),
            }
        };
        start.move_number = self.plies_before.saturating_add(1);
        if let Some((squares, "")) = self.lion_fell.and_then(super::square::take) {
            start.lion_fell = squares.first().copied();
        }
        let position = Position::new(&start, self.rules);
        self.position = Some(position.map_err(|errors| (line, Problem::Setup(errors)))?);
        self.start = start;
        Ok(())
    }

    /// A line that begins with a number: a move, a step of one, or an end.
    fn numbered(
        &mut self,
        line: usize,
        text: &'a str,
        number: u32,
        rest: &'a str,
    ) -> Result<(), (usize, Problem)> {
        let here = |problem| (line, problem);
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let made = self.position.as_ref().map_or(0, Position::made);
        if made == 0 && self.tracks.len() == 1 && number == self.start.move_number as usize {
            self.offset = number - 1;
        }
        let due = self.offset + made + 1;
        if number != due {
            return Err(here(Problem::Number {
                text: text.to_owned(),
                due,
            }));
        }
        let rest = rest.strip_prefix("手目").unwrap_or(rest).trim_start();
        let (step, rest) = split_step(rest);
        let rest = rest
            .trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖'])
            .trim_start();
        if let Some((line, first)) = self.first_step.take() {
            if step != Some(2) {
                return Err((line, Problem::NoSecondStep(first.text().to_owned())));
            }
            let second = moves::parse(rest).map_err(here)?;
            return self.play(&second, Some(&first)).map_err(here);
        }
        let (bare, _) = moves::split_clock(rest);
        if Ending::from_kif(bare).is_some() {
            return self.end(rest).map_err(here);
        }
        let written = moves::parse(rest).map_err(here)?;
        match step {
            Some(1) => self.first_step = Some((line, written)),
            Some(_) => return Err(here(Problem::NoFirstStep(rest.to_owned()))),
            None => self.play(&written, None).map_err(here)?,
        }
        Ok(())
    }

    fn play(&mut self, written: &Written, first: Option<&Written>) -> Result<(), Problem> {
        let (Some(position), Some(track)) = (&mut self.position, self.tracks.last_mut()) else {
            return Ok(());
        };
        if track.line.ending.is_some() {
            return Err(Problem::Ended(written.text().to_owned()));
        }
        let m = match first {
            Some(first) => written.find_second(first, position)?,
            None => written.find(position)?,
        };
        position.make(m);
        let clock = written.clock.or(first.and_then(|first| first.clock));
        track.line.plies.push(Ply {
            clock,
            ..Ply::from(m)
        });
        Ok(())
    }

    fn end(&mut self, text: &str) -> Result<(), Problem> {
        let (word, clock) = moves::split_clock(text);
        let Some(track) = self.tracks.last_mut() else {
            return Ok(());
        };
        if track.line.ending.is_some() {
            return Err(Problem::Ended(text.to_owned()));
        }
        (track.line.ending, track.line.ending_clock) = (Ending::from_kif(word), clock);
        Ok(())
    }

    /// `まで57手で先手の勝ち` says who won where no end word does.
    fn summary(&mut self, text: &str) {
        let Some(track) = self
            .tracks
            .last_mut()
            .filter(|track| track.line.ending.is_none())
        else {
            return;
        };
        let says = |words: [&str; 2]| words.iter().any(|word| text.contains(word));
        track.line.ending = if says(["先手の勝ち", "下手の勝ち"]) {
            Some(Ending::Win(Color::Black))
        } else if says(["後手の勝ち", "上手の勝ち"]) {
            Some(Ending::Win(Color::White))
        } else {
            let mut parts = text.split(['で', '、']);
            parts.find_map(|part| Ending::from_kif(part.trim()))
        };
    }

    fn comment(&mut self, text: &str) {
        if let Some(track) = self.tracks.last_mut() {
            let plies = track.line.plies.len();
            track
                .line
                .comments_after(plies)
                .push(text.trim_end().to_owned());
        }
    }

    /// Goes back to where a variation leaves a line that has been read. Lines are open like brackets: a variation of an
    /// earlier or of the same move closes those that begin there or later.
    fn vary(&mut self, text: &str, number: &str) -> Result<(), Problem> {
        let unknown = || Problem::Variation(text.to_owned());
        let number = number.trim_start_matches(['：', ':', ' ', '　']);
        let number = leading_number(number).and_then(|(n, _)| usize::try_from(n).ok());
        let target = number
            .and_then(|n| n.checked_sub(self.offset + 1))
            .ok_or_else(unknown)?;
        if let Some((_, first)) = self.first_step.take() {
            return Err(Problem::NoSecondStep(first.text().to_owned()));
        }
        let Some(position) = &mut self.position else {
            return Err(unknown());
        };
        let mut shared = position.made();
        while self.tracks.len() > 1
            && let Some(track) = self.tracks.last()
            && (track.after >= target || track.after + track.line.plies.len() < target)
        {
            shared = shared.min(track.after);
            close(&mut self.tracks);
        }
        let track = self.tracks.last().ok_or_else(unknown)?;
        if track.after + track.line.plies.len() < target {
            return Err(unknown());
        }
        while position.made() > shared.min(target) {
            position.unmake();
        }
        let behind = position.made().saturating_sub(track.after);
        let ahead = target - position.made();
        for m in track.line.moves().skip(behind).take(ahead) {
            position.make(m);
        }
        if self.tracks.len() > DEEPEST {
            return Err(Problem::Depth(text.to_owned()));
        }
        self.tracks.push(Track {
            after: target,
            line: Line::default(),
        });
        Ok(())
    }

    fn finish(mut self) -> Reading {
        if let Some((line, first)) = self.first_step.take()
            && self.broken.is_none()
        {
            let problem = Problem::NoSecondStep(first.text().to_owned()).into();
            self.broken = Some(Broken { line, problem });
        }
        if self.broken.is_none() {
            let line = self.rows.last().map_or(1, |&(line, _)| line);
            if let Err((line, problem)) = self.begin(line) {
                let problem = problem.into();
                self.broken = Some(Broken { line, problem });
            }
        }
        while self.tracks.len() > 1 {
            close(&mut self.tracks);
        }
        let mut record = Record::new(self.start);
        record.headers = self.headers;
        record.main = self
            .tracks
            .pop()
            .map(|track| track.line)
            .unwrap_or_default();
        Reading {
            record,
            error: self.broken,
        }
    }
}

/// Hangs the last line into the one that it leaves.
fn close(tracks: &mut Vec<Track>) {
    if let Some(done) = tracks.pop()
        && let Some(below) = tracks.last_mut()
    {
        below.line.branch(done.after - below.after, done.line);
    }
}

/// A number at the beginning of a text, also in full-width digits; gives the rest too.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let digits = text.chars().map_while(digit);
    let (mut number, mut length) = (0u32, 0);
    for (value, c) in digits.zip(text.chars()) {
        number = number.checked_mul(10)?.checked_add(value.into())?;
        length += c.len_utf8();
    }
    let (digits, rest) = text.split_at_checked(length)?;
    (!digits.is_empty()).then_some((number, rest))
}

/// Which step of a move a line is about, if it is about one.
fn split_step(text: &str) -> (Option<u8>, &str) {
    for (n, words) in [
        (1, ["一歩目", "1歩目", "１歩目"]),
        (2, ["二歩目", "2歩目", "２歩目"]),
    ] {
        if let Some(rest) = words.iter().find_map(|word| text.strip_prefix(word)) {
            return (Some(n), rest.trim_start());
        }
    }
    (None, text)
}
