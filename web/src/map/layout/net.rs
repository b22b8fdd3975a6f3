//! What a map shows of a scenario: its components, what they say of themselves, who sends to whom.

use scenario::{Act, ComponentId, Kind, Program, Scenario, Step};
use sim::{Arrivals, PerSecond, SimDuration, Times};

/// The components of a scenario, by `ComponentId::index`.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// One entry a component.
    pub parts: Vec<Part>,
}

/// One component.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What a person calls it.
    pub label: String,
    /// What it is to the map.
    pub role: Role,
}

/// What a component is to the map.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// Sends requests or messages.
    Source {
        /// A service or a queue.
        to: ComponentId,
        /// How often, where that can be said in a few words.
        pace: Pace,
    },
    /// Answers requests.
    Service {
        /// The queues that its handlers publish to.
        to: Vec<ComponentId>,
        /// What it answers, if that is one status for all.
        answers: Option<u16>,
    },
    /// A work queue.
    Queue {
        /// Where messages go that were received too often.
        dead_letter_to: Option<ComponentId>,
        /// How long a taken message stays hidden.
        visibility: SimDuration,
        /// How often a message may be received before it moves aside.
        receives: Option<u32>,
    },
    /// Worker processes that share a handler.
    Workers {
        /// The queue they take from.
        from: ComponentId,
        /// How many.
        count: u16,
        /// How long a delivery takes, on average.
        receive: SimDuration,
        /// The lines of the handler.
        lines: Vec<Line>,
    },
    /// Somebody else's service.
    External,
}

/// How often a source sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// One each interval.
    Every(SimDuration),
    /// About so many a second.
    About(PerSecond),
    /// By a list of times.
    Listed,
}

/// One line of a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What a person calls it.
    pub label: String,
    /// What it does, as far as it can be seen.
    pub kind: LineKind,
    /// How long it takes on average, where that is known.
    pub takes: Option<SimDuration>,
}

/// What a line of a handler does, as far as it can be seen on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Work inside the process.
    Work,
    /// A call to somebody else's service.
    Call(ComponentId),
    /// Tells the queue that the message is done.
    Ack,
    /// Anything else that is said to a queue.
    Other,
}

impl Net {
    /// The net of a scenario.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Net {
        let parts = scenario.components.iter().map(|component| Part {
            label: component.label.clone(),
            role: role(scenario, &component.kind),
        });
        Net { parts: parts.collect() }
    }

    /// The component with this id.
    #[must_use]
    pub fn part(&self, id: ComponentId) -> &Part {
        &self.parts[id.index()]
    }

    /// Every component with its id.
    pub fn ids(&self) -> impl Iterator<Item = (ComponentId, &Part)> {
        self.parts.iter().enumerate().map(|(i, part)| (ComponentId::new(i), part))
    }

    /// The lines of a workers component's handler; none for any other.
    #[must_use]
    pub fn lines(&self, id: ComponentId) -> &[Line] {
        match &self.part(id).role {
            Role::Workers { lines, .. } => lines,
            _ => &[],
        }
    }

    /// The queues that have a platform of their own: all but those that only take dead letters.
    #[must_use]
    pub fn queues(&self) -> Vec<ComponentId> {
        let of_queue = |(id, part): (ComponentId, &Part)| match part.role {
            Role::Queue { .. } if !self.is_siding(id) => Some(id),
            _ => None,
        };
        self.ids().filter_map(of_queue).collect()
    }

    /// The queue that takes this queue's dead letters, where it is drawn as a siding.
    #[must_use]
    pub fn siding_of(&self, queue: ComponentId) -> Option<ComponentId> {
        match self.part(queue).role {
            Role::Queue { dead_letter_to, .. } => dead_letter_to.filter(|&to| self.is_siding(to)),
            _ => None,
        }
    }

    /// The workers that take from this queue.
    #[must_use]
    pub fn workers_of(&self, queue: ComponentId) -> Vec<ComponentId> {
        let takes = |part: &Part| matches!(part.role, Role::Workers { from, .. } if from == queue);
        self.ids().filter(|(_, part)| takes(part)).map(|(id, _)| id).collect()
    }

    /// The external services that a workers component calls, each once.
    #[must_use]
    pub fn calls_of(&self, workers: ComponentId) -> Vec<ComponentId> {
        let mut called: Vec<ComponentId> = Vec::new();
        for line in self.lines(workers) {
            if let LineKind::Call(to) = line.kind
                && !called.contains(&to)
            {
                called.push(to);
            }
        }
        called
    }

    fn is_siding(&self, queue: ComponentId) -> bool {
        let fed = self.parts.iter().any(|part| match &part.role {
            Role::Queue { dead_letter_to, .. } => *dead_letter_to == Some(queue),
            _ => false,
        });
        let used = self.parts.iter().any(|part| match &part.role {
            Role::Source { to, .. } => *to == queue,
            Role::Service { to, .. } => to.contains(&queue),
            Role::Workers { from, .. } => *from == queue,
            Role::Queue { .. } | Role::External => false,
        });
        fed && !used
    }
}

