//! Ends of games before the rules end them: both sides see the game decided or drawn, or it is too long.

use std::time::Duration;

use crate::board::{Color, Position};

/// When one side is declared the winner: scores beyond `score` for `moves` moves on end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// In centipawns.
    pub score: i32,
    /// For so many moves of each side that has to agree.
    pub moves: usize,
    /// Whether the loser's scores suffice; otherwise the winner's must agree.
    pub one_sided: bool,
}

/// When a game is declared drawn: both sides' scores within `score` for `moves` moves on end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// In centipawns.
    pub score: i32,
    /// For so many moves of each side.
    pub moves: usize,
    /// Not before this ply of the game, the opening included.
    pub from: usize,
}

/// When games are ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// Decided games.
    pub resign: Option<Resign>,
    /// Drawn games.
    pub draw: Option<Draw>,
    /// A game of so many plies is a draw.
    pub max_plies: Option<usize>,
    /// A game whose moves have taken so long together is decided by points (rules §8).
    pub game_time: Option<Duration>,
}

/// How a game was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One side has won by both sides' scores.
    Win(Color),
    /// Drawn by both sides' scores.
    Draw,
    /// Too long, a draw.
    MaxPlies,
    /// Out of time; the winner by points, if there is one.
    Points(Option<Color>),
}

/// How long both sides have agreed on what.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    losing: [usize; 2],
    winning: [usize; 2],
    even: [usize; 2],
    used: Duration,
}

impl Agreement {
    /// Takes note of a move: who made it with which score, and how long it took. A move without a score agrees to nothing.
    pub fn note(
        &mut self,
        rules: &Adjudication,
        side: Color,
        score: Option<i32>,
        elapsed: Duration,
    ) {
        self.used += elapsed;
        let count = |streak: &mut usize, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let side = side.index();
        if let Some(resign) = rules.resign {
            count(
                &mut self.losing[side],
                score.is_some_and(|s| s <= -resign.score),
            );
            count(
                &mut self.winning[side],
                score.is_some_and(|s| s >= resign.score),
            );
        }
        if let Some(draw) = rules.draw {
            count(
                &mut self.even[side],
                score.is_some_and(|s| s.abs() <= draw.score),
            );
        }
    }

    /// Whether the game ends here, after `plies` moves.
    pub fn verdict(
        &self,
        rules: &Adjudication,
        position: &Position,
        plies: usize,
    ) -> Option<Verdict> {
        if let Some(resign) = rules.resign {
            for loser in Color::BOTH {
                let (us, them) = (loser.index(), (!loser).index());
                if self.losing[us] >= resign.moves
                    && (resign.one_sided || self.winning[them] >= resign.moves)
                {
                    return Some(Verdict::Win(!loser));
                }
            }
        }
        if let Some(draw) = rules.draw
            && plies >= draw.from
            && self.even.iter().all(|&streak| streak >= draw.moves)
        {
            return Some(Verdict::Draw);
        }
        if rules.max_plies.is_some_and(|limit| plies >= limit) {
            return Some(Verdict::MaxPlies);
        }
        let over = rules.game_time.is_some_and(|limit| self.used >= limit);
        over.then(|| Verdict::Points(leader(position)))
    }
}

/// The side with the larger sum of points (rules §8).
pub fn leader(position: &Position) -> Option<Color> {
    let [black, white] = Color::BOTH.map(|color| position.points(color));
    match black.cmp(&white) {
        std::cmp::Ordering::Greater => Some(Color::Black),
        std::cmp::Ordering::Less => Some(Color::White),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rules;
    use crate::notation::sfen;

    fn after(rules: &Adjudication, scores: &[Option<i32>]) -> Option<Verdict> {
        let position = Position::new(&sfen::start(), Rules::default()).unwrap();
        let mut agreement = Agreement::default();
        for (n, &score) in scores.iter().enumerate() {
            let side = Color::BOTH[n % 2];
            agreement.note(rules, side, score, Duration::from_secs(1));
        }
        agreement.verdict(rules, &position, scores.len())
    }

    #[test]
    fn both_sides_must_see_the_loss() {
        let resign = Resign {
            score: 1_000,
            moves: 2,
            one_sided: false,
        };
        let mut rules = Adjudication {
            resign: Some(resign),
            ..Adjudication::default()
        };
        let won = [Some(1_200), Some(-1_100), Some(1_000), Some(-1_000)];
        assert_eq!(after(&rules, &won), Some(Verdict::Win(Color::Black)));
        assert_eq!(after(&rules, &won[..3]), None);
        let doubted = [Some(900), Some(-1_100), Some(1_000), Some(-1_000)];
        assert_eq!(after(&rules, &doubted), None);
        assert_eq!(
            after(&rules, &[Some(1_200), None, Some(1_200), Some(-2_000)]),
            None
        );
        rules.resign = Some(Resign {
            one_sided: true,
            ..resign
        });
        assert_eq!(after(&rules, &doubted), Some(Verdict::Win(Color::Black)));
    }

    #[test]
    fn draws_begin_at_a_ply() {
        let draw = Draw {
            score: 10,
            moves: 2,
            from: 6,
        };
        let rules = Adjudication {
            draw: Some(draw),
            ..Adjudication::default()
        };
        let even = [Some(5); 8];
        assert_eq!(after(&rules, &even[..5]), None);
        assert_eq!(after(&rules, &even[..6]), Some(Verdict::Draw));
    }

    #[test]
    fn long_games_end() {
        let rules = Adjudication {
            max_plies: Some(4),
            game_time: Some(Duration::from_secs(3)),
            ..Adjudication::default()
        };
        assert_eq!(after(&rules, &[None; 2]), None);
        assert_eq!(after(&rules, &[None; 3]), Some(Verdict::Points(None)));
        assert_eq!(after(&rules, &[None; 4]), Some(Verdict::MaxPlies));
    }
}
