//! The CECP front end, command by command, as XBoard sees it.

mod dialog;

use std::time::{Duration, Instant};

use dialog::Dialog;

const START: &str = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/\
                     MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL";

/// All lines that come of what was sent.
fn settle(dialog: &mut Dialog) -> Vec<String> {
    dialog.send("ping 4711");
    let mut lines = dialog.until("pong 4711");
    lines.pop();
    lines
}

/// What is said to these lines and nothing else.
fn say(dialog: &mut Dialog, lines: &[&str]) -> Vec<String> {
    lines.iter().for_each(|line| dialog.send(line));
    settle(dialog)
}

fn sfen(dialog: &mut Dialog) -> String {
    let lines = say(dialog, &["d"]);
    let line = lines.iter().find_map(|line| line.strip_prefix("sfen: "));
    line.unwrap_or_else(|| panic!("{lines:?}")).to_owned()
}

/// The program in force mode at this position.
fn at(fen: &str, arguments: &[&str]) -> Dialog {
    let mut dialog = Dialog::start(&[&["xboard"], arguments].concat());
    let setboard = format!("setboard {fen}");
    let lines = say(
        &mut dialog,
        &["xboard", "new", "variant chu", "force", &setboard],
    );
    assert_eq!(lines, [""; 0]);
    dialog
}

/// The move on the last of these lines, or the last two.
fn moved(lines: &[String]) -> String {
    let texts = lines.iter().filter_map(|line| line.strip_prefix("move "));
    texts.collect()
}

