//! Playing a script against the engine's broker.

use std::collections::BTreeMap;

use broker::MessageId;
use broker::amqp::{
    Access, Acknowledgement, Answer, Binding, Broker, ChannelId, ConnectionId, ConsumerId,
    DeleteCondition, Delivery, DeliveryMode, DeliveryTag, Event, Publication, Refusal, ReturnCause,
    Settings, Subscription, Tags, Unroutable, Verdict, parse_expiration,
};
use serde_json::{Map, Value as Json, json};
use sim::SimTime;

use super::super::Problem;
use super::super::json::Node;
use super::script::{Declared, Script, Step, headers, with_arguments};
use super::shown;

/// Plays a script.
///
/// # Errors
/// The first difference: where, what was expected, and what came back.
pub(super) fn play(script: &Script<'_>) -> Result<(), String> {
    let mut table = Table::lay(script)?;
    for step in &script.steps {
        let pointer = step.node.pointer();
        let got = table.play(step).map_err(|why| format!("{pointer} {}: {why}", step.op))?;
        if step.expect != Json::Null && step.expect != got {
            return Err(format!("{pointer} {}: expected {}, got {got}", step.op, step.expect));
        }
    }
    Ok(())
}

/// A broker and what is known of it from outside.
struct Table<'a> {
    broker: Broker,
    now: SimTime,
    declared: &'a [Declared],
    connections: &'a [(String, String)],
    channels: BTreeMap<String, ChannelId>,
    consumers: Vec<(String, ConsumerId)>,
    /// What each consumer got since it was last asked, by its place in `consumers`.
    received: Vec<Vec<Json>>,
    cancelled: Vec<String>,
    bodies: Vec<String>,
    /// The latest delivery of a body on a channel.
    tags: BTreeMap<(ChannelId, String), DeliveryTag>,
}

/// Where publishes and requests go that name no channel.
const PUBLISHER: &str = "publisher";
const REQUESTS: &str = "requests";

impl<'a> Table<'a> {
    fn lay(script: &'a Script<'_>) -> Result<Self, String> {
        let mut table = Self {
            broker: Broker::new(script.server),
            now: SimTime::ZERO,
            declared: &script.queues,
            connections: &script.connections,
            channels: BTreeMap::new(),
            consumers: Vec::new(),
            received: Vec::new(),
            cancelled: Vec::new(),
            bodies: Vec::new(),
            tags: BTreeMap::new(),
        };
        let channel = table.channel(REQUESTS);
        let out = &mut Vec::new();
        for queue in script.queues.iter().filter(|queue| queue.at_once) {
            let settings = queue.settings.clone();
            let declared =
                table.broker.declare_queue(SimTime::ZERO, channel, &queue.name, settings, out);
            declared.map_err(|refusal| format!("queue {}: {refusal}", queue.name))?;
        }
        for (name, exchange) in &script.exchanges {
            table.broker.declare_exchange(name, exchange.clone());
        }
        for (source, binding) in &script.bindings {
            let bound = table.broker.bind(SimTime::ZERO, channel, source, binding.clone(), out);
            bound.map_err(|refusal| format!("binding of {source}: {refusal}"))?;
        }
        Ok(table)
    }

    fn play(&mut self, step: &Step<'_>) -> Result<Json, String> {
        self.now = step.at;
        let mut out = Vec::new();
        self.broker.advance(self.now, &mut out);
        let answer = self.answer(step, &mut out).map_err(|problem| problem.to_string())?;
        self.note(out);
        // What is delivered by this very step belongs to the next look at the consumers.
        Ok(answer)
    }

