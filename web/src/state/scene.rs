//! The scene in words: what a frame shows, in sentences that stay true until the next event.
//!
//! Times in them are therefore moments ("until 0:42.5") and never stretches ("for 8.3 s more").

mod parts;
#[cfg(test)]
mod tests;

use broker::MessageId;
use player::{
    ComponentFrame, Frame, GroupStretchKind, InFlight, Life, Mark, QueueFrame, Stretch,
    StretchKind, WorkerFrame, WorkerState,
};
use scenario::ComponentId;
use sim::SimTime;
use world::WorkerId;

use super::strip::{Part, part_at};
use crate::words::{Names, Words, capital, clock};

/// Groups of workers up to this many processes are told one by one.
const TOLD_ONE_BY_ONE: usize = 4;

/// The state of a frame: what became of the followed message, how many are where, who works.
#[must_use]
pub fn scene(words: &Words, names: &Names, frame: &Frame, followed: Option<&Life>) -> String {
    let mut said = Vec::new();
    said.extend(followed.and_then(|life| message(words, names, life, frame.now)));
    said.extend(parts::queues(words, names, frame).unwrap_or_else(|| counts(words, names, frame)));
    parts::others(words, names, frame, &mut said);
    workers(words, names, frame, &mut said);
    if said.is_empty() {
        said.push(words.text("scene.nothing"));
    }
    said.iter().map(|sentence| capital(sentence)).collect::<Vec<_>>().join(" ")
}

/// Where one message is at a moment. `None` while it does not exist.
#[must_use]
pub fn message(words: &Words, names: &Names, life: &Life, now: SimTime) -> Option<String> {
    let part = part_at(life, now)?;
    let number = words.number(u64::from(life.message.number()));
    if life.marks.iter().any(|(at, mark)| *at <= now && *mark == Mark::Lost) {
        return Some(words.say("scene.message.lost", &[("n", &number)]));
    }
    let n = ("n", number.as_str());
    let stretch = match part {
        Part::Own(stretch) => stretch,
        Part::Read(stretch) => return Some(record(words, names, &number, stretch.kind)),
    };
    Some(match stretch.kind {
        StretchKind::Published if !life.reached_a_broker() => {
            words.say("scene.message.asked", &[n])
        }
        StretchKind::Published => words.say("scene.message.published", &[n]),
        StretchKind::Delayed => {
            words.say("scene.message.delayed", &[n, ("until", &clock(stretch.to))])
        }
        StretchKind::Waiting { receives: 0 } => words.say("scene.message.available", &[n]),
        StretchKind::Waiting { receives } => {
            words.count("scene.message.redelivered", u64::from(receives), &[("message", &number)])
        }
        StretchKind::Hidden { worker, until, held_until, .. } => {
            let nobody = held_until.is_some_and(|let_go| let_go <= now);
            let key = if nobody { "scene.message.nobody" } else { "scene.message.held" };
            let worker = names.worker(worker);
            let Some(until) = until else {
                return Some(words.say("scene.message.kept", &[n, ("worker", &worker)]));
            };
            words.say(key, &[n, ("until", &clock(until)), ("worker", &worker)])
        }
        StretchKind::Acked => words.say("scene.message.acked", &[n]),
        StretchKind::DeadLettered => words.say("scene.message.dead_lettered", &[n]),
        StretchKind::Expired => words.say("scene.message.expired", &[n]),
        StretchKind::Answered { status } => {
            let status = status.to_string();
            words.say("scene.message.answered", &[n, ("status", &status)])
        }
        StretchKind::Unanswered => words.say("scene.message.unanswered", &[n]),
        StretchKind::TurnedDown => words.say("scene.message.turned_down", &[n]),
    })
}

/// What a record is to the group that reads it.
fn record(words: &Words, names: &Names, number: &str, kind: GroupStretchKind) -> String {
    let n = ("n", number);
    match kind {
        GroupStretchKind::Unread => words.say("scene.message.unread", &[n]),
        GroupStretchKind::Read { worker, .. } => {
            words.say("scene.message.read", &[n, ("worker", &names.worker(worker))])
        }
        GroupStretchKind::Committed => words.say("scene.message.committed", &[n]),
        GroupStretchKind::Lost => words.say("scene.message.lost", &[n]),
        GroupStretchKind::Gone => words.say("scene.message.gone", &[n]),
    }
}

/// The stretch of a life that a moment lies in.
#[must_use]
pub fn stretch_at(life: &Life, now: SimTime) -> Option<&Stretch> {
    let after = life.stretches.partition_point(|stretch| stretch.from <= now);
    life.stretches.get(after.checked_sub(1)?)
}

