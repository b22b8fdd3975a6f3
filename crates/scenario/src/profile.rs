//! Named sets of settings with a product's defaults.

/// A named set of queue settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Amazon SQS, standard queue.
    SqsStandard,
    /// Amazon SQS, FIFO queue.
    SqsFifo,
    /// RabbitMQ, classic queue.
    RabbitClassic,
    /// RabbitMQ, quorum queue.
    RabbitQuorum,
    /// A list in memory that forgets a message as soon as it is handed out.
    Plain,
}

impl Profile {
    /// Every profile with its name on the wire.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("sqs-standard", Self::SqsStandard),
        ("sqs-fifo", Self::SqsFifo),
        ("rabbitmq-classic", Self::RabbitClassic),
        ("rabbitmq-quorum", Self::RabbitQuorum),
        ("plain", Self::Plain),
    ];

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SqsStandard => "sqs-standard",
            Self::SqsFifo => "sqs-fifo",
            Self::RabbitClassic => "rabbitmq-classic",
            Self::RabbitQuorum => "rabbitmq-quorum",
            Self::Plain => "plain",
        }
    }
}
