//! Overload: what to do with more than one can do.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`saturation`] | what a server still does when it is asked for too much |
//! | [`bounded`] | a buffer with an end, and what happens there: block, refuse, drop |
//! | [`throttle`] | a token bucket that answers 429 with a Retry-After |
//! | [`shedding`] | dropping the least worthy first |
//!
//! Three replies: buffer, and be late; drop, and count it; push back, and slow the sender. Only the
//! last is backpressure.

pub mod bounded;
pub mod saturation;
pub mod shedding;
pub mod throttle;

pub use bounded::{Admission, BoundedBuffer, WhenFull};
pub use saturation::Saturation;
pub use shedding::{Class, Load, Shedding};
pub use throttle::{Rate, Throttled, TokenBucket};
