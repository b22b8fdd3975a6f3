//! Cards: what there is to say about one component or one message.

mod parts;

use broker::MessageId;
use player::{ComponentFrame, InForce, WorkerState};
use scenario::{
    Act as Line, Component, ComponentId, Kind, OnError, Program, Queue, Settings, Shown, Workers,
};
use sim::Times;
use world::WorkerId;

use super::scene::{self, worker_words};
use super::{Inspected, Session};
use crate::words::{Words, capital, seconds};

/// A card about one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// What sort of thing.
    pub kind: String,
    /// What it is called.
    pub title: String,
    /// What it is, or how it stands, in a sentence.
    pub says: String,
    /// Its numbers now.
    pub now: Vec<(String, String)>,
    /// What it talks to.
    pub links: Vec<Link>,
    /// Its settings.
    pub settings: Vec<Setting>,
    /// The message to follow, if it is one that is not followed.
    pub follow: Option<MessageId>,
}

/// Something that it talks to.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// How: "takes from".
    pub how: String,
    /// What it is called.
    pub label: String,
    /// Which.
    pub to: Inspected,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it is called.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Where the value comes from.
    pub from: String,
}

/// The card of what is inspected.
pub fn card(session: &mut Session, words: &Words) -> Option<Card> {
    match session.inspected? {
        Inspected::Component(id) if id.index() < session.frame.components.len() => {
            Some(component_card(session, words, id))
        }
        Inspected::Component(_) => None,
        Inspected::Message(message) => message_card(session, words, message),
    }
}

fn message_card(session: &mut Session, words: &Words, message: MessageId) -> Option<Card> {
    let now = session.now;
    let n = words.number(u64::from(message.number()));
    let life = session.derived.life(&session.player, message);
    let says = scene::message(words, &session.names, life, now)?;
    let carries = session.carries(message).into_iter();
    let settings =
        carries.map(|(name, value)| Setting { name: name.to_owned(), value, from: String::new() });
    let settings = settings.collect();
    Some(Card {
        kind: words.text("card.message"),
        title: words.say("card.message.title", &[("n", &n)]),
        says,
        settings,
        follow: (session.followed != Some(message)).then_some(message),
        ..Card::default()
    })
}

fn component_card(session: &Session, words: &Words, id: ComponentId) -> Card {
    let component = session.player.scenario().component(id);
    let key = kind_key(&component.kind);
    let mut card = Card {
        kind: words.text(&["card.", key].concat()),
        title: component.label.clone(),
        says: words.text(&["card.", key, ".is"].concat()),
        now: now(session, words, id),
        ..Card::default()
    };
    for told in each_worker(session, words, id) {
        card.says = [card.says.as_str(), " ", &capital(&told)].concat();
    }
    links(session, words, id, component, &mut card.links);
    match &component.kind {
        Kind::Source(source) => {
            let every = times(words, &source.travel);
            card.settings.push(own(words, "card.set.travel", every));
        }
        Kind::Service(service) => {
            parts::service_settings(words, service, &mut card.settings);
            for (request, program) in &service.handles {
                card.settings.push(Setting {
                    name: words.say("card.set.handles", &[("request", request)]),
                    value: lines(program),
                    from: String::new(),
                });
            }
        }
        Kind::Queue(queue) => {
            let now = match &session.frame.components[id.index()] {
                ComponentFrame::Queue(queue) => queue.in_force,
                _ => None,
            };
            card.settings = queue_settings(words, queue, now);
        }
        Kind::Log(log) => parts::log_settings(words, log, &mut card.settings),
        Kind::Topic(topic) => {
            parts::topic_settings(session, words, topic, &mut card.settings);
        }
        Kind::Database(database) => {
            let takes = times(words, &database.latency);
            card.settings.push(own(words, "card.set.statement", takes));
        }
        Kind::Relay(_) | Kind::Orchestrator(_) | Kind::Scheduler(_) => {}
        Kind::Workers(workers) => {
            card.settings = workers_settings(words, workers);
            parts::mended(words, &session.frame.components[id.index()], &mut card.settings);
            parts::taking_settings(session, words, workers, &mut card.settings);
        }
        Kind::External(external) => {
            card.settings.push(own(words, "card.set.latency", times(words, &external.latency)));
            let now = &session.frame.components[id.index()];
            card.settings.extend(parts::error_rate(words, external, now));
            if let Some(capacity) = &external.capacity {
                parts::capacity_settings(words, capacity, &mut card.settings);
            }
        }
    }
    card
}

