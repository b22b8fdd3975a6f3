//! Boxes to be used again.

use std::hash::{Hash, Hasher};

/// Boxes that nobody needs at the moment, to be used again: a run that has got going allocates
/// nothing for a request. They are no part of a run's state, so two worlds are alike
/// whatever they have of them.
#[derive(Debug)]
pub(crate) struct Spare<T>(Vec<Box<T>>);

/// How many are kept. What is needed at a time beyond that is a peak and not the steady state.
const SPARES: usize = 64;

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> Hash for Spare<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T> Spare<T> {
    /// A box with what comes of `with`, which is given what the box had in it before.
    pub(crate) fn fill(&mut self, with: impl FnOnce(Option<&mut T>) -> T) -> Box<T> {
        match self.0.pop() {
            Some(mut used) => {
                *used = with(Some(&mut *used));
                used
            }
            None => Box::new(with(None)),
        }
    }

    /// Takes back a box that is needed no longer.
    pub(crate) fn keep(&mut self, used: Box<T>) {
        if self.0.len() < SPARES {
            self.0.push(used);
        }
    }
}
