//! A station: customers arrive, wait in one line, and are served by c servers.

use std::collections::VecDeque;

use crate::statistics::{Histogram, Littles, LittlesCheck, Tally, TimeWeighted};
use crate::{Calendar, Rank, SimDuration, SimTime, Stream, Times};

/// A station: G/G/c/K in Kendall's notation, first come, first served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Station {
    /// c: how many servers there are.
    pub servers: u32,
    /// K: how many customers fit, waiting and in service; one that finds no room is turned away.
    pub room: Option<u32>,
}

/// What a run of a station measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Calendar events handled: one an arrival, one a completion of a service.
    pub events: u64,
    /// Customers that came, those turned away included.
    pub arrived: u64,
    /// Customers turned away for want of room.
    pub turned_away: u64,
    /// Customers served.
    pub served: u64,
    /// When the last one left.
    pub ended: SimTime,
    /// Wq: seconds from arrival to start of service.
    pub waits: Tally,
    /// W: seconds from arrival to end of service.
    pub sojourns: Tally,
    /// The distribution of W.
    pub sojourn_times: Histogram,
    /// Lq: the mean number waiting, over time.
    pub waiting: f64,
    /// ρ: the share of the servers' time that was spent serving.
    pub utilisation: f64,
    /// L, λ and W of those let in, held to Little's law.
    pub littles: LittlesCheck,
}

/// M/M/1 at λ = 0.9 and μ = 1 a second: the classic benchmark of simulation engines.
#[must_use]
pub fn mm1(customers: u64, seed: u64) -> Report {
    let gap = Times::Exponential { mean: SimDuration::from_micros(1_111_111) };
    let service = Times::Exponential { mean: SimDuration::from_secs(1) };
    let station = Station { servers: 1, room: None };
    station.run(customers, seed, |stream| gap.sample(stream), |stream| service.sample(stream))
}

impl Station {
    /// Lets `customers` arrive, serves all that find room, and reports.
    ///
    /// `gap` draws the time to the next arrival, `service` the time that a customer will take; each
    /// has a stream of its own.
    ///
    /// # Panics
    /// If there are no servers.
    #[must_use]
    pub fn run(
        self,
        customers: u64,
        seed: u64,
        gap: impl Fn(&mut Stream) -> SimDuration,
        service: impl Fn(&mut Stream) -> SimDuration,
    ) -> Report {
        assert!(self.servers > 0, "a station without servers serves nobody");
        let mut floor = Floor::new(self, seed, service);
        let mut gaps = Stream::new(seed, "station: gaps", 0);
        if customers > 0 {
            floor.calendar.schedule(SimTime::ZERO + gap(&mut gaps), Rank::Arrival, Event::Arrival);
        }
        while let Some((now, event)) = floor.calendar.pop() {
            floor.now = now;
            floor.events += 1;
            match event {
                Event::Arrival => {
                    floor.arrive();
                    if floor.arrived < customers {
                        let next = now + gap(&mut gaps);
                        floor.calendar.schedule(next, Rank::Arrival, Event::Arrival);
                    }
                }
                Event::Completion { arrived } => floor.complete(arrived),
            }
        }
        floor.report()
    }
}

#[derive(Clone, Copy)]
enum Event {
    Arrival,
    Completion { arrived: SimTime },
}

/// The station at work.
struct Floor<S> {
    station: Station,
    calendar: Calendar<Event>,
    service: S,
    services: Stream,
    now: SimTime,
    /// When those in the line arrived, the first to be served in front.
    line: VecDeque<SimTime>,
    busy: TimeWeighted,
    littles: Littles,
    events: u64,
    arrived: u64,
    turned_away: u64,
    waits: Tally,
    sojourns: Tally,
    sojourn_times: Histogram,
}

impl<S: Fn(&mut Stream) -> SimDuration> Floor<S> {
    fn new(station: Station, seed: u64, service: S) -> Self {
        Self {
            station,
            calendar: Calendar::new(),
            service,
            services: Stream::new(seed, "station: services", 0),
            now: SimTime::ZERO,
            line: VecDeque::new(),
            busy: TimeWeighted::new(SimTime::ZERO, 0),
            littles: Littles::new(SimTime::ZERO),
            events: 0,
            arrived: 0,
            turned_away: 0,
            waits: Tally::new(),
            sojourns: Tally::new(),
            sojourn_times: Histogram::new(),
        }
    }

    fn arrive(&mut self) {
        self.arrived += 1;
        if self.station.room.is_some_and(|room| self.littles.inside() >= room) {
            self.turned_away += 1;
            return;
        }
        self.littles.arrive(self.now);
        if self.busy.level() < self.station.servers {
            self.busy.set(self.now, self.busy.level() + 1);
            self.serve(self.now);
        } else {
            self.line.push_back(self.now);
        }
    }

    fn complete(&mut self, arrived: SimTime) {
        let sojourn = self.now - arrived;
        self.littles.depart(self.now, arrived);
        self.sojourns.record_duration(sojourn);
        self.sojourn_times.record(sojourn);
        match self.line.pop_front() {
            Some(next) => self.serve(next),
            None => self.busy.set(self.now, self.busy.level() - 1),
        }
    }

    fn serve(&mut self, arrived: SimTime) {
        self.waits.record_duration(self.now - arrived);
        let ends = self.now + (self.service)(&mut self.services);
        self.calendar.schedule(ends, Rank::Finish, Event::Completion { arrived });
    }

    fn report(self) -> Report {
        let nobody = [];
        let littles = self.littles.check(self.now, nobody);
        let busy = self.busy.mean(self.now);
        Report {
            events: self.events,
            arrived: self.arrived,
            turned_away: self.turned_away,
            served: self.sojourns.count(),
            ended: self.now,
            waits: self.waits,
            sojourns: self.sojourns,
            sojourn_times: self.sojourn_times,
            waiting: littles.inside - busy,
            utilisation: busy / f64::from(self.station.servers),
            littles,
        }
    }
}
