//! Goodput past saturation: a server that is asked for more than it can do does *less* than it can,
//! since refusing takes work, too.
//!
//! # The model
//!
//! In each slice of time the server is offered `n` requests and can do `c`:
//!
//! ```text
//!   served(n) = n                                    for n ≤ c
//!             = max(floor · c, c − waste · (n − c))  for n > c
//! ```
//!
//! `waste` is the work that a refused request costs, as a share of that of a served one, and `floor`
//! a least that is always served. It is a model of ours: the shape is that of "goodput" in *Site
//! Reliability Engineering* (Beyer et al., 2016), ch. 22, "Server Overload", where throughput rises
//! to a peak and falls; the two numbers are not measured anywhere. A waste of 100 % and a floor of
//! 25 % give the course's retry storm (20 in 100 ms, never fewer than 5).

/// What a server does under any load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Saturation {
    /// How much it can do in a slice of time.
    pub capacity: u32,
    /// What a refused request costs, in hundredths of a served one. 0 for a server that refuses for
    /// free.
    pub waste_percent: u32,
    /// What is always served, in hundredths of the capacity.
    pub floor_percent: u32,
}

impl Saturation {
    /// How many of so many requests in one slice are served.
    #[must_use]
    pub fn served(self, offered: u32) -> u32 {
        if offered <= self.capacity {
            return offered;
        }
        let hundredths = |part: u32, percent: u32| u64::from(part) * u64::from(percent) / 100;
        let wasted = hundredths(offered - self.capacity, self.waste_percent);
        let floor = hundredths(self.capacity, self.floor_percent);
        u64::from(self.capacity).saturating_sub(wasted).max(floor) as u32
    }

    /// The same with a part of the capacity gone, as in a brownout.
    #[must_use]
    pub const fn at_percent(self, percent: u32) -> Self {
        let capacity = (self.capacity as u64 * percent as u64 / 100) as u32;
        Self { capacity, ..self }
    }
}
