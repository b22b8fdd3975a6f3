//! Lanes: separate queues, and which of them is served next.
//!
//! Strict priority starves the lower lanes as long as the higher ones have work. Weights share the
//! work out: the smooth weighted round-robin of nginx
//! (`nginx/nginx:src/http/ngx_http_upstream_round_robin.c`), among the lanes that have any.

/// How the next lane is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Priority {
    /// The first that has work.
    Strict,
    /// In turn, each as often as its weight.
    Weighted,
}

/// Chooses lanes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lanes {
    priority: Priority,
    /// For each lane: its weight, and what it is owed.
    lanes: Vec<(u32, i64)>,
}

impl Lanes {
    /// Lanes with these weights, the most urgent first.
    #[must_use]
    pub fn new(priority: Priority, weights: &[u32]) -> Self {
        Self { priority, lanes: weights.iter().map(|weight| (*weight, 0)).collect() }
    }

    /// The lane to be served next, of those that have work.
    pub fn next(&mut self, has_work: impl Fn(usize) -> bool) -> Option<usize> {
        if self.priority == Priority::Strict {
            return (0..self.lanes.len()).find(|lane| has_work(*lane));
        }
        let mut total = 0;
        let mut best: Option<usize> = None;
        for lane in 0..self.lanes.len() {
            if !has_work(lane) {
                // Who has nothing to do saves nothing up.
                self.lanes[lane].1 = 0;
                continue;
            }
            let (weight, owed) = &mut self.lanes[lane];
            *owed += i64::from(*weight);
            total += i64::from(*weight);
            let owed = *owed;
            if best.is_none_or(|best| owed > self.lanes[best].1) {
                best = Some(lane);
            }
        }
        self.lanes[best?].1 -= total;
        best
    }
}
