//! Statistics of a run: what is counted, timed and averaged.
//!
//! Two kinds of average occur in queueing and must not be mixed up. A [`Tally`] averages over
//! observations (the mean wait of a message); a [`TimeWeighted`] averages over time (the mean depth
//! of a queue). Little's law ties them together, and [`Littles`] holds a run to it.

mod histogram;
mod interval;
mod littles;
mod sample;
mod step_series;
mod tally;
mod time_weighted;

pub use histogram::Histogram;
pub use interval::students_t;
pub use littles::{Littles, LittlesCheck};
pub use sample::Sample;
pub use step_series::StepSeries;
pub use tally::Tally;
pub use time_weighted::TimeWeighted;
