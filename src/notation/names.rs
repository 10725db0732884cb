//! What Japanese records call the pieces, in every spelling that is met.

use crate::board::Kind;

/// Characters that stand for those of the table of pieces.
const VARIANTS: [(char, char); 7] = [
    ('竜', '龍'),
    ('師', '獅'),
    ('酔', '醉'),
    ('將', '将'),
    ('縦', '竪'),
    ('堅', '竪'),
    ('麟', '麒'),
];

/// Names that do not follow from the table of pieces.
const NICKNAMES: [(&str, &str); 12] = [
    ("王将", "K"),
    ("王", "K"),
    ("醉", "E"),
    ("成歩", "+P"),
    ("金将", "+P"),
    ("金", "+P"),
    ("成象", "+I"),
    ("象", "+I"),
    ("小角", "+F"),
    ("金飛車", "+G"),
    ("金飛", "+G"),
    ("王子", "+E"),
];

/// The same name in the characters of the table of pieces.
fn plain(name: &str) -> String {
    let swap = |c: char| match VARIANTS.iter().find(|(variant, _)| *variant == c) {
        Some((_, usual)) => *usual,
        None => c,
    };
    // 麒麟 and 麟 alone both begin with their first character.
    name.chars()
        .map(swap)
        .collect::<String>()
        .replace("麒麒", "麒麟")
}

/// The two characters, or one, that records of moves call a kind: promoted kinds like those that they move like.
pub(super) fn in_moves(kind: Kind) -> &'static str {
    kind.kanji().strip_prefix('成').unwrap_or(kind.kanji())
}

/// What diagrams call a kind.
pub(super) fn on_board(kind: Kind) -> String {
    let nickname = NICKNAMES
        .iter()
        .find(|(name, letter)| name.starts_with('成') && *letter == kind.letter());
    match nickname {
        Some((name, _)) => (*name).to_owned(),
        None if kind.kanji().starts_with('成') => format!("成{}", kind.kanji_short()),
        None => kind.kanji_short().to_owned(),
    }
}

/// The kind that a diagram calls so. What stands behind 成 is rather what the piece became than what it was.
pub(super) fn read_on_board(name: &str) -> Option<Kind> {
    let name = plain(name);
    let was = |kind: &Kind| {
        let before = kind
            .unpromoted()
            .map(|before| format!("成{}", before.kanji_short()));
        before.as_ref() == Some(&name)
    };
    Kind::all()
        .find(|&kind| on_board(kind) == name)
        .or_else(|| {
            Kind::all()
                .find(|kind| kind.is_promoted() && format!("成{}", kind.kanji_short()) == name)
        })
        .or_else(|| {
            let (_, letter) = NICKNAMES.iter().find(|(nickname, _)| *nickname == name)?;
            Kind::from_letter(letter)
        })
        .or_else(|| Kind::all().find(was))
}

/// Whether a move may call the kind so.
pub(super) fn may_mean(name: &str, kind: Kind) -> bool {
    let name = plain(name);
    let bare = name
        .strip_prefix('成')
        .filter(|_| kind.is_promoted())
        .unwrap_or(&name);
    let is = |kind: Kind| [kind.kanji(), in_moves(kind), kind.kanji_short()].contains(&bare);
    is(kind)
        || (bare != name && kind.unpromoted().is_some_and(is))
        || NICKNAMES
            .iter()
            .any(|&(nickname, letter)| nickname == name && letter == kind.letter())
}

/// Whether it is the name of any piece.
pub(super) fn is_name(name: &str) -> bool {
    Kind::all().any(|kind| may_mean(name, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in Kind::all() {
            assert_eq!(
                read_on_board(&on_board(kind)),
                Some(kind),
                "{}",
                on_board(kind)
            );
            for name in [
                kind.kanji(),
                in_moves(kind),
                kind.kanji_short(),
                &on_board(kind),
            ] {
                assert!(may_mean(name, kind), "{name}");
            }
        }
        for (name, letter) in [
            ("竜", "D"),
            ("王", "K"),
            ("師", "N"),
            ("酔", "E"),
            ("成師", "+O"),
            ("成麒", "+O"),
            ("成醉", "+I"),
        ] {
            assert_eq!(read_on_board(name), Kind::from_letter(letter), "{name}");
        }
        for (name, letter) in [
            ("竜王", "+R"),
            ("竜馬", "H"),
            ("酔象", "E"),
            ("麒麟", "O"),
            ("麟", "O"),
            ("成仲人", "+I"),
        ] {
            assert!(
                Kind::from_letter(letter).is_some_and(|kind| may_mean(name, kind)),
                "{name}"
            );
        }
        assert!(!is_name("桂馬") && !is_name("") && !is_name("成"));
        assert_eq!(read_on_board("桂"), None);
    }
}
