//! The words of PGN.

/// A word with the line that it begins on.
pub(super) type Placed<'a> = (usize, Token<'a>);

/// A word of a PGN file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A line in square brackets.
    Tag(&'a str),
    /// What stands in braces, or behind a semicolon.
    Comment(&'a str),
    /// A comment that the file ends in.
    OpenComment(&'a str),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A number with dots behind it.
    Number(&'a str),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'a str),
    /// Anything else: a move.
    Word(&'a str),
}

/// The words of a file.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    starts_line: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            rest: text,
            line: 1,
            starts_line: true,
        }
    }

    /// Takes so many bytes of the rest.
    fn cut(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.matches('\n').count();
        let behind = taken.rsplit_once('\n').map(|(_, behind)| behind);
        self.starts_line = behind.is_some_and(|behind| behind.trim().is_empty());
        taken
    }

    /// Takes the rest of the line.
    fn cut_line(&mut self) -> &'a str {
        self.cut(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    /// Skips blanks, and lines that begin with a per cent sign.
    fn skip_blanks(&mut self) {
        loop {
            if self.starts_line && self.rest.starts_with('%') {
                self.cut_line();
            }
            match self.rest.len() - self.rest.trim_start().len() {
                0 => return,
                blanks => self.cut(blanks),
            };
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Placed<'a>> {
        self.skip_blanks();
        let (line, starts_line) = (self.line, self.starts_line);
        let first = self.rest.chars().next()?;
        let token = match first {
            '[' if starts_line => Token::Tag(self.cut_line().trim_end()),
            ';' => Token::Comment(self.cut_line().trim_start_matches(';')),
            '{' => match self.rest.find('}') {
                Some(end) => {
                    let comment = self.cut(end + 1);
                    Token::Comment(comment.trim_start_matches('{').trim_end_matches('}'))
                }
                None => Token::OpenComment(self.cut_line().trim_start_matches('{')),
            },
            '(' => {
                self.cut(1);
                Token::Open
            }
            ')' => {
                self.cut(1);
                Token::Close
            }
            _ => self.word(),
        };
        Some((line, token))
    }
}

impl<'a> Tokens<'a> {
    fn word(&mut self) -> Token<'a> {
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | ';');
        let rest = self.rest;
        if let Some(result) = ["1-0", "0-1", "1/2-1/2", "*"].iter().find(|result| {
            rest.strip_prefix(**result)
                .is_some_and(|behind| behind.is_empty() || behind.starts_with(ends))
        }) {
            return Token::Result(self.cut(result.len()));
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let dots = rest
            .bytes()
            .skip(digits)
            .take_while(|&byte| byte == b'.')
            .count();
        if digits > 0 && dots > 0 {
            return Token::Number(self.cut(digits + dots));
        }
        // A brace that closes nothing is a word of its own.
        let length = rest.find(ends).unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        Token::Word(self.cut(length.max(first)))
    }
}
