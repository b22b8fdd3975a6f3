//! Positions in a scenario's lists, as types.

/// A component, by its position in the scenario's document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(u16);

impl ComponentId {
    /// The component at this position. Positions come from [`crate::Scenario::components`], which
    /// `limits::COMPONENTS` keeps far below `u16::MAX`.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("limits::COMPONENTS is below u16::MAX"))
    }

    /// Its position in [`crate::Scenario::components`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A type of message that lines are kept for, by its position in [`crate::Scenario::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u16);

impl TypeId {
    /// The type at this position; there are no more of them than values in a document.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Its position in [`crate::Scenario::types`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A line of a handler, by its position in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepIndex(u16);

impl StepIndex {
    /// The first line.
    pub const FIRST: Self = Self(0);

    /// The line at this position; `limits::STEPS` keeps it far below `u16::MAX`.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("limits::STEPS is below u16::MAX"))
    }

    /// Its position in [`crate::Program::steps`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The line after it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
