//! Timelines of runs.

use std::rc::Rc;

use course::{Exhibit, View};
use player::{MessageState, Progress};
use scenario::wire::Value;
use sim::SimTime;

use super::{BitLook, ROWS, Timeline, timeline};
use crate::state::{Act, SLICE, Session};
use crate::testing::words;

/// A session on this exhibit, computed to its end.
fn opened(exhibit: &str) -> Session {
    let document: Value = serde_json::from_str(exhibit).expect("the exhibit is JSON");
    let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
    let mut session = Session::open(Rc::new(exhibit));
    while session.compute(SLICE) == Progress::Running {}
    session
}

/// The timeline of this exhibit at a moment.
fn shown(exhibit: &str, tenths: u64) -> Timeline {
    let mut session = opened(exhibit);
    session.act(Act::Seek(SimTime::from_micros(tenths * 100_000)));
    timeline(&mut session, &words())
}

const LIFE: &str = include_str!("../../../../crates/course/content/exhibits/event-life.json");
const LANE: &str = include_str!("../../../../crates/course/content/exhibits/overtaking.json");
const HOT: &str = include_str!("../../../../crates/course/content/exhibits/hot-lane.json");
const ORDERS: &str =
    include_str!("../../../../crates/course/content/exhibits/one-outage-two-orders.json");

/// The looks of a message's bar.
fn looks(shown: &Timeline, number: u32) -> Vec<BitLook> {
    let bar = shown.bars.iter().find(|bar| bar.message.number() == number).expect("a bar");
    bar.bits.iter().map(|bit| bit.look).collect()
}

#[test]
fn a_bar_shows_every_attempt_and_the_silence_between() {
    use BitLook::{Done, InFlight, Sent, Waiting};
    let shown = shown(LIFE, 342);
    assert_eq!(shown.bars.len(), 18);
    assert_eq!(looks(&shown, 5), [Sent, Waiting, InFlight, Waiting, InFlight, Done]);
    let bar = &shown.bars[4];
    let attempts: Vec<u32> = bar.bits.iter().map(|bit| bit.attempt).filter(|n| *n > 0).collect();
    assert_eq!(attempts, [1, 2]);
    // Its first holder died long before the visibility timeout ran out.
    let first = bar.bits[2];
    assert!(first.held_to < first.from + (first.to - first.from) / 3.0, "{first:?}");
    assert_eq!(bar.state, Some(MessageState::InFlight));
    assert!(bar.said.starts_with("Number 5: published at 0:08.0; "), "{}", bar.said);
    assert!(bar.said.contains("worker 1 dies at 0:18.4"), "{}", bar.said);
}

#[test]
fn bits_follow_each_other_from_the_left() {
    for exhibit in [LIFE, LANE, ORDERS, HOT] {
        let shown = shown(exhibit, 100);
        assert!(!shown.bars.is_empty());
        for bar in &shown.bars {
            let places: Vec<f64> = bar.bits.iter().flat_map(|bit| [bit.from, bit.to]).collect();
            assert!(places.is_sorted(), "{} {places:?}", bar.message.number());
            assert!(places.iter().all(|place| (0.0..=100.0).contains(place)));
            assert!(!bar.said.contains('{') && !bar.said.contains("timeline."), "{}", bar.said);
        }
    }
}

#[test]
fn a_record_is_done_when_its_group_has_committed_past_it() {
    use BitLook::{Delayed, Done, InFlight, Waiting};
    let shown = shown(LANE, 50);
    let end = |number| *looks(&shown, number).last().expect("a bit");
    assert_eq!((end(1), end(4)), (Done, Done));
    // What is set aside is a message of its own, kept back for half a minute.
    let aside = looks(&shown, 3);
    assert!(aside.starts_with(&[Delayed]) || aside[1] == Delayed, "{aside:?}");
    assert!(looks(&shown, 1).contains(&InFlight) || looks(&shown, 1).contains(&Waiting));
}

#[test]
fn requests_come_in_waves_and_end_with_their_answers() {
    use BitLook::{Dead, Done, Sent};
    let shown = shown(ORDERS, 100);
    assert_eq!(looks(&shown, 1), [Sent, Done]);
    assert_eq!(looks(&shown, 2), [Sent, Dead, Sent, Dead]);
}

#[test]
fn many_messages_have_a_window_and_the_others_are_counted() {
    let mut session = opened(HOT);
    let total = u32::try_from(session.player().head().messages().len()).expect("bounded");
    assert!(total > 10 * ROWS);
    let counted = |shown: &Timeline| shown.earlier + shown.later + ROWS;
    for tenths in [0, 3_000, 600_000] {
        session.act(Act::Seek(SimTime::from_micros(tenths * 100_000)));
        let shown = timeline(&mut session, &words());
        assert_eq!(counted(&shown), total);
        let now = session.now();
        let made = |bar: &super::Bar| session.player().head().messages()[bar.message].created;
        assert!(shown.bars.first().is_some_and(|bar| made(bar) <= now));
    }
    session.act(Act::ShowRows(7));
    let shown = timeline(&mut session, &words());
    assert_eq!((shown.first, shown.earlier, counted(&shown)), (7, 7, total));
    session.act(Act::ShowRows(u32::MAX));
    assert_eq!(timeline(&mut session, &words()).later, 0);
    // Whoever moves the playhead sees what is there.
    session.act(Act::ToStart);
    assert_eq!(timeline(&mut session, &words()).first, 0);
}

#[test]
fn the_choice_of_a_view_is_no_part_of_a_run() {
    let mut session = opened(LANE);
    assert_eq!(session.view(), View::Topology);
    let before = session.run_state();
    session.act(Act::Show(View::Timeline));
    assert_eq!((session.view(), session.run_state() == before), (View::Timeline, true));
    session.act(Act::SetSeed(9));
    assert_eq!(session.view(), View::Timeline);
}
