//! Short polling asks some of the servers that a standard queue is spread over, and may miss what is
//! on offer elsewhere; long polling asks them all.
//!
//! The API reference says so without figures (`ReceiveMessage`: "a weighted random set of machines is
//! sampled"), and leaves it to the caller to ask again. Here the caller draws the sample; without
//! one, every poll sees everything.

/// The servers that a short poll asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    servers: u32,
    asked: u64,
}

impl Sample {
    /// Of `servers` servers (1 to 64), those whose bit is set in `asked` are asked; `None` if there
    /// are too few or too many. Messages lie on the servers in turn, in the order in which they came
    /// into the queue.
    #[must_use]
    pub const fn new(servers: u32, asked: u64) -> Option<Self> {
        if servers == 0 || servers > u64::BITS {
            return None;
        }
        Some(Self { servers, asked })
    }

    pub(super) fn sees(self, order: u64) -> bool {
        self.asked >> (order % u64::from(self.servers)) & 1 == 1
    }
}
