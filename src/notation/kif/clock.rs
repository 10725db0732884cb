//! The time behind a move: `(0:03/0:01:12)`, minutes and seconds for the move, hours too for all moves so far.

use std::time::Duration;

use super::square::digit;
use crate::notation::record::Clock;

/// Reads what stands in the brackets.
pub(super) fn parse(text: &str) -> Option<Clock> {
    let (spent, total) = text.split_once(['/', '／']).unwrap_or((text, ""));
    Some(Clock {
        spent: duration(spent)?,
        total: duration(total),
    })
}

/// Numbers with colons between them, the last of them seconds. Fractions are dropped.
fn duration(text: &str) -> Option<Duration> {
    let whole = text.split('.').next()?.trim();
    let number = |part: &str| {
        let part = part.trim();
        let mut digits = part.chars().map(digit);
        let number = digits.try_fold(0u64, |n, digit| {
            n.checked_mul(10)?.checked_add(digit?.into())
        });
        number.filter(|_| !part.is_empty())
    };
    let mut parts = whole.split([':', '：']);
    let first = number(parts.next()?)?;
    let seconds = parts.try_fold(first, |sum, part| {
        sum.checked_mul(60)?.checked_add(number(part)?)
    })?;
    whole
        .contains([':', '：'])
        .then(|| Duration::from_secs(seconds))
}

/// Writes it with its brackets.
pub(super) fn format(clock: Clock) -> String {
    let seconds = clock.spent.as_secs();
    let spent = format!("{}:{:02}", seconds / 60, seconds % 60);
    let total = clock.total.map_or(String::new(), |total| {
        let seconds = total.as_secs();
        format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    });
    format!("({spent}/{total})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_in_every_spelling() {
        for (text, written) in [
            ("0:03/0:01:12", Some("(0:03/0:01:12)")),
            (" 0:03/ 00:01:12 ", Some("(0:03/0:01:12)")),
            ("０：０３／００：０１：１２", Some("(0:03/0:01:12)")),
            ("90:03/", Some("(90:03/)")),
            ("1:00:03", Some("(60:03/)")),
            ("0:03.5/1:00:00", Some("(0:03/1:00:00)")),
            ("3", None),
            (":", None),
            ("99999999999999999999:00", None),
        ] {
            assert_eq!(parse(text).map(format).as_deref(), written, "{text}");
        }
    }
}
