//! Records as people and other programs write them, and broken ones.

mod cases;
mod playout;
mod program;

use std::process::Output;

use playout::config;
use proptest::prelude::*;
use sakijishi::board::{Color, RuleSet, Rules};
use sakijishi::notation::ending::Ending;
use sakijishi::notation::format::Format;
use sakijishi::notation::headers::Tag;
use sakijishi::notation::reading::Reading;
use sakijishi::notation::style::Style;
use sakijishi::notation::{encoding, line, sfen};

/// A game as lishogi writes it, with everything that its dialect has.
const LISHOGI: &str = include_str!("data/lishogi.kif");
/// The same game in the spellings of other programs.
const OTHERS: &str = include_str!("data/others.kif");
/// A game that XBoard wrote.
const XBOARD: &str = include_str!("data/xboard.pgn");

fn read(text: &str, rules: RuleSet) -> Vec<Reading> {
    let format = Format::recognise(text).unwrap_or_else(|| panic!("no format: {text}"));
    format.read(text, rules.into())
}

fn usi(reading: &Reading) -> String {
    line::write(&reading.record)
}

#[test]
fn a_game_of_lishogi() {
    let [reading] = &read(LISHOGI, RuleSet::Lishogi)[..] else {
        panic!()
    };
    assert_eq!(reading.error, None);
    let record = &reading.record;
    assert_eq!(
        usi(reading),
        "startpos moves 7j7h 12d12e 7h7g7h 1d1e 7h7f 2d2e 7f8e 11d11e 8e8d8e 10d10e 8e7d6d 6c6d 7i7h 6d7f"
    );
    let headers: Vec<(&str, &str)> = record
        .headers
        .iter()
        .map(|(tag, text)| (tag.word(), text))
        .collect();
    assert_eq!(
        headers,
        [
            ("started", "2024/02/29 10:00:00"),
            ("site", "https://lishogi.org/abcdefgh"),
            ("time_control", "10分+30秒"),
            ("black", "仁兵衛"),
            ("white", "Anna")
        ]
    );
    assert_eq!(record.main.comments, ["始まり"]);
    assert_eq!(
        record.main.plies[0].comments,
        ["獅子が出る。", "", " The lion comes out."]
    );
    let clock = record.main.plies[2].clock.unwrap();
    assert_eq!(
        (clock.spent.as_secs(), clock.total.unwrap().as_secs()),
        (65, 3670)
    );
    assert_eq!(record.main.ending, Some(Ending::Resignation));
    assert_eq!(
        record
            .verdict(Rules::default())
            .map(|verdict| verdict.word()),
        Some("white")
    );
    let branches: Vec<(usize, String)> = record
        .main
        .variations()
        .iter()
        .map(|v| {
            (
                v.after,
                v.line.variations().len().to_string() + &v.line.comments.concat(),
            )
        })
        .collect();
    assert_eq!(
        branches,
        [
            (1, "0".to_owned()),
            (7, "1早い変化".to_owned()),
            (7, "0".to_owned())
        ]
    );
}

#[test]
fn the_same_game_in_other_spellings() {
    let [one, other] = [LISHOGI, OTHERS].map(|text| read(text, RuleSet::Lishogi).remove(0));
    assert_eq!(other.error, None);
    assert_eq!(usi(&one), usi(&other));
    assert_eq!(other.record.headers.get(&Tag::Black), Some("仁兵衛"));
    assert_eq!(other.record.main.ending, Some(Ending::Win(Color::White)));
}

#[test]
fn a_game_of_xboard() {
    let [reading] = &read(XBOARD, RuleSet::Edo)[..] else {
        panic!()
    };
    assert_eq!(reading.error, None);
    let record = &reading.record;
    assert_eq!(record.main.plies.len(), 139);
    assert_eq!(record.headers.get(&Tag::Started), Some("2026/11/30"));
    assert_eq!(record.main.plies[0].comments, ["+0.15/10"]);
    assert_eq!(
        record
            .verdict(Rules::default())
            .map(|verdict| verdict.word()),
        Some("black")
    );
}

#[test]
fn starts_by_name_and_by_diagram() {
    for handicap in sfen::HANDICAPS {
        let setup = sfen::parse(handicap.sfen).unwrap();
        let named = format!(
            "手合割：{}\n手数----指手---------消費時間--\n",
            handicap.japanese
        );
        let record = sakijishi::notation::record::Record::new(setup.clone());
        let drawn = Format::Kif.write(&record, Rules::default(), Style::Usi);
        let bare: String = drawn
            .lines()
            .filter(|line| !line.starts_with("手合割"))
            .map(|line| format!("{line}\r\n"))
            .collect();
        for text in [
            named,
            drawn,
            bare.replace("後手番", "上手番").replace("\r\n", "\n"),
        ] {
            let [reading] = &read(&text, RuleSet::Renmei)[..] else {
                panic!("{text}")
            };
            assert_eq!(
                (&reading.record.start, &reading.error),
                (&setup, &None),
                "{text}"
            );
        }
    }
    for name in ["", "平手", "中将棋"] {
        let reading = read(&format!("手合割：{name}\n"), RuleSet::Renmei).remove(0);
        assert_eq!((reading.record.start, reading.error), (sfen::start(), None));
    }
}

