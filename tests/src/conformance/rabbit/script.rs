//! What a script sets up, and its steps.

use broker::amqp::{
    Binding, DeadLetterStrategy, Delayed, DelayedRetry, Durability, Exchange, ExchangeKind,
    Headers, HeadersMatch, Lifetime, MatchRule, Overflow, Release, Server, Settings, Sharing,
    Value,
};
use serde_json::Value as Json;
use sim::{SimDuration, SimTime};

use super::super::Problem;
use super::super::json::Node;

pub(super) struct Script<'a> {
    pub server: Server,
    pub queues: Vec<Declared>,
    pub exchanges: Vec<(String, Exchange)>,
    pub bindings: Vec<(String, Binding)>,
    /// The connection of each channel that has one of its own.
    pub connections: Vec<(String, String)>,
    pub steps: Vec<Step<'a>>,
}

pub(super) struct Declared {
    pub name: String,
    pub settings: Settings,
    /// Before time 0, or by a step.
    pub at_once: bool,
}

pub(super) struct Step<'a> {
    pub at: SimTime,
    pub op: &'a str,
    pub node: Node<'a>,
    pub expect: Json,
}

pub(super) fn read<'a>(scenario: &Node<'a>, release: Release) -> Result<Script<'a>, Problem> {
    let mut script = Script {
        server: server(scenario, release)?,
        queues: Vec::new(),
        exchanges: Vec::new(),
        bindings: Vec::new(),
        connections: Vec::new(),
        steps: Vec::new(),
    };
    for (name, queue) in scenario.need("queues", "write the queues, by name")?.members()? {
        let at_once = queue.get("declare").map_or(Ok(true), |declare| declare.truth())?;
        let settings = settings(&queue, release)?;
        script.queues.push(Declared { name: name.to_owned(), settings, at_once });
    }
    for (name, node) in members(scenario, "exchanges")? {
        script.exchanges.push((name.to_owned(), exchange(&node)?));
    }
    if let Some(bindings) = scenario.get("bindings") {
        for node in bindings.items()? {
            let source = node.need("source", "name the exchange")?.text()?;
            script.bindings.push((source.to_owned(), binding(&node)?));
        }
    }
    for (channel, connection) in members(scenario, "connections")? {
        script.connections.push((channel.to_owned(), connection.text()?.to_owned()));
    }
    for node in scenario.need("steps", "write a list of steps")?.items()? {
        script.steps.push(Step::read(node)?);
    }
    Ok(script)
}

impl<'a> Step<'a> {
    pub fn op(node: &Node<'a>) -> Result<&'a str, Problem> {
        node.need("op", "name the step")?.text()
    }

    fn read(node: Node<'a>) -> Result<Self, Problem> {
        let at = node.need("at", "give its time in ms")?.whole()?;
        let mut expect = node.get("expect").map_or(Json::Null, |expect| expect.value().clone());
        if let Json::Object(members) = &mut expect {
            members.remove("ok");
        }
        let op = Self::op(&node)?;
        Ok(Self { at: SimTime::from_millis(u64::from(at)), op, node, expect })
    }

    pub fn text(&self, key: &str) -> Result<&'a str, Problem> {
        self.node.need(key, "write a text")?.text()
    }

    pub fn is(&self, key: &str) -> Result<bool, Problem> {
        self.node.get(key).map_or(Ok(false), |node| node.truth())
    }
}

fn members<'a>(node: &Node<'a>, key: &str) -> Result<Vec<(&'a str, Node<'a>)>, Problem> {
    node.get(key).map_or(Ok(Vec::new()), |list| list.members())
}

fn server(scenario: &Node<'_>, release: Release) -> Result<Server, Problem> {
    let mut server = Server::new(release);
    for (key, value) in members(scenario, "server")? {
        match key {
            "consumer_timeout_ms" => server.consumer_timeout = Some(millis(&value)?),
            "consumer_timeout_check_every_ms" => server.timeout_check = millis(&value)?,
            "at_least_once_retry_ms" => server.dead_letter_retry = millis(&value)?,
            _ => return Err(value.problem("no setting of a broker", "leave it out")),
        }
    }
    Ok(server)
}

fn settings(queue: &Node<'_>, release: Release) -> Result<Settings, Problem> {
    let kind = queue.need("kind", "write classic or quorum")?;
    let mut settings = match kind.text()? {
        "classic" => Settings::rabbitmq_classic(),
        "quorum" => Settings::rabbitmq_quorum(release),
        _ => return Err(kind.problem("no kind of queue", "write classic or quorum")),
    };
    if queue.get("durable").is_some_and(|durable| durable.truth() == Ok(false)) {
        settings.durability = Durability::Transient;
    }
    if queue.get("auto_delete").is_some_and(|delete| delete.truth() == Ok(true)) {
        settings.lifetime = Lifetime::AutoDelete;
    }
    if let Some(arguments) = queue.get("args") {
        with_arguments(&mut settings, &arguments)?;
    }
    Ok(settings)
}

