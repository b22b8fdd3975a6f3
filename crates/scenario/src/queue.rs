//! Queues: profiles, settings, and what a person may see of them.

use broker::amqp::{self, Release, Server};
use broker::queue;
use sim::SimDuration;

use crate::{ComponentId, Kind, Profile, Scenario};

/// A work queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// The named set of settings it starts from.
    pub profile: Profile,
    /// Its settings, the profile's unless the document says otherwise.
    pub settings: Settings,
    /// The keys that the document sets itself; the others come from the profile.
    pub overridden: Vec<&'static str>,
    /// Where messages go that were received too often, or that die in another way.
    pub dead_letter_to: Option<ComponentId>,
}

/// The settings of a queue, by whose rules it follows.
#[derive(Clone, Debug, PartialEq)]
pub enum Settings {
    /// Amazon SQS.
    Sqs(queue::Settings),
    /// RabbitMQ: of the queue, and of the broker that it is on.
    Rabbit(Box<amqp::Settings>, Server),
    /// Nobody's: a list in memory.
    Plain(Plain),
}

/// A list in memory that forgets a message as soon as it is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Plain {
    /// How many messages it holds; what comes then is turned down.
    pub max_length: Option<u32>,
    /// What becomes of a message that comes while nobody is connected.
    pub unattended: Unattended,
}

/// What becomes of a message that comes while no consumer is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unattended {
    /// It waits.
    Keep,
    /// It is gone, as in a publish to nobody.
    Drop,
}

/// A setting as a person may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Not limited, or never.
    Never,
    /// A length of time.
    Time(SimDuration),
    /// A number.
    Count(u32),
    /// A word of the format.
    Word(&'static str),
}

impl Settings {
    /// The product's defaults.
    #[must_use]
    pub fn of(profile: Profile) -> Self {
        let release = Release::V4_0;
        let rabbit = |settings| Self::Rabbit(Box::new(settings), Server::new(release));
        match profile {
            Profile::SqsStandard => Self::Sqs(queue::Settings::sqs_standard()),
            Profile::SqsFifo => Self::Sqs(queue::Settings::sqs_fifo()),
            Profile::RabbitClassic => rabbit(amqp::Settings::rabbitmq_classic()),
            Profile::RabbitQuorum => rabbit(amqp::Settings::rabbitmq_quorum(release)),
            Profile::Plain => Self::Plain(Plain { max_length: None, unattended: Unattended::Keep }),
        }
    }
}

impl Scenario {
    /// The broker of RabbitMQ that its queues are on: its release, and the consumer timeout that a
    /// queue sets, if one does.
    #[must_use]
    pub fn rabbit_server(&self) -> Server {
        let mut server = Server::new(Release::V4_0);
        for component in &self.components {
            if let Kind::Queue(queue) = &component.kind
                && let Settings::Rabbit(_, own) = &queue.settings
            {
                server.release = own.release;
                if queue.overridden.contains(&"consumer_timeout") {
                    server.consumer_timeout = own.consumer_timeout;
                }
            }
        }
        server
    }
}

impl Queue {
    /// How long a message stays hidden once it has been taken, if the clock brings it back.
    #[must_use]
    pub fn visibility(&self) -> Option<SimDuration> {
        match &self.settings {
            Settings::Sqs(settings) => Some(settings.visibility_timeout),
            Settings::Rabbit(..) | Settings::Plain(_) => None,
        }
    }

    /// How often a message is handed out before it is moved aside, if that is limited. RabbitMQ
    /// counts what comes back, so that it hands out once more than its limit.
    #[must_use]
    pub fn receives(&self) -> Option<u32> {
        match &self.settings {
            Settings::Sqs(settings) => settings.max_receive_count,
            Settings::Rabbit(settings, _) => settings.delivery_limit.map(|limit| limit + 1),
            Settings::Plain(_) => None,
        }
    }

