//! Producers: partitioners, numbers, transactions.

use broker::log::partitioner::hash::{murmur2, murmur2_kafkajs_legacy};
use broker::log::partitioner::{BatchState, KeyHash, LoadTable, Partitioner, moved_share};
use broker::log::producer::{Producer, SendError};
use broker::log::{
    AppendError, Batch, Coordinator, Marker, Offset, Outcome, Partition, PartitionId,
    ProducerEpoch, ProducerId, Record, Scope, Sequence, Settings, Stamp, TopicId, TopicPartition,
    TransactionError, TransactionalId,
};
use broker::{MessageId, log::Body};
use sim::{SimDuration, SimTime, Stream};

const NOW: SimTime = SimTime::ZERO;
const NAME: TransactionalId = TransactionalId::from_index(0);
const MINUTE: SimDuration = SimDuration::from_secs(60);

fn at(seconds: u64) -> SimTime {
    NOW + SimDuration::from_secs(seconds)
}

fn place(index: u32) -> TopicPartition {
    TopicPartition::new(TopicId::default(), PartitionId::from_index(index))
}

fn write(log: &mut Partition, stamp: Stamp) -> Result<Outcome, AppendError> {
    let record = Record {
        message: MessageId::from_index(0),
        key: None,
        body: Body::Value,
        bytes: 1,
        timestamp: NOW,
    };
    let batch = Batch { records: &[record], stamp: Some(stamp) };
    log.append(NOW, &batch).map(|appended| appended.outcome)
}

/// The values that `kafkajs` itself asserts for its old partitioner.
#[test]
fn growing_a_topic_moves_as_many_keys_as_the_remainders_say() {
    let check = |from: u32, to: u32, percent: f64| {
        let share = moved_share(from, to);
        assert!((share * 100.0 - percent).abs() < 0.5, "{from} to {to}: {share}");
        let moved = (0..20_000_u32).filter(|key| {
            let key = key.to_string();
            let place = |n| KeyHash::Murmur2.partition(Some(key.as_bytes()), n);
            place(from) != place(to)
        });
        let counted = moved.count() as f64 / 20_000.0;
        assert!((counted - share).abs() < 0.015, "{from} to {to}: {counted} of the keys");
    };
    check(4, 4, 0.0);
    check(4, 6, 66.7);
    check(4, 8, 50.0);
    check(3, 4, 75.0);
    check(12, 8, 66.7);
}

#[test]
fn the_old_kafkajs_hash_is_that_of_javascript() {
    let rows = [
        ("0", 272_173_970),
        ("1", 1_311_020_360),
        ("128", 2_053_105_854),
        ("2187", -2_081_355_488),
        ("16384", 204_404_061),
        ("78125", -677_491_393),
        ("279936", -622_460_209),
        ("823543", 651_276_451),
        ("2097152", 944_683_677),
        ("4782969", -892_695_770),
        ("10000000", -1_778_616_326),
        ("19487171", -518_311_627),
        ("35831808", 556_972_389),
        ("62748517", -233_806_557),
        ("105413504", -109_398_538),
        ("170859375", 102_939_717),
    ];
    let differing = rows
        .iter()
        .filter(|(key, _)| murmur2(key.as_bytes()) != murmur2_kafkajs_legacy(key.as_bytes()));
    assert!(differing.count() > 0, "the old hash loses bits that the real one has");
    for (key, hash) in rows {
        assert_eq!(murmur2_kafkajs_legacy(key.as_bytes()), hash, "{key}");
    }
}

#[test]
fn clients_treat_missing_and_empty_keys_in_their_own_way() {
    let rows =
        [(KeyHash::Murmur2, Some(0)), (KeyHash::Crc32, None), (KeyHash::Murmur2Random, Some(0))];
    for (hash, empty) in rows {
        assert_eq!(hash.partition(None, 3), None, "{hash:?}");
        assert_eq!(hash.partition(Some(b""), 3), empty.map(PartitionId::from_index), "{hash:?}");
    }
}

#[test]
fn records_without_a_key_stay_together_for_a_batch() {
    // Bytes sent, whether the batch is ready, and whether the partition may change then.
    let rows = [
        (99, BatchState::Ready, false),
        (100, BatchState::Ready, true),
        (199, BatchState::Filling, false),
        (200, BatchState::Filling, true),
    ];
    for (bytes, batch, moves) in rows {
        let mut stream = Stream::new(1, "partitioner", 0);
        let mut partitioner = Partitioner::new(KeyHash::Murmur2, 100);
        let first = partitioner.choose(None, 1000, &mut stream);
        assert_eq!(partitioner.choose(None, 1000, &mut stream), first, "before {bytes} are sent");
        partitioner.sent(bytes, batch, 1000, &mut stream);
        let next = partitioner.choose(None, 1000, &mut stream);
        assert_eq!(next != first, moves, "after {bytes}, {batch:?}");
    }
}

