//! Any requests in any order: the queue agrees with a naive one, and loses nothing.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use broker::queue::{
    BodyId, DeadLetter, Deleted, Entry, Lapse, PURGE_INTERVAL, Queue, Receipts, ReceiveError,
    Received, Settings,
};
use broker::{MessageId, ReceiptHandle};
use proptest::prelude::*;
use sim::{SimDuration, SimTime};

use crate::model::NaiveQueue;

#[derive(Clone, Debug)]
enum Request {
    Send {
        delay: Option<u64>,
    },
    AcceptDeadLetter {
        sent_ago: u64,
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
    Advance,
    SetRetention {
        seconds: u64,
    },
}

fn request() -> impl Strategy<Value = Request> {
    use Request::{AcceptDeadLetter, Advance, Change, Delete, Pass, Purge, Receive, Send};
    let timeout = prop_oneof![6 => 0..20_u64, 1 => Just(43_200_u64), 1 => Just(43_190_u64)];
    prop_oneof![
        6 => prop::option::weighted(0.3, 0..15_u64).prop_map(|delay| Send { delay }),
        1 => (0..30_u64, 0..4_u32)
            .prop_map(|(sent_ago, count)| AcceptDeadLetter { sent_ago, count }),
        6 => (1..=10_u32, prop::option::weighted(0.4, 0..20_u64))
            .prop_map(|(max, visibility)| Receive { max, visibility }),
        4 => (0..12_usize, timeout).prop_map(|(receipt, timeout)| Change { receipt, timeout }),
        4 => (0..12_usize).prop_map(|receipt| Delete { receipt }),
        1 => Just(Purge),
        6 => (0..12_u64).prop_map(|seconds| Pass { seconds }),
        3 => Just(Advance),
        1 => (60..90_u64).prop_map(|seconds| Request::SetRetention { seconds }),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    let receipts = prop_oneof![Just(Receipts::Strict), Just(Receipts::Lenient)];
    let limit = prop::option::of(1..4_u32);
    (receipts, limit, 0..10_u64, prop_oneof![1..6_u32, Just(120_000)], 60..100_u64).prop_map(
        |(receipts, max_receive_count, delay, max_in_flight, retention)| Settings {
            visibility_timeout: SimDuration::from_secs(10),
            delay: SimDuration::from_secs(delay),
            retention: SimDuration::from_secs(retention),
            max_receive_count,
            max_in_flight,
            receipts,
            ..Settings::sqs_standard()
        },
    )
}

/// The queue, the naive one, and what became of the messages.
#[derive(Clone)]
struct Pair {
    now: SimTime,
    queue: Queue,
    naive: NaiveQueue,
    sent: u32,
    left: Left,
    receipts: Vec<ReceiptHandle>,
    purged_at: Option<SimTime>,
}

#[derive(Clone, Default)]
struct Left {
    acked: u32,
    dead_lettered: u32,
    expired: u32,
    purged: u32,
}

impl Pair {
    fn new(settings: Settings) -> Self {
        Self {
            now: SimTime::ZERO,
            queue: Queue::new(settings),
            naive: NaiveQueue::new(settings),
            sent: 0,
            left: Left::default(),
            receipts: Vec::new(),
            purged_at: None,
        }
    }

    fn play(&mut self, request: &Request) -> Result<(), TestCaseError> {
        let now = self.now;
        match *request {
            Request::Send { delay } => {
                let message = MessageId::from_index(self.sent);
                self.sent += 1;
                let delay = delay.map(SimDuration::from_secs);
                let sent = self.queue.send(now, entry(message, delay)).expect("sent");
                let delay = delay.unwrap_or(self.naive.settings.delay);
                prop_assert_eq!(sent.visible_at, now + delay);
                let letter = letter(message, now, 0);
                self.naive.store(now, letter, delay);
            }
            Request::AcceptDeadLetter { sent_ago, count } => {
                let message = MessageId::from_index(self.sent);
                self.sent += 1;
                let sent_at = now.saturating_sub(SimDuration::from_secs(sent_ago));
                let letter = letter(message, sent_at, count);
                self.queue.accept_dead_letter(now, letter);
                self.naive.store(now, letter, SimDuration::ZERO);
            }
            Request::Receive { max, visibility } => self.receive(max, visibility)?,
            Request::Change { receipt, timeout } => {
                let (receipt, timeout) = (self.receipt(receipt), SimDuration::from_secs(timeout));
                let changed = self.queue.change_visibility(now, receipt, timeout);
                prop_assert_eq!(changed, self.naive.change(now, receipt, timeout));
            }
            Request::Delete { receipt } => {
                let receipt = self.receipt(receipt);
                let deleted = self.queue.delete(now, receipt);
                prop_assert_eq!(deleted, self.naive.delete(now, receipt));
                self.left.acked += u32::from(matches!(deleted, Ok(Deleted::Removed(_))));
            }
            Request::Purge => {
                let early = self.purged_at.is_some_and(|last| now < last + PURGE_INTERVAL);
                match self.queue.purge(now) {
                    Ok(purged) => {
                        prop_assert!(!early);
                        prop_assert_eq!(purged, self.naive.purge(now));
                        self.left.purged += purged;
                        self.purged_at = Some(now);
                    }
                    Err(_) => prop_assert!(early),
                }
            }
            Request::Pass { seconds } => self.now += SimDuration::from_secs(seconds),
            Request::Advance => self.advance()?,
            Request::SetRetention { seconds } => {
                let retention = SimDuration::from_secs(seconds);
                let settings = Settings { retention, ..*self.queue.settings() };
                self.queue.set_settings(settings);
                self.naive.settings = settings;
            }
        }
        Ok(())
    }

    fn receive(&mut self, max: u32, visibility: Option<u64>) -> Result<(), TestCaseError> {
        let visibility = visibility.map(SimDuration::from_secs);
        let timeout = visibility.unwrap_or(self.naive.settings.visibility_timeout);
        let mut received = Received::default();
        let answer = self.queue.receive(self.now, max, visibility, &mut received);
        let (delivered, dead) = self.naive.receive(self.now, max as usize, timeout);
        let full = self.naive.counts().in_flight >= self.naive.settings.max_in_flight;
        if let Err(error) = answer {
            let limit = self.naive.settings.max_in_flight;
            prop_assert_eq!((error, full), (ReceiveError::OverLimit { limit }, true));
        }
        let found: Vec<_> = received.deliveries.iter().map(|it| (it.message, it.count)).collect();
        prop_assert_eq!(found, delivered);
        prop_assert_eq!(&received.dead, &dead);
        self.naive.note(&received.deliveries);
        self.receipts.extend(received.deliveries.iter().map(|it| it.receipt));
        self.left.dead_lettered += dead.len() as u32;
        Ok(())
    }

    fn advance(&mut self) -> Result<(), TestCaseError> {
        let mut lapses = Vec::new();
        self.queue.advance(self.now, &mut lapses);
        self.naive.settle(self.now);
        prop_assert_eq!(&lapses, &self.naive.lapses);
        self.naive.lapses.clear();
        let expired = lapses.iter().filter(|lapse| matches!(lapse, Lapse::Expired { .. }));
        self.left.expired += expired.count() as u32;
        Ok(())
    }

    fn compare(&self) -> Result<(), TestCaseError> {
        let (queue, naive) = (&self.queue, &self.naive);
        prop_assert_eq!(queue.counts(), naive.counts());
        prop_assert_eq!(queue.next_deadline(), naive.next_deadline());
        let (available, sent): (Vec<_>, Vec<_>) = naive.available().into_iter().unzip();
        prop_assert_eq!(queue.available().collect::<Vec<_>>(), available);
        prop_assert_eq!(queue.oldest_sent(), sent.first().copied());
        let hidden: BTreeSet<_> = naive.hidden().into_iter().collect();
        let in_flight = queue.in_flight().map(|it| (it.message, it.until));
        let delayed = queue.delayed().map(|it| (it.message, it.until));
        prop_assert_eq!(in_flight.chain(delayed).collect::<BTreeSet<_>>(), hidden);
        Ok(())
    }

    /// What was sent is somewhere: in the queue, or gone for one of four reasons.
    fn conserve(&self) -> Result<(), TestCaseError> {
        let Left { acked, dead_lettered, expired, purged } = self.left;
        let gone = acked + dead_lettered + expired + purged;
        prop_assert_eq!(self.sent, self.queue.counts().stored() + gone);
        Ok(())
    }

    fn receipt(&self, from_last: usize) -> ReceiptHandle {
        let index = self.receipts.len().checked_sub(1 + from_last);
        index.map_or(ReceiptHandle::GARBAGE, |index| self.receipts[index])
    }
}

fn entry(message: MessageId, delay: Option<SimDuration>) -> Entry {
    Entry { message, bytes: 1, delay, group: None, deduplication: None, body: BodyId(0) }
}

fn letter(message: MessageId, sent_at: SimTime, count: u32) -> DeadLetter {
    DeadLetter { message, sent_at, count, group: None, source: None }
}

fn hash(queue: &Queue) -> u64 {
    let mut hasher = DefaultHasher::new();
    queue.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_queue_agrees_with_a_naive_one(
        settings in settings(),
        requests in prop::collection::vec(request(), 0..120),
    ) {
        let mut pair = Pair::new(settings);
        for request in &requests {
            pair.play(request)?;
            pair.compare()?;
        }
    }

    #[test]
    fn no_message_is_lost_or_made_up(
        settings in settings(),
        requests in prop::collection::vec(request(), 0..120),
    ) {
        let mut pair = Pair::new(settings);
        for request in &requests {
            pair.play(request)?;
            pair.advance()?;
            pair.conserve()?;
        }
    }

    /// A copy goes on as the original does, and hashes as it does.
    #[test]
    fn a_copy_has_the_same_future(
        settings in settings(),
        past in prop::collection::vec(request(), 0..60),
        future in prop::collection::vec(request(), 0..60),
    ) {
        let mut pair = Pair::new(settings);
        for request in &past {
            pair.play(request)?;
        }
        let mut copy = pair.clone();
        for request in &future {
            pair.play(request)?;
        }
        for request in &future {
            copy.play(request)?;
        }
        prop_assert_eq!(hash(&pair.queue), hash(&copy.queue));
    }
}

#[test]
fn queues_that_differ_hash_differently() {
    let now = SimTime::ZERO;
    let entry = |index| entry(MessageId::from_index(index), None);
    let mut queue = Queue::new(Settings::sqs_standard());
    let mut hashes = BTreeSet::from([hash(&queue)]);
    queue.send(now, entry(0)).expect("sent");
    hashes.insert(hash(&queue));
    queue.send(now, entry(1)).expect("sent");
    hashes.insert(hash(&queue));
    queue.receive(now, 1, None, &mut Received::default()).expect("received");
    hashes.insert(hash(&queue));
    queue.set_settings(Settings { receipts: Receipts::Lenient, ..*queue.settings() });
    hashes.insert(hash(&queue));
    assert_eq!(hashes.len(), 5);
}