fn kind_key(kind: &Kind) -> &'static str {
    match kind {
        Kind::Source(_) => "source",
        Kind::Service(_) => "service",
        Kind::Queue(_) => "queue",
        Kind::Log(_) => "log",
        Kind::Topic(_) => "topic",
        Kind::Workers(_) => "workers",
        Kind::Database(_) => "database",
        Kind::Relay(_) => "relay",
        Kind::Orchestrator(_) => "orchestrator",
        Kind::Scheduler(_) => "scheduler",
        Kind::External(_) => "external",
    }
}

/// Its numbers at the playhead; of a small group of workers, what each does.
fn now(session: &Session, words: &Words, id: ComponentId) -> Vec<(String, String)> {
    let number = |key: &str, n: u32| (words.text(key), words.number(u64::from(n)));
    match &session.frame.components[id.index()] {
        ComponentFrame::Source(source) => vec![number("card.now.sent", source.sent)],
        ComponentFrame::Service(service) => {
            let mut all = vec![
                number("card.now.busy", service.busy),
                number("card.now.answered", service.answered),
            ];
            if let Some(status) = service.last_status {
                all.push((words.text("card.now.status"), status.to_string()));
            }
            parts::room_now(words, service.waiting, service.refused, &mut all);
            parts::processes_now(words, service, &mut all);
            all
        }
        ComponentFrame::Queue(queue) => vec![
            number("card.now.waiting", queue.available_total),
            number("card.now.in_flight", queue.in_flight_total),
            number("card.now.acked", queue.acked_total),
        ],
        ComponentFrame::Log(log) => parts::log_now(session, words, id, log),
        ComponentFrame::Topic(topic) => vec![
            number("card.now.published", topic.published),
            number("card.now.copies", topic.copies),
            number("card.now.unrouted", topic.unrouted),
        ],
        ComponentFrame::Workers(group) => {
            let count = |wanted: fn(WorkerState) -> bool| {
                let n = group.instances.iter().filter(|worker| wanted(worker.state)).count();
                u32::try_from(n).unwrap_or(u32::MAX)
            };
            vec![
                number("card.now.working", count(|state| state == WorkerState::Working)),
                number("card.now.idle", count(|state| state == WorkerState::Idle)),
                number("card.now.down", count(|s| matches!(s, WorkerState::Down { .. }))),
            ]
        }
        ComponentFrame::Database(database) => {
            let rows = database.tables.iter().map(|table| (table.name.clone(), table.rows));
            let mut all: Vec<_> =
                rows.map(|(name, rows)| (name, words.number(u64::from(rows)))).collect();
            all.push(number("card.now.open", database.open));
            all
        }
        ComponentFrame::Relay(relay) => vec![
            number("card.now.published", relay.published),
            number("card.now.behind", relay.behind),
        ],
        ComponentFrame::Orchestrator(it) => vec![
            number("card.now.running", it.running),
            number("card.now.completed", it.completed),
            number("card.now.compensated", it.compensated),
        ],
        ComponentFrame::Scheduler(it) => vec![
            number("card.now.runs", it.done),
            number("card.now.skipped", it.skipped),
            number("card.now.missed", it.missed),
        ],
        ComponentFrame::External(external) => {
            let mut all = vec![
                number("card.now.busy", external.busy.saturating_sub(external.waiting)),
                number("card.now.effects", external.effects),
            ];
            parts::room_now(words, external.waiting, external.refused, &mut all);
            all
        }
    }
}

/// What it talks to, and what talks to it.
fn links(
    session: &Session,
    words: &Words,
    id: ComponentId,
    component: &Component,
    out: &mut Vec<Link>,
) {
    for (to, key) in talks_to(component) {
        out.push(link(session, words, key, to));
    }
    for (other, part) in session.player.scenario().ids() {
        for (to, key) in talks_to(part) {
            if to == id && other != id {
                out.push(link(session, words, &[key, ".back"].concat(), other));
            }
        }
    }
}

fn link(session: &Session, words: &Words, key: &str, to: ComponentId) -> Link {
    Link {
        how: words.text(key),
        label: session.names.component(to).to_owned(),
        to: Inspected::Component(to),
    }
}

