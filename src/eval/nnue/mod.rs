//! A small neural network that corrects the piece-square values.
//!
//! Each side looks at the board from its own edge, mirrored so that its king stands on the left half. What it sees are
//! [`features`]: which piece of whom stands where. A first layer adds up one row of weights for each of them in an
//! accumulator of `H` columns a side ([`accumulator`]); the columns are clipped to 0 … 1, squared, and summed with weights
//! that depend on who is to move and on how many pieces are left ([`layers`]). The sum is in centipawns for the side to
//! move, and is added to what [`super::material`] says.
//!
//! All numbers are whole, so that every machine computes the same.

pub mod accumulator;
pub mod features;
pub mod file;
pub mod layers;

use std::fmt;
use std::sync::{Arc, LazyLock};

pub use accumulator::Accumulators;
pub use file::NetworkError;
use layers::{TILE, Tile};

use super::score::Score;
use crate::board::Position;

/// How many sets of output weights there are, for different numbers of pieces.
pub const BUCKETS: usize = 8;
/// What a column of the accumulator is when it is 1.
pub const ONE: i16 = 255;
/// The largest size of an output weight: with it, a column times a weight fits in 16 bits.
pub const MOST_OUTPUT: i16 = 128;
/// How many pieces a full board has.
pub const MOST_PIECES: usize = 92;

/// The output weights that a position with so many pieces is judged by.
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces * BUCKETS / (MOST_PIECES + 1);
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}

/// The numbers of a network, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    /// The start of an accumulator, a number a column.
    pub biases: Vec<i16>,
    /// A row of columns for each feature.
    pub weights: Vec<i16>,
    /// For each bucket a row for the side to move and one for the other.
    pub output: Vec<i16>,
    /// A number for each bucket, added to the sum.
    pub output_biases: [i32; BUCKETS],
    /// By what the sum is divided to give centipawns.
    pub divisor: i32,
}

/// A network that is known to be of the right shape, and never to overflow.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    biases: Vec<Tile>,
    weights: Vec<Tile>,
    output: Vec<Tile>,
    output_biases: [i32; BUCKETS],
    divisor: i32,
}

impl Network {
    /// Makes a network of its numbers.
    ///
    /// # Errors
    ///
    /// They have no shape that is supported, or a position exists where a sum of them overflows.
    pub fn new(numbers: &Numbers) -> Result<Network, NetworkError> {
        file::check(numbers)?;
        Ok(Network {
            biases: layers::tiles(&numbers.biases),
            weights: layers::tiles(&numbers.weights),
            output: layers::tiles(&numbers.output),
            output_biases: numbers.output_biases,
            divisor: numbers.divisor,
        })
    }

    /// The network that is built in, if there is one; read when it is first asked for.
    pub fn built_in() -> Option<&'static Arc<Network>> {
        /// The bytes of its file; `None` for piece-square values alone.
        const FILE: Option<&[u8]> = Some(include_bytes!("default.nnue"));
        static NETWORK: LazyLock<Option<Arc<Network>>> =
            LazyLock::new(|| FILE.and_then(|file| Network::from_bytes(file).ok().map(Arc::new)));
        NETWORK.as_ref()
    }

    /// How many columns a side's accumulator has.
    pub fn columns(&self) -> usize {
        self.biases.len() * TILE
    }

    /// What the network adds to the piece-square values of a position, for the side to move, in centipawns; everything
    /// is computed from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        let pieces = position.pieces().count();
        Accumulators::new(self, position, 0).score(0, position, pieces)
    }

    /// The sum of the last layer in centipawns.
    fn output(&self, own: &[Tile], other: &[Tile], pieces: usize) -> Score {
        let (bucket, width) = (bucket(pieces), self.biases.len());
        let weights = &self.output[2 * bucket * width..][..2 * width];
        (layers::output(own, other, weights) + self.output_biases[bucket]) / self.divisor
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network of {} columns", self.columns())
    }
}
