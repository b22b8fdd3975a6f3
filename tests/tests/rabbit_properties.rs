//! Whatever is done to a broker by the rules of RabbitMQ in whatever order, its accounts balance.

use std::hash::{DefaultHasher, Hash, Hasher};

use broker::MessageId;
use broker::amqp::{
    Acknowledgement, Binding, Broker, ChannelId, ConnectionId, ConsumerId, DeadLetterStrategy,
    Delayed, DelayedRetry, Delivery, Event, Exchange, ExchangeKind, Fate, Overflow, Publication,
    Queue, Release, ReturnCause, Server, Settings, Sharing, Tags,
};
use proptest::prelude::*;
use sim::{SimDuration, SimTime};
use tests::rabbits::subscription;

/// Queues of all sorts: each dead-letters into the next, the last into the first.
fn zoo(release: Release) -> (Broker, [ChannelId; 3]) {
    let mut broker = Broker::new(Server::new(release));
    let channels = [0, 0, 1].map(|it| broker.open_channel(SimTime::ZERO, ConnectionId(it)));
    let into = |settings: Settings, next: &str| Settings {
        dead_letter_exchange: Some("".into()),
        dead_letter_routing_key: Some(next.into()),
        ..settings
    };
    let second = SimDuration::from_secs(1);
    let delayed_retry = match release {
        Release::V4_3 => {
            DelayedRetry::Linear { which: Delayed::All, min: second, max: second + second }
        }
        _ => DelayedRetry::Off,
    };
    let classic = Settings::rabbitmq_classic;
    let quorum = || Settings::rabbitmq_quorum(release);
    let queues = [
        Settings { max_length: Some(3), max_priority: Some(5), ..classic() },
        Settings { message_ttl: Some(second), sharing: Sharing::SingleActive, ..classic() },
        Settings { max_length_bytes: Some(9), overflow: Overflow::RejectPublish, ..classic() },
        Settings { delivery_limit: Some(1), max_length: Some(4), ..quorum() },
        Settings { message_ttl: Some(second + second), delayed_retry, ..quorum() },
        Settings {
            dead_letter_strategy: DeadLetterStrategy::AtLeastOnce,
            overflow: Overflow::RejectPublish,
            max_length: Some(2),
            ..quorum()
        },
    ];
    let count = queues.len();
    let out = &mut Vec::new();
    for (place, settings) in queues.into_iter().enumerate() {
        let settings = into(settings, &name((place + 1) % count));
        let name = name(place);
        broker.declare_queue(SimTime::ZERO, channels[0], &name, settings, out).expect(&name);
    }
    broker.declare_exchange("all", Exchange::new(ExchangeKind::Fanout, None));
    for place in 0..count {
        let binding = Binding::queue(&name(place), "");
        broker.bind(SimTime::ZERO, channels[0], "all", binding, out).expect("it exists");
    }
    (broker, channels)
}

fn name(place: usize) -> String {
    format!("q{place}")
}

/// What a client may do: which request, where, and with what.
type Deed = (u8, u8, u8);

/// A run of deeds, and the books that are kept of it.
struct Run {
    broker: Broker,
    channels: [ChannelId; 3],
    now: SimTime,
    published: u32,
    consumers: Vec<ConsumerId>,
    automatic: Vec<ConsumerId>,
    held: Vec<Delivery>,
    events: Vec<Event>,
    /// Copies that went without an event: purged, or taken by a get that is its own ack.
    gone: i64,
}

