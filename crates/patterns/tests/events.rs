//! The rules of event sourcing, projections and schemas.

use patterns::events::projection::Mode;
use patterns::events::schema::{DefaultValue, FieldType, Side};
use patterns::events::store::Snapshot;
use patterns::events::{
    AppendError, Compatibility, EventStore, Expected, Freshness, Incompatible, Projection, Schema,
    Visible,
};
use sim::{SimDuration, SimTime};

const NOW: SimTime = SimTime::ZERO;

const fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

#[test]
fn an_append_expects_what_it_has_seen() {
    let mut store = EventStore::new();
    let wrong = |actual| Err(AppendError::WrongVersion { actual });
    let rows = [
        (Expected::Version(1), wrong(0)),
        (Expected::NoStream, Ok(1)),
        (Expected::NoStream, wrong(1)),
        (Expected::Version(1), Ok(2)),
        (Expected::Version(1), wrong(2)),
        (Expected::Any, Ok(3)),
    ];
    for (expected, answer) in rows {
        assert_eq!(store.append(NOW, 7, expected, [0]), answer, "{expected:?}");
    }
    assert_eq!((store.version(7), store.version(8)), (3, 0));
}

#[test]
fn an_append_is_all_or_none_and_positions_run_over_all_streams() {
    let mut store = EventStore::new();
    assert_eq!(store.append(at(1), 1, Expected::NoStream, ["a", "b"]), Ok(2));
    assert_eq!(store.append(at(2), 2, Expected::NoStream, ["c"]), Ok(1));
    assert!(store.append(at(3), 1, Expected::Version(1), ["x", "y"]).is_err());
    assert_eq!(store.append(at(4), 1, Expected::Version(2), ["d"]), Ok(3));
    let all: Vec<_> = store.after(0).iter().map(|event| (event.position, event.event)).collect();
    assert_eq!(all, [(1, "a"), (2, "b"), (3, "c"), (4, "d")]);
    let later: Vec<_> = store.after(3).iter().map(|event| event.event).collect();
    assert_eq!(later, ["d"]);
    assert!(store.after(99).is_empty());
    let stream: Vec<_> = store.stream(1, 1).map(|event| (event.version, event.event)).collect();
    assert_eq!(stream, [(2, "b"), (3, "d")]);
}

/// The course's price: 189, then 154, then 161.
#[test]
fn state_is_a_fold_in_order_from_nothing_or_from_a_snapshot() {
    let mut store = EventStore::new();
    store.append(NOW, 1, Expected::NoStream, [189, 154, 161]).expect("new");
    store.append(NOW, 2, Expected::NoStream, [189, 161, 154]).expect("new");
    let set = |price: &mut u32, event: &u32| *price = *event;
    assert_eq!(store.load(1, 0, None, set), (161, 3));
    assert_eq!(store.load(2, 0, None, set), (154, 3), "swapped, it is wrong");
    let snapshot = Snapshot { version: 2, state: 154 };
    assert_eq!(store.load(1, 0, Some(&snapshot), set), (161, 1));
    let add = |sum: &mut u32, event: &u32| *sum += *event;
    let snapshot = Snapshot { version: 2, state: 343 };
    assert_eq!(store.load(1, 0, None, add).0, store.load(1, 0, Some(&snapshot), add).0);
}

fn seen(projection: &mut Projection, millis: u64) -> Vec<(u64, Mode)> {
    let mut seen = Vec::new();
    projection.advance(at(millis), &mut seen);
    seen
}

/// A list that is two seconds behind: missing at 0.3 s, there at 2.1 s.
#[test]
fn authors_do_not_see_their_own_write_until_the_view_has_it() {
    let mut view = Projection::new(SimDuration::from_secs(2));
    view.happened(at(0), 1);
    assert_eq!(seen(&mut view, 300), []);
    assert_eq!(view.shows(1), Visible::NotBefore(at(2_000)));
    assert_eq!(view.shows(2), Visible::NotBefore(SimTime::MAX));
    let freshness = Freshness { behind: 1, lag: SimDuration::from_millis(300) };
    assert_eq!(view.freshness(at(300)), freshness);
    assert_eq!(view.next_deadline(), Some(at(2_000)));
    assert_eq!(seen(&mut view, 2_100), [(1, Mode::Live)]);
    assert_eq!((view.shows(1), view.position()), (Visible::Yes, 1));
    assert_eq!(view.freshness(at(2_100)), Freshness { behind: 0, lag: SimDuration::ZERO });
}

