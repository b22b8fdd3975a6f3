//! The rules of idempotent consumers: ledgers, keys, claims.

use patterns::database::{Answer, Database, Outcome, Settings as DatabaseSettings, Value};
use patterns::inbox::claim::{Release, Settings as ClaimSettings, Token, WhenLocked};
use patterns::inbox::idempotency::{RecoveryPoint, Reply, Settings as KeySettings};
use patterns::inbox::ledger::{record, retention_needed};
use patterns::inbox::{
    Claim, ClaimDesk, Crash, Effects, IdempotencyKeys, Ledger, Marking, Scope, Seen, Turn,
};
use sim::{SimDuration, SimTime};

const fn at(secs: u64) -> SimTime {
    SimTime::from_secs(secs)
}

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

const DAY: u64 = 86_400;

#[test]
fn a_ledger_keyed_by_event_alone_silences_the_other_consumers() {
    for (scope, expected) in [(Scope::Event, 1), (Scope::ConsumerAndEvent, 3)] {
        let mut ledger = Ledger::new(scope, None);
        let effects =
            (0..3).filter(|consumer| ledger.record(at(0), *consumer, 7) == Seen::First).count();
        assert_eq!(effects, expected, "{scope:?}");
        for consumer in 0..3 {
            assert_eq!(ledger.record(at(5), consumer, 7), Seen::Before(at(0)), "{scope:?}");
        }
    }
}

#[test]
fn a_ledger_forgets_after_its_retention() {
    let mut ledger = Ledger::new(Scope::ConsumerAndEvent, Some(secs(7 * DAY)));
    assert_eq!(ledger.record(at(0), 1, 1), Seen::First);
    assert_eq!(ledger.record(at(DAY), 1, 2), Seen::First);
    assert_eq!(ledger.record(at(7 * DAY), 1, 1), Seen::Before(at(0)), "to the last moment");
    assert!(ledger.contains(at(7 * DAY), 1, 1));
    assert!(!ledger.contains(at(7 * DAY + 1), 1, 1));
    // A redrive on the eighth day is a second effect.
    assert_eq!(ledger.record(at(8 * DAY), 1, 1), Seen::First);
    assert_eq!(ledger.len(), 2);
    assert_eq!(ledger.purge(at(20 * DAY)), 2);
    assert!(ledger.is_empty());
}

#[test]
fn a_record_can_be_taken_back() {
    let mut ledger = Ledger::new(Scope::ConsumerAndEvent, Some(secs(10)));
    ledger.record(at(0), 1, 1);
    ledger.record(at(0), 1, 2);
    ledger.forget(1, 1);
    assert_eq!(ledger.record(at(1), 1, 2), Seen::Before(at(0)), "the other one stays");
    assert_eq!(ledger.record(at(1), 1, 1), Seen::First);
    assert_eq!((ledger.purge(at(60)), ledger.is_empty()), (2, true));
}

#[test]
fn retention_covers_queue_triage_and_replay() {
    let needed = retention_needed(secs(150), secs(7 * DAY), SimDuration::ZERO);
    assert!(needed > secs(7 * DAY), "five business days alone leave no slack");
    assert_eq!(retention_needed(secs(1), secs(2), secs(4)), secs(7));
}

#[test]
fn a_ledger_row_in_the_transaction_of_the_effect_is_enough() {
    let (consumer, event) = (Value::Word(1), Value::Word(9));
    for (scope, other_consumer) in [(Scope::Event, 0), (Scope::ConsumerAndEvent, 1)] {
        let mut database = Database::new(DatabaseSettings::default());
        let table = database.create_table(0);
        let mut count = |consumer, end: fn(&mut Database, _)| {
            let transaction = database.begin();
            let statement = record(table, scope, consumer, event);
            let Answer::Done(outcome) = database.execute(at(0), transaction, statement) else {
                panic!("nobody else is there");
            };
            end(&mut database, transaction);
            outcome.count()
        };
        let roll_back: fn(&mut Database, _) = |database, transaction| {
            database.rollback(at(0), transaction, &mut Vec::new()).expect("open");
        };
        let commit: fn(&mut Database, _) = |database, transaction| {
            database.commit(at(0), transaction, &mut Vec::new()).expect("open");
        };
        assert_eq!(count(consumer, roll_back), 1, "a crash leaves no row");
        assert_eq!(count(consumer, commit), 1, "so the next delivery does the work");
        assert_eq!(count(consumer, commit), 0, "and the one after does not");
        assert_eq!(count(Value::Word(2), commit), other_consumer, "{scope:?}");
    }
}

