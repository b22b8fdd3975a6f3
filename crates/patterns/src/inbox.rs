//! Idempotent consumers: doing twice what was asked for once, with the effect of once.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`ledger`] | the inbox: which events were handled, by whom, for how long it is remembered |
//! | [`marking`] | when the record is made: with the effect, before it, after it |
//! | [`idempotency`] | idempotency keys at a service: stored replies, recovery points |
//! | [`claim`] | claim, then work: a lock with a time to live and a record afterwards |
//!
//! In a database the ledger is a table whose key is (consumer, event), and the record is an insert
//! that does nothing when the key is there ([`ledger::record`]), in the transaction of the effect.
//! A second delivery then waits for the first to end, and goes ahead only if that one rolled back.

pub mod claim;
pub mod idempotency;
pub mod ledger;
pub mod marking;

pub use claim::{Claim, ClaimDesk};
pub use idempotency::{IdempotencyKeys, Turn};
pub use ledger::{Ledger, Scope, Seen};
pub use marking::{Crash, Effects, Marking};
