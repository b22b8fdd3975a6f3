//! A scenario: what a run is made of.

use patterns::autoscale;
use patterns::retry::FailureClass;
use patterns::tracing::Continuation;
use sim::{Arrivals, Shares, SimDuration, SimTime, Times};

use crate::{
    Act, Address, Caller, Capacity, ComponentId, Database, Intervention, Log, Membership,
    NamedSchema, Orchestrator, Permanent, Program, Property, Queue, Relay, Scheduler, Skew, Step,
    Taking, Then, Topic, TypeId, WorkerRetry,
};

/// Everything that a run depends on. Equal scenarios have equal runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it shows, for a person.
    pub name: String,
    /// The seed of every random stream. A string of digits on the wire.
    pub seed: u64,
    /// When the run ends, if nothing ends it earlier.
    pub until: SimTime,
    /// The parts, in document order; a [`ComponentId`] is a position here.
    pub components: Vec<Component>,
    /// What breaks on its own, by time.
    pub faults: Vec<Intervention>,
    /// What somebody does to the run, by time. The player adds to these.
    pub interventions: Vec<Intervention>,
    /// What must hold.
    pub properties: Vec<Property>,
    /// How the handling of a message goes on with the trace that it carries. It changes nothing of
    /// the run, and what of it can be seen.
    pub tracing: Continuation,
    /// What bodies look like, version by version; a [`crate::SchemaId`] is a position here.
    pub schemas: Vec<NamedSchema>,
    /// The types of message that lines are kept for, each a text in a body's field [`TYPE_FIELD`];
    /// a [`TypeId`] is a position here.
    pub types: Vec<Field>,
}

/// The field of a body that says of which type a message is.
pub const TYPE_FIELD: &str = "type";

impl Scenario {
    /// The component with this id.
    #[must_use]
    #[inline]
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// The component with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<ComponentId> {
        self.components.iter().position(|c| c.name == name).map(ComponentId::new)
    }

    /// The groups that read a log, in document order, each with its workers components.
    #[must_use]
    pub fn groups_of(&self, log: ComponentId) -> Vec<Vec<ComponentId>> {
        let mut groups: Vec<Vec<ComponentId>> = Vec::new();
        for (id, component) in self.ids() {
            let Kind::Workers(workers) = &component.kind else { continue };
            let Some(membership) = workers.membership.as_ref().filter(|_| workers.from == log)
            else {
                continue;
            };
            let name = |id: ComponentId| self.group_name(id);
            match groups.iter_mut().find(|group| name(group[0]) == Some(&membership.group)) {
                Some(group) => group.push(id),
                None => groups.push(vec![id]),
            }
        }
        groups
    }

    /// The log that a workers component reads, and the first component of its group.
    #[must_use]
    pub fn group_of(&self, workers: ComponentId) -> Option<(ComponentId, ComponentId)> {
        let Kind::Workers(spec) = &self.component(workers).kind else { return None };
        let groups = self.groups_of(spec.from);
        let own = groups.iter().find(|group| group.contains(&workers))?;
        Some((spec.from, own[0]))
    }

    /// The name of the group that a workers component reads a log with.
    #[must_use]
    pub fn group_name(&self, workers: ComponentId) -> Option<&str> {
        match &self.component(workers).kind {
            Kind::Workers(workers) => workers.membership.as_ref().map(|own| own.group.as_str()),
            _ => None,
        }
    }

    /// Whether a line can come to be run: whether a message of its type is published or sent.
    #[must_use]
    pub fn is_reached(&self, step: &Step) -> bool {
        let Some(wanted) = step.if_type else { return true };
        let wanted = &self.types[wanted.index()];
        let says = |kind: Option<TypeId>| kind.is_some_and(|it| &self.types[it.index()] == wanted);
        let publishes = |program: &Program| {
            let mut acts = program.steps.iter().map(|step| &step.act);
            acts.any(|act| matches!(act, Act::Publish { kind, .. } if says(*kind)))
        };
        self.components.iter().any(|component| match &component.kind {
            Kind::Source(it) => it.messages.iter().any(|m| m.field(TYPE_FIELD) == Some(wanted)),
            Kind::Service(it) => it.handles.iter().any(|(_, program)| publishes(program)),
            Kind::Workers(it) => publishes(&it.on_message),
            _ => false,
        })
    }

    /// Every component with its id.
    pub fn ids(&self) -> impl Iterator<Item = (ComponentId, &Component)> {
        self.components.iter().enumerate().map(|(i, c)| (ComponentId::new(i), c))
    }
}

