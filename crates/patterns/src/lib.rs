//! Patterns of messaging as pure state machines: what stands around a broker so that work is done
//! once, in order, in time, and in full.
//!
//! # Map
//!
//! | module | what it is |
//! | --- | --- |
//! | [`retry`] | failure classes, backoff and jitter, budgets, circuit breaker, layers |
//! | [`database`] | transactions, row locks, conflicts, sequences, the write-ahead log |
//! | [`outbox`] | polling relays, change data capture, the dual write that they are against |
//! | [`inbox`] | the ledger of handled events, idempotency keys, claim-then-work |
//! | [`lease`] | leases, leader election, fencing tokens |
//! | [`redis`] | keys with a time to live, lists and streams, for locks and queues |
//! | [`saga`] | orchestrated, choreographed, by status; two-phase commit |
//! | [`schedule`] | cron in time zones, overlap, catch-up, delayed jobs |
//! | [`ordering`] | sequence numbers, gaps, resequencing |
//! | [`tracing`] | trace context, spans and links |
//! | [`events`] | event sourcing, projections, schema compatibility |
//! | [`overload`] | saturation, bounded buffers, throttling, shedding |
//! | [`autoscale`] | workers by depth, by backlog a worker, by age |
//! | [`fairness`] | lanes by rank or weight, shuffle sharding |
//!
//! # How a message is done once
//!
//! ```text
//!      business row ─┐                                          ┌─ effect
//!                    ├─ one transaction          one transaction ┤
//!      outbox row  ──┘                                          └─ ledger row
//!          │                                                        ▲
//!          ▼                                                        │
//!       relay ──▶ publish ──▶ queue ──▶ deliver ──▶ seen before? ───┤ no
//!          │         ▲                     ▲             │          ▼
//!          └─ crash ─┘ again               │             │ yes     ack
//!                                          │             ▼
//!                                       retry ◀── failed? transient     permanent ──▶ dead letter
//! ```
//!
//! Each machine has its own diagram at the top of its module.
//!
//! # The manner
//!
//! A machine takes `now`, returns what happened, and says with `next_deadline` when its `advance`
//! has something to do; what it cannot know it is told. Randomness is a [`sim::Stream`] that is
//! handed in. All state can be cloned, compared and hashed, and holds no floating-point number.
//!
//! # What this crate does not do
//!
//! - It has no clock, schedules nothing and starts nothing: a pause is not being called.
//! - It sends no messages: a relay hands out what is to be published, a saga what is to be asked.
//! - It reads and writes no format but the two that are part of a pattern, cron expressions and
//!   `traceparent`.
//! - It holds words, payloads and names as numbers that the caller has given out.
//! - It is no database server: one isolation level (READ COMMITTED), keys of two parts, no joins, no
//!   foreign keys, no indexes to choose from, no vacuum, and deadlocks found at once.
//! - It is no time zone database: ten zones, by their present rules.
//! - Its redis is one node: nothing is lost to a failover here.

pub mod autoscale;
pub mod database;
pub mod events;
pub mod fairness;
pub mod inbox;
pub mod lease;
pub mod ordering;
pub mod outbox;
pub mod overload;
pub mod redis;
pub mod retry;
pub mod saga;
pub mod schedule;
pub mod tracing;
