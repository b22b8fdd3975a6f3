//! Named sets of settings with a product's defaults.

use broker::queue::Settings;

/// A named set of queue settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Amazon SQS, standard queue.
    SqsStandard,
}

impl Profile {
    /// Every profile with its name on the wire.
    pub const ALL: &'static [(&'static str, Self)] = &[("sqs-standard", Self::SqsStandard)];

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SqsStandard => "sqs-standard",
        }
    }

    /// The product's defaults.
    #[must_use]
    pub fn settings(self) -> Settings {
        match self {
            Self::SqsStandard => Settings::sqs_standard(),
        }
    }
}
