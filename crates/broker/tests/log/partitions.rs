//! One partition: what is written, read, lost, deleted and cleaned.

use broker::log::{
    AppendError, Cleanup, Due, Isolation, Offset, Partition, ReadError, Replication, Segment,
    Settings, Topic, Upkeep,
};
use sim::{SimDuration, SimTime};

use crate::script::Script;

const PLAIN: Settings = Settings::kafka();
const COMPACTED: Settings = Settings {
    cleanup: Cleanup::Compact,
    segment_bytes: 4,
    delete_retention: SimDuration::from_secs(100),
    ..PLAIN
};

#[test]
fn readers_see_by_their_isolation() {
    use Isolation::{ReadCommitted, ReadUncommitted};
    // The script, what plain readers get, what committed readers get, and where those are then.
    let rows: [(&str, &[u64], &[u64], u64); 9] = [
        ("k1 k2", &[0, 1], &[0, 1], 2),
        ("A k1", &[0, 1], &[], 0),
        ("k1 A k2", &[0, 1, 2], &[0], 1),
        ("A k1 commitA", &[0, 1], &[0, 1], 3),
        ("A k1 abortA", &[0, 1], &[1], 3),
        ("A B commitB k1", &[0, 1, 3], &[], 0),
        ("A B commitB k1 abortA", &[0, 1, 3], &[1, 3], 5),
        ("A abortA A commitA", &[0, 2], &[2], 4),
        // A marker without a transaction takes up an offset all the same.
        ("commitA k1", &[1], &[1], 2),
    ];
    for (script, plain, committed, position) in rows {
        let mut written = Script::new(PLAIN);
        written.write(script);
        assert_eq!(written.read(ReadUncommitted).0, plain, "{script}");
        assert_eq!(written.read(ReadCommitted), (committed.to_vec(), position), "{script}");
    }
}

#[test]
fn lag_counts_offsets_and_not_messages() {
    let mut written = Script::new(PLAIN);
    written.write("A A commitA B abortB k1");
    let lag = |isolation| written.log.lag(Offset::ZERO, isolation);
    let left = |isolation| written.log.records_from(Offset::ZERO, isolation);
    assert_eq!((lag(Isolation::ReadCommitted), left(Isolation::ReadCommitted)), (6, 3));
    assert_eq!((lag(Isolation::ReadUncommitted), left(Isolation::ReadUncommitted)), (6, 4));
    written.write("A k1");
    // A transaction that nobody ends holds committed readers up, however much comes after it.
    assert_eq!(written.log.lag(Offset::new(6), Isolation::ReadCommitted), 0);
    assert_eq!(written.log.lag(Offset::new(6), Isolation::ReadUncommitted), 2);
}

#[test]
fn a_read_takes_so_many_and_goes_on_from_there() {
    let mut written = Script::new(PLAIN);
    written.write("k1 A commitA k2 k3");
    let mut fetched = Vec::new();
    let isolation = Isolation::ReadCommitted;
    let first = written.log.read(Offset::ZERO, 2, isolation, &mut fetched).expect("in range");
    let second = written.log.read(first, 2, isolation, &mut fetched).expect("in range");
    let offsets: Vec<u64> = fetched.iter().map(|fetched| fetched.offset.value()).collect();
    assert_eq!((offsets, second.value()), (vec![0, 1, 3, 4], 5));
    let (start, end) = (Offset::ZERO, Offset::new(5));
    let beyond = written.log.read(Offset::new(6), 2, isolation, &mut fetched);
    assert_eq!(beyond, Err(ReadError::OutOfRange { start, end }));
}

#[test]
fn nobody_reads_what_is_not_replicated_and_a_new_leader_does_not_have_it() {
    let mut written = Script::new(Settings { replication: Replication::Reported, ..PLAIN });
    written.write("k1 A k2 commitA k3");
    assert_eq!(written.read(Isolation::ReadUncommitted), (vec![], 0));
    written.log.replicated(Offset::new(3));
    assert_eq!(written.read(Isolation::ReadUncommitted).0, [0, 1, 2]);
    // Ended, but its marker is not replicated: not stable.
    assert_eq!(written.log.last_stable(), Offset::new(1));
    let lost = written.log.fail_over();
    let messages: Vec<usize> = lost.messages.iter().map(|message| message.index()).collect();
    assert_eq!((messages, lost.end.value()), (vec![4], 3));
    // With its marker gone, the transaction is open again.
    assert_eq!(written.log.open_transactions().count(), 1);
    written.write("commitA").log.replicated(Offset::new(4));
    assert_eq!(written.read(Isolation::ReadCommitted), (vec![0, 1, 2], 4));
}