/// Everything that a component sends to, with how.
fn talks_to(component: &Component) -> Vec<(ComponentId, &'static str)> {
    match &component.kind {
        Kind::Source(source) => vec![(source.to.component(), "card.link.sends")],
        Kind::Service(service) => {
            service.handles.iter().flat_map(|(_, program)| calls(program)).collect()
        }
        Kind::Queue(queue) => {
            queue.dead_letter_to.iter().map(|to| (*to, "card.link.dead_letters")).collect()
        }
        Kind::Topic(topic) => {
            topic.targets().into_iter().map(|to| (to, "card.link.publishes")).collect()
        }
        Kind::Workers(workers) => {
            let mut all = vec![(workers.from, "card.link.takes")];
            let others = workers.queues().iter().filter(|queue| **queue != workers.from);
            all.extend(others.map(|queue| (*queue, "card.link.takes")));
            all.extend(calls(&workers.on_message));
            all
        }
        Kind::Relay(relay) => vec![(relay.to, "card.link.publishes")],
        Kind::Orchestrator(it) => {
            let asked = it.steps.iter().map(|step| (step.act.0, "card.link.calls"));
            asked.collect()
        }
        Kind::Log(_) | Kind::Scheduler(_) | Kind::Database(_) | Kind::External(_) => Vec::new(),
    }
}

fn calls(program: &Program) -> Vec<(ComponentId, &'static str)> {
    let of = |line: &Line| match line {
        Line::Call { to, .. } => Some((*to, "card.link.calls")),
        Line::Publish { to, .. } => Some((*to, "card.link.publishes")),
        Line::DeadLetter { to: Some(to), .. } => Some((*to, "card.link.dead_letters")),
        _ => None,
    };
    program.steps.iter().filter_map(|step| of(&step.act)).collect()
}

fn lines(program: &Program) -> String {
    let labels: Vec<&str> = program.steps.iter().map(|step| step.label.as_str()).collect();
    labels.join(", ")
}

fn own(words: &Words, key: &str, value: String) -> Setting {
    Setting { name: words.text(key), value, from: String::new() }
}

/// The settings of a queue, each with where its value comes from.
fn queue_settings(words: &Words, queue: &Queue, now: Option<InForce>) -> Vec<Setting> {
    let mut current = queue.clone();
    if let (Settings::Sqs(settings), Some(now)) = (&mut current.settings, now) {
        settings.visibility_timeout = now.visibility;
        settings.max_receive_count = now.receives;
    }
    let each = current.shown().into_iter().zip(queue.shown()).map(|((field, value), (_, was))| {
        let changed = value != was;
        let key = ["card.set.", field].concat();
        let value = match value {
            Shown::Never => words.text("card.set.never"),
            Shown::Time(time) => seconds(time),
            Shown::Count(n) => words.number(u64::from(n)),
            Shown::Word(word) => {
                let said = [key.as_str(), ".", word].concat();
                if words.has(&said) { words.text(&said) } else { word.to_owned() }
            }
        };
        let from = if changed {
            words.text("card.set.from.run")
        } else if queue.overridden.contains(&field) {
            words.text("card.set.from.exhibit")
        } else {
            words.say("card.set.from.profile", &[("profile", queue.profile.name())])
        };
        Setting { name: words.text(&key), value, from }
    });
    each.collect()
}

fn workers_settings(words: &Words, workers: &Workers) -> Vec<Setting> {
    let restart = workers.restart_after.map_or_else(|| words.text("card.set.never"), seconds);
    let on_error = match &workers.on_error {
        OnError::Nack { .. } => "card.set.on_error.nack",
        OnError::DeadLetter => "card.set.on_error.dead-letter",
        OnError::Leave => "card.set.on_error.leave",
        OnError::Retry(_) => "card.set.on_error.retry",
    };
    let mut all = vec![
        own(words, "card.set.count", words.number(u64::from(workers.count))),
        own(words, "card.set.handler", lines(&workers.on_message)),
        own(words, "card.set.on_error", words.text(on_error)),
        own(words, "card.set.restart_after", restart),
    ];
    if let Some(heartbeat) = &workers.heartbeat {
        all.push(own(words, "card.set.heartbeat", seconds(heartbeat.every)));
    }
    all
}

/// How long something takes, in words.
fn times(words: &Words, times: &Times) -> String {
    let mean = seconds(times.mean());
    match times {
        Times::Constant(_) => mean,
        _ => words.say("card.times.mean", &[("mean", &mean)]),
    }
}

/// What each process of a group does, the first few of them.
fn each_worker(session: &Session, words: &Words, id: ComponentId) -> Vec<String> {
    let ComponentFrame::Workers(group) = &session.frame.components[id.index()] else {
        return Vec::new();
    };
    let told = group.instances.iter().zip(0_u16..).filter_map(|(worker, instance)| {
        worker_words(words, &session.names, WorkerId { component: id, instance }, worker)
    });
    told.take(4).collect()
}

#[cfg(test)]
mod tests;
