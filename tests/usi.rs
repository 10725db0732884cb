//! The USI front end, row by row of the protocol, as a GUI sees it.

mod dialog;

use std::time::{Duration, Instant};

use dialog::Dialog;

const BARE_BOARD: &str = "12/12/4k7/12/12/12/12/12/12/12/5K6/12 b - 1";

#[test]
fn usi_introduces_itself_with_every_option() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("usi");
    let lines = dialog.until("usiok");
    assert!(lines[0].starts_with("id name sakijishi "));
    assert!(lines[1].starts_with("id author "));
    let options = [
        "USI_Hash",
        "USI_Ponder",
        "Threads",
        "USI_MultiPV",
        "MultiPV",
        "USI_Variant",
        "UCI_Variant",
        "USI_AnalyseMode",
        "Skill_Level",
        "USI_LimitStrength",
        "USI_Elo",
        "Move_Overhead",
        "Clear_Hash",
        "Debug_Log_File",
        "EvalFile",
        "ResignValue",
        "Contempt",
        "Rules",
        "Promotion",
        "LionTrade",
        "BareKing",
        "Repetition",
        "MaxMovesToDraw",
    ];
    for name in options {
        let start = format!("option name {name} type ");
        assert_eq!(
            lines.iter().filter(|line| line.starts_with(&start)).count(),
            1,
            "{name}"
        );
    }
    assert_eq!(
        lines.len(),
        lines.iter().filter(|l| l.starts_with("option ")).count() + 3
    );
    dialog.send("usi");
    assert_eq!(dialog.until("usiok"), lines);
}

#[test]
fn the_name_and_the_rules_come_from_arguments_or_the_environment() {
    let mut dialog = Dialog::start(&["usi", "--id-name", "Fairy-Stockfish 010124"]);
    dialog.send("usi");
    assert_eq!(dialog.until("usiok")[0], "id name Fairy-Stockfish 010124");
    let environment = [
        ("SAKIJISHI_ID_NAME", "Some Name"),
        ("SAKIJISHI_RULES", "lishogi"),
    ];
    let mut dialog = Dialog::start_in(&[], &environment);
    dialog.send("usi");
    let lines = dialog.until("usiok");
    assert_eq!(lines[0], "id name Some Name");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("option name Rules type combo default lishogi"))
    );
    let mut dialog = Dialog::start(&["usi", "--rules", "edo"]);
    dialog.send("usi");
    let lines = dialog.until("usiok");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("option name Rules type combo default edo"))
    );
}

#[test]
fn isready_answers_also_during_a_search() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("isready");
    assert_eq!(dialog.until("readyok"), ["readyok"]);
    dialog.send("go infinite");
    dialog.until("info depth");
    dialog.send("isready");
    assert!(
        dialog
            .until("readyok")
            .iter()
            .all(|line| !line.starts_with("bestmove"))
    );
    dialog.send("stop");
    dialog.until("bestmove");
}

#[test]
fn options_are_set_clamped_or_refused_aloud() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("setoption name usi_hash value 1");
    dialog.send("setoption name Clear_Hash");
    dialog.send("setoption name Skill_Level value 9999");
    assert_eq!(dialog.settle(), [""; 0]);
    dialog.send("setoption name Threads value many");
    assert_eq!(
        dialog.settle(),
        ["info string option Threads: `many` is not a whole number from 1 to 512; it stays 1"]
    );
    dialog.send("setoption name USI_Variant value shogi");
    assert_eq!(
        dialog.settle(),
        ["info string option USI_Variant: `shogi` is not one of chushogi; it stays chushogi"]
    );
    dialog.send("setoption name Nonsense value 3");
    assert_eq!(
        dialog.settle(),
        ["info string there is no option `Nonsense`"]
    );
    dialog.send("setoption name EvalFile value /nowhere");
    assert!(dialog.settle()[0].starts_with("info string option EvalFile: `/nowhere`: "));
    dialog.send("setoption");
    assert_eq!(dialog.settle().len(), 1);
}

#[test]
fn a_weak_player_shows_no_more_lines_than_are_asked_for() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("setoption name Skill_Level value -20");
    dialog.send("go movetime 1000");
    let lines = dialog.until("bestmove");
    let first = |line: &&String| line.starts_with("info depth 1 ");
    // One when the depth is done, one more if the search ends in it.
    assert!(lines.iter().filter(first).count() <= 2, "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth ")));
}

#[test]
fn multi_pv_reports_so_many_lines() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("setoption name MultiPV value 3");
    dialog.send("go depth 4");
    let lines = dialog.until("bestmove");
    for n in 1..=3 {
        let number = format!(" multipv {n} ");
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("info depth 4 ") && line.contains(&number))
        );
    }
    let best = lines[lines.len() - 1].split(' ').nth(1).unwrap().to_owned();
    let first = lines
        .iter()
        .rfind(|line| line.contains(" multipv 1 "))
        .unwrap();
    assert!(first.contains(&format!(" pv {best}")));
}