#[test]
fn a_batch_is_taken_whole_or_not() {
    let mut compacted = Script::new(COMPACTED);
    assert_eq!(compacted.step("n"), Err(AppendError::KeyMissing));
    let mut small = Script::new(Settings { max_message_bytes: 0, ..PLAIN });
    assert_eq!(small.step("k1"), Err(AppendError::TooLarge { bytes: 1, limit: 0 }));
    assert_eq!(small.log.end(), Offset::ZERO);
}

#[test]
fn a_segment_is_full_by_size_or_by_the_time_of_its_records() {
    let sizes =
        |written: &Script| -> Vec<u64> { written.log.segments().map(Segment::bytes).collect() };
    let mut by_size = Script::new(Settings { segment_bytes: 2, ..PLAIN });
    assert_eq!(sizes(by_size.write("k1 k2 k3 k4 k5")), [2, 2, 1]);
    let segment_time = SimDuration::from_secs(10);
    let mut by_time = Script::new(Settings { segment_time, ..PLAIN });
    assert_eq!(sizes(by_time.write("k1 @10 k2 @11 k3 @22 k4")), [2, 1, 1]);
}

#[test]
fn retention_takes_whole_segments_from_the_front() {
    let hour = Some(SimDuration::from_secs(3600));
    let two = Settings { segment_bytes: 2, retention: hour, ..PLAIN };
    // The script, when retention looks, and where the log starts then.
    let rows = [
        // The boundary itself is kept.
        ("k1 k2 k3 k4 k5", 3600, 0),
        // The active segment goes, too.
        ("k1 k2 k3 k4 k5", 3601, 5),
        // One young record keeps its segment, and all behind it.
        ("k1 @100 k2 @0 k3 k4 k5", 3601, 0),
        ("k1 k2 @100 k3 @0 k4 k5", 3601, 2),
    ];
    for (script, looks_at, start) in rows {
        let mut written = Script::new(two);
        written.write(script);
        let deleted = written.log.retain(SimTime::ZERO + SimDuration::from_secs(looks_at));
        assert_eq!(deleted.start.value(), start, "{script} at {looks_at}");
        assert_eq!(deleted.messages.len() as u64, start, "{script} at {looks_at}");
        assert_eq!(written.log.start().value(), start, "{script} at {looks_at}");
    }
    // Nothing above the high watermark goes.
    let mut written = Script::new(Settings { replication: Replication::Reported, ..two });
    written.write("k1 k2 k3 k4 k5").log.replicated(Offset::new(3));
    let deleted = written.log.retain(SimTime::ZERO + SimDuration::from_secs(9999));
    assert_eq!((deleted.segments, deleted.start.value()), (1, 2));
    // A compacted topic deletes nothing by age.
    let mut kept = Script::new(Settings { cleanup: Cleanup::Compact, ..two });
    let deleted = kept.write("k1 k2 k3").log.retain(SimTime::ZERO + SimDuration::from_secs(9999));
    assert_eq!(deleted.segments, 0);
}

#[test]
fn records_can_be_deleted_below_an_offset() {
    let mut written = Script::new(Settings { segment_bytes: 2, ..PLAIN });
    written.write("k1 k2 k3 k4 k5");
    let deleted = written.log.delete_below(Offset::new(3));
    assert_eq!((deleted.segments, deleted.start.value()), (1, 3));
    assert_eq!(written.read(Isolation::ReadUncommitted), (vec![3, 4], 5));
    assert_eq!(written.log.delete_below(Offset::new(9)).start.value(), 5);
}

#[test]
fn cleaning_keeps_the_latest_of_each_key() {
    // The script, when it is cleaned, and what is left. Four records fill a segment.
    let rows = [
        ("k1 k1 k2 k1 k9", &[0][..], "2:k2 3:k1 4:k9"),
        // The active segment is not cleaned, and does not count.
        ("k1 k2 k3 k4 k1", &[0], "0:k1 1:k2 2:k3 3:k4 4:k1"),
        // A tombstone hides what came before, stays for its time after the first cleaning, and
        // goes with a second one.
        ("k1 k2 k1- k3 k9", &[0], "1:k2 2:k1- 3:k3 4:k9"),
        ("k1 k2 k1- k3 k9", &[0, 99], "1:k2 2:k1- 3:k3 4:k9"),
        ("k1 k2 k1- k3 k9", &[0, 100], "1:k2 3:k3 4:k9"),
        // However old it is: the first cleaning only stamps it.
        ("k1 k2 k1- k3 k9", &[5000], "1:k2 2:k1- 3:k3 4:k9"),
        // A newer value outlives an older tombstone.
        ("k1- k2 k1 k3 k9", &[0], "1:k2 2:k1 3:k3 4:k9"),
    ];
    for (script, cleanings, left) in rows {
        let mut written = Script::new(COMPACTED);
        written.write(script);
        for at in cleanings {
            written.log.clean(SimTime::ZERO + SimDuration::from_secs(*at));
        }
        assert_eq!(written.stored(), left, "{script} at {cleanings:?}");
    }
}

