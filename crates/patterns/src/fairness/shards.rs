//! Shuffle sharding: each tenant gets a few of many queues, so that hardly anyone shares them all
//! with a noisy one.
//!
//! Colm MacCárthaigh, "Workload isolation using shuffle-sharding", Amazon Builders' Library
//! (<https://aws.amazon.com/builders-library/workload-isolation-using-shuffle-sharding/>): with 8
//! queues and 2 for each tenant there are 28 hands.

use sim::Stream;

/// Hands of `size` queues out of `queues`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shards {
    queues: u32,
    size: u32,
}

impl Shards {
    /// Hands of so many queues out of so many; no more than there are.
    #[must_use]
    pub fn new(queues: u32, size: u32) -> Self {
        Self { queues, size: size.min(queues) }
    }

    /// The queues of a tenant, in order: the same for the same seed, whoever else there is.
    #[must_use]
    pub fn of(self, seed: u64, tenant: u64) -> Vec<u32> {
        let mut stream = Stream::new(seed, "shuffle sharding", tenant);
        let mut queues: Vec<u32> = (0..self.queues).collect();
        for place in 0..self.size as usize {
            let other = place as u64 + stream.below(u64::from(self.queues) - place as u64);
            queues.swap(place, other as usize);
        }
        queues.truncate(self.size as usize);
        queues.sort_unstable();
        queues
    }

    /// How many different hands there are.
    #[must_use]
    pub fn hands(self) -> u64 {
        choose(u64::from(self.queues), u64::from(self.size))
    }

    /// How likely two tenants share exactly so many queues.
    #[must_use]
    pub fn odds_of_sharing(self, shared: u32) -> f64 {
        let (queues, size) = (u64::from(self.queues), u64::from(self.size));
        let Some(apart) = size.checked_sub(u64::from(shared)) else { return 0.0 };
        let ways = choose(size, u64::from(shared)) * choose(queues - size, apart);
        ways as f64 / self.hands() as f64
    }
}

fn choose(from: u64, count: u64) -> u64 {
    if count > from {
        return 0;
    }
    (0..count).fold(1, |ways, place| ways * (from - place) / (place + 1))
}
