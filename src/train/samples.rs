//! Positions to train a network with, a few bytes a piece.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use super::games::Sample;
use super::selfplay::result_for;
use super::targets::{Targets, sigmoid, teaches};
use crate::board::{Color, Kind, Piece, Position, Square};
use crate::eval::material;
use crate::eval::nnue::bucket;
use crate::eval::nnue::features::{self, View};

/// One game in this many is kept for validation.
const VALIDATION: usize = 33;

/// A position, without its features.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Where its features begin among those of its game.
    start: u32,
    pieces: u8,
    /// Whether White moves, and whether Black's and White's views are mirrored, a bit each.
    views: u8,
    /// The piece-square score for the side to move, in centipawns.
    base: i16,
    /// The expected result for the side to move.
    target: f32,
    /// The result for the side to move.
    result: f32,
}

/// The positions of a game.
struct GamePoints {
    /// Black's features as they are without mirroring, position after position.
    features: Vec<u16>,
    points: Vec<Point>,
}

/// Which game, and which position of it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    game: u32,
    point: u32,
}

/// Positions of many games, split by game into those to learn from and those to check with.
pub struct Samples {
    games: Vec<GamePoints>,
    /// Where the positions to learn from are.
    pub training: Vec<Place>,
    /// Where the positions to check with are.
    pub validation: Vec<Place>,
    /// Features of other views by those of Black's unmirrored one.
    views: [[Vec<u16>; 2]; 2],
}

impl Samples {
    /// Picks the positions that teach an evaluation, from sets of games with a way to make targets for each.
    ///
    /// # Errors
    ///
    /// There are none to learn from, or none to check with.
    pub fn new(sets: &[(Vec<Sample>, Targets)]) -> Result<Samples> {
        let games = sets.par_iter().flat_map(|(games, targets)| {
            let games = games.par_iter();
            games.map(move |game| points(game, targets))
        });
        let games: Vec<GamePoints> = games.collect::<Result<_>>()?;
        let (mut training, mut validation) = (Vec::new(), Vec::new());
        for (game, points) in games.iter().enumerate() {
            let part = match game % VALIDATION {
                0 => &mut validation,
                _ => &mut training,
            };
            part.extend((0..points.points.len()).map(|point| Place {
                game: game as u32,
                point: point as u32,
            }));
        }
        ensure!(
            !training.is_empty() && !validation.is_empty(),
            "no positions to learn from"
        );
        Ok(Samples {
            games,
            training,
            validation,
            views: Color::BOTH.map(|color| [false, true].map(|mirrored| view(color, mirrored))),
        })
    }

    /// The mean squared error of the piece-square values alone on some positions.
    pub fn piece_square_error(&self, places: &[Place], scale: f32) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for place in places {
            let point = &self.games[place.game as usize].points[place.point as usize];
            let expected = sigmoid(f32::from(point.base) / scale);
            for (sum, target) in sums.iter_mut().zip([point.target, point.result]) {
                *sum += f64::from(expected - target).powi(2);
            }
        }
        sums.map(|sum| sum / places.len() as f64)
    }

    /// Puts the positions at some places into a batch.
    pub fn fill(&self, places: &[Place], batch: &mut Batch) {
        batch.clear();
        for place in places {
            let game = &self.games[place.game as usize];
            let point = &game.points[place.point as usize];
            let features = &game.features[point.start as usize..][..usize::from(point.pieces)];
            let turn = usize::from(point.views & 1);
            for (half, side) in [turn, 1 - turn].into_iter().enumerate() {
                let mirrored = usize::from(point.views >> (1 + side) & 1);
                let view = &self.views[side][mirrored];
                let seen = features.iter().map(|&feature| view[usize::from(feature)]);
                batch.features[half].extend(seen);
            }
            batch.rows.push(Row {
                end: batch.features[0].len(),
                bucket: bucket(usize::from(point.pieces)),
                base: f32::from(point.base),
                target: point.target,
                result: point.result,
            });
        }
    }
}

fn points(sample: &Sample, targets: &Targets) -> Result<GamePoints> {
    let mut position = sample.position()?;
    let expected = targets.of_game(sample)?;
    let (mut features, mut points) = (Vec::new(), Vec::new());
    let plain = View::new(Color::Black, false);
    for (&(m, score), black) in sample.moves.iter().zip(expected) {
        if teaches(&position, m, score) {
            let start = features.len();
            features.extend(plain.features(&position));
            let turn = position.turn();
            points.push(Point {
                start: start as u32,
                pieces: (features.len() - start) as u8,
                views: views(&position),
                base: material::Accumulator::new(&position).score(turn) as i16,
                target: match turn {
                    Color::Black => black,
                    Color::White => 1.0 - black,
                },
                result: result_for(sample.winner, turn),
            });
        }
        position.make(m);
    }
    features.shrink_to_fit();
    points.shrink_to_fit();
    Ok(GamePoints { features, points })
}

/// Who moves and which views are mirrored, as in [`Point::views`].
fn views(position: &Position) -> u8 {
    let mirrored = Color::BOTH.map(|color| View::of(color, position).is_mirrored());
    position.turn().index() as u8 | u8::from(mirrored[0]) << 1 | u8::from(mirrored[1]) << 2
}

/// The features of a view by those of Black's unmirrored one.
fn view(color: Color, mirrored: bool) -> Vec<u16> {
    let (plain, view) = (View::new(Color::Black, false), View::new(color, mirrored));
    let mut table = vec![0; features::COUNT];
    for color in Color::BOTH {
        for piece in Kind::all().map(|kind| Piece::new(color, kind)) {
            for square in Square::all() {
                let feature = plain.feature(piece, square);
                table[usize::from(feature)] = view.feature(piece, square);
            }
        }
    }
    table
}

/// A position of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Where its features end; they begin where those of the row before end.
    pub end: usize,
    /// Which output weights it is judged by, below [`crate::eval::nnue::BUCKETS`].
    pub bucket: usize,
    /// The piece-square score for the side to move, in centipawns.
    pub base: f32,
    /// The expected result for the side to move.
    pub target: f32,
    /// The result for the side to move.
    pub result: f32,
}

/// Positions in the form that the trainer computes with.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The features of all rows, as the side to move and as the other one sees them.
    pub features: [Vec<u16>; 2],
    /// The positions.
    pub rows: Vec<Row>,
}

impl Batch {
    fn clear(&mut self) {
        self.features.iter_mut().for_each(Vec::clear);
        self.rows.clear();
    }
}
