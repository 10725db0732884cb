//! Analyses of whole games: verdicts, marks, what is wrong with games, and every form of report.

mod program;

use std::path::PathBuf;
use std::process::Output;
use std::sync::atomic::AtomicBool;

use sakijishi::analysis::{Analysis, Mark, Plan, annotate, html, json, run, table};
use sakijishi::board::{Color, RuleSet, Rules};
use sakijishi::engine::Limits;
use sakijishi::notation::format::Format;
use sakijishi::notation::headers::Tag;
use sakijishi::notation::line;
use sakijishi::notation::style::Style;

/// Black leaves the lion where it can be taken, White does not take it, and so on.
const BLUNDERS: &str = "startpos moves 7j7h 6c7e 7h7g 7e6g 6i6h 6g5i";
/// White's rook takes a lion, Black's rook takes a protected one.
const COUNTER_STRIKE: &str =
    "sfen k11/6r5/10g1/10n1/12/6N5/12/12/12/10R1/12/K11 w - 1 moves 6b6f 2j2d 12a12b";

fn open(text: &str, rules: Rules) -> Analysis {
    let reading = line::read(text, rules).remove(0);
    Analysis::of_reading("game", reading, rules).unwrap()
}

fn plan(jobs: usize) -> Plan {
    Plan {
        limits: Limits {
            nodes: Some(1_000),
            ..Limits::default()
        },
        options: vec![("USI_Hash".to_owned(), "1".to_owned())],
        jobs,
    }
}

fn analysed(text: &str) -> Analysis {
    let mut games = [open(text, Rules::default())];
    run(&mut games, &plan(2), &AtomicBool::new(false), |_, _| {}).unwrap();
    let [game] = games;
    game
}

#[test]
fn a_blunder_is_marked_and_costs_accuracy() {
    let game = analysed(BLUNDERS);
    assert!(game.is_complete() && game.violation.is_none());
    let marks: Vec<Option<Mark>> = game.judgements().map(|(_, move_)| move_.mark()).collect();
    assert_eq!(marks[2..], [Some(Mark::Blunder); 4]);
    assert_eq!(marks[..2], [None; 2]);
    for color in Color::BOTH {
        let summary = game.summary(color);
        assert_eq!((summary.moves, summary.marks), (3, [0, 0, 2]));
        assert!(summary.accuracy.unwrap() < 60.0);
    }
    for (_, judgement) in game
        .judgements()
        .filter(|(_, judgement)| judgement.is_best())
    {
        assert_eq!((judgement.loss, judgement.centipawns()), (0.0, Some(0)));
    }
    assert_eq!(Mark::of(0.0499), None);
    assert_eq!(Mark::of(0.05), Some(Mark::Inaccuracy));
    assert_eq!(Mark::of(0.1999), Some(Mark::Mistake));
    assert_eq!(Mark::of(1.0), Some(Mark::Blunder));
}

#[test]
fn verdicts_do_not_depend_on_how_many_searches_run() {
    let written = [1, 2, 5].map(|jobs| {
        let mut games = [
            open(BLUNDERS, Rules::default()),
            open("2-kings moves 6c7e 7j7h", Rules::default()),
        ];
        let mut news = Vec::new();
        run(
            &mut games,
            &plan(jobs),
            &AtomicBool::new(false),
            |one, _| news.push(one),
        )
        .unwrap();
        let mut places: Vec<_> = news.iter().map(|one| (one.game, one.after)).collect();
        places.sort();
        let due: Vec<_> = (0..7)
            .map(|n| (0, n))
            .chain((0..3).map(|n| (1, n)))
            .collect();
        assert_eq!(places, due);
        assert!(
            news.iter()
                .enumerate()
                .all(|(n, one)| (one.done, one.total) == (n + 1, 10))
        );
        games.map(|game| serde_json::to_string(&json::game(&game, "test")).unwrap())
    });
    assert_eq!(written[0], written[1]);
    assert_eq!(written[0], written[2]);
}

#[test]
fn a_raised_stop_leaves_the_rest_undone() {
    let mut games = [open(BLUNDERS, Rules::default())];
    let stop = AtomicBool::new(false);
    let mut slow = plan(1);
    slow.limits.nodes = Some(200_000);
    run(&mut games, &slow, &stop, |news, games| {
        assert!(games[news.game].verdict(news.after).is_some());
        stop.fetch_or(news.done == 2, std::sync::atomic::Ordering::Relaxed);
    })
    .unwrap();
    let done = games[0].done();
    assert!((2..7).contains(&done), "{done}");
    let text = table::text(&games[0], Style::Usi);
    assert!(
        text.contains(&format!("not finished: {done} of 7 positions")),
        "{text}"
    );
    assert_eq!(text.lines().filter(|line| line.contains("7e6g")).count(), 1);
}

