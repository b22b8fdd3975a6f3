//! What must hold in every run.

/// A promise that a run keeps or breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// A message that was stored is acked after its work was done, or is still in a queue or in
    /// somebody's hands, or was moved aside.
    NoMessageLost,
    /// No call of a handler has its effect more than once for one message.
    NoEffectTwice,
    /// Messages with the same key have their first effects in the order in which they were sent,
    /// as far as the same queue or group is concerned.
    OrderByKey,
}

impl Property {
    /// Every property with its words on the wire.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("no message lost", Self::NoMessageLost),
        ("no effect twice", Self::NoEffectTwice),
        ("order by key", Self::OrderByKey),
    ];

    /// Its words on the wire.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::NoMessageLost => "no message lost",
            Self::NoEffectTwice => "no effect twice",
            Self::OrderByKey => "order by key",
        }
    }
}
