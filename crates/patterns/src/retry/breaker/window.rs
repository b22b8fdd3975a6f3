//! Which calls a breaker looks at: the last so many, or those of the last seconds.

use std::collections::VecDeque;

use sim::SimTime;

/// Which calls count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Window {
    /// The last so many calls.
    Calls(u32),
    /// The calls of the last so many whole seconds, the current one included.
    Time(u32),
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sample {
    pub failed: bool,
    pub slow: bool,
}

/// How many calls of which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Counts {
    pub calls: u32,
    pub failed: u32,
    pub slow: u32,
}

/// The calls of a window.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Measures {
    window: Window,
    /// Counts by call or by second, the oldest first, each with its second.
    parts: VecDeque<(u64, Counts)>,
    total: Counts,
}

impl Measures {
    pub fn new(window: Window) -> Self {
        Self { window, parts: VecDeque::new(), total: Counts::default() }
    }

    pub fn window(&self) -> Window {
        self.window
    }

    pub fn record(&mut self, now: SimTime, sample: Sample) {
        let one =
            Counts { calls: 1, failed: u32::from(sample.failed), slow: u32::from(sample.slow) };
        let second = second(now);
        match (self.window, self.parts.back_mut()) {
            (Window::Time(_), Some((newest, counts))) if *newest == second => counts.add(one),
            _ => self.parts.push_back((second, one)),
        }
        self.total.add(one);
        self.drop_old(now);
    }

    pub fn counts(&mut self, now: SimTime) -> Counts {
        self.drop_old(now);
        self.total
    }

    fn drop_old(&mut self, now: SimTime) {
        while let Some((oldest, counts)) = self.parts.front().copied() {
            let old = match self.window {
                Window::Calls(size) => self.parts.len() > size as usize,
                Window::Time(seconds) => oldest + u64::from(seconds) <= second(now),
            };
            if !old {
                break;
            }
            self.parts.pop_front();
            self.total.take(counts);
        }
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.slow += other.slow;
    }

    fn take(&mut self, other: Self) {
        self.calls -= other.calls;
        self.failed -= other.failed;
        self.slow -= other.slow;
    }
}

fn second(now: SimTime) -> u64 {
    now.as_micros() / 1_000_000
}