/// Sets what the arguments of a declaration say.
pub(super) fn with_arguments(settings: &mut Settings, args: &Node<'_>) -> Result<(), Problem> {
    for (key, value) in args.members()? {
        match key {
            "x-message-ttl" => settings.message_ttl = Some(millis(&value)?),
            "x-expires" => settings.expires = Some(millis(&value)?),
            "x-max-length" => settings.max_length = Some(value.whole()?),
            "x-max-length-bytes" => settings.max_length_bytes = Some(value.whole()?.into()),
            "x-max-priority" => settings.max_priority = Some(value.whole()?),
            "x-delivery-limit" => settings.delivery_limit = limit(&value)?,
            "x-dead-letter-exchange" => {
                settings.dead_letter_exchange = Some(value.text()?.into());
            }
            "x-dead-letter-routing-key" => {
                settings.dead_letter_routing_key = Some(value.text()?.into());
            }
            "x-consumer-timeout" => settings.consumer_timeout = Some(millis(&value)?),
            "x-overflow" => {
                settings.overflow = match value.text()? {
                    "drop-head" => Overflow::DropHead,
                    "reject-publish" => Overflow::RejectPublish,
                    "reject-publish-dlx" => Overflow::RejectPublishDeadLetter,
                    _ => return Err(value.problem("no overflow behaviour", "see the guide")),
                };
            }
            "x-dead-letter-strategy" => {
                settings.dead_letter_strategy = match value.text()? {
                    "at-most-once" => DeadLetterStrategy::AtMostOnce,
                    "at-least-once" => DeadLetterStrategy::AtLeastOnce,
                    _ => return Err(value.problem("no strategy", "see the guide")),
                };
            }
            "x-single-active-consumer" if value.truth()? => {
                settings.sharing = Sharing::SingleActive;
            }
            "x-delayed-retry-type" => settings.delayed_retry = delayed_retry(args, &value)?,
            // How a classic queue stores its messages does not show; the others go with the type.
            "x-single-active-consumer"
            | "x-queue-version"
            | "x-queue-type"
            | "x-delayed-retry-min"
            | "x-delayed-retry-max" => {}
            _ => return Err(value.problem("an unknown argument", "see the guide to queues")),
        }
    }
    Ok(())
}

fn delayed_retry(args: &Node<'_>, kind: &Node<'_>) -> Result<DelayedRetry, Problem> {
    let which = match kind.text()? {
        "disabled" => return Ok(DelayedRetry::Off),
        "all" => Delayed::All,
        "failed" => Delayed::Failed,
        "returned" => Delayed::Returned,
        _ => return Err(kind.problem("no type of delayed retry", "see the guide")),
    };
    let min = millis(&args.need("x-delayed-retry-min", "give the least delay in ms")?)?;
    let max = args.get("x-delayed-retry-max").map_or(Ok(SimDuration::MAX), |max| millis(&max))?;
    Ok(DelayedRetry::Linear { which, min, max: max.min(broker::amqp::EXPIRATION_MAX) })
}

/// -1 is none.
fn limit(value: &Node<'_>) -> Result<Option<u32>, Problem> {
    if value.number()? < 0.0 { Ok(None) } else { value.whole().map(Some) }
}

fn exchange(node: &Node<'_>) -> Result<Exchange, Problem> {
    let kind = node.need("type", "write direct, fanout, topic or headers")?;
    let kind = match kind.text()? {
        "direct" => ExchangeKind::Direct,
        "fanout" => ExchangeKind::Fanout,
        "topic" => ExchangeKind::Topic,
        "headers" => ExchangeKind::Headers,
        _ => return Err(kind.problem("no kind of exchange", "write direct, fanout, topic …")),
    };
    let alternate = node.get("args").and_then(|args| args.get("alternate-exchange"));
    let alternate = alternate.map(|name| name.text()).transpose()?;
    Ok(Exchange::new(kind, alternate.map(Into::into)))
}

fn binding(node: &Node<'_>) -> Result<Binding, Problem> {
    let destination = node.need("destination", "name the queue or exchange")?.text()?;
    let key = node.need("key", "write the key, which may be empty")?.text()?;
    let to_exchange = node.get("destination_type").is_some_and(|it| it.text() == Ok("exchange"));
    let mut binding = if to_exchange {
        Binding::exchange(destination, key)
    } else {
        Binding::queue(destination, key)
    };
    if let Some(args) = node.get("args") {
        binding.headers = headers_match(&args)?;
    }
    Ok(binding)
}

fn headers_match(args: &Node<'_>) -> Result<HeadersMatch, Problem> {
    let mut wanted = headers(args)?;
    wanted.remove("x-match");
    let rule = match args.get("x-match") {
        Some(rule) => MatchRule::parse(rule.text()?)
            .map_err(|error| rule.problem(&error.to_string(), "write one of them"))?,
        None => MatchRule::default(),
    };
    Ok(HeadersMatch { rule, wanted })
}

/// Headers of which no value is a list.
pub(super) fn headers(node: &Node<'_>) -> Result<Headers, Problem> {
    let Json::Object(members) = node.value() else {
        return Err(node.problem("not an object", "write headers by name"));
    };
    let value = |value: &Json| match value {
        Json::Null => Some(Value::Void),
        Json::Bool(truth) => Some(Value::Boolean(*truth)),
        Json::Number(number) => number.as_i64().map(Value::Integer),
        Json::String(text) => Some(Value::Text(text.as_str().into())),
        Json::Array(_) | Json::Object(_) => None,
    };
    let problem = || node.problem("a header of another type", "write a text, number or truth");
    let pairs = members.iter().map(|(name, it)| Some((name.as_str().into(), value(it)?)));
    pairs.collect::<Option<_>>().ok_or_else(problem)
}

pub(super) fn millis(node: &Node<'_>) -> Result<SimDuration, Problem> {
    Ok(SimDuration::from_millis(u64::from(node.whole()?)))
}
