//! What the README shows is what the program does.

use std::process::Command;

use sakijishi::board::{Position, Rules};
use sakijishi::engine::options;
use sakijishi::notation::diagram::{self, Style};
use sakijishi::notation::format::Format;
use sakijishi::notation::{line, sfen};

const README: &str = include_str!("../README.md");

#[test]
fn the_board_is_what_show_draws() {
    let game = line::parse("startpos moves 7j7h 6c7e")
        .unwrap()
        .play(Rules::default())
        .unwrap();
    let position = game.position();
    let board = diagram::draw(position, Style::Kanji, position.last_move(), false);
    assert!(README.contains(board.trim_end()), "{board}");
}

#[test]
fn every_option_is_in_the_table() {
    for spec in options::specs() {
        let row = README
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&format!("`{}`", spec.name)));
        let row = row.unwrap_or_else(|| panic!("{} is missing", spec.name));
        let default = match spec.sort {
            options::Sort::Check { default } => default.to_string(),
            options::Sort::Spin { default, .. } => default.to_string(),
            options::Sort::Combo { default, .. } | options::Sort::File { default } => {
                default.to_owned()
            }
            options::Sort::Button => String::new(),
        };
        assert!(
            row.contains(&default),
            "{} is by default {default}: {row}",
            spec.name
        );
    }
}

#[test]
fn every_handicap_is_named_and_a_position() {
    for handicap in sfen::HANDICAPS {
        for name in [handicap.japanese, handicap.english] {
            assert!(README.contains(name), "{name}");
            let setup = sfen::named(name).unwrap();
            assert_eq!(sfen::format(&setup), handicap.sfen);
            assert!(Position::new(&setup, Rules::default()).is_ok());
        }
    }
}

#[test]
fn pictures_and_analyses_are_made_as_shown() {
    let folder = std::env::temp_dir().join(format!("sakijishi-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let game = "startpos moves 7j7h 6c7e 7h7g 7e6g 6i6h";
    let record = line::read(game, Rules::default()).remove(0).record;
    for (name, format) in [("game.kif", Format::Kif), ("games.pgn", Format::Pgn)] {
        let text = format.write(&record, Rules::default(), Default::default());
        std::fs::write(folder.join(name), text).unwrap();
    }
    let is_wanted = |line: &&str| {
        ["sakijishi show", "sakijishi analyse game"]
            .iter()
            .any(|command| line.starts_with(command))
    };
    let commands: Vec<&str> = README.lines().filter(is_wanted).collect();
    assert_eq!(commands.len(), 8, "{commands:?}");
    for command in commands {
        let words = command.split_whitespace().skip(1);
        let output = Command::new(env!("CARGO_BIN_EXE_sakijishi"))
            .args(words)
            .current_dir(&folder)
            .env_remove("SAKIJISHI_RULES")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {errors}");
    }
    for file in [
        "report.html",
        "annotated.kif",
        "all.json",
        "board.png",
        "board.svg",
    ] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Blocks of `console` are a command behind a `$` and all that it prints.
#[test]
#[cfg(unix)]
fn commands_print_what_is_shown() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_sakijishi"));
    let blocks = README.split("```console\n").skip(1);
    let blocks: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let output = Command::new("sh")
            .args(["-c", command.trim_start_matches("$ ")])
            .env(
                "PATH",
                format!(
                    "{}:{}",
                    program.parent().unwrap().display(),
                    std::env::var("PATH").unwrap()
                ),
            )
            .env_remove("SAKIJISHI_RULES")
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            shown,
            "{command}"
        );
    }
}
