//! The capacity of external services: calls take their turn, wait for it, or are turned down.
//!
//! Nobody takes a call back: who has waited too long is served all the same, and that work is
//! wasted.

use broker::MessageId;
use patterns::overload::{Load, Saturation};
use scenario::{Capacity, ComponentId, External, Kind, Throughput, WhenFull};
use sim::{Rank, SimDuration, SimTime};

use crate::fault::Found;
use crate::parts::{Brownout, Fate};
use crate::world::{Context, Event};
use crate::{What, World};

/// What becomes of a call that has just come.
enum Admission {
    /// It begins at this time.
    At(SimTime),
    /// It waits.
    Waits,
    /// It is turned down.
    Refused {
        /// When there will be room, where that is known and told.
        until: Option<SimTime>,
    },
}

impl World {
    /// A call has come: it begins, waits, or is turned down. Says when it ends, as far as that is
    /// known.
    pub(crate) fn call_comes(
        &mut self,
        cx: &mut Context,
        external: ComponentId,
        spec: &External,
        number: u32,
        message: MessageId,
    ) -> SimTime {
        let now = self.now;
        let state = self.external_mut(external);
        state.busy += 1;
        let admission = match &spec.capacity {
            None => Admission::At(now),
            Some(capacity) if self.sheds_call(cx, external, capacity, message) => {
                Admission::Refused { until: None }
            }
            Some(capacity) => self.admission(external, capacity, number),
        };
        match admission {
            Admission::At(start) => self.call_starts(external, spec, number, start),
            Admission::Waits => SimTime::MAX,
            Admission::Refused { until } => {
                self.external_mut(external).refused += 1;
                let wish = until.map(|at| at.saturating_since(now));
                self.call_is(number, Fate::Refused { wish }, now);
                now
            }
        }
    }

    /// Whether an external service is too full for what a call is about. Its room is that of its
    /// servers that are left, and its waiting room.
    fn sheds_call(
        &mut self,
        cx: &mut Context,
        external: ComponentId,
        capacity: &Capacity,
        message: MessageId,
    ) -> bool {
        let Some(class) = self.class_of(cx.scenario, message, &capacity.shed_at_percent) else {
            return false;
        };
        let state = self.external_mut(external);
        let percent = state.brownout.map_or(100, |brownout| brownout.capacity_percent);
        let waiting = u32::try_from(state.waiting.len()).unwrap_or(u32::MAX);
        let load = Load {
            taken: state.serving.saturating_add(waiting),
            room: servers(capacity, percent).saturating_add(capacity.waiting),
        };
        let verdict = state.shedding.admit(class, load);
        self.is_shed(cx, external, message, class, verdict)
    }

    fn admission(&mut self, external: ComponentId, capacity: &Capacity, number: u32) -> Admission {
        let now = self.now;
        let state = self.external_mut(external);
        let percent = state.brownout.map_or(100, |brownout| brownout.capacity_percent);
        match capacity.limit {
            Throughput::Servers(_) => {
                if state.serving < servers(capacity, percent) {
                    state.serving += 1;
                    Admission::At(now)
                } else if state.waiting.len() < capacity.waiting as usize {
                    state.waiting.push_back(number);
                    Admission::Waits
                } else {
                    Admission::Refused { until: None }
                }
            }
            // The virtual scheduling form of the leaky bucket (ITU-T I.371, appendix 1), which comes
            // to a bucket of `burst` tokens, and whose rate can change on the way.
            Throughput::Rate { per_second, burst } => {
                let interval = per_second.interval().mul_percent(10_000 / percent.max(1));
                let ahead = interval * (burst - 1);
                let due = state.due.max(now);
                let start = SimTime::from_micros(due.as_micros().saturating_sub(ahead.as_micros()))
                    .max(now);
                let room = now + interval * capacity.waiting;
                if percent == 0 || start > room {
                    let told = capacity.when_full == WhenFull::RefuseUntil && percent > 0;
                    let wait = start.saturating_since(room);
                    return Admission::Refused { until: told.then_some(now + wait) };
                }
                state.due = due + interval;
                Admission::At(start)
            }
            // Who calls while it is down is not counted with a slice: the call fails at once.
            Throughput::Slices { .. } if state.outage_until.is_some() => Admission::At(now),
            Throughput::Slices { slice, .. } => {
                state.waiting.push_back(number);
                if state.waiting.len() == 1 {
                    let into = now.as_micros() % slice.as_micros();
                    let end = now + SimDuration::from_micros(slice.as_micros() - into);
                    self.schedule(end, Rank::Finish, Event::SliceEnds { external });
                }
                Admission::Waits
            }
        }
    }

