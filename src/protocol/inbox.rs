//! What a front end waits for: lines from the other side, and events from the searches that it started.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, Sender};

use super::reader;
use crate::engine::{Engine, Event, Limits, MateLimits};

/// Something that came in.
pub(super) enum Message {
    /// A line from the other side; `None` at the end of the input.
    Line(Option<String>),
    /// Something from the search with this number.
    Search(u64, Event),
}

/// Both sources in one queue. A front end that takes over from another takes this too, so that no line is lost.
pub(super) struct Inbox {
    receiver: Receiver<Message>,
    sender: Sender<Message>,
    /// Lines that came in while an event was awaited.
    waiting: VecDeque<Option<String>>,
    searches: u64,
}

impl Inbox {
    /// Reads `input` from now on.
    pub(super) fn new(input: impl BufRead + Send + 'static) -> Inbox {
        let (sender, receiver) = mpsc::channel();
        reader::spawn(input, sender.clone(), Message::Line);
        Inbox {
            receiver,
            sender,
            waiting: VecDeque::new(),
            searches: 0,
        }
    }

    /// Waits for whatever comes next.
    pub(super) fn next(&mut self) -> Message {
        match self.waiting.pop_front() {
            Some(line) => Message::Line(line),
            None => self.receiver.recv().unwrap_or(Message::Line(None)),
        }
    }

    /// Waits for the next event of a search and keeps the lines that come in before it.
    pub(super) fn next_event(&mut self) -> Option<(u64, Event)> {
        loop {
            match self.receiver.recv() {
                Ok(Message::Line(line)) => self.waiting.push_back(line),
                Ok(Message::Search(number, event)) => return Some((number, event)),
                Err(_) => return None,
            }
        }
    }

    /// Starts a search whose events come in here; gives its number.
    pub(super) fn search(&mut self, engine: &mut Engine, limits: &Limits) -> u64 {
        let (number, on_event) = self.next_search();
        engine.go(limits, on_event);
        number
    }

    /// Starts a search for a mate whose events come in here; gives its number.
    pub(super) fn solve(&mut self, engine: &mut Engine, limits: MateLimits) -> io::Result<u64> {
        let (number, on_event) = self.next_search();
        engine.go_mate(limits, on_event)?;
        Ok(number)
    }

    /// The number of the next search and where its events go.
    fn next_search(&mut self) -> (u64, impl FnMut(Event) + Send + 'static) {
        self.searches += 1;
        let number = self.searches;
        let sender = self.sender.clone();
        // The receiver is gone only when the session has ended.
        let on_event = move |event| drop(sender.send(Message::Search(number, event)));
        (number, on_event)
    }
}
