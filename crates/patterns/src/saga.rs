//! Sagas: a transaction across services as a chain of local ones, each with an act that makes up
//! for it.
//!
//! Hector Garcia-Molina and Kenneth Salem, "Sagas", SIGMOD 1987; Richardson, *Microservices
//! Patterns* (2018), ch. 4: *compensable* steps first, then a *pivot* after which there is no way
//! back, then *retriable* steps that must succeed in the end. There is no isolation: others see what
//! lies between.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`definition`] | the steps, their kinds, their compensations |
//! | [`orchestrator`] | one conductor that asks, waits, retries and undoes |
//! | [`participant`] | a service that acts and compensates by key, with tombstones |
//! | [`choreography`] | no conductor: services that react to each other's events |
//! | [`status`] | a state machine on the entity, moved by conditional updates |
//! | [`two_phase`] | two-phase commit: what a saga does without |
//!
//! ```text
//!   running ──▶ T1 ──▶ T2 ──▶ … ──▶ pivot ──▶ … ──▶ Tn ──▶ completed
//!                │      │             │              └ retried until they succeed
//!                └──────┴── failed ───┘
//!                             │
//!                             ▼
//!               compensating: Ck−1 … C2, C1 ──▶ compensated
//!                             │
//!                             └ a compensation gives up ──▶ stuck
//! ```

pub mod choreography;
pub mod definition;
pub mod orchestrator;
pub mod participant;
pub mod status;
pub mod two_phase;

pub use definition::{Compensation, Definition, DefinitionError, Step, StepKind};
pub use orchestrator::{Command, Orchestrator, Progress, Reply};
pub use participant::{Participant, Tombstones};
