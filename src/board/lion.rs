//! Lion trading and the counter-strike (rules §5).

use thiserror::Error;

use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::rules::{LionTrade, StrikeScope};
use super::square::Square;

/// Why a lion may not be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LionBan {
    /// A lion two squares away is protected, and nothing worth it is captured on the way.
    #[error("a lion may not capture a protected lion at distance two (rules §5.2)")]
    Protected,
    /// A non-lion may not answer the capture of a lion with the capture of a lion.
    #[error("a non-lion may not capture a lion right after a lion fell to a non-lion (rules §5.3)")]
    CounterStrike,
}

impl Position {
    /// Why the captures of an otherwise legal move are forbidden by lion trading, if they are.
    pub fn lion_ban(&self, m: Move) -> Option<LionBan> {
        let mover = self.cell(m.from()).kind();
        let (from, mid, to) = (m.from(), m.mid(), m.to());
        if to != from
            && self.cell(to).kind().is_lion()
            && let Some(ban) = self.ban_on(from, mover, mid, to, to)
        {
            return Some(ban);
        }
        let fallen = mid.filter(|&mid| self.cell(mid).kind().is_lion())?;
        self.ban_on(from, mover, mid, to, fallen)
    }

    /// The ban, if any, on capturing the lion on `fallen` by a move of `mover` from `from` by way of `mid` to `to`.
    pub(super) fn ban_on(
        &self,
        from: Square,
        mover: Kind,
        mid: Option<Square>,
        to: Square,
        fallen: Square,
    ) -> Option<LionBan> {
        let rules = self.rules();
        if rules.lion_trade == LionTrade::None {
            return None;
        }
        if mover.is_lion() {
            let bait = mid.is_some_and(|mid| !self.cell(mid).kind().is_pawn_like());
            let free = from.distance(fallen) == 1 || bait;
            return (!free && self.is_foot_left(from, mid, to, fallen))
                .then_some(LionBan::Protected);
        }
        // The ban is on the side to move alone, whose lion fell.
        let fell = self
            .lion_fell()
            .filter(|_| !self.cell(fallen).is_of(self.turn()))?;
        let exempt = rules.strike_exempt && fell == fallen;
        let out_of_scope = rules.strike_scope == StrikeScope::Destination && fallen != to;
        let banned = !exempt
            && !out_of_scope
            && (rules.lion_trade == LionTrade::Always || self.is_foot_left(from, mid, to, fallen));
        banned.then_some(LionBan::CounterStrike)
    }

    /// Whether the lion on `fallen` is protected against the move: a piece of its side bears on its square when the
    /// mover has left its origin and everything captured is gone, but for a pawn or go-between captured on the way.
    fn is_foot_left(&self, from: Square, mid: Option<Square>, to: Square, fallen: Square) -> bool {
        let mid_foot = mid.filter(|&mid| mid != fallen && self.cell(mid).kind().is_pawn_like());
        let gone = [from, mid.unwrap_or(from), to];
        let owner = self.cell(fallen).piece().map(Piece::color);
        owner.is_some_and(|owner| self.is_protected(fallen, owner, gone, mid_foot))
    }
}
