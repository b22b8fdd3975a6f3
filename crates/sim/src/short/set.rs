//! A set as a sorted row.

use std::ops::RangeBounds;

use super::map::{Entries, OrderedMap};

/// A set in order: an [`OrderedMap`] with nothing under its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderedSet<T> {
    items: OrderedMap<T, ()>,
}

/// What is in a set, in order.
#[derive(Debug)]
pub struct Items<'a, T>(Entries<'a, T, ()>);

impl<T> OrderedSet<T> {
    /// An empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { items: OrderedMap::new() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All, in order.
    pub fn iter(&self) -> Items<'_, T> {
        Items(self.items.iter())
    }

    /// The first.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The last.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// Takes out the first.
    pub fn pop_first(&mut self) -> Option<T> {
        self.items.pop_first().map(|(item, ())| item)
    }

    /// Takes out the last.
    pub fn pop_last(&mut self) -> Option<T> {
        self.items.pop_last().map(|(item, ())| item)
    }

    /// Takes out what is not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.items.retain(|item, ()| keep(item));
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<T: Ord> OrderedSet<T> {
    /// Whether it is in the set.
    #[must_use]
    pub fn contains(&self, item: &T) -> bool {
        self.items.contains_key(item)
    }

    /// Puts something in. Tells whether it was not there.
    pub fn insert(&mut self, item: T) -> bool {
        self.items.insert(item, ()).is_none()
    }

    /// Takes something out. Tells whether it was there.
    pub fn remove(&mut self, item: &T) -> bool {
        self.items.remove(item).is_some()
    }

    /// What lies in a range, in order; nothing if it ends before it starts.
    pub fn range(&self, range: impl RangeBounds<T>) -> Items<'_, T> {
        Items(self.items.range(range))
    }

    /// What is in both, in order.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.iter().filter(|item| other.contains(item))
    }

    /// What is not in the other, in order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.iter().filter(|item| !other.contains(item))
    }
}

impl<T> Default for OrderedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, T> Iterator for Items<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.0.next().map(|(item, ())| item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> DoubleEndedIterator for Items<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(item, ())| item)
    }
}

impl<T> ExactSizeIterator for Items<'_, T> {}

impl<'a, T> IntoIterator for &'a OrderedSet<T> {
    type Item = &'a T;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> IntoIterator for OrderedSet<T> {
    type Item = T;
    type IntoIter =
        std::iter::Map<std::collections::vec_deque::IntoIter<(T, ())>, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().map(|(item, ())| item)
    }
}

impl<T: Ord> Extend<T> for OrderedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        for item in more {
            self.insert(item);
        }
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for OrderedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, more: I) {
        self.extend(more.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for OrderedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::new();
        set.extend(items);
        set
    }
}