#[test]
fn a_view_sees_events_in_order_whatever_its_delay() {
    let mut view = Projection::new(SimDuration::from_secs(2));
    view.happened(at(0), 1);
    view.set_delay(SimDuration::from_millis(100));
    view.happened(at(500), 2);
    assert_eq!(seen(&mut view, 1_999), []);
    assert_eq!(seen(&mut view, 2_000), [(1, Mode::Live), (2, Mode::Live)]);
}

#[test]
fn a_replay_is_told_from_what_is_new() {
    let mut view = Projection::new(SimDuration::ZERO);
    view.happened(at(0), 1);
    view.happened(at(0), 2);
    seen(&mut view, 0);
    view.rewind(at(10_000), 2, [(1, at(0)), (2, at(0)), (3, at(9_000))].into_iter());
    assert_eq!(view.position(), 0);
    assert_eq!(seen(&mut view, 10_499), []);
    assert_eq!(seen(&mut view, 11_000), [(1, Mode::Replay), (2, Mode::Replay)]);
    assert_eq!(seen(&mut view, 11_500), [(3, Mode::Live)], "it had not seen that one");
}

const NAME: u32 = 1;
const PRICE: u32 = 2;
const CURRENCY: u32 = 3;

fn schema(fields: &[(u32, FieldType, DefaultValue)]) -> Schema {
    Schema::new(fields)
}

#[test]
fn a_version_may_follow_as_its_mode_says() {
    use Compatibility::{Backward, Forward, Full, None};
    use DefaultValue::Given;
    use DefaultValue::None as Needed;
    use FieldType::{Int, Long, Text};
    let first = schema(&[(NAME, Text, Needed), (PRICE, Int, Needed)]);
    let added_with_default =
        schema(&[(NAME, Text, Needed), (PRICE, Int, Needed), (CURRENCY, Text, Given)]);
    let added_without =
        schema(&[(NAME, Text, Needed), (PRICE, Int, Needed), (CURRENCY, Text, Needed)]);
    let removed = schema(&[(NAME, Text, Needed)]);
    let renamed = schema(&[(NAME, Text, Needed), (9, Int, Needed)]);
    let widened = schema(&[(NAME, Text, Needed), (PRICE, Long, Needed)]);
    let other_type = schema(&[(NAME, Text, Needed), (PRICE, Text, Needed)]);
    // For each change: may it follow by the modes none, backward, forward, full?
    let rows = [
        (&first, [true, true, true, true]),
        (&added_with_default, [true, true, true, true]),
        (&added_without, [true, false, true, false]),
        (&removed, [true, true, false, false]),
        (&renamed, [true, false, false, false]),
        (&widened, [true, true, false, false]),
        (&other_type, [true, false, false, false]),
    ];
    for (next, expected) in rows {
        let before = std::slice::from_ref(&first);
        let actual =
            [None, Backward, Forward, Full].map(|mode| next.may_follow(before, mode).is_ok());
        assert_eq!(actual, expected, "{next:?}");
    }
    assert_eq!(renamed.reads(&first), Err(Incompatible::Missing { field: 9 }));
    let wrong = Incompatible::Type { field: PRICE, written: Int, wanted: Text };
    assert_eq!(other_type.reads(&first), Err(wrong));
}

#[test]
fn transitive_modes_look_at_all_versions() {
    use DefaultValue::{Given, None};
    let with = |default| schema(&[(NAME, FieldType::Text, default)]);
    // It was not there, then optional, then needed.
    let before = [schema(&[]), with(Given)];
    let next = with(None);
    let rows = [
        (Compatibility::Backward, true),
        (Compatibility::BackwardTransitive, false),
        (Compatibility::Forward, true),
        (Compatibility::ForwardTransitive, true),
        (Compatibility::Full, true),
        (Compatibility::FullTransitive, false),
    ];
    for (mode, expected) in rows {
        assert_eq!(next.may_follow(&before, mode).is_ok(), expected, "{mode:?}");
    }
}

#[test]
fn modes_say_who_goes_first() {
    let rows = [
        (Compatibility::Backward, Some(Side::Consumers)),
        (Compatibility::BackwardTransitive, Some(Side::Consumers)),
        (Compatibility::Forward, Some(Side::Producers)),
        (Compatibility::ForwardTransitive, Some(Side::Producers)),
        (Compatibility::Full, None),
        (Compatibility::None, None),
    ];
    for (mode, side) in rows {
        assert_eq!(mode.upgrade_first(), side, "{mode:?}");
    }
}
