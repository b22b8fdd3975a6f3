//! The charts of an exhibit: numbers of the run over its whole time.

use scenario::limits;
use scenario::wire::Reader;
use sim::SimDuration;

use crate::Meter;
use crate::context::{Context, all, maybe};

/// Series on one pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub label: String,
    /// What is counted, or the unit: `s` for ages.
    pub unit: String,
    /// What it draws, in order; at most [`SERIES_MAX`].
    pub series: Vec<Drawn>,
    /// A line to compare with, such as a capacity.
    pub bound: Option<Bound>,
}

/// A series of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The gauge, and what it is called.
    pub meter: Meter,
    /// Draw how much it grows in each slice of so long, in place of its level.
    pub per: Option<SimDuration>,
}

impl Drawn {
    fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let per = maybe(record.optional("per"), |r| {
            r.duration(SimDuration::from_millis(1)..=SimDuration::from_secs(86_400))
        });
        let meter = Meter::read_from(record, context);
        Some(Self { meter: meter?, per: per? })
    }
}

/// A level that a chart marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Where it lies, in the chart's unit.
    pub at: f64,
    /// What it is called.
    pub label: String,
}

/// The lines that one chart can tell apart.
pub const SERIES_MAX: limits::Limit = limits::Limit {
    name: "series in a chart",
    max: 6,
    why: "more lines than that cannot be told apart by colour and stroke",
};

impl Chart {
    pub(crate) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let label = record.required("label").and_then(|r| r.text(limits::LABEL));
        let unit = maybe(record.optional("unit"), |r| r.text(limits::LABEL).map(str::to_owned));
        let series = all(record.optional("series"), SERIES_MAX, |r| Drawn::read(r, context));
        let bound = maybe(record.optional("bound"), |r| {
            let mut record = r.record()?;
            let at = record.required("at").and_then(|r| r.number(0.0..=1e12));
            let label = record.required("label").and_then(|r| r.text(limits::LABEL));
            record.finish();
            Some(Bound { at: at?, label: label?.to_owned() })
        });
        if series.as_ref().is_some_and(Vec::is_empty) {
            record.whole().error("this chart draws nothing", "name at least one series");
            return None;
        }
        record.finish();
        Some(Self {
            label: label?.to_owned(),
            unit: unit?.unwrap_or_default(),
            series: series?,
            bound: bound?,
        })
    }
}
