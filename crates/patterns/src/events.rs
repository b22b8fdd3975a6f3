//! Event sourcing: the log of what happened is the truth, and state is what one makes of it.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`store`] | streams of events, appended to by whoever has seen the last one |
//! | [`projection`] | a view kept by reading events, some time behind |
//! | [`schema`] | versions of what events look like, and who can read whom |
//!
//! Martin Fowler, "Event Sourcing", 2005 (<https://martinfowler.com/eaaDev/EventSourcing.html>);
//! Greg Young's expected version, as in EventStoreDB's `ExpectedVersion`.

pub mod projection;
pub mod schema;
pub mod store;

pub use projection::{Freshness, Projection, Visible};
pub use schema::{Compatibility, Incompatible, Schema};
pub use store::{AppendError, EventStore, Expected, Recorded};
