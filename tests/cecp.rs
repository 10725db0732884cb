//! The CECP front end, command by command, as XBoard sees it.

mod dialog;

use std::time::{Duration, Instant};

use dialog::Dialog;
use dialog::cecp::{START, at, say, settle, sfen};

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
    // Either way takes both pieces.
    let ways = [["move c5b5,", "move b5c6"], ["move c5c6,", "move c6b5"]];
    assert!(ways.iter().any(|way| lines == way), "{lines:?}");
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
