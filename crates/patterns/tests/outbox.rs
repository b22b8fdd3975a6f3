//! The rules of the outbox: what each cursor loses, what two relays do to each other, and what the
//! write-ahead log holds back.

use patterns::database::{
    Answer, Database, OnConflict, Resumed, Settings, Statement, TransactionId, Value,
};
use patterns::outbox::dual_write::{Coherence, Mishap, WriteOrder};
use patterns::outbox::relay::After;
use patterns::outbox::{Capture, Claim, Cursor, Entry, Outbox, Poll, Relay};
use proptest::prelude::*;
use sim::SimTime;

const NOW: SimTime = SimTime::ZERO;
const UNPUBLISHED: Cursor = Cursor::Unpublished { claim: Claim::None, after: After::Mark };
const SKIP_LOCKED: Cursor = Cursor::Unpublished { claim: Claim::SkipLocked, after: After::Mark };

struct House {
    database: Database,
    outbox: Outbox,
}

impl House {
    fn new() -> Self {
        let mut database = Database::new(Settings::default());
        let outbox = Outbox::create(&mut database);
        Self { database, outbox }
    }

    /// An open transaction that has written these events, each of its own aggregate.
    fn writes(&mut self, events: &[i64]) -> TransactionId {
        let transaction = self.database.begin();
        for event in events {
            let statement = self.outbox.write(NOW, Value::Number(*event), *event);
            let answer = self.database.execute(NOW, transaction, statement);
            assert!(matches!(answer, Answer::Done(_)));
        }
        transaction
    }

    fn commit(&mut self, transaction: TransactionId) {
        self.database.commit(NOW, transaction, &mut Vec::new()).expect("it is open");
    }

    fn write(&mut self, events: &[i64]) {
        let transaction = self.writes(events);
        self.commit(transaction);
    }

    fn poll(&mut self, relay: &mut Relay) -> Vec<i64> {
        events(&relay.poll(NOW, &mut self.database))
    }

    fn published(&mut self, relay: &mut Relay) -> Vec<Resumed> {
        let mut resumed = Vec::new();
        relay.published(NOW, &mut self.database, &mut resumed);
        resumed
    }

    /// Polls and publishes.
    fn turn(&mut self, relay: &mut Relay) -> Vec<i64> {
        let polled = self.poll(relay);
        self.published(relay);
        polled
    }
}

fn events(poll: &Poll) -> Vec<i64> {
    match poll {
        Poll::Batch(entries) => entries.iter().map(|entry: &Entry| entry.event).collect(),
        Poll::Empty | Poll::Waits => Vec::new(),
    }
}

/// Two transactions take ids 1 and 2; the second commits first and is polled, then the first.
#[test]
fn a_cursor_by_id_skips_a_late_commit_and_the_others_do_not() {
    let rows: [(Cursor, &[i64], &[i64]); 3] = [
        (Cursor::IdAboveLast, &[2], &[]),
        (UNPUBLISHED, &[2], &[1]),
        (Cursor::BelowOldestOpen, &[], &[1, 2]),
    ];
    for (cursor, while_open, after) in rows {
        let mut house = House::new();
        let mut relay = Relay::new(house.outbox, cursor, 10);
        let first = house.writes(&[1]);
        house.write(&[2]);
        assert_eq!(house.turn(&mut relay), while_open, "{cursor:?} while one is open");
        house.commit(first);
        assert_eq!(house.turn(&mut relay), after, "{cursor:?} when it has committed");
        assert_eq!(house.turn(&mut relay), [], "{cursor:?} has sent all that it will");
    }
}

#[test]
fn the_guard_goes_through_a_transactions_rows_in_batches_and_in_order() {
    let mut house = House::new();
    let mut relay = Relay::new(house.outbox, Cursor::BelowOldestOpen, 2);
    house.write(&[1, 2, 3]);
    house.write(&[4]);
    assert_eq!(house.turn(&mut relay), [1, 2]);
    assert_eq!(house.turn(&mut relay), [3, 4]);
    assert_eq!(house.turn(&mut relay), []);
}

#[test]
fn a_crash_after_publishing_publishes_again() {
    for cursor in [Cursor::IdAboveLast, UNPUBLISHED, SKIP_LOCKED, Cursor::BelowOldestOpen] {
        let mut house = House::new();
        let mut relay = Relay::new(house.outbox, cursor, 10);
        house.write(&[1, 2]);
        assert_eq!(house.poll(&mut relay), [1, 2]);
        relay.crash(NOW, &mut house.database, &mut Vec::new());
        assert_eq!(house.turn(&mut relay), [1, 2], "{cursor:?}");
        assert_eq!(house.turn(&mut relay), [], "{cursor:?}");
    }
}

