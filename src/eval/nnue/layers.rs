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
    for (n, (target, source)) in target.iter_mut().zip(source).enumerate() {
        let mut sum = source.0;
        for &feature in added {
            let row = &weights[usize::from(feature) * width + n].0;
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for &feature in removed {
            let row = &weights[usize::from(feature) * width + n].0;
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        target.0 = sum;
    }
}

/// The sum of squared, clipped columns times their weights: first those of the side to move, then the other's.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub fn output(own: &[Tile], other: &[Tile], weights: &[Tile]) -> i32 {
    let mut sum = 0i32;
    for (tile, weights) in own.iter().chain(other).zip(weights) {
        for (&column, &weight) in tile.0.iter().zip(&weights.0) {
            let clipped = column.clamp(0, ONE);
            // The product fits in 16 bits, which leaves the compiler one instruction for the rest.
            let product = clipped.wrapping_mul(weight);
            sum = sum.wrapping_add(i32::from(product) * i32::from(clipped));
        }
    }
    sum
}
