//! The arithmetic of the layers: plain loops over tiles of columns, compiled for several instruction sets, the best of
//! which is chosen when the program runs. All of them give the same numbers.

use multiversion::multiversion;

use super::ONE;

/// How many columns are computed at a time.
pub const TILE: usize = 32;

/// Some neighbouring columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Tile(pub [i16; TILE]);

/// The columns as tiles; what is left over is dropped.
pub(super) fn tiles(columns: &[i16]) -> Vec<Tile> {
    columns
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| Tile(chunk))
        .collect()
}

/// Fills a target with a source plus the rows of some features minus those of others.
///
/// Sums wrap, so that a board with more pieces than a game has gives some number, and the same one by every way.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub fn update(
    target: &mut [Tile],
    source: &[Tile],
    weights: &[Tile],
    added: &[u16],
    removed: &[u16],
) {
    let width = target.len();
    for (n, target) in target.iter_mut().enumerate() {
        let mut sum = source[n].0;
        for &feature in added {
            let row = &weights[usize::from(feature) * width + n].0;
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_add(row[i]);
            }
        }
        for &feature in removed {
            let row = &weights[usize::from(feature) * width + n].0;
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_sub(row[i]);
            }
        }
        target.0 = sum;
    }
}

/// The sum of squared, clipped columns times their weights: first those of the side to move, then the other's.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub fn output(own: &[Tile], other: &[Tile], weights: &[Tile]) -> i32 {
    let mut sums = [0i32; TILE];
    for (n, weights) in weights.iter().enumerate() {
        let columns = match n.checked_sub(own.len()) {
            None => &own[n].0,
            Some(n) => &other[n].0,
        };
        for i in 0..TILE {
            let clipped = columns[i].clamp(0, ONE);
            // The product fits in 16 bits, which leaves the compiler one instruction for the rest.
            let product = clipped.wrapping_mul(weights.0[i]);
            sums[i] = sums[i].wrapping_add(i32::from(product) * i32::from(clipped));
        }
    }
    sums.iter().fold(0, |sum, &part| sum.wrapping_add(part))
}
