//! Text from the bytes of files: UTF-8, with or without a mark, UTF-16 with one, and Shift-JIS.

use encoding_rs::{Encoding as Coding, SHIFT_JIS, UTF_8};
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An encoding that records are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8 without a mark.
    #[default]
    Utf8,
    /// Shift-JIS, as old Japanese programs want it.
    ShiftJis,
}

/// Why text and bytes are not each other's.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EncodingError {
    /// A name that no encoding has.
    #[error("`{0}` is no encoding here: there are utf-8 and shift-jis")]
    Name(String),
    /// A line that is not written like those before it, or in no encoding.
    #[error("`{text}` is not {encoding}{}", if *.mixed { " as what stands before it is" } else { "" })]
    Line {
        /// The line with `\u{fffd}` for what cannot be read.
        text: String,
        /// The encoding that it should have.
        encoding: &'static str,
        /// Whether lines before it are in that encoding.
        mixed: bool,
    },
    /// A character that an encoding does not have.
    #[error("`{0}` cannot be written in Shift-JIS")]
    Character(char),
}

impl FromStr for Encoding {
    type Err = EncodingError;

    fn from_str(name: &str) -> Result<Encoding, EncodingError> {
        match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "utf8" => Ok(Encoding::Utf8),
            "shiftjis" | "sjis" | "cp932" => Ok(Encoding::ShiftJis),
            _ => Err(EncodingError::Name(name.to_owned())),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "utf-8",
            Encoding::ShiftJis => "shift-jis",
        })
    }
}

/// Text with line ends `\n`, as far as it could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text before the first line that could not be read.
    pub text: String,
    /// That line, from 1, and what is wrong with it.
    pub error: Option<(usize, EncodingError)>,
}

/// Makes text of bytes. A mark tells the encoding; otherwise the first line that is not plain ASCII does, and all
/// others must be of the same. (Hardly any Shift-JIS happens to be UTF-8.)
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((coding, length)) = Coding::for_bom(bytes).filter(|(coding, _)| *coding != UTF_8) {
        let (text, _) = coding.decode_without_bom_handling(bytes.get(length..).unwrap_or_default());
        return Decoded {
            text: plain_lines(&text),
            error: None,
        };
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    let (mut found, mut error) = (None, None);
    for (n, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_utf8 = std::str::from_utf8(line).is_ok();
        let coding = match found {
            _ if line.is_ascii() => UTF_8,
            Some(coding) => coding,
            None if is_utf8 => UTF_8,
            None => SHIFT_JIS,
        };
        let decoded = coding.decode_without_bom_handling_and_without_replacement(line);
        match decoded.filter(|_| is_utf8 == (coding == UTF_8)) {
            Some(decoded) => text.push_str(&decoded),
            None => {
                let problem = EncodingError::Line {
                    text: String::from_utf8_lossy(line).trim().to_owned(),
                    encoding: if coding == UTF_8 {
                        "UTF-8"
                    } else {
                        "Shift-JIS"
                    },
                    mixed: found.is_some(),
                };
                error = Some((n + 1, problem));
                break;
            }
        }
        if !line.is_ascii() {
            found = Some(coding);
        }
    }
    Decoded {
        text: plain_lines(&text),
        error,
    }
}

/// Text with `\n` for every kind of line end.
fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Makes bytes of text.
///
/// # Errors
///
/// A character that the encoding does not have.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, EncodingError> {
    if encoding == Encoding::Utf8 {
        return Ok(text.as_bytes().to_vec());
    }
    let (bytes, _, has_gaps) = SHIFT_JIS.encode(text);
    if !has_gaps {
        return Ok(bytes.into_owned());
    }
    let is_gap = |c: &char| SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2;
    Err(EncodingError::Character(
        text.chars().find(is_gap).unwrap_or_default(),
    ))
}
