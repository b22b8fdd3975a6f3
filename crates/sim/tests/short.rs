//! Maps and sets as sorted rows answer as those of `std` do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use proptest::collection::vec;
use proptest::prelude::*;
use sim::short::{OrderedMap, OrderedSet};

/// One thing done to a map or set.
#[derive(Clone, Copy, Debug)]
enum Step {
    Insert,
    Remove,
    EntryInsert,
    EntryAdd,
    Change,
    PopFirst,
    PopLast,
    Retain,
    SplitOff,
    Clear,
}

fn steps() -> impl Strategy<Value = Vec<(Step, u8, u8)>> {
    let step = prop_oneof![
        12 => Just(Step::Insert),
        4 => Just(Step::Remove),
        3 => Just(Step::EntryInsert),
        3 => Just(Step::EntryAdd),
        2 => Just(Step::Change),
        1 => Just(Step::PopFirst),
        1 => Just(Step::PopLast),
        1 => Just(Step::Retain),
        1 => Just(Step::SplitOff),
        1 => Just(Step::Clear),
    ];
    vec((step, 0..40_u8, any::<u8>()), 0..120)
}

/// All ranges between two keys that `std` does not refuse.
fn ranges(from: u8, to: u8) -> Vec<(Bound<u8>, Bound<u8>)> {
    let (from, to) = (from.min(to), from.max(to));
    let starts = [Bound::Included(from), Bound::Excluded(from), Bound::Unbounded];
    let ends = [Bound::Included(to), Bound::Excluded(to), Bound::Unbounded];
    let all = starts.iter().flat_map(|start| ends.iter().map(|end| (*start, *end)));
    let refused = (Bound::Excluded(from), Bound::Excluded(from));
    all.filter(|range| *range != refused).collect()
}

fn change_map(ours: &mut OrderedMap<u8, u8>, theirs: &mut BTreeMap<u8, u8>, step: (Step, u8, u8)) {
    let (step, key, value) = step;
    match step {
        Step::Insert => assert_eq!(ours.insert(key, value), theirs.insert(key, value)),
        Step::Remove => assert_eq!(ours.remove(&key), theirs.remove(&key)),
        Step::EntryInsert => {
            assert_eq!(ours.entry(key).or_insert(value), theirs.entry(key).or_insert(value));
        }
        Step::EntryAdd => {
            let (one, other) = (ours.entry(key).or_default(), theirs.entry(key).or_default());
            (*one, *other) = (one.wrapping_add(value), other.wrapping_add(value));
        }
        Step::Change => {
            ours.values_mut().for_each(|each| *each ^= value);
            theirs.values_mut().for_each(|each| *each ^= value);
            for range in ranges(key, value % 40) {
                ours.range_mut(range).for_each(|(key, each)| *each ^= key);
                theirs.range_mut(range).for_each(|(key, each)| *each ^= key);
            }
            assert_eq!(ours.get_mut(&key), theirs.get_mut(&key));
        }
        Step::PopFirst => assert_eq!(ours.pop_first(), theirs.pop_first()),
        Step::PopLast => assert_eq!(ours.pop_last(), theirs.pop_last()),
        Step::Retain => {
            ours.retain(|key, each| (*key ^ *each) & value != 0);
            theirs.retain(|key, each| (*key ^ *each) & value != 0);
        }
        Step::SplitOff => {
            let (one, other) = (ours.split_off(&key), theirs.split_off(&key));
            assert!(one.into_iter().eq(other));
        }
        Step::Clear => {
            ours.clear();
            theirs.clear();
        }
    }
}

fn change_set(ours: &mut OrderedSet<u8>, theirs: &mut BTreeSet<u8>, step: (Step, u8, u8)) {
    let (step, item, value) = step;
    match step {
        Step::Insert | Step::EntryInsert => assert_eq!(ours.insert(item), theirs.insert(item)),
        Step::Remove => assert_eq!(ours.remove(&item), theirs.remove(&item)),
        Step::EntryAdd => {
            ours.extend([item, value]);
            theirs.extend([item, value]);
        }
        Step::PopFirst => assert_eq!(ours.pop_first(), theirs.pop_first()),
        Step::PopLast => assert_eq!(ours.pop_last(), theirs.pop_last()),
        Step::Change | Step::Retain | Step::SplitOff => {
            ours.retain(|each| each & value != 0);
            theirs.retain(|each| each & value != 0);
        }
        Step::Clear => {
            ours.clear();
            theirs.clear();
        }
    }
}

