//! What came out of any number of games: standings, strength, speed, faults.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use serde::Serialize;

use super::results::{Fault, GameRecord, GameResult, Results};
use super::stats::{Elo, Sprt, Tally};

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    fn add(&mut self, half_points: u64) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 … 1; ½ without games.
    pub fn score(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    fn plus(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.score() * 100.0;
        write!(
            f,
            "+{} -{} ={} ({score:.1} %)",
            self.wins, self.losses, self.draws
        )
    }
}

/// The games of two engines, as the first one sees them.
#[derive(Clone, Debug, Serialize)]
pub struct Meeting {
    /// The first engine.
    pub first: String,
    /// The second engine.
    pub second: String,
    /// The first engine's games as Black.
    pub as_black: Wdl,
    /// The first engine's games as White.
    pub as_white: Wdl,
    /// Finished pairs of games by the first engine's points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// How games ended, and how many did.
    pub reasons: BTreeMap<String, u64>,
    /// Plies of all games.
    pub plies: u64,
    /// Half points of pairs of which one game is finished.
    #[serde(skip)]
    half_pairs: HashMap<(String, usize), u64>,
}

impl Meeting {
    /// All games.
    pub fn wdl(&self) -> Wdl {
        self.as_black.plus(self.as_white)
    }

    /// What to estimate the strength from: pairs if there are any, else games.
    pub fn tally(&self) -> Tally {
        let all = self.wdl();
        match self.pairs.iter().sum() {
            0u64 => Tally::Games([all.losses, all.draws, all.wins]),
            _ => Tally::Pairs(self.pairs),
        }
    }

    fn add(&mut self, id: &str, game: &GameRecord) {
        let is_black = game.black == self.first;
        let half_points = match (game.result, is_black) {
            (GameResult::Draw, _) => 1,
            (GameResult::Black, true) | (GameResult::White, false) => 2,
            _ => 0,
        };
        if is_black {
            self.as_black.add(half_points);
        } else {
            self.as_white.add(half_points);
        }
        *self.reasons.entry(game.reason.clone()).or_default() += 1;
        self.plies += game.moves.len() as u64;
        if let Some(pair) = game.pair {
            let key = (id.to_owned(), pair);
            match self.half_pairs.remove(&key) {
                Some(other) => self.pairs[(other + half_points) as usize] += 1,
                None => drop(self.half_pairs.insert(key, half_points)),
            }
        }
    }
}

/// What an engine did in all its games.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conduct {
    /// Its name.
    pub name: String,
    /// All its games.
    pub wdl: Wdl,
    /// Its moves.
    pub moves: u64,
    /// The time that they took in ms.
    pub ms: f64,
    /// The longest of them in ms.
    pub longest_ms: f64,
    /// Nodes of moves whose nodes are known, and the time of these moves in ms.
    pub nodes: u64,
    #[serde(skip)]
    nodes_ms: f64,
    #[serde(skip)]
    depth_sum: u64,
    #[serde(skip)]
    depth_moves: u64,
    /// Games lost by each sort of fault.
    pub faults: BTreeMap<&'static str, u64>,
}

impl Conduct {
    /// Nodes a second.
    pub fn nps(&self) -> f64 {
        ratio(self.nodes as f64 * 1e3, self.nodes_ms)
    }

    /// The mean depth in plies.
    pub fn depth(&self) -> f64 {
        ratio(self.depth_sum as f64, self.depth_moves as f64)
    }

    /// The mean time of a move in ms.
    pub fn ms_a_move(&self) -> f64 {
        ratio(self.ms, self.moves as f64)
    }

