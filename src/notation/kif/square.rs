//! Squares as Japanese records write them: `７九`, `12十二`, `79`.

use smallvec::SmallVec;

use crate::board::Square;

/// The ranks in kanji, from White's edge.
pub(super) const RANKS: [&str; 12] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
];

/// The squares that a text may mean; digits without kanji may be read in two ways.
pub(super) type Squares = SmallVec<[Square; 2]>;

/// The rank in kanji.
pub(in crate::notation) fn rank(square: Square) -> &'static str {
    RANKS
        .get(usize::from(square.rank()))
        .copied()
        .unwrap_or_default()
}

/// The value of a digit, also a full-width one.
pub(super) fn digit(c: char) -> Option<u8> {
    let value = match c {
        '0'..='9' => u32::from(c) - u32::from('0'),
        '０'..='９' => u32::from(c) - u32::from('０'),
        _ => return None,
    };
    u8::try_from(value).ok()
}

/// Writes a square as KIF does.
pub(super) fn format(square: Square) -> String {
    format!("{}{}", square.file(), rank(square))
}

/// Reads a square from the beginning of a text; gives the rest too.
pub(super) fn take(text: &str) -> Option<(Squares, &str)> {
    let digits: SmallVec<[u8; 8]> = text.chars().map_while(digit).collect();
    let length = text.chars().take(digits.len()).map(char::len_utf8).sum();
    let (_, rest) = text.split_at_checked(length)?;
    let number = |digits: &[u8]| match digits {
        [0, ..] | [] => None,
        _ => digits
            .iter()
            .try_fold(0u8, |n, digit| n.checked_mul(10)?.checked_add(*digit)),
    };
    let square = |file: &[u8], rank: u8| Square::new(number(file)?, rank.checked_sub(1)?);
    let mut squares = Squares::new();
    let kanji = RANKS.iter().zip(1..=12u8).rev();
    let mut kanji = kanji.filter_map(|(name, n)| Some((n, rest.strip_prefix(name)?)));
    if let Some((n, rest)) = kanji.next() {
        squares.extend(square(&digits, n));
        return (!squares.is_empty()).then_some((squares, rest));
    }
    for split in 1..digits.len() {
        let (file, rank) = digits.split_at_checked(split)?;
        squares.extend(number(rank).and_then(|rank| square(file, rank)));
    }
    (!squares.is_empty()).then_some((squares, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_in_every_spelling() {
        let read = |text: &str| {
            let (squares, rest) = take(text).unwrap_or_default();
            let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
            (names.join(" "), rest.to_owned())
        };
        for (text, names, rest) in [
            ("7九", "7i", ""),
            ("１２十二歩", "12l", "歩"),
            ("12十", "12j", ""),
            ("79", "7i", ""),
            ("７９", "7i", ""),
            ("112", "1l 11b", ""),
            ("1010", "10j", ""),
            ("13一", "", ""),
            ("0一", "", ""),
            ("七9", "", ""),
            ("7", "", ""),
            ("", "", ""),
        ] {
            assert_eq!(read(text), (names.to_owned(), rest.to_owned()), "{text}");
        }
        for square in Square::all() {
            assert_eq!(read(&format(square)).0, square.to_string());
        }
    }
}
