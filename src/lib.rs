#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![forbid(unsafe_code)]
// The rooms stand in the order in which they may use each other.
#![cfg_attr(rustfmt, rustfmt_skip)]

pub mod board;
pub mod notation;
pub mod picture;
pub mod eval;
pub mod mate;
pub mod search;
pub mod engine;
pub mod analysis;
pub mod protocol;
pub mod arena;
pub mod train;
pub mod cli;
