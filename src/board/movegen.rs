//! Move generation and legality by the rules of movement, promotion and lion trading (rules §2–5).

use super::lion::LionBan;
use super::moves::{Move, MoveList};
use super::piece::{Color, Kind, Piece, REACH, Reach, Slot};
use super::position::{Illegal, Position};
use super::square::Square;

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// All of them.
    All,
    /// Captures and promotions, with the captures that decline to promote.
    Tactical,
    /// The rest: no capture, no promotion. The pass is the last of them.
    Quiet,
}

impl Position {
    /// The legal moves by rules §2–5: whether or not the game is over, and repetition aside.
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::All, &mut list);
        list
    }

    /// The moves that may be played now: repetition heeded, none once the game is over (rules §6, §7).
    pub fn game_moves(&self) -> MoveList {
        if self.outcome().is_over() {
            return MoveList::new();
        }
        let mut list = self.moves();
        list.retain(|m| !self.repetition_forbids(*m));
        list
    }

    /// Appends the moves of a stage to a list.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        match stage {
            Stage::All => self.visit::<true, true>(|m| list.push(m)),
            Stage::Tactical => self.visit::<true, false>(|m| list.push(m)),
            Stage::Quiet => self.visit::<false, true>(|m| list.push(m)),
        }
    }

    /// Calls `found` for each move: captures and promotions, quiet moves, or both.
    pub(crate) fn visit<const TACTICAL: bool, const QUIET: bool>(&self, found: impl FnMut(Move)) {
        let mut search = Visit::<TACTICAL, QUIET, _> { position: self, us: self.turn(), found };
        for &from in self.seats(self.turn()) {
            if from != Square::NOWHERE {
                search.piece(from);
            }
        }
        if QUIET && let Some(passer) = self.passer() {
            (search.found)(Move::pass(passer));
        }
    }

    /// Whether the piece on a square could capture something if its side were to move.
    pub(super) fn can_capture(&self, from: Square, us: Color) -> bool {
        let mut captures = false;
        let found = |m: Move| {
            let mid = m.mid().is_some();
            captures |= mid || self.cell(m.to()).is_enemy_of(us);
        };
        Visit::<true, false, _> { position: self, us, found }.piece(from);
        captures
    }

    /// The first piece, by square, that may pass for the side to move.
    fn passer(&self) -> Option<Square> {
        let candidates = self.seats(self.turn()).iter().copied();
        candidates.filter(|&square| self.first_empty_step(square).is_some()).min()
    }

    /// The first adjacent empty square, clockwise from north, that a piece with lion power may step to and back
    /// from; what a pass of it is spelt with.
    pub fn first_empty_step(&self, square: Square) -> Option<Square> {
        let slot = self.cell(square);
        if !slot.kind().has_lion_power() {
            return None;
        }
        let lion_power = |&d: &usize| matches!(slot.reach(d), Reach::Lion | Reach::Double);
        (0..8).filter(lion_power).map(|d| square.step(d)).find(|&step| self.cell(step).is_empty())
    }

    /// The pieces, by square, that could make the igui of the piece on `from` with the same effect: the victim goes,
    /// and if it is a lion a counter-strike is banned or not, as it is with `from`.
    pub(crate) fn igui_by(&self, from: Square, mid: Square) -> impl Iterator<Item = Square> + '_ {
        let (mover, lion_falls) = (self.cell(from), self.cell(mid).kind().is_lion());
        let us = mover.piece().map_or(self.turn(), Piece::color);
        let same_effect = move |&(d, square): &(usize, Square)| {
            let (slot, kind) = (self.cell(square), self.cell(square).kind());
            slot.is_of(us)
                && matches!(slot.reach(d ^ 4), Reach::Lion | Reach::Double)
                && (!lion_falls
                    || kind.is_lion() == mover.kind().is_lion()
                        && self.ban_on(square, kind, Some(mid), square, mid).is_none())
        };
        let around = (0..8).map(move |d| (d, mid.step(d)));
        around.filter(same_effect).map(|(_, square)| square)
    }

    /// The move of [`Position::moves`] with the effect of a legal move: all passes of a side are one move, and so are
    /// all iguis that capture the same piece.
    pub fn canonical(&self, m: Move) -> Move {
        if m.is_pass() {
            return self.passer().map_or(m, Move::pass);
        }
        let igui = m.mid().filter(|_| m.is_igui()).and_then(|mid| {
            let first = self.igui_by(m.from(), mid).min()?;
            Some(Move::two_step(first, first.direction_to(mid)?, first))
        });
        igui.unwrap_or(m)
    }

    /// Whether a move is legal by rules §2–5. Any piece's pass or igui is, though [`Position::moves`] lists only one
    /// of those with the same effect.
    pub fn is_legal(&self, m: Move) -> bool {
        self.check(m).is_ok()
    }

    /// Checks a move by rules §2–5.
    ///
    /// # Errors
    ///
    /// What is wrong with the move.
    pub fn check(&self, m: Move) -> Result<(), Illegal> {
        let (from, to, us) = (m.from(), m.to(), self.turn());
        let mover = self.cell(from);
        if !mover.is_of(us) {
            return Err(if mover.is_empty() { Illegal::NoPiece } else { Illegal::OtherSide });
        }
        if m.is_pass() {
            let possible = !m.promotes() && self.first_empty_step(from).is_some();
            return if possible { Ok(()) } else { Err(Illegal::NoPass) };
        }
        match m.mid_direction() {
            Some(direction) => self.check_two_steps(m, mover, direction)?,
            None => self.check_one_step(m, mover)?,
        }
        if m.promotes() {
            let class = promotion_class(mover.kind()).ok_or(Illegal::Promotion)?;
            let (start, end) = (us.relative_rank(from), us.relative_rank(to));
            if !self.promotion.allows(class, start, end, !self.cell(to).is_empty()) {
                return Err(Illegal::Promotion);
            }
        }
        match self.lion_ban(m) {
            Some(ban) => Err(Illegal::Lion(ban)),
            None => Ok(()),
        }
    }

    fn check_two_steps(&self, m: Move, mover: Slot, direction: usize) -> Result<(), Illegal> {
        let (from, mid, to) = (m.from(), m.from().step(direction), m.to());
        let reach = mover.reach(direction);
        let onward = mid.direction_to(to).ok_or(Illegal::Reach)?;
        let straight = onward == direction || to == from;
        match reach {
            Reach::Lion => {}
            Reach::Double if straight => {}
            _ => return Err(Illegal::Reach),
        }
        if m.promotes() {
            return Err(Illegal::Promotion);
        }
        let (between, end) = (self.cell(mid), self.cell(to));
        if between.blocks(self.turn()) || to != from && end.blocks(self.turn()) {
            return Err(Illegal::OwnPiece);
        }
        if between.is_empty() { Err(Illegal::NothingBetween) } else { Ok(()) }
    }

    fn check_one_step(&self, m: Move, mover: Slot) -> Result<(), Illegal> {
        let (from, to) = (m.from(), m.to());
        if self.cell(to).blocks(self.turn()) {
            return Err(Illegal::OwnPiece);
        }
        let distance = from.distance(to);
        let Some((direction, line)) = (0..8).find_map(|d| {
            let mut cell = from;
            for _ in 0..distance {
                cell = cell.step(d);
                if self.cell(cell) == Slot::EDGE {
                    return None;
                }
            }
            (cell == to).then_some((d, distance))
        }) else {
            let leaps = distance == 2 && mover.kind().is_lion();
            return if leaps { Ok(()) } else { Err(Illegal::Reach) };
        };
        let reaches = match mover.reach(direction) {
            Reach::No => false,
            Reach::Step => line == 1,
            Reach::Slide => true,
            Reach::Jump => line == 2,
            Reach::Double | Reach::Lion => line <= 2,
        };
        if !reaches {
            return Err(Illegal::Reach);
        }
        if mover.reach(direction) == Reach::Slide {
            let mut cell = from.step(direction);
            while cell != to {
                if !self.cell(cell).is_empty() {
                    return Err(Illegal::Blocked);
                }
                cell = cell.step(direction);
            }
        }
        Ok(())
    }
}

