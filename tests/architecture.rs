//! The shape of the source: which room uses which, and what files may be called and contain.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms in their order, each with the rooms that it may use, all of them above it.
const ROOMS: [(&str, &[&str]); 12] = [
    ("board", &[]),
    ("notation", &["board"]),
    ("picture", &["board", "notation"]),
    ("eval", &["board"]),
    ("mate", &["board"]),
    ("search", &["board", "eval"]),
    // Positions come to the engine as SFEN, and its bench is a list of them.
    ("engine", &["board", "notation", "eval", "mate", "search"]),
    (
        "analysis",
        &["board", "notation", "picture", "eval", "engine"],
    ),
    ("protocol", &["board", "notation", "engine"]),
    ("arena", &["board", "notation", "engine", "protocol"]),
    ("train", &["board", "notation", "eval", "engine", "arena"]),
    (
        "cli",
        &[
            "board", "notation", "picture", "eval", "mate", "search", "engine", "analysis",
            "protocol", "arena", "train",
        ],
    ),
];

const MOST_LINES: usize = 500;
/// Names that say nothing about what a file holds.
const EMPTY_NAMES: [&str; 6] = ["utils", "misc", "common", "helpers", "core", "manager"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder, with its path from there.
fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let base = root().join(folder);
    let (mut found, mut folders) = (Vec::new(), vec![base.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(&base).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

/// The text without its comments, documentation and unit tests, which stand last in a file and may use what they like.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = own.lines();
    let bare = lines.map(|line| line.split("//").next().unwrap_or_default());
    bare.collect::<Vec<_>>().join("\n")
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    &text[..text.find(is_end).unwrap_or(text.len())]
}

/// The places where a word stands in a text, each with what precedes and what follows it.
fn places<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let found = text.match_indices(wanted);
    let sides = found.map(|(i, _)| (&text[..i], &text[i + wanted.len()..]));
    sides.filter(|(before, after)| {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        !before.ends_with(in_word) && !after.starts_with(in_word)
    })
}

/// The first names of a path's end or of a list of them: `board` of `board::Move`, `a` and `b` of `{a::x, b::{c, d}}`.
fn heads(tail: &str) -> Vec<&str> {
    let tail = tail.trim_start();
    let Some(list) = tail.strip_prefix('{') else {
        return vec![word(tail)];
    };
    let (mut depth, mut start, mut heads) = (0, 0, Vec::new());
    for (i, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                heads.push(word(list[start..i].trim_start()));
                start = i + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// The names that code takes from the root of the crate.
fn used(code: &str) -> Vec<&str> {
    let roots = ["crate", "sakijishi"];
    let tails = roots.into_iter().flat_map(|root| places(code, root));
    let paths = tails.filter_map(|(_, after)| after.trim_start().strip_prefix("::"));
    paths.flat_map(heads).collect()
}

/// Whether code climbs out of its room by `super`, where a module of it stands so many levels below the crate's root.
fn climbs_out(code: &str, depth: usize) -> bool {
    code.contains(&"super::".repeat(depth))
}

/// The modules on the way to a file: `eval`, `nnue` and `file` for `eval/nnue/file.rs`.
fn modules(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod").collect()
}

#[test]
fn reading_paths() {
    let text = "//! [`crate::doc`]\nuse crate::{\n    a::{b, c::{d}}, e,\n    f as g,\n};\n\
                pub(crate) fn x() -> crate::h::I { $crate::j!() } // crate::k\n\
                use sakijishi::l;\n#[cfg(test)]\nmod tests { use crate::m; }";
    assert_eq!(used(&code(text)), ["a", "e", "f", "h", "j", "l"]);
    assert!(climbs_out("use super::super::eval;", 2));
    assert!(!climbs_out("use super::super::eval;", 3));
    assert_eq!(modules(Path::new("eval/nnue/mod.rs")), ["eval", "nnue"]);
}

#[test]
fn rooms_use_rooms_above_them() {
    for (n, (room, uses)) in ROOMS.iter().enumerate() {
        let above = |used: &&str| ROOMS[..n].iter().any(|(name, _)| name == used);
        assert!(uses.iter().all(above), "{room}");
    }
    let mut wrong = Vec::new();
    for (path, text) in files("src") {
        let (modules, code) = (modules(&path), code(&text));
        let room = modules[0].as_str();
        if room == "lib" || room == "main" {
            continue;
        }
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{} is in no room", path.display()));
            continue;
        };
        let mut names = used(&code);
        names.retain(|name| *name != room && !allowed.contains(name));
        wrong.extend(
            names
                .iter()
                .map(|name| format!("{} uses {name}", path.display())),
        );
        if climbs_out(&code, modules.len()) {
            wrong.push(format!("{} leaves its room by super", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rooms_stand_in_order() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let code = code(&lib);
    let stated: Vec<&str> = places(&code, "mod")
        .map(|(_, after)| word(after.trim_start()))
        .collect();
    let mut ordered: Vec<&str> = ROOMS.map(|(name, _)| name).to_vec();
    ordered.retain(|name| stated.contains(name));
    assert_eq!(stated, ordered);
}

#[test]
fn files_are_short_and_say_what_they_hold() {
    let mut wrong = Vec::new();
    for (path, text) in files("src") {
        let (path, lines) = (path.display().to_string(), text.lines().count());
        if lines > MOST_LINES {
            wrong.push(format!("{path} has {lines} lines, more than {MOST_LINES}"));
        }
        let modules = modules(Path::new(&path));
        let empty = modules
            .iter()
            .find(|name| EMPTY_NAMES.contains(&name.as_str()));
        wrong.extend(empty.map(|name| format!("{path}: {name} says nothing")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_unsafe() {
    for (path, text) in files("src") {
        assert_eq!(
            places(&code(&text), "unsafe").count(),
            0,
            "{}",
            path.display()
        );
    }
}