#[test]
fn positions_that_extend_the_last_and_positions_that_do_not() {
    let mut dialog = Dialog::start(&[]);
    for (position, last) in [
        ("startpos", "b - 1"),
        ("startpos moves ", "b - 1"),
        ("startpos moves 7j7h", "w - 2"),
        ("startpos moves 7j7h 6c7e 7i7h", "w - 2"),
        ("startpos moves 7j7h 6c7e", "b - 3"),
        ("startpos moves 5i5h", "w - 2"),
        (
            "sfen 12/12/4k7/12/12/12/12/12/12/12/5K6/12 w - 7 moves",
            "w - 7",
        ),
        ("3-lions", "w - 1"),
    ] {
        dialog.send(&format!("position {position}"));
        let notes = dialog.settle();
        assert_eq!(
            notes.is_empty(),
            !position.contains("7i7h"),
            "{position}: {notes:?}"
        );
        assert!(
            dialog.sfen().ends_with(last),
            "{position}: {}",
            dialog.sfen()
        );
    }
}

#[test]
fn bad_positions_are_named_and_change_nothing() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("position startpos moves 7j7h");
    let before = dialog.sfen();
    for (position, error) in [
        ("", "there is no position"),
        (
            "startpos moves 7j7h 6c7e 12l12a",
            "move 3: `12l12a`: a piece stands in between",
        ),
        ("startpos moves 7j7h 6c", "move 2: `6c` is not a move"),
        ("startpos foo", "`foo` is not expected"),
        (
            "sfen 12/12 x",
            "has 2 ranks, chu shogi has 12; the side to move `x` is neither b nor w",
        ),
    ] {
        dialog.send(&format!("position {position}"));
        let notes = dialog.settle();
        assert!(
            notes.len() == 1 && notes[0].contains(error),
            "{position}: {notes:?}"
        );
        assert!(notes[0].ends_with("the position is unchanged"), "{notes:?}");
        assert_eq!(dialog.sfen(), before);
    }
}

#[test]
fn moves_after_the_end_of_a_game_are_refused() {
    let mut dialog = Dialog::start(&["--rules", "lishogi"]);
    dialog.send("position sfen 12/12/12/12/12/5k6/5G6/12/12/12/12/11K b - 1 moves 7g7f 1l1k");
    let notes = dialog.settle();
    assert!(
        notes[0].contains("move 2: `1l1k`: the game is over (royals black)"),
        "{notes:?}"
    );
}

#[test]
fn other_variants_are_refused_and_resigned() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert!(dialog.settle()[0].contains("9 ranks"));
    dialog.send("go movetime 50");
    assert_eq!(dialog.until("bestmove").last().unwrap(), "bestmove resign");
    dialog.send("position startpos");
    dialog.send("go depth 1");
    assert_ne!(dialog.until("bestmove").last().unwrap(), "bestmove resign");
}

#[test]
fn every_form_of_go_ends_in_one_bestmove() {
    let mut dialog = Dialog::start(&[]);
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 50",
        "go btime 1000 wtime 1000",
        "go btime 0 wtime 0 byoyomi 60",
        "go byoyomi 60 wtime 5 btime 5",
        "go wtime -1000 btime -1000 byoyomi 0",
        "go btime 500",
        "go winc 10 binc 10 wtime 100 btime 100",
        "go movestogo 1 btime 60 wtime 60",
        "go nodes 200 depth 90 searchmoves 7i7h 6i6h",
        "go movetime 0",
        "go depth 0",
        "go movetime 40 depth 2 nodes 1000000 btime 10000 wtime 10000 byoyomi 10000",
    ] {
        dialog.send(go);
        let lines = dialog.until("bestmove");
        dialog.assert_answer(&lines);
        assert_eq!(dialog.settle(), [""; 0], "{go}");
    }
    dialog.send("go depth 3 searchmoves 7i7h");
    assert!(
        dialog
            .until("bestmove")
            .last()
            .unwrap()
            .starts_with("bestmove 7i7h")
    );
    dialog.send("go depth two");
    dialog.send("stop");
    let lines = dialog.until("bestmove");
    assert_eq!(
        lines[0],
        "info string go: `depth two` makes no sense and is ignored"
    );
}

#[test]
fn stop_is_answered_soon_and_ignored_when_idle() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("stop");
    dialog.send("ponderhit");
    dialog.send("gameover win");
    assert_eq!(dialog.settle(), [""; 0]);
    dialog.send("go infinite");
    dialog.until("info depth 5 ");
    dialog.send("stop");
    let lines = dialog.until("bestmove");
    dialog.assert_answer(&lines);
}

