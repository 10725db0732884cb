//! Move generation and legality by the rules of movement, promotion and lion trading (rules §2–5).

use super::illegal::Illegal;
use super::lion::LionBan;
use super::moves::{Move, MoveList};
use super::pattern::{PATTERNS, Pattern, promotion_class};
use super::piece::{Color, Kind, Piece, Reach, Slot};
use super::position::Position;
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
        let us = self.turn();
        let mut walk = Visit::<TACTICAL, QUIET, _> {
            position: self,
            us,
            found,
            passer: None,
        };
        for &from in self.seats(us) {
            if from != Square::NOWHERE {
                walk.piece(from);
            }
        }
        if QUIET && let Some(passer) = walk.passer {
            (walk.found)(Move::pass(passer));
        }
    }

    /// Calls `found` for each move of the piece on a square, which belongs to the side to move, but its pass.
    pub(super) fn visit_piece(&self, from: Square, found: impl FnMut(Move)) {
        Visit::<true, true, _> {
            position: self,
            us: self.turn(),
            found,
            passer: None,
        }
        .piece(from);
    }

    /// Whether the piece on a square could capture something if its side were to move.
    pub(super) fn can_capture(&self, from: Square, us: Color) -> bool {
        let mut captures = false;
        let found = |m: Move| {
            let mid = m.mid().is_some();
            captures |= mid || self.cell(m.to()).is_enemy_of(us);
        };
        Visit::<true, false, _> {
            position: self,
            us,
            found,
            passer: None,
        }
        .piece(from);
        captures
    }

    /// The first piece, by square, that may pass for the side to move.
    fn passer(&self) -> Option<Square> {
        let candidates = self.seats(self.turn()).iter().copied();
        candidates
            .filter(|&square| self.first_empty_step(square).is_some())
            .min()
    }

    /// The first adjacent empty square, clockwise from north, that a piece with lion power may step to and back
    /// from; what a pass of it is spelt with.
    pub fn first_empty_step(&self, square: Square) -> Option<Square> {
        let slot = self.cell(square);
        if !slot.kind().has_lion_power() {
            return None;
        }
        let lion_power = |&d: &usize| matches!(slot.reach(d), Reach::Lion | Reach::Double);
        (0..8)
            .filter(lion_power)
            .map(|d| square.step(d))
            .find(|&step| self.cell(step).is_empty())
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

    /// Whether the rules offer promotion for a legal move, taken or declined (rules §4).
    pub fn may_promote(&self, m: Move) -> bool {
        let us = self.turn();
        let (start, end) = (us.relative_rank(m.from()), us.relative_rank(m.to()));
        let captures = m.to() != m.from() && !self.cell(m.to()).is_empty();
        m.mid().is_none()
            && promotion_class(self.cell(m.from()).kind())
                .is_some_and(|class| self.promotion.allows(class, start, end, captures))
    }

    /// Checks a move by rules §2–5.
    ///
    /// # Errors
    ///
    /// What is wrong with the move.
    pub fn check(&self, m: Move) -> Result<(), Illegal> {
        let (from, us) = (m.from(), self.turn());
        let mover = self.cell(from);
        if !mover.is_of(us) {
            return Err(if mover.is_empty() {
                Illegal::NoPiece
            } else {
                Illegal::OtherSide
            });
        }
        if m.is_pass() {
            let possible = !m.promotes() && self.first_empty_step(from).is_some();
            return if possible {
                Ok(())
            } else {
                Err(Illegal::NoPass)
            };
        }
        match m.mid_direction() {
            Some(direction) => self.check_two_steps(m, mover, direction)?,
            None => self.check_one_step(m, mover)?,
        }
        if m.promotes() && !self.may_promote(m) {
            return Err(Illegal::Promotion);
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
        if between.is_empty() {
            Err(Illegal::NothingBetween)
        } else {
            Ok(())
        }
    }

    fn check_one_step(&self, m: Move, mover: Slot) -> Result<(), Illegal> {
        let (from, to) = (m.from(), m.to());
        if self.cell(to).blocks(self.turn()) {
            return Err(Illegal::OwnPiece);
        }
        let distance = from.distance(to);
        let Some(direction) = from.line_to(to) else {
            let leaps = distance == 2 && mover.kind().is_lion();
            return if leaps { Ok(()) } else { Err(Illegal::Reach) };
        };
        let reaches = match mover.reach(direction) {
            Reach::No => false,
            Reach::Step => distance == 1,
            Reach::Slide => true,
            Reach::Jump => distance == 2,
            Reach::Double | Reach::Lion => distance <= 2,
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

/// A walk over the moves of pieces of `us`, which need not be to move.
struct Visit<'a, const TACTICAL: bool, const QUIET: bool, F: FnMut(Move)> {
    position: &'a Position,
    us: Color,
    found: F,
    /// The first piece, by square, that was found able to pass.
    passer: Option<Square>,
}

/// The piece whose moves are walked.
#[derive(Clone, Copy)]
struct Mover {
    from: Square,
    kind: Kind,
    promotion: Option<u8>,
    /// The directions in which it may promote without capturing, at least.
    promising: u8,
}

/// The directions that lead into the promotion zone from outside, as bits, by side.
const FORWARD: [u8; 2] = [0b1000_0011, 0b0011_1000];

impl<const TACTICAL: bool, const QUIET: bool, F: FnMut(Move)> Visit<'_, TACTICAL, QUIET, F> {
    /// All moves of the piece on a square but its pass, which is noted.
    #[inline(always)]
    fn piece(&mut self, from: Square) {
        let kind = self.position.cell(from).kind();
        let pattern = &PATTERNS[self.us.index()][kind.index() & 63];
        let mover = Mover {
            from,
            kind,
            promotion: pattern.promotion,
            promising: self.promising(from, pattern),
        };
        for d in pattern.steps.iter() {
            self.land(mover, d, from.step(d));
        }
        for d in pattern.slides.iter() {
            self.slide(mover, d);
        }
        for d in pattern.jumps.iter() {
            self.land(mover, d, from.leap(d));
        }
        if !pattern.doubles.is_empty() {
            self.lion_power(mover, pattern);
        }
    }

    /// The directions in which a piece may promote without capturing, at least.
    #[inline(always)]
    fn promising(&self, from: Square, pattern: &Pattern) -> u8 {
        // A step or a jump reaches no farther.
        let near = if pattern.slides.is_empty() { 6 } else { 12 };
        match self.us.relative_rank(from) {
            _ if pattern.promotion.is_none() => 0,
            ..4 => 0xFF,
            rank if rank < near => FORWARD[self.us.index()],
            _ => 0,
        }
    }

    #[inline(always)]
    fn slide(&mut self, mover: Mover, direction: usize) {
        let mut to = mover.from.step(direction);
        if QUIET || mover.promising >> direction & 1 != 0 {
            while self.position.cell(to).is_empty() {
                self.quiet(mover, to);
                to = to.step(direction);
            }
        } else {
            while self.position.cell(to).is_empty() {
                to = to.step(direction);
            }
        }
        if TACTICAL && self.position.cell(to).is_enemy_of(self.us) {
            self.capture(mover, to);
        }
    }

    #[inline(always)]
    fn lion_power(&mut self, mover: Mover, pattern: &Pattern) {
        let from = mover.from;
        let mut may_pass = false;
        for d in pattern.doubles.iter() {
            let (near, second) = (from.step(d), from.leap(d));
            self.land(mover, d, near);
            self.land(mover, d, second);
            if pattern.lion {
                self.land(mover, d, from.knight(d));
            }
            may_pass |= self.position.cell(near).is_empty();
            if TACTICAL && self.position.cell(near).is_enemy_of(self.us) {
                self.two_step(mover, d, from);
                if !pattern.lion {
                    self.two_step(mover, d, second);
                    continue;
                }
                for onward in (0..8).filter(|&onward| onward != d ^ 4) {
                    self.two_step(mover, d, near.step(onward));
                }
            }
        }
        if may_pass {
            self.passer = Some(self.passer.map_or(from, |first| first.min(from)));
        }
    }

    /// A move to a square, in a direction or nearly so.
    #[inline(always)]
    fn land(&mut self, mover: Mover, direction: usize, to: Square) {
        let target = self.position.cell(to);
        if target.is_empty() {
            if QUIET || mover.promising >> direction & 1 != 0 {
                self.quiet(mover, to);
            }
        } else if TACTICAL && target.is_enemy_of(self.us) {
            self.capture(mover, to);
        }
    }

    #[inline(always)]
    fn quiet(&mut self, mover: Mover, to: Square) {
        if TACTICAL && self.may_promote(mover, to, false) {
            (self.found)(Move::new(mover.from, to, true));
        }
        if QUIET {
            (self.found)(Move::new(mover.from, to, false));
        }
    }

    #[inline(always)]
    fn capture(&mut self, mover: Mover, to: Square) {
        if self.position.cell(to).kind().is_lion() && self.ban(mover, None, to, to).is_some() {
            return;
        }
        if self.may_promote(mover, to, true) {
            (self.found)(Move::new(mover.from, to, true));
        }
        (self.found)(Move::new(mover.from, to, false));
    }

    fn two_step(&mut self, mover: Mover, direction: usize, to: Square) {
        let (position, from) = (self.position, mover.from);
        let (mid, end) = (from.step(direction), position.cell(to));
        if to != from && end.blocks(self.us) {
            return;
        }
        if to == from && position.igui_by(from, mid).any(|rival| rival < from) {
            return;
        }
        let mid_ban =
            position.cell(mid).kind().is_lion() && self.ban(mover, Some(mid), to, mid).is_some();
        let end_ban =
            to != from && end.kind().is_lion() && self.ban(mover, Some(mid), to, to).is_some();
        if !mid_ban && !end_ban {
            (self.found)(Move::two_step(from, direction, to));
        }
    }

    #[cold]
    fn ban(
        &self,
        mover: Mover,
        mid: Option<Square>,
        to: Square,
        fallen: Square,
    ) -> Option<LionBan> {
        self.position
            .ban_on(mover.from, mover.kind, mid, to, fallen)
    }

    #[inline(always)]
    fn may_promote(&self, mover: Mover, to: Square, captures: bool) -> bool {
        mover.promotion.is_some_and(|class| {
            let (start, end) = (self.us.relative_rank(mover.from), self.us.relative_rank(to));
            (start < 4 || end < 4) && self.position.promotion.allows(class, start, end, captures)
        })
    }
}