    /// Its settings, by their keys in the document.
    #[must_use]
    pub fn shown(&self) -> Vec<(&'static str, Shown)> {
        match &self.settings {
            Settings::Sqs(settings) => sqs(settings),
            Settings::Rabbit(settings, server) => rabbit(settings, server),
            Settings::Plain(plain) => vec![
                ("max_length", count(plain.max_length)),
                (
                    "unattended",
                    Shown::Word(match plain.unattended {
                        Unattended::Keep => "keep",
                        Unattended::Drop => "drop",
                    }),
                ),
            ],
        }
    }
}

fn count(limit: Option<u32>) -> Shown {
    limit.map_or(Shown::Never, Shown::Count)
}

fn time(limit: Option<SimDuration>) -> Shown {
    limit.map_or(Shown::Never, Shown::Time)
}

fn sqs(settings: &queue::Settings) -> Vec<(&'static str, Shown)> {
    let receipts = match settings.receipts {
        queue::Receipts::Strict => "strict",
        queue::Receipts::Lenient => "lenient",
    };
    let mut all = vec![
        ("visibility_timeout", Shown::Time(settings.visibility_timeout)),
        ("max_receive_count", count(settings.max_receive_count)),
        ("retention", Shown::Time(settings.retention)),
        ("delay", Shown::Time(settings.delay)),
        ("receive_wait", Shown::Time(settings.receive_wait)),
        ("max_in_flight", Shown::Count(settings.max_in_flight)),
        ("max_message_bytes", Shown::Count(settings.max_message_bytes)),
        ("receipts", Shown::Word(receipts)),
    ];
    match settings.kind {
        queue::Kind::Standard => {}
        queue::Kind::Fair(fairness) => all.push(("fair", Shown::Count(fairness.share_percent))),
        queue::Kind::Fifo(fifo) => {
            let from = match fifo.deduplicate {
                queue::Deduplicate::ById => "by-id",
                queue::Deduplicate::ByContent => "by-content",
            };
            let scope = match fifo.scope {
                queue::Scope::Queue => "queue",
                queue::Scope::MessageGroup => "group",
            };
            all.push(("deduplicate", Shown::Word(from)));
            all.push(("deduplication_scope", Shown::Word(scope)));
        }
    }
    all
}

fn rabbit(settings: &amqp::Settings, server: &Server) -> Vec<(&'static str, Shown)> {
    let release = match server.release {
        Release::V3_10 => "3.10",
        Release::V4_0 => "4.0",
        Release::V4_3 => "4.3",
    };
    let overflow = match settings.overflow {
        amqp::Overflow::DropHead => "drop-head",
        amqp::Overflow::RejectPublish => "reject-publish",
        amqp::Overflow::RejectPublishDeadLetter => "reject-publish-dlx",
    };
    let sharing = match settings.sharing {
        amqp::Sharing::Competing => "competing",
        amqp::Sharing::SingleActive => "single-active",
    };
    let bytes = settings.max_length_bytes.map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
    let strategy = match settings.dead_letter_strategy {
        amqp::DeadLetterStrategy::AtMostOnce => "at-most-once",
        amqp::DeadLetterStrategy::AtLeastOnce => "at-least-once",
    };
    let timeout = settings.consumer_timeout.or(server.consumer_timeout);
    let mut all = vec![
        ("release", Shown::Word(release)),
        ("sharing", Shown::Word(sharing)),
        ("message_ttl", time(settings.message_ttl)),
        ("max_length", count(settings.max_length)),
        ("max_length_bytes", count(bytes)),
        ("overflow", Shown::Word(overflow)),
        ("consumer_timeout", time(timeout)),
    ];
    match settings.kind {
        amqp::QueueKind::Classic => all.push(("max_priority", count(settings.max_priority))),
        amqp::QueueKind::Quorum => {
            all.push(("delivery_limit", count(settings.delivery_limit)));
            all.push(("dead_letter_strategy", Shown::Word(strategy)));
        }
    }
    if let amqp::DelayedRetry::Linear { min, .. } = settings.delayed_retry {
        all.push(("delayed_retry", Shown::Time(min)));
    }
    all
}
