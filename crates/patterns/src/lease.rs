//! Leases: locks that lapse, and how one runner is chosen among several.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`grant`] | a lease server: who holds it, until when, with which fencing token |
//! | [`election`] | leader election over a shared record, as Kubernetes' clients do it |
//! | [`fence`] | a resource that refuses who comes with an outdated token |
//!
//! A lease cannot keep two from acting at once: its holder may stop (a collection of garbage, a
//! paused machine), not notice that its time has passed, and go on. Only the resource itself can
//! refuse it: Martin Kleppmann, "How to do distributed locking", 2016
//! (<https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html>).

pub mod election;
pub mod fence;
pub mod grant;

pub use election::{ElectionRecord, Elector, Role};
pub use fence::{Fence, FencedResource, WriteAnswer};
pub use grant::{FencingToken, Lease, LeaseServer};
