//! What a map shows of a scenario: its components, what they say of themselves, who sends to whom.

use patterns::fairness::Priority;
use scenario::{
    Act, Binding, ComponentId, Field, Kind, Program, SagaStep, Scenario, Step, Throughput, Topic,
    Workers,
};
use sim::{Arrivals, PerSecond, SimDuration, SimTime, Times};

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
        /// What its handlers publish to.
        to: Vec<ComponentId>,
        /// The services that its handlers call.
        calls: Vec<ComponentId>,
        /// What it answers, if that is one status for all.
        answers: Option<u16>,
        /// How much it can do at once, if that is limited.
        room: Option<Room>,
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
    /// A partitioned log.
    Log {
        /// How many partitions.
        partitions: usize,
        /// How many groups read it.
        groups: usize,
    },
    /// Passes messages on.
    Topic {
        /// To what.
        ways: Vec<Way>,
    },
    /// Worker processes that share a handler.
    Workers {
        /// The queue they take from, or the log they read.
        from: ComponentId,
        /// The other queues they take from, the most urgent first, and how all are chosen from.
        others: Vec<ComponentId>,
        /// The weights of all of them; none if the first is always served first.
        weights: Vec<u32>,
        /// Where their handlers, and their policy, put messages.
        to: Vec<ComponentId>,
        /// The services that their handlers call, in branches too.
        calls: Vec<ComponentId>,
        /// How many.
        count: u16,
        /// How long a delivery takes, on average.
        receive: SimDuration,
        /// The lines of the handler.
        lines: Vec<Line>,
    },
    /// Publishes what it finds in an outbox.
    Relay {
        /// The database that the outbox is in.
        outbox: ComponentId,
        /// Where it publishes to.
        to: ComponentId,
    },
    /// Conducts sagas.
    Orchestrator {
        /// The services whose work its sagas are made of.
        asks: Vec<ComponentId>,
        /// What its steps are called.
        steps: Vec<String>,
    },
    /// Hands out runs at their hours.
    Scheduler,
    /// Keeps rows in tables.
    Database {
        /// How many tables.
        tables: usize,
    },
    /// Somebody else's service.
    External {
        /// How much it can do at once, if that is limited.
        room: Option<Room>,
    },
}

/// A way out of a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Where it leads.
    pub to: ComponentId,
    /// What the bindings ask for that lead there.
    pub asks: String,
    /// Whether it is for what no binding takes.
    pub otherwise: bool,
}

/// How much a service can do at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// How many at once, where that is a number of places.
    pub seats: Option<u32>,
    /// How many more may wait for one.
    pub waiting: u32,
}

/// How often a source sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// One each interval.
    Every(SimDuration),
    /// So many at once.
    Burst {
        /// How many.
        size: u32,
        /// When as many come again, if they do before the run ends.
        every: Option<SimDuration>,
    },
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
    /// A call to another service.
    Call(ComponentId),
    /// Puts the message, or one because of it, elsewhere.
    Put(ComponentId),
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
            Role::Source { to, .. } | Role::Relay { to, .. } => *to == queue,
            Role::Service { to, .. } => to.contains(&queue),
            Role::Workers { from, to, others, .. } => {
                *from == queue || to.contains(&queue) || others.contains(&queue)
            }
            Role::Topic { ways } => ways.iter().any(|way| way.to == queue),
            Role::Queue { .. }
            | Role::Log { .. }
            | Role::Orchestrator { .. }
            | Role::Scheduler
            | Role::Database { .. }
            | Role::External { .. } => false,
        });
        fed && !used
    }
}

fn role(scenario: &Scenario, kind: &Kind) -> Role {
    match kind {
        Kind::Source(source) => {
            Role::Source { to: source.to.component(), pace: pace(&source.arrivals, scenario.until) }
        }
        Kind::Service(service) => {
            let programs = || service.handles.iter().map(|(_, program)| program);
            Role::Service {
                to: put_by(scenario, programs()),
                calls: called_by(scenario, programs()),
                answers: answer(programs()),
                room: service.concurrency.map(|one| Room {
                    seats: Some(one.saturating_mul(service.count.into())),
                    waiting: service.waiting,
                }),
            }
        }
        Kind::Queue(queue) => Role::Queue {
            dead_letter_to: queue.dead_letter_to,
            visibility: queue.visibility().unwrap_or(SimDuration::ZERO),
            receives: queue.receives(),
        },
        Kind::Scheduler(_) => Role::Scheduler,
        Kind::Log(log) => Role::Log {
            partitions: log.settings.partitions as usize,
            groups: groups(scenario, kind),
        },
        Kind::Database(database) => Role::Database { tables: database.tables.len() },
        Kind::Workers(workers) => workers_role(scenario, workers),
        Kind::Topic(topic) => Role::Topic { ways: ways(topic) },
        Kind::External(external) => Role::External {
            room: external.capacity.as_ref().map(|capacity| Room {
                seats: match capacity.limit {
                    Throughput::Servers(n) => Some(n),
                    _ => None,
                },
                waiting: capacity.waiting,
            }),
        },
        Kind::Relay(relay) => Role::Relay { outbox: relay.outbox.database, to: relay.to },
        Kind::Orchestrator(it) => {
            let back = |step: &SagaStep| step.compensate.map(|(to, _)| to);
            let asked = it.steps.iter().flat_map(|step| [Some(step.act.0), back(step)]);
            let steps = it.steps.iter().map(|step| step.name.clone()).collect();
            Role::Orchestrator { asks: each_once(asked.flatten()), steps }
        }
    }
}