/// Two deliveries at once: the second waits for the first to end.
#[test]
fn the_second_delivery_waits_and_works_only_if_the_first_rolled_back() {
    for (commits, expected) in [(true, 0), (false, 1)] {
        let mut database = Database::new(DatabaseSettings::default());
        let table = database.create_table(0);
        let [one, two] = [database.begin(), database.begin()];
        let statement = || record(table, Scope::ConsumerAndEvent, Value::Word(1), Value::Word(9));
        assert!(matches!(database.execute(at(0), one, statement()), Answer::Done(_)));
        assert_eq!(database.execute(at(0), two, statement()), Answer::Waits { on: one });
        let mut resumed = Vec::new();
        if commits {
            database.commit(at(1), one, &mut resumed).expect("open");
        } else {
            database.rollback(at(1), one, &mut resumed).expect("open");
        }
        let [told] = &resumed[..] else { panic!("one waits") };
        let Answer::Done(outcome) = &told.answer else { panic!("{told:?}") };
        assert_eq!(outcome.count(), expected);
        assert_eq!(matches!(outcome, Outcome::Rows(0)), commits);
    }
}

#[test]
fn when_the_record_is_made_decides_what_a_crash_does() {
    use Effects::{Lost, Once, Twice};
    let crashes =
        [Crash::None, Crash::AtStart, Crash::Between, Crash::BeforeAck, Crash::EffectFails];
    let rows = [
        (Marking::Never, [Once, Once, Twice, Twice, Once]),
        (Marking::SameTransaction, [Once, Once, Once, Once, Once]),
        (Marking::Before, [Once, Once, Lost, Once, Lost]),
        (Marking::After, [Once, Once, Twice, Once, Once]),
    ];
    for (marking, expected) in rows {
        assert_eq!(crashes.map(|crash| marking.effects(crash)), expected, "{marking:?}");
    }
}

fn keys() -> IdempotencyKeys {
    IdempotencyKeys::new(KeySettings::default())
}

#[test]
fn a_key_is_done_once_and_its_reply_given_again() {
    let mut keys = keys();
    assert_eq!(keys.ask(at(0), 1, 50), Turn::Begin);
    assert_eq!(keys.ask(at(1), 1, 50), Turn::InProgress);
    keys.finish(1, Reply(201));
    assert_eq!(keys.ask(at(2), 1, 50), Turn::Replay(Reply(201)));
    assert_eq!(keys.ask(at(2), 1, 51), Turn::Mismatch, "another request");
    assert_eq!(keys.ask(at(2), 2, 51), Turn::Begin, "another key");
}

#[test]
fn a_crash_is_taken_over_at_its_recovery_point() {
    let mut keys = keys();
    keys.ask(at(0), 1, 50);
    keys.reach(at(30), 1, RecoveryPoint(2));
    assert_eq!(keys.ask(at(119), 1, 50), Turn::InProgress, "the lock counts from the last word");
    assert_eq!(keys.ask(at(120), 1, 50), Turn::Resume(RecoveryPoint(2)));
    assert_eq!(keys.ask(at(121), 1, 50), Turn::InProgress);
    keys.release(1);
    assert_eq!(keys.ask(at(122), 1, 50), Turn::Resume(RecoveryPoint(2)));
}

#[test]
fn a_reply_once_stored_stays() {
    let mut keys = keys();
    keys.ask(at(0), 1, 50);
    keys.finish(1, Reply(500));
    keys.reach(at(1), 1, RecoveryPoint(1));
    keys.release(1);
    assert_eq!(keys.ask(at(2), 1, 50), Turn::Replay(Reply(500)));
}

