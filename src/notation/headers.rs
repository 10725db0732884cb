//! What a record says about a game before its moves.

/// What a header is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tag {
    /// When the game began.
    Started,
    /// When the game ended.
    Ended,
    /// The tournament or match.
    Event,
    /// Where it was played.
    Site,
    /// The time control, as the record spells it.
    TimeControl,
    /// Who plays Black.
    Black,
    /// Who plays White.
    White,
    /// The rule set.
    Rules,
    /// Anything else, by the name that it has in its file.
    Other(String),
}

/// Names of headers: for scripts, in KIF and in PGN; the first row for each tag is the one that is written. PGN's White is our Black.
const NAMES: [(Tag, &str, &str, &str); 11] = [
    (Tag::Started, "started", "開始日時", "Date"),
    (Tag::Ended, "ended", "終了日時", "EndDate"),
    (Tag::Event, "event", "棋戦", "Event"),
    (Tag::Site, "site", "場所", "Site"),
    (Tag::TimeControl, "time_control", "持ち時間", "TimeControl"),
    (Tag::Black, "black", "先手", "White"),
    (Tag::White, "white", "後手", "Black"),
    (Tag::Rules, "rules", "ルール", "Rules"),
    // In handicap games the weaker side, which has more, plays Black.
    (Tag::Black, "black", "下手", "White"),
    (Tag::White, "white", "上手", "Black"),
    (Tag::TimeControl, "time_control", "持時間", "TimeControl"),
];

impl Tag {
    /// The tag of this name in a KIF file.
    pub fn from_kif(name: &str) -> Tag {
        let row = NAMES.iter().find(|(_, _, kif, _)| *kif == name);
        row.map_or_else(|| Tag::Other(name.to_owned()), |(tag, ..)| tag.clone())
    }

    /// The tag of this name in a PGN file.
    pub fn from_pgn(name: &str) -> Tag {
        let row = NAMES.iter().find(|(.., pgn)| *pgn == name);
        row.map_or_else(|| Tag::Other(name.to_owned()), |(tag, ..)| tag.clone())
    }

    /// Its name for scripts.
    pub fn word(&self) -> &str {
        let row = NAMES.iter().find(|(tag, ..)| tag == self);
        row.map_or_else(|| self.own_name(), |(_, word, ..)| word)
    }

    /// Its name in a KIF file.
    pub fn kif(&self) -> &str {
        let row = NAMES.iter().find(|(tag, ..)| tag == self);
        row.map_or_else(|| self.own_name(), |(_, _, kif, _)| kif)
    }

    /// Its name in a PGN file.
    pub fn pgn(&self) -> &str {
        let row = NAMES.iter().find(|(tag, ..)| tag == self);
        row.map_or_else(|| self.own_name(), |(.., pgn)| pgn)
    }

    fn own_name(&self) -> &str {
        match self {
            Tag::Other(name) => name,
            _ => "",
        }
    }
}

/// Headers: those that every format knows in a fixed order, then the others as they came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers(Vec<(Tag, String)>);

impl Headers {
    /// What stands under a tag, if anything does.
    pub fn get(&self, tag: &Tag) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == tag);
        found.map(|(_, text)| text.as_str())
    }

    /// Puts text under a tag in place of what stood there. Text is kept on one line; empty text is none.
    pub fn set(&mut self, tag: Tag, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.0.iter().position(|(known, _)| *known == tag) {
            Some(at) if text.is_empty() => {
                self.0.remove(at);
            }
            Some(at) => {
                if let Some(entry) = self.0.get_mut(at) {
                    entry.1 = text;
                }
            }
            None if text.is_empty() => {}
            None => {
                let row = Headers::row(&tag);
                let at = self
                    .0
                    .partition_point(|(known, _)| Headers::row(known) <= row);
                self.0.insert(at, (tag, text));
            }
        }
    }

    /// Where a tag belongs: its row of the table, or behind all of them.
    fn row(tag: &Tag) -> usize {
        let row = NAMES.iter().position(|(known, ..)| known == tag);
        row.unwrap_or(NAMES.len())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&Tag, &str)> {
        self.0.iter().map(|(tag, text)| (tag, text.as_str()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