#[inline(never)]
fn workers_role(scenario: &Scenario, workers: &Workers) -> Role {
    let (mut others, mut weights) = (Vec::new(), Vec::new());
    if let Some(lanes) = &workers.taking.lanes {
        others.extend(lanes.queues.iter().copied().filter(|queue| *queue != workers.from));
        if lanes.priority != Priority::Strict {
            weights.clone_from(&lanes.weights);
        }
    }
    let mut to = put_by(scenario, std::iter::once(&workers.on_message));
    let aside = workers.membership.as_ref().and_then(|membership| membership.dead_letter_to);
    to.extend(aside.filter(|queue| !to.contains(queue)));
    Role::Workers {
        from: workers.from,
        others,
        weights,
        to,
        calls: called_by(scenario, std::iter::once(&workers.on_message)),
        count: workers.count,
        receive: workers.receive_takes.mean(),
        lines: workers.on_message.steps[..workers.on_message.main]
            .iter()
            .map(|step| line(scenario, step))
            .collect(),
    }
}

/// How many groups read a log.
#[inline(never)]
fn groups(scenario: &Scenario, log: &Kind) -> usize {
    let id = scenario.ids().find(|(_, component)| std::ptr::eq(&component.kind, log));
    id.map_or(0, |(id, _)| scenario.groups_of(id).len())
}

/// The ways out of a topic, each target once, with everything that its bindings ask for.
#[must_use]
#[inline(never)]
pub fn ways(topic: &Topic) -> Vec<Way> {
    let way = |to: ComponentId| {
        let bindings = || topic.bindings.iter().filter(move |binding| binding.to == to);
        let asks = bindings().flat_map(asks).collect::<Vec<_>>().join(", ");
        Way { to, asks, otherwise: bindings().next().is_none() }
    };
    topic.targets().into_iter().map(way).collect()
}

/// What a binding asks for: its routing key, and each field with the values it may have.
fn asks(binding: &Binding) -> Vec<String> {
    let mut all = Vec::new();
    if !binding.key.is_empty() {
        all.push(binding.key.clone());
    }
    for (field, values) in &binding.filter {
        let values: Vec<String> = values
            .iter()
            .map(|value| match value {
                Field::Text(text) => text.clone(),
                Field::Number(n) => super::num(*n),
            })
            .collect();
        all.push(if values.is_empty() {
            field.clone()
        } else {
            [field, " ", &values.join("|")].concat()
        });
    }
    all
}

fn pace(arrivals: &Arrivals, until: SimTime) -> Pace {
    match *arrivals {
        Arrivals::Every { interval, .. } | Arrivals::Bursts { interval, size: 1, .. } => {
            Pace::Every(interval)
        }
        Arrivals::Bursts { first, interval, size, count } => {
            let again =
                count.is_none_or(|count| count > size) && interval < until.saturating_since(first);
            let size = count.map_or(size, |count| size.min(count));
            Pace::Burst { size, every: again.then_some(interval) }
        }
        Arrivals::Constant { per_second, .. } | Arrivals::Poisson { per_second, .. } => {
            Pace::About(per_second)
        }
        Arrivals::Schedule(_) => Pace::Listed,
    }
}

/// The lines of these programs that can come to be run: a line from a worker to a service that no
/// message makes it ask would be a line too many on the map.
fn reached<'a>(
    scenario: &Scenario,
    programs: impl Iterator<Item = &'a Program>,
) -> impl Iterator<Item = &'a Act> {
    let steps = programs.flat_map(|program| &program.steps);
    steps.filter(|step| scenario.is_reached(step)).map(|step| &step.act)
}

/// Everything that lines of these programs put messages into, each once.
fn put_by<'a>(
    scenario: &Scenario,
    programs: impl Iterator<Item = &'a Program>,
) -> Vec<ComponentId> {
    let of = |act: &Act| match act {
        Act::Publish { to, .. } | Act::DeadLetter { to: Some(to), .. } => Some(*to),
        _ => None,
    };
    each_once(reached(scenario, programs).filter_map(of))
}

/// Every service that lines of these programs call, each once.
fn called_by<'a>(
    scenario: &Scenario,
    programs: impl Iterator<Item = &'a Program>,
) -> Vec<ComponentId> {
    let of = |act: &Act| match act {
        Act::Call { to, .. } => Some(*to),
        Act::Statement(statement) => Some(statement.table.database),
        _ => None,
    };
    each_once(reached(scenario, programs).filter_map(of))
}

fn each_once(ids: impl Iterator<Item = ComponentId>) -> Vec<ComponentId> {
    let mut all: Vec<ComponentId> = Vec::new();
    for id in ids {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    all
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
        Act::Ack { takes } | Act::Drop { takes } => (LineKind::Ack, Some(takes.mean())),
        Act::Publish { to, takes, .. } | Act::DeadLetter { to: Some(to), takes } => {
            (LineKind::Put(*to), Some(takes.mean()))
        }
        Act::Nack { takes, .. }
        | Act::Extend { takes, .. }
        | Act::CheckLease { takes }
        | Act::DeadLetter { takes, .. }
        | Act::Begin { takes, .. }
        | Act::Rollback { takes }
        | Act::Decode { takes, .. }
        | Act::Admit { takes, .. }
        | Act::Crash { takes } => (LineKind::Other, Some(takes.mean())),
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
