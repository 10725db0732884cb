//! The CECP front end at play: thinking, pondering, analysing, and how games end.

mod dialog;

use std::time::{Duration, Instant};

use dialog::Dialog;
use dialog::cecp::{START, at, moved, say, settle, sfen};

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
    until_moved(&mut dialog);
    for hit in [true, false, true] {
        dialog.send("hint");
        let mut shown = dialog.until("Hint: ");
        let hint = shown.pop().unwrap();
        let hint = hint.strip_prefix("Hint: ").unwrap().to_owned();
        // Pondering shows lines that begin with the expected move, and no move comes.
        if shown.is_empty() {
            shown = dialog.until("");
        }
        shown.extend(settle(&mut dialog));
        let begins = |line: &String| line.split(' ').nth(4) == Some(hint.as_str());
        assert!(shown.iter().all(begins), "{shown:?}");
        let reply = match hit {
            true => hint,
            false => other_move(&mut dialog, &hint),
        };
        for line in ["time 200", "otim 200", &format!("usermove {reply}")] {
            dialog.send(line);
        }
        let lines = until_moved(&mut dialog);
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

/// What is said until the engine has moved: a move of two steps has two lines.
fn until_moved(dialog: &mut Dialog) -> Vec<String> {
    let mut lines = dialog.until("move ");
    while lines.last().is_some_and(|line| line.ends_with(',')) {
        lines.extend(dialog.until("move "));
    }
    lines
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
