//! The queue's refusals in the words of the service.

use std::fmt::Display;

use broker::queue::{
    BatchError, ChangeError, DeleteError, PurgeError, ReceiveError, SendError, SettingsError,
    VelocityError,
};

/// A refusal: the codes by which the service knows it, and the reason.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    codes: &'static [&'static str],
    reason: &'static str,
    /// The engine's own words.
    text: String,
}

const PARAMETER: &[&str] = &["InvalidParameterValue", "InvalidParameterValueException"];
const COUNT: &[&str] = &["InvalidParameterValue", "ReadCountOutOfRange"];
const MISSING: &[&str] = &["MissingParameter", "InvalidParameterValue"];
const NOT_IN_FLIGHT: &[&str] = &["MessageNotInflight", "InvalidParameterValue"];
const EMPTY: &[&str] = &["InvalidParameterValue", "MissingParameter", "EmptyValue"];
const ATTRIBUTE: &[&str] = &["InvalidAttributeValue", "InvalidParameterValue"];
const RECEIPT: &[&str] = &["ReceiptHandleIsInvalid", "InvalidReceiptHandle"];
const OVER: &[&str] = &["OverLimit"];
const PURGE: &[&str] = &["PurgeQueueInProgress"];

/// Words of the service that tell one reason from another under the same code, in lower case. A
/// text with none of them is compared by its code alone.
const REASONS: [(&str, &str); 13] = [
    ("does not exist", "gone"),
    ("not available for visibility", "gone"),
    ("receipt handle has expired", "expired"),
    ("not retryable", "attempt"),
    ("contentbaseddeduplication", "no id"),
    ("messagededuplicationid", "id"),
    ("messagegroupid", "group"),
    ("batch requests cannot be longer", "batch size"),
    ("total visibilitytimeout", "total"),
    ("delayseconds", "delay"),
    ("maxnumberofmessages", "max"),
    ("must be shorter than", "size"),
    ("waittimeseconds", "wait"),
];

impl Fault {
    /// Whether an `expect_error` text means this refusal.
    pub fn is(&self, expected: &str) -> bool {
        let code = expected.split([':', ' ']).next().unwrap_or_default();
        let code = code.strip_prefix("AWS.SimpleQueueService.").unwrap_or(code);
        let words = expected.to_lowercase();
        let reason = REASONS.iter().find(|(words_of, _)| words.contains(words_of));
        self.codes.contains(&code) && reason.is_none_or(|(_, reason)| *reason == self.reason)
    }

    fn new(codes: &'static [&'static str], reason: &'static str, error: &impl Display) -> Self {
        Self { codes, reason, text: error.to_string() }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.codes[0], self.text)
    }
}

impl From<SendError> for Fault {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Empty => Self::new(EMPTY, "empty", &error),
            SendError::TooLarge { .. } => Self::new(PARAMETER, "size", &error),
            SendError::DelayOutOfRange { .. } | SendError::DelayOnFifo { .. } => {
                Self::new(PARAMETER, "delay", &error)
            }
            SendError::GroupMissing => Self::new(MISSING, "group", &error),
            SendError::DeduplicationMissing => Self::new(PARAMETER, "no id", &error),
            SendError::DeduplicationOnStandard => Self::new(PARAMETER, "id", &error),
        }
    }
}

impl From<ReceiveError> for Fault {
    fn from(error: ReceiveError) -> Self {
        match error {
            ReceiveError::MaxOutOfRange { .. } => Self::new(COUNT, "max", &error),
            ReceiveError::VisibilityOutOfRange { .. } => Self::new(PARAMETER, "range", &error),
            ReceiveError::WaitOutOfRange { .. } => Self::new(PARAMETER, "wait", &error),
            ReceiveError::OverLimit { .. } => Self::new(OVER, "over", &error),
            ReceiveError::NotRetryable { .. } => Self::new(PARAMETER, "attempt", &error),
        }
    }
}

impl From<ChangeError> for Fault {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::UnknownReceipt => Self::new(RECEIPT, "unknown", &error),
            ChangeError::NoSuchMessage => Self::new(PARAMETER, "gone", &error),
            ChangeError::OutOfRange { .. } => Self::new(PARAMETER, "range", &error),
            ChangeError::TooLong { .. } => Self::new(PARAMETER, "total", &error),
            ChangeError::Expired { .. } => Self::new(NOT_IN_FLIGHT, "gone", &error),
        }
    }
}

impl From<DeleteError> for Fault {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::UnknownReceipt => Self::new(RECEIPT, "unknown", &error),
            DeleteError::Superseded { .. } | DeleteError::Expired { .. } => {
                Self::new(PARAMETER, "expired", &error)
            }
        }
    }
}

impl From<PurgeError> for Fault {
    fn from(error: PurgeError) -> Self {
        Self::new(PURGE, "purge", &error)
    }
}

impl From<SettingsError> for Fault {
    fn from(error: SettingsError) -> Self {
        Self::new(ATTRIBUTE, "setting", &error)
    }
}

impl From<BatchError> for Fault {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Empty => Self::new(&["EmptyBatchRequest"], "batch", &error),
            BatchError::TooMany { .. } => {
                Self::new(&["TooManyEntriesInBatchRequest"], "batch", &error)
            }
            BatchError::IdsNotDistinct { .. } => {
                Self::new(&["BatchEntryIdsNotDistinct"], "batch", &error)
            }
            BatchError::TooLong { .. } => Self::new(&["BatchRequestTooLong"], "batch size", &error),
            BatchError::Incomplete { error: why, .. } => {
                Self { codes: PARAMETER, text: error.to_string(), ..Self::from(why) }
            }
        }
    }
}

impl From<VelocityError> for Fault {
    fn from(error: VelocityError) -> Self {
        Self::new(PARAMETER, "velocity", &error)
    }
}
