//! The gauges of an exhibit: which numbers of the run it shows, and what it calls them.

use player::Gauge;
use scenario::wire::{Reader, RecordReader};
use scenario::{ComponentId, Kind, Scenario, limits};

use crate::context::Context;

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
        let mut record = reader.record()?;
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
    Run(Gauge),
}

const GAUGES: &[(&str, Of)] = &[
    ("depth", Of::Queue(Gauge::Depth)),
    ("oldest", Of::Queue(Gauge::Oldest)),
    ("in_flight", Of::Queue(Gauge::InFlight)),
    ("acked", Of::Queue(Gauge::Acked)),
    ("dead_lettered", Of::Queue(Gauge::DeadLettered)),
    ("stored", Of::Queue(Gauge::Stored)),
    ("redelivered", Of::Queue(Gauge::Redelivered)),
    ("effects", Of::External(Gauge::Effects)),
    ("lost", Of::Run(Gauge::Lost)),
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
        of @ (Of::Queue(make) | Of::External(make)) => (make, of),
    };
    let reader = record.required("of")?;
    let component = context.component(&reader)?;
    let wanted = match of {
        Of::External(_) => "an external service",
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
        Of::External(_) => matches!(kind, Kind::External(_)),
        Of::Run(_) => true,
    }
}
