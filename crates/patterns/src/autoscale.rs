//! Autoscaling: how many workers there should be, by what the queue looks like.
//!
//! A rule on *depth* has no idea of time: it adds while a backlog that is already melting is still
//! deep, and takes away when it is gone; workers that take a minute to start make it swing. A rule
//! on *backlog a worker* says how many are needed: Amazon's "Scaling based on Amazon SQS"
//! (<https://docs.aws.amazon.com/autoscaling/ec2/userguide/as-using-sqs-queue.html>), acceptable
//! backlog a worker = acceptable latency / time for one message. A rule on *age* adds while the
//! oldest message is late.

use std::collections::VecDeque;

use sim::{SimDuration, SimTime};

/// What the number of workers follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// Add `step` above one depth, take `step` away below another.
    Depth {
        /// Add above so many messages.
        above: u64,
        /// Take away below so many.
        below: u64,
        /// How many at a time.
        step: u32,
    },
    /// As many as keep the backlog of each at its acceptable size, and never fewer than the arrivals
    /// need.
    BacklogPerWorker {
        /// How many messages a worker may have before it.
        acceptable: u64,
        /// How busy arrivals alone may keep the workers, in percent: below 100, or a backlog never
        /// melts.
        utilization_percent: u32,
    },
    /// Add `step` while the oldest message is older than one age, take `step` away when it is younger
    /// than another.
    Age {
        /// Add above this age.
        above: SimDuration,
        /// Take away below this.
        below: SimDuration,
        /// How many at a time.
        step: u32,
    },
}

/// The settings of a scaler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// What it follows.
    pub signal: Signal,
    /// The fewest workers.
    pub min: u32,
    /// The most: what lies behind them has its limits, too.
    pub max: u32,
    /// The time between two looks.
    pub period: SimDuration,
    /// How long a new worker takes to start.
    pub start_up: SimDuration,
    /// How long it does nothing after a change.
    pub cooldown: SimDuration,
}

/// What a scaler sees when it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Load {
    /// How many messages wait.
    pub depth: u64,
    /// How old the oldest is.
    pub age: SimDuration,
    /// How many came since the last look.
    pub arrived: u64,
    /// How many one worker handles between two looks.
    pub each_handles: u64,
}

/// A change of the number of workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// So many start; they work after their start-up.
    Added(u32),
    /// So many stop, those that have not started yet first.
    Removed(u32),
    /// So many have started.
    Started(u32),
}

/// Which way it last went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Direction {
    Up,
    Down,
}

/// A scaler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Autoscaler {
    settings: Settings,
    working: u32,
    /// Workers on their way, by when they have started.
    starting: VecDeque<(SimTime, u32)>,
    next_look: SimTime,
    quiet_until: SimTime,
    direction: Option<Direction>,
    reversals: u32,
}

impl Autoscaler {
    /// A scaler with so many workers at work; it first looks at `start`.
    #[must_use]
    pub fn new(settings: Settings, workers: u32, start: SimTime) -> Self {
        Self {
            settings,
            working: workers,
            starting: VecDeque::new(),
            next_look: start,
            quiet_until: start,
            direction: None,
            reversals: 0,
        }
    }

    /// How many work now.
    #[must_use]
    pub const fn working(&self) -> u32 {
        self.working
    }

    /// How many work or are on their way.
    #[must_use]
    pub fn wanted(&self) -> u32 {
        self.working + self.starting.iter().map(|(_, count)| count).sum::<u32>()
    }

    /// How often it has turned from adding to taking away, or back.
    #[must_use]
    pub const fn reversals(&self) -> u32 {
        self.reversals
    }

    /// When [`Autoscaler::advance`] has something to do.
    #[must_use]
    pub fn next_deadline(&self) -> SimTime {
        self.starting.front().map_or(self.next_look, |(at, _)| self.next_look.min(*at))
    }

    /// Lets time pass: workers start, and when it is time to, the scaler looks at the load.
    pub fn advance(&mut self, now: SimTime, load: Load, changes: &mut Vec<Change>) {
        while let Some((at, count)) = self.starting.front().copied() {
            if at > now {
                break;
            }
            self.starting.pop_front();
            self.working += count;
            changes.push(Change::Started(count));
        }
        if now < self.next_look {
            return;
        }
        self.next_look = now + self.settings.period;
        if now < self.quiet_until {
            return;
        }
        let have = self.wanted();
        let want = self.target(load).clamp(self.settings.min, self.settings.max);
        if want > have {
            self.starting.push_back((now + self.settings.start_up, want - have));
            changes.push(Change::Added(want - have));
            self.turn(now, Direction::Up);
        } else if want < have {
            self.stop(have - want);
            changes.push(Change::Removed(have - want));
            self.turn(now, Direction::Down);
        }
    }

    /// How many there should be, limits aside.
    fn target(&self, load: Load) -> u32 {
        let have = self.wanted();
        let stepped = |more: bool, fewer: bool, step: u32| match (more, fewer) {
            (true, _) => have.saturating_add(step),
            (_, true) => have.saturating_sub(step),
            _ => have,
        };
        match self.settings.signal {
            Signal::Depth { above, below, step } => {
                stepped(load.depth > above, load.depth < below, step)
            }
            Signal::Age { above, below, step } => stepped(load.age > above, load.age < below, step),
            Signal::BacklogPerWorker { acceptable, utilization_percent } => {
                let for_backlog = load.depth.div_ceil(acceptable.max(1));
                let each = load.each_handles.saturating_mul(u64::from(utilization_percent));
                let for_arrivals = load.arrived.saturating_mul(100).div_ceil(each.max(1));
                for_backlog.max(for_arrivals).min(u64::from(u32::MAX)) as u32
            }
        }
    }

    fn stop(&mut self, mut count: u32) {
        while count > 0
            && let Some((_, starting)) = self.starting.back_mut()
        {
            let less = count.min(*starting);
            *starting -= less;
            count -= less;
            if *starting == 0 {
                self.starting.pop_back();
            }
        }
        self.working -= count.min(self.working);
    }

    fn turn(&mut self, now: SimTime, direction: Direction) {
        if self.direction.is_some_and(|last| last != direction) {
            self.reversals += 1;
        }
        self.direction = Some(direction);
        self.quiet_until = now + self.settings.cooldown;
    }
}
