//! Redis, as far as locks and work queues need it: keys with a time to live, lists with clients
//! that wait, streams with consumer groups.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`keyspace`] | `SET NX PX`, compare and delete, compare and expire: a lock |
//! | [`lists`] | `LPUSH`, `RPOP`, `LMOVE` and their blocking forms: a queue, with or without a safety net |
//! | [`streams`] | `XADD`, `XREADGROUP`, `XACK`, `XAUTOCLAIM`: a log with a list of what is pending |
//!
//! Keys, words and clients are numbered by the caller. Held to scripts recorded on Redis 7.0.15
//! (`redis_recorded.json`); the rules are those of <https://redis.io/docs/latest/commands/>.

pub mod keyspace;
pub mod lists;
pub mod streams;

pub use keyspace::{Expiry, Keyspace, Present, SetRefusal, SetRequest};
pub use lists::{End, Lists, Popped, Wait};
pub use streams::{EntryId, Group, Pending, Stream};
