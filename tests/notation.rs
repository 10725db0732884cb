//! SFEN and USI moves: what is wrong with bad text, and that no text does harm.

mod cases;
mod playout;

use playout::config;
use proptest::prelude::*;
use sakijishi::board::{Game, Illegal, Move, Position, RuleSet, Rules, Setup, Square};
use sakijishi::notation::usi::MoveError;
use sakijishi::notation::{sfen, usi};

/// A middlegame with promoted pieces, lions about to be traded and a lion just lost.
const BUSY: &str = "lfcsg2gso1l/a1bdtet2fc1/2r2q1k1r1a/mv1x+P1+Pp1bvm/3p3d2pp/1Q4h1p2h/P1piD5PP/\
                    5B2iPV1/2HP1+ONPP3/MCVT+HD1GBT1M/A1S4XH1RA/LF1RGK2SCFL b 8i 142";
const EMPTY: &str = "12/12/12/12/12/12/12/12/12/12/12/12";
/// What edits put into good texts: what belongs there, what nearly does, and characters of more than one byte.
const ALPHABET: &str = "019acklmnopqxzABKNPQZ+-=?*/ \t\n\0bw.,７ä獅\u{feff}\u{1f981}";

/// What follows from a text that was accepted as an SFEN.
fn assert_sound(text: &str) {
    let Ok(setup) = sfen::parse(text) else { return };
    let written = sfen::format(&setup);
    assert_eq!(sfen::parse(&written), Ok(setup.clone()), "{text}");
    let mut position = Position::new(&setup, Rules::default()).unwrap();
    position.outcome();
    if let Some(&m) = position.moves().first() {
        position.make(m);
        assert!(
            sfen::format(&position.setup()).parse::<Setup>().is_ok(),
            "{text}"
        );
    }
}

/// What follows from a text that was accepted as a move.
fn assert_playable(text: &str, position: &Position) {
    let Ok(m) = usi::parse(text, position) else {
        return;
    };
    assert!(position.is_legal(m), "{text}");
    let listed = position.canonical(m);
    assert!(position.moves().contains(&listed), "{text}");
    assert_eq!(
        usi::parse(&usi::format(m, position), position),
        Ok(m),
        "{text}"
    );
}

/// Every text that differs from this one by one character left out, put in or replaced.
fn edits(text: &str) -> impl Iterator<Item = String> + '_ {
    let places = text.char_indices().map(|(i, c)| (i, c.len_utf8()));
    places
        .chain([(text.len(), 0)])
        .flat_map(move |(i, length)| {
            let (before, after) = text.split_at(i);
            let rest = &after[length..];
            let with = move |c: char| [format!("{before}{c}{after}"), format!("{before}{c}{rest}")];
            ALPHABET
                .chars()
                .flat_map(with)
                .chain([format!("{before}{rest}")])
        })
}

#[test]
fn truncated_and_edited_sfens() {
    for good in [sfen::START, sfen::HANDICAPS[0].sfen, BUSY] {
        let ends = good.char_indices().map(|(i, _)| i);
        ends.for_each(|end| assert_sound(&good[..end]));
        edits(good).for_each(|text| assert_sound(&text));
    }
}

