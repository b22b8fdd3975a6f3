//! The outbox: an event is written into the same database, in the same transaction, as the change
//! that it tells of, and published from there.
//!
//! Without it, a change and its event are two writes with a crash between them ([`dual_write`]).
//! With it the worst is a late event or one told twice; consumers take the second away by its id.
//! Chris Richardson, *Microservices Patterns* (2018), §3.3; and
//! <https://microservices.io/patterns/data/transactional-outbox.html>.
//!
//! ```text
//!   business                  outbox                 relay                      broker
//!   ────────                  ──────                 ─────                      ──────
//!   begin
//!   insert order
//!   insert event ───────────▶ id 7, not published
//!   commit
//!                                      ◀──────────── poll
//!                                                    publish 7 ───────────────▶ stored
//!                                      ◀──────────── mark 7 published; commit
//! ```
//!
//! A crash of the relay between *publish* and *commit* publishes 7 again.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`table`] | the outbox table: its columns, its statements, its age |
//! | [`relay`] | a polling relay, by one of three cursors |
//! | [`capture`] | change data capture: a relay that reads the write-ahead log |
//! | [`dual_write`] | what the outbox is against: two writes, in both orders, and every crash |

pub mod capture;
pub mod dual_write;
pub mod relay;
pub mod table;

pub use capture::{Capture, Captured};
pub use relay::{Claim, Cursor, Poll, Relay};
pub use table::{Entry, Outbox};