impl Run {
    fn new(release: Release) -> Self {
        let (broker, channels) = zoo(release);
        Self {
            broker,
            channels,
            now: SimTime::ZERO,
            published: 0,
            consumers: Vec::new(),
            automatic: Vec::new(),
            held: Vec::new(),
            events: Vec::new(),
            gone: 0,
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a deed: a table, not a procedure")]
    fn act(&mut self, (deed, place, with): Deed) {
        let (now, out) = (self.now, &mut Vec::new());
        let slot = usize::from(place) % self.channels.len();
        let queue = name(usize::from(place) % 6);
        if self.broker.closed(self.channels[slot]).is_some() {
            self.channels[slot] = self.broker.open_channel(now, ConnectionId(slot as u32));
        }
        let channel = self.channels[slot];
        match deed % 12 {
            0..=2 => {
                let message = MessageId::from_index(self.published);
                self.published += 1;
                let exchange = if deed.is_multiple_of(5) { "all" } else { "" };
                let mut publication =
                    Publication::new(message, exchange, &queue, u32::from(with % 4));
                publication.priority = Some(with % 12).filter(|priority| *priority < 10);
                publication.expiration =
                    (with > 200).then(|| SimDuration::from_millis(u64::from(with - 200) * 40));
                self.broker.publish(now, channel, publication, out).expect("it exists");
            }
            3 => {
                self.broker.set_prefetch(channel, u32::from(with % 4)).expect("it is open");
                let mut wanted = subscription(&queue, i32::from(with % 3));
                if with.is_multiple_of(7) {
                    wanted.acknowledgement = Acknowledgement::Automatic;
                }
                let automatic = wanted.acknowledgement == Acknowledgement::Automatic;
                let id = self.broker.consume(now, channel, wanted, out).expect("it is free");
                self.consumers.push(id);
                self.automatic.extend(automatic.then_some(id));
            }
            4 => {
                let sharing = self.broker.queue(&queue).expect("it exists").settings().sharing;
                if sharing == Sharing::Competing {
                    let manual = !with.is_multiple_of(3);
                    let acknowledgement =
                        if manual { Acknowledgement::Manual } else { Acknowledgement::Automatic };
                    let got = self.broker.get(now, channel, &queue, acknowledgement, out);
                    match got.expect("it exists") {
                        Some(got) if manual => self.held.push(got.delivery),
                        Some(_) => self.gone += 1,
                        None => {}
                    }
                }
            }
            5..=8 if !self.held.is_empty() => {
                let delivery = self.held.remove(usize::from(with) % self.held.len());
                let (channel, tags) = (delivery.channel, Tags::One(delivery.tag));
                // A delivery may have gone back with its channel: then the broker refuses.
                let _refused = match deed % 12 {
                    5 => self.broker.ack(now, channel, tags, out),
                    6 => self.broker.discard(now, channel, tags, out),
                    7 => self.broker.requeue(now, channel, tags, ReturnCause::Nack, out),
                    _ => self.broker.requeue(now, channel, tags, ReturnCause::Reject, out),
                };
            }
            9 => {
                self.now = now + SimDuration::from_millis(u64::from(with) * 10);
                self.broker.advance(self.now, out);
            }
            10 if !self.consumers.is_empty() => {
                let id = self.consumers[usize::from(with) % self.consumers.len()];
                self.broker.cancel(now, id, out);
            }
            11 if with < 40 => {
                self.broker.close_channel(now, channel, out);
                self.channels[slot] = self.broker.open_channel(now, ConnectionId(slot as u32));
            }
            11 if with < 80 => {
                let purged = self.broker.purge(now, channel, &queue, out).expect("it exists");
                self.gone += i64::from(purged);
            }
            _ => {}
        }
        self.book(std::mem::take(out));
    }

    fn book(&mut self, events: Vec<Event>) {
        for event in &events {
            if let Event::Delivered(delivery) = event
                && !self.automatic.iter().any(|id| delivery.consumer == Some(*id))
            {
                self.held.push(delivery.clone());
            }
        }
        self.events.extend(events);
    }

    /// What the events say that the queues hold.
    fn by_the_books(&self) -> i64 {
        let mut copies = -self.gone;
        for event in &self.events {
            copies += match event {
                Event::Stored { .. } => 1,
                Event::Died { fate: Fate::KeptAside, .. } => 0,
                // What a queue refuses and dead-letters was never in it; none does that here.
                Event::Acked { .. } | Event::Lost { .. } | Event::Died { .. } => -1,
                Event::Delivered(delivery) => {
                    let automatic = |id: &ConsumerId| delivery.consumer == Some(*id);
                    -i64::from(self.automatic.iter().any(automatic))
                }
                _ => 0,
            };
        }
        copies
    }

    /// When a message came into a queue, counted in events, if it did so once.
    fn came_in(&self, queue: &str, message: MessageId) -> Option<usize> {
        let stored = Event::Stored { queue: queue.into(), message };
        let mut places = self.events.iter().enumerate().filter(|(_, event)| **event == stored);
        let place = places.next()?.0;
        places.next().is_none().then_some(place)
    }

    fn in_the_queues(&self) -> i64 {
        let counts = self.broker.queues().map(Queue::counts);
        let all = counts.map(|it| it.ready + it.unacked + it.delayed + it.kept_aside);
        all.map(i64::from).sum()
    }
}

fn hash(broker: &Broker) -> u64 {
    let mut hasher = DefaultHasher::new();
    broker.hash(&mut hasher);
    hasher.finish()
}

fn releases() -> impl Strategy<Value = Release> {
    prop_oneof![Just(Release::V3_10), Just(Release::V4_0), Just(Release::V4_3)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Copies stored are copies acked, dead, purged, or still there; limits hold; time goes on.
    #[test]
    fn nothing_is_lost_or_made_up(
        release in releases(),
        deeds in prop::collection::vec(any::<Deed>(), 1..120),
    ) {
        let mut run = Run::new(release);
        for deed in deeds {
            run.act(deed);
            prop_assert_eq!(run.by_the_books(), run.in_the_queues(), "after {:?}", deed);
            let next = run.broker.next_deadline();
            prop_assert!(next.is_none_or(|next| next > run.now), "{next:?} is not ahead");
            let q0 = run.broker.queue("q0").expect("it exists").counts();
            let q3 = run.broker.queue("q3").expect("it exists").counts();
            prop_assert!(q0.ready <= 3 && q3.ready <= 4, "over the limit: {q0:?}, {q3:?}");
        }
    }

    /// The same deeds have the same events, and leave the same broker, as has a copy on the way.
    #[test]
    fn a_run_is_repeatable(
        release in releases(),
        deeds in prop::collection::vec(any::<Deed>(), 1..80),
    ) {
        let (mut one, mut other) = (Run::new(release), Run::new(release));
        for deed in &deeds {
            one.act(*deed);
            other.broker = other.broker.clone();
            other.act(*deed);
        }
        prop_assert_eq!(&one.events, &other.events);
        prop_assert_eq!(&one.broker, &other.broker);
        prop_assert_eq!(hash(&one.broker), hash(&other.broker));
    }

    /// A classic queue without priorities serves in the order of coming in, come what may.
    #[test]
    fn a_classic_queue_keeps_its_order(deeds in prop::collection::vec(any::<Deed>(), 1..200)) {
        let mut run = Run::new(Release::V4_0);
        for deed in deeds {
            run.act(deed);
            for queue in ["q1", "q2"] {
                let ready = run.broker.queue(queue).expect("it exists").ready();
                let came_in: Vec<usize> = ready.filter_map(|it| run.came_in(queue, it.message)).collect();
                prop_assert!(came_in.is_sorted(), "{queue}: {came_in:?}");
            }
        }
    }
}