/// Ten rows, two relays at once: how much is published in all.
#[test]
fn two_relays_publish_all_twice_without_a_claim_and_once_with_one() {
    for (claim, expected) in [(Claim::None, 20), (Claim::SkipLocked, 10)] {
        let cursor = Cursor::Unpublished { claim, after: After::Mark };
        let mut house = House::new();
        let mut relays = [(); 2].map(|()| Relay::new(house.outbox, cursor, 10));
        house.write(&(1..=10).collect::<Vec<_>>());
        let mut published = 0;
        for _ in 0..3 {
            published +=
                relays.each_mut().map(|relay| house.poll(relay).len()).iter().sum::<usize>();
            for relay in &mut relays {
                house.published(relay);
            }
        }
        assert_eq!(published, expected, "{claim:?}");
        assert_eq!(house.outbox.unsent(&house.database), (0, None));
    }
}

#[test]
fn a_claim_keeps_rows_from_others_but_not_in_order() {
    let mut house = House::new();
    let mut one = Relay::new(house.outbox, SKIP_LOCKED, 2);
    let mut two = one.clone();
    house.write(&[1, 2, 3, 4]);
    assert_eq!(house.poll(&mut one), [1, 2]);
    assert_eq!(house.poll(&mut two), [3, 4]);
    house.published(&mut two);
    house.published(&mut one);
    assert_eq!(house.poll(&mut one), []);
}

#[test]
fn a_relay_that_waits_for_another_takes_what_that_one_has_left() {
    let cursor = Cursor::Unpublished { claim: Claim::Wait, after: After::Mark };
    let mut house = House::new();
    let mut one = Relay::new(house.outbox, cursor, 1);
    let mut two = one.clone();
    house.write(&[1, 2]);
    assert_eq!(house.poll(&mut one), [1]);
    assert_eq!(two.poll(NOW, &mut house.database), Poll::Waits);
    let resumed = house.published(&mut one);
    let [resumed] = &resumed[..] else { panic!("one waits: {resumed:?}") };
    assert_eq!(Some(resumed.transaction), two.transaction());
    let poll = two.resumed(NOW, &mut house.database, resumed.answer.clone());
    assert_eq!(events(&poll), [2]);
}

#[test]
fn relays_that_share_by_key_keep_the_order_of_a_key() {
    let mut house = House::new();
    let transaction = house.database.begin();
    for (event, aggregate) in [(1, 4), (2, 4), (3, 5), (4, 4)] {
        let statement = house.outbox.write(NOW, Value::Number(aggregate), event);
        house.database.execute(NOW, transaction, statement);
    }
    house.commit(transaction);
    let mut even = Relay::new(house.outbox, SKIP_LOCKED, 10).share(0, 2);
    let mut odd = Relay::new(house.outbox, SKIP_LOCKED, 10).share(1, 2);
    assert_eq!(house.poll(&mut odd), [3]);
    assert_eq!(house.poll(&mut even), [1, 2, 4]);
}

#[test]
fn published_rows_go_at_once_or_by_a_purge() {
    let mut house = House::new();
    let delete = Cursor::Unpublished { claim: Claim::SkipLocked, after: After::Delete };
    let mut relay = Relay::new(house.outbox, delete, 10);
    house.write(&[1, 2]);
    house.turn(&mut relay);
    assert_eq!(house.database.len(house.outbox.table()), 0);

    let mut relay = Relay::new(house.outbox, SKIP_LOCKED, 1);
    house.write(&[3, 4]);
    assert_eq!(house.outbox.unsent(&house.database), (2, Some(NOW)));
    house.turn(&mut relay);
    let transaction = house.database.begin();
    let purge = house.outbox.purge(SimTime::from_secs(1));
    let Answer::Done(purged) = house.database.execute(NOW, transaction, purge) else { panic!() };
    house.commit(transaction);
    assert_eq!(purged.count(), 1, "only what is published is purged");
    assert_eq!(house.outbox.unsent(&house.database), (1, Some(NOW)));
}

#[test]
fn a_purge_by_cursor_takes_what_lies_behind_it() {
    let mut house = House::new();
    let mut relay = Relay::new(house.outbox, Cursor::IdAboveLast, 2);
    house.write(&[1, 2, 3]);
    house.turn(&mut relay);
    let transaction = house.database.begin();
    let purge = house.outbox.purge_through(relay.last_id());
    let answer = house.database.execute(NOW, transaction, purge);
    assert!(matches!(answer, Answer::Done(outcome) if outcome.count() == 2));
}