    fn add(&mut self, game: &GameRecord, is_black: bool) {
        let won = match game.result {
            GameResult::Draw => 1,
            GameResult::Black => 2 * u64::from(is_black),
            GameResult::White => 2 * u64::from(!is_black),
        };
        self.wdl.add(won);
        if let (Some(fault), 0) = (game.fault, won) {
            *self.faults.entry(fault.word()).or_default() += 1;
        }
        let begins = game.start.split(' ').nth(2) == Some("w");
        let first = (game.book % 2 == 1) ^ begins ^ !is_black;
        for n in (usize::from(first)..game.ms.len()).step_by(2) {
            let ms = game.ms[n];
            self.moves += 1;
            self.ms += ms;
            self.longest_ms = self.longest_ms.max(ms);
            if let Some(&nodes) = game.nodes.get(n).filter(|&&nodes| nodes > 0) {
                self.nodes += nodes;
                self.nodes_ms += ms;
            }
            if let Some(&depth) = game.depth.get(n).filter(|&&depth| depth > 0) {
                self.depth_sum += u64::from(depth);
                self.depth_moves += 1;
            }
        }
    }
}

fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

/// Everything that is said about games.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Engines in the order in which they were named.
    pub engines: Vec<Conduct>,
    /// Who met whom.
    pub meetings: Vec<Meeting>,
    /// The test that the match is, if it is one.
    pub sprt: Option<Sprt>,
    /// Games that were in the files more than once and count once.
    pub repeated: u64,
    seen: HashSet<(String, usize)>,
}

impl Report {
    /// A report of everything in result files.
    pub fn of(results: &Results) -> Report {
        let mut report = Report::default();
        for (record, games) in &results.matches {
            for (name, _) in &record.engines {
                report.engine(name);
            }
            for game in games {
                report.add(&record.id, game);
            }
        }
        report
    }

    /// The place of an engine in the report, which it gets if it has none.
    pub(super) fn engine(&mut self, name: &str) -> usize {
        let known = self.engines.iter().position(|engine| engine.name == name);
        known.unwrap_or_else(|| {
            self.engines.push(Conduct {
                name: name.to_owned(),
                ..Conduct::default()
            });
            self.engines.len() - 1
        })
    }

    /// Adds a game of the match with this fingerprint, once.
    pub fn add(&mut self, id: &str, game: &GameRecord) {
        if !self.seen.insert((id.to_owned(), game.number)) {
            self.repeated += 1;
            return;
        }
        let (black, white) = (self.engine(&game.black), self.engine(&game.white));
        self.engines[black].add(game, true);
        self.engines[white].add(game, false);
        let names = [black.min(white), black.max(white)].map(|n| self.engines[n].name.clone());
        let [first, second] = names;
        let known = self
            .meetings
            .iter()
            .position(|meeting| meeting.first == first && meeting.second == second);
        let meeting = known.unwrap_or_else(|| {
            self.meetings.push(Meeting {
                first,
                second,
                as_black: Wdl::default(),
                as_white: Wdl::default(),
                pairs: [0; 5],
                reasons: BTreeMap::new(),
                plies: 0,
                half_pairs: HashMap::new(),
            });
            self.meetings.len() - 1
        });
        self.meetings[meeting].add(id, game);
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.meetings
            .iter()
            .map(|meeting| meeting.wdl().games())
            .sum()
    }

    /// The tally that a sequential test is about: the first meeting's.
    pub fn tally(&self) -> Tally {
        let first = self.meetings.first();
        first.map_or(Tally::Games([0; 3]), Meeting::tally)
    }

    /// The first meeting in a few words, with the state of the test.
    pub fn running(&self) -> String {
        let Some(meeting) = self.meetings.first().filter(|_| self.meetings.len() == 1) else {
            let standings = self.engines.iter();
            let standings = standings
                .map(|engine| format!("{} {:.1} %", engine.name, engine.wdl.score() * 100.0));
            return standings.collect::<Vec<_>>().join(", ");
        };
        let mut text = format!("{} {}", meeting.first, meeting.wdl());
        if let Some(result) = meeting.tally().elo() {
            text.push_str(&format!(" Elo {}", elo_text(&result)));
        }
        if let Some(test) = self.test_text() {
            text.push_str(&format!(" {test}"));
        }
        text
    }

