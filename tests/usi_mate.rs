//! Mates over USI: `go mate`, and what a search says of them.

mod dialog;

use dialog::Dialog;

#[test]
fn mate_distances_count_plies_to_the_capture() {
    let mut dialog = Dialog::start(&["--rules", "edo"]);
    dialog.send("position sfen 12/12/12/12/12/5k6/5G6/12/12/12/12/11K b - 1");
    dialog.send("go depth 3");
    let lines = dialog.until("bestmove");
    assert!(
        lines.iter().any(|line| line.contains(" score mate 1 ")),
        "{lines:?}"
    );
    assert!(lines.last().unwrap().starts_with("bestmove 7g7f"));
    dialog.send("go mate 100");
    assert_eq!(dialog.until("checkmate"), ["checkmate 7g7f"]);
}

#[test]
fn mates_are_found_refuted_or_given_up() {
    let mut dialog = Dialog::start(&[]);
    let mut answer = |position: &str, go: &str| {
        dialog.send(&format!("position sfen {position}"));
        dialog.send(go);
        dialog.until("checkmate").pop().unwrap_or_default()
    };
    let mate = "10k1/10B1/9+HA1/12/12/12/12/12/12/12/12/12 b - 1";
    assert_eq!(answer(mate, "go mate infinite").split(' ').count(), 4);
    assert_eq!(answer(mate, "go mate 10000").split(' ').count(), 4);
    assert_eq!(answer(mate, "go mate").split(' ').count(), 4);
    let long = "12/12/11+O/12/7k4/12/12/12/12/12/12/12 b - 1";
    assert_eq!(answer(long, "go mate 0"), "checkmate timeout");
    assert_eq!(answer(long, "go mate -5"), "checkmate timeout");
    assert_eq!(
        answer(long, "go mate infinite nodes 9"),
        "checkmate timeout"
    );
    let refuted = "12/7x4/12/11+D/8+i3/6k3v1/12/12/12/12/12/12 b - 1";
    assert_eq!(answer(refuted, "go mate infinite"), "checkmate nomate");
    // Whatever comes next, each has exactly one answer.
    dialog.send(&format!("position sfen {mate}"));
    dialog.send("go mate infinite");
    dialog.send("stop");
    dialog.until("checkmate");
    dialog.send("go mate infinite");
    dialog.send("go depth 1");
    dialog.until("checkmate");
    dialog.until("bestmove");
    assert_eq!(dialog.settle(), [""; 0]);
    dialog.send("go mate infinite");
    assert_eq!(dialog.end(), Some(0));
}

/// Far beyond the depth of the search, but by checks alone.
#[test]
fn a_mate_by_checks_is_the_score_and_the_line() {
    let mut dialog = Dialog::start(&["--rules", "edo"]);
    dialog.send("position sfen 12/12/11+O/12/7k4/12/12/12/12/12/12/12 b - 1");
    dialog.send("go depth 1");
    let lines = dialog.until("bestmove");
    let info = &lines[lines.len() - 2];
    assert!(info.contains(" score mate 17 "), "{info}");
    dialog.send("setoption name Mate_Nodes value 0");
    dialog.send("go depth 1");
    let lines = dialog.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score cp "), "{lines:?}");
}
