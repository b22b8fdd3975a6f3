//! What the tests share: documents, runs, what a fuzzer feeds, and vectors to replay.
//!
//! The tests themselves are in `tests/tests`, the vectors, with their origins, in `tests/vectors`.

pub mod conformance;
pub mod documents;
pub mod fuzz;
pub mod runs;