/// What a line of the game becomes, and what is then said of which line; the number of moves that are kept.
const BROKEN: [(&str, &str, usize, &str, usize); 15] = [
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   6手目 ▲7六獅子 （←7八）",
        17,
        "move 5 is due",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲4六獅子 （←7八）",
        17,
        "`4六獅子 （←7八）`: the piece does not move like that",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲7六獅子 （←5十）",
        17,
        "the piece on 5十 is not 獅子 but 龍王",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲7六金将 （←7八）",
        17,
        "the piece on 7八 is not 金将 but 獅子",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲7六獅子 （←7",
        17,
        "`7六獅子 （←7` is not a move",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲13六獅子 （←7八）",
        17,
        "`13六獅子 （←7八）` is not a move",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "   5手目 ▲7六金将",
        17,
        "0 pieces can move like that",
        4,
    ),
    (
        "   5手目 ▲7六獅子 （←7八）",
        "何か",
        17,
        "`何か` is not a line of a KIF file",
        4,
    ),
    (
        "   3手目二歩目 ▲7八獅子",
        "   3手目三歩目 ▲7八獅子",
        14,
        "the second step is missing",
        2,
    ),
    (
        "   3手目一歩目 ▲7七獅子 （←7八）\n",
        "",
        14,
        "there is no first step",
        2,
    ),
    (
        "   9手目二歩目 ▲8五獅子（居食い） （←8四）",
        "   9手目二歩目 ▲8五獅子 （←7四）",
        22,
        "the second step does not start where the first ends",
        8,
    ),
    (
        "変化：2手",
        "変化：20手",
        44,
        "`変化：20手`: there is no such move to vary",
        14,
    ),
    (
        "手合割：",
        "手合割：香落ち",
        7,
        "`香落ち` is no handicap",
        0,
    ),
    (
        "  15手目 投了",
        "  15手目 投了\n  15手目 中断",
        30,
        "`中断` comes after the end",
        14,
    ),
    (
        "   1手目 ▲7八獅子",
        "   1手目 ▲仝獅子",
        9,
        "there is no last move",
        0,
    ),
];

#[test]
fn broken_games_say_where_and_keep_the_rest() {
    for (good, bad, number, said, kept) in BROKEN {
        assert!(LISHOGI.contains(good), "{good}");
        let text = LISHOGI.replacen(good, bad, 1);
        let reading = read(&text, RuleSet::Lishogi).remove(0);
        let error = reading
            .error
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            error.starts_with(&format!("line {number}: ")) && error.contains(said),
            "{bad}: {error}"
        );
        assert_eq!(reading.record.main.plies.len(), kept, "{bad}");
    }
}

#[test]
fn broken_pgn() {
    let good = XBOARD.replace("\r\n", "\n");
    for (bad, said) in [
        (
            good.split(" 2. Gd2").next().unwrap().to_owned(),
            "breaks off before its result `1-0`",
        ),
        (
            good.replacen("2. Gd2", "2. Gd7", 1),
            "`Gd7`: no piece can move like that",
        ),
        (good.replacen("2. Gd2", "3. Gd2", 1), "`3.`: move 2 is due"),
        (
            good.split("2. Gd2").next().unwrap().to_owned() + "(1... Ng8",
            "a variation is not closed",
        ),
        (
            good.replacen("2. Gd2", ") 2. Gd2", 1),
            "`)` closes no variation",
        ),
        (
            good.replacen("2. Gd2 {+0.15/10 0.1}", "2. Gd2 {+0.15/10 0.1", 1)
                .split('}')
                .take(3)
                .collect::<String>(),
            "is not closed",
        ),
        (
            good.replacen("[Variant \"chu\"]", "[Variant \"shogi\"]", 1),
            "[Variant \"shogi\"] is not chu",
        ),
        (
            good.replacen("[Site \"vm\"]", "[Site \"vm]", 1),
            "`[Site \"vm]` is not a tag",
        ),
    ] {
        let reading = read(&bad, RuleSet::Edo).remove(0);
        let error = reading
            .error
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains(said), "{said}: {error}");
    }
}