#[test]
fn the_partitioner_prefers_short_queues() {
    let table = LoadTable::new(&[0, 3, 1]).expect("they differ");
    assert_eq!(table.sums(), [4, 5, 8]);
    assert_eq!(LoadTable::new(&[2, 2]), None);
    assert_eq!(LoadTable::new(&[2]), None);
    let mut stream = Stream::new(1, "partitioner", 0);
    let mut partitioner = Partitioner::new(KeyHash::Murmur2, 1);
    partitioner.learn_load(&[0, 3, 1]);
    let mut times = [0; 3];
    for _ in 0..8000 {
        times[partitioner.choose(None, 3, &mut stream).index()] += 1;
        partitioner.sent(1, BatchState::Ready, 3, &mut stream);
    }
    // 4 : 1 : 3 within four standard errors (45 at most).
    for (times, expected) in times.into_iter().zip([4000_i32, 1000, 3000]) {
        assert!((times - expected).abs() < 180, "{times} instead of {expected}");
    }
}

#[test]
fn more_partitions_send_keys_elsewhere() {
    let keys: Vec<String> = (0..6000).map(|number| format!("wine-{number}")).collect();
    let moved = keys.iter().filter(|key| {
        let to = |partitions| KeyHash::Murmur2.partition(Some(key.as_bytes()), partitions);
        to(6) != to(8)
    });
    // Only hashes that leave the same rest by 6 and by 8 stay: 6 in 24. Within four standard errors.
    let moved = moved.count() as i64;
    assert!((moved - 4500).abs() < 140, "{moved} of 6000");
}

#[test]
fn a_producer_numbers_each_partition_by_itself() {
    let mut producer = Producer::new(ProducerId::default(), ProducerEpoch::default(), 2);
    let mut number =
        |place| producer.stamp(place, 3, Scope::Plain).map(|stamp| stamp.first.value());
    assert_eq!(number(place(0)), Ok(0));
    assert_eq!(number(place(0)), Ok(3));
    assert_eq!(number(place(1)), Ok(0));
    assert_eq!(number(place(0)), Err(SendError::TooManyInFlight { limit: 2 }));
    let first = Stamp {
        producer: ProducerId::default(),
        epoch: ProducerEpoch::default(),
        first: Sequence::ZERO,
        scope: Scope::Plain,
    };
    producer.acknowledged(place(0), &first);
    let third = producer.stamp(place(0), 1, Scope::Plain).expect("there is room again");
    assert_eq!(third.first.value(), 6);
    producer.restart(ProducerEpoch::default().next());
    let fresh = producer.stamp(place(0), 1, Scope::Plain).expect("a new life has room");
    assert_eq!((fresh.first, fresh.epoch), (Sequence::ZERO, ProducerEpoch::from_index(1)));
}

#[test]
fn numbers_start_again_after_the_last() {
    assert_eq!(Sequence::MAX.ahead(1), Sequence::ZERO);
    let mut log = Partition::new(Settings::kafka());
    let stamp = |first| Stamp {
        producer: ProducerId::default(),
        epoch: ProducerEpoch::default(),
        first,
        scope: Scope::Plain,
    };
    assert_eq!(write(&mut log, stamp(Sequence::MAX)), Ok(Outcome::Written));
    assert_eq!(write(&mut log, stamp(Sequence::ZERO)), Ok(Outcome::Written));
}

#[test]
fn a_silent_producer_is_forgotten_and_a_retry_of_its_written_again() {
    let mut log = Partition::new(Settings { retention: None, ..Settings::kafka() });
    let stamp = Stamp {
        producer: ProducerId::default(),
        epoch: ProducerEpoch::default(),
        first: Sequence::ZERO,
        scope: Scope::Plain,
    };
    assert_eq!(write(&mut log, stamp), Ok(Outcome::Written));
    log.retain(at(24 * 3600 - 1));
    assert_eq!(write(&mut log, stamp), Ok(Outcome::Duplicate));
    log.retain(at(24 * 3600));
    assert_eq!(write(&mut log, stamp), Ok(Outcome::Written));
}

