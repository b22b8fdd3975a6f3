//! The gauges of an exhibit: which numbers of the run it shows, and what it calls them.

use broker::log::PartitionId;
use player::{Gauge, Seen};
use scenario::wire::{Reader, RecordReader};
use scenario::{ComponentId, Kind, Scenario, limits};
use world::GroupId;

use crate::context::{Context, maybe};

/// A gauge on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meter {
    /// What it shows.
    pub gauge: Gauge,
    /// What it is called.
    pub label: String,
}

impl Meter {
    pub(crate) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        Self::read_from(reader.record()?, context)
    }

    /// Reads what a record has beside fields that have been read.
    pub(crate) fn read_from(mut record: RecordReader<'_>, context: &Context<'_>) -> Option<Self> {
        let gauge = read_gauge(&mut record, "shows", context);
        let label = record.required("label").and_then(|r| r.text(limits::LABEL));
        record.finish();
        Some(Self { gauge: gauge?, label: label?.to_owned() })
    }
}

/// Which component a gauge is of.
#[derive(Clone, Copy)]
enum Of {
    Queue(fn(ComponentId) -> Gauge),
    External(fn(ComponentId) -> Gauge),
    Log(fn(ComponentId) -> Gauge),
    Topic(fn(ComponentId) -> Gauge),
    Source(fn(ComponentId) -> Gauge),
    /// Anything that tries again: sources, services, workers.
    Trier(fn(ComponentId) -> Gauge),
    Relay(fn(ComponentId) -> Gauge),
    Database(fn(ComponentId) -> Gauge),
    Service(fn(ComponentId) -> Gauge),
    Orchestrator(fn(ComponentId) -> Gauge),
    Scheduler(fn(ComponentId) -> Gauge),
    /// A table of a database.
    Table,
    /// Whatever is asked: services and external ones.
    Callee(fn(ComponentId) -> Gauge),
    /// Whatever has processes.
    Processes(fn(ComponentId) -> Gauge),
    Group(fn(GroupId, Option<PartitionId>) -> Gauge),
    Run(Gauge),
}

const GAUGES: &[(&str, Of)] = &[
    ("depth", Of::Queue(Gauge::Depth)),
    ("oldest", Of::Queue(Gauge::Oldest)),
    ("in_flight", Of::Queue(Gauge::InFlight)),
    ("held", Of::Queue(Gauge::Held)),
    ("acked", Of::Queue(Gauge::Acked)),
    ("dead_lettered", Of::Queue(Gauge::DeadLettered)),
    ("stored", Of::Queue(Gauge::Stored)),
    ("redelivered", Of::Queue(Gauge::Redelivered)),
    ("dropped", Of::Queue(Gauge::Dropped)),
    ("empty", Of::Queue(Gauge::Empty)),
    ("received", Of::Queue(Gauge::Received)),
    ("refused", Of::Queue(Gauge::Refused)),
    ("acks_refused", Of::Queue(Gauge::AcksRefused)),
    ("deduplicated", Of::Queue(Gauge::Deduplicated)),
    ("waited", Of::Queue(Gauge::Waited)),
    ("requested", Of::Source(Gauge::Requested)),
    ("answered", Of::Source(Gauge::Answered)),
    ("answered_in", Of::Source(Gauge::AnsweredIn)),
    ("taken_after", Of::Source(Gauge::TakenAfter)),
    ("effected_after", Of::Source(Gauge::EffectedAfter)),
    ("timed_out", Of::Source(Gauge::TimedOut)),
    ("gave_up", Of::Trier(Gauge::GaveUp)),
    ("retried", Of::Trier(Gauge::Retried)),
    ("shed", Of::Callee(Gauge::Shed)),
    ("failed", Of::External(Gauge::Failed)),
    ("relayed", Of::Relay(Gauge::Relayed)),
    ("rows", Of::Table),
    ("statements", Of::Database(Gauge::Statements)),
    ("rows_awaited", Of::Database(Gauge::RowsAwaited)),
    ("rows_waiting", Of::Database(Gauge::RowsWaiting)),
    ("replayed", Of::External(Gauge::Replayed)),
    ("phantoms", Of::Service(Gauge::Phantoms)),
    ("untold", Of::Service(Gauge::Untold)),
    ("completed", Of::Orchestrator(Gauge::Completed)),
    ("compensated", Of::Orchestrator(Gauge::Compensated)),
    ("incoherent", Of::Orchestrator(Gauge::Incoherent)),
    ("runs", Of::Scheduler(Gauge::RunsOver)),
    ("runs_skipped", Of::Scheduler(Gauge::RunsSkipped)),
    ("runs_missed", Of::Scheduler(Gauge::RunsMissed)),
    ("two_runners", Of::Scheduler(Gauge::TwoRunners)),
    ("crashes", Of::Processes(Gauge::Crashes)),
    ("unrouted", Of::Topic(Gauge::Unrouted)),
    ("effects", Of::External(Gauge::Effects)),
    ("appended", Of::Log(Gauge::Appended)),
    ("lag", Of::Group(Gauge::Lag)),
    ("oldest_unread", Of::Group(Gauge::OldestUnread)),
    ("read", Of::Group(|group, _| Gauge::Read(group))),
    ("read_again", Of::Group(|group, _| Gauge::ReadAgain(group))),
    ("lost_to_group", Of::Group(|group, _| Gauge::LostToGroup(group))),
    ("rebalances", Of::Group(|group, _| Gauge::Rebalances(group))),
    ("lost", Of::Run(Gauge::Lost)),
    ("trace_length", Of::Run(Gauge::Traced(Seen::Length))),
    ("linked_length", Of::Run(Gauge::Traced(Seen::LengthWithLinks))),
    ("traces", Of::Run(Gauge::Traced(Seen::Traces))),
    ("handlings", Of::Run(Gauge::Traced(Seen::Handlings))),
    ("links", Of::Run(Gauge::Traced(Seen::Links))),
    ("orphans", Of::Run(Gauge::Traced(Seen::Orphans))),
];

