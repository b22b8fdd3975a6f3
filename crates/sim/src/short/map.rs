//! A map as a sorted row.

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::collections::vec_deque::{IntoIter, Iter, IterMut};
use std::ops::{Bound, Index, Range, RangeBounds};

/// A map in the order of its keys, in one stretch of memory. Looking up takes `log n` steps;
/// putting in and taking out moves what lies between the place and the nearer end.
///
/// It is called like [`std::collections::BTreeMap`] and answers alike. A map of thousands that are
/// put in far from its ends is better off with that one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderedMap<K, V> {
    entries: VecDeque<(K, V)>,
}

/// A place in a map, for a key that may be there or not.
#[derive(Debug)]
pub struct Entry<'a, K, V> {
    entries: &'a mut VecDeque<(K, V)>,
    key: K,
    place: Result<usize, usize>,
}

/// Keys with their values, in order.
#[derive(Debug)]
pub struct Entries<'a, K, V>(Iter<'a, (K, V)>);

/// Keys with their values, in order, the values to be changed.
#[derive(Debug)]
pub struct EntriesMut<'a, K, V>(IterMut<'a, (K, V)>);

impl<K, V> OrderedMap<K, V> {
    /// An empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: VecDeque::new() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All, in order.
    pub fn iter(&self) -> Entries<'_, K, V> {
        Entries(self.entries.iter())
    }

    /// All, in order, the values to be changed.
    pub fn iter_mut(&mut self) -> EntriesMut<'_, K, V> {
        EntriesMut(self.entries.iter_mut())
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The values, in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.iter_mut().map(|(_, value)| value)
    }

    /// The first key with its value.
    #[must_use]
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// The last key with its value.
    #[must_use]
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    /// Takes out the first.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.entries.pop_front()
    }

    /// Takes out the last.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.entries.pop_back()
    }

    /// Takes out what is not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| keep(key, value));
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

impl<K: Ord, V> OrderedMap<K, V> {
    /// What stands under a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.entries.get(place).map(|(_, value)| value)
    }

    /// What stands under a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Whether something stands under a key.
    #[must_use]
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Puts a value under a key. Answers with what stood there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.entries[place].1, value)),
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// The place of a key, to put something there if nothing is.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.find(&key);
        Entry { entries: &mut self.entries, key, place }
    }

    /// Takes out what stands under a key.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        self.entries.remove(place).map(|(_, value)| value)
    }

    /// Those whose keys lie in a range, in order; none if it ends before it starts.
    pub fn range(&self, range: impl RangeBounds<K>) -> Entries<'_, K, V> {
        Entries(self.entries.range(self.places(range.start_bound(), range.end_bound())))
    }

    /// Those whose keys lie in a range, in order, the values to be changed.
    pub fn range_mut(&mut self, range: impl RangeBounds<K>) -> EntriesMut<'_, K, V> {
        let places = self.places(range.start_bound(), range.end_bound());
        EntriesMut(self.entries.range_mut(places))
    }

    /// Takes out all from a key on.
    #[must_use = "what is taken out would be lost: clear or retain instead"]
    pub fn split_off(&mut self, from: &K) -> Self {
        let place = self.find(from).unwrap_or_else(|place| place);
        Self { entries: self.entries.split_off(place) }
    }

    fn places(&self, start: Bound<&K>, end: Bound<&K>) -> Range<usize> {
        let start = match start {
            Bound::Unbounded => 0,
            Bound::Included(key) => self.find(key).unwrap_or_else(|place| place),
            Bound::Excluded(key) => self.find(key).map_or_else(|place| place, |place| place + 1),
        };
        let end = match end {
            Bound::Unbounded => self.entries.len(),
            Bound::Included(key) => self.find(key).map_or_else(|place| place, |place| place + 1),
            Bound::Excluded(key) => self.find(key).unwrap_or_else(|place| place),
        };
        start..end.max(start)
    }

    #[inline(never)]
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries.binary_search_by(|(other, _)| other.borrow().cmp(key))
    }
}

impl<'a, K, V> Entry<'a, K, V> {
    /// What stands there, or what is now put there.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let Self { entries, key, place } = self;
        let place = place.unwrap_or_else(|place| {
            entries.insert(place, (key, value()));
            place
        });
        &mut entries[place].1
    }

    /// The same, with a value that is at hand.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The same, with the default.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Clone for Entries<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'a, K, V> Iterator for Entries<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Entries<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Entries<'_, K, V> {}

impl<'a, K, V> Iterator for EntriesMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (&*key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for EntriesMut<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (&*key, value))
    }
}

impl<K, V> ExactSizeIterator for EntriesMut<'_, K, V> {}

impl<'a, K, V> IntoIterator for &'a OrderedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut OrderedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = EntriesMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K, V> IntoIterator for OrderedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<K: Ord, V> Extend<(K, V)> for OrderedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, more: I) {
        for (key, value) in more {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for OrderedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for OrderedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("what is asked for by index is there")
    }
}
