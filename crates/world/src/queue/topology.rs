//! What the broker of RabbitMQ has from the start: the scenario's queues, and the exchanges that
//! dead letters go through.

use broker::amqp::{
    Binding, Broker, ChannelId, ConnectionId, Event as Told, Exchange, ExchangeKind, ShortString,
};
use scenario::{ComponentId, Exchange as By, Kind, Scenario, Settings, Topic};
use sim::SimTime;

use super::rabbit::Rabbit;

impl Rabbit {
    /// The broker of a scenario, if it has queues of RabbitMQ.
    pub(crate) fn of(scenario: &Scenario) -> Option<Box<Self>> {
        let mut rabbit: Option<Box<Self>> = None;
        let mut told = Vec::new();
        let now = SimTime::ZERO;
        for (id, component) in scenario.ids() {
            let Kind::Queue(queue) = &component.kind else { continue };
            let Settings::Rabbit(settings, _) = &queue.settings else { continue };
            let rabbit = rabbit.get_or_insert_with(|| Box::new(Self::new(scenario, id)));
            let (settings, channel) = (settings.as_ref().clone(), rabbit.publisher);
            let declared =
                rabbit.broker.declare_queue(now, channel, &component.name, settings, &mut told);
            debug_assert!(declared.is_ok(), "validation holds settings to the release");
        }
        let mut rabbit = rabbit?;
        for (id, component) in scenario.ids() {
            if let Kind::Topic(topic) = &component.kind
                && scenario.is_rabbit(id)
            {
                let alternate = topic.otherwise.map(|to| beside(scenario, to));
                let alternate = alternate.as_deref().map(ShortString::from);
                let exchange = Exchange::new(kind(topic), alternate);
                rabbit.broker.declare_exchange(&component.name, exchange);
            }
        }
        let channel = rabbit.publisher;
        for (id, component) in scenario.ids() {
            if let Kind::Topic(topic) = &component.kind
                && scenario.is_rabbit(id)
            {
                bind(&mut rabbit.broker, channel, scenario, &component.name, topic, &mut told);
            }
        }
        Some(rabbit)
    }

    fn new(scenario: &Scenario, home: ComponentId) -> Self {
        let mut broker = Broker::new(scenario.rabbit_server());
        broker.number_copies();
        let publisher = broker.open_channel(SimTime::ZERO, ConnectionId(0));
        Self::with(broker, publisher, home)
    }
}

/// The exchange by which an alternate is reached: the topic itself, or one for a queue, whose name
/// no component can have.
fn beside(scenario: &Scenario, to: ComponentId) -> String {
    let component = scenario.component(to);
    match component.kind {
        Kind::Topic(_) => component.name.clone(),
        _ => [component.name.as_str(), " "].concat(),
    }
}

fn kind(topic: &Topic) -> ExchangeKind {
    match topic.exchange {
        By::Direct => ExchangeKind::Direct,
        By::Topic => ExchangeKind::Topic,
        By::Fanout | By::Headers | By::Shuffle { .. } => ExchangeKind::Fanout,
    }
}

fn bind(
    broker: &mut Broker,
    channel: ChannelId,
    scenario: &Scenario,
    name: &str,
    topic: &Topic,
    told: &mut Vec<Told>,
) {
    let now = SimTime::ZERO;
    if let Some(to) = topic.otherwise
        && matches!(scenario.component(to).kind, Kind::Queue(_))
    {
        let (own, to) = (beside(scenario, to), &scenario.component(to).name);
        broker.declare_exchange(&own, Exchange::new(ExchangeKind::Fanout, None));
        let bound = broker.bind(now, channel, &own, Binding::queue(to, ""), told);
        debug_assert!(bound.is_ok(), "validation knows both ends");
    }
    for binding in &topic.bindings {
        let to = scenario.component(binding.to);
        let binding = match to.kind {
            Kind::Topic(_) => Binding::exchange(&to.name, &binding.key),
            _ => Binding::queue(&to.name, &binding.key),
        };
        let bound = broker.bind(now, channel, name, binding, told);
        debug_assert!(bound.is_ok(), "validation knows both ends");
    }
}