/// Every hidden message of a frame.
pub fn in_flight(frame: &Frame) -> impl Iterator<Item = &InFlight> {
    frame.components.iter().flat_map(|component| match component {
        ComponentFrame::Queue(queue) => queue.in_flight.as_slice(),
        _ => &[],
    })
}

/// How many messages are in which state, in all queues.
fn counts(words: &Words, names: &Names, frame: &Frame) -> Vec<String> {
    let mut sums = [0; 4];
    for (index, component) in frame.components.iter().enumerate() {
        let ComponentFrame::Queue(queue) = component else { continue };
        if is_dead_letter_queue(names, ComponentId::new(index)) {
            continue;
        }
        let own = of_queue(queue);
        sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let told = counted(words, sums);
    told.map(|list| words.say("scene.counts", &[("list", &list)])).into_iter().collect()
}

/// How many wait, are in flight, are acked and are dead-lettered.
fn of_queue(queue: &QueueFrame) -> [u32; 4] {
    [queue.available_total, queue.in_flight_total, queue.acked_total, queue.dead_lettered_total]
}

/// These four counts as a list, without those that are zero. `None` if all are.
fn counted(words: &Words, counts: [u32; 4]) -> Option<String> {
    const KEYS: [&str; 4] = [
        "scene.count.waiting",
        "scene.count.in_flight",
        "scene.count.acked",
        "scene.count.dead_lettered",
    ];
    let there = KEYS.into_iter().zip(counts).filter(|(_, n)| *n > 0);
    let parts: Vec<String> = there.map(|(key, n)| words.count(key, u64::from(n), &[])).collect();
    (!parts.is_empty()).then(|| list(words, &parts))
}

/// Whether other queues move their dead letters into this one.
#[must_use]
pub fn is_dead_letter_queue(names: &Names, id: ComponentId) -> bool {
    names.scenario().components.iter().any(|component| match &component.kind {
        scenario::Kind::Queue(queue) => queue.dead_letter_to == Some(id),
        _ => false,
    })
}

/// What the workers do; in large groups only how many are down.
fn workers(words: &Words, names: &Names, frame: &Frame, said: &mut Vec<String>) {
    for (index, component) in frame.components.iter().enumerate() {
        let ComponentFrame::Workers(group) = component else { continue };
        if group.instances.len() > TOLD_ONE_BY_ONE {
            let down = |w: &&WorkerFrame| matches!(w.state, WorkerState::Down { .. });
            let down = group.instances.iter().filter(down).count();
            if down > 0 {
                let label = names.component(ComponentId::new(index));
                said.push(words.count("scene.workers.down", down as u64, &[("group", label)]));
            }
            continue;
        }
        for (instance, worker) in group.instances.iter().enumerate() {
            let id = WorkerId {
                component: ComponentId::new(index),
                instance: u16::try_from(instance).unwrap_or(u16::MAX),
            };
            said.extend(worker_words(words, names, id, worker));
        }
    }
}

/// What one worker process does.
#[must_use]
pub fn worker_words(
    words: &Words,
    names: &Names,
    id: WorkerId,
    worker: &WorkerFrame,
) -> Option<String> {
    let label = names.worker(id);
    let number = |m: MessageId| words.number(u64::from(m.number()));
    match (worker.state, &worker.holding) {
        (WorkerState::Down { until: Some(until), .. }, _) => {
            Some(words.say("scene.worker.down", &[("worker", &label), ("until", &clock(until))]))
        }
        (WorkerState::Down { until: None, .. }, _) => {
            Some(words.say("scene.worker.dead", &[("worker", &label)]))
        }
        (WorkerState::Stopped, _) => Some(words.say("scene.worker.off", &[("worker", &label)])),
        (WorkerState::Paused { until }, _) => {
            Some(words.say("scene.worker.paused", &[("worker", &label), ("until", &clock(until))]))
        }
        (_, Some(holding)) => {
            let n = number(holding.message);
            match holding.step {
                Some(step) => {
                    let step = names.step(id, step);
                    let all = [("worker", label.as_str()), ("step", step), ("n", &n)];
                    Some(words.say("scene.worker.works", &all))
                }
                None => Some(words.say("scene.worker.receives", &[("worker", &label), ("n", &n)])),
            }
        }
        (WorkerState::Idle | WorkerState::Working, None) => None,
    }
}

/// Parts as a list: "a, b and c".
fn list(words: &Words, parts: &[String]) -> String {
    let Some((last, front)) = parts.split_last() else { return String::new() };
    if front.is_empty() {
        return last.clone();
    }
    [front.join(&words.text("list.comma")).as_str(), &words.text("list.and"), last].concat()
}