/// The row of the promotion table that a kind uses, if it promotes at all.
fn promotion_class(kind: Kind) -> Option<u8> {
    match kind {
        Kind::PAWN => Some(1),
        Kind::LANCE => Some(2),
        _ if kind.promoted().is_some() => Some(0),
        _ => None,
    }
}

/// A walk over the moves of pieces of `us`, which need not be to move.
struct Visit<'a, const TACTICAL: bool, const QUIET: bool, F: FnMut(Move)> {
    position: &'a Position,
    us: Color,
    found: F,
}

impl<const TACTICAL: bool, const QUIET: bool, F: FnMut(Move)> Visit<'_, TACTICAL, QUIET, F> {
    /// All moves of the piece on a square but its pass.
    #[inline(always)]
    fn piece(&mut self, from: Square) {
        let mover = self.position.cell(from).kind();
        let reaches = &REACH[self.us.index()][mover.index() & 63];
        for (d, reach) in reaches.iter().enumerate() {
            match reach {
                Reach::No => {}
                Reach::Step => self.land(from, from.step(d), mover),
                Reach::Jump => self.land(from, from.leap(d), mover),
                Reach::Slide => self.slide(from, d, mover),
                Reach::Double | Reach::Lion => self.lion_power(from, d, *reach, mover),
            }
        }
    }

    #[inline(always)]
    fn slide(&mut self, from: Square, direction: usize, mover: Kind) {
        let mut to = from.step(direction);
        while self.position.cell(to).is_empty() {
            if QUIET || promotion_class(mover).is_some() {
                self.quiet(from, to, mover);
            }
            to = to.step(direction);
        }
        if TACTICAL && self.position.cell(to).is_enemy_of(self.us) {
            self.capture(from, to, mover);
        }
    }

    /// The moves of lion power whose first step, or whose jump, goes in a direction.
    #[inline(always)]
    fn lion_power(&mut self, from: Square, direction: usize, reach: Reach, mover: Kind) {
        let (near, second) = (from.step(direction), from.leap(direction));
        self.land(from, near, mover);
        self.land(from, second, mover);
        if reach == Reach::Lion {
            self.land(from, from.knight(direction), mover);
        }
        if TACTICAL && self.position.cell(near).is_enemy_of(self.us) {
            if reach == Reach::Double {
                self.two_step(from, direction, second, mover);
            } else {
                for onward in 0..8 {
                    if onward != direction ^ 4 {
                        self.two_step(from, direction, near.step(onward), mover);
                    }
                }
            }
            self.two_step(from, direction, from, mover);
        }
    }

    #[inline(always)]
    fn land(&mut self, from: Square, to: Square, mover: Kind) {
        let target = self.position.cell(to);
        if target.is_empty() {
            self.quiet(from, to, mover);
        } else if TACTICAL && target.is_enemy_of(self.us) {
            self.capture(from, to, mover);
        }
    }

    #[inline(always)]
    fn quiet(&mut self, from: Square, to: Square, mover: Kind) {
        if TACTICAL && self.may_promote(from, to, mover, false) {
            (self.found)(Move::new(from, to, true));
        }
        if QUIET {
            (self.found)(Move::new(from, to, false));
        }
    }

    #[inline(always)]
    fn capture(&mut self, from: Square, to: Square, mover: Kind) {
        if self.position.cell(to).kind().is_lion()
            && self.ban(from, mover, None, to, to).is_some()
        {
            return;
        }
        if self.may_promote(from, to, mover, true) {
            (self.found)(Move::new(from, to, true));
        }
        (self.found)(Move::new(from, to, false));
    }

    #[inline(always)]
    fn two_step(&mut self, from: Square, direction: usize, to: Square, mover: Kind) {
        let position = self.position;
        let (mid, end) = (from.step(direction), position.cell(to));
        if to != from && end.blocks(self.us) {
            return;
        }
        if to == from && position.igui_by(from, mid).any(|rival| rival < from) {
            return;
        }
        let mid_ban = position.cell(mid).kind().is_lion()
            && self.ban(from, mover, Some(mid), to, mid).is_some();
        let end_ban = to != from
            && end.kind().is_lion()
            && self.ban(from, mover, Some(mid), to, to).is_some();
        if !mid_ban && !end_ban {
            (self.found)(Move::two_step(from, direction, to));
        }
    }

    #[cold]
    fn ban(
        &self,
        from: Square,
        mover: Kind,
        mid: Option<Square>,
        to: Square,
        fallen: Square,
    ) -> Option<LionBan> {
        self.position.ban_on(from, mover, mid, to, fallen)
    }

    #[inline(always)]
    fn may_promote(&self, from: Square, to: Square, mover: Kind, captures: bool) -> bool {
        let (start, end) = (self.us.relative_rank(from), self.us.relative_rank(to));
        (start < 4 || end < 4)
            && promotion_class(mover).is_some_and(|class| {
                self.position.promotion.allows(class, start, end, captures)
            })
    }
}
