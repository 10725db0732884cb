//! Matches, as scripts run them: engines that misbehave, runners that are killed, schedules in parts.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use sakijishi::arena::{self, GameRecord, GameResult};
use sakijishi::board::Rules;
use sakijishi::notation::line;
use serde_json::Value;

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/fake-engine.sh");
const PROGRAM: &str = env!("CARGO_BIN_EXE_sakijishi");
/// Two players that are quick and always play the same.
const QUICK: [&str; 6] = [
    "--engine",
    "self name=a nodes=60 option.USI_Hash=1",
    "--engine",
    "self name=b nodes=30 option.USI_Hash=1",
    "--max-plies",
    "60",
];

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("arena")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("match").args(arguments);
    command.env_remove("SAKIJISHI_RULES");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs a match to its end; gives its report.
fn finish(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn games(path: &Path) -> Vec<GameRecord> {
    let results = arena::read(&[path]).unwrap();
    results
        .matches
        .into_iter()
        .flat_map(|(_, games)| games)
        .collect()
}

/// Whether a process sleeps for so many seconds.
fn sleeps(seconds: &str) -> bool {
    let output = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .any(|line| line.trim() == format!("sleep {seconds}"))
}

/// Plays two games against a fake engine; each must end with the fault, charged to it.
fn expect_fault(mode: &str, protocol: &str, limits: &str, fault: &str, seconds: &str) {
    let out = folder(&format!("fault-{mode}-{protocol}")).join("games.jsonl");
    let fake = format!("cmd={FAKE} {mode} {seconds} proto={protocol} name=fake {limits}");
    let engines = [
        "--engine",
        "self nodes=20 option.USI_Hash=1",
        "--engine",
        &fake,
    ];
    let out_text = out.to_str().unwrap();
    let rest = [
        "--games",
        "2",
        "--hang",
        "1",
        "--out",
        out_text,
        "--random-plies",
        "2",
    ];
    let report = finish(&[&engines[..], &rest].concat());
    let games = games(&out);
    assert_eq!(games.len(), 2, "{mode}");
    for game in &games {
        assert_eq!(game.reason, fault, "{mode}: {:?}", game.detail);
        let winner = if game.black == "self" {
            GameResult::Black
        } else {
            GameResult::White
        };
        assert_eq!(game.result, winner, "{mode}");
    }
    if fault != "resign" {
        assert_eq!(report["engines"][1]["faults"][fault], 2, "{mode}: {report}");
    }
    assert!(!sleeps(seconds), "{mode} left a process behind");
}

#[test]
fn engines_that_fall_silent() {
    expect_fault("hang", "usi", "nodes=5", "hang", "4101");
    expect_fault("hang", "cecp", "tc=0.2+0.01", "hang", "4102");
    expect_fault("noise", "usi", "tc=0.2+0.01", "hang", "4103");
    expect_fault("half", "cecp", "depth=1", "hang", "4104");
    expect_fault("endless", "usi", "tc=0.2+0.01", "hang", "4105");
}

#[test]
fn engines_that_go_away() {
    expect_fault("crash", "usi", "nodes=5", "crash", "4201");
    expect_fault("killed", "usi", "nodes=5", "crash", "4202");
    expect_fault("crash", "cecp", "depth=1", "crash", "4203");
    expect_fault("leave", "usi", "nodes=5", "disconnect", "4204");
    expect_fault("close", "usi", "nodes=5", "disconnect", "4205");
}

#[test]
fn engines_that_talk_nonsense() {
    expect_fault("illegal", "usi", "nodes=5", "illegal", "4301");
    expect_fault("garbage", "usi", "nodes=5", "illegal", "4302");
    expect_fault("flood", "usi", "nodes=5", "flood", "4303");
    expect_fault("refuse", "cecp", "depth=1", "illegal", "4304");
    expect_fault("claim", "cecp", "depth=1", "illegal", "4305");
}

#[test]
fn engines_that_are_late_or_resign() {
    expect_fault("late", "usi", "movetime=0.1", "time", "4401");
    expect_fault("resign", "usi", "nodes=5", "resign", "4402");
    expect_fault("resign", "cecp", "depth=1", "resign", "4403");
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    let engines = ["--engine", "self nodes=20", "--engine"];
    for (text, told) in [
        (
            "cmd=/no/such/program nodes=5",
            "cannot start `/no/such/program`",
        ),
        ("cmd=sleep 4501 nodes=5", "no usiok within 1.0 s"),
        ("cmd=true nodes=5", "it went away"),
        ("cmd=false nodes=5", "it died: exit status: 1"),
        ("self nodes=5 option.Nonsense=3", "no option `Nonsense`"),
    ] {
        let output = run(&[&engines[..], &[text, "--start-time", "1"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(errors.contains(told), "{text}: {errors}");
    }
    assert!(!sleeps("4501"));
}

/// Waits until a file has so many lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let started = Instant::now();
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.lines().count() >= lines {
            return;
        }
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "{path:?}: {text}"
        );
        thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_killed_match_goes_on_where_it_stopped() {
    let out = folder("resume").join("games.jsonl");
    let rest = [
        "--games",
        "40",
        "--concurrency",
        "2",
        "--out",
        out.to_str().unwrap(),
    ];
    let arguments = [&QUICK[..], &rest].concat();
    let mut kept = Vec::new();
    for lines in [4, 12] {
        let mut child = command(&[&arguments[..], &["--resume"]].concat())
            .spawn()
            .unwrap();
        wait_for_lines(&out, lines);
        signal(&child, "-KILL");
        child.wait().unwrap();
        // What a runner that was killed while it wrote leaves behind.
        let mut text = fs::read(&out).unwrap();
        let whole = text.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        kept = text[..whole].to_vec();
        text.truncate(whole);
        text.extend(b"{\"game\":{\"number\":7,\"pa");
        fs::write(&out, text).unwrap();
    }
    let refused = run(&arguments);
    assert_eq!(refused.status.code(), Some(2));
    let other = run(&[&arguments[..], &["--resume", "--seed", "9"]].concat());
    assert!(String::from_utf8_lossy(&other.stderr).contains("is of another match"));
    let report = finish(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(report["games"], 40);
    assert_eq!(report["repeated"], 0);
    assert!(fs::read(&out).unwrap().starts_with(&kept));
    let mut numbers: Vec<usize> = games(&out).iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}

#[test]
fn ctrl_c_leaves_nothing_behind() {
    for name in ["-INT", "-TERM"] {
        let path = folder(&format!("interrupt{name}"));
        let (out, log) = (path.join("games.jsonl"), path.join("raw.log"));
        let fake = format!("cmd={FAKE} hang 4601 tc=100 name=fake");
        let (out_text, log_text) = (out.to_str().unwrap(), log.to_str().unwrap());
        let arguments = [
            "--engine",
            &fake,
            "--engine",
            "self tc=100",
            "--concurrency",
            "2",
        ];
        let files = ["--out", out_text, "--log", log_text];
        let mut child = command(&[&arguments[..], &files].concat()).spawn().unwrap();
        // Until an engine thinks.
        let started = Instant::now();
        while !fs::read_to_string(&log)
            .unwrap_or_default()
            .contains("fake > go btime")
        {
            assert!(started.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(10));
        }
        signal(&child, name);
        let started = Instant::now();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130));
        assert!(started.elapsed() < Duration::from_secs(10));
        assert!(games(&out).is_empty());
        assert!(!sleeps("4601"));
    }
}

/// What reports of the same games must have in common: everything but times.
fn results(report: &Value) -> Value {
    let meeting = &report["meetings"][0];
    let keys = [
        "first", "second", "as_black", "as_white", "pairs", "reasons", "plies", "strength",
    ];
    keys.iter().map(|key| meeting[key].clone()).collect()
}

fn merge(files: &[PathBuf]) -> Value {
    let output = Command::new(PROGRAM)
        .arg("match-report")
        .args(files)
        .arg("--json")
        .output();
    serde_json::from_slice(&output.unwrap().stdout).unwrap()
}

#[test]
fn games_of_a_match_are_printed_as_lines() {
    let out = folder("lines").join("games.jsonl");
    let path = out.to_str().unwrap();
    finish(&[&QUICK[..], &["--games", "4", "--out", path]].concat());
    let output = Command::new(PROGRAM)
        // A file given twice adds nothing.
        .args(["match-report", path, path, "--games"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let results = arena::read(&[&out]).unwrap();
    assert_eq!(text.lines().count(), 4);
    for (text, game) in text.lines().zip(results.games()) {
        let played = line::parse(text).unwrap().play(Rules::default()).unwrap();
        assert_eq!(line::texts(&played), game.moves);
        assert_eq!(line::format(&played), text);
    }
}

#[test]
fn shards_under_gnu_parallel_are_the_whole_match() {
    if Command::new("parallel").arg("--version").output().is_err() {
        println!("skipped: there is no GNU parallel");
        return;
    }
    let path = folder("shards");
    let whole = path.join("whole.jsonl");
    let games = ["--games", "14", "--seed", "5"];
    let one = [&QUICK[..], &games, &["--out", whole.to_str().unwrap()]].concat();
    let report = finish(&one);
    let status = Command::new("parallel")
        .args(["--will-cite", "-q", "-j2", PROGRAM, "match"])
        .args([&QUICK[..], &games].concat())
        .args([
            "--shard",
            "{}/3",
            "--out",
            "part{}.jsonl",
            ":::",
            "1",
            "2",
            "3",
        ])
        .current_dir(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let parts: Vec<PathBuf> = (1..=3)
        .map(|n| path.join(format!("part{n}.jsonl")))
        .collect();
    let merged = merge(&parts);
    assert_eq!(merged["games"], 14);
    assert_eq!(results(&merged), results(&report));
    // A file given twice adds nothing.
    let twice = merge(&[parts.as_slice(), &parts[..1]].concat());
    assert_eq!(results(&twice), results(&report));
    assert!(twice["repeated"].as_u64().unwrap() > 0);
}

#[test]
fn a_decided_test_ends_the_match() {
    let fake = format!("cmd={FAKE} illegal 0 name=fake nodes=5");
    let engines = ["--engine", "self nodes=20", "--engine", &fake];
    let rest = [
        "--games",
        "4000",
        "--random-plies",
        "2",
        "--sprt",
        "elo0=0,elo1=50",
    ];
    let report = finish(&[&engines[..], &rest].concat());
    assert_eq!(report["sprt"]["decision"], "h1");
    assert!(report["games"].as_u64().unwrap() < 200, "{report}");
}

#[test]
fn many_engines() {
    let third = ["--engine", "self name=c depth=1", "--games", "4"];
    let all = finish(&[&QUICK[..], &third].concat());
    assert_eq!(all["meetings"].as_array().unwrap().len(), 3);
    let gauntlet = finish(&[&QUICK[..], &third, &["--gauntlet"]].concat());
    let meetings = gauntlet["meetings"].as_array().unwrap();
    assert_eq!(meetings.len(), 2);
    for meeting in meetings {
        assert_eq!(
            (&meeting["first"], &meeting["games"]),
            (&"a".into(), &4.into())
        );
    }
}

#[test]
fn openings_clocks_and_points() {
    let path = folder("openings");
    let (list, out) = (path.join("openings.txt"), path.join("games.jsonl"));
    let lines = "# two openings\nstartpos moves 7i7h 6d6e\n\n2-kings\n";
    fs::write(&list, lines).unwrap();
    let engines = [
        "--engine",
        "self name=a tc=60+1",
        "--engine",
        "self name=b nodes=20 tc=30",
    ];
    let rest = [
        "--games",
        "4",
        "--game-minutes",
        "0.005",
        "--rules",
        "lishogi",
    ];
    let files = [
        "--openings",
        list.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    finish(&[&engines[..], &rest, &files].concat());
    let games = games(&out);
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game.reason, "points");
        assert_eq!(game.book, if game.opening == 0 { 2 } else { 0 });
        assert_eq!(game.start == "startpos", game.opening == 0);
        assert!(game.ms.iter().sum::<f64>() >= 300.0);
        let first_is_a = (game.black == "a") == (game.opening == 0);
        let main = if first_is_a { 60_000.0 } else { 30_000.0 };
        let increment = if first_is_a { 1_000.0 } else { 0.0 };
        assert!((game.clock[0] - (main + increment - game.ms[0])).abs() < 0.01);
    }
}

#[test]
fn our_front_ends_play_each_other() {
    let out = folder("front-ends").join("games.jsonl");
    let usi = format!("cmd={PROGRAM} name=usi depth=2");
    let cecp = format!("cmd={PROGRAM} xboard --rules renmei proto=cecp name=cecp depth=2");
    let engines = ["--engine", &usi, "--engine", &cecp, "--games", "4"];
    let report = finish(&[&engines[..], &["--out", out.to_str().unwrap()]].concat());
    for engine in report["engines"].as_array().unwrap() {
        assert_eq!(engine["faults"], serde_json::json!({}), "{report}");
        assert!(engine["depth"].as_f64().unwrap() >= 2.0);
        assert!(engine["nps"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(report["games"], 4);
}

/// Plays a game against an engine that many machines do not have.
fn play_against(name: &str, engine: &str, program: &str) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    if !folders.any(|folder| folder.join(program).is_file()) {
        println!("skipped: there is no {program}");
        return;
    }
    let out = folder(name).join("games.jsonl");
    let ours = format!("cmd={PROGRAM} name=ours tc=1+0.05");
    let files = [
        "--out",
        out.to_str().unwrap(),
        "--games",
        "1",
        "--time-margin",
        "2000",
    ];
    let engines = ["--engine", &ours, "--engine", engine, "--rules", "lishogi"];
    finish(&[&engines[..], &files].concat());
    let games = games(&out);
    assert_eq!(games.len(), 1);
    let ours_won = (games[0].black == "ours") == (games[0].result == GameResult::Black);
    assert!(
        games[0].fault.is_none() || ours_won,
        "{:?}",
        games[0].detail
    );
}

#[test]
fn a_game_against_hachu() {
    let engine = "cmd=stdbuf -oL hachu proto=cecp option.Allow repeats=1 tc=1+0.05";
    play_against("hachu", engine, "hachu");
}

#[test]
fn a_game_against_minase() {
    let engine = "cmd=minase --protocol usi --rules lishogi tc=1+0.05";
    play_against("minase", engine, "minase");
}