#[test]
fn broken_rules_are_named_with_ply_and_section() {
    let cycle = "7j7h 6c6e 7h7j 6e6c ".repeat(4);
    let bare = "sfen 12/12/12/12/6k5/12/4G7/6K5/12/12/12/12 w - 1 moves 6e6d";
    let cases = [
        (
            COUNTER_STRIKE.to_owned(),
            RuleSet::Renmei,
            2,
            "§5.3",
            "`2j2d`: a non-lion may not capture a lion",
        ),
        (
            "startpos moves 7j7h 6c7e 7h7a".to_owned(),
            RuleSet::Renmei,
            3,
            "§2",
            "`7h7a`: the piece does not move like that",
        ),
        (
            "startpos moves 7j7h 6d6e 7h7h".to_owned(),
            RuleSet::Edo,
            3,
            "",
            "",
        ),
        (
            format!("startpos moves {cycle}"),
            RuleSet::Renmei,
            12,
            "§7",
            "the move repeats the position a fourth time",
        ),
        (
            bare.to_owned(),
            RuleSet::Renmei,
            1,
            "§6",
            "the game is over (bare-king black)",
        ),
    ];
    for (text, set, ply, section, reason) in cases {
        let game = open(&text, Rules::from(set));
        if section.is_empty() {
            assert_eq!(
                (game.violation.clone(), game.plies()),
                (None, ply),
                "{text}"
            );
            continue;
        }
        let violation = game.violation.clone().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(
            (violation.ply, violation.section),
            (ply, Some(section)),
            "{text}"
        );
        assert!(violation.reason.contains(reason), "{}", violation.reason);
        assert_eq!(game.plies(), ply - 1);
        let told = format!("move {ply} breaks rules {section}: ");
        assert!(table::text(&game, Style::Usi).contains(&told), "{told}");
    }
    let allowed = Rules {
        lion_trade: sakijishi::board::LionTrade::None,
        ..Rules::default()
    };
    assert_eq!(open(COUNTER_STRIKE, allowed).violation, None);
}

#[test]
fn a_finished_game_is_judged_to_its_end() {
    let game = analysed("sfen 12/4g7/12/12/12/5k6/5G6/12/12/12/12/11K b - 1 moves 7g7f");
    let end = game.verdict(1).unwrap();
    assert_eq!((end.depth, end.line.len()), (0, 0));
    let judgement = game.judgement(1).unwrap();
    assert_eq!((judgement.loss, judgement.is_best()), (0.0, true));
    assert!(table::text(&game, Style::Usi).contains("game over: royals black"));
    let empty = analysed("startpos");
    assert!(empty.is_complete() && empty.judgement(1).is_none() && empty.judgement(0).is_none());
    assert_eq!(empty.summary(Color::Black).accuracy, None);
}

#[test]
fn earlier_verdicts_are_used_for_the_same_moves_and_conditions() {
    let game = analysed(BLUNDERS);
    let mut written = json::game(&game, "a");
    written.positions[3].verdict.as_mut().unwrap().cp = Some(777);
    let earlier = json::Earlier::read(&serde_json::to_string(&written).unwrap()).unwrap();
    let resumed = |text: &str, conditions: &str| {
        let mut game = open(text, Rules::default());
        earlier.apply(&mut game, conditions);
        game
    };
    let same = resumed(BLUNDERS, "a");
    assert!(same.is_complete());
    assert_eq!(same.verdict(3).unwrap().score, 777);
    assert_eq!(same.verdict(4), game.verdict(4));
    let longer = resumed(&format!("{BLUNDERS} 4j5i"), "a");
    assert_eq!(longer.done(), 7);
    assert_eq!(resumed("startpos moves 7j7h 6c7e 9h9g", "a").done(), 3);
    assert_eq!(resumed(BLUNDERS, "b").done(), 0);
    let error = json::Earlier::read("\n{\"game\": 1}\n")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("line 2 is no analysis of a game: "),
        "{error}"
    );
}

#[test]
fn annotated_records_can_be_read_back() {
    let game = analysed(BLUNDERS);
    for (format, sign) in [
        (Format::Kif, "*#評価値="),
        (Format::Pgn, "[%eval "),
        (Format::Text, "??"),
    ] {
        let record = annotate::annotated(&game, "test", format, Style::Japanese);
        assert_eq!(record.main.variations().len(), 4);
        let text = format.write(&record, Rules::default(), Style::Usi);
        assert!(text.contains(sign) && text.contains("test"), "{text}");
        if format.is_readable() {
            let again = format
                .read(&text, Rules::default())
                .remove(0)
                .whole()
                .unwrap();
            assert_eq!(
                again.main.moves().collect::<Vec<_>>(),
                game.game().moves().collect::<Vec<_>>()
            );
            assert_eq!(again.main.variations().len(), 4);
        }
    }
}