#[test]
fn encodings_are_told_apart_and_not_mixed() {
    let sjis = encoding::encode(LISHOGI, encoding::Encoding::ShiftJis).unwrap();
    let marked = ["\u{feff}", LISHOGI].concat().into_bytes();
    let crlf = LISHOGI.replace('\n', "\r\n").into_bytes();
    for bytes in [&sjis, &marked, &crlf, &LISHOGI.as_bytes().to_vec()] {
        let decoded = encoding::decode(bytes);
        assert_eq!((decoded.text.as_str(), decoded.error), (LISHOGI, None));
    }
    let halves = |first: &[u8], second: &[u8]| {
        let cut = |bytes: &[u8]| {
            bytes
                .split_inclusive(|&byte| byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        encoding::decode(&[&cut(first)[..12], &cut(second)[12..]].concat().concat())
    };
    for decoded in [
        halves(&sjis, LISHOGI.as_bytes()),
        halves(LISHOGI.as_bytes(), &sjis),
    ] {
        let (line, error) = decoded.error.unwrap();
        assert_eq!((line, decoded.text.lines().count()), (13, 12));
        assert!(
            error.to_string().contains("as what stands before it is"),
            "{error}"
        );
    }
    assert!(encoding::encode("🦁", encoding::Encoding::ShiftJis).is_err());
}

fn assert_sound(bytes: &[u8]) {
    let decoded = encoding::decode(bytes);
    for format in [Format::Kif, Format::Pgn, Format::Usi] {
        for reading in format.read(&decoded.text, Rules::default()) {
            for to in [
                Format::Kif,
                Format::Pgn,
                Format::Json,
                Format::Text,
                Format::Sfen,
            ] {
                to.write(&reading.record, Rules::default(), Style::Japanese);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        assert_sound(&bytes);
    }

    #[test]
    fn no_edit_does_harm(which in 0..3usize, at in any::<prop::sample::Index>(), length in 0..40usize, put in ".{0,4}|[0-9一二十手目▲（）変化：\n(){}*/]{0,6}") {
        let text = [LISHOGI, OTHERS, XBOARD][which];
        let mut bytes = text.as_bytes().to_vec();
        let start = at.index(bytes.len());
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, put.bytes());
        assert_sound(&bytes);
        assert_sound(&bytes[..start]);
    }
}

fn convert(arguments: &[&str], input: &[u8]) -> Output {
    program::run(&[&["convert"], arguments].concat(), input)
}

#[test]
fn convert_is_a_filter() {
    let lishogi = ["--rules", "lishogi", "--to"];
    let line = convert(&[&lishogi[..], &["usi"]].concat(), LISHOGI.as_bytes());
    assert!(line.status.success(), "{line:?}");
    for format in ["kif", "pgn", "sfen"] {
        let there = convert(&[&lishogi[..], &[format]].concat(), LISHOGI.as_bytes());
        let back = convert(&[&lishogi[..], &["usi"]].concat(), &there.stdout);
        assert_eq!(
            String::from_utf8(back.stdout),
            String::from_utf8(line.stdout.clone())
        );
        assert_eq!(back.stderr, b"");
    }
    let json = convert(&[&lishogi[..], &["json"]].concat(), LISHOGI.as_bytes());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["moves"][2]["usi"], "7h7g7h");
    assert_eq!(
        (&json["result"], &json["headers"]["black"]),
        (&"white".into(), &"仁兵衛".into())
    );
}

#[test]
fn convert_keeps_what_it_can_and_says_what_it_cannot() {
    let folder = std::env::temp_dir().join(format!("sakijishi-convert-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [input, output] = ["in.kif", "out.usi"].map(|name| folder.join(name));
    let broken = LISHOGI.replacen("   5手目 ▲7六獅子", "   5手目 ▲4六獅子", 1);
    std::fs::write(&input, format!("{broken}\n{LISHOGI}")).unwrap();
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    let result = convert(
        &[input, "--rules", "lishogi", "--to", "usi", "--out", output],
        b"",
    );
    assert_eq!(result.status.code(), Some(2));
    let said = String::from_utf8(result.stderr).unwrap();
    assert!(
        said.starts_with(&format!("{input}: line 17: `4六獅子 （←7八）`")),
        "{said}"
    );
    let written = std::fs::read_to_string(output).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(
        (lines.len(), lines[0]),
        (2, "startpos moves 7j7h 12d12e 7h7g7h 1d1e")
    );
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    let nothing = convert(&["no such file", "--to", "usi", "--out", output], b"");
    assert_eq!(
        (
            nothing.status.code(),
            std::fs::read_to_string(output).unwrap()
        ),
        (Some(2), written.clone())
    );
    let bytes = convert(
        &[
            "--rules",
            "lishogi",
            "--to",
            "kif",
            "--encoding",
            "shift-jis",
        ],
        LISHOGI.as_bytes(),
    )
    .stdout;
    assert!(
        std::str::from_utf8(&bytes).is_err() && encoding::decode(&bytes).text.contains("仁兵衛")
    );
    std::fs::remove_dir_all(&folder).unwrap();
    for nonsense in ["", "nothing\nat all", "\u{0}\u{1}"] {
        let result = convert(&["--to", "kif"], nonsense.as_bytes());
        assert_eq!((result.status.code(), result.stdout), (Some(2), Vec::new()));
    }
    assert_eq!(convert(&["--to", "csa"], b"").status.code(), Some(2));
}
