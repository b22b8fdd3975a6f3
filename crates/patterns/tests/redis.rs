//! Rules of Redis that the recorded scripts leave out.

use patterns::redis::streams::Counting;
use patterns::redis::{
    End, EntryId, Expiry, Group, Keyspace, Lists, Popped, Present, SetRefusal, SetRequest, Stream,
    Wait,
};
use sim::{SimDuration, SimTime};

const fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

#[test]
fn a_key_is_gone_at_the_very_end_of_its_time() {
    let request =
        SetRequest { expiry: Expiry::After(SimDuration::from_secs(1)), only: Some(Present::No) };
    let mut keys = Keyspace::new();
    keys.set(at(0), 1, 10, request).expect("it is free");
    let later = SetRequest { expiry: Expiry::After(SimDuration::from_secs(9)), only: None };
    keys.set(at(0), 2, 10, later).expect("it is free");
    assert_eq!(keys.next_deadline(), Some(at(1_000)));
    assert_eq!(keys.set(at(999), 1, 20, request), Err(SetRefusal::Condition));
    assert_eq!(keys.get(at(999), 1), Some(10));
    assert_eq!(keys.set(at(1_000), 1, 20, request), Ok(()));
    assert!(!keys.compare_and_delete(at(1_001), 1, 10), "it is another's");
    assert!(keys.compare_and_delete(at(1_001), 1, 20));
}

#[test]
fn a_move_feeds_those_who_wait_for_where_it_goes() {
    let (queue, busy) = (1, 2);
    let mut lists = Lists::new();
    let mut served = Vec::new();
    let pop = Wait::Pop { keys: vec![busy], from: End::Right };
    assert_eq!(lists.pop_or_wait(7, pop, &mut served), None);
    lists.push(queue, End::Left, &[50], &mut served);
    let moves = Wait::Move { key: queue, from: End::Right, to_key: busy, to: End::Left };
    assert_eq!(lists.pop_or_wait(8, moves, &mut served), Some((queue, 50)));
    assert_eq!(served, [Popped { client: 7, key: busy, item: 50 }]);
    assert!(!lists.is_waiting(7) && !lists.is_waiting(8));
    assert_eq!(lists.items(busy).count(), 0);
}

fn id(millis: u64) -> EntryId {
    EntryId { millis, counter: 0 }
}

#[test]
fn ids_only_grow() {
    let mut stream = Stream::new();
    assert!(stream.add(id(5), 1));
    assert!(!stream.add(id(5), 1) && !stream.add(id(4), 1));
    assert!(stream.add(EntryId { millis: 5, counter: 1 }, 2));
    assert_eq!((stream.len(), stream.last_id()), (2, EntryId { millis: 5, counter: 1 }));
}

#[test]
fn a_claim_looks_at_ten_times_what_it_may_take() {
    let mut stream = Stream::new();
    for millis in 1..=30 {
        stream.add(id(millis), 0);
    }
    let mut group = stream.group(EntryId::default());
    group.read_new(at(0), &stream, 1, 30);
    // Nobody is idle for long enough: it gives up after ten, and says where to go on.
    let idle = SimDuration::from_secs(60);
    let range = (EntryId::default(), 1);
    let claimed = group.claim(at(1), &stream, 2, idle, range, Counting::Delivery);
    assert_eq!((claimed.entries.len(), claimed.cursor), (0, id(11)));
}

/// What a group has read and has yet to read, as deletions make it unknown and reading to the end
/// known again.
#[test]
fn a_lag_is_known_at_the_ends_or_where_nothing_was_deleted() {
    let mut stream = Stream::new();
    for millis in 1..=5 {
        stream.add(id(millis), 0);
    }
    let mut group = stream.group(EntryId::default());
    let told = |group: &Group, stream: &Stream| (group.entries_read(), group.lag(stream));
    assert_eq!(told(&group, &stream), (None, Some(5)));
    group.read_new(at(0), &stream, 1, 2);
    assert_eq!(told(&group, &stream), (Some(2), Some(3)));
    stream.delete(id(4));
    assert_eq!(told(&group, &stream), (Some(2), None), "there is a hole ahead");
    group.read_new(at(0), &stream, 1, 1);
    assert_eq!(told(&group, &stream), (None, None), "and so nobody knows");
    group.read_new(at(0), &stream, 1, 9);
    assert_eq!(told(&group, &stream), (Some(5), Some(0)));
    // A group in the middle of a stream that nothing was deleted from counts from its first entry.
    let mut whole = Stream::new();
    for millis in 1..=3 {
        whole.add(id(millis), 0);
    }
    let first = whole.group(id(1));
    assert_eq!(told(&first, &whole), (None, Some(2)));
    let middle = whole.group(id(2));
    assert_eq!(told(&middle, &whole), (None, None));
    let end = whole.group(id(3));
    assert_eq!(told(&end, &whole), (None, Some(0)));
    assert_eq!((whole.trim(2), whole.trim(2), whole.len()), (1, 0, 2));
    assert_eq!(told(&whole.group(id(2)), &whole), (None, Some(1)), "one has gone before the first");
}

#[test]
fn what_was_set_back_is_read_again() {
    let mut stream = Stream::new();
    stream.add(id(1), 7);
    let mut group = stream.group(EntryId::default());
    group.read_new(at(0), &stream, 1, 9);
    assert!(group.ack(id(1)) && !group.ack(id(1)));
    group.set_id(EntryId::default());
    assert_eq!(group.read_new(at(1), &stream, 2, 9), [(id(1), 7)]);
    assert_eq!(group.delete_consumer(2), 1);
    assert_eq!((group.pending().count(), group.consumers()), (0, 1));
}
