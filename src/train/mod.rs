//! Learning from the engine's own games: making them, keeping them, fitting the evaluation to them.

pub mod calibration;
pub mod checkpoint;
pub mod curves;
pub mod dataset;
pub mod factors;
pub mod games;
pub mod psq;
pub mod quantise;
pub mod samples;
pub mod selfplay;
pub mod strip;
pub mod targets;
pub mod trainer;