    fn test_text(&self) -> Option<String> {
        let sprt = self.sprt?;
        let (lower, upper) = sprt.bounds();
        let llr = sprt.llr(&self.tally());
        let decision = format!("{:?}", sprt.decision(&self.tally())).to_lowercase();
        Some(format!("LLR {llr:.2} ({lower:.2}, {upper:.2}) {decision}"))
    }

    /// The report as JSON.
    pub fn json(&self) -> serde_json::Value {
        use serde_json::json;
        let meetings: Vec<_> = self
            .meetings
            .iter()
            .map(|meeting| {
                let mut value = json!(meeting);
                value["games"] = json!(meeting.wdl().games());
                value["wdl"] = json!(meeting.wdl());
                value["score"] = json!(meeting.wdl().score());
                value["strength"] = json!(meeting.tally().elo());
                value
            })
            .collect();
        let engines: Vec<_> = self
            .engines
            .iter()
            .map(|engine| {
                let mut value = json!(engine);
                value["nps"] = json!(engine.nps().round());
                value["depth"] = json!(engine.depth());
                value["ms_a_move"] = json!(engine.ms_a_move());
                value
            })
            .collect();
        let sprt = self.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                "model": format!("{:?}", sprt.model).to_lowercase(),
                "llr": sprt.llr(&self.tally()), "lower": lower, "upper": upper,
                "decision": format!("{:?}", sprt.decision(&self.tally())).to_lowercase(),
            })
        });
        json!({
            "games": self.games(),
            "meetings": meetings,
            "engines": engines,
            "sprt": sprt,
            "repeated": self.repeated,
        })
    }
}

fn elo_text(result: &Elo) -> String {
    format!("{:+.1} ± {:.1}", result.elo, result.error)
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.wdl();
        write!(
            f,
            "{} – {}: {} games, {all}",
            self.first,
            self.second,
            all.games()
        )?;
        if let Some(result) = self.tally().elo() {
            write!(
                f,
                ", Elo {}, LOS {:.1} %, normalised {:+.1}",
                elo_text(&result),
                result.los * 100.0,
                result.normalised
            )?;
        }
        writeln!(f)?;
        let (first, black, white) = (&self.first, self.as_black, self.as_white);
        writeln!(f, "  {first} as Black {black}, as White {white}")?;
        writeln!(f, "  pairs by points 0 ½ 1 1½ 2: {:?}", self.pairs)?;
        let reasons = self.reasons.iter();
        let reasons: Vec<String> = reasons
            .map(|(reason, count)| format!("{reason} {count}"))
            .collect();
        let plies = ratio(self.plies as f64, all.games() as f64);
        writeln!(f, "  ends: {}; {plies:.0} plies a game", reasons.join(", "))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for meeting in &self.meetings {
            meeting.fmt(f)?;
        }
        let name = |engine: &Conduct| engine.name.chars().count();
        let width = self.engines.iter().map(name).max().unwrap_or(0).max(6);
        write!(
            f,
            "{:width$} {:>6} {:>6} {:>9} {:>6} {:>9} {:>10} {:>8}",
            "engine", "games", "score", "nodes/s", "depth", "ms/move", "longest ms", "s/game"
        )?;
        for fault in Fault::ALL {
            write!(f, " {}", fault.word())?;
        }
        for engine in &self.engines {
            let games = engine.wdl.games();
            write!(
                f,
                "\n{:width$} {games:>6} {:>5.1}% {:>9.0} {:>6.1} {:>9.1} {:>10.0} {:>8.1}",
                engine.name,
                engine.wdl.score() * 100.0,
                engine.nps(),
                engine.depth(),
                engine.ms_a_move(),
                engine.longest_ms,
                ratio(engine.ms / 1e3, games as f64),
            )?;
            for fault in Fault::ALL {
                let count = engine.faults.get(fault.word()).copied().unwrap_or(0);
                write!(f, " {count:>width$}", width = fault.word().len())?;
            }
        }
        if let Some(test) = self.test_text() {
            write!(f, "\n{test}")?;
        }
        if self.repeated > 0 {
            write!(
                f,
                "\n{} games were there more than once and count once",
                self.repeated
            )?;
        }
        Ok(())
    }
}
