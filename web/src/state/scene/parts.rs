//! The scene in words where a run has several queues, logs, topics, or services short of room.

use player::{ComponentFrame, ExternalFrame, Frame, GroupStanding, LogFrame, ServiceFrame};
use scenario::{ComponentId, Kind};

use super::{counted, is_dead_letter_queue, of_queue};
use crate::words::{Names, Words, clock};

/// Up to so many queues are told one by one.
const TOLD_ONE_BY_ONE: usize = 6;

/// What is in each queue, if there are several; dead letters are told where they came from.
#[inline(never)]
pub fn queues(words: &Words, names: &Names, frame: &Frame) -> Option<Vec<String>> {
    let of = |(index, component): (usize, &ComponentFrame)| {
        let id = ComponentId::new(index);
        let read = names.scenario().components.iter().any(|component| match &component.kind {
            Kind::Workers(workers) => workers.queues().contains(&id),
            _ => false,
        });
        match component {
            ComponentFrame::Queue(queue) if read || !is_dead_letter_queue(names, id) => {
                Some((id, of_queue(queue)))
            }
            _ => None,
        }
    };
    let all: Vec<_> = frame.components.iter().enumerate().filter_map(of).collect();
    if all.len() < 2 || all.len() > TOLD_ONE_BY_ONE {
        return None;
    }
    let told = all.into_iter().filter_map(|(id, counts)| {
        let list = counted(words, counts)?;
        Some(words.say("scene.counts.of", &[("queue", names.component(id)), ("list", &list)]))
    });
    Some(told.collect())
}

/// How far the groups of logs are, what nobody wanted, who waits for room, and what is down.
#[inline(never)]
pub fn others(words: &Words, names: &Names, frame: &Frame, said: &mut Vec<String>) {
    for (index, component) in frame.components.iter().enumerate() {
        let id = ComponentId::new(index);
        match component {
            ComponentFrame::Log(log) => groups(words, names, (id, log), said),
            ComponentFrame::Topic(topic) if topic.unrouted > 0 => {
                let name = ("topic", names.component(id));
                said.push(words.count("scene.topic.unrouted", topic.unrouted.into(), &[name]));
            }
            ComponentFrame::Service(service) => {
                said.extend(service_words(words, names.component(id), service));
            }
            ComponentFrame::External(external) => {
                said.extend(external_words(words, names.component(id), external));
            }
            _ => {}
        }
    }
}

/// How far each group of a log is behind, and in which partition most of all.
fn groups(
    words: &Words,
    names: &Names,
    (id, log): (ComponentId, &LogFrame),
    said: &mut Vec<String>,
) {
    if log.appended_total == 0 {
        return;
    }
    let components = names.scenario().groups_of(id);
    for (group, members) in log.groups.iter().zip(&components) {
        let Some(name) = members.first().and_then(|first| names.scenario().group_name(*first))
        else {
            continue;
        };
        let all = [("group", name), ("log", names.component(id))];
        if group.state == GroupStanding::Rebalancing {
            said.push(words.say("scene.log.rebalancing", &all));
        }
        let behind: u64 = group.lanes.iter().map(|lane| lane.lag).sum();
        if behind == 0 {
            said.push(words.say("scene.log.caught_up", &all));
            continue;
        }
        let worst = group.lanes.iter().enumerate().fold((0, 0), |worst, (lane, reading)| {
            if reading.lag > worst.1 { (lane, reading.lag) } else { worst }
        });
        let (lane, most) = (worst.0.to_string(), words.number(worst.1));
        let names = [all[0], all[1], ("partition", lane.as_str()), ("most", most.as_str())];
        let key = if worst.1 == behind { "scene.log.behind.one_lane" } else { "scene.log.behind" };
        said.push(words.count(key, behind, &names));
    }
}

/// How busy a service is, once somebody waits or was refused.
fn service_words(words: &Words, name: &str, service: &ServiceFrame) -> Option<String> {
    full(words, name, [service.busy, service.waiting, service.refused])
}

fn external_words(words: &Words, name: &str, external: &ExternalFrame) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(until) = external.outage_until {
        let until = clock(until);
        all.push(words.say("scene.external.down", &[("name", name), ("until", &until)]));
    }
    if let Some((percent, until)) = external.brownout {
        let (percent, until) = (percent.to_string(), clock(until));
        let names = [("name", name), ("percent", percent.as_str()), ("until", until.as_str())];
        all.push(words.say("scene.external.brownout", &names));
    }
    let busy = external.busy.saturating_sub(external.waiting);
    all.extend(full(words, name, [busy, external.waiting, external.refused]));
    all
}

fn full(words: &Words, name: &str, [busy, waiting, refused]: [u32; 3]) -> Option<String> {
    if waiting == 0 && refused == 0 {
        return None;
    }
    let number = |n: u32| words.number(n.into());
    let busy_or_waiting = busy > 0 || waiting > 0;
    let (busy, waits, turned) = (number(busy), number(waiting), number(refused));
    let all = [("name", name), ("busy", &busy), ("waiting", &waits), ("refused", &turned)];
    let key = match (busy_or_waiting, refused) {
        (false, _) => "scene.full.over",
        (true, 0) => "scene.full",
        (true, _) => "scene.full.refused",
    };
    Some(words.say(key, &all))
}
