//! What people and particular clients say to the USI front end.

mod dialog;

use dialog::Dialog;

#[test]
fn debugging_commands() {
    let mut dialog = Dialog::start(&["--rules", "lishogi"]);
    dialog.send("position startpos moves 7j7h");
    dialog.send("d");
    let lines = dialog.settle();
    assert_eq!(lines[0], " 12 11 10  9  8  7  6  5  4  3  2  1");
    assert_eq!(lines[8], "  .  .  .  I  .[ N] .  .  I  .  .  .  h");
    assert!(lines[13].starts_with("sfen: lfcsgekgscfl/") && lines[14].starts_with("key: "));
    assert_eq!(lines[15..], ["moves: 36", "outcome: playing"]);
    dialog.send("moves");
    let ours = dialog.settle().remove(0);
    assert!(ours.starts_with("moves ") && ours.split(' ').count() == 37);
    dialog.send("moves game");
    assert_eq!(dialog.settle(), [ours]);
    dialog.send("perft 3");
    assert_eq!(dialog.settle().last().unwrap(), "Nodes searched: 64492");
    dialog.send("go perft 1");
    let lines = dialog.settle();
    assert_eq!(
        (lines.len(), lines.last().unwrap().as_str()),
        (38, "Nodes searched: 36")
    );
    dialog.send("points");
    assert_eq!(dialog.settle(), ["points: black 223.8 white 223.8 draw"]);
    dialog.send("flip");
    dialog.send("eval");
    assert!(dialog.settle()[0].starts_with("eval: "));
    assert!(dialog.sfen().contains(" b - "));
    dialog.send("help");
    assert!(dialog.settle().len() >= 10);
    dialog.send("compiler");
    assert!(dialog.settle()[0].starts_with("info string sakijishi "));
    for wrong in [
        "perft",
        "perft x",
        "perft 99",
        "moves some",
        "go perft",
        "bench x",
    ] {
        dialog.send(wrong);
        let lines = dialog.settle();
        assert!(
            lines.len() == 1 && lines[0].starts_with("info string "),
            "{wrong}: {lines:?}"
        );
    }
}

#[test]
fn moves_all_lists_every_spelling_and_game_heeds_the_end() {
    let mut dialog = Dialog::start(&["--rules", "renmei"]);
    dialog.send("position sfen 12/12/12/12/12/12/6N5/12/12/12/12/12 b - 1");
    dialog.send("moves all");
    assert_eq!(dialog.settle()[0].split(' ').count(), 1 + 24 + 64);
    dialog.send("moves");
    assert_eq!(dialog.settle()[0].split(' ').count(), 1 + 24 + 1);
    dialog.send("position sfen 12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 w - 1");
    dialog.send("moves game");
    assert_eq!(dialog.settle(), ["moves"]);
    dialog.send("moves");
    assert_eq!(dialog.settle()[0].split(' ').count(), 9);
}

#[test]
fn rules_change_under_a_running_game() {
    let mut dialog = Dialog::start(&[]);
    dialog.send("position sfen 12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 w - 1");
    for (option, outcome) in [
        ("Rules value teiban", "playing"),
        ("Rules value lishogi", "bare-king black"),
        ("BareKing value off", "playing"),
        ("BareKing value on", "bare-king black"),
        ("Rules value edo", "playing"),
        ("BareKing value renmei", "bare-king black"),
        ("BareKing value ruleset", "playing"),
        ("MaxMovesToDraw value 3", "playing"),
    ] {
        dialog.send(&format!("setoption name {option}"));
        dialog.send("d");
        assert_eq!(
            dialog.settle().pop().unwrap(),
            format!("outcome: {outcome}"),
            "{option}"
        );
    }
    dialog.send("position startpos moves 7j7h 6c6e 7i7h");
    assert!(dialog.settle()[0].contains("own piece"));
    dialog.send("position startpos moves 7j7h 6c6e 5i5h");
    dialog.send("d");
    assert_eq!(dialog.settle().pop().unwrap(), "outcome: move-limit");
}

#[test]
fn the_log_has_both_directions() {
    let path = std::env::temp_dir().join(format!("sakijishi-log-{}", std::process::id()));
    let mut dialog = Dialog::start(&[]);
    dialog.send(&format!(
        "setoption name Debug_Log_File value {}",
        path.display()
    ));
    dialog.send("isready");
    dialog.until("readyok");
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(log, "< isready\n> readyok\n");
}

#[test]
fn shoginet_and_lishogi_bot_sessions() {
    let mut dialog = Dialog::start(&[
        "usi",
        "--id-name",
        "Fairy-Stockfish 010124",
        "--rules",
        "lishogi",
    ]);
    let start = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/PPPPPPPPPPPP/\
                 MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1";
    for line in [
        "usi",
        "setoption name Threads value 1",
        "setoption name USI_Hash value 16",
        "isready",
        "setoption name USI_Variant value chushogi",
        "setoption name USI_AnalyseMode value false",
        "setoption name Skill_Level value -9",
        "setoption name USI_MultiPV value 1",
        "usinewgame",
        "isready",
        &format!("position sfen {start} moves "),
        "go movetime 50 depth 5 btime 10000 wtime 10000 byoyomi 0 binc 0 winc 0",
    ] {
        dialog.send(line);
    }
    let lines = dialog.until("bestmove");
    assert!(
        !lines.iter().any(|line| line.starts_with("info string")),
        "{lines:?}"
    );
    dialog.assert_answer(&lines);
    dialog.send(&format!("position sfen {start} moves 7j7h 6c6e"));
    dialog.send("go btime 1000 wtime 1000 byoyomi 100");
    let lines = dialog.until("bestmove");
    dialog.assert_answer(&lines);
}
