//! A run in hand: advance it, move the playhead, branch, and see any moment of it as plain data.
//!
//! ```text
//!  Scenario ─► Player ── advance ──► the whole run: trace, snapshots
//!                │ seek, step          │
//!                ▼                     ▼
//!              Frame (one moment)    Series, Life, Verdict (all of it)
//! ```
//!
//! - [`Player`] owns a run. It is computed once and kept; seeking goes on from the nearest of at
//!   most 64 snapshots. An intervention at the playhead drops what lies after it.
//! - [`Frame`] is everything that a view may draw at one moment, [`Series`] one gauge over the
//!   whole run, [`Life`] one message over the whole run, [`Verdict`] what came of a property.
//!
//! - [`sweep::Sweep`] runs a scenario under many seeds and says how gauges and lines are spread.
//!
//! - For scripts there is a run as a tree of plain values: [`Player::describe_frame`] and its kin.
//!
//! # What this crate does not do
//!
//! It knows no Yew, no DOM and no clock on the wall: how much virtual time has passed is an
//! argument. It has no words for a person; it hands out facts.

mod describe;
mod frame;
mod gauge;
mod life;
mod measure;
mod player;
mod project;
mod snapshots;
mod spans;
pub mod sweep;
mod upset;
mod verdict;

pub use frame::{
    ComponentFrame, CourierFrame, DatabaseFrame, Errand, ExternalFrame, Frame, GroupFrame,
    GroupStanding, Holding, InFlight, InForce, LATEST, LaneFrame, LogFrame, MessageFrame,
    MessageState, OrchestratorFrame, QueueFrame, RECENT, ReadingFrame, RelayFrame, RowFrame,
    RunFrame, SHOWN, SagaFrame, SchedulerFrame, ServiceFrame, Share, SourceFrame, TableFrame,
    Travel, TravelKind, Unsent, WorkerFrame, WorkerState, WorkersFrame, fraction,
};
pub use gauge::{Gauge, Level, SLICES, Seen, Series};
pub use life::{GroupLife, GroupStretch, GroupStretchKind, Life, Mark, Stretch, StretchKind};
pub use measure::Latencies;
pub use player::{Player, Progress};
pub use spans::{About, Spans};
pub use upset::{Upset, UpsetCause};
pub use verdict::{Finding, Verdict};
