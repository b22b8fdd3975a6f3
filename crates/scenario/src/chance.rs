//! What of a scenario is left to chance: where its run draws from a random stream.

use patterns::retry::{Jitter, Policy};
use sim::{Arrivals, Times};

use crate::{
    Act, Action, Exchange, Kind, OnError, Partitioning, Patch, Program, Retry, Scenario, Source,
    Workers,
};

impl Scenario {
    /// Whether another seed could make another run.
    #[must_use]
    pub fn draws(&self) -> bool {
        let by_action = |action: &Action| match action {
            Action::Patch { patch: Patch::ErrorsPerMillion(errors), .. } => {
                (1..1_000_000).contains(errors)
            }
            _ => false,
        };
        self.components.iter().any(|component| self.part_draws(&component.kind))
            || self.faults.iter().chain(&self.interventions).any(|it| by_action(&it.action))
    }

    fn part_draws(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Source(source) => source.draws(),
            Kind::Service(service) => service.handles.iter().any(|(_, program)| program.draws()),
            // A queue does as it is told; who is asked for messages draws which servers to ask.
            Kind::Queue(_) | Kind::Scheduler(_) => false,
            Kind::Topic(topic) => matches!(topic.exchange, Exchange::Shuffle { .. }),
            Kind::Log(log) => {
                let keyed = |kind: &Kind| !matches!(kind, Kind::Source(it) if it.key.is_none());
                let spread = log.partitioning.heeds_keys()
                    && self.components.iter().all(|other| keyed(&other.kind));
                let even = log.partitioning == Partitioning::RoundRobin;
                log.settings.partitions > 1 && !even && !spread
            }
            Kind::Workers(workers) => workers.draws(),
            Kind::Database(database) => drawn(&database.latency),
            Kind::Relay(relay) => drawn(&relay.publish_takes),
            Kind::Orchestrator(it) => {
                let steps = it.definition.steps().iter().map(|step| step.retries);
                steps.chain([it.compensations]).any(|policy| jitters(&policy))
            }
            Kind::External(external) => {
                let by_chance = external.error_rate > 0.0 && external.error_rate < 1.0;
                drawn(&external.latency) || by_chance
            }
        }
    }
}

impl Source {
    fn draws(&self) -> bool {
        let retry = self.caller.as_ref().and_then(|caller| caller.retry.as_ref());
        matches!(self.arrivals, Arrivals::Poisson { .. })
            || drawn(&self.travel)
            || drawn(&self.reply)
            || retry.is_some_and(retries_draw)
    }
}

impl Workers {
    fn draws(&self) -> bool {
        let again = match &self.on_error {
            OnError::Retry(retry) => jitters(&retry.policy),
            OnError::Nack { .. } | OnError::DeadLetter | OnError::Leave => false,
        };
        again
            || drawn(&self.receive_takes)
            || self.on_message.draws()
            || self.taking.polling.is_some_and(|polling| polling.sample.is_some())
    }
}

impl Program {
    fn draws(&self) -> bool {
        self.steps.iter().any(|step| match &step.act {
            Act::Wait { time: takes }
            | Act::Ack { takes }
            | Act::Drop { takes }
            | Act::CheckLease { takes }
            | Act::Nack { takes, .. }
            | Act::Extend { takes, .. }
            | Act::Publish { takes, .. }
            | Act::Decode { takes, .. }
            | Act::Admit { takes, .. }
            | Act::DeadLetter { takes, .. }
            | Act::Crash { takes }
            | Act::Begin { takes, .. }
            | Act::Rollback { takes } => drawn(takes),
            Act::Call { retry, .. } => retry.as_deref().is_some_and(retries_draw),
            Act::Statement(statement) => statement.takes.as_ref().is_some_and(drawn),
            Act::Commit { takes, .. } => takes.as_ref().is_some_and(drawn),
            Act::Respond { .. } => false,
        })
    }
}

fn drawn(times: &Times) -> bool {
    !matches!(times, Times::Constant(_))
}

fn retries_draw(retry: &Retry) -> bool {
    jitters(&retry.policy)
}

fn jitters(policy: &Policy) -> bool {
    policy.backoff.jitter != Jitter::None
}