    fn answer(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        match step.op {
            "publish" => self.publish(step, out),
            "publish_burst" => self.publish_burst(step, out),
            "get" => self.get(step, out),
            "consume" => self.consume(step, out),
            "deliver" => Ok(self.deliver(out)),
            "ack" | "nack" | "reject" | "recover" => self.settle(step, out),
            "wait" => Ok(json!({})),
            "depth" => self.depth(step),
            "declare" => self.declare(step, out),
            "bind" | "unbind" => self.rebind(step, out),
            "purge" => {
                let channel = self.channel_of(step, REQUESTS)?;
                let purged = self.broker.purge(self.now, channel, step.text("queue")?, out);
                Ok(told(purged, |purged| json!({ "purged": purged })))
            }
            "delete_queue" => self.delete_queue(step, out),
            "qos" => self.qos(step, out),
            "cancel" => {
                let name = step.text("consumer")?;
                let found = self.consumers.iter().rev().find(|(other, _)| other == name);
                let consumer = found.map(|(_, id)| *id);
                let unknown = || step.node.problem("no such consumer", "name one that consumes");
                self.broker.cancel(self.now, consumer.ok_or_else(unknown)?, out);
                Ok(json!({}))
            }
            "close_channel" => {
                let channel = self.channel_of(step, REQUESTS)?;
                self.broker.close_channel(self.now, channel, out);
                self.channels.remove(step.text("channel")?);
                Ok(json!({}))
            }
            "drop_connection" => {
                let connection = self.connection(step.text("connection")?);
                self.broker.drop_connection(self.now, connection, out);
                Ok(json!({}))
            }
            "channel_state" => {
                let channel = self.channel_of(step, REQUESTS)?;
                let closed = self.broker.closed(channel).map(shown::refusal);
                Ok(closed.unwrap_or_else(|| json!({ "open": true })))
            }
            "restart_broker" => {
                self.broker.restart(self.now, out);
                self.channels.clear();
                Ok(json!({}))
            }
            _ => Err(step.node.problem("no such step", "see the legend")),
        }
    }

