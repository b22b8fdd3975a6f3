//! Fairness: how one tenant's million messages do not become everyone's wait.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`lanes`] | which lane is served next: strictly by rank, or by weight |
//! | [`shards`] | shuffle sharding: each tenant on a few of many queues |

pub mod lanes;
pub mod shards;

pub use lanes::{Lanes, Priority};
pub use shards::Shards;
