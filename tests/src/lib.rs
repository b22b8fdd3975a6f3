//! What the tests share: documents, runs, what a fuzzer feeds, vectors to replay; and the programs
//! behind the verbs `run`, `conform`, `lint` and `import`.
//!
//! The tests themselves are in `tests/tests`, the vectors, with their origins, in `tests/vectors`.
//!
//! What this crate does not do: it ships nothing, and no other crate may use it.

pub mod command;
pub mod conformance;
pub mod databases;
pub mod documents;
pub mod fuzz;
pub mod import;
pub mod lint;
pub mod logs;
pub mod rabbits;
pub mod reading;
pub mod runs;