#[test]
fn features_come_at_once() {
    let mut dialog = Dialog::start(&["xboard", "--rules", "lishogi"]);
    dialog.send("xboard");
    dialog.send("protover 2");
    let lines = dialog.until("feature done=1");
    for word in [
        "ping=1",
        "setboard=1",
        "playother=1",
        "usermove=1",
        "time=1",
        "draw=0",
        "sigint=0",
        "sigterm=0",
        "reuse=1",
        "analyze=1",
        "memory=1",
        "smp=1",
        "colors=0",
        "variants=\"chu\"",
    ] {
        assert!(
            lines[0].split(' ').any(|w| w == word),
            "{word} in {}",
            lines[0]
        );
    }
    assert!(lines[1].starts_with("feature myname=\"sakijishi "));
    let rules = "feature option=\"Rules -combo renmei /// teiban /// *lishogi /// jcsa /// edo\"";
    assert!(lines.iter().any(|line| line == rules), "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("feature ")));
    assert!(lines.iter().all(|line| line.len() < 400), "{lines:?}");
    let mut dialog = Dialog::start(&["xboard", "--id-name", "Some Name"]);
    dialog.send("protover 2");
    dialog.until("feature myname=\"Some Name\"");
}

#[test]
fn the_default_loop_changes_over_without_losing_a_line() {
    let mut dialog = Dialog::start(&["-o", "MultiPV=2"]);
    dialog
        .send_raw(b"xboard\r\nprotover 2\r\nping 1\r\nnew\r\nforce\r\nusermove f4f5\r\nping 2\r\n");
    let lines = dialog.until("pong 2");
    assert!(lines.contains(&"feature option=\"MultiPV -spin 2 1 500\"".to_owned()));
    assert!(lines.contains(&"pong 1".to_owned()));
    assert!(sfen(&mut dialog).ends_with(" w - 2"));
    dialog.send("quit");
    assert_eq!(dialog.end(), Some(0));
}

/// What XBoard 4.9.1 sends for a game between two engines, in its order.
#[test]
fn a_game_in_the_order_of_xboard() {
    let mut dialog = Dialog::start(&["xboard"]);
    for line in [
        "xboard",
        "protover 2",
        "accepted ping",
        "accepted variants",
        "accepted done",
        "memory 68",
        "new",
        "random",
        "variant chu",
        "level 0 0:20 0",
        "post",
        "hard",
        "easy",
        "ping 1",
        "force",
        "computer",
        "sd 3",
    ] {
        dialog.send(line);
    }
    dialog.until("pong 1");
    let mut text = String::new();
    for (n, order) in ["go", "usermove f9f8", "usermove g9g8"].iter().enumerate() {
        dialog.send("time 2000");
        dialog.send("otim 1900");
        dialog.send(order);
        dialog.send(&format!("ping 1{n}"));
        let lines = dialog.until(&format!("pong 1{n}"));
        assert!(lines.iter().any(|line| line.starts_with("3 ")), "{lines:?}");
        text = moved(&lines);
        assert!(text.len() >= 4, "{lines:?}");
    }
    assert!(sfen(&mut dialog).ends_with(" w - 6"), "{text}");
    for line in ["result 1-0 {time}", "new", "variant chu", "force", "quit"] {
        dialog.send(line);
    }
    assert_eq!(dialog.end(), Some(0));
}

#[test]
fn after_new_the_engine_plays_second() {
    let mut dialog = Dialog::start(&["xboard"]);
    dialog.send("new");
    dialog.send("sd 2");
    dialog.send("usermove f4f5");
    let lines = settle(&mut dialog);
    assert!(
        lines.len() == 1 && lines[0].starts_with("move "),
        "{lines:?}"
    );
    assert!(sfen(&mut dialog).ends_with(" b - 3"));
}

#[test]
fn every_time_control_ends_in_a_move() {
    let mut dialog = at(START, &[]);
    for control in [
        &["level 40 5 0", "time 50"][..],
        &["level 0 0:05 0.1", "time 20"],
        &["level 0 1 1", "time 0"],
        &["time -300"],
        &["level 1 0:01 0", "time 30"],
        &["st 0.05"],
        &["st 0"],
        &["st 100", "sd 2"],
        &["nps 100", "st 1", "sd 90"],
        &["level 0 0:10 0", "nps 1000", "time 1000"],
        &["nps -1", "st 0:00"],
        &["level 40 5 0", "time 10", "memory 2", "cores 2"],
    ] {
        let begun = Instant::now();
        let lines = say(&mut dialog, &[control, &["go"]].concat());
        assert!(
            lines.len() <= 2 && moved(&lines).len() >= 4,
            "{control:?}: {lines:?}"
        );
        assert!(begun.elapsed() < Duration::from_secs(15), "{control:?}");
        assert_eq!(say(&mut dialog, &["force"]), [""; 0]);
    }
}

#[test]
fn move_now_and_force_end_the_search() {
    let mut dialog = at(START, &[]);
    dialog.send("st 1000");
    dialog.send("post");
    dialog.send("go");
    dialog.until("3 ");
    dialog.send("go");
    dialog.send("usermove f4f5");
    dialog.until("Illegal move (it is not your turn): f4f5");
    dialog.send("?");
    let lines = settle(&mut dialog);
    assert!(moved(&lines).len() >= 4, "{lines:?}");
    for order in [
        "force",
        "undo",
        "new",
        "variant chu",
        "result * {}",
        "analyze",
        "playother",
    ] {
        dialog.send("force");
        dialog.send(&format!("setboard {START} w - 0 1"));
        dialog.send("usermove f4f5");
        dialog.send("st 1000");
        dialog.send("go");
        dialog.until("2 ");
        let lines = say(&mut dialog, &[order, "exit"]);
        assert_eq!(moved(&lines), "", "{order}: {lines:?}");
        assert_eq!(say(&mut dialog, &["?"]), [""; 0]);
    }
}

#[test]
fn a_ping_waits_for_the_move() {
    let mut dialog = at(START, &[]);
    dialog.send("st 0.2");
    dialog.send("go");
    dialog.send("ping 1");
    dialog.send("ping 2");
    let lines = dialog.until("pong 2");
    assert!(
        lines[0].starts_with("move ") && lines[1] == "pong 1",
        "{lines:?}"
    );
    // An option that is set while the engine thinks makes it think again, under the new rules.
    dialog.send("go");
    dialog.send("ping 3");
    dialog.send("option Rules=edo");
    let lines = dialog.until("pong 3");
    assert!(
        lines.len() == 2 && lines[0].starts_with("move "),
        "{lines:?}"
    );
}

#[test]
fn undo_remove_and_setboard() {
    let mut dialog = at(START, &[]);
    let notes = say(
        &mut dialog,
        &["usermove f4f5", "usermove g9g8", "usermove e4e5", "undo"],
    );
    assert_eq!(notes, [""; 0]);
    assert!(sfen(&mut dialog).ends_with(" b - 3"));
    assert_eq!(say(&mut dialog, &["remove"]), [""; 0]);
    assert_eq!(sfen(&mut dialog), format!("{START} b - 1"));
    assert_eq!(
        say(&mut dialog, &["undo", "remove"]),
        [
            "Error (no such move to take back): undo",
            "Error (no such move to take back): remove"
        ]
    );
    let board = "12/12/4k7/12/12/12/12/12/12/12/5K6/12";
    for (tail, said) in [
        (" b - 3 7", "w - 14"),
        ("", "b - 1"),
        (" - 0 1", "b - 1"),
        (" b", "w - 2"),
    ] {
        assert_eq!(
            say(&mut dialog, &[&format!("setboard {board}{tail}")]),
            [""; 0]
        );
        assert_eq!(sfen(&mut dialog), format!("{board} {said}"));
    }
    let lines = say(
        &mut dialog,
        &[
            "setboard 12/12 x",
            "setboard",
            "setboard KK10/12/12/12/12/12/12/12/12/12/12/12",
        ],
    );
    assert!(
        lines[0]
            .starts_with("tellusererror Illegal position: bad FEN: the board `12/12` has 2 ranks")
            && lines[0].ends_with("the side to move `x` is neither w nor b"),
        "{lines:?}"
    );
    assert_eq!(
        lines[1],
        "tellusererror Illegal position: bad FEN: it is empty"
    );
    assert!(lines[2].contains("2 kings"), "{lines:?}");
    assert_eq!(sfen(&mut dialog), format!("{board} w - 2"));
}

#[test]
fn lion_moves_come_on_one_line_or_two() {
    let board = "k11/12/12/12/12/12/2p9/1pN9/12/12/12/11K";
    for (lines, after) in [
        (
            &["usermove c5b5,b5c6"][..],
            "k11/12/12/12/12/12/2N9/12/12/12/12/11K w - 2",
        ),
        (
            &["usermove c5b5,", "usermove b5c6"],
            "k11/12/12/12/12/12/2N9/12/12/12/12/11K w - 2",
        ),
        (
            &["c5b5,", "ping 1", "b5c5"],
            "k11/12/12/12/12/12/2p9/2N9/12/12/12/11K w - 2",
        ),
        (
            &["usermove @@@@"],
            "k11/12/12/12/12/12/2p9/1pN9/12/12/12/11K w - 2",
        ),
        (
            &["usermove c5d5,d5e5"],
            "k11/12/12/12/12/12/2p9/1p2N7/12/12/12/11K w - 2",
        ),
    ] {
        let mut dialog = at(board, &["--rules", "edo"]);
        let said = say(&mut dialog, lines);
        assert!(said.iter().all(|line| line == "pong 1"), "{said:?}");
        assert_eq!(sfen(&mut dialog), after);
    }
    // The engine sends a double capture on two lines.
    let mut dialog = at(
        "k11/12/12/12/12/12/2r9/1rN9/12/12/12/5K6",
        &["--rules", "edo"],
    );
    let lines = say(&mut dialog, &["sd 4", "go"]);
    assert_eq!(lines, ["move c5b5,", "move b5c6"]);
    // A first step alone is forgotten when something else happens.
    let lines = say(
        &mut dialog,
        &[
            "force",
            "undo",
            "usermove c5b5,",
            "setboard 11k/12/12/12/12/12/12/12/12/12/12/K11",
            "usermove a1a2",
        ],
    );
    assert_eq!(lines, [""; 0]);
}

#[test]
fn illegal_moves_are_refused_with_their_reason() {
    let mut dialog = at(START, &[]);
    for (text, answer) in [
        (
            "f4f6",
            "Illegal move (the piece does not move like that): f4f6",
        ),
        ("a1a5", "Illegal move (a piece stands in between): a1a5"),
        (
            "a9a8",
            "Illegal move (the piece belongs to the other side): a9a8",
        ),
        (
            "f4f5+",
            "Illegal move (the piece may not promote with this move): f4f5+",
        ),
        ("e2e4x", "Illegal move: e2e4x"),
        ("c1", "Illegal move: c1"),
        (
            "b1c1,c1d2",
            "Illegal move (only a lion, or a falcon or eagle on its lines, moves in two steps): b1c1,c1d2",
        ),
        (
            "@@@@",
            "Illegal move (a pass needs a lion, falcon or eagle with an empty square to step to): @@@@",
        ),
    ] {
        assert_eq!(say(&mut dialog, &[&format!("usermove {text}")]), [answer]);
    }
    assert_eq!(sfen(&mut dialog), format!("{START} b - 1"));
    let lines = say(&mut dialog, &["usermove f4f5,", "usermove g5g6"]);
    assert_eq!(
        lines,
        ["Illegal move (the second step does not start where the first ends): f4f5,g5g6"]
    );
}

#[test]
fn results_are_claimed_by_the_rules() {
    for (fen, arguments, orders, claim) in [
        (
            "5k6/5G6/12/12/12/12/12/12/12/12/12/11K w",
            &["--rules", "edo"][..],
            &["sd 2", "go"][..],
            "1-0 {last royal captured}",
        ),
        (
            "12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 b",
            &[],
            &["go"],
            "1-0 {bare king}",
        ),
        (
            "12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 b",
            &["-o", "BareKing=none", "-o", "MaxMovesToDraw=2"],
            &["go"],
            "1/2-1/2 {move limit}",
        ),
        (
            START,
            &["-o", "MaxMovesToDraw=1"],
            &["new", "usermove f4f5"],
            "1/2-1/2 {move limit}",
        ),
        (
            "k11/12/12/12/12/12/12/12/12/12/12/1g9K b",
            &["--rules", "edo"],
            &["playother", "usermove b1a1"],
            "",
        ),
    ] {
        let mut dialog = at(fen, arguments);
        let orders = [&["sd 1"], orders].concat();
        let lines = say(&mut dialog, &orders);
        let last = lines.last().map_or("", String::as_str);
        let claimed = if last.starts_with("move ") { "" } else { last };
        assert_eq!(claimed, claim, "{lines:?}");
        if !claim.is_empty() {
            // A finished game is no game to think about; taking a move back makes it one again.
            assert_eq!(say(&mut dialog, &["go"]), [claim]);
            assert_eq!(moved(&say(&mut dialog, &["analyze", "exit"])), "");
        }
    }
    let mut dialog = at(
        "5k6/5G6/12/12/p11/12/12/12/12/12/12/11K w",
        &["--rules", "edo"],
    );
    let lines = say(&mut dialog, &["usermove f11f12", "usermove a8a7", "force"]);
    assert_eq!(lines, ["Illegal move (the game is over): a8a7"]);
}

/// Black's lion and White's king go to and fro; Black may not bring a position back for the fourth time.
#[test]
fn a_forbidden_repetition_is_refused_or_claimed() {
    let fen = "5k6/12/12/12/12/12/12/12/12/12/P11/L4K6 w";
    let cycle = [
        "usermove f1g1",
        "usermove f12g12",
        "usermove g1f1",
        "usermove g12f12",
    ];
    let orders = cycle.repeat(2);
    for (first, answer) in [
        (
            "force",
            "Illegal move (the move repeats the position a fourth time): g12f12",
        ),
        ("computer", "1-0 {forbidden repetition}"),
    ] {
        let mut dialog = at(fen, &["-o", "BareKing=none"]);
        let lines = say(&mut dialog, &[&[first][..], &orders, &cycle[..3]].concat());
        assert_eq!(lines, [""; 0]);
        if first == "computer" {
            dialog.send("playother");
        }
        let lines = say(&mut dialog, &["usermove g12f12"]);
        assert_eq!(lines, [answer]);
    }
}

#[test]
fn pondering_on_the_expected_move_and_on_another() {
    let mut dialog = at(START, &[]);
    for line in ["hard", "post", "level 0 0:10 0", "time 200", "otim 200"] {
        dialog.send(line);
    }
    dialog.send("go");
    dialog.until("move ");
    for hit in [true, false, true] {
        dialog.send("hint");
        let mut shown = dialog.until("Hint: ");
        let hint = shown.pop().unwrap();
        let hint = hint.strip_prefix("Hint: ").unwrap().to_owned();
        // Pondering shows lines that begin with the expected move, and no move comes.
        std::thread::sleep(Duration::from_millis(200));
        shown.extend(settle(&mut dialog));
        let begins = |line: &String| line.split(' ').nth(4) == Some(hint.as_str());
        assert!(!shown.is_empty() && shown.iter().all(begins), "{shown:?}");
        let reply = match hit {
            true => hint,
            false => other_move(&mut dialog, &hint),
        };
        for line in ["time 200", "otim 200", &format!("usermove {reply}")] {
            dialog.send(line);
        }
        let lines = dialog.until("move ");
        assert!(
            !lines.iter().any(|line| line.starts_with("Illegal")),
            "{lines:?}"
        );
    }
    dialog.send("easy");
    settle(&mut dialog);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(settle(&mut dialog), [""; 0]);
    let before = sfen(&mut dialog);
    assert!(before.ends_with(" w - 8"), "{before}");
}

/// A move of White's pawns that is not this one.
fn other_move(dialog: &mut Dialog, hint: &str) -> String {
    let ours = sfen(dialog);
    let setup = sakijishi::notation::sfen::parse(&ours).unwrap();
    let position = sakijishi::board::Position::new(&setup, Default::default()).unwrap();
    let moves = position.moves().into_iter();
    let mut texts = moves.map(|m| sakijishi::notation::xboard::format_move(m, &position));
    texts.find(|text| text != hint).unwrap()
}

#[test]
fn analysis_follows_the_game() {
    let mut dialog = at(START, &[]);
    assert_eq!(say(&mut dialog, &["."]), [""; 0]);
    dialog.send("analyze");
    dialog.until("3 ");
    dialog.send(".");
    let status = dialog.until("stat01: ").pop().unwrap();
    let numbers: Vec<u64> = status
        .split(' ')
        .skip(1)
        .map(|n| n.parse().unwrap())
        .collect();
    assert!(
        numbers.len() == 5 && numbers[1] > 0 && numbers[2] >= 3 && numbers[4] == 36,
        "{status}"
    );
    for order in [
        "usermove f4f5",
        "usermove f9f8",
        "undo",
        "usermove g9g8",
        "remove",
        "setboard 5k6/12/12/12/12/12/2r9/1rN9/12/12/12/5K6 w - 0 1",
        "new",
        "option Contempt=3",
    ] {
        settle(&mut dialog);
        dialog.send(order);
        dialog.until("3 ");
    }
    let lines = say(&mut dialog, &["analyze", "usermove a1a9", "exit", "exit"]);
    assert!(lines.contains(&"Illegal move (a piece stands in between): a1a9".to_owned()));
    assert_eq!(settle(&mut dialog), [""; 0]);
    assert_eq!(sfen(&mut dialog), format!("{START} b - 1"));
    assert!(moved(&say(&mut dialog, &["sd 1", "go"])).len() >= 4);
}

#[test]
fn scores_of_won_positions() {
    let mut dialog = at(
        "k11/12/12/12/12/12/12/12/12/2Q9/1R10/11K w",
        &["--rules", "edo"],
    );
    let lines = say(&mut dialog, &["post", "sd 5", "go"]);
    let score = |line: &str| line.split(' ').nth(1).and_then(|n| n.parse::<i64>().ok());
    let last = lines
        .iter()
        .rev()
        .find_map(|line| score(line).filter(|_| !line.starts_with("move ")));
    assert!(
        last.is_some_and(|n| (100_001..100_004).contains(&n)),
        "{lines:?}"
    );
}

#[test]
fn options_are_set_or_refused_aloud() {
    let mut dialog = at(START, &[]);
    let lines = say(
        &mut dialog,
        &[
            "option MultiPV=2",
            "option Clear_Hash",
            "option USI_LimitStrength=0",
            "option Rules=lishogi",
            "option EvalFile=<built-in>",
        ],
    );
    assert_eq!(lines, [""; 0]);
    let lines = say(
        &mut dialog,
        &["option MultiPV=x", "option Nonsense", "cores x", "option"],
    );
    assert_eq!(
        lines,
        [
            "Error (option MultiPV: `x` is not a whole number from 1 to 500; it stays 2): option MultiPV=x",
            "Error (there is no option `Nonsense`): option Nonsense=",
            "Error (bad argument): cores x",
            "Error (bad argument): option",
        ]
    );
    let lines = say(&mut dialog, &["post", "sd 3", "go"]);
    assert!(
        lines.iter().filter(|line| line.starts_with("3 ")).count() >= 2,
        "{lines:?}"
    );
}

#[test]
fn what_needs_no_answer_and_what_is_unknown() {
    let mut dialog = at(START, &[]);
    let lines = say(
        &mut dialog,
        &[
            "accepted ping",
            "rejected nps",
            "random",
            "computer",
            "name HaChu",
            "rating 1500 1500",
            "ics -",
            "draw",
            "bk",
            "hint",
            "otim 5",
            "white",
            "black",
            "",
            "   ",
            "result 1/2-1/2 {agreed}",
            "easy",
            "hard",
            "nopost",
        ],
    );
    assert_eq!(lines, [""; 0]);
    assert_eq!(
        say(&mut dialog, &["edit", "usi", "variant shogi", "level 1"]),
        [
            "Error (unknown command): edit",
            "Error (unknown command): usi",
            "Error (unsupported variant): variant shogi",
            "Error (bad argument): level 1",
        ]
    );
    dialog.send_raw(b"  ping 1 \r\n\r\n\t\rping 2\r\xff\xfe\x00garbage\n");
    dialog.until("pong 1");
    dialog.until("pong 2");
    assert!(settle(&mut dialog)[0].starts_with("Error (unknown command): "));
}

#[test]
fn quit_and_the_end_of_the_input_end_at_once() {
    for last in [Some("quit"), None] {
        for task in ["", "go", "analyze"] {
            let mut dialog = at(START, &[]);
            dialog.send("post");
            if !task.is_empty() {
                dialog.send("st 1000");
                dialog.send(task);
                dialog.until("2 ");
            }
            if let Some(last) = last {
                dialog.send(last);
            }
            let start = Instant::now();
            assert_eq!(dialog.end(), Some(0), "{task} {last:?}");
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn commands_in_a_random_order_never_break_it() {
    let commands = [
        "xboard",
        "protover 2",
        "new",
        "variant chu",
        "force",
        "go",
        "playother",
        "usermove f4f5",
        "usermove g9g8",
        "usermove c5b5,",
        "usermove b5c6",
        "usermove @@@@",
        "e4e5",
        "e9e8",
        "?",
        "ping 1",
        "level 0 0:01 0",
        "st 0.01",
        "sd 2",
        "nps 100",
        "nps -1",
        "time 1",
        "otim 1",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "analyze",
        "exit",
        ".",
        "hint",
        "memory 2",
        "memory 1",
        "cores 2",
        "cores 1",
        "option Rules=edo",
        "option Rules=lishogi",
        "option MultiPV=2",
        "computer",
        "result 0-1 {}",
        "d",
        "what",
        "setboard 3",
        "draw",
        "setboard 12/12/4k7/12/12/5N6/12/12/12/12/5K6/12 w - 0 1",
        "setboard k11/12/12/12/12/12/2p9/1pN9/12/12/12/11K b - 0 1",
    ];
    for mut seed in [1u32, 2] {
        let mut dialog = Dialog::start(&["xboard"]);
        let mut pings = 0;
        for _ in 0..500 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let command = commands[(seed >> 16) as usize % commands.len()];
            pings += usize::from(command == "ping 1");
            dialog.send(command);
        }
        let lines = settle(&mut dialog);
        assert_eq!(lines.iter().filter(|line| *line == "pong 1").count(), pings);
        assert_eq!(dialog.end(), Some(0));
    }
}

#[test]
fn the_log_has_both_directions() {
    let path = std::env::temp_dir().join(format!("sakijishi-cecp-{}", std::process::id()));
    let mut dialog = Dialog::start(&["xboard"]);
    dialog.send(&format!("option Debug_Log_File={}", path.display()));
    dialog.send("ping 1");
    dialog.until("pong 1");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(log, "< ping 1\n> pong 1\n");
}
