//! Any requests in any order: a FIFO queue agrees with a naive one, keeps each group in order, and
//! loses nothing.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use broker::queue::{
    BodyId, ChangeError, DeadLetter, Deduplicate, DeduplicationId, DeleteError, Deleted, Entry,
    Fifo, GroupId, Kind, Queue, Received, Scope, SequenceNumber, Settings,
};
use broker::{MessageId, ReceiptHandle};
use proptest::prelude::*;
use sim::{SimDuration, SimTime};

use crate::fifo_model::{Answer, NaiveFifo};

#[derive(Clone, Debug)]
enum Request {
    Send {
        group: u32,
        id: Option<u64>,
        body: u64,
    },
    AcceptDeadLetter {
        group: u32,
        count: u32,
    },
    Receive {
        max: u32,
        visibility: Option<u64>,
    },
    /// The receipt is one of those given out, counted from the last.
    Change {
        receipt: usize,
        timeout: u64,
    },
    Delete {
        receipt: usize,
    },
    Purge,
    Pass {
        seconds: u64,
    },
}

fn request() -> impl Strategy<Value = Request> {
    use Request::{AcceptDeadLetter, Change, Delete, Pass, Purge, Receive, Send};
    let id = prop::option::weighted(0.7, 0..40_u64);
    prop_oneof![
        8 => (0..4_u32, id, 0..40_u64).prop_map(|(group, id, body)| Send { group, id, body }),
        1 => (0..4_u32, 0..4_u32)
            .prop_map(|(group, count)| AcceptDeadLetter { group, count }),
        6 => (1..=10_u32, prop::option::weighted(0.4, 0..20_u64))
            .prop_map(|(max, visibility)| Receive { max, visibility }),
        4 => (0..8_usize, 0..20_u64)
            .prop_map(|(receipt, timeout)| Change { receipt, timeout }),
        5 => (0..8_usize).prop_map(|receipt| Delete { receipt }),
        1 => Just(Purge),
        5 => prop_oneof![6 => 0..12_u64, 1 => Just(290_u64)]
            .prop_map(|seconds| Pass { seconds }),
    ]
}

fn settings() -> impl Strategy<Value = (Settings, Scope)> {
    let scope = prop_oneof![Just(Scope::Queue), Just(Scope::MessageGroup)];
    let in_flight = prop_oneof![1..6_u32, Just(120_000)];
    (scope, prop::option::of(1..4_u32), 0..10_u64, in_flight, 60..400_u64).prop_map(
        |(scope, max_receive_count, delay, max_in_flight, retention)| {
            let kind = Kind::Fifo(Fifo { scope, deduplicate: Deduplicate::ByContent });
            let settings = Settings {
                kind,
                visibility_timeout: SimDuration::from_secs(10),
                delay: SimDuration::from_secs(delay),
                retention: SimDuration::from_secs(retention),
                max_receive_count,
                max_in_flight,
                ..Settings::sqs_fifo()
            };
            (settings, scope)
        },
    )
}

#[derive(Clone)]
struct Pair {
    now: SimTime,
    queue: Queue,
    naive: NaiveFifo,
    sent: u32,
    receipts: Vec<ReceiptHandle>,
    /// The sequence number of the first delivery of the latest message, by group.
    latest: BTreeMap<GroupId, SequenceNumber>,
}

impl Pair {
    fn new(settings: Settings, scope: Scope) -> Self {
        Self {
            now: SimTime::ZERO,
            queue: Queue::new(settings),
            naive: NaiveFifo::new(settings, scope),
            sent: 0,
            receipts: Vec::new(),
            latest: BTreeMap::new(),
        }
    }

