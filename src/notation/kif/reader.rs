//! Reading KIF files.

use super::moves::{self, Written};
use super::square::digit;
use super::{Problem, board};
use crate::board::{Color, Position, Rules, Setup};
use crate::notation::ending::Ending;
use crate::notation::headers::{Headers, Tag};
use crate::notation::reading::{Broken, Reading};
use crate::notation::record::Record;
use crate::notation::sfen;
use crate::notation::tree::{DEEPEST, Tree};

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
    /// The lines of moves; none before the first of them.
    tree: Option<Tree>,
    /// What is said before there is a position.
    preface: Vec<String>,
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
            tree: None,
            preface: Vec::new(),
            offset: 0,
            first_step: None,
            is_something: false,
            broken: None,
        }
    }

    fn has_begun(&self) -> bool {
        self.tree.is_some() || self.broken.is_some()
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
                Some(("手合割" | "手合", _)) | Some((LION_FELL, _)) if self.tree.is_some() => {
                }
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
                None if self.tree.is_some() => return Err(Problem::Unknown(text.to_owned())),
                None => {}
            },
        }
        Ok(())
    }

    /// Sets the board up before the first move.
    fn begin(&mut self, line: usize) -> Result<(), (usize, Problem)> {
        if self.tree.is_some() {
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
        let position = position.map_err(|errors| (line, Problem::Setup(errors)))?;
        let mut tree = Tree::new(position);
        tree.comments().append(&mut self.preface);
        self.tree = Some(tree);
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
        let (made, depth) = self
            .tree
            .as_ref()
            .map_or((0, 0), |tree| (tree.span().1, tree.depth()));
        if made == 0 && depth == 0 && number == self.start.move_number as usize {
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
        let tree = self.open_line(written.text())?;
        let m = match first {
            Some(first) => written.find_second(first, tree.position())?,
            None => written.find(tree.position())?,
        };
        tree.play(m, written.clock.or(first.and_then(|first| first.clock)));
        Ok(())
    }

    fn end(&mut self, text: &str) -> Result<(), Problem> {
        let (word, clock) = moves::split_clock(text);
        self.open_line(text)?.end(Ending::from_kif(word), clock);
        Ok(())
    }

    /// The lines, the last of which must not have ended.
    fn open_line(&mut self, text: &str) -> Result<&mut Tree, Problem> {
        let tree = self
            .tree
            .as_mut()
            .ok_or_else(|| Problem::Unknown(text.to_owned()))?;
        match tree.line().ending {
            None => Ok(tree),
            Some(_) => Err(Problem::Ended(text.to_owned())),
        }
    }

    /// `まで57手で先手の勝ち` says who won where no end word does.
    fn summary(&mut self, text: &str) {
        let Ok(tree) = self.open_line(text) else {
            return;
        };
        let says = |words: [&str; 2]| words.iter().any(|word| text.contains(word));
        let ending = if says(["先手の勝ち", "下手の勝ち"]) {
            Some(Ending::Win(Color::Black))
        } else if says(["後手の勝ち", "上手の勝ち"]) {
            Some(Ending::Win(Color::White))
        } else {
            let mut parts = text.split(['で', '、']);
            parts.find_map(|part| Ending::from_kif(part.trim()))
        };
        tree.end(ending, None);
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim_end().to_owned();
        match &mut self.tree {
            Some(tree) => tree.comment(text),
            None => self.preface.push(text),
        }
    }

    /// Opens a variation. One of an earlier or of the same move as an open variation's first closes that.
    fn vary(&mut self, text: &str, number: &str) -> Result<(), Problem> {
        let unknown = || Problem::Variation(text.to_owned());
        if let Some((_, first)) = self.first_step.take() {
            return Err(Problem::NoSecondStep(first.text().to_owned()));
        }
        let number = number.trim_start_matches(['：', ':', ' ', '　']);
        let number = leading_number(number).and_then(|(n, _)| usize::try_from(n).ok());
        let after = number
            .and_then(|n| n.checked_sub(self.offset + 1))
            .ok_or_else(unknown)?;
        let tree = self.tree.as_mut().ok_or_else(unknown)?;
        let leaves = |tree: &Tree| {
            let (begin, end) = tree.span();
            (tree.depth() == 0 || begin < after) && after <= end
        };
        while !leaves(tree) {
            if !tree.close() {
                return Err(unknown());
            }
        }
        if tree.depth() == DEEPEST {
            return Err(Problem::Depth(text.to_owned()));
        }
        tree.open(after);
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
        let mut record = Record::new(self.start);
        record.headers = self.headers;
        record.main = self.tree.map(Tree::finish).unwrap_or_default();
        Reading {
            record,
            error: self.broken,
        }
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
