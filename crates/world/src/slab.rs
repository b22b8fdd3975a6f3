//! Things with numbers: requests, calls and the like, while they are under way.

use std::hash::{Hash, Hasher};

/// Things with numbers that are used again, lowest first.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Slab<T> {
    items: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    pub(crate) fn insert(&mut self, item: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.items[number as usize] = Some(item);
            return number;
        }
        self.items.push(Some(item));
        u32::try_from(self.items.len() - 1).expect("bounded by limits::MESSAGES")
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.items.get_mut(number as usize)?.as_mut()
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let item = self.items.get_mut(number as usize)?.take();
        if item.is_some() {
            self.free.push(number);
        }
        item
    }

    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.items).filter_map(|(number, item)| Some((number, item.as_ref()?)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().flatten()
    }
}

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