/// One part of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its key in the document, by which others refer to it.
    pub name: String,
    /// What a person calls it; the name unless the document says otherwise.
    pub label: String,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of component.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Sends requests or messages by a schedule.
    Source(Source),
    /// Answers requests by running a handler.
    Service(Service),
    /// A work queue.
    Queue(Queue),
    /// A partitioned log.
    Log(Log),
    /// Passes what is published on to queues.
    Topic(Topic),
    /// A group of worker processes that share a handler.
    Workers(Workers),
    /// Keeps rows in tables, and changes them in transactions.
    Database(Box<Database>),
    /// Publishes the events of an outbox, by asking its table or by reading the write-ahead log.
    Relay(Box<Relay>),
    /// Conducts sagas.
    Orchestrator(Box<Orchestrator>),
    /// Hands runs to workers by the clock.
    Scheduler(Box<Scheduler>),
    /// Somebody else's service: it can be slow, fail and be down, and what it did stays done.
    External(External),
}

/// Sends requests or messages by a schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where they go.
    pub to: Target,
    /// How long one is on its way.
    pub travel: Times,
    /// When they leave.
    pub arrivals: Arrivals,
    /// The field whose value is the ordering key.
    pub key: Option<String>,
    /// What they carry. May be empty.
    pub messages: Vec<Payload>,
    /// How often each of these is carried. `None`: in turn, and then from the start again.
    pub shares: Option<Shares>,
    /// The size of one, in bytes.
    pub bytes: u32,
    /// A body above so many bytes is stored elsewhere, and the message carries a reference to it.
    /// That it is stored and fetched is a `call` of the handlers on both sides.
    pub claim_check: Option<u32>,
    /// What stands on their envelopes.
    pub address: Address,
    /// How it waits for answers. `None`: it sends, and what is answered is nothing to it.
    pub caller: Option<Box<Caller>>,
    /// How long an answer is on its way back.
    pub reply: Times,
}

/// Where a source sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To a handler of a service: the component and the handler's position in it.
    Service(ComponentId, usize),
    /// Straight into a queue or a log.
    Queue(ComponentId),
}

impl Target {
    /// The component at the other end.
    #[must_use]
    pub fn component(self) -> ComponentId {
        match self {
            Self::Service(id, _) | Self::Queue(id) => id,
        }
    }
}

/// What a message carries: named fields, as the author wrote them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Payload {
    /// Names and values in document order.
    pub fields: Vec<(String, Field)>,
}

impl Payload {
    /// The value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }
}

/// The value of a payload's field.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// Text.
    Text(String),
    /// A number.
    Number(f64),
}

/// Answers requests by running a handler for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// How many processes.
    pub count: u16,
    /// How many requests one process handles at once. `None`: any number.
    pub concurrency: Option<u32>,
    /// How many more may wait for a process to have room; who comes then is refused.
    pub waiting: u32,
    /// The status that a refused request is answered with: 503, or 429.
    pub when_full: u16,
    /// After which time a refused request may come again, as its answer says.
    pub retry_after: Option<SimDuration>,
    /// Which share of its room, in hundredths, may be taken for each class to be let in, the lowest
    /// class first; a request's class is the priority of its message. Classes beyond the list are
    /// let in until there is no room. Empty: nobody is told from others.
    pub shed_at_percent: Vec<u32>,
    /// How long a dead process takes to be back. `None`: it stays dead.
    pub restart_after: Option<SimDuration>,
    /// How far the clocks of its processes are off.
    pub clock: Skew,
    /// The handlers by the request they answer, in document order.
    pub handles: Vec<(String, Program)>,
}

