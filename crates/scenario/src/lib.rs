//! What a run is made of: components, handlers, faults, interventions and properties, read from a
//! document and held to its limits.
//!
//! ```text
//!  JSON text ─(any serde parser)─► wire::Value ─(read)─► Scenario ─► world
//!                                      ▲                    │
//!                    a control changes a value        every mistake at once,
//!                    at a JSON pointer                 with path and repair
//! ```
//!
//! - [`Scenario`] and its parts in `model`, [`Program`] in `program`, [`Action`] in `action`: plain
//!   data, valid by construction through [`Scenario::read`].
//! - [`wire`]: the tree that a document is read into, and the reader that reports everything that
//!   is wrong with it.
//! - [`read`]: from that tree to a scenario. `write`: from an action back to the wire.
//! - [`link`]: a run in an address: seed, changes, interventions, playhead.
//! - [`limits`]: every bound, by name and with its reason.
//!
//! # What this crate does not do
//!
//! It runs nothing. It knows no views, no storage and no network, and it does not know which parser
//! a document came through.

mod action;
mod address;
mod capacity;
mod chance;
mod clock;
mod database;
mod ids;
pub mod limits;
pub mod link;
mod log;
mod model;
mod profile;
mod program;
mod property;
mod queue;
pub mod read;
mod relay;
mod retry;
mod saga;
mod schedule;
mod schema;
mod taking;
mod topic;
pub mod wire;
mod write;

pub use action::{Action, Border, Intervention, Patch, Replacing, RewindTo};
pub use address::Address;
pub use capacity::{Capacity, Throughput, WhenFull};
pub use clock::{Side, Skew};
pub use database::{
    Change, Commit, Comparison, Condition, Database, Does, Keeps, Layout, NewRow, Operand, Place,
    RowLock, Statement, Table, TableRef,
};
pub use ids::{ComponentId, StepIndex, TypeId};
pub use log::{Log, Members, Membership, Partitioning, Reading, Transactions};
pub use model::{
    AckMode, Component, External, Field, Heartbeat, IfCallerDies, Kind, OnError, Payload, Scenario,
    Service, Source, TYPE_FIELD, Target, Workers,
};
pub use profile::Profile;
pub use program::{Act, Branch, Program, Step, When};
pub use property::Property;
pub use queue::{Plain, Queue, Settings, Shown, Unattended};
pub use relay::{Reads, Relay, Rounds, Sharing};
pub use retry::{
    Answers, BreakerSettings, Budget, Caller, Permanent, Retry, Then, Waits, WorkerRetry,
};
pub use saga::{Orchestrator, SagaStep};
pub use schedule::Scheduler;
pub use schema::{Admission, NamedSchema, SchemaId};
pub use taking::{Attempts, Batch, Lanes, Polling, Taking};
pub use topic::{Binding, Exchange, MatchRule, Topic, Unroutable};