#[test]
fn capture_tells_in_the_order_of_commits_and_loses_nothing() {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let first = house.writes(&[1]);
    house.write(&[2]);
    let rolled_back = house.writes(&[3]);
    house.database.rollback(NOW, rolled_back, &mut Vec::new()).expect("it is open");
    house.commit(first);
    let told = drain(&mut capture, &house.database);
    assert_eq!(told, [2, 1]);
    // It dies before it has confirmed anything, and tells all again.
    capture.crash(house.database.wal());
    assert_eq!(drain(&mut capture, &house.database), [2, 1]);
}

#[test]
fn capture_starts_again_from_what_it_has_confirmed() {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    house.write(&[1]);
    house.write(&[2]);
    let one = capture.next(house.database.wal()).expect("there are two");
    capture.confirm(house.database.wal_mut(), one.end);
    assert_eq!(drain(&mut capture, &house.database), [2]);
    capture.crash(house.database.wal());
    assert_eq!(drain(&mut capture, &house.database), [2]);
}

fn drain(capture: &mut Capture, database: &Database) -> Vec<i64> {
    let mut told = Vec::new();
    while let Some(captured) = capture.next(database.wal()) {
        told.extend(captured.entries.iter().map(|entry| entry.event));
    }
    told
}

#[test]
fn a_row_that_is_deleted_at_once_is_told_all_the_same() {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let transaction = house.writes(&[7]);
    house.database.execute(NOW, transaction, house.outbox.delete(1));
    house.commit(transaction);
    assert!(house.database.is_empty(house.outbox.table()));
    assert_eq!(drain(&mut capture, &house.database), [7]);
}

#[test]
fn what_is_not_in_the_outbox_is_passed_over() {
    let mut house = House::new();
    let other = house.database.create_table(1);
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let transaction = house.database.begin();
    let insert = patterns::database::Insert {
        table: other,
        key: None,
        columns: vec![],
        on_conflict: OnConflict::Error,
    };
    house.database.execute(NOW, transaction, Statement::Insert(insert));
    house.commit(transaction);
    house.write(&[1]);
    assert_eq!(drain(&mut capture, &house.database), [1]);
}

#[test]
fn a_slot_that_nobody_reads_holds_the_log_back() {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let slot = capture.slot();
    let retained =
        |house: &House| house.database.wal().slot(slot).expect("it is there").retained_bytes;
    assert_eq!(retained(&house), 0);
    house.write(&[1]);
    let before = retained(&house);
    house.database.wal_mut().write_unrelated(20 << 20);
    assert_eq!(retained(&house), before + (20 << 20), "whoever writes");
    // The outbox's own event is read; what others wrote is still held back.
    let one = capture.next(house.database.wal()).expect("there is one");
    house.database.wal_mut().confirm(capture.slot(), one.end);
    assert_eq!(retained(&house), 20 << 20);
    capture.heartbeat(house.database.wal_mut());
    assert_eq!(house.database.wal().slot(capture.slot()).expect("there").retained_bytes, 0);
}

#[test]
fn an_open_transaction_holds_the_log_back_too() {
    let mut house = House::new();
    let mut capture = Capture::create(house.outbox, &mut house.database);
    let open = house.writes(&[1]);
    house.database.wal_mut().write_unrelated(1_000);
    house.write(&[2]);
    let two = capture.next(house.database.wal()).expect("it has committed");
    house.database.wal_mut().confirm(capture.slot(), two.end);
    let view = house.database.wal().slot(capture.slot()).expect("there");
    assert!(view.retained_bytes > 1_000, "{view:?}");
    house.commit(open);
    let one = capture.next(house.database.wal()).expect("it has committed");
    house.database.wal_mut().confirm(capture.slot(), one.end);
    assert_eq!(house.database.wal().slot(capture.slot()).expect("there").retained_bytes, 0);
}

