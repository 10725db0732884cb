//! Front ends: protocols spoken over text streams.
//!
//! Text comes from outside: nothing in this room panics on any input.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod cecp;
mod command;
mod debug;
mod inbox;
mod log;
mod reader;
mod reply;
pub mod usi;

pub use command::{Command, Go, PositionText};
pub use reply::{Bestmove, InfoLine, NotThis, OptionLine};
