//! How a game ends on the board (rules §6, §7) and how it is counted when time runs out (rules §8).

use std::fmt;

use super::piece::{Color, Kind};
use super::position::Position;
use super::repetition::Recurrence;
use super::rules::{BareKing, LoneRoyals, RepetitionRule};

/// Whether the game is over, and how.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// It goes on.
    Playing,
    /// This side captured the last royal.
    Royals(Color),
    /// This side bared the other's king.
    BareKing(Color),
    /// This side wins because the other has no legal move.
    NoMoves(Color),
    /// A draw by repetition.
    Repetition,
    /// This side wins because the other kept attacking while the position repeated.
    Perpetual(Color),
    /// A draw with nothing left to win with.
    Draw,
    /// A draw by the move limit.
    MoveLimit,
}

impl Outcome {
    /// Whether the game has ended.
    pub fn is_over(self) -> bool {
        self != Outcome::Playing
    }

    /// The winner, if there is one.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Royals(winner)
            | Outcome::BareKing(winner)
            | Outcome::NoMoves(winner)
            | Outcome::Perpetual(winner) => Some(winner),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// Writes `playing`, or the reason and the winner if there is one, as in `royals black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Playing => "playing",
            Outcome::Royals(_) => "royals",
            Outcome::BareKing(_) => "bare-king",
            Outcome::NoMoves(_) => "no-moves",
            Outcome::Repetition => "repetition",
            Outcome::Perpetual(_) => "perpetual",
            Outcome::Draw => "draw",
            Outcome::MoveLimit => "move-limit",
        })?;
        match self.winner() {
            Some(Color::Black) => f.write_str(" black"),
            Some(Color::White) => f.write_str(" white"),
            None => Ok(()),
        }
    }
}

impl Position {
    /// Whether the game is over here, judged in the order of rules §6: last royal captured, bare king, no legal
    /// move, repetition, lone royals, move limit.
    pub fn outcome(&self) -> Outcome {
        let ended = self.material_outcome();
        if ended.is_over() {
            return ended;
        }
        if let Some(ended) = self.stalemate() {
            return ended;
        }
        if self.rules().repetition == RepetitionRule::Lishogi && self.is_fourth_occurrence() {
            match self.clone().judge_fourth() {
                Some(Recurrence::Draw) => return Outcome::Repetition,
                Some(Recurrence::Loses(loser)) => return Outcome::Perpetual(!loser),
                _ => {}
            }
        }
        self.late_outcome()
    }

    /// Last royal captured or bare king: what the pieces on the board decide before anything else.
    pub(crate) fn material_outcome(&self) -> Outcome {
        for color in Color::BOTH {
            if self.has_lost_royals(color) {
                return Outcome::Royals(!color);
            }
        }
        match self.rules().bare_king {
            BareKing::None => Outcome::Playing,
            BareKing::Renmei => self.bare_king_renmei(),
            BareKing::Teiban => self.bare_king_teiban(),
            BareKing::Lishogi => self.bare_king_lishogi(),
        }
    }

    /// Lone royals and the move limit, which come last.
    pub(crate) fn late_outcome(&self) -> Outcome {
        if self.rules().lone_royals == LoneRoyals::Draw && self.are_royals_alone() {
            return Outcome::Draw;
        }
        match self.rules().move_limit {
            Some(limit) if self.ply() >= limit => Outcome::MoveLimit,
            _ => Outcome::Playing,
        }
    }

    fn are_royals_alone(&self) -> bool {
        Color::BOTH.iter().all(|&color| {
            self.live_count(color) == 1
                && self
                    .last_royal(color)
                    .is_some_and(|royal| !self.is_attacked(royal, !color))
        })
    }

    /// No move by rules §2–5 loses; no move but forbidden repetitions is a draw (`renmei`) or loses (`teiban`).
    fn stalemate(&self) -> Option<Outcome> {
        let moves = self.moves();
        if moves.iter().any(|&m| !self.repetition_forbids(m)) {
            None
        } else if self.rules().repetition == RepetitionRule::Renmei && !moves.is_empty() {
            Some(Outcome::Repetition)
        } else {
            Some(Outcome::NoMoves(!self.turn()))
        }
    }

    /// One counting piece against none, both sides with one royal; not if it can be captured at once.
    fn bare_king_renmei(&self) -> Outcome {
        if Color::BOTH
            .iter()
            .any(|&color| self.royal_count(color) != 1)
        {
            return Outcome::Playing;
        }
        let counts = Color::BOTH.map(|color| self.counting_count(color));
        let winner = match counts {
            [1, 0] => Color::Black,
            [0, 1] => Color::White,
            _ => return Outcome::Playing,
        };
        if self.turn() == winner {
            return Outcome::BareKing(winner);
        }
        let counts_at = |square| {
            self.piece(square).is_some_and(|piece| {
                let kind = piece.kind();
                piece.color() == winner
                    && !kind.is_royal()
                    && !kind.is_pawn_like()
                    && !piece.is_dead_on(square)
            })
        };
        let can_capture = |m: &super::Move| counts_at(m.to()) || m.mid().is_some_and(counts_at);
        if self.moves().iter().any(can_capture) {
            Outcome::Playing
        } else {
            Outcome::BareKing(winner)
        }
    }

    /// After a move of a side that has only royals, the other wins if it has more than pawns and go-betweens.
    fn bare_king_teiban(&self) -> Outcome {
        let is_bare = |color| {
            self.royal_count(color) > 0 && self.live_count(color) == self.royal_count(color)
        };
        let us = self.turn();
        match (is_bare(us), is_bare(!us)) {
            (true, true) => Outcome::Draw,
            (false, true) if self.counting_count(us) > 0 => Outcome::BareKing(us),
            _ => Outcome::Playing,
        }
    }

    /// A lone royal loses against a counting piece, unless a royal of the other side is attacked or its only counting
    /// piece is within the lone royal's reach.
    fn bare_king_lishogi(&self) -> Outcome {
        for color in Color::BOTH {
            let Some(royal) = self.last_royal(color) else {
                continue;
            };
            let counting = self.counting_count(!color);
            if self.live_count(color) != 1 || counting == 0 || self.royal_count(!color) == 0 {
                continue;
            }
            if self
                .royals(!color)
                .any(|theirs| self.is_attacked(theirs, color))
            {
                continue;
            }
            let adjacent = (0..8).any(|d| self.cell(royal.step(d)).is_of(!color));
            if counting >= 2 || !adjacent {
                return Outcome::BareKing(!color);
            }
        }
        Outcome::Playing
    }

    /// A side's sum in tenths of a point (rules §8). Kings do not count; a prince counts only while its king is on the
    /// board; dead pieces count.
    pub fn points(&self, color: Color) -> u32 {
        let own = || {
            self.pieces()
                .map(|(_, piece)| piece)
                .filter(|piece| piece.color() == color)
        };
        let has_king = own().any(|piece| piece.kind() == Kind::KING);
        own()
            .filter(|piece| has_king || piece.kind() != Kind::PRINCE)
            .map(|piece| u32::from(piece.kind().points()))
            .sum()
    }
}
