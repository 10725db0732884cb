//! Matches between engines: ours in this process, and others over USI and CECP.
//!
//! A [`Match`] plays a [`Schedule`] of games with our rules core as the referee and appends each finished game to a result
//! file; a [`Report`] says what any number of result files mean.

mod adjudicate;
mod game;
mod log;
mod openings;
mod player;
mod report;
mod results;
mod runner;
mod schedule;
mod spec;
pub mod stats;
mod tune;

pub use adjudicate::{Adjudication, Draw, Resign, leader};
pub use game::Conduct;
pub use openings::{Openings, RandomOpenings, read_games};
pub use player::rules;
pub use report::{Meeting, Report, Wdl};
pub use results::{Fault, GameRecord, GameResult, MatchRecord, Results, read};
pub use runner::{Match, News};
pub use schedule::{Fixture, Format, Schedule, Shard};
pub use spec::{EngineSpec, Speaks, parse_all};
pub use tune::{Knob, PlayRound, Round, Setting, TunePlan, Tuning};
