//! The parts of a frame.

use scenario::wire::Value;
use sim::SimTime;

use super::{Tell, number, seconds};
use crate::{
    ComponentFrame, GroupFrame, GroupStanding, Holding, InFlight, LaneFrame, LogFrame, QueueFrame,
    SchedulerFrame, ServiceFrame, SourceFrame, WorkerFrame, WorkerState,
};

impl Tell<'_> {
    pub(super) fn part(&self, part: &ComponentFrame) -> Value {
        match part {
            ComponentFrame::Source(source) => self::source(source),
            ComponentFrame::Service(service) => self::service(service),
            ComponentFrame::Queue(queue) => self.queue(queue),
            ComponentFrame::Log(log) => self.log(log),
            ComponentFrame::Topic(topic) => Value::record([
                ("published", Value::whole(topic.published)),
                ("copies", Value::whole(topic.copies)),
                ("unrouted", Value::whole(topic.unrouted)),
            ]),
            ComponentFrame::Workers(workers) => {
                let instances = workers.instances.iter().map(|worker| self.worker(worker));
                Value::record([
                    ("instances", Value::list(instances)),
                    ("mended", Value::Bool(workers.mended)),
                ])
            }
            ComponentFrame::Database(database) => super::data::database(database),
            ComponentFrame::Relay(relay) => super::data::relay(relay),
            ComponentFrame::Orchestrator(it) => super::data::orchestrator(it),
            ComponentFrame::Scheduler(it) => self.scheduler(it),
            ComponentFrame::External(external) => Value::record([
                ("busy", Value::whole(external.busy)),
                ("waiting", Value::whole(external.waiting)),
                ("refused", Value::whole(external.refused)),
                ("effects", Value::whole(external.effects)),
                ("down_until", moment(external.outage_until)),
                ("capacity_percent", percent(external.brownout)),
                (
                    "errors_per_million",
                    Value::or_null(external.errors_per_million.map(Value::whole)),
                ),
            ]),
        }
    }

    fn scheduler(&self, scheduler: &SchedulerFrame) -> Value {
        let runs = scheduler.runs.iter().map(|run| {
            Value::record([
                ("message", number(run.message)),
                ("by", Value::or_null(run.held.map(|(worker, _)| self.process(worker)))),
                ("token", Value::or_null(run.held.map(|(_, token)| Value::whole(token)))),
                ("until", moment(run.until)),
            ])
        });
        let clerks = scheduler.clerks.iter().map(|clerk| Value::text(doing(*clerk)));
        Value::record([
            ("instances", Value::list(clerks)),
            ("next", moment(scheduler.next)),
            ("runs", Value::list(runs)),
            ("done", Value::whole(scheduler.done)),
            ("skipped", Value::whole(scheduler.skipped)),
            ("missed", Value::whole(scheduler.missed)),
        ])
    }

    fn queue(&self, queue: &QueueFrame) -> Value {
        let delayed = queue.delayed.iter().map(|&(message, until)| {
            Value::record([("message", number(message)), ("until", seconds(until))])
        });
        let in_force = queue.in_force.map(|settings| {
            Value::record([
                ("visibility", Value::Number(settings.visibility.as_secs_f64())),
                ("receives", Value::or_null(settings.receives.map(Value::whole))),
            ])
        });
        Value::record([
            ("in_force", Value::or_null(in_force)),
            ("available", Value::list(queue.available.iter().map(|&id| number(id)))),
            ("available_total", Value::whole(queue.available_total)),
            ("delayed", Value::list(delayed)),
            ("in_flight", Value::list(queue.in_flight.iter().map(|hidden| self.hidden(hidden)))),
            ("in_flight_total", Value::whole(queue.in_flight_total)),
            ("acked_total", Value::whole(queue.acked_total)),
            ("dead_lettered_total", Value::whole(queue.dead_lettered_total)),
            ("expired_total", Value::whole(queue.expired_total)),
            ("oldest_since", moment(queue.oldest_since)),
        ])
    }

    fn hidden(&self, hidden: &InFlight) -> Value {
        Value::record([
            ("message", number(hidden.message)),
            ("since", seconds(hidden.since)),
            ("until", moment(hidden.until)),
            ("by", self.process(hidden.taken_by)),
            ("held", Value::Bool(hidden.held)),
        ])
    }

    fn worker(&self, worker: &WorkerFrame) -> Value {
        let partitions = worker.partitions.iter().map(|(partition, offset)| {
            Value::record([
                ("partition", Value::count(partition.index())),
                ("position", long(offset.value())),
            ])
        });
        Value::record([
            ("state", Value::text(doing(worker.state))),
            ("until", moment(until(worker.state))),
            ("holding", Value::or_null(worker.holding.as_ref().map(holding))),
            ("slowed_percent", percent(worker.slowed)),
            ("loses_next_ack", Value::Bool(worker.ack_loss_armed)),
            ("partitions", Value::list(partitions)),
        ])
    }

    fn log(&self, log: &LogFrame) -> Value {
        Value::record([
            ("partitions", Value::list(log.lanes.iter().map(lane))),
            ("groups", Value::list(log.groups.iter().map(|group| self.group(group)))),
            ("appended_total", Value::whole(log.appended_total)),
            ("expired_total", Value::whole(log.expired_total)),
            ("compacted_total", Value::whole(log.compacted_total)),
            ("cut_total", Value::whole(log.cut_total)),
        ])
    }

    fn group(&self, group: &GroupFrame) -> Value {
        let name = self.scenario.group_name(group.group.reader).unwrap_or_default();
        let state = match group.state {
            GroupStanding::Empty => "empty",
            GroupStanding::Rebalancing => "rebalancing",
            GroupStanding::Steady => "steady",
        };
        let lanes = group.lanes.iter().map(|lane| {
            Value::record([
                ("committed", Value::or_null(lane.committed.map(|offset| long(offset.value())))),
                ("position", Value::or_null(lane.position.map(|offset| long(offset.value())))),
                ("owner", Value::or_null(lane.owner.map(|worker| self.process(worker)))),
                ("lag", long(lane.lag)),
                ("oldest_since", moment(lane.oldest_since)),
            ])
        });
        Value::record([
            ("group", Value::text(name)),
            ("state", Value::text(state)),
            ("generation", Value::whole(group.generation)),
            ("members", Value::whole(group.members)),
            ("partitions", Value::list(lanes)),
            ("read_again", Value::whole(group.read_again)),
            ("lost", Value::whole(group.lost)),
        ])
    }
}

