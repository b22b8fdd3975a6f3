//! What a component is at time zero.

use std::collections::VecDeque;

use patterns::fairness::Lanes;
use scenario::{ComponentId, Kind, Scenario};
use sim::{ArrivalClock, SimTime, Stream};

use crate::parts::{
    ExternalState, Instance, Pace, Part, Process, QueueState, ServiceState, SourceState, Worker,
    WorkersState,
};
use crate::queue::Engine;
use crate::retry::Guard;
use crate::{LogState, TopicState};

/// The state of a component at time zero.
pub(crate) fn new_part(scenario: &Scenario, id: ComponentId, kind: &Kind) -> Part {
    let seed = scenario.seed;
    let index = id.index() as u64;
    match kind {
        Kind::Source(source) => Part::Source(Box::new(SourceState {
            clock: ArrivalClock::new(source.arrivals.clone()),
            arrivals: Stream::new(seed, "arrivals", index),
            travel: Stream::new(seed, "travel", index),
            reply: Stream::new(seed, "reply", index),
            backoff: Stream::new(seed, "backoff", index),
            pace: Pace::STEADY,
            scheduled: SimTime::ZERO,
            ticket: 0,
            guard: Guard::of(source.caller.as_ref().and_then(|caller| caller.retry.as_ref())),
            sent: 0,
            retries: 0,
            timeouts: 0,
            open: 0,
            succeeded: 0,
            gave_up: 0,
            late: 0,
            next: None,
        })),
        Kind::Service(service) => Part::Service(ServiceState {
            instances: (0..u64::from(service.count))
                .map(|instance| Instance {
                    process: Process::new(Stream::new(seed, "service", instance << 16 | index)),
                    busy: 0,
                })
                .collect(),
            waiting: VecDeque::new(),
            busy: 0,
            answered: 0,
            refused: 0,
        }),
        Kind::Queue(queue) => Part::Queue(Box::new(QueueState::new(Engine::new(queue)))),
        Kind::Log(log) => {
            let stream = Stream::new(seed, "partitioner", index);
            Part::Log(Box::new(LogState::new(scenario, id, log, stream)))
        }
        Kind::Topic(_) => Part::Topic(TopicState::default()),
        Kind::Workers(workers) => Part::Workers(WorkersState {
            workers: (0..u64::from(workers.count))
                .map(|instance| Worker::new(Stream::new(seed, "worker", index << 16 | instance)))
                .collect(),
            lanes: workers
                .taking
                .lanes
                .as_ref()
                .map(|lanes| Lanes::new(lanes.priority, &lanes.weights)),
        }),
        Kind::External(_) => Part::External(ExternalState {
            latency: Stream::new(seed, "latency", index),
            errors: Stream::new(seed, "errors", index),
            busy: 0,
            effects: 0,
            outage_until: None,
            brownout: None,
            refused: 0,
            waiting: VecDeque::new(),
            serving: 0,
            due: SimTime::ZERO,
            by_message: Vec::new(),
        }),
    }
}