#[test]
fn a_slot_holds_back_the_older_of_what_is_open_and_what_is_unread() {
    for oldest_is_open in [true, false] {
        let mut house = House::new();
        let mut capture = Capture::create(house.outbox, &mut house.database);
        let open = if oldest_is_open { Some(house.writes(&[1])) } else { None };
        house.database.wal_mut().write_unrelated(1_000);
        house.write(&[2]);
        let before_unread = house.database.wal().current();
        house.write(&[3]);
        house.database.wal_mut().write_unrelated(1_000);
        let late = house.writes(&[4]);
        let two = capture.next(house.database.wal()).expect("it has committed");
        house.database.wal_mut().confirm(capture.slot(), two.end);
        let view = house.database.wal().slot(capture.slot()).expect("there");
        if oldest_is_open {
            assert_eq!(view.restart.bytes(), 0, "the first change of the open one");
        } else {
            assert_eq!(view.restart, before_unread, "the first change of the unread one");
        }
        house.commit(late);
        if let Some(open) = open {
            house.commit(open);
        }
        let told = drain(&mut capture, &house.database);
        assert_eq!(told.len(), if oldest_is_open { 3 } else { 2 });
    }
}

#[test]
fn two_writes_with_a_crash_between_them() {
    use Coherence::{Coherent, LostEvent, PhantomEvent};
    use Mishap::{CrashAfterBoth, CrashBeforeBoth, CrashBetween, None, PublishFails, SaveFails};
    let mishaps = [None, CrashBeforeBoth, CrashBetween, CrashAfterBoth, PublishFails, SaveFails];
    let rows = [
        (
            WriteOrder::SaveThenPublish,
            [Coherent, Coherent, LostEvent, Coherent, LostEvent, Coherent],
        ),
        (
            WriteOrder::PublishThenSave,
            [Coherent, Coherent, PhantomEvent, Coherent, Coherent, PhantomEvent],
        ),
        (WriteOrder::Outbox, [Coherent; 6]),
    ];
    for (order, expected) in rows {
        let actual = mishaps.map(|mishap| order.aftermath(mishap).coherence());
        assert_eq!(actual, expected, "{order:?}");
    }
    assert_eq!(WriteOrder::Outbox.aftermath(PublishFails).events, 1, "late, not lost");
    assert_eq!(WriteOrder::Outbox.aftermath(CrashBetween).changes, 0, "neither, not half");
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Begin,
    Commit,
    RollBack,
    Poll,
    Publish,
    Crash,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::Begin),
        Just(Act::Begin),
        Just(Act::Commit),
        Just(Act::Commit),
        Just(Act::RollBack),
        Just(Act::Poll),
        Just(Act::Publish),
        Just(Act::Crash),
    ]
}

/// Transactions that begin, commit and roll back in any order, and a relay that polls, publishes and
/// crashes: what was committed, what was published, and how often the relay crashed.
fn any_course(cursor: Cursor, acts: &[Act]) -> (Vec<i64>, Vec<i64>, u32) {
    let mut house = House::new();
    let mut relay = Relay::new(house.outbox, cursor, 2);
    let mut open: Vec<(TransactionId, i64)> = Vec::new();
    let (mut committed, mut published, mut crashes, mut event) = (Vec::new(), Vec::new(), 0, 0);
    for (turn, act) in acts.iter().enumerate() {
        match act {
            Act::Begin => {
                event += 1;
                open.push((house.writes(&[event]), event));
            }
            Act::Commit | Act::RollBack if !open.is_empty() => {
                // Not the oldest first.
                let (transaction, event) = open.remove(turn * 7 % open.len());
                if matches!(act, Act::Commit) {
                    house.commit(transaction);
                    committed.push(event);
                } else {
                    house.database.rollback(NOW, transaction, &mut Vec::new()).expect("open");
                }
            }
            Act::Poll if !relay.is_busy() => published.extend(house.poll(&mut relay)),
            Act::Publish => {
                house.published(&mut relay);
            }
            Act::Crash => {
                crashes += u32::from(relay.is_busy());
                relay.crash(NOW, &mut house.database, &mut Vec::new());
            }
            _ => {}
        }
    }
    for (transaction, event) in open {
        house.commit(transaction);
        committed.push(event);
    }
    house.published(&mut relay);
    loop {
        let turn = house.turn(&mut relay);
        if turn.is_empty() {
            break;
        }
        published.extend(turn);
    }
    (committed, published, crashes)
}

proptest! {
    #[test]
    fn these_cursors_lose_nothing_and_repeat_only_after_a_crash(
        acts in prop::collection::vec(act(), 1..60),
    ) {
        for cursor in [UNPUBLISHED, SKIP_LOCKED, Cursor::BelowOldestOpen] {
            let (mut committed, mut published, crashes) = any_course(cursor, &acts);
            if crashes == 0 {
                prop_assert_eq!(published.len(), committed.len(), "{:?}", cursor);
            }
            published.sort_unstable();
            published.dedup();
            committed.sort_unstable();
            prop_assert_eq!(published, committed, "{:?}", cursor);
        }
    }
}
