//! Databases in a world: what handlers and relays do in them, and who waits for whom. Every rule
//! about rows, locks and the write-ahead log is in `patterns::database`.
//!
//! ```text
//!   handler ─ begin ─▶ session ─ statement ─▶ database ─ done ──────▶ the next line
//!                         │                      │ held by another      ▲
//!                         │                      └──── waits ── resumed ┘
//!                         ├─ commit ────▶ the effects of its lines count
//!                         └─ the end of the handler, or its death: rolled back
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `state` | what a database is made of |
//! | `session` | the transactions that a handler has open |
//! | `statement` | statements: what they say, what they come to, waiting and going on |
//! | `commit` | commits, each for itself or in two phases, and what is in doubt |
//! | `disk` | what slots hold back of the write-ahead log, and when that fills the disk |
//! | `value` | from what a scenario says to what is in a row, and back |

mod commit;
mod disk;
mod session;
mod state;
mod statement;
mod value;

pub(crate) use commit::InDoubt;
pub(crate) use session::Session;
pub(crate) use state::User;
pub use state::{DatabaseState, TableState};
