//! Pictures of boards: what is on them, that they need nothing, and that nothing moves by accident.

use std::process::{Command, Output};

use sakijishi::board::{Color, Kind, Piece, Position, Rules, Setup, Square};
use sakijishi::notation::line;
use sakijishi::picture::{Arrow, Look, PieceStyle, PngError, Ranks, id, png, svg};
use sha2::{Digest, Sha256};

fn position(line: &str) -> Position {
    let game = line::parse(line).unwrap().play(Rules::default()).unwrap();
    game.position().clone()
}

/// Every piece of both sides, but for second kings.
fn all_pieces() -> Position {
    let mut setup = Setup::empty();
    let pieces = Color::BOTH
        .into_iter()
        .flat_map(|color| Kind::all().map(move |kind| Piece::new(color, kind)));
    for (n, piece) in pieces.enumerate() {
        setup.set(Square::from_index(n).unwrap(), Some(piece));
    }
    Position::new(&setup, Rules::default()).unwrap()
}

fn styles() -> [Look; 3] {
    [
        PieceStyle::Kanji,
        PieceStyle::Letters,
        PieceStyle::International,
    ]
    .map(|pieces| Look {
        pieces,
        ..Look::default()
    })
}

/// What `use` elements refer to and is not there.
fn missing(picture: &str) -> Vec<&str> {
    let ids = picture
        .split("xlink:href=\"#")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap());
    ids.filter(|id| !picture.contains(&format!("id=\"{id}\"")))
        .collect()
}

#[test]
fn every_piece_is_drawn_in_every_style() {
    let position = all_pieces();
    for look in styles() {
        let picture = svg(&position, &look);
        for (_, piece) in position.pieces() {
            let used = format!("<use xlink:href=\"#{}\"", id(piece));
            assert_eq!(picture.matches(&used).count(), 1, "{used}");
        }
        assert_eq!(missing(&picture), [""; 0]);
        assert!(!picture.contains("<text") && !picture.contains("http://www.w3.org/TR"));
    }
}

#[test]
fn pictures_stay_as_they_are() {
    let position = position("startpos moves 7j7h 6c7e 7h7g 7e6g");
    let mut sums = String::new();
    for mut look in styles() {
        look.last_move = true;
        look.arrows = vec!["6i6h".parse().unwrap(), "7g6f5e".parse().unwrap()];
        let both = svg(&position, &look) + &svg(&all_pieces(), &look);
        let hash = Sha256::digest(both);
        sums += &format!(
            "{:?} {}\n",
            look.pieces,
            hash.iter().map(|b| format!("{b:02x}")).collect::<String>()
        );
    }
    assert_eq!(
        sums,
        include_str!("data/pictures.txt"),
        "look at the pictures, and if they are right, keep these sums"
    );
}

#[test]
fn a_picture_says_what_it_shows() {
    let picture = svg(&position("startpos moves 7j7h"), &Look::default());
    assert!(picture.contains("<title>Chu shogi, move 2, white to move</title>"));
    assert!(picture.contains("<desc>lfcsgekgscfl/"));
}

#[test]
fn the_last_move_and_arrows_change_the_picture() {
    // A lion takes a pawn on the way.
    let lion = position("sfen 12/4g7/4k7/12/12/6p5/6N5/12/12/12/12/5K6 b - 1 moves 6g6f7e");
    let plain = svg(&lion, &Look::default());
    let marked = svg(
        &lion,
        &Look {
            last_move: true,
            ..Look::default()
        },
    );
    assert_eq!(plain.matches("stroke-dasharray").count(), 0);
    assert_eq!(marked.matches("stroke-dasharray").count(), 1);
    let flipped = svg(
        &lion,
        &Look {
            flipped: true,
            ranks: Ranks::Kanji,
            ..Look::default()
        },
    );
    assert_ne!(plain, flipped);
    assert_eq!(missing(&flipped), [""; 0]);
    let arrows = ["7e7d", "7e7d7e", "7e7e"].map(|text| text.parse::<Arrow>().unwrap());
    let drawn = svg(
        &lion,
        &Look {
            arrows: arrows.to_vec(),
            ..Look::default()
        },
    );
    assert_eq!(drawn.matches("<g opacity").count(), 3);
    // Two that stay have rings, two that go have heads.
    assert_eq!(drawn.matches("r=\"25\"").count(), 2);
}

#[test]
fn png_is_as_wide_as_asked() {
    let picture = svg(&position("startpos"), &Look::default());
    let small = png(&picture, 200).unwrap();
    assert!(small.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(small[16..20], 200u32.to_be_bytes());
    assert_eq!(small[20..24], 212u32.to_be_bytes());
    assert!(
        small.len() > 10_000,
        "an empty picture of {} bytes",
        small.len()
    );
    assert!(matches!(png(&picture, 0), Err(PngError::Size { width: 0 })));
    assert!(matches!(
        png(&picture, 20_000),
        Err(PngError::Size { width: 20_000 })
    ));
    assert!(matches!(png("<svg", 200), Err(PngError::Svg(_))));
}

#[test]
fn bad_arrows_are_quoted() {
    for text in ["", "7j", "7j7", "7j7h7g7f", "7j7hx", "13a1a"] {
        let error = text.parse::<Arrow>().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("`{text}` is no arrow")),
            "{error}"
        );
    }
    assert_eq!("7i7h+".parse::<Arrow>().unwrap().mid, None);
}

fn show(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sakijishi"))
        .arg("show")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn show_writes_files_whole() {
    let folder = std::env::temp_dir().join(format!("sakijishi-pictures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (drawn, pixels) = (folder.join("board.svg"), folder.join("board.png"));
    let line = [
        "startpos", "moves", "7j7h", "--arrow", "6c7e", "--width", "300",
    ];
    let files = [
        "--svg",
        drawn.to_str().unwrap(),
        "--png",
        pixels.to_str().unwrap(),
    ];
    let output = show(&[&line[..], &files].concat());
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    assert!(
        std::fs::read_to_string(&drawn)
            .unwrap()
            .ends_with("</svg>\n")
    );
    assert!(std::fs::read(&pixels).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();

    let piped = show(&["--svg", "-"]);
    assert!(piped.status.success() && piped.stdout.starts_with(b"<svg "));
    let nowhere = show(&["--svg", "/nowhere/at/all.svg"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(
        String::from_utf8(nowhere.stderr)
            .unwrap()
            .contains("cannot write /nowhere/at/all.svg")
    );
    let without = show(&["--arrow", "7j7h"]);
    assert_eq!(without.status.code(), Some(2));
    assert!(String::from_utf8(without.stderr).unwrap().contains("--svg"));
    let bad = show(&["--arrow", "7j", "--svg", "-"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        String::from_utf8(bad.stderr)
            .unwrap()
            .contains("`7j` is no arrow")
    );
}