fn role(scenario: &Scenario, kind: &Kind) -> Role {
    match kind {
        Kind::Source(source) => {
            Role::Source { to: source.to.component(), pace: pace(&source.arrivals) }
        }
        Kind::Service(service) => {
            let programs = || service.handles.iter().map(|(_, program)| program);
            Role::Service { to: published(programs()), answers: answer(programs()) }
        }
        Kind::Queue(queue) => Role::Queue {
            dead_letter_to: queue.dead_letter_to,
            visibility: queue.visibility().unwrap_or(SimDuration::ZERO),
            receives: queue.receives(),
        },
        // For its place in the picture a log is a queue without a clock.
        Kind::Log(_) => {
            Role::Queue { dead_letter_to: None, visibility: SimDuration::ZERO, receives: None }
        }
        Kind::Workers(workers) => Role::Workers {
            from: workers.from,
            count: workers.count,
            receive: workers.receive_takes.mean(),
            lines: workers.on_message.steps[..workers.on_message.main]
                .iter()
                .map(|step| line(scenario, step))
                .collect(),
        },
        Kind::Topic(topic) => Role::Service { to: topic.targets(), answers: None },
        Kind::Relay(relay) => Role::Service { to: vec![relay.to], answers: None },
        Kind::Orchestrator(it) => {
            let to = it.steps.iter().map(|step| step.act.0).collect();
            Role::Service { to, answers: Some(202) }
        }
        Kind::Database(_) | Kind::External(_) => Role::External,
    }
}

fn pace(arrivals: &Arrivals) -> Pace {
    match *arrivals {
        Arrivals::Every { interval, .. } | Arrivals::Bursts { interval, .. } => {
            Pace::Every(interval)
        }
        Arrivals::Constant { per_second, .. } | Arrivals::Poisson { per_second, .. } => {
            Pace::About(per_second)
        }
        Arrivals::Schedule(_) => Pace::Listed,
    }
}

fn published<'a>(programs: impl Iterator<Item = &'a Program>) -> Vec<ComponentId> {
    let mut queues: Vec<ComponentId> = Vec::new();
    for step in programs.flat_map(|program| &program.steps) {
        if let Act::Publish { to, .. } = step.act
            && !queues.contains(&to)
        {
            queues.push(to);
        }
    }
    queues
}

fn answer<'a>(programs: impl Iterator<Item = &'a Program>) -> Option<u16> {
    let mut statuses =
        programs.flat_map(|program| &program.steps).filter_map(|step| match step.act {
            Act::Respond { status } => Some(status),
            _ => None,
        });
    let first = statuses.next()?;
    statuses.all(|status| status == first).then_some(first)
}

fn line(scenario: &Scenario, step: &Step) -> Line {
    let (kind, takes) = match &step.act {
        Act::Wait { time } => (LineKind::Work, Some(time.mean())),
        Act::Call { to, .. } => {
            let latency = match &scenario.component(*to).kind {
                Kind::External(external) => Some(external.latency.mean()),
                _ => None,
            };
            (LineKind::Call(*to), latency)
        }
        Act::Ack { takes } => (LineKind::Ack, Some(takes.mean())),
        Act::Nack { takes, .. }
        | Act::Extend { takes, .. }
        | Act::Publish { takes, .. }
        | Act::DeadLetter { takes, .. } => (LineKind::Other, Some(takes.mean())),
        Act::Begin { takes, .. } | Act::Rollback { takes } => (LineKind::Other, Some(takes.mean())),
        Act::Commit { takes, .. } => (LineKind::Other, takes.as_ref().map(Times::mean)),
        Act::Statement(statement) => {
            let latency = match &scenario.component(statement.table.database).kind {
                Kind::Database(database) => Some(database.latency.mean()),
                _ => None,
            };
            let own = statement.takes.as_ref().map(Times::mean);
            (LineKind::Call(statement.table.database), own.or(latency))
        }
        Act::Respond { .. } => (LineKind::Other, None),
    };
    Line { label: step.label.clone(), kind, takes }
}
