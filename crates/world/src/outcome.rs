//! How lines come out: which branch is for it, and whether the same could succeed later.

use patterns::retry::FailureClass;
use scenario::When;

use crate::Outcome;

impl Outcome {
    /// Whether a branch for `when` is for this outcome.
    #[must_use]
    pub fn is(self, when: When) -> bool {
        match when {
            When::Conflict => self == Self::Conflict,
            When::ZeroRows => self == Self::ZeroRows,
            When::Found => self == Self::Ok,
            When::Error => matches!(self, Self::Error(_)),
            When::ErrorOf(class) => self == Self::Error(class),
            When::Timeout => self == Self::Timeout,
            When::Refused => self == Self::Refused,
            When::Poison => self == Self::Poison,
        }
    }

    /// Whether the same could succeed later, for those that are failures.
    #[must_use]
    pub fn class(self) -> Option<FailureClass> {
        match self {
            Self::Ok | Self::ZeroRows => None,
            Self::Error(class) => Some(class),
            Self::Timeout | Self::Refused => Some(FailureClass::Transient),
            Self::Poison | Self::Conflict => Some(FailureClass::Permanent),
        }
    }
}
