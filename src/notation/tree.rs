//! The lines of a record that is being read, open like brackets: the main line, a variation that leaves it, one that
//! leaves that, and so on.

use super::ending::Ending;
use super::record::{Clock, Line, Ply};
use crate::board::{Move, Position};

/// How deep variations may leave variations.
pub const DEEPEST: usize = 100;

/// An open line, and how many plies of the game come before it.
#[derive(Default)]
struct Open {
    after: usize,
    line: Line,
}

/// The open lines, and the position at the end of the last of them.
pub(super) struct Tree {
    position: Position,
    main: Line,
    variations: Vec<Open>,
}

impl Tree {
    pub(super) fn new(position: Position) -> Tree {
        Tree {
            position,
            main: Line::default(),
            variations: Vec::new(),
        }
    }

    /// The position at the end of the last open line.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// How many variations are open.
    pub(super) fn depth(&self) -> usize {
        self.variations.len()
    }

    /// The last open line.
    pub(super) fn line(&mut self) -> &mut Line {
        match self.variations.last_mut() {
            Some(open) => &mut open.line,
            None => &mut self.main,
        }
    }

    /// How many plies of the game come before the last open line, and before its end.
    pub(super) fn span(&self) -> (usize, usize) {
        let after = self.variations.last().map_or(0, |open| open.after);
        (after, self.position.made())
    }

    /// Puts a move behind the last open line.
    pub(super) fn play(&mut self, m: Move, clock: Option<Clock>) {
        self.position.make(m);
        self.line().plies.push(Ply {
            clock,
            ..Ply::from(m)
        });
    }

    /// Puts a comment behind what was last read.
    pub(super) fn comment(&mut self, text: String) {
        self.comments().push(text);
    }

    /// The comments behind what was last read.
    pub(super) fn comments(&mut self) -> &mut Vec<String> {
        let line = self.line();
        match line.plies.last_mut() {
            Some(ply) => &mut ply.comments,
            None => &mut line.comments,
        }
    }

    /// Ends the last open line.
    pub(super) fn end(&mut self, ending: Option<Ending>, clock: Option<Clock>) {
        let line = self.line();
        (line.ending, line.ending_clock) = (ending, clock);
    }

    /// Opens a variation that leaves the last open line after so many plies of the game.
    pub(super) fn open(&mut self, after: usize) {
        while self.position.made() > after {
            self.position.unmake();
        }
        self.variations.push(Open {
            after,
            line: Line::default(),
        });
    }

    /// Hangs the last variation into the line that it leaves, and goes to the end of that line; whether one was open.
    pub(super) fn close(&mut self) -> bool {
        let Some(done) = self.variations.pop() else {
            return false;
        };
        while self.position.made() > done.after {
            self.position.unmake();
        }
        let (begin, _) = self.span();
        let behind = done.after.saturating_sub(begin);
        let line = match self.variations.last_mut() {
            Some(open) => &mut open.line,
            None => &mut self.main,
        };
        for m in line.moves().skip(behind) {
            self.position.make(m);
        }
        line.branch(behind, done.line);
        true
    }

    /// The main line, with everything that hangs in it.
    pub(super) fn finish(mut self) -> Line {
        while self.close() {}
        self.main
    }
}
