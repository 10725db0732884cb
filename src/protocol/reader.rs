//! Lines from a stream, read while other things happen.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::thread;

/// The longest line that is kept, in bytes; a game of 100 000 plies fits.
const LONGEST: usize = 1 << 20;

/// Sends each line of `input`, then `None` at its end, until the receiver is gone. Lines end with LF, CR or CRLF; what
/// is no UTF-8 is replaced.
pub(super) fn spawn<T: Send + 'static>(
    input: impl BufRead + Send + 'static,
    sender: Sender<T>,
    wrap: impl Fn(Option<String>) -> T + Send + 'static,
) {
    thread::spawn(move || {
        let _ = read_lines(input, |line| sender.send(wrap(Some(line))).is_ok());
        let _ = sender.send(wrap(None));
    });
}

/// Calls `take` with each line until it says no.
pub(super) fn read_lines(
    mut input: impl BufRead,
    mut take: impl FnMut(String) -> bool,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (text, used) = match end {
            Some(n) => (buffer.get(..n), n + 1),
            None => (Some(buffer), buffer.len()),
        };
        let room = LONGEST.saturating_sub(line.len());
        line.extend(text.into_iter().flatten().take(room));
        input.consume(used);
        if end.is_some() {
            let whole = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            if !take(whole) {
                return Ok(());
            }
        }
    }
    if !line.is_empty() {
        take(String::from_utf8_lossy(&line).into_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_of_line_end() {
        let mut lines = Vec::new();
        read_lines(&b"a\nb\r\nc\rd\xFF\n\nlast"[..], |line| {
            lines.push(line);
            true
        })
        .unwrap_or_default();
        assert_eq!(lines, ["a", "b", "", "c", "d\u{FFFD}", "", "last"]);
    }
}
