//! A broker with a queue `q`, a queue `dlq` for what dies in it, and one consumer at most.

use broker::MessageId;
use broker::amqp::{
    Access, Acknowledgement, Broker, ChannelId, ConnectionId, Delivery, DeliveryTag, Event, Fate,
    Publication, Release, ReturnCause, Server, Settings, Subscription, Tags,
};
use serde_json::{Map, Value as Json, json};
use sim::{SimDuration, SimTime};

use super::{LONG, Reasons};

pub(super) struct Desk {
    pub now: SimTime,
    broker: Broker,
    channel: ChannelId,
    bodies: Vec<String>,
    /// All that happened, and when.
    events: Vec<(SimTime, Event)>,
    /// How many of the events were looked at by [`Desk::delivered`].
    seen: usize,
}

impl Desk {
    pub fn new(release: Release, settings: Settings) -> Self {
        let mut broker = Broker::new(Server::new(release));
        let channel = broker.open_channel(SimTime::ZERO, ConnectionId(0));
        for (name, settings) in [("q", settings), ("dlq", Settings::rabbitmq_classic())] {
            let declared =
                broker.declare_queue(SimTime::ZERO, channel, name, settings, &mut Vec::new());
            declared.expect("the settings of a scene are allowed");
        }
        let (now, bodies, events) = (SimTime::ZERO, Vec::new(), Vec::new());
        Self { now, broker, channel, bodies, events, seen: 0 }
    }

    pub fn publish(&mut self, body: &str, expiration: Option<SimDuration>) {
        let message = MessageId::from_index(self.bodies.len() as u32);
        self.bodies.push(body.to_owned());
        let mut publication = Publication::new(message, "", "q", body.len() as u32);
        publication.expiration = expiration;
        self.ask(|broker, now, channel, out| {
            broker.publish(now, channel, publication, out).expect("the default exchange exists");
        });
    }

    pub fn consume(&mut self, prefetch: u32) {
        let subscription = Subscription {
            queue: "q".into(),
            acknowledgement: Acknowledgement::Manual,
            priority: 0,
            access: Access::Shared,
        };
        self.ask(|broker, now, channel, out| {
            broker.set_prefetch(channel, prefetch).expect("the channel is open");
            broker.consume(now, channel, subscription, out).expect("the queue is free");
        });
    }

    pub fn ack(&mut self, tags: Tags) {
        self.ask(|broker, now, channel, out| {
            broker.ack(now, channel, tags, out).expect("it was delivered");
        });
    }

    pub fn discard(&mut self, tags: Tags) {
        self.ask(|broker, now, channel, out| {
            broker.discard(now, channel, tags, out).expect("it was delivered");
        });
    }

    pub fn requeue(&mut self, tags: Tags, cause: ReturnCause) {
        self.ask(|broker, now, channel, out| {
            broker.requeue(now, channel, tags, cause, out).expect("it was delivered");
        });
    }

    /// The consumer's connection is lost, and it comes back on another.
    pub fn crash(&mut self) {
        self.ask(|broker, now, _, out| broker.drop_connection(now, ConnectionId(0), out));
        self.channel = self.broker.open_channel(self.now, ConnectionId(0));
    }

    /// Lets time pass up to the next thing that happens by itself.
    pub fn run_on(&mut self) {
        if let Some(due) = self.broker.next_deadline() {
            self.now = due;
            self.ask(|broker, now, _, out| broker.advance(now, out));
        }
    }

    /// The bodies that are ready in a queue.
    pub fn ready(&self, queue: &str) -> Vec<&str> {
        let queue = self.broker.queue(queue).into_iter();
        let ready = queue.flat_map(|queue| queue.ready().collect::<Vec<_>>());
        ready.map(|ready| self.body(ready.message)).collect()
    }

    /// What was delivered since this was last asked.
    pub fn delivered(&mut self) -> Vec<String> {
        let since = std::mem::replace(&mut self.seen, self.events.len());
        let delivered = self.deliveries().filter(|(place, _)| *place >= since);
        delivered.map(|(_, delivery)| self.body(delivery.envelope.message).to_owned()).collect()
    }

    /// The tag of the latest delivery of a body.
    pub fn tag(&self, body: &str) -> DeliveryTag {
        let of_body = |delivery: &Delivery| self.body(delivery.envelope.message) == body;
        let found = self.deliveries().filter(|(_, delivery)| of_body(delivery)).last();
        found.map_or(DeliveryTag(0), |(_, delivery)| delivery.tag)
    }

    /// Whether the latest delivery was a redelivery, and its count.
    pub fn latest(&self) -> Json {
        let latest = self.deliveries().last();
        latest.map_or(Json::Null, |(_, it)| json!([it.redelivered, it.delivery_count]))
    }

    /// The death history of the latest delivery.
    pub fn deaths(&self) -> Json {
        let latest = self.deliveries().last();
        let deaths = latest.map(|(_, it)| it.envelope.deaths.deaths()).unwrap_or_default();
        let rows = deaths.iter().map(|it| json!([it.queue.as_str(), it.reason.as_str(), it.count]));
        Json::Array(rows.collect())
    }

    pub fn reasons(&self) -> Reasons {
        let reason = |(_, event): &(SimTime, Event)| match event {
            Event::Died { reason, .. } => Some(*reason),
            _ => None,
        };
        self.events.iter().filter_map(reason).collect()
    }

    /// The bodies that were dropped because they would have gone round without end.
    pub fn cycled(&self) -> Vec<&str> {
        let cycled = |(_, event): &(SimTime, Event)| match event {
            Event::Died { message, fate: Fate::Cycle, .. } => Some(self.body(*message)),
            _ => None,
        };
        self.events.iter().filter_map(cycled).collect()
    }

    /// When each body dies, in ms, if nobody takes it.
    pub fn death_times(&mut self) -> Json {
        while self.broker.next_deadline().is_some_and(|due| due <= SimTime::ZERO + LONG) {
            self.run_on();
        }
        let mut times = Map::new();
        for (at, event) in &self.events {
            if let Event::Died { message, .. } = event {
                times.insert(self.body(*message).to_owned(), json!(at.as_micros() / 1_000));
            }
        }
        Json::Object(times)
    }

    fn ask(&mut self, request: impl FnOnce(&mut Broker, SimTime, ChannelId, &mut Vec<Event>)) {
        let mut out = Vec::new();
        request(&mut self.broker, self.now, self.channel, &mut out);
        self.events.extend(out.into_iter().map(|event| (self.now, event)));
    }

    fn deliveries(&self) -> impl Iterator<Item = (usize, &Delivery)> {
        self.events.iter().enumerate().filter_map(|(place, (_, event))| match event {
            Event::Delivered(delivery) => Some((place, delivery)),
            _ => None,
        })
    }

    fn body(&self, message: MessageId) -> &str {
        &self.bodies[message.index()]
    }
}