    fn play(&mut self, request: &Request) -> Result<(), TestCaseError> {
        let now = self.now;
        match *request {
            Request::Send { group, id, body } => {
                let (message, group, body) = (self.next_message(), GroupId(group), BodyId(body));
                let deduplication = id.map(DeduplicationId::Chosen);
                let (bytes, delay) = (1, None);
                let entry =
                    Entry { message, bytes, delay, group: Some(group), deduplication, body };
                let sent = self.queue.send(now, entry).expect("sent");
                let id = deduplication.unwrap_or(DeduplicationId::Body(body));
                let (message, sequence) = self.naive.send(now, message, group, id);
                let expected = (message, Some(SequenceNumber(sequence)));
                prop_assert_eq!((sent.message, sent.sequence), expected);
            }
            Request::AcceptDeadLetter { group, count } => {
                let (message, group) = (self.next_message(), Some(GroupId(group)));
                let letter = DeadLetter { message, sent_at: now, count, group, source: None };
                self.queue.accept_dead_letter(now, letter);
                self.naive.accept(now, letter);
            }
            Request::Receive { max, visibility } => self.receive(max, visibility)?,
            Request::Change { receipt, timeout } => {
                let Some(receipt) = self.receipt(receipt) else { return Ok(()) };
                let timeout = SimDuration::from_secs(timeout);
                let answer = match self.queue.change_visibility(now, receipt, timeout) {
                    Ok(until) if until == now + timeout => Answer::Done,
                    Err(ChangeError::Expired { .. }) => Answer::Expired,
                    Err(ChangeError::NoSuchMessage) => Answer::Gone,
                    other => panic!("{other:?}"),
                };
                prop_assert_eq!(answer, self.naive.change(now, receipt, timeout));
            }
            Request::Delete { receipt } => {
                let Some(receipt) = self.receipt(receipt) else { return Ok(()) };
                let answer = match self.queue.delete(now, receipt) {
                    Ok(Deleted::Removed(_)) => Answer::Done,
                    Ok(Deleted::AlreadyGone) => Answer::Gone,
                    Err(DeleteError::Expired { .. }) => Answer::Expired,
                    Err(other) => panic!("{other:?}"),
                };
                prop_assert_eq!(answer, self.naive.delete(now, receipt));
            }
            Request::Purge => {
                if let Ok(purged) = self.queue.purge(now) {
                    prop_assert_eq!(purged as usize, self.naive.purge(now));
                }
            }
            Request::Pass { seconds } => self.now += SimDuration::from_secs(seconds),
        }
        Ok(())
    }

    fn receive(&mut self, max: u32, visibility: Option<u64>) -> Result<(), TestCaseError> {
        let visibility = visibility.map(SimDuration::from_secs);
        let timeout = visibility.unwrap_or(self.naive.settings.visibility_timeout);
        let mut received = Received::default();
        // Also at the cap of messages in flight.
        self.queue.receive(self.now, max, visibility, &mut received).expect("no error");
        let (delivered, dead) = self.naive.receive(self.now, max as usize, timeout);
        let found: Vec<_> = received.deliveries.iter().map(|it| (it.message, it.count)).collect();
        prop_assert_eq!(found, delivered);
        let found: Vec<_> = received.dead.iter().map(|it| (it.message, it.count)).collect();
        prop_assert_eq!(found, dead);
        self.naive.note(&received.deliveries);
        self.receipts.extend(received.deliveries.iter().map(|it| it.receipt));
        // What is delivered for the first time comes after all of its group that was before.
        for delivery in received.deliveries.iter().filter(|it| it.count == 1) {
            let (group, sequence) = (delivery.group.expect("a group"), delivery.sequence);
            let before = self.latest.insert(group, sequence.expect("a number"));
            prop_assert!(before < sequence, "{before:?} before {sequence:?}");
        }
        Ok(())
    }

    fn compare(&mut self) -> Result<(), TestCaseError> {
        self.queue.advance(self.now, &mut Vec::new());
        self.naive.settle(self.now);
        let (queue, naive) = (&self.queue, &self.naive);
        let counts = queue.counts();
        let found = [counts.available, counts.delayed, counts.in_flight].map(|it| it as usize);
        prop_assert_eq!(found, naive.counts());
        let mut blocked: Vec<_> = queue.blocked().collect();
        blocked.sort_unstable();
        prop_assert_eq!(blocked, naive.blocked());
        let room = counts.in_flight < naive.settings.max_in_flight;
        let free = naive.counts()[0] > naive.blocked().len();
        prop_assert_eq!(queue.has_deliverable(), room && free);
        prop_assert_eq!(queue.available().count(), naive.counts()[0]);
        Ok(())
    }

    fn next_message(&mut self) -> MessageId {
        self.sent += 1;
        MessageId::from_index(self.sent - 1)
    }

    fn receipt(&self, from_last: usize) -> Option<ReceiptHandle> {
        let index = self.receipts.len().checked_sub(1 + from_last)?;
        self.receipts.get(index).copied()
    }
}

fn hash(queue: &Queue) -> u64 {
    let mut hasher = DefaultHasher::new();
    queue.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_fifo_queue_agrees_with_a_naive_one(
        (settings, scope) in settings(),
        requests in prop::collection::vec(request(), 0..120),
    ) {
        let mut pair = Pair::new(settings, scope);
        for request in &requests {
            pair.play(request)?;
            pair.compare()?;
        }
    }

    /// A copy goes on as the original does, and hashes as it does.
    #[test]
    fn a_copy_of_a_fifo_queue_has_the_same_future(
        (settings, scope) in settings(),
        past in prop::collection::vec(request(), 0..60),
        future in prop::collection::vec(request(), 0..60),
    ) {
        let mut pair = Pair::new(settings, scope);
        for request in &past {
            pair.play(request)?;
        }
        let mut copy = pair.clone();
        for request in &future {
            pair.play(request)?;
            copy.play(request)?;
            prop_assert_eq!(hash(&pair.queue), hash(&copy.queue));
        }
    }
}