#[test]
fn keys_are_forgotten_after_three_days() {
    let mut keys = keys();
    keys.ask(at(0), 1, 50);
    keys.finish(1, Reply(201));
    assert_eq!(keys.ask(at(3 * DAY), 1, 50), Turn::Replay(Reply(201)));
    assert_eq!(keys.len(), 1);
    assert_eq!(keys.ask(at(3 * DAY + 1), 1, 50), Turn::Begin, "the work is done again");
    keys.reap(at(9 * DAY));
    assert!(keys.is_empty());
}

/// Locks of 60 s, and done for a week.
fn desk(when_locked: WhenLocked, release: Release) -> ClaimDesk {
    ClaimDesk::new(ClaimSettings {
        lock: Some(secs(60)),
        done: secs(7 * DAY),
        when_locked,
        release,
    })
}

fn granted(claim: Claim) -> Token {
    match claim {
        Claim::Granted(token) => token,
        other => panic!("{other:?}"),
    }
}

#[test]
fn acking_on_anothers_lock_loses_the_work_of_a_crash() {
    // A crashes at 1 s; the visibility timeout is 30 s, the lock 60 s.
    let mut acks = desk(WhenLocked::Ack, Release::CompareToken);
    granted(acks.claim(at(0), 1));
    assert_eq!(acks.claim(at(30), 1), Claim::Locked(WhenLocked::Ack), "acked: never done");

    let mut nacks = desk(WhenLocked::Nack, Release::CompareToken);
    granted(nacks.claim(at(0), 1));
    assert_eq!(nacks.claim(at(30), 1), Claim::Locked(WhenLocked::Nack));
    assert_eq!(nacks.locked_until(at(30), 1), Some(at(60)));
    granted(nacks.claim(at(60), 1));
}

#[test]
fn work_that_outlasts_its_lock_is_done_twice_and_an_unchecked_release_frees_anothers() {
    // A works from 0 to 70, B from 65 on; the lock is 60.
    for (release, third) in
        [(Release::Unchecked, None), (Release::CompareToken, Some(Claim::Locked(WhenLocked::Nack)))]
    {
        let mut desk = desk(WhenLocked::Nack, release);
        let a = granted(desk.claim(at(0), 1));
        granted(desk.claim(at(65), 1));
        // A fails at 70 and records nothing.
        desk.release(at(70), 1, a);
        let claim = desk.claim(at(71), 1);
        match third {
            Some(expected) => assert_eq!(claim, expected, "{release:?}"),
            None => assert!(matches!(claim, Claim::Granted(_)), "{release:?}: C gets in"),
        }
    }
}

#[test]
fn a_heartbeat_keeps_the_lock_and_the_work_is_done_once() {
    let mut desk = desk(WhenLocked::Nack, Release::CompareToken);
    let a = granted(desk.claim(at(0), 1));
    assert!(desk.extend(at(50), 1, a));
    assert_eq!(desk.claim(at(65), 1), Claim::Locked(WhenLocked::Nack));
    desk.finish(at(70), 1, a);
    assert_eq!(desk.claim(at(71), 1), Claim::Done);
    assert!(!desk.extend(at(71), 1, a), "a lock that is gone cannot be extended");
    assert_eq!(desk.claim(at(69 + 7 * DAY), 1), Claim::Done);
    granted(desk.claim(at(70 + 7 * DAY), 1));
}

#[test]
fn a_lock_without_an_end_loses_the_work_of_a_crash_for_good() {
    let settings = ClaimSettings {
        lock: None,
        done: secs(DAY),
        when_locked: WhenLocked::Nack,
        release: Release::CompareToken,
    };
    let mut desk = ClaimDesk::new(settings);
    granted(desk.claim(at(0), 1));
    assert_eq!(desk.claim(at(1_000_000), 1), Claim::Locked(WhenLocked::Nack));
}