#[test]
fn a_plain_batch_within_a_transaction_is_refused() {
    let mut log = Partition::new(Settings::kafka());
    let stamp = |first, scope| Stamp {
        producer: ProducerId::default(),
        epoch: ProducerEpoch::default(),
        first: Sequence::new(first),
        scope,
    };
    assert_eq!(write(&mut log, stamp(0, Scope::Transactional)), Ok(Outcome::Written));
    let plain = write(&mut log, stamp(1, Scope::Plain));
    assert_eq!(plain, Err(AppendError::TransactionOpen));
}

#[test]
fn a_transaction_ends_alike_everywhere() {
    let mut coordinator = Coordinator::default();
    let (producer, epoch, _) = coordinator.start(NOW, NAME, MINUTE).expect("in range");
    for index in [1, 0] {
        coordinator.add(NOW, NAME, epoch, place(index)).expect("its own");
    }
    coordinator.add_offset(NOW, NAME, epoch, place(7), Offset::new(3)).expect("its own");
    let ended = coordinator.end(NOW, NAME, epoch, Marker::Commit).expect("it is open");
    assert_eq!((ended.producer, ended.epoch), (producer, epoch));
    assert_eq!(ended.partitions, [place(0), place(1)]);
    assert_eq!(ended.offsets, [(place(7), Offset::new(3))]);
    // The same request again: its answer may have been lost.
    let again = coordinator.end(NOW, NAME, epoch, Marker::Commit).expect("it was committed");
    assert_eq!((again.partitions, again.offsets), (vec![], vec![]));
    let other = coordinator.end(NOW, NAME, epoch, Marker::Abort);
    assert_eq!(other, Err(TransactionError::NotOngoing));
    // What is aborted takes no offsets along.
    coordinator.add_offset(NOW, NAME, epoch, place(7), Offset::new(9)).expect("its own");
    let aborted = coordinator.end(NOW, NAME, epoch, Marker::Abort).expect("it is open");
    assert_eq!(aborted.offsets, []);
}

#[test]
fn a_new_producer_under_a_name_fences_the_old_one() {
    let mut log = Partition::new(Settings::kafka());
    let mut coordinator = Coordinator::default();
    let (producer, old, _) = coordinator.start(NOW, NAME, MINUTE).expect("in range");
    coordinator.add(NOW, NAME, old, place(0)).expect("its own");
    let stamp = |epoch, first| {
        let scope = Scope::Transactional;
        Stamp { producer, epoch, first: Sequence::new(first), scope }
    };
    assert_eq!(write(&mut log, stamp(old, 0)), Ok(Outcome::Written));

    let (same, new, aborted) = coordinator.start(NOW, NAME, MINUTE).expect("in range");
    let aborted = aborted.expect("a transaction was open");
    assert_eq!((same, aborted.marker), (producer, Marker::Abort));
    log.append_marker(NOW, producer, aborted.epoch, aborted.marker).expect("it is younger");
    // The zombie is refused by the log and by the coordinator.
    let refused = write(&mut log, stamp(old, 1));
    assert_eq!(refused, Err(AppendError::Fenced { current: aborted.epoch, given: old }));
    let refused = coordinator.end(NOW, NAME, old, Marker::Commit);
    assert_eq!(refused, Err(TransactionError::Fenced { current: new }));
    assert_eq!(write(&mut log, stamp(new, 0)), Ok(Outcome::Written));
}

#[test]
fn a_transaction_that_takes_too_long_is_aborted() {
    let mut coordinator = Coordinator::default();
    let (_, epoch, _) = coordinator.start(NOW, NAME, MINUTE).expect("in range");
    assert_eq!(coordinator.next_deadline(), None);
    coordinator.add(at(5), NAME, epoch, place(0)).expect("its own");
    assert_eq!(coordinator.next_deadline(), Some(at(65)));
    let mut aborted = Vec::new();
    coordinator.advance(at(64), &mut aborted);
    assert_eq!(aborted.len(), 0);
    coordinator.advance(at(65), &mut aborted);
    assert_eq!((aborted.len(), aborted[0].marker), (1, Marker::Abort));
    let late = coordinator.end(at(66), NAME, epoch, Marker::Commit);
    assert!(matches!(late, Err(TransactionError::Fenced { .. })), "{late:?}");
    let long = coordinator.start(NOW, NAME, SimDuration::from_secs(901));
    assert!(long.is_err(), "longer than the broker allows");
}