    fn call_starts(
        &mut self,
        external: ComponentId,
        spec: &External,
        number: u32,
        start: SimTime,
    ) -> SimTime {
        let state = self.external_mut(external);
        let percent = state.brownout.map_or(100, |brownout| brownout.latency_percent);
        let ends = start + spec.latency.sample(&mut state.latency).mul_percent(percent);
        self.call_is(number, Fate::Carried, ends);
        ends
    }

    fn call_is(&mut self, number: u32, fate: Fate, ends: SimTime) {
        if let Some(call) = self.calls.get_mut(number) {
            (call.fate, call.ends) = (fate, ends);
        }
        self.schedule(ends, Rank::Finish, Event::CallEnds { call: number });
    }

    /// A server is free: who has waited longest begins.
    pub(crate) fn server_is_free(&mut self, cx: &Context, external: ComponentId) {
        let Kind::External(spec) = &cx.scenario.component(external).kind else { return };
        let Some(capacity) = &spec.capacity else { return };
        if !matches!(capacity.limit, Throughput::Servers(_)) {
            return;
        }
        loop {
            let state = self.external_mut(external);
            let percent = state.brownout.map_or(100, |brownout| brownout.capacity_percent);
            if state.serving >= servers(capacity, percent) {
                return;
            }
            let Some(number) = state.waiting.pop_front() else { return };
            state.serving += 1;
            self.call_starts(external, spec, number, self.now);
        }
    }

    /// The end of a slice: what can be done of it is, in the order in which it came, and the rest is
    /// turned down.
    pub(crate) fn slice_ends(&mut self, cx: &Context, external: ComponentId) {
        let Kind::External(spec) = &cx.scenario.component(external).kind else { return };
        let Some(Throughput::Slices { saturation, .. }) = spec.capacity.as_ref().map(|c| c.limit)
        else {
            return;
        };
        let state = self.external_mut(external);
        let percent = state.brownout.map_or(100, |brownout| brownout.capacity_percent);
        let down = state.outage_until.is_some();
        let came = std::mem::take(&mut state.waiting);
        let offered = u32::try_from(came.len()).unwrap_or(u32::MAX);
        let saturation = Saturation::at_percent(saturation, percent);
        let served = if down { 0 } else { saturation.served(offered) };
        self.external_mut(external).refused += offered - served;
        for (nth, number) in (0..).zip(came) {
            if nth < served {
                self.call_starts(external, spec, number, self.now);
            } else {
                self.call_is(number, Fate::Refused { wish: None }, self.now);
            }
        }
    }

    /// Part of the capacity is gone, or calls take longer.
    pub(crate) fn brownout(
        &mut self,
        cx: &mut Context,
        external: ComponentId,
        capacity_percent: u32,
        latency_percent: u32,
        lasts: SimDuration,
    ) -> Found {
        let until = self.now + lasts;
        let brownout = Brownout { capacity_percent, latency_percent, until };
        self.external_mut(external).brownout = Some(brownout);
        self.schedule(until, Rank::Timer, Event::BrownoutEnds { external, until });
        self.emit(cx, What::BrownoutBegan { external, percent: capacity_percent, until });
        Found::Something
    }

    /// The end of a brownout, unless another has begun meanwhile.
    pub(crate) fn brownout_ends(
        &mut self,
        cx: &mut Context,
        external: ComponentId,
        until: SimTime,
    ) {
        let state = self.external_mut(external);
        if state.brownout.is_some_and(|brownout| brownout.until == until) {
            state.brownout = None;
            self.emit(cx, What::BrownoutEnded { external });
            self.server_is_free(cx, external);
        }
    }
}

/// How many calls are carried out at once with so much of the capacity left.
fn servers(capacity: &Capacity, percent: u32) -> u32 {
    match capacity.limit {
        Throughput::Servers(servers) => {
            u32::try_from(u64::from(servers) * u64::from(percent) / 100).unwrap_or(u32::MAX)
        }
        Throughput::Rate { .. } | Throughput::Slices { .. } => u32::MAX,
    }
}
