//! The calendar: the order of events, and that its history does not show.

use std::hash::{DefaultHasher, Hash, Hasher};

use proptest::prelude::*;
use sim::{Calendar, Rank, SimTime};

const RANKS: [Rank; 5] =
    [Rank::Finish, Rank::Timer, Rank::Arrival, Rank::Dispatch, Rank::Intervention];

fn at(micros: u64) -> SimTime {
    SimTime::from_micros(micros)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn drain<E: Copy>(mut calendar: Calendar<E>) -> Vec<(u64, E)> {
    std::iter::from_fn(|| calendar.pop()).map(|(time, event)| (time.as_micros(), event)).collect()
}

#[test]
fn events_come_by_time_then_rank_then_order_of_scheduling() {
    let mut calendar = Calendar::new();
    let rows = [
        (5, Rank::Arrival, "first arrival at 5"),
        (3, Rank::Intervention, "click at 3"),
        (5, Rank::Timer, "timer at 5"),
        (3, Rank::Dispatch, "dispatch at 3"),
        (5, Rank::Arrival, "second arrival at 5"),
        (5, Rank::Finish, "finish at 5"),
    ];
    for (time, rank, event) in rows {
        calendar.schedule(at(time), rank, event);
    }
    let expected = [
        (3, "dispatch at 3"),
        (3, "click at 3"),
        (5, "finish at 5"),
        (5, "timer at 5"),
        (5, "first arrival at 5"),
        (5, "second arrival at 5"),
    ];
    assert_eq!(drain(calendar), expected);
}

#[test]
fn calendars_with_the_same_future_are_equal_whatever_their_past() {
    let mut short = Calendar::new();
    let mut long = Calendar::new();
    for event in 0..10 {
        long.schedule(at(event), Rank::Timer, event);
    }
    while long.pop().is_some() {}
    for event in [1, 2, 3] {
        short.schedule(at(20), Rank::Timer, event);
        long.schedule(at(20), Rank::Timer, event);
    }
    assert_eq!(short, long);
    assert_eq!(hash(&short), hash(&long));

    // The order of scheduling is part of the future, and so is the rank.
    let mut other = Calendar::new();
    for event in [2, 1, 3] {
        other.schedule(at(20), Rank::Timer, event);
    }
    assert_ne!(short, other);
    let mut ranked = Calendar::new();
    for event in [1, 2, 3] {
        ranked.schedule(at(20), Rank::Finish, event);
    }
    assert_ne!(short, ranked);
}

#[test]
fn an_emptied_calendar_is_like_a_new_one() {
    let mut calendar = Calendar::new();
    calendar.schedule(at(1), Rank::Timer, 'a');
    calendar.schedule(at(2), Rank::Timer, 'b');
    calendar.pop();
    calendar.clear();
    assert_eq!((calendar.len(), calendar.peek_time(), calendar.pop()), (0, None, None));
    assert_eq!(calendar, Calendar::new());
    calendar.schedule(at(3), Rank::Timer, 'c');
    assert_eq!(drain(calendar), [(3, 'c')]);
}

#[test]
fn what_waits_in_line_is_as_what_was_scheduled_otherwise() {
    let mut heap = Calendar::new();
    let mut line = Calendar::new();
    for (time, event) in [(5, 'a'), (7, 'b'), (6, 'c'), (7, 'd')] {
        heap.schedule(at(time), Rank::Timer, event);
        line.schedule_in_turn(at(time), Rank::Timer, event);
    }
    assert_eq!((&heap, hash(&heap)), (&line, hash(&line)));
    assert_eq!(drain(line), [(5, 'a'), (6, 'c'), (7, 'b'), (7, 'd')]);
}

/// What comes soon and what comes late are kept apart, and an emptied calendar can begin anew at any
/// time.
#[test]
fn many_events_come_in_order_however_far_apart_and_however_early_they_begin_anew() {
    let mut calendar = Calendar::new();
    for first in [1 << 20, 0, 1 << 10] {
        let mut times: Vec<u64> = (0..300).map(|n| first + n * n * 7_919 % 10_007).collect();
        for time in &times {
            calendar.schedule(at(*time), Rank::Timer, *time);
        }
        times.sort_unstable();
        let come: Vec<u64> = std::iter::from_fn(|| calendar.pop()).map(|(_, time)| time).collect();
        assert_eq!(come, times);
    }
}

/// Put in order one by one they would take minutes.
#[test]
fn any_number_of_events_of_one_instant_come_by_rank() {
    let mut calendar = Calendar::new();
    calendar.schedule(at(1), Rank::Timer, 0);
    let count = 200_000_u32;
    for number in 0..count {
        calendar.schedule(at(9), RANKS[number as usize % RANKS.len()], number);
    }
    assert_eq!(calendar.pop(), Some((at(1), 0)));
    let come = drain(calendar);
    let rank = |number: u32| RANKS[number as usize % RANKS.len()];
    assert!(
        come.windows(2).all(|pair| (rank(pair[0].1), pair[0].1) < (rank(pair[1].1), pair[1].1))
    );
    assert_eq!(come.len(), count as usize);
}

#[test]
fn nothing_comes_before_its_time() {
    let mut calendar = Calendar::new();
    calendar.schedule(at(5), Rank::Timer, 'a');
    calendar.schedule_in_turn(at(7), Rank::Timer, 'b');
    let taken: Vec<_> = [4, 5, 6, 7, 8].map(|until| calendar.pop_until(at(until))).to_vec();
    assert_eq!(taken, [None, Some((at(5), 'a')), None, Some((at(7), 'b')), None]);
}

#[derive(Clone, Debug)]
enum Act {
    Schedule { at: u64, rank: usize },
    InTurn { at: u64, rank: usize },
    Pop,
}

/// Times that are near to each other, and times that are as far apart as can be.
fn times() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..20_u64, 4 => 1_000..9_000_u64, 1 => 0..1_000_000_u64, 1 => any::<u64>()]
}