/// Reads the name of a gauge from `field` and its component from `of`.
pub(crate) fn read_gauge(
    record: &mut RecordReader<'_>,
    field: &str,
    context: &Context<'_>,
) -> Option<Gauge> {
    let shows = record.required(field).and_then(|r| r.choice(GAUGES));
    let (make, of) = match shows? {
        Of::Run(gauge) => return Some(gauge),
        Of::Group(make) => return read_group(record, context, make),
        Of::Table => return read_table(record, context),
        of @ (Of::Queue(make)
        | Of::External(make)
        | Of::Log(make)
        | Of::Topic(make)
        | Of::Source(make)
        | Of::Trier(make)
        | Of::Callee(make)
        | Of::Relay(make)
        | Of::Database(make)
        | Of::Service(make)
        | Of::Orchestrator(make)
        | Of::Scheduler(make)
        | Of::Processes(make)) => (make, of),
    };
    let reader = record.required("of")?;
    let component = context.component(&reader)?;
    let wanted = match of {
        Of::External(_) => "an external service or a database",
        Of::Log(_) => "a log",
        Of::Topic(_) => "a topic",
        Of::Source(_) => "a source",
        Of::Trier(_) => "a source, a service or workers",
        Of::Callee(_) => "a service or an external service",
        Of::Processes(_) => "workers, a service or a relay",
        Of::Relay(_) => "a relay",
        Of::Database(_) => "a database",
        Of::Service(_) => "a service",
        Of::Orchestrator(_) => "an orchestrator",
        Of::Scheduler(_) => "a scheduler",
        _ => "a queue",
    };
    if !fits(of, component, context.scenario?) {
        reader.error(format!("this gauge is of {wanted}"), format!("name {wanted}"));
        return None;
    }
    Some(make(component))
}

fn fits(of: Of, component: ComponentId, scenario: &Scenario) -> bool {
    let kind = &scenario.component(component).kind;
    match of {
        Of::Queue(_) => matches!(kind, Kind::Queue(_)),
        Of::External(_) => matches!(kind, Kind::External(_) | Kind::Database(_)),
        Of::Relay(_) => matches!(kind, Kind::Relay(_)),
        Of::Database(_) => matches!(kind, Kind::Database(_)),
        Of::Service(_) => matches!(kind, Kind::Service(_)),
        Of::Orchestrator(_) => matches!(kind, Kind::Orchestrator(_)),
        Of::Scheduler(_) => matches!(kind, Kind::Scheduler(_)),
        Of::Log(_) => matches!(kind, Kind::Log(_)),
        Of::Topic(_) => matches!(kind, Kind::Topic(_)),
        Of::Source(_) => matches!(kind, Kind::Source(_)),
        Of::Trier(_) => matches!(kind, Kind::Source(_) | Kind::Service(_) | Kind::Workers(_)),
        Of::Callee(_) => matches!(kind, Kind::Service(_) | Kind::External(_)),
        Of::Processes(_) => {
            matches!(kind, Kind::Service(_) | Kind::Workers(_) | Kind::Relay(_))
        }
        Of::Group(_) | Of::Run(_) | Of::Table => true,
    }
}

/// Reads which group a gauge is of, by one of its workers components, and in which partition, if
/// not in all.
fn read_group(
    record: &mut RecordReader<'_>,
    context: &Context<'_>,
    make: fn(GroupId, Option<PartitionId>) -> Gauge,
) -> Option<Gauge> {
    #[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
    let most = limits::PARTITIONS.max as u32 - 1;
    let partition = maybe(record.optional("partition"), |r| r.integer(0..=most));
    let reader = record.required("of")?;
    let component = context.component(&reader)?;
    let Some((log, first)) = context.scenario?.group_of(component) else {
        reader.error("this gauge is of workers that read a log", "name such a group of workers");
        return None;
    };
    Some(make(GroupId { log, reader: first }, partition?.map(PartitionId::from_index)))
}

/// Reads which table a gauge is of: its database from `of`, its name from `table`.
fn read_table(record: &mut RecordReader<'_>, context: &Context<'_>) -> Option<Gauge> {
    let table = record.required("table");
    let reader = record.required("of")?;
    let component = context.component(&reader)?;
    let Kind::Database(database) = &context.scenario?.component(component).kind else {
        reader.error("this gauge is of a table", "name a database");
        return None;
    };
    let table = table?;
    let name = table.name()?;
    let Some(at) = database.tables.iter().position(|it| it.name == name) else {
        let known: Vec<&str> = database.tables.iter().map(|it| it.name.as_str()).collect();
        table.unknown("a table of this database", name, &known);
        return None;
    };
    Some(Gauge::Rows(component, u16::try_from(at).ok()?))
}
