//! The ground floor: virtual time, the calendar of events, randomness and statistics.
//!
//! # Map
//!
//! | module | what it is |
//! | --- | --- |
//! | [`SimTime`], [`SimDuration`] | virtual time in whole microseconds |
//! | [`Rank`] | what comes first within one instant |
//! | [`Calendar`] | the future event list |
//! | [`Stream`] | a portable stream of random numbers for one purpose |
//! | [`Times`] | how long things take |
//! | [`Arrivals`], [`ArrivalClock`] | when things come |
//! | [`statistics`] | tallies, means over time, curves, percentiles, Little's law |
//! | [`models`] | textbook stations, to measure and check the engine with |
//!
//! # The promise
//!
//! Everything here is a function of its arguments, the same natively and in WebAssembly, to the
//! last bit: time is integral, the generator is named and its first outputs are held by tests,
//! transcendental functions come from `libm` and not from the platform, and nothing iterates in the
//! order of a hash. Everything that is part of a run's state can be cloned and hashed.
//!
//! # What this crate does not do
//!
//! - It does not know messages, queues or workers; `broker` and `world` bring them.
//! - It does not read or write any format, and has no serde.
//! - It does not look at the wall clock, and does not know how fast a run is played.
//! - It does not start threads, keep globals or ask the system for randomness.

mod arrivals;
mod calendar;
mod exponential;
pub mod models;
mod normal;
mod rank;
mod shares;
pub mod short;
pub mod statistics;
mod stream;
mod time;
mod times;

pub use arrivals::{ArrivalClock, Arrivals, PerSecond, RateError};
pub use calendar::Calendar;
pub use rank::Rank;
pub use shares::Shares;
pub use stream::Stream;
pub use time::{SimDuration, SimTime};
pub use times::{Times, TimesError};
