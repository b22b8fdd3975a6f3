//! The rules of sequence numbers: duplicates, gaps, and what is behind them.

use patterns::ordering::{Gap, Resequencer, Sequencer, Step};
use proptest::prelude::*;
use sim::{SimDuration, SimTime};

/// Steps as words: `apply 1`, `drop 2`, `park 4`, `pass 3-3`; of keys other than 0 with the key.
fn words(steps: &[Step<u64>]) -> Vec<String> {
    let of = |key: u64| if key == 0 { String::new() } else { format!(" of {key}") };
    steps
        .iter()
        .map(|step| match step {
            Step::Applied { key, number, item } => {
                assert_eq!(item, number);
                format!("apply {number}{}", of(*key))
            }
            Step::Dropped { key, number } => format!("drop {number}{}", of(*key)),
            Step::Parked { key, number } => format!("park {number}{}", of(*key)),
            Step::PassedOver { key, from, to } => format!("pass {from}-{to}{}", of(*key)),
        })
        .collect()
}

fn accept(line: &mut Resequencer<u64>, secs: u64, key: u64, number: u64) -> String {
    let mut steps = Vec::new();
    line.accept(SimTime::from_secs(secs), key, number, number, &mut steps);
    words(&steps).join(", ")
}

#[test]
fn drop_park_or_apply() {
    let mut line = Resequencer::new(Gap::Waits);
    let answers = [1, 2, 2, 4, 3, 5].map(|number| accept(&mut line, 0, 0, number));
    assert_eq!(answers, ["apply 1", "apply 2", "drop 2", "park 4", "apply 3, apply 4", "apply 5"]);
    assert_eq!((line.last(0), line.parked()), (5, 0));
}

#[test]
fn keys_do_not_wait_for_each_other() {
    let mut line = Resequencer::new(Gap::Waits);
    assert_eq!(accept(&mut line, 0, 0, 2), "park 2");
    assert_eq!(accept(&mut line, 0, 7, 1), "apply 1 of 7");
    assert_eq!(accept(&mut line, 0, 0, 2), "drop 2", "also while it is parked");
}

#[test]
fn behind_a_dead_letter_all_is_parked_for_ever_unless_someone_says_so() {
    let mut line = Resequencer::new(Gap::Waits);
    let answers = [1, 2, 4, 5].map(|number| accept(&mut line, 0, 0, number));
    assert_eq!(answers, ["apply 1", "apply 2", "park 4", "park 5"]);
    let mut steps = Vec::new();
    line.advance(SimTime::from_secs(1_000_000), &mut steps);
    assert_eq!((words(&steps).len(), line.parked(), line.next_deadline()), (0, 2, None));
    line.skip(SimTime::from_secs(1_000_000), 0, 3, &mut steps);
    assert_eq!(words(&steps), ["pass 3-3", "apply 4", "apply 5"]);
}

#[test]
fn a_skip_that_comes_early_waits_in_its_place() {
    let mut line = Resequencer::new(Gap::Waits);
    let mut steps = Vec::new();
    line.skip(SimTime::ZERO, 0, 2, &mut steps);
    assert_eq!(words(&steps), [""; 0]);
    assert_eq!(line.parked(), 0, "a marker is no message");
    assert_eq!(accept(&mut line, 0, 0, 3), "park 3");
    assert_eq!(accept(&mut line, 0, 0, 1), "apply 1, pass 2-2, apply 3");
}

#[test]
fn a_gap_with_a_limit_is_passed_over_and_told() {
    let mut line = Resequencer::new(Gap::TimesOut(SimDuration::from_secs(20)));
    for (secs, number) in [(0, 1), (5, 4), (9, 5), (10, 8)] {
        accept(&mut line, secs, 0, number);
    }
    assert_eq!(line.next_deadline(), Some(SimTime::from_secs(25)));
    let advance = |line: &mut Resequencer<u64>, secs| {
        let mut steps = Vec::new();
        line.advance(SimTime::from_secs(secs), &mut steps);
        words(&steps).join(", ")
    };
    assert_eq!(advance(&mut line, 24), "");
    assert_eq!(advance(&mut line, 25), "pass 2-3, apply 4, apply 5");
    // The next gap has waited since it became the next.
    assert_eq!(line.next_deadline(), Some(SimTime::from_secs(45)));
    assert_eq!(accept(&mut line, 30, 0, 3), "drop 3", "too late");
    assert_eq!(advance(&mut line, 45), "pass 6-7, apply 8");
    assert_eq!(line.next_deadline(), None);
}

#[test]
fn numbers_are_given_out_by_key() {
    let mut sequencer = Sequencer::default();
    let numbers = [3, 3, 8, 3].map(|key| sequencer.next(key));
    assert_eq!(numbers, [1, 2, 1, 3]);
}

proptest! {
    /// Whatever the order and the duplicates: each is applied once, in order, and nothing is left.
    #[test]
    fn any_order_comes_out_in_order(
        order in prop::collection::vec(1_u64..=12, 0..40),
        rest in Just((1..=12_u64).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut line = Resequencer::new(Gap::Waits);
        let mut steps = Vec::new();
        for number in order.iter().chain(&rest) {
            line.accept(SimTime::ZERO, 0, *number, *number, &mut steps);
        }
        let applied: Vec<u64> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Applied { number, .. } => Some(*number),
                _ => None,
            })
            .collect();
        prop_assert_eq!(applied, (1..=12).collect::<Vec<_>>());
        prop_assert_eq!(line.parked(), 0);
        let dropped = steps.iter().filter(|step| matches!(step, Step::Dropped { .. })).count();
        prop_assert_eq!(dropped, order.len());
    }
}
