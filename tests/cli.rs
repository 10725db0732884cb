//! The command line, as a shell script sees it.

mod program;

use program::run;

const START: &str = "lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/12/3I4I3/\
                     PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b - 1";

fn out(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn error(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn analyse_is_a_filter() {
    let input = format!(
        "startpos\r\n\n# a comment\n3-lions\nposition startpos moves 7j7h 6c7e\n{START}\n{START} 7j7h 6c7e7g\n"
    );
    let output = run(
        &["analyse", "--depth", "3"],
        input.replace(" 6c7e7g", " 6c7e"),
    );
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 5);
    assert_eq!(text.lines().next(), text.lines().nth(3));
    assert_eq!(text.lines().nth(2), text.lines().nth(4));
    assert_eq!(output.stderr, b"");
}

#[test]
fn analysis_in_three_notations() {
    let best = |notation: &str| {
        let arguments = [
            "analyse",
            "startpos",
            "--depth",
            "1",
            "--notation",
            notation,
        ];
        let line = out(&arguments, "");
        line.split_whitespace().nth(3).unwrap().to_owned()
    };
    let usi = best("usi");
    assert_eq!(usi, best("USI"));
    let (japanese, western) = (best("japanese"), best("western"));
    assert!(
        japanese.starts_with('▲') && western.contains('-'),
        "{usi} {japanese} {western}"
    );
    assert!(
        western.ends_with(
            usi.trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start_matches(char::is_alphabetic)
        )
    );
    assert!(
        error(&["analyse", "startpos", "--notation", "latin"], "")
            .contains("there are usi, japanese and western")
    );
}

#[test]
fn bad_lines_are_named_and_the_rest_is_done() {
    let output = run(
        &["analyse", "--depth", "2"],
        "startpos\nnonsense\nsfen 12/12 b\nstartpos moves 7j7a\n2-kings\n",
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    let errors = String::from_utf8(output.stderr).unwrap();
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 3);
    assert!(
        errors[0].starts_with("line 2: `nonsense` is no position"),
        "{errors:?}"
    );
    assert!(
        errors[1].starts_with("line 3: bad SFEN: the board `12/12` has 2 ranks"),
        "{errors:?}"
    );
    assert!(
        errors[2].starts_with("line 4: move 1: `7j7a`: the piece does not move like that"),
        "{errors:?}"
    );
}

#[test]
fn json_results_are_one_object_a_line() {
    let text = out(
        &["analyse", "--nodes", "2000", "--multipv", "3", "--json"],
        "startpos\n\n2-lions\n",
    );
    let results: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(results.len(), 2);
    assert_eq!(
        (&results[0]["line"], &results[1]["line"]),
        (&1.into(), &3.into())
    );
    assert_eq!(
        (&results[0]["turn"], &results[1]["turn"]),
        (&"black".into(), &"white".into())
    );
    for result in &results {
        assert_eq!(result["lines"].as_array().unwrap().len(), 3);
        assert_eq!(result["best"], result["lines"][0]["pv"][0]);
        assert!(result["lines"][0]["cp"].is_i64() && result["nodes"].as_u64().unwrap() >= 1000);
    }
    let over = out(
        &[
            "analyse",
            "--json",
            "--sfen",
            "12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 w - 1",
        ],
        "",
    );
    let over: serde_json::Value = serde_json::from_str(&over).unwrap();
    assert_eq!(
        (&over["outcome"], &over["best"]),
        (&"bare-king black".into(), &serde_json::Value::Null)
    );
}

#[test]
fn one_thread_and_fixed_limits_give_the_same_output_twice() {
    let arguments = [
        "analyse", "--nodes", "30000", "startpos", "moves", "7j7h", "6c7e",
    ];
    assert_eq!(out(&arguments, ""), out(&arguments, ""));
}

#[test]
fn show_draws_the_board_and_marks_the_last_move() {
    let text = out(
        &["show", "startpos", "moves", "7j7h", "--style", "kanji"],
        "",
    );
    assert!(
        text.contains(" v香  v豹  v銅 ") && text.contains("[ 獅 ]"),
        "{text}"
    );
    assert!(!text.contains('\x1b'));
    let text = out(
        &[
            "show",
            "--sfen",
            &format!("{START} moves 7j7h"),
            "--color",
            "always",
        ],
        "",
    );
    assert!(text.contains("\x1b[7m N\x1b[0m"), "{text}");
    assert!(text.contains("move 2, white to move, last move 7j7h\nsfen lfcs"));
    let text = out(&["show", "-"], "startpos moves 7j7h 6c7e\n");
    assert!(text.contains("last move 6c7e"));
}

#[test]
fn moves_and_perft() {
    assert_eq!(out(&["moves"], "").lines().count(), 36);
    let lion = "12/12/12/12/12/12/6N5/12/12/12/12/12 b - 1";
    assert_eq!(
        out(&["moves", "--all", "--sfen", lion], "").lines().count(),
        88
    );
    let json = out(&["moves", "--json", "--game", "--sfen", lion], "");
    assert_eq!(
        serde_json::from_str::<Vec<String>>(&json).unwrap().len(),
        25
    );
    assert_eq!(out(&["perft", "3"], ""), "48315\n");
    let divided = out(&["perft", "2", "--divide", "3-lions"], "");
    let total: u64 = divided.lines().last().unwrap().parse().unwrap();
    let shares = divided.lines().filter_map(|line| line.split_once(": "));
    assert_eq!(
        shares
            .map(|(_, leaves)| leaves.parse::<u64>().unwrap())
            .sum::<u64>(),
        total
    );
}

#[test]
fn rules_and_options_apply() {
    let position = "12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 w - 1";
    let game = |more: &[&str]| {
        let mut arguments = vec!["moves", "--game", "--sfen", position];
        arguments.extend(more);
        out(&arguments, "").lines().count()
    };
    assert_eq!(game(&[]), 0);
    assert_eq!(game(&["--rules", "teiban"]), 8);
    assert_eq!(game(&["-o", "BareKing=none"]), 8);
}

#[test]
fn mistakes_get_a_message_with_the_fix() {
    assert!(
        error(&["analyse", "nowhere"], "")
            .contains("give startpos, 3-lions, 2-lions, 2-kings, or an SFEN")
    );
    assert!(
        error(&["show", "--rules", "chess"], "")
            .contains("rule sets are renmei, teiban, lishogi, jcsa, edo")
    );
    assert!(error(&["moves", "-o", "BareKing"], "").contains("NAME=VALUE"));
    assert!(error(&["moves", "-o", "Bear=1"], "").contains("there is no option `Bear`"));
    assert!(error(&["perft", "0"], "").contains("1..=12"));
    assert!(error(&["frobnicate"], "").contains("unrecognized subcommand"));
    assert!(error(&["show", "--sfen", "12/12"], "").contains("bad SFEN"));
}

#[test]
fn mate_solves_a_line_at_a_time() {
    const MATE: &str = "10k1/10B1/9+HA1/12/12/12/12/12/12/12/12/12 b - 1";
    const LONG: &str = "12/12/11+O/12/7k4/12/12/12/12/12/12/12 b - 1";
    const NONE: &str = "12/7x4/12/11+D/8+i3/6k3v1/12/12/12/12/12/12 b - 1";
    let text = out(&["mate", MATE], "");
    assert!(text.starts_with("mate in 2, the shortest\n"), "{text}");
    let line = |n: usize| text.lines().nth(n).unwrap().split_whitespace();
    assert_eq!(line(1).count(), 3);
    assert_eq!(line(2).count(), 3);
    assert!(line(2).all(|m| m.starts_with(['▲', '△'])), "{text}");
    assert_eq!(out(&["mate"], &format!("# none\n\n{MATE}\r\n")), text);
    let status = |arguments: &[&str], input: &str| run(arguments, input).status.code();
    assert_eq!(status(&["mate", NONE], ""), Some(1));
    assert_eq!(status(&["mate", "--time", "0"], LONG), Some(3));
    assert_eq!(status(&["mate", "--nodes", "9"], LONG), Some(3));
    assert_eq!(
        status(&["mate"], &format!("{MATE}\n12/12 b - 1\n")),
        Some(2)
    );
    assert!(error(&["mate", "no-such-file"], "").contains("`no-such-file`"));
    // Problems with names, as collections have them.
    let input = format!("first\t{MATE}\t2\n{NONE}\n");
    let output = run(&["mate", "--json", "--shortest"], &input);
    assert_eq!(output.status.code(), Some(1));
    let results: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(results[0]["name"], "first");
    assert_eq!(results[0]["result"], "mate");
    assert_eq!(results[0]["moves"], 2);
    assert_eq!(results[0]["shortest"], true);
    assert_eq!(results[0]["pv"].as_array().unwrap().len(), 3);
    assert_eq!(results[0]["japanese"].as_array().unwrap().len(), 3);
    assert_eq!(results[1]["line"], 2);
    assert_eq!(results[1]["result"], "nomate");
    let file = std::env::temp_dir().join(format!("sakijishi-mates-{}", std::process::id()));
    std::fs::write(&file, input).unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(status(&["mate", path], ""), Some(1));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn tune_plays_rounds_and_goes_on_from_its_log() {
    let log = std::env::temp_dir().join(format!("sakijishi-tune-cli-{}", std::process::id()));
    let engine = format!("cmd='{}' usi", env!("CARGO_BIN_EXE_sakijishi"));
    let tune = |rounds: &str, param: &str| {
        let fixed = ["tune", "--engine", &engine, "--pairs", "1", "--nodes", "30"];
        let log = log.to_str().unwrap();
        let rest = ["--rounds", rounds, "--param", param, "--log", log];
        run(&[&fixed[..], &rest].concat(), "")
    };
    let param = "Contempt=0,-100,100,20";
    let output = tune("2", param);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        text.starts_with("Contempt = ") && text.ends_with("(was 0)\n"),
        "{text}"
    );
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 3);
    // What is finished is not played again; another plan needs another log.
    assert_eq!(tune("2", param).stdout, text.into_bytes());
    assert_eq!(tune("3", param).status.code(), Some(2));
    assert_eq!(tune("2", "Contempt=0,1,100,20").status.code(), Some(2));
    assert_eq!(tune("2", "no-such-constant").status.code(), Some(2));
    std::fs::remove_file(&log).unwrap();
}

#[test]
fn every_help_has_examples_or_options() {
    for task in ["usi", "analyse", "show", "moves", "perft", "bench"] {
        let text = out(&[task, "--help"], "");
        assert!(text.contains("Usage: sakijishi"), "{task}");
    }
    let text = out(&["--help"], "");
    assert!(text.contains("Examples:") && text.contains("sakijishi analyse startpos"));
}
