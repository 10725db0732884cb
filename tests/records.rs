//! Records written in every format and read back, and what is wrong with broken ones.

mod cases;
mod playout;

use std::time::Duration;

use playout::{Style as Play, choose};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sakijishi::board::{Color, Position, Rules, Setup};
use sakijishi::notation::ending::Ending;
use sakijishi::notation::format::Format;
use sakijishi::notation::headers::Tag;
use sakijishi::notation::record::{Clock, Line, Ply, Record};
use sakijishi::notation::style::Style;
use sakijishi::notation::{encoding, sfen, usi};

const GAMES: usize = 500;
const REMARKS: [&str; 6] = [
    "獅子が強い。",
    "White's lion is *lost* (or nearly).",
    "変化：3手",
    "1-0 [%x y] 12.",
    "まで",
    "(\"a\")",
];
const ENDINGS: [Ending; 11] = [
    Ending::Resignation,
    Ending::Mate,
    Ending::TimeUp,
    Ending::Foul,
    Ending::FoulByOpponent,
    Ending::Declaration,
    Ending::Repetition,
    Ending::Impasse,
    Ending::Draw,
    Ending::Interruption,
    Ending::Win(Color::White),
];

/// Random records with everything that a record can have.
struct Scribe {
    random: SmallRng,
    starts: Vec<Setup>,
}

impl Scribe {
    fn new(seed: u64) -> Scribe {
        let mut starts = vec![sfen::start(); 20];
        starts.extend(sfen::HANDICAPS.map(|handicap| sfen::parse(handicap.sfen).unwrap()));
        starts.extend(cases::sfens().iter().map(|sfen| sfen::parse(sfen).unwrap()));
        let random = SmallRng::seed_from_u64(seed);
        Scribe { random, starts }
    }

    fn record(&mut self) -> Record {
        let start = self.starts[self.random.random_range(0..self.starts.len())].clone();
        let mut record = Record::new(start);
        for (tag, text) in [
            (Tag::Started, "2024/02/29 10:00:00"),
            (Tag::Event, "名人戦 \"A\" \\ B"),
            (Tag::Black, "仁兵衛"),
            (Tag::White, "Anna: the 2nd"),
            (Tag::TimeControl, "1:00+30"),
            (Tag::Other("Round".to_owned()), "3"),
        ] {
            if self.random.random_bool(0.7) {
                record.headers.set(tag, text);
            }
        }
        let mut position = record.position(Rules::default()).unwrap();
        let plies = self.random.random_range(0..150);
        record.main = self.line(&mut position, plies, 2);
        record
    }

    /// A line of so many plies at most, with variations of variations of this depth.
    fn line(&mut self, position: &mut Position, plies: usize, depth: usize) -> Line {
        let before = position.made();
        let mut line = Line::default();
        line.comments = self.remarks();
        for n in 0..plies {
            let moves = position.moves();
            let Some(m) = choose(position, &moves, self.random.random(), Play::Lively) else {
                break;
            };
            // A variation of a variation's first move is another one of the line that both leave.
            while n > 0 && depth > 0 && self.random.random_bool(0.03) {
                let plies = self.random.random_range(1..10);
                line.branch(n, self.line(position, plies, depth - 1));
            }
            position.make(m);
            let clock = self.random.random_bool(0.5).then(|| self.clock());
            let comments = self.remarks();
            line.plies.push(Ply { m, clock, comments });
        }
        line.ending = self
            .random
            .random_bool(0.5)
            .then(|| ENDINGS[self.random.random_range(0..ENDINGS.len())]);
        while position.made() > before {
            position.unmake();
        }
        line
    }

    fn remarks(&mut self) -> Vec<String> {
        let count = if self.random.random_bool(0.1) {
            self.random.random_range(1..4)
        } else {
            0
        };
        (0..count)
            .map(|_| REMARKS[self.random.random_range(0..REMARKS.len())].to_owned())
            .collect()
    }

    fn clock(&mut self) -> Clock {
        let spent = Duration::from_secs(self.random.random_range(0..4000));
        let total = self.random.random_bool(0.8).then(|| spent * 3);
        Clock { spent, total }
    }
}

fn records(seed: u64) -> impl Iterator<Item = Record> {
    let mut scribe = Scribe::new(seed);
    (0..GAMES).map(move |_| scribe.record())
}

/// The games of a text, which must all be readable.
fn read(format: Format, text: &str) -> Vec<Record> {
    let readings = format.read(text, Rules::default());
    readings
        .into_iter()
        .map(|reading| reading.whole().unwrap_or_else(|e| panic!("{e} in\n{text}")))
        .collect()
}

fn write(format: Format, record: &Record) -> String {
    format.write(record, Rules::default(), Style::Usi)
}

/// The main line in USI, passes and iguis of any piece alike.
fn moves(record: &Record) -> String {
    let mut position = record.position(Rules::default()).unwrap();
    let mut texts = Vec::new();
    for m in record.main.moves() {
        let m = position.canonical(m);
        texts.push(usi::format(m, &position));
        position.make(m);
    }
    texts.join(" ")
}

#[test]
fn kif_keeps_everything() {
    for record in records(1) {
        let text = write(Format::Kif, &record);
        assert_eq!(Format::recognise(&text), Some(Format::Kif), "{text}");
        assert_eq!(read(Format::Kif, &text), [record], "{text}");
    }
}

#[test]
fn kif_in_shift_jis() {
    for record in records(2).take(50) {
        let text = write(Format::Kif, &record);
        let bytes = encoding::encode(&text, encoding::Encoding::ShiftJis).unwrap();
        assert!(std::str::from_utf8(&bytes).is_err());
        let decoded = encoding::decode(&bytes);
        assert_eq!((decoded.text, decoded.error), (text, None));
    }
}

#[test]
fn pgn_keeps_what_it_can_say() {
    for record in records(3) {
        let text = write(Format::Pgn, &record);
        assert_eq!(Format::recognise(&text), Some(Format::Pgn), "{text}");
        let again = read(Format::Pgn, &text).pop().unwrap();
        assert_eq!(write(Format::Pgn, &again), text);
        assert_eq!(
            (moves(&again), &again.start),
            (moves(&record), &record.start),
            "{text}"
        );
        assert_eq!(again.headers, record.headers, "{text}");
        let told = |record: &Record| -> Vec<_> {
            let plies = record.main.plies.iter();
            plies.map(|ply| (ply.clock, ply.comments.clone())).collect()
        };
        assert_eq!(told(&again), told(&record), "{text}");
    }
}

#[test]
fn lines_keep_the_main_line() {
    for record in records(4) {
        for format in [Format::Usi, Format::Sfen] {
            let text = write(format, &record);
            assert_eq!(Format::recognise(&text), Some(Format::Usi), "{text}");
            let again = read(format, &text).pop().unwrap();
            assert_eq!(
                (moves(&again), &again.start),
                (moves(&record), &record.start),
                "{text}"
            );
            assert!(
                again.main.moves().eq(record.main.moves()) || format == Format::Usi,
                "{text}"
            );
        }
    }
}

#[test]
fn many_games_in_a_file() {
    let records: Vec<Record> = records(5).take(40).collect();
    for format in [Format::Kif, Format::Pgn, Format::Usi, Format::Sfen] {
        let texts: Vec<String> = records.iter().map(|record| write(format, record)).collect();
        let again = read(format, &texts.join(format.separator()));
        let texts_again: Vec<String> = again.iter().map(|record| write(format, record)).collect();
        assert_eq!(texts_again, texts);
    }
}
