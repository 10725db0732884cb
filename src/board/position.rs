//! A position with its history: making and taking back moves.

use std::fmt;

use super::change::{Change, NO_VICTIM, Victim};
use super::illegal::Illegal;
use super::moves::Move;
use super::outcome::Outcome;
use super::piece::{Color, Kind, Piece, Slot};
use super::rules::{LionTrade, PromotionTable, Rules};
use super::setup::{Setup, SetupError};
use super::square::Square;
use super::tally::TALLY;
use super::zobrist;

/// What a move changes that cannot be computed back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) key: u64,
    /// Royals, live pieces and counting pieces of each side, a byte each (see [`TALLY`]).
    pub(super) tally: [u32; 2],
    /// Where the side to move just lost a lion to a non-lion.
    pub(super) lion_fell: Option<Square>,
    /// Plies since the last capture, promotion, pawn or lance move, or the start.
    pub(super) reversible_plies: u16,
}

/// A move made, with what it takes to go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Made {
    /// The state before the move.
    pub(super) before: State,
    pub(super) change: Change,
    /// `None` for a null move.
    pub(super) made: Option<Move>,
}

/// A position under a set of rules, with the moves that led to it.
///
/// ```
/// use sakijishi::board::{Position, Rules};
/// use sakijishi::notation::sfen;
/// let mut position = Position::new(&sfen::start(), Rules::default()).unwrap();
/// let first = position.moves()[0];
/// position.play(first).unwrap();
/// position.unmake();
/// assert_eq!(position.moves().len(), 36);
/// ```
#[derive(Clone)]
pub struct Position {
    cells: [Slot; 256],
    /// The seat of the piece on a cell.
    seat_of: [u8; 256],
    /// The squares of each side's pieces; a captured piece leaves its seat empty. Kings, princes and elephants come
    /// first.
    seats: [[Square; 256]; 2],
    seated: [u8; 2],
    royal_seats: [u8; 2],
    pub(super) state: State,
    turn: Color,
    ply: u32,
    pub(super) history: Vec<Made>,
    rules: Rules,
    pub(super) promotion: PromotionTable,
    /// Which sides can lose by having no royal: those that started with one.
    had_royal: [bool; 2],
}

impl Position {
    /// Makes a position of a setup.
    ///
    /// # Errors
    ///
    /// Every reason why the setup is no position.
    pub fn new(setup: &Setup, rules: Rules) -> Result<Position, Vec<SetupError>> {
        let errors = setup.errors();
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut cells = [Slot::EDGE; 256];
        for square in Square::all() {
            cells[square.cell()] = Slot::EMPTY;
        }
        let mut position = Position {
            cells,
            seat_of: [0; 256],
            seats: [[Square::NOWHERE; 256]; 2],
            seated: [0; 2],
            royal_seats: [0; 2],
            state: State {
                key: 0,
                tally: [0; 2],
                lion_fell: None,
                reversible_plies: 0,
            },
            turn: setup.turn,
            ply: setup.move_number.saturating_sub(1),
            history: Vec::with_capacity(512),
            rules,
            promotion: PromotionTable::new(&rules),
            had_royal: [false; 2],
        };
        let may_reign = |piece: Piece| piece.kind().is_royal() || piece.kind() == Kind::ELEPHANT;
        for royal in [true, false] {
            for (square, piece) in setup.pieces().filter(|&(_, p)| may_reign(p) == royal) {
                let side = piece.color().index();
                let seat = position.seated[side];
                position.seated[side] += 1;
                position.royal_seats[side] += royal as u8;
                position.put(square, piece.into(), seat);
            }
        }
        position.had_royal = Color::BOTH.map(|color| position.royal_count(color) > 0);
        if setup.turn == Color::White {
            position.state.key ^= zobrist::white_to_move();
        }
        position.set_lion_fell(setup.lion_fell);
        Ok(position)
    }

