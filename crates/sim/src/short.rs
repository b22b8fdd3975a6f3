//! Order in little code.
//!
//! `std`'s sorts and ordered maps are made for very long ones and cost four to twelve kilobytes of
//! WebAssembly for every type that is kept in them. The lists of a page (marks, beats, rows) are
//! short and nearly in order, and what a queue holds is looked at and changed near its ends.

use std::collections::VecDeque;
use std::collections::vec_deque::Iter;

/// Sorts by insertion, stable: in time linear for what is in order already, and quadratic at
/// worst. For lists of up to a few hundred.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for next in 1..items.len() {
        let mut place = next;
        while place > 0 && key(&items[place - 1]) > key(&items[place]) {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Sorts in `n log n`, whatever the order before; what is equal may change places. (Heapsort: J. W.
/// J. Williams, "Algorithm 232", 1964.)
pub fn sort_unstable_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let sink = |items: &mut [T], mut place: usize| loop {
        let left = 2 * place + 1;
        if left >= items.len() {
            return;
        }
        let right = (left + 1).min(items.len() - 1);
        let larger = if key(&items[right]) > key(&items[left]) { right } else { left };
        if key(&items[place]) >= key(&items[larger]) {
            return;
        }
        items.swap(place, larger);
        place = larger;
    };
    for place in (0..items.len() / 2).rev() {
        sink(items, place);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sink(&mut items[..end], 0);
    }
}

/// A map in the order of its keys, in one stretch of memory. Looking up takes `log n` steps;
/// putting in and taking out moves what lies between the place and the nearer end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderedMap<K, V> {
    entries: VecDeque<(K, V)>,
}

impl<K, V> Default for OrderedMap<K, V> {
    fn default() -> Self {
        Self { entries: VecDeque::new() }
    }
}

impl<K: Ord, V> OrderedMap<K, V> {
    /// What stands under a key.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(self.find(key).ok()?).map(|(_, value)| value)
    }

    /// What stands under a key, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = self.find(key).ok()?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Puts a value under a key, in the place of what stood there.
    pub fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(place) => self.entries[place].1 = value,
            Err(place) => self.entries.insert(place, (key, value)),
        }
    }

    /// Takes out what stands under a key.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.find(key).ok()?;
        self.entries.remove(place).map(|(_, value)| value)
    }

    /// All from a key on, in order.
    pub fn from(&self, key: &K) -> Iter<'_, (K, V)> {
        let place = self.find(key).unwrap_or_else(|place| place);
        self.entries.range(place..)
    }

    /// All, in order.
    pub fn iter(&self) -> Iter<'_, (K, V)> {
        self.entries.iter()
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline(never)]
    fn find(&self, key: &K) -> Result<usize, usize> {
        self.entries.binary_search_by(|(other, _)| other.cmp(key))
    }
}

#[cfg(test)]
mod tests {
    use super::{OrderedMap, sort_by_key, sort_unstable_by_key};

    #[test]
    fn what_is_equal_keeps_its_order() {
        let check = |given: &[(u8, char)], wanted: &[(u8, char)]| {
            let mut items = given.to_vec();
            sort_by_key(&mut items, |(key, _)| *key);
            assert_eq!(items, wanted);
        };
        check(&[], &[]);
        check(&[(1, 'a')], &[(1, 'a')]);
        check(&[(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')], &[(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn long_lists_are_sorted_too() {
        for n in [0_u64, 1, 2, 3, 10, 100, 1_000] {
            let mut items: Vec<u64> = (0..n).map(|i| i * 7_919 % 104_729 % 500).collect();
            let mut wanted = items.clone();
            wanted.sort_unstable();
            sort_unstable_by_key(&mut items, |item| *item);
            assert_eq!(items, wanted, "{n}");
        }
    }

    #[test]
    fn a_map_answers_as_the_one_of_std() {
        let (mut ours, mut theirs) = (OrderedMap::default(), std::collections::BTreeMap::new());
        for i in 0..400_u32 {
            let key = i * 7_919 % 97;
            if i % 3 == 2 {
                assert_eq!(ours.remove(&key), theirs.remove(&key), "{i}");
            } else {
                ours.insert(key, i);
                theirs.insert(key, i);
            }
            let other = key / 2;
            assert_eq!(ours.get(&other), theirs.get(&other), "{i}");
            assert_eq!(ours.get_mut(&other), theirs.get_mut(&other), "{i}");
            let from: Vec<_> = ours.from(&other).copied().collect();
            let wanted: Vec<_> = theirs.range(other..).map(|(k, v)| (*k, *v)).collect();
            assert_eq!(from, wanted, "{i}");
        }
        assert_eq!(ours.iter().count(), theirs.len());
        ours.clear();
        assert_eq!(ours.iter().next(), None);
    }
}
