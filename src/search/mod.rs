//! Alpha-beta search: from a position and limits to a report.
//!
//! [`Pool`] owns what lives from one search to the next; [`Pool::search`] blocks until the limits, or a [`Signals`]
//! from another thread, end it.

mod clock;
mod correction;
mod history;
mod limits;
mod pages;
pub mod params;
mod picker;
mod pool;
mod prune;
mod quiescence;
mod root;
mod see;
mod tree;
mod tt;
mod worker;

pub use limits::{ClockLimits, Limits, Signals};
pub use pool::{Pool, STACK};
pub use root::{Cutoffs, Info, Report};
pub use see::{exchange, loses_more_than};
pub use tt::Table;