/// First more comes than goes, so that much waits; then the other way round, to the end; and again.
fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = |pops| {
        let schedule = (times(), 0..RANKS.len()).prop_map(|(at, rank)| Act::Schedule { at, rank });
        let in_turn = (times(), 0..RANKS.len()).prop_map(|(at, rank)| Act::InTurn { at, rank });
        prop_oneof![3 => schedule, 1 => in_turn, pops => Just(Act::Pop)]
    };
    let filling = prop::collection::vec(act(1), 0..200);
    let emptying = prop::collection::vec(act(7), 0..100);
    let again = prop::collection::vec(act(1), 0..100);
    (filling, emptying, again).prop_map(|(filling, emptying, again)| {
        [filling, emptying, vec![Act::Pop; 200], again].concat()
    })
}

proptest! {
    /// Against a list that is sorted each time.
    #[test]
    fn agrees_with_a_sorted_list(acts in acts()) {
        let mut calendar = Calendar::new();
        let mut list: Vec<(u64, Rank, usize)> = Vec::new();
        for (number, act) in acts.into_iter().enumerate() {
            match act {
                Act::Schedule { at: time, rank } => {
                    calendar.schedule(at(time), RANKS[rank], number);
                    list.push((time, RANKS[rank], number));
                    list.sort_unstable();
                }
                Act::InTurn { at: time, rank } => {
                    calendar.schedule_in_turn(at(time), RANKS[rank], number);
                    list.push((time, RANKS[rank], number));
                    list.sort_unstable();
                }
                Act::Pop => {
                    let expected = (!list.is_empty()).then(|| list.remove(0));
                    let expected = expected.map(|(time, _, event)| (at(time), event));
                    prop_assert_eq!(calendar.pop(), expected);
                }
            }
            prop_assert_eq!(calendar.len(), list.len());
            prop_assert_eq!(calendar.is_empty(), list.is_empty());
            prop_assert_eq!(calendar.peek_time(), list.first().map(|(time, ..)| at(*time)));
            let copy: Vec<usize> = drain(calendar.clone()).iter().map(|(_, event)| *event).collect();
            let left: Vec<usize> = list.iter().map(|(.., event)| *event).collect();
            prop_assert_eq!(copy, left);
        }
    }
}
