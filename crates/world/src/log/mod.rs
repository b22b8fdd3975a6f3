//! Logs in a world: producers that retry, groups that read, and what a rebalance or a crash makes of
//! the work in hand. Every rule about records, members and offsets is in `broker::log`.
//!
//! ```text
//!   publisher ─ append ─▶ ┌───────────┐ ─ poll ─▶ member ─ handed over ─▶ worker
//!        ▲                │ partitions│              ▲                      │
//!        └─ retry ────────┤ groups    │◀─ heartbeat ─┘◀──── commit ─────────┘
//!                         └───────────┘
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `state` | what a log and its groups are made of |
//! | `append` | publishing, confirms that get lost, retries |
//! | `poll` | members: polls, heartbeats, coming and going |
//! | `leave` | shutting down in order |
//! | `replica` | followers, and what is gone when one takes over |
//! | `tell` | what happened in a group, as trace events |
//! | `settle` | commits, giving back |
//! | `work` | what became of a record's work, group by group |
//! | `share` | groups whose members take single records |
//! | `transaction` | what is published and committed together |
//! | `upkeep` | retention, cleaning, more partitions, rewinding |
//!
//! An idle worker is inside a poll that waits: it is back at once when there is something to read,
//! or when its group has been divided anew. That a rebalance is on it learns from its heartbeat, as
//! the client does; a worker with records in hand, from its next poll.

mod append;
mod leave;
mod poll;
mod replica;
mod settle;
mod share;
mod state;
mod tell;
mod transaction;
mod upkeep;
mod work;

pub use state::{Coordination, GroupState, LogState, MemberState, Place};
