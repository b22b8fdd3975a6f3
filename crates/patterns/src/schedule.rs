//! Schedules: work at an hour, not upon an event.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`civil`] | dates and times of day, and moments of Unix time |
//! | [`zone`] | a handful of time zones by rule, with their daylight saving |
//! | [`cron`] | cron expressions, and when they are due next |
//! | [`overlap`] | what happens when a run is due while another is running |
//! | [`catch_up`] | what happens to runs that fell into a time when nobody looked |
//! | [`scheduler`] | all of it over virtual time |
//! | [`delayed`] | work at a moment: a table of jobs and a poller |
//!
//! ```text
//!   cron + zone ──▶ due ──▶ catch-up ──▶ overlap policy ──┬─▶ start
//!                                                         ├─▶ buffer, until the run ends
//!                                                         ├─▶ cancel the run, then start
//!                                                         └─▶ skip
//! ```

pub mod catch_up;
pub mod civil;
pub mod cron;
pub mod delayed;
pub mod overlap;
pub mod scheduler;
pub mod zone;

pub use civil::{Civil, Date, UnixTime};
pub use cron::{Cron, CronError, Dialect};
pub use delayed::{DelayedJobs, JobId};
pub use overlap::Overlap;
pub use scheduler::{Clock, Scheduler};
pub use zone::Zone;