#[test]
fn a_page_holds_everything_and_loads_nothing() {
    let mut game = analysed(BLUNDERS);
    game.record.headers.set(Tag::Black, "</script><b>\"A\"");
    game.record.headers.set(Tag::White, "{{data}}");
    let page = html::page(&[game], "test", Style::Western);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("&lt;/script>&lt;b>&quot;A&quot; – {{data}}</title>"));
    assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
    for outside in ["src=", "@import", "fetch(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let urls = page
        .match_indices("://")
        .map(|(at, _)| &page[at.saturating_sub(5)..(at + 20).min(page.len())]);
    assert!(
        urls.clone().all(|url| url.contains("//www.w3.org/")),
        "{:?}",
        urls.collect::<Vec<_>>()
    );
    let data = page
        .split("id=\"data\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let positions = data["games"][0]["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 7);
    assert_eq!(positions[4]["played"]["mark"], 2);
    assert_eq!(data["games"][0]["names"][0], "</script><b>\"A\"");
}

/// A folder of this test's own, away with everything in it in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sakijishi-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        if !text.is_empty() {
            std::fs::write(&path, text).unwrap();
        }
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn analyse(arguments: &[&str], input: &str) -> Output {
    program::run(&[&["analyse", "--nodes", "500"], arguments].concat(), input)
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn files_of_games_are_analysed() {
    let folder = Folder::new("files");
    let lines = folder.file("two.usi", &format!("{BLUNDERS}\n{COUNTER_STRIKE}\n"));
    let kif = folder.file(
        "one.kif",
        &Format::Kif.write(
            &open(BLUNDERS, Rules::default()).record,
            Rules::default(),
            Style::Usi,
        ),
    );
    let page = folder.file("page.html", "");
    let output = analyse(
        &[&lines, &kif, "--html", &page, "--notation", "japanese"],
        "",
    );
    let (text, errors) = told(&output);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        errors.contains("two.usi#2: move 2 breaks rules §5.3: `2j2d`: "),
        "{errors}"
    );
    assert_eq!(text.matches("accuracy").count(), 5, "{text}");
    assert!(
        text.contains("   1  ▲７八獅") && text.contains("one.kif\n"),
        "{text}"
    );
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));

    let missing = analyse(&["missing.kif"], "");
    assert_eq!(missing.status.code(), Some(2));
    assert!(told(&missing).1.contains("cannot read missing.kif"));
    let many = analyse(&[&kif, "--multipv", "2"], "");
    assert!(told(&many).1.contains("--multipv is for positions"));
    let lines = analyse(&[&kif, "--annotate", "usi"], "");
    assert!(told(&lines).1.contains("usi has no place for comments"));
}

#[test]
fn json_is_resumed_in_place() {
    let folder = Folder::new("resume");
    let game = folder.file("game.txt", BLUNDERS);
    let out = folder.file("out.json", "");
    let arguments = [game.as_str(), "--json", "--out", &out, "--resume", &out];
    assert!(analyse(&arguments, "").status.success());
    let first = std::fs::read_to_string(&out).unwrap();
    let value: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!(
        (
            value["complete"].as_bool(),
            value["positions"][6]["after"].as_u64()
        ),
        (Some(true), Some(6))
    );
    // What is there is believed.
    let changed = first.replacen("\"cp\":", "\"cp\":4", 1);
    std::fs::write(&out, &changed).unwrap();
    assert!(analyse(&arguments, "").status.success());
    let cp = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).unwrap()["positions"][0]["cp"].clone()
    };
    let second = std::fs::read_to_string(&out).unwrap();
    assert_eq!(cp(&second), cp(&changed));
    assert_ne!(cp(&second), cp(&first));
    std::fs::write(&out, "nonsense").unwrap();
    let broken = analyse(&arguments, "");
    assert_eq!(broken.status.code(), Some(2));
    assert!(
        told(&broken)
            .1
            .contains("out.json: line 1 is no analysis of a game")
    );
}

#[test]
fn games_come_from_the_command_line_and_standard_input_too() {
    let words: Vec<&str> = BLUNDERS.split(' ').collect();
    let output = analyse(&[&["--whole"], &words[..]].concat(), "");
    let (text, _) = told(&output);
    assert!(output.status.success());
    assert_eq!(text.lines().count(), 2 + 6 + 2, "{text}");
    let piped = analyse(&["--whole"], &format!("{BLUNDERS}\n"));
    assert_eq!(
        told(&piped).0.lines().skip(1).collect::<Vec<_>>(),
        text.lines().skip(1).collect::<Vec<_>>()
    );
    let report = analyse(&[&["--annotate", "text"], &words[..]].concat(), "");
    assert!(told(&report).0.contains("?? blunder"));
    let alone = analyse(&["startpos", "--jobs", "2"], "");
    assert_eq!(alone.status.code(), Some(2));
    assert!(told(&alone).1.contains("give files, or --whole"));
    let bad = analyse(&["--whole"], "startpos moves nonsense\n");
    assert_eq!(bad.status.code(), Some(2));
    assert!(told(&bad).1.contains("nonsense"));
}