#[test]
fn infinite_and_ponder_hold_the_best_move_back() {
    // One move only; a finished search; a lost position with no move.
    let games = [
        "sfen k11/12/12/12/12/12/12/12/12/12/9p1P/10pK b - 1",
        &format!("sfen {BARE_BOARD}"),
        "sfen 12/12/12/12/12/5k6/5G6/12/12/12/12/11K b - 1 moves 7g7f",
    ];
    let mut dialog = Dialog::start(&["--rules", "edo"]);
    for game in games {
        dialog.send(&format!("position {game}"));
        for (go, release) in [
            ("go infinite", "stop"),
            ("go infinite depth 2", "stop"),
            ("go ponder btime 100 wtime 100", "ponderhit"),
            ("go ponder depth 1", "stop"),
        ] {
            dialog.send(go);
            std::thread::sleep(Duration::from_millis(150));
            let early = dialog.settle();
            assert!(
                early.iter().all(|line| line.starts_with("info ")),
                "{game} {go}: {early:?}"
            );
            dialog.send(release);
            let lines = dialog.until("bestmove");
            assert_eq!(
                lines
                    .iter()
                    .filter(|line| line.starts_with("bestmove"))
                    .count(),
                1
            );
        }
    }
}

#[test]
fn a_game_that_is_over_is_resigned() {
    let mut dialog = Dialog::start(&["--rules", "edo"]);
    dialog.send("position sfen 12/12/12/12/12/5k6/5G6/12/12/12/12/11K b - 1 moves 7g7f");
    dialog.send("go depth 3");
    let lines = dialog.until("bestmove");
    assert_eq!(lines[0], "info string the game is over: royals black");
    assert!(lines[1].starts_with("info depth 0 seldepth 0 score mate -0 nodes 0 "));
    assert_eq!(lines[2], "bestmove resign");
}

#[test]
fn new_orders_stop_the_old_search_with_one_answer() {
    let mut dialog = Dialog::start(&[]);
    for order in [
        "position startpos moves 7j7h",
        "usinewgame",
        "go depth 1",
        "gameover lose",
    ] {
        dialog.send("go infinite");
        dialog.until("info depth 3 ");
        dialog.send(order);
        dialog.until("bestmove");
        if order.starts_with("go") {
            dialog.until("bestmove");
        }
        assert_eq!(dialog.settle(), [""; 0], "{order}");
    }
}

#[test]
fn quit_and_the_end_of_the_input_end_at_once() {
    for last in [Some("quit"), None] {
        for go in ["", "go infinite", "go ponder btime 1000 wtime 1000"] {
            let mut dialog = Dialog::start(&[]);
            dialog.send("isready");
            dialog.until("readyok");
            if !go.is_empty() {
                dialog.send(go);
                dialog.until("info depth 2 ");
            }
            if let Some(last) = last {
                dialog.send(last);
            }
            let start = Instant::now();
            assert_eq!(dialog.end(), Some(0), "{go} {last:?}");
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }
}

#[test]
fn line_ends_blanks_and_garbage() {
    let mut dialog = Dialog::start(&[]);
    dialog.send_raw(b"  isready \r\n\r\n\t\risready\r\xff\xfe\x00garbage\n");
    dialog.until("readyok");
    dialog.until("readyok");
    let notes = dialog.settle();
    assert!(
        notes.len() == 1 && notes[0].starts_with("info string unknown command"),
        "{notes:?}"
    );
    dialog.send("xboard");
    assert!(dialog.settle()[0].starts_with("info string "));
}

#[test]
fn commands_in_a_random_order_never_break_it() {
    let commands = [
        "usi",
        "isready",
        "usinewgame",
        "position startpos",
        "go depth 2",
        "go infinite",
        "stop",
        "go nodes 100",
        "ponderhit",
        "gameover draw",
        "d",
        "moves",
        "moves all",
        "moves game",
        "position startpos moves 7j7h 6c6e",
        "setoption name Rules value edo",
        "flip",
        "points",
        "setoption name Rules value lishogi",
        "go ponder btime 10 wtime 10",
        "eval",
        "help",
        "setoption name USI_Hash value 2",
        "setoption name Threads value 2",
        "go movetime 1",
        "setoption name Threads value 1",
        "perft 1",
        "go perft 1",
        "compiler",
        "position sfen 3",
        "go mate infinite",
        "position 2-kings moves",
        "setoption name USI_MultiPV value 2",
    ];
    let mut dialog = Dialog::start(&[]);
    let mut seed = 1u32;
    let (mut searches, mut answers) = (0, 0);
    for _ in 0..400 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let command = commands[(seed >> 16) as usize % commands.len()];
        searches += usize::from(command.starts_with("go ") && command != "go perft 1");
        dialog.send(command);
    }
    dialog.send("stop");
    for line in dialog.settle() {
        let starts = ["bestmove ", "checkmate "];
        answers += usize::from(starts.iter().any(|start| line.starts_with(start)));
    }
    assert_eq!(answers, searches);
    assert_eq!(dialog.end(), Some(0));
}