proptest! {
    #[test]
    fn a_map_answers_as_the_one_of_std(steps in steps()) {
        let (mut ours, mut theirs) = (OrderedMap::new(), BTreeMap::new());
        for step in steps {
            change_map(&mut ours, &mut theirs, step);
            prop_assert!(ours.iter().eq(theirs.iter()));
            prop_assert!(ours.iter().rev().eq(theirs.iter().rev()));
            prop_assert!(ours.iter_mut().eq(theirs.iter_mut()));
            prop_assert!(ours.iter_mut().rev().eq(theirs.iter_mut().rev()));
            prop_assert!(ours.keys().eq(theirs.keys()) && ours.values().eq(theirs.values()));
            prop_assert_eq!(ours.iter().len(), theirs.len());
            prop_assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
            prop_assert_eq!(ours.first_key_value(), theirs.first_key_value());
            prop_assert_eq!(ours.last_key_value(), theirs.last_key_value());
            let (_, key, other) = step;
            prop_assert_eq!(ours.get(&key), theirs.get(&key));
            prop_assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
            for range in ranges(key, other % 40) {
                prop_assert!(ours.range(range).eq(theirs.range(range)), "{range:?}");
            }
            if let Some(value) = theirs.get(&key) {
                prop_assert_eq!(&ours[&key], value);
            }
            let collected: OrderedMap<u8, u8> = ours.clone().into_iter().rev().collect();
            prop_assert_eq!(&collected, &ours);
        }
    }

    #[test]
    fn a_set_answers_as_the_one_of_std(steps in steps()) {
        let (mut ours, mut theirs) = (OrderedSet::new(), BTreeSet::new());
        let (mut before, mut theirs_before) = (OrderedSet::new(), BTreeSet::new());
        for step in steps {
            change_set(&mut ours, &mut theirs, step);
            prop_assert!(ours.iter().eq(theirs.iter()));
            prop_assert!(ours.iter().rev().eq(theirs.iter().rev()));
            prop_assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
            prop_assert_eq!((ours.first(), ours.last()), (theirs.first(), theirs.last()));
            let (_, item, other) = step;
            prop_assert_eq!(ours.contains(&item), theirs.contains(&item));
            for range in ranges(item, other % 40) {
                prop_assert!(ours.range(range).eq(theirs.range(range)), "{range:?}");
            }
            prop_assert!(ours.intersection(&before).eq(theirs.intersection(&theirs_before)));
            prop_assert!(ours.difference(&before).eq(theirs.difference(&theirs_before)));
            prop_assert!(before.difference(&ours).eq(theirs_before.difference(&theirs)));
            let collected: OrderedSet<u8> = ours.clone().into_iter().collect();
            prop_assert_eq!(&collected, &ours);
            if item % 4 == 0 {
                (before, theirs_before) = (ours.clone(), theirs.clone());
            }
        }
    }
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "that is the case")]
fn a_range_that_ends_before_it_starts_is_empty() {
    let map: OrderedMap<u8, ()> = (0..10).map(|key| (key, ())).collect();
    assert_eq!(map.range(7..3).count(), 0);
    assert_eq!(map.range((Bound::Excluded(3), Bound::Excluded(3))).count(), 0);
}

#[test]
fn a_map_of_texts_is_asked_with_borrowed_ones() {
    let mut map: OrderedMap<String, u8> =
        [("b".to_owned(), 2), ("a".to_owned(), 1)].into_iter().collect();
    assert_eq!((map.get("a"), map.get("c"), map["b"]), (Some(&1), None, 2));
    assert_eq!((map.remove("a"), map.contains_key("a")), (Some(1), false));
}