    /// What the position looks like now, without its history.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in Square::all() {
            setup.set(square, self.piece(square));
        }
        setup.turn = self.turn;
        setup.lion_fell = self.state.lion_fell;
        setup.move_number = self.ply.saturating_add(1);
        setup
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// How many plies of the game have been played, by the move number.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// A number that is the same for the same position: board, side to move, counter-strike ban (rules §7).
    pub fn key(&self) -> u64 {
        self.state.key
    }

    /// The key computed from scratch; always equal to [`Position::key`].
    pub fn computed_key(&self) -> u64 {
        let pieces = self
            .pieces()
            .map(|(square, piece)| zobrist::piece(piece.into(), square));
        let mut key = pieces.fold(0, |key, number| key ^ number);
        if self.turn == Color::White {
            key ^= zobrist::white_to_move();
        }
        key ^ self.ban_key(self.state.lion_fell)
    }

    /// The key after a move that captures and promotes nothing.
    pub(super) fn key_after_reversible(&self, m: Move) -> u64 {
        let mover = self.cell(m.from());
        self.state.key
            ^ zobrist::piece(mover, m.from())
            ^ zobrist::piece(mover, m.to())
            ^ zobrist::white_to_move()
            ^ self.ban_key(self.state.lion_fell)
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.cells[square.cell()].piece()
    }

    /// All pieces with their squares, 12a … 1l.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| self.piece(square).map(|piece| (square, piece)))
    }

    /// Where the side to move lost a lion to a non-lion on the previous move (rules §5.3).
    pub fn lion_fell(&self) -> Option<Square> {
        self.state.lion_fell
    }

    /// Plies since the last capture, promotion, pawn or lance move, or the start.
    pub fn reversible_plies(&self) -> u32 {
        self.state.reversible_plies.into()
    }

    /// The moves made on this position since it was made, oldest first; null moves are left out.
    pub fn moves_made(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.history.iter().filter_map(|entry| entry.made)
    }

    /// The move that led here, if one was made.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last().and_then(|entry| entry.made)
    }

    /// How many moves, null moves included, can be taken back.
    pub fn made(&self) -> usize {
        self.history.len()
    }

    pub(crate) fn cell(&self, square: Square) -> Slot {
        self.cells[square.cell()]
    }

    pub(super) fn cells(&self) -> &[Slot; 256] {
        &self.cells
    }

    /// The squares of a side's pieces, in the order of their seats; [`Square::NOWHERE`] where one was captured.
    pub(super) fn seats(&self, color: Color) -> &[Square] {
        &self.seats[color.index()][..usize::from(self.seated[color.index()])]
    }

    /// The squares of a side's royals.
    pub fn royals(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        let candidates = &self.seats[color.index()][..usize::from(self.royal_seats[color.index()])];
        candidates
            .iter()
            .copied()
            .filter(|&square| self.cell(square).kind().is_royal())
    }

    /// The squares of a side's drunk elephants that may still become princes.
    pub(super) fn elephants(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        let candidates = &self.seats[color.index()][..usize::from(self.royal_seats[color.index()])];
        candidates
            .iter()
            .copied()
            .filter(|&square| self.cell(square).kind() == Kind::ELEPHANT)
    }

    /// The royal whose capture ends the game: a side's only one.
    pub fn last_royal(&self, color: Color) -> Option<Square> {
        if self.royal_count(color) == 1 {
            self.royals(color).next()
        } else {
            None
        }
    }

    /// Whether a side has lost the last of its royals. A side that never had one cannot.
    pub fn has_lost_royals(&self, color: Color) -> bool {
        self.royal_count(color) == 0 && self.had_royal[color.index()]
    }

    fn put(&mut self, square: Square, slot: Slot, seat: u8) {
        let side = slot.index() >> 7 & 1;
        self.cells[square.cell()] = slot;
        self.seat_of[square.cell()] = seat;
        self.seats[side][usize::from(seat)] = square;
        self.state.key ^= zobrist::piece(slot, square);
        self.state.tally[side] += TALLY[slot.index() & 127][square.cell() >> 4];
    }

    fn take(&mut self, square: Square) -> u8 {
        let slot = self.cells[square.cell()];
        let side = slot.index() >> 7 & 1;
        let seat = self.seat_of[square.cell()];
        self.cells[square.cell()] = Slot::EMPTY;
        self.seats[side][usize::from(seat)] = Square::NOWHERE;
        self.state.key ^= zobrist::piece(slot, square);
        self.state.tally[side] -= TALLY[slot.index() & 127][square.cell() >> 4];
        seat
    }

    /// Puts a piece back or lifts it, leaving the state to be restored as a whole.
    fn reseat(&mut self, square: Square, slot: Slot, seat: u8) {
        self.cells[square.cell()] = slot;
        self.seat_of[square.cell()] = seat;
        self.seats[slot.index() >> 7 & 1][usize::from(seat)] = square;
    }

    pub(super) fn ban_key(&self, fell: Option<Square>) -> u64 {
        match fell {
            Some(square) if self.rules.lion_trade != LionTrade::None => zobrist::lion_fell(square),
            _ => 0,
        }
    }

    fn set_lion_fell(&mut self, fell: Option<Square>) {
        if self.state.lion_fell != fell {
            self.state.key ^= self.ban_key(self.state.lion_fell) ^ self.ban_key(fell);
            self.state.lion_fell = fell;
        }
    }

    /// Makes a move that is known to be legal, and says what it changed.
    pub fn make(&mut self, m: Move) -> Change {
        let (from, to, us) = (m.from(), m.to(), self.turn);
        let before = self.state;
        let mover = self.cell(from);
        let mut change = Change {
            mover,
            from,
            lands: mover,
            to,
            victims: [NO_VICTIM; 2],
        };
        let mut fell = None;
        let mut reversible = !m.promotes() && mover.kind() != Kind::PAWN;
        reversible &= mover.kind() != Kind::LANCE;
        let seat = self.take(from);
        for (step, square) in [m.mid(), Some(to)].into_iter().enumerate() {
            let Some(square) = square else { continue };
            let slot = self.cell(square);
            if slot.is_enemy_of(us) {
                change.victims[step] = Victim {
                    square,
                    slot,
                    seat: self.take(square),
                };
                reversible = false;
                if slot.kind().is_lion() && !mover.kind().is_lion() {
                    fell = Some(square);
                }
            }
        }
        if m.promotes()
            && let Some(promoted) = mover.kind().promoted()
        {
            change.lands = Piece::new(us, promoted).into();
        }
        self.put(to, change.lands, seat);
        self.set_lion_fell(fell);
        self.state.reversible_plies = if reversible {
            self.state.reversible_plies.saturating_add(1)
        } else {
            0
        };
        self.end_turn();
        self.history.push(Made {
            before,
            change,
            made: Some(m),
        });
        change
    }

    /// Lets the side to move do nothing, which no rule forbids but the need of a piece that can pass.
    pub fn make_null(&mut self) {
        let before = self.state;
        self.set_lion_fell(None);
        self.state.reversible_plies = 0;
        self.end_turn();
        self.history.push(Made {
            before,
            change: Change::NONE,
            made: None,
        });
    }

    fn end_turn(&mut self) {
        self.turn = !self.turn;
        // The number of the first move may be any that fits.
        self.ply = self.ply.wrapping_add(1);
        self.state.key ^= zobrist::white_to_move();
    }

    /// Takes the last move or null move back; nothing happens if there is none.
    pub fn unmake(&mut self) -> Option<Move> {
        let Made {
            before,
            change,
            made,
        } = self.history.pop()?;
        self.turn = !self.turn;
        self.ply = self.ply.wrapping_sub(1);
        self.state = before;
        if made.is_some() {
            let seat = self.seat_of[change.to.cell()];
            self.cells[change.to.cell()] = Slot::EMPTY;
            for victim in change.victims {
                if !victim.slot.is_empty() {
                    self.reseat(victim.square, victim.slot, victim.seat);
                }
            }
            self.reseat(change.from, change.mover, seat);
        }
        made
    }

    /// Plays a move after checking it by every rule, repetition and the end of the game included.
    ///
    /// # Errors
    ///
    /// Why the move may not be played; the position is then unchanged.
    pub fn play(&mut self, m: Move) -> Result<Change, Illegal> {
        match self.outcome() {
            Outcome::Playing => {}
            outcome => return Err(Illegal::GameOver(outcome)),
        }
        self.check(m)?;
        if self.repetition_forbids(m) {
            return Err(Illegal::Repetition);
        }
        Ok(self.make(m))
    }
}

impl PartialEq for Position {
    /// Equal down to the seats, so that moves are listed in the same order, and to the history.
    fn eq(&self, other: &Position) -> bool {
        let seat_of = |position: &Position, square: Square| {
            position
                .piece(square)
                .map(|piece| (piece, position.seat_of[square.cell()]))
        };
        Square::all().all(|square| seat_of(self, square) == seat_of(other, square))
            && self.seats == other.seats
            && (self.state, self.turn, self.ply) == (other.state, other.turn, other.ply)
            && self.history == other.history
            && self.rules == other.rules
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("pieces", &self.pieces().collect::<Vec<_>>())
            .field("turn", &self.turn)
            .field("ply", &self.ply)
            .field("state", &self.state)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