#[test]
fn truncated_and_edited_moves() {
    for good in [
        sfen::START,
        BUSY,
        "12/12/12/6pp4/5pN5/5+Ii5/12/4+H7/12/3+D8/12/kK10 b - 1",
    ] {
        let position = cases::position(good, Rules::default());
        for spelling in cases::spellings(&position) {
            let ends = spelling.char_indices().map(|(i, _)| i);
            ends.for_each(|end| assert_playable(&spelling[..end], &position));
            edits(&spelling).for_each(|text| assert_playable(&text, &position));
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        assert_sound(&text);
        assert_playable(&text, &cases::position(BUSY, Rules::default()));
        prop_assert!(text.parse::<Square>().is_err() || text.len() <= 3);
    }

    #[test]
    fn random_text_that_looks_right(
        board in "([1-9]|1[0-3]|\\+?[a-zA-Z]){0,12}(/([1-9]|1[0-3]|\\+?[acf-ikl-tvxA-T]){1,12}){9,12}",
        tail in "( [bw]( (-|1?[0-9][a-m])( [0-9]{1,11})?)?)?",
        m in "(1?[0-9][a-m]){1,4}[+=?]?",
    ) {
        assert_sound(&format!("{board}{tail}"));
        assert_sound(&format!("{EMPTY}{tail}"));
        assert_playable(&m, &cases::position(BUSY, Rules::default()));
        if let Ok(square) = m.parse::<Square>() {
            prop_assert_eq!(square.to_string(), m);
        }
    }
}

#[test]
fn move_numbers_up_to_the_largest() {
    for number in [1, u32::MAX - 1, u32::MAX] {
        let text = format!("12/12/12/12/12/6k5/12/12/6K5/12/12/12 b - {number}");
        let mut position = cases::position(&text, Rules::default());
        for _ in 0..3 {
            let m = position.moves()[0];
            position.play(m).unwrap();
            assert_eq!(
                sfen::parse(&sfen::format(&position.setup())),
                Ok(position.setup())
            );
        }
        while position.unmake().is_some() {}
        assert_eq!(sfen::format(&position.setup()), text);
    }
}

#[test]
fn missing_fields_have_defaults() {
    let full = sfen::parse(&format!("{EMPTY} w - 1"));
    for text in [
        format!("{EMPTY} w"),
        format!("{EMPTY} w -"),
        format!("  {EMPTY}\tw  -  1\r\n"),
    ] {
        assert_eq!(sfen::parse(&text), full, "{text}");
    }
    assert!(full.is_ok());
}

/// Eleven empty ranks after this one.
fn first_rank(rank: &str) -> String {
    format!("{rank}{} b - 1", &EMPTY[2..])
}

#[test]
fn everything_that_is_wrong_with_an_sfen() {
    let nine = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let nine_ranks: Vec<String> = nine
        .split('/')
        .zip('a'..)
        .map(|(text, rank)| format!("rank {rank} `{text}` has 9 squares, chu shogi has 12"))
        .collect();
    let nine_error = format!(
        "the board `{nine}` has 9 ranks, chu shogi has 12; {}",
        nine_ranks.join("; ")
    );
    let at_once = "+k11/z11/13/11/KK+E9/2+E+E8/12/12/12/12/12";
    let at_once_error = format!(
        "the board `{at_once}` has 11 ranks, chu shogi has 12; \
         `+k` in rank a: there is no such promoted piece; \
         `z` in rank b is not a piece; \
         `13` in rank c is not a number of empty squares from 1 to 12; \
         rank d `11` has 11 squares, chu shogi has 12; \
         the side to move `x` is neither b nor w; \
         the third field `7z` is neither - nor the square where a lion was lost; \
         the move number `0` is not a whole number from 1; \
         `more` after the move number is not expected; \
         black has 2 kings, at most 1 is possible; \
         black has 3 princes, at most 1 is possible"
    );
    let number = "is not a whole number from 1";
    let lion_field = "is neither - nor the square where a lion was lost";
    let table = [
        (String::new(), "it is empty".to_owned()),
        (" \t ".to_owned(), "it is empty".to_owned()),
        (format!("{nine} b - 1"), nine_error),
        (format!("{at_once} x 7z 0 more"), at_once_error),
        (
            format!("{EMPTY}/12 b"),
            format!("the board `{EMPTY}/12` has 13 ranks, chu shogi has 12"),
        ),
        (
            format!("{EMPTY}/+k11 b"),
            format!(
                "the board `{EMPTY}/+k11` has 13 ranks, chu shogi has 12; \
             `+k` in rank ?: there is no such promoted piece"
            ),
        ),
        (
            first_rank("+Q11"),
            "`+Q` in rank a: there is no such promoted piece".to_owned(),
        ),
        (
            first_rank("+211"),
            "`+2` in rank a: there is no such promoted piece".to_owned(),
        ),
        (
            first_rank("11+"),
            "`+` in rank a: there is no such promoted piece".to_owned(),
        ),
        (
            first_rank("++P10"),
            "`++` in rank a: there is no such promoted piece".to_owned(),
        ),
        (
            first_rank("5玉6"),
            "`玉` in rank a is not a piece".to_owned(),
        ),
        (
            first_rank("u10y"),
            "`u` in rank a is not a piece; `y` in rank a is not a piece".to_owned(),
        ),
        (
            first_rank("0k11"),
            "`0` in rank a is not a number of empty squares from 1 to 12".to_owned(),
        ),
        (
            first_rank("99999999999999999999"),
            "`99999999999999999999` in rank a is not a number of empty \
            squares from 1 to 12"
                .to_owned(),
        ),
        (
            first_rank("93"),
            "`93` in rank a is not a number of empty squares from 1 to 12".to_owned(),
        ),
        (
            first_rank("P12"),
            "rank a `P12` has 13 squares, chu shogi has 12".to_owned(),
        ),
        (
            first_rank(""),
            "rank a `` has 0 squares, chu shogi has 12".to_owned(),
        ),
        (
            first_rank("k10k"),
            "white has 2 kings, at most 1 is possible".to_owned(),
        ),
        (
            first_rank("+e10+e"),
            "white has 2 princes, at most 1 is possible".to_owned(),
        ),
        (
            EMPTY.to_owned(),
            "the side to move, b or w, is missing".to_owned(),
        ),
        (
            format!("{EMPTY} B - 1"),
            "the side to move `B` is neither b nor w".to_owned(),
        ),
        (
            format!("{EMPTY} b 13a 1"),
            format!("the third field `13a` {lion_field}"),
        ),
        (
            format!("{EMPTY} b 07a 1"),
            format!("the third field `07a` {lion_field}"),
        ),
        (
            format!("{EMPTY} b 7a7 1"),
            format!("the third field `7a7` {lion_field}"),
        ),
        (
            format!("{EMPTY} b 1"),
            format!("the third field `1` {lion_field}"),
        ),
        (
            format!("{EMPTY} b - -1"),
            format!("the move number `-1` {number}"),
        ),
        (
            format!("{EMPTY} b - one"),
            format!("the move number `one` {number}"),
        ),
        (
            format!("{EMPTY} b - 4294967296"),
            format!("the move number `4294967296` {number}"),
        ),
        (
            format!("{EMPTY} b - 1 moves 7i7h"),
            "`moves` after the move number is not expected".to_owned(),
        ),
    ];
    for (text, expected) in table {
        let error = sfen::parse(&text).expect_err(&text);
        assert_eq!(error.to_string(), format!("bad SFEN: {expected}"));
        let ranks = text
            .split_whitespace()
            .next()
            .map_or(12, |board| board.split('/').count());
        assert_eq!(error.is_other_variant(), ranks != 12, "{text}");
    }
}

/// A lone king each, out of the way of what happens in the middle.
const DUEL: &str = "12/12/12/12/5n6/6i5/5N6/8b3/12/12/12/kK10 b - 1";
/// White's lion on 7e, protected by a pawn; Black's rook, lion and falcon bear on it. Black lost a lion on 1a.
const STRIKE: &str = "12/12/12/5p6/5n6/5+H6/12/7N4/12/12/12/kK10 b 1a 1";
/// The same lion without its pawn.
const BARE: &str = "12/12/12/12/R4n6/12/12/12/12/12/12/kK10 b 1a 1";
/// The same where Black's lion fell on the lion's square.
const EXEMPT: &str = "12/12/12/5p6/R4n6/12/12/12/12/12/12/kK10 b 7e 1";
/// A falcon and an eagle with something to take, a pawn that may promote and one that may not.
const ANGLES: &str = "12/2P9/12/5p1p4/4+H1+D5/4P7/12/12/12/P11/12/kK10 b - 1";

#[test]
fn why_a_move_is_illegal() {
    let spelling = "is not a move: expected squares like 7i7h, 7d7c+ or 7g6f5e";
    let power = "only a lion, or a falcon or eagle on its lines, moves in two steps (rules §3)";
    let steps = "each step of a two-step move goes to an adjacent square";
    let reach = "the piece does not move like that (rules §2, §3)";
    let own = "an own piece is in the way";
    let pass = "a pass needs a lion, falcon or eagle with an empty square to step to (rules §3)";
    let promotion = "the piece may not promote with this move (rules §4)";
    let protected = "a lion may not capture a protected lion at distance two (rules §5.2)";
    let strike =
        "a non-lion may not capture a lion right after a lion fell to a non-lion (rules §5.3)";
    let table = [
        (
            sfen::START,
            "renmei",
            "7f7e",
            "there is no piece on its starting square",
        ),
        (
            sfen::START,
            "renmei",
            "7d7e",
            "the piece belongs to the other side",
        ),
        (
            sfen::START,
            "renmei",
            "7f7e7d",
            "there is no piece on its starting square",
        ),
        (sfen::START, "renmei", "7k7i", own),
        (sfen::START, "renmei", "7j7i7h", own),
        (sfen::START, "renmei", "7i7g", reach),
        (sfen::START, "renmei", "7j7g", reach),
        (sfen::START, "renmei", "7j9g", reach),
        (sfen::START, "renmei", "6j6h", "a piece stands in between"),
        (sfen::START, "renmei", "7i7h+", promotion),
        (sfen::START, "renmei", "7j7h+", promotion),
        (sfen::START, "renmei", "7j7j", pass),
        (sfen::START, "renmei", "7i7i", pass),
        (sfen::START, "renmei", "7i7h7g", power),
        (sfen::START, "renmei", "6j6h6i", steps),
        (sfen::START, "renmei", "7j7h7g", steps),
        (sfen::START, "renmei", "7j7i7g", steps),
        (
            sfen::START,
            "renmei",
            "7j7i7h+",
            "a two-step move does not promote",
        ),
        (ANGLES, "renmei", "8e7d7c", power),
        (ANGLES, "renmei", "8e8d7c", power),
        (ANGLES, "renmei", "6e5d4d", power),
        (ANGLES, "renmei", "6e6d6c", power),
        (ANGLES, "renmei", "8e8f", own),
        (ANGLES, "renmei", "8f8e", own),
        (ANGLES, "renmei", "10b10a=+", spelling),
        (ANGLES, "renmei", "12j12i+", promotion),
        (ANGLES, "renmei", "6e5d+", promotion),
        (DUEL, "renmei", "7g6f7e", protected),
        (DUEL, "lishogi", "7g6f7e", protected),
        (STRIKE, "renmei", "5h7e", reach),
        (STRIKE, "renmei", "7f7e", strike),
        (STRIKE, "renmei", "7f7e7d", "legal"),
        (STRIKE, "renmei", "7f7e7f", strike),
        (STRIKE, "edo", "7f7e7d", strike),
        (STRIKE, "lishogi", "7f7e", strike),
        (STRIKE, "lishogi", "7f7e7d", "legal"),
        (STRIKE, "lishogi", "7f7e7f", "legal"),
        (BARE, "renmei", "12e7e", "legal"),
        (BARE, "lishogi", "12e7e", strike),
        (EXEMPT, "lishogi", "12e7e", "legal"),
        (EXEMPT, "edo", "12e7e", strike),
        (EXEMPT, "renmei", "12e7e", strike),
    ];
    for (sfen, rules, text, expected) in table {
        let position = cases::position(sfen, cases::rules(rules));
        let message = match usi::parse(text, &position) {
            Ok(_) => "legal".to_owned(),
            Err(MoveError::Spelling(bad)) => format!("`{bad}` {spelling}"),
            Err(error) => error.to_string(),
        };
        let expected = match expected {
            "legal" => expected.to_owned(),
            _ if expected == spelling => format!("`{text}` {expected}"),
            _ => format!("`{text}`: {expected}"),
        };
        assert_eq!(message, expected, "{sfen} {rules}");
    }
}

#[test]
fn spellings_that_are_no_move() {
    let position = cases::position(sfen::START, Rules::default());
    let texts = "7i 7i7 7i7h7 7i7h++ 7i7h+= 7i7h-- 13a12a 0a1a 7m7l 07i7h 7i7h7g7f 7I7H 7i\u{ff17}h P*7e resign -";
    for text in texts.split_whitespace().chain([""]) {
        let error = usi::parse(text, &position).unwrap_err();
        assert_eq!(error, MoveError::Spelling(text.to_owned()));
        let message = "is not a move: expected squares like 7i7h, 7d7c+ or 7g6f5e";
        assert_eq!(error.to_string(), format!("`{text}` {message}"));
    }
}

#[test]
fn the_direct_and_the_two_step_spellings_of_a_lone_lion() {
    let position = cases::position(
        "12/12/12/12/12/5N6/12/12/12/12/12/12 b - 1",
        Rules::default(),
    );
    assert_eq!(cases::spellings(&position).len(), 24 + 8 * 8);
    assert_eq!(position.moves().len(), 24 + 1);
}

#[test]
fn a_first_step_that_captures_nothing() {
    let position = cases::position(DUEL, Rules::default());
    let folded = usi::parse("7g8f9e", &position).unwrap();
    assert_eq!(folded.mid(), None);
    let remembered = Move::from_bits(folded.bits() | 8 << 16).unwrap();
    assert_eq!(remembered.mid(), "8f".parse().ok());
    assert_eq!(position.check(remembered), Err(Illegal::NothingBetween));
    let message = "there is nothing to capture on the first step";
    assert_eq!(Illegal::NothingBetween.to_string(), message);
}

#[test]
fn why_a_game_refuses_a_move() {
    let setup = sfen::parse("12/12/12/12/9r2/3R8/12/12/1k5K4/12/12/12 b - 1").unwrap();
    let mut game = Game::new(setup, Rules::from(RuleSet::Teiban)).unwrap();
    let cycle = ["9f9e", "11i10i", "9e9f", "10i11i"];
    for text in &cycle.repeat(3)[..11] {
        let m = usi::parse(text, game.position()).unwrap();
        assert_eq!(game.play(m), Ok(()));
    }
    let m = usi::parse(cycle[3], game.position()).unwrap();
    let error = game.play(m).unwrap_err();
    assert_eq!((error.number, error.reason), (12, Illegal::Repetition));
    let message = "the move repeats the position a fourth time (rules §7)";
    assert_eq!(error.to_string(), message);

    let setup = sfen::parse("12/12/12/12/12/3R5k2/12/12/8K3/12/12/12 b - 1").unwrap();
    let mut game = Game::new(setup, Rules::from(RuleSet::Edo)).unwrap();
    let capture = usi::parse("9f3f", game.position()).unwrap();
    assert_eq!(game.play(capture), Ok(()));
    let error = game.play(capture).unwrap_err();
    assert_eq!(error.number, 2);
    assert_eq!(error.to_string(), "the game is over (royals black)");
}
