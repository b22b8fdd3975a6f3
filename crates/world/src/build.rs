//! What a component is at time zero.

use std::collections::VecDeque;

use patterns::autoscale::Autoscaler;
use patterns::fairness::Lanes;
use patterns::overload::Shedding;
use scenario::{ComponentId, Kind, Scenario, Workers};
use sim::{ArrivalClock, SimTime, Stream};

use crate::parts::{
    Effects, ExternalState, Instance, Pace, Part, Phase, Process, QueueState, ServiceState,
    SourceState, Watch, Worker, WorkersState,
};
use crate::queue::Engine;
use crate::retry::Guard;
use crate::{DatabaseState, LogState, OrchestratorState, RelayState, SchedulerState, TopicState};

/// The state of a component at time zero.
pub(crate) fn new_part(scenario: &Scenario, id: ComponentId, kind: &Kind) -> Part {
    let seed = scenario.seed;
    let index = id.index() as u64;
    match kind {
        Kind::Source(source) => Part::Source(Box::new(SourceState {
            clock: ArrivalClock::new(source.arrivals.clone()),
            arrivals: Stream::new(seed, "arrivals", index),
            travel: Stream::new(seed, "travel", index),
            picks: Stream::new(seed, "picks", index),
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
                    process: Process::new(Stream::new(seed, "service", instance << 16 | index))
                        .with_clock(service.clock),
                    busy: 0,
                })
                .collect(),
            waiting: VecDeque::new(),
            busy: 0,
            answered: 0,
            refused: 0,
            shedding: Shedding::new(&service.shed_at_percent),
            last_status: None,
        }),
        Kind::Queue(queue) => Part::Queue(Box::new(QueueState::new(Engine::new(queue)))),
        Kind::Log(log) => {
            let stream = Stream::new(seed, "partitioner", index);
            Part::Log(Box::new(LogState::new(scenario, id, log, stream)))
        }
        Kind::Topic(_) => Part::Topic(TopicState::default()),
        Kind::Workers(workers) => Part::Workers(new_workers(seed, index, workers)),
        Kind::Database(database) => Part::Database(Box::new(DatabaseState::new(database))),
        Kind::Relay(relay) => Part::Relay(RelayState::new(relay)),
        Kind::Orchestrator(_) => Part::Orchestrator(Box::new(OrchestratorState::new(seed, index))),
        Kind::Scheduler(spec) => Part::Scheduler(Box::new(SchedulerState::new(spec, seed, index))),
        Kind::External(external) => Part::External(ExternalState {
            latency: Stream::new(seed, "latency", index),
            errors: Stream::new(seed, "errors", index),
            busy: 0,
            effects: 0,
            outage_until: None,
            brownout: None,
            errors_per_million: None,
            refused: 0,
            shedding: Shedding::new(
                external.capacity.as_ref().map_or(&[], |capacity| &capacity.shed_at_percent),
            ),
            waiting: VecDeque::new(),
            serving: 0,
            due: SimTime::ZERO,
            by_message: Effects::default(),
            keys: external.idempotency.map(crate::external::keys),
        }),
    }
}

fn new_workers(seed: u64, index: u64, workers: &Workers) -> WorkersState {
    WorkersState {
        workers: (0..u64::from(workers.count))
            .map(|instance| {
                let stream = Stream::new(seed, "worker", index << 16 | instance);
                let mut worker = Worker::new(stream);
                worker.process.clock = workers.clock;
                if instance >= u64::from(workers.running) {
                    worker.process.phase = Phase::Down { since: SimTime::ZERO, until: None };
                    worker.process.stopped = true;
                }
                worker
            })
            .collect(),
        worked: Vec::new(),
        mended: false,
        scaler: workers.autoscale.as_ref().map(|settings| {
            let start = SimTime::ZERO + settings.period;
            let scaler = Autoscaler::new(**settings, u32::from(workers.running), start);
            Box::new(Watch { scaler, came: 0 })
        }),
        lanes: workers
            .taking
            .lanes
            .as_ref()
            .map(|lanes| Lanes::new(lanes.priority, &lanes.weights)),
    }
}