    fn publish(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, PUBLISHER)?;
        if bad_expiration(&step.node) {
            let code = json!({ "code": 406, "text": "PRECONDITION_FAILED" });
            return Ok(json!({ "channel_closed": code }));
        }
        let publication = self.publication(&step.node)?;
        let message = publication.message;
        let confirm = match self.broker.publish(self.now, channel, publication, out) {
            Ok(confirm) => confirm,
            Err(refusal) => return Ok(shown::refusal(&refusal)),
        };
        let mut answer = json!({ "confirm": verdict(confirm.verdict) });
        if out.contains(&Event::Returned { channel, message }) {
            answer["returned"] = json!({ "code": 312, "text": "NO_ROUTE" });
            answer["order"] = json!(["return", verdict(confirm.verdict)]);
        }
        if step.node.get("observe").is_some() {
            answer["routed_to"] = self.count_and_empty(out);
        }
        Ok(answer)
    }

    fn publish_burst(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, PUBLISHER)?;
        let messages = step.node.need("messages", "write the messages")?.items()?;
        let burst = messages.iter().map(|message| self.publication(message));
        let burst = burst.collect::<Result<Vec<_>, _>>()?;
        let answers = match self.broker.publish_burst(self.now, channel, burst, out) {
            Ok(answers) => answers,
            Err(refusal) => return Ok(shown::refusal(&refusal)),
        };
        let (mut confirms, mut events) = (Map::new(), Vec::new());
        for answer in answers {
            let (word, message) = match answer {
                Answer::Returned(message) => ("return", message),
                Answer::Confirmed(message, verdict_) => (verdict(verdict_), message),
            };
            let body = &self.bodies[message.index()];
            if word != "return" {
                confirms.insert(body.clone(), json!(word));
            }
            events.push(json!({ word: body }));
        }
        let mut answer = json!({ "confirms": confirms });
        if step.expect.get("events").is_some() {
            answer["events"] = json!(events);
        }
        Ok(answer)
    }

    fn publication(&mut self, node: &Node<'_>) -> Result<Publication, Problem> {
        let text = |key: &str| node.get(key).map_or(Ok(""), |node| node.text());
        let body = text("body")?;
        let message = MessageId::from_index(self.bodies.len() as u32);
        self.bodies.push(body.to_owned());
        let (exchange, key) = (text("exchange")?, text("routing_key")?);
        let mut publication = Publication::new(message, exchange, key, body.len() as u32);
        if let Some(priority) = node.get("priority") {
            publication.priority = Some(priority.whole()?.min(255) as u8);
        }
        if let Some(expiration) = node.get("expiration") {
            publication.expiration = Some(super::script::millis(&expiration)?);
        }
        if node.get("persistent").is_some_and(|it| it.truth() == Ok(true)) {
            publication.mode = DeliveryMode::Persistent;
        }
        if node.get("mandatory").is_some_and(|it| it.truth() == Ok(true)) {
            publication.unroutable = Unroutable::Return;
        }
        if let Some(node) = node.get("headers") {
            let mut plain = node.value().clone();
            let mut keys = |name: &str| {
                let keys = plain.as_object_mut().and_then(|members| members.remove(name));
                let keys = keys.and_then(|keys| keys.as_array().cloned()).unwrap_or_default();
                keys.iter().filter_map(Json::as_str).map(Into::into).collect()
            };
            publication.cc = keys("CC");
            publication.bcc = keys("BCC");
            publication.headers = headers(&Node::root(&plain))?;
        }
        Ok(publication)
    }

    /// How many copies each queue has got, by name; then they are empty.
    fn count_and_empty(&mut self, out: &mut Vec<Event>) -> Json {
        let names: Vec<String> = self.broker.queues().map(|it| it.name().to_string()).collect();
        let channel = self.channel(REQUESTS);
        let mut counts = Map::new();
        for name in names {
            let purged = self.broker.purge(self.now, channel, &name, out);
            if let Some(count) = purged.ok().filter(|count| *count > 0) {
                counts.insert(name, json!(count));
            }
        }
        Json::Object(counts)
    }

    fn get(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, REQUESTS)?;
        let (queue, acks) = (step.text("queue")?, acknowledgement(step)?);
        let got = match self.broker.get(self.now, channel, queue, acks, out) {
            Ok(got) => got,
            Err(refusal) => return Ok(shown::refusal(&refusal)),
        };
        let Some(got) = got else { return Ok(json!({ "empty": true })) };
        let mut answer = self.show(&got.delivery);
        answer.insert("remaining".to_owned(), json!(got.remaining));
        Ok(Json::Object(answer))
    }

    fn consume(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, REQUESTS)?;
        if let Some(prefetch) = step.node.get("prefetch") {
            let set = self.broker.set_prefetch(channel, prefetch.whole()?);
            if let Err(refusal) = set {
                return Ok(shown::refusal(&refusal));
            }
        }
        let priority = step.node.get("args").and_then(|args| args.get("x-priority"));
        let subscription = Subscription {
            queue: step.text("queue")?.into(),
            acknowledgement: acknowledgement(step)?,
            priority: priority.map_or(Ok(0.0), |priority| priority.number())? as i32,
            access: if step.is("exclusive")? { Access::Exclusive } else { Access::Shared },
        };
        let consumer = self.broker.consume(self.now, channel, subscription, out);
        let name = step.text("consumer")?;
        Ok(told(consumer, |id| {
            self.consumers.push((name.to_owned(), id));
            self.received.push(Vec::new());
            json!({})
        }))
    }

    fn deliver(&mut self, out: &mut Vec<Event>) -> Json {
        self.note(std::mem::take(out));
        let mut deliveries = Map::new();
        for ((name, _), received) in self.consumers.iter().zip(&mut self.received) {
            deliveries.insert(name.clone(), Json::Array(std::mem::take(received)));
        }
        let mut answer = json!({ "deliveries": deliveries });
        if !self.cancelled.is_empty() {
            answer["cancelled_by_broker"] = json!(std::mem::take(&mut self.cancelled));
        }
        answer
    }

    fn settle(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, REQUESTS)?;
        let now = self.now;
        let tags = if step.op == "recover" { Tags::All } else { self.tags(step, channel)? };
        let settled = match step.op {
            "ack" => self.broker.ack(now, channel, tags, out),
            "recover" => self.broker.requeue(now, channel, tags, ReturnCause::Nack, out),
            _ if !step.is("requeue")? => self.broker.discard(now, channel, tags, out),
            "nack" => self.broker.requeue(now, channel, tags, ReturnCause::Nack, out),
            _ => self.broker.requeue(now, channel, tags, ReturnCause::Reject, out),
        };
        Ok(told(settled, |()| json!({})))
    }

    fn tags(&self, step: &Step<'_>, channel: ChannelId) -> Result<Tags, Problem> {
        let tag = match step.node.get("delivery_tag") {
            Some(tag) => DeliveryTag(tag.whole()?.into()),
            None => {
                let body = step.text("body")?.to_owned();
                let never = || step.node.problem("was never delivered there", "name another");
                *self.tags.get(&(channel, body)).ok_or_else(never)?
            }
        };
        let multiple = step.is("multiple")?;
        Ok(match tag {
            DeliveryTag(0) if multiple => Tags::All,
            tag if multiple => Tags::UpTo(tag),
            tag => Tags::One(tag),
        })
    }

    fn depth(&self, step: &Step<'_>) -> Result<Json, Problem> {
        let mut ready = Map::new();
        for name in step.node.need("queues", "name the queues")?.items()? {
            let name = name.text()?;
            let depth = self.broker.queue(name).map(|queue| json!(queue.counts().ready));
            ready.insert(name.to_owned(), depth.unwrap_or_else(|| json!("absent")));
        }
        Ok(json!({ "ready": ready }))
    }

    fn declare(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let name = step.text("queue")?;
        let channel = self.channel_of(step, REQUESTS)?;
        let known = self.declared.iter().find(|declared| declared.name == name);
        let known = known.map(|declared| declared.settings.clone());
        let mut settings = known.unwrap_or_else(Settings::rabbitmq_classic);
        if let Some(args) = step.node.get("args") {
            with_arguments(&mut settings, &args)?;
        }
        let declared = self.broker.declare_queue(self.now, channel, name, settings, out);
        Ok(told(declared, |ready| json!({ "ready": ready })))
    }

    fn rebind(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let binding = Binding::queue(step.text("queue")?, step.text("key")?);
        let (channel, source) = (self.channel_of(step, REQUESTS)?, step.text("exchange")?);
        let done = if step.op == "bind" {
            self.broker.bind(self.now, channel, source, binding, out)
        } else {
            self.broker.unbind(self.now, channel, source, &binding, out)
        };
        Ok(told(done, |()| json!({})))
    }

    fn delete_queue(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, REQUESTS)?;
        let condition = match (step.is("if_empty")?, step.is("if_unused")?) {
            (true, _) => DeleteCondition::IfEmpty,
            (_, true) => DeleteCondition::IfUnused,
            _ => DeleteCondition::Always,
        };
        let queue = step.text("queue")?;
        let deleted = self.broker.delete_queue(self.now, channel, queue, condition, out);
        Ok(told(deleted, |ready| json!({ "deleted": ready })))
    }

    fn qos(&mut self, step: &Step<'_>, out: &mut Vec<Event>) -> Result<Json, Problem> {
        let channel = self.channel_of(step, REQUESTS)?;
        let window = step.node.need("prefetch", "give the window")?.whole()?;
        let set = if step.is("global")? {
            self.broker.set_shared_prefetch(self.now, channel, window, out)
        } else {
            self.broker.set_prefetch(channel, window)
        };
        Ok(told(set, |()| json!({})))
    }

    /// Keeps what consumers got, until a step asks for it.
    fn note(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Delivered(delivery) => {
                    let shown = Json::Object(self.show(&delivery));
                    let to =
                        self.consumers.iter().position(|(_, id)| Some(*id) == delivery.consumer);
                    if let Some(place) = to {
                        self.received[place].push(shown);
                    }
                }
                Event::ConsumerCancelled { consumer, .. } => {
                    let name = self.consumers.iter().find(|(_, id)| *id == consumer);
                    self.cancelled.extend(name.map(|(name, _)| name.clone()));
                }
                _ => {}
            }
        }
    }

    /// Shows a delivery, and keeps its tag.
    fn show(&mut self, delivery: &Delivery) -> Map<String, Json> {
        let body = self.bodies[delivery.envelope.message.index()].clone();
        let shown = shown::delivery(delivery, &body);
        self.tags.insert((delivery.channel, body), delivery.tag);
        shown
    }

    fn channel_of(&mut self, step: &Step<'_>, otherwise: &str) -> Result<ChannelId, Problem> {
        let name = step.node.get("channel").map(|name| name.text()).transpose()?;
        Ok(self.channel(name.unwrap_or(otherwise)))
    }

    /// A channel by its name; one without a name of its own is opened again when it was closed.
    fn channel(&mut self, name: &str) -> ChannelId {
        let own = self.connections.iter().find(|(channel, _)| channel == name);
        let connection = own.map_or(ConnectionId(0), |(_, it)| self.connection(it));
        let known = self.channels.get(name).copied();
        let shut = |id: &ChannelId| name == REQUESTS && self.broker.closed(*id).is_some();
        if let Some(id) = known.filter(|id| !shut(id)) {
            return id;
        }
        let id = self.broker.open_channel(self.now, connection);
        self.channels.insert(name.to_owned(), id);
        id
    }

    /// A connection by its name: numbered from 1, in the order of the script.
    fn connection(&self, name: &str) -> ConnectionId {
        let place = self.connections.iter().position(|(_, other)| other == name);
        ConnectionId(place.map_or(0, |place| place as u32 + 1))
    }
}

fn told<T>(answer: Result<T, Refusal>, tell: impl FnOnce(T) -> Json) -> Json {
    match answer {
        Ok(answer) => tell(answer),
        Err(refusal) => shown::refusal(&refusal),
    }
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ack => "ack",
        Verdict::Nack => "nack",
    }
}

fn acknowledgement(step: &Step<'_>) -> Result<Acknowledgement, Problem> {
    let automatic = step.is("auto_ack")?;
    Ok(if automatic { Acknowledgement::Automatic } else { Acknowledgement::Manual })
}

/// An expiration written as a text that the broker does not take.
fn bad_expiration(node: &Node<'_>) -> bool {
    let text = node.get("expiration").and_then(|expiration| expiration.text().ok());
    text.is_some_and(|text| parse_expiration(text).is_err())
}
