#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod board;
pub mod engine;
pub mod eval;
pub mod notation;
pub mod search;