fn source(source: &SourceFrame) -> Value {
    Value::record([
        ("sent", Value::whole(source.sent)),
        ("total", Value::or_null(source.total.map(Value::whole))),
        ("next", moment(source.next)),
        ("open", Value::whole(source.asked.open)),
        ("retries", Value::whole(source.asked.retries)),
        ("timeouts", Value::whole(source.asked.timeouts)),
        ("succeeded", Value::whole(source.asked.succeeded)),
        ("gave_up", Value::whole(source.asked.gave_up)),
        ("late", Value::whole(source.asked.late)),
    ])
}

fn service(service: &ServiceFrame) -> Value {
    let instances = service.instances.iter().map(|process| {
        Value::record([
            ("state", Value::text(doing(process.state))),
            ("until", moment(until(process.state))),
            ("slowed_percent", percent(process.slowed)),
            ("busy", Value::whole(process.busy)),
        ])
    });
    Value::record([
        ("busy", Value::whole(service.busy)),
        ("waiting", Value::whole(service.waiting)),
        ("answered", Value::whole(service.answered)),
        ("refused", Value::whole(service.refused)),
        (
            "last_status",
            Value::or_null(service.last_status.map(|status| Value::whole(status.into()))),
        ),
        ("instances", Value::list(instances)),
    ])
}

fn lane(lane: &LaneFrame) -> Value {
    let records = lane.records.iter().map(|&(offset, message)| {
        Value::record([("offset", long(offset.value())), ("message", number(message))])
    });
    Value::record([
        ("start", long(lane.start.value())),
        ("end", long(lane.end.value())),
        ("last_stable", long(lane.last_stable.value())),
        ("bytes", long(lane.bytes)),
        ("latest", Value::list(records)),
    ])
}

fn holding(holding: &Holding) -> Value {
    Value::record([
        ("message", number(holding.message)),
        ("attempt", Value::whole(holding.attempt)),
        ("line", Value::or_null(holding.step.map(|step| Value::count(step.index() + 1)))),
        ("since", seconds(holding.step_started)),
        ("until", seconds(holding.step_ends)),
        ("receipt_valid", Value::Bool(holding.receipt_valid)),
    ])
}

pub(super) fn doing(state: WorkerState) -> &'static str {
    match state {
        WorkerState::Idle => "idle",
        WorkerState::Working => "working",
        WorkerState::Paused { .. } => "paused",
        WorkerState::Stopped => "stopped",
        WorkerState::Down { .. } => "down",
    }
}

fn until(state: WorkerState) -> Option<SimTime> {
    match state {
        WorkerState::Idle | WorkerState::Working | WorkerState::Stopped => None,
        WorkerState::Paused { until } => Some(until),
        WorkerState::Down { until, .. } => until,
    }
}

/// A share in hundredths, whenever it ends.
fn percent(share: Option<(u32, SimTime)>) -> Value {
    Value::or_null(share.map(|(percent, _)| Value::whole(percent)))
}

pub(super) fn moment(at: Option<SimTime>) -> Value {
    Value::or_null(at.map(seconds))
}

#[allow(clippy::cast_precision_loss, reason = "limits keep offsets and sizes far below 2^53")]
pub(super) fn long(number: u64) -> Value {
    Value::Number(number as f64)
}
