//! What cards say of logs, topics, and services that are short of room.

use player::{ComponentFrame, LogFrame, ServiceFrame, WorkerState};
use scenario::{
    Capacity, ComponentId, Exchange, External, Log, Service, Throughput, Topic, WhenFull, Workers,
};

use super::{Session, Setting, own};
use crate::map::layout::num;
use crate::words::{Words, seconds};

/// How many requests a service has room for.
#[inline(never)]
pub fn service_settings(words: &Words, service: &Service, all: &mut Vec<Setting>) {
    if service.count > 1 {
        all.push(own(words, "card.set.count", words.number(service.count.into())));
    }
    if let Some(concurrency) = service.concurrency {
        all.push(own(words, "card.set.concurrency", words.number(concurrency.into())));
        all.push(own(words, "card.set.waiting", words.number(service.waiting.into())));
    }
    shed_setting(words, &service.shed_at_percent, all);
}

/// How full something may be for each class.
fn shed_setting(words: &Words, shed_at_percent: &[u32], all: &mut Vec<Setting>) {
    if !shed_at_percent.is_empty() {
        let each: Vec<_> =
            shed_at_percent.iter().map(|n| [&n.to_string(), " %"].concat()).collect();
        all.push(own(words, "card.set.shed", each.join(", ")));
    }
}

/// What somebody else's service can do.
#[inline(never)]
pub fn capacity_settings(words: &Words, capacity: &Capacity, all: &mut Vec<Setting>) {
    let limit = match capacity.limit {
        Throughput::Servers(n) => words.number(n.into()),
        Throughput::Rate { per_second, .. } => {
            words.say("card.set.capacity.rate", &[("n", &num(per_second.get()))])
        }
        Throughput::Slices { slice, .. } => {
            words.say("card.set.capacity.slices", &[("time", &seconds(slice))])
        }
    };
    all.push(own(words, "card.set.capacity", limit));
    let status = match capacity.when_full {
        WhenFull::Refuse => "503",
        WhenFull::RefuseUntil => "429",
    };
    let waiting = words.number(capacity.waiting.into());
    all.push(own(words, "card.set.waiting", waiting));
    all.push(own(words, "card.set.overflow", status.to_owned()));
    shed_setting(words, &capacity.shed_at_percent, all);
}

/// How often calls of somebody else's service fail, if that is ever the case.
#[inline(never)]
pub fn error_rate(words: &Words, external: &External, now: &ComponentFrame) -> Option<Setting> {
    let changed = match now {
        ComponentFrame::External(now) => now.errors_per_million,
        _ => None,
    };
    let rate = changed.map_or(external.error_rate, |errors| f64::from(errors) / 1e6);
    let from = if changed.is_some() { words.text("card.set.from.run") } else { String::new() };
    let value = num((rate * 100.0).round()) + " %";
    let setting = Setting { from, ..own(words, "card.set.error_rate", value) };
    (rate > 0.0 || changed.is_some()).then_some(setting)
}

/// That the handler of workers has been mended while the run went on.
#[inline(never)]
pub fn mended(words: &Words, now: &ComponentFrame, all: &mut [Setting]) {
    let name = words.text("card.set.handler");
    if let ComponentFrame::Workers(group) = now
        && group.mended
        && let Some(handler) = all.iter_mut().find(|setting| setting.name == name)
    {
        handler.from = words.text("card.set.from.run");
    }
}

/// How a log chooses partitions, and how many it has.
#[inline(never)]
pub fn log_settings(words: &Words, log: &Log, all: &mut Vec<Setting>) {
    let partitions = words.number(u64::from(log.settings.partitions));
    all.push(own(words, "card.set.partitions", partitions));
    let chosen = ["card.set.partitioning.", log.partitioning.word()].concat();
    all.push(own(words, "card.set.partitioning", words.text(&chosen)));
}

/// What a topic looks at, and what each of its queues gets.
#[inline(never)]
pub fn topic_settings(session: &Session, words: &Words, topic: &Topic, all: &mut Vec<Setting>) {
    let kind = match topic.exchange {
        Exchange::Fanout => "fanout",
        Exchange::Direct => "direct",
        Exchange::Topic => "topic",
        Exchange::Headers => "headers",
        Exchange::Shuffle { .. } => "shuffle",
    };
    let looks = words.text(&["card.set.exchange.", kind].concat());
    all.push(own(words, "card.set.exchange", looks));
    for way in crate::map::layout::ways(topic) {
        let name = session.names().component(way.to);
        let value = match (way.otherwise, way.asks.is_empty()) {
            (true, _) => words.text("card.set.binding.otherwise"),
            (false, true) => words.text("card.set.binding.all"),
            (false, false) => way.asks,
        };
        let name = words.say("card.set.binding", &[("queue", name)]);
        all.push(Setting { name, value, from: String::new() });
    }
}

/// The group that workers read a log with, or the queues that they take from in turn.
#[inline(never)]
pub fn taking_settings(
    session: &Session,
    words: &Words,
    workers: &Workers,
    all: &mut Vec<Setting>,
) {
    if let Some(membership) = &workers.membership {
        all.push(own(words, "card.set.group", membership.group.clone()));
    }
    let queues = workers.queues();
    if queues.len() > 1 {
        let named: Vec<&str> = queues.iter().map(|id| session.names().component(*id)).collect();
        all.push(own(words, "card.set.lanes", named.join(&words.text("list.comma"))));
    }
}

/// Who waits for room and who found none, once somebody has.
#[inline(never)]
pub fn room_now(words: &Words, waiting: u32, refused: u32, all: &mut Vec<(String, String)>) {
    for (key, n) in [("card.now.waiting", waiting), ("card.now.refused", refused)] {
        if n > 0 {
            all.push((words.text(key), words.number(n.into())));
        }
    }
}

/// How many processes of a service are up, where it has several.
#[inline(never)]
pub fn processes_now(words: &Words, service: &ServiceFrame, all: &mut Vec<(String, String)>) {
    if service.instances.len() > 1 {
        let up = service
            .instances
            .iter()
            .filter(|one| !matches!(one.state, WorkerState::Down { .. } | WorkerState::Stopped));
        all.push((words.text("card.now.processes"), words.number(up.count() as u64)));
    }
}

/// What a log has taken in, and how far each group is behind.
#[inline(never)]
pub fn log_now(
    session: &Session,
    words: &Words,
    id: ComponentId,
    log: &LogFrame,
) -> Vec<(String, String)> {
    let appended = words.number(log.appended_total.into());
    let mut all = vec![(words.text("card.now.appended"), appended)];
    let scenario = session.player.scenario();
    for (group, members) in log.groups.iter().zip(scenario.groups_of(id)) {
        let lag: u64 = group.lanes.iter().map(|lane| lane.lag).sum();
        let name = members.first().and_then(|first| scenario.group_name(*first)).unwrap_or("");
        all.push((words.say("card.now.group", &[("group", name)]), words.number(lag)));
    }
    all
}
