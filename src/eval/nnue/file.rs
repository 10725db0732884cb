//! Files of networks: a header, the numbers, and a checksum, low bytes first.

use thiserror::Error;

use super::layers::TILE;
use super::{BUCKETS, MOST_OUTPUT, MOST_PIECES, Network, Numbers, ONE, features};
use crate::eval::material;

const MAGIC: &[u8; 8] = b"SKJnnue1";
/// Magic, columns, buckets, one, divisor, base.
const HEADER: usize = 8 + 5 * 4;
/// The most columns that an accumulator may have.
const MOST_COLUMNS: usize = 1024;

/// Why something is no network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It does not begin like a network's file.
    #[error("no network file, or one of another version")]
    Magic,
    /// It is shorter or longer than its header says.
    #[error("{found} bytes instead of {expected}")]
    Size {
        /// What the header promises.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// The numbers of columns, buckets or rows are not supported.
    #[error("a network of a shape that is not supported: {0}")]
    Shape(String),
    /// Bytes were damaged.
    #[error("damaged: wrong checksum")]
    Checksum,
    /// It corrects piece-square values that are not those of this program.
    #[error("made for other piece-square values than the built-in ones")]
    Base,
    /// Sums of its numbers do not fit.
    #[error("numbers so large that {0} may overflow")]
    Overflow(&'static str),
}

/// Refuses numbers of a wrong shape, and numbers whose sums may overflow.
pub(super) fn check(numbers: &Numbers) -> Result<(), NetworkError> {
    let columns = numbers.biases.len();
    let shape = |what: String| Err(NetworkError::Shape(what));
    if columns == 0 || !columns.is_multiple_of(TILE) || columns > MOST_COLUMNS {
        return shape(format!("{columns} columns"));
    }
    if numbers.weights.len() != features::COUNT * columns {
        return shape(format!("{} weights", numbers.weights.len()));
    }
    if numbers.output.len() != 2 * BUCKETS * columns {
        return shape(format!("{} output weights", numbers.output.len()));
    }
    if numbers.divisor < 1 {
        return shape(format!("a divisor of {}", numbers.divisor));
    }
    // A full board of the largest weights of a column.
    let mut largest = vec![0; columns];
    for row in numbers.weights.chunks_exact(columns) {
        for (largest, weight) in largest.iter_mut().zip(row) {
            *largest = weight.unsigned_abs().max(*largest);
        }
    }
    let fits = |(&largest, bias): (&u16, &i16)| {
        usize::from(largest) * MOST_PIECES + usize::from(bias.unsigned_abs()) <= i16::MAX as usize
    };
    if !largest.iter().zip(&numbers.biases).all(fits) {
        return Err(NetworkError::Overflow("an accumulator"));
    }
    let in_range = |weight: &i16| (-MOST_OUTPUT..=MOST_OUTPUT).contains(weight);
    if !numbers.output.iter().all(in_range) {
        return Err(NetworkError::Overflow("a product"));
    }
    let rows = numbers.output.chunks_exact(2 * columns);
    for (row, bias) in rows.zip(numbers.output_biases) {
        let sum: i64 = row.iter().map(|weight| i64::from(weight.abs())).sum();
        let most = sum * i64::from(ONE) * i64::from(ONE) + i64::from(bias.unsigned_abs());
        if most > i64::from(i32::MAX) {
            return Err(NetworkError::Overflow("the output"));
        }
    }
    Ok(())
}

/// How many bytes a network of so many columns takes.
const fn size(columns: usize) -> usize {
    let numbers = columns * (1 + features::COUNT + 2 * BUCKETS);
    HEADER + 2 * numbers + 4 * BUCKETS + 4
}

impl Numbers {
    /// The bytes of a network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size(self.biases.len()));
        bytes.extend(MAGIC);
        bytes.extend((self.biases.len() as u32).to_le_bytes());
        bytes.extend((BUCKETS as u32).to_le_bytes());
        bytes.extend(u32::from(ONE.unsigned_abs()).to_le_bytes());
        bytes.extend(self.divisor.to_le_bytes());
        bytes.extend(material::fingerprint().to_le_bytes());
        for number in self.biases.iter().chain(&self.weights).chain(&self.output) {
            bytes.extend(number.to_le_bytes());
        }
        for bias in self.output_biases {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The numbers in the bytes of a network's file.
    ///
    /// # Errors
    ///
    /// They are no such file, a damaged one, or one for another program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Numbers, NetworkError> {
        let Some(header) = bytes.strip_prefix(MAGIC) else {
            return Err(NetworkError::Magic);
        };
        let (header, _) = header.as_chunks();
        let [columns, buckets, one, divisor, base, ..] = *header else {
            return Err(NetworkError::Size {
                expected: size(TILE),
                found: bytes.len(),
            });
        };
        let [columns, buckets, one] =
            [columns, buckets, one].map(|word| u32::from_le_bytes(word) as usize);
        if columns == 0 || columns > MOST_COLUMNS || buckets != BUCKETS || one != ONE as usize {
            let shape = format!("{columns} columns, {buckets} buckets, scale {one}");
            return Err(NetworkError::Shape(shape));
        }
        if bytes.len() != size(columns) {
            return Err(NetworkError::Size {
                expected: size(columns),
                found: bytes.len(),
            });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(content).to_le_bytes() != checksum {
            return Err(NetworkError::Checksum);
        }
        if u32::from_le_bytes(base) != material::fingerprint() {
            return Err(NetworkError::Base);
        }
        let mut rest = &content[HEADER..];
        let mut take = |count: usize| -> Vec<i16> {
            let (head, tail) = rest.split_at(2 * count);
            rest = tail;
            let (pairs, _) = head.as_chunks();
            pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
        };
        let mut numbers = Numbers {
            biases: take(columns),
            weights: take(features::COUNT * columns),
            output: take(2 * BUCKETS * columns),
            output_biases: [0; BUCKETS],
            divisor: i32::from_le_bytes(divisor),
        };
        let (words, _) = rest.as_chunks();
        for (bias, &word) in numbers.output_biases.iter_mut().zip(words) {
            *bias = i32::from_le_bytes(word);
        }
        Ok(numbers)
    }
}

impl Network {
    /// The network in the bytes of a file.
    ///
    /// # Errors
    ///
    /// They are no such file, a damaged one, one for another program, or one whose numbers overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::new(&Numbers::from_bytes(bytes)?)
    }
}