/// A group of worker processes that share a handler.
#[derive(Clone, Debug, PartialEq)]
pub struct Workers {
    /// The queue they take from, or the log they read.
    pub from: ComponentId,
    /// How they read it, if it is a log.
    pub membership: Option<Membership>,
    /// How many processes, at most.
    pub count: u16,
    /// How many of them run at first.
    pub running: u16,
    /// The rule that says how many run. `None`: nobody changes that but an operator.
    pub autoscale: Option<Box<autoscale::Settings>>,
    /// How long a delivery takes from the queue to the worker's hands.
    pub receive_takes: Times,
    /// How many messages one receive may bring, 1 to 10. A worker handles them one after another.
    pub receive_max: u32,
    /// How they take from queues that are asked.
    pub taking: Taking,
    /// How many messages a broker that pushes may leave with a worker before it has acked any.
    /// `None`: as many as the broker allows.
    pub prefetch: Option<u32>,
    /// Whether a message counts as done once it is sent.
    pub acks: AckMode,
    /// How long a dead process takes to be back. `None`: it stays dead.
    pub restart_after: Option<SimDuration>,
    /// How far the clocks of its processes are off.
    pub clock: Skew,
    /// What is done with a message.
    pub on_message: Program,
    /// What is done when a line fails.
    pub on_error: OnError,
    /// While a message is in hand, move the end of its hidden time.
    pub heartbeat: Option<Heartbeat>,
}

/// Who says that a message is done, with a broker that pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AckMode {
    /// The worker, by a line of its handler.
    Manual,
    /// Nobody: a message sent is a message gone.
    Automatic,
}

impl Workers {
    /// Whether something puts messages aside without saying where.
    #[must_use]
    pub fn needs_dead_letters(&self) -> bool {
        let by_policy = match &self.on_error {
            OnError::Retry(retry) => {
                retry.then == Then::DeadLetter || retry.permanent == Permanent::DeadLettered
            }
            OnError::DeadLetter => true,
            OnError::Nack { .. } | OnError::Leave => false,
        };
        by_policy || self.on_message.steps.iter().any(|step| step.act.needs_dead_letters())
    }
}

/// What a worker does when a line of its handler fails.
#[derive(Clone, Debug, PartialEq)]
pub enum OnError {
    /// Give the message back, to be on offer again after a delay.
    Nack {
        /// How long it stays hidden.
        delay: SimDuration,
    },
    /// Reject it for good: it goes to the dead letters, or is dropped where there are none.
    DeadLetter,
    /// Say nothing: the visibility timeout will bring it back.
    Leave,
    /// Try again by a policy.
    Retry(Box<WorkerRetry>),
}

/// A worker's habit of saying "still at it".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heartbeat {
    /// How often.
    pub every: SimDuration,
    /// The hidden time set by each, from then on.
    pub extend_to: SimDuration,
}

/// Somebody else's service.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// How long a call takes.
    pub latency: Times,
    /// How much it can do at once. `None`: as much as it is asked for.
    pub capacity: Option<Capacity>,
    /// The share of calls that fail instead of having their effect, 0 to 1.
    pub error_rate: f64,
    /// Whether what failed could succeed later.
    pub error_class: FailureClass,
    /// What becomes of a call whose caller dies before it has ended.
    pub if_caller_dies: IfCallerDies,
    /// For how long it knows the key of a call and answers a second one with the same key as it
    /// answered the first, without doing it again. `None`: it looks at no keys.
    pub idempotency: Option<SimDuration>,
}

/// What becomes of a call whose caller dies before it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IfCallerDies {
    /// The request was complete when it left, as with most calls over HTTP: it has its effect.
    GoesOn,
    /// The service only acts at the end of a dialogue, as a mail server does (RFC 5321, section
    /// 4.1.1.4): a dialogue that breaks off has no effect.
    Stops,
}