#[test]
fn cleaning_drops_what_was_aborted_and_keeps_out_of_open_transactions() {
    let settings = Settings { segment_bytes: 200, ..COMPACTED };
    let roll = "k7 ".repeat(199);
    let cleaned = |script: &str, cleanings: &[u64]| {
        let mut written = Script::new(settings);
        written.write(script).write(&roll);
        for at in cleanings {
            written.log.clean(SimTime::ZERO + SimDuration::from_secs(*at));
        }
        let stored = written.stored();
        let own = stored.split(' ').filter(|entry| !entry.contains(":k7"));
        own.map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    // Keys of transactional records are 1000 and their offset.
    assert_eq!(cleaned("A k1 abortA", &[0]), "1:k1 2:abort");
    // Its records are gone: the marker is stamped by the second cleaning, and goes with a third.
    assert_eq!(cleaned("A k1 abortA", &[0, 1]), "1:k1 2:abort");
    assert_eq!(cleaned("A k1 abortA", &[0, 1, 101]), "1:k1");
    assert_eq!(cleaned("A k1 commitA", &[0, 1, 101]), "0:k1000 1:k1 2:commit");
    assert_eq!(cleaned("k1 A k1", &[0]), "0:k1 1:k1001 2:k1");
}

#[test]
fn a_log_is_due_by_its_dirty_share_or_by_age() {
    let second = SimDuration::from_secs;
    let at = |seconds| SimTime::ZERO + second(seconds);
    // The settings, the script after a first cleaning of four records, when, and what is due.
    let lagging = Settings { max_compaction_lag: Some(second(50)), ..COMPACTED };
    let young = Settings { min_compaction_lag: second(50), ..COMPACTED };
    let rows = [
        // Half is not more than half.
        (COMPACTED, "", 0, Due::No),
        (Settings { min_dirty_percent: 49, ..COMPACTED }, "", 0, Due::ByShare),
        (COMPACTED, "k5 k6 k7 k8", 0, Due::ByShare),
        (lagging, "", 50, Due::No),
        (lagging, "", 51, Due::ByLag),
        (young, "k5 k6 k7 k8", 49, Due::No),
        (young, "k5 k6 k7 k8", 50, Due::ByShare),
    ];
    for (settings, script, when, due) in rows {
        let mut written = Script::new(settings);
        written.write("k1 k2 k3 k4 k9");
        let cleaned = written.log.clean(at(1000)).to;
        assert_eq!(cleaned.value(), 4, "the first cleaning of {script}");
        // Fills the second segment, and perhaps a third.
        written.write("k9 k9 k9").write(script).write("k9");
        assert_eq!(written.log.dirt(at(when)).due, due, "{script} at {when}");
    }
}

#[test]
fn the_broker_looks_after_a_topic_from_time_to_time() {
    let at = |seconds| SimTime::ZERO + SimDuration::from_secs(seconds);
    let retention = Some(SimDuration::from_secs(60));
    let settings = Settings { retention, partitions: 2, ..PLAIN };
    let mut topic = Topic::new(at(0), settings);
    assert_eq!(topic.next_deadline(), at(300));
    let mut other = Script::new(settings);
    other.write("k1");
    *topic.partition_mut(broker::log::PartitionId::from_index(1)).expect("there are two") =
        other.log.clone();
    let mut upkeep = Vec::new();
    topic.advance(at(299), &mut upkeep);
    assert_eq!(upkeep, []);
    topic.advance(at(300), &mut upkeep);
    let [Upkeep::Deleted(partition, deleted)] = &upkeep[..] else { panic!("{upkeep:?}") };
    assert_eq!((partition.index(), deleted.messages.len()), (1, 1));
    assert_eq!(topic.next_deadline(), at(600));
    assert_eq!(Topic::new(at(0), COMPACTED).next_deadline(), at(15));
}

#[test]
fn time_finds_an_offset() {
    let mut written = Script::new(PLAIN);
    written.write("@1 k1 @5 k2 @3 k3");
    let find = |log: &Partition, seconds| {
        log.offset_at(SimTime::ZERO + SimDuration::from_secs(seconds)).map(Offset::value)
    };
    assert_eq!(find(&written.log, 0), Some(0));
    assert_eq!(find(&written.log, 2), Some(1));
    assert_eq!(find(&written.log, 6), None);
}
