//! What moves cost.

use super::{Analysis, Verdict};
use crate::board::{Color, Move};
use crate::engine::score::{Score, mate_distance};
use crate::eval::winning_chance;

/// What is wrong with a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// It cost 5 % of winning chances or more.
    Inaccuracy,
    /// It cost 10 % of winning chances or more.
    Mistake,
    /// It cost 20 % of winning chances or more.
    Blunder,
}

impl Mark {
    /// All of them, the smallest first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark of a move that costs this share of winning chances, if it deserves one.
    pub fn of(loss: f64) -> Option<Mark> {
        Mark::ALL
            .into_iter()
            .rev()
            .find(|mark| loss >= mark.threshold())
    }

    const fn threshold(self) -> f64 {
        match self {
            Mark::Inaccuracy => 0.05,
            Mark::Mistake => 0.10,
            Mark::Blunder => 0.20,
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// Its name for more than one.
    pub const fn plural(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracies",
            Mark::Mistake => "mistakes",
            Mark::Blunder => "blunders",
        }
    }

    /// Its name in Japanese.
    pub const fn japanese(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "緩手",
            Mark::Mistake => "疑問手",
            Mark::Blunder => "悪手",
        }
    }

    /// Its sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// A move beside the best one.
#[derive(Clone, Debug)]
pub struct Judgement<'a> {
    /// Who moved.
    pub side: Color,
    /// The move.
    pub m: Move,
    /// What could have been had.
    pub best: &'a Verdict,
    /// What the move led to, for the side that moved.
    pub score: Score,
    /// The winning chances that it cost, 0 … 1.
    pub loss: f64,
}

impl Judgement<'_> {
    /// What is wrong with it.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss)
    }

    /// Whether it is the move that the search prefers.
    pub fn is_best(&self) -> bool {
        self.best.line.first() == Some(&self.m)
    }

    /// What it cost in centipawns; `None` where an end is in sight.
    pub fn centipawns(&self) -> Option<Score> {
        let plain = [self.best.score, self.score]
            .iter()
            .all(|&score| mate_distance(score).is_none());
        plain.then(|| {
            if self.loss > 0.0 {
                self.best.score - self.score
            } else {
                0
            }
        })
    }
}

/// How a side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// How many of its moves were judged.
    pub moves: usize,
    /// The mean over its moves of 100 for one that costs nothing, a factor of e less for each 25 % of winning chances lost.
    pub accuracy: Option<f64>,
    /// How many of its moves got each mark, in the order of [`Mark::ALL`].
    pub marks: [usize; 3],
}

/// The loss of winning chances that makes a move e times less accurate.
const ACCURACY_LOSS: f64 = 0.25;

impl Analysis {
    /// What the move with this number, from 1, cost; `None` until the positions before and after it have their verdicts.
    pub fn judgement(&self, ply: usize) -> Option<Judgement<'_>> {
        let before = ply.checked_sub(1)?;
        let m = self.game.moves().nth(before)?;
        let (best, after) = (self.verdict(before)?, self.verdict(ply)?);
        let score = -after.score;
        let loss = if best.line.first() == Some(&m) {
            0.0
        } else {
            (winning_chance(best.score) - winning_chance(score)).max(0.0)
        };
        Some(Judgement {
            side: self.record.turn_after(before),
            m,
            best,
            score,
            loss,
        })
    }

    /// All moves that can be judged, with their numbers from 1.
    pub fn judgements(&self) -> impl Iterator<Item = (usize, Judgement<'_>)> {
        (1..=self.plies()).filter_map(|ply| Some((ply, self.judgement(ply)?)))
    }

    /// How a side played.
    pub fn summary(&self, side: Color) -> Summary {
        let mut summary = Summary::default();
        let mut sum = 0.0;
        for (_, judgement) in self
            .judgements()
            .filter(|(_, judgement)| judgement.side == side)
        {
            summary.moves += 1;
            sum += 100.0 * (-judgement.loss / ACCURACY_LOSS).exp();
            if let Some(mark) = judgement.mark() {
                summary.marks[mark as usize] += 1;
            }
        }
        summary.accuracy = (summary.moves > 0).then(|| sum / summary.moves as f64);
        summary
    }
}
