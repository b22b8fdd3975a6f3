//! A scenario come alive: components wired over the calendar.
//!
//! ```text
//!            Plan (faults and interventions, by time)
//!              │
//!  Scenario ─► World ── step() ──► Trace (what happened, in order)
//!              │  ▲
//!    parts: source, service, queue, workers, external
//!              │  └── events come due ◄─┐
//!              └────── schedules ─► Calendar
//! ```
//!
//! - [`World`] holds the state of a run between two events. It can be cloned and hashed, which is
//!   what seeking back, branching and comparing rest on.
//! - [`Plan`] is what is done to the run; it lies outside the world, so that a copy of a world can
//!   go on under another plan.
//! - [`Trace`] is the record. [`What`] is the one vocabulary of events.
//! - `taking` is where workers and brokers meet: whoever stores and hands out does so behind it.
//! - `activity` runs handlers, line by line, whoever has them run: a worker or a request.
//! - `database` is what handlers do in databases: transactions, waiting for rows, commits.
//! - `source`, `service`, `worker`, `external` and `queue` each hold the rules of one kind of
//!   component, as handlers of its calendar events; `process` and `fault` are what breaks.
//!
//! # Order within an instant
//!
//! Finishing work and acks come first, then timers that run out, then arrivals, then hand-outs to
//! idle workers, then interventions. An ack that reaches the broker in the very microsecond in
//! which the visibility timeout ends is therefore honoured.
//!
//! # What this crate does not do
//!
//! It knows no JSON, no views, no playback speed and no wall clock, and it decides nothing that a
//! broker decides: every rule about messages is in `broker`.

mod access;
mod activity;
mod armed;
mod asking;
mod batch;
mod build;
mod capacity;
mod clock;
mod database;
mod decode;
mod external;
mod fault;
mod follow;
mod log;
mod message;
mod outcome;
mod parts;
mod process;
mod queue;
mod relay;
mod request;
mod retry;
mod saga;
mod scaling;
mod schedule;
mod service;
mod slab;
mod source;
mod spare;
mod taking;
mod text;
mod topic;
mod trace;
mod typed;
mod worker;
mod world;

pub use activity::{Activity, Progress};
pub use batch::Item;
pub use database::{DatabaseState, TableState};
pub use fault::Plan;
pub use log::{Coordination, GroupState, LogState, MemberState, Place};
pub use message::{Message, Messages};
pub use parts::{
    Brownout, Call, Caller, ExternalState, Fate, Hands, Instance, Part, Phase, Process, QueueState,
    ServiceState, SourceState, Worker, WorkersState,
};
pub use queue::{Counts, Hidden};
pub use relay::{Courier, Doing, RelayState};
pub use request::{Origin, Reply, Request, RequestPhase};
pub use saga::{Direction, OrchestratorState, Saga, SagaEnd, Standing};
pub use schedule::{Clerk, Run, SchedulerState};
pub use taking::{Delivery, Receipt};
pub use text::write_trace;
pub use topic::TopicState;
pub use trace::{
    BreakerState, Cause, Death, Did, Ending, Expulsion, GroupId, LineId, Outcome, Reason, Refusal,
    Scope, Trace, TraceEvent, What, WorkerId,
};
pub use world::World;

use scenario::Field;
