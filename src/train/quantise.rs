//! Whole numbers for a trained network.

use super::strip::{BIASES, COLUMNS, output_row};
use super::trainer::Model;
use crate::eval::nnue::{BUCKETS, MOST_OUTPUT, Numbers, ONE, features};

/// The size of the largest output weight.
const LARGEST: f32 = MOST_OUTPUT as f32 - 1.0;

/// The network in whole numbers; `scale` is how many centipawns its outputs are multiples of.
pub fn quantise(model: &Model, scale: f32) -> Numbers {
    let one = f32::from(ONE);
    let row = |row: usize, unit: f32| {
        let strips = model.strips.iter();
        let values = strips.flat_map(move |strip| strip.parameters.values[row].0);
        values.map(move |value| libm::roundf(value * unit) as i16)
    };
    let weights = |feature: usize| {
        let strips = model.strips.iter();
        let values = strips.flat_map(move |strip| strip.weights[feature].0);
        values.map(move |value| libm::roundf(value * one) as i16)
    };
    let outputs = || (0..2 * BUCKETS).map(|n| output_row(n / 2, n % 2));
    // The largest weight takes all the room that there is.
    let output = model
        .strips
        .iter()
        .flat_map(|strip| outputs().flat_map(|row| strip.parameters.values[row].0));
    let largest = output.fold(0.01, |largest: f32, weight| largest.max(weight.abs()));
    let most = largest_unit(model.strips.len() * COLUMNS);
    let unit = (LARGEST / largest).min(most);
    let biases = &model.head.values[0];
    Numbers {
        biases: row(BIASES, one).collect(),
        weights: (0..features::COUNT).flat_map(weights).collect(),
        output: outputs().flat_map(|n| row(n, unit)).collect(),
        output_biases: std::array::from_fn(|n| libm::roundf(biases[n] * one * one * unit) as i32),
        divisor: libm::roundf(one * one * unit / scale).max(1.0) as i32,
    }
}

/// Beyond it nothing is gained, and sums of many columns come near the end of their range.
fn largest_unit(columns: usize) -> f32 {
    65_536.0 / columns as f32
}
