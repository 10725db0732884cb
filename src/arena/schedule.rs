//! Who plays whom, with which opening, in which order.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// From 1.
    pub number: usize,
    /// The pair of games that it belongs to, from 1; `None` if colours are not swapped.
    pub pair: Option<usize>,
    /// Which opening, from 0.
    pub opening: usize,
    /// Which engine plays Black.
    pub black: usize,
    /// Which engine plays White.
    pub white: usize,
}

/// One part of a schedule: the `index`-th of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Shard {
    /// From 1.
    pub index: usize,
    /// How many parts there are.
    pub count: usize,
}

impl Shard {
    /// The whole schedule.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some(Shard {
                index: index.parse().ok()?,
                count: count.parse().ok()?,
            })
        });
        numbers
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| format!("`{text}` is not I/N with I from 1 to N"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The games of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// How many engines.
    pub engines: usize,
    /// Who meets whom.
    pub format: Format,
    /// How many games each two engines play that meet.
    pub games: usize,
    /// Whether each opening is played twice with colours swapped.
    pub swap: bool,
}

impl Schedule {
    /// The engines that meet, the first one Black first.
    pub fn meetings(&self) -> Vec<(usize, usize)> {
        let firsts = match self.format {
            Format::RoundRobin => self.engines,
            Format::Gauntlet => 1,
        };
        let meet = |a| (a + 1..self.engines).map(move |b| (a, b));
        (0..firsts).flat_map(meet).collect()
    }

    /// The games of a part of the schedule. All who meet play an opening before anybody plays the next one; pairs of games are
    /// never torn apart.
    pub fn fixtures(&self, shard: Shard) -> Vec<Fixture> {
        let meetings = self.meetings();
        let each = if self.swap { 2 } else { 1 };
        let mut fixtures = Vec::new();
        let mut number = 0;
        for opening in 0..self.games.div_ceil(each) {
            for (meeting, &(a, b)) in meetings.iter().enumerate() {
                let unit = opening * meetings.len() + meeting;
                for side in 0..each.min(self.games - opening * each) {
                    number += 1;
                    let swapped = if self.swap { side } else { opening } % 2 == 1;
                    let (black, white) = if swapped { (b, a) } else { (a, b) };
                    if unit % shard.count == shard.index - 1 {
                        fixtures.push(Fixture {
                            number,
                            pair: self.swap.then_some(unit + 1),
                            opening,
                            black,
                            white,
                        });
                    }
                }
            }
        }
        fixtures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, format: Format, games: usize, swap: bool) -> Schedule {
        Schedule {
            engines,
            format,
            games,
            swap,
        }
    }

    #[test]
    fn shards_make_the_whole() {
        let schedule = schedule(3, Format::RoundRobin, 7, true);
        let whole = schedule.fixtures(Shard::WHOLE);
        assert_eq!(whole.len(), 21);
        let mut parts = Vec::new();
        for index in 1..=4 {
            parts.extend(schedule.fixtures(Shard { index, count: 4 }));
        }
        parts.sort_by_key(|fixture| fixture.number);
        assert_eq!(parts, whole);
    }

    #[test]
    fn pairs_swap_colours_in_one_shard() {
        let shard = Shard { index: 2, count: 3 };
        let games = schedule(4, Format::Gauntlet, 4, true).fixtures(shard);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(
                (pair[0].black, pair[0].white),
                (pair[1].white, pair[1].black)
            );
            assert!(pair[0].black == 0);
        }
    }

    #[test]
    fn without_swapping_colours_alternate() {
        let games = schedule(2, Format::RoundRobin, 3, false).fixtures(Shard::WHOLE);
        let blacks: Vec<usize> = games.iter().map(|game| game.black).collect();
        assert_eq!(blacks, [0, 1, 0]);
        assert!(games.iter().all(|game| game.pair.is_none()));
        let openings: Vec<usize> = games.iter().map(|game| game.opening).collect();
        assert_eq!(openings, [0, 1, 2]);
    }

    #[test]
    fn shards_are_checked() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for text in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
