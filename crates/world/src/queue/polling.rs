//! Workers that ask: which of their lanes next, and what comes of asking when nothing is there.
//!
//! Short and long polling: Amazon SQS developer guide, "short and long polling". A short poll asks
//! some of the servers that a queue is spread over, and may miss what is on offer elsewhere.

use broker::queue::{Queue, Sample};
use scenario::{ComponentId, Kind, Polling};
use sim::{Rank, SimDuration};

use super::Engine;
use crate::worker::workers;
use crate::world::{Context, Event};
use crate::{Part, Phase, What, WorkerId, World};

impl World {
    /// A worker with empty hands polls by its own clock: now, or it gives up waiting after a while.
    pub(crate) fn poll_waits(&mut self, id: WorkerId, polling: Polling) {
        let now = self.now;
        let rank = if polling.wait.is_zero() { Rank::Dispatch } else { Rank::Timer };
        self.schedule_poll(id, now + polling.wait, rank);
    }

    fn schedule_poll(&mut self, id: WorkerId, at: sim::SimTime, rank: Rank) {
        let worker = self.worker_mut(id);
        worker.polls += 1;
        let ticket = worker.polls;
        self.schedule(at, rank, Event::Poll { worker: id, ticket });
    }

    /// A short poll leaves, or a long one comes back empty.
    pub(crate) fn poll_due(&mut self, cx: &mut Context, id: WorkerId, ticket: u32) {
        let spec = workers(cx, id);
        let Some(polling) = spec.taking.polling else { return };
        let worker = self.worker_mut(id);
        if worker.polls != ticket || worker.process.phase != Phase::Idle {
            return;
        }
        if !polling.wait.is_zero() {
            if !self.is_cut_off(cx, id) {
                self.emit(cx, What::CameEmpty { queue: spec.from, worker: id });
            }
            self.consumer_rests(cx, id);
            self.consumer_waits(cx.scenario, id);
            return;
        }
        for &queue in spec.queues() {
            // Neither the question nor an answer comes through.
            if self.is_cut(id.component, queue) {
                continue;
            }
            let sample = self.sample(id, polling);
            if self.sqs_receive(cx, queue, id, SimDuration::ZERO, sample) > 0 {
                return;
            }
            self.emit(cx, What::CameEmpty { queue, worker: id });
        }
        let next = self.now + polling.every;
        self.schedule_poll(id, next, Rank::Dispatch);
    }

    /// The servers that a short poll asks, drawn anew each time.
    fn sample(&mut self, id: WorkerId, polling: Polling) -> Option<Sample> {
        let (servers, asked) = polling.sample?;
        let stream = &mut self.worker_mut(id).process.stream;
        let mut mask = 0_u64;
        while mask.count_ones() < asked {
            mask |= 1 << stream.below(u64::from(servers));
        }
        Sample::new(servers, mask)
    }

    /// The queue that a worker takes from next: this one, unless it has lanes.
    pub(super) fn next_lane(
        &mut self,
        cx: &Context,
        worker: WorkerId,
        this: ComponentId,
    ) -> ComponentId {
        let Kind::Workers(spec) = &cx.scenario.component(worker.component).kind else {
            return this;
        };
        let Some(lanes) = &spec.taking.lanes else { return this };
        let offers = |id: &ComponentId| match &self.parts[id.index()] {
            Part::Queue(_) if self.is_cut(worker.component, *id) => false,
            Part::Queue(state) => match &state.engine {
                Engine::Sqs(queue) => Queue::has_deliverable(queue),
                Engine::Rabbit | Engine::Plain(_) => false,
            },
            _ => false,
        };
        let ready: Vec<bool> = lanes.queues.iter().map(offers).collect();
        let Part::Workers(state) = &mut self.parts[worker.component.index()] else { return this };
        let chosen = state.lanes.as_mut().and_then(|lanes| lanes.next(|lane| ready[lane]));
        chosen.map_or(this, |lane| lanes.queues[lane])
    }

    /// A worker waits at one of its queues no longer.
    pub(crate) fn leaves_line(&mut self, worker: WorkerId, queue: ComponentId) {
        self.queue_mut(queue).waiting.retain(|&other| other != worker);
    }

    /// A worker waits at none of its queues any more.
    pub(super) fn leave_lines(&mut self, cx: &Context, worker: WorkerId) {
        for &queue in workers(cx, worker).queues() {
            let waiting = &mut self.queue_mut(queue).waiting;
            if waiting.front() == Some(&worker) {
                waiting.pop_front();
            } else {
                waiting.retain(|&other| other != worker);
            }
        }
    }
}
