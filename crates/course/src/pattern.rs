//! Patterns over the trace: how an exhibit points at a moment without naming a second.

use broker::MessageId;
use scenario::wire::Reader;
use scenario::{ComponentId, Kind};
use world::{TraceEvent, What};

use crate::context::{Context, maybe, message};
use crate::{Cast, EventKind};

/// Which trace event is meant: its kind, who takes part in it, and which of those that fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The kind of event.
    pub event: EventKind,
    /// Only those about this message.
    pub message: Option<MessageId>,
    /// Only those in which this component takes part, in any part.
    pub component: Option<ComponentId>,
    /// Only those about this table of the component.
    pub table: Option<u16>,
    /// Only those of the worker process at this position, from 0.
    pub instance: Option<u16>,
    /// Only those with this receive count.
    pub count: Option<u32>,
    /// Only the effect with this number for its message.
    pub nth: Option<u32>,
    /// Which of those that fit, from 1.
    pub occurrence: u32,
}

impl Pattern {
    /// Whether an event fits, whichever of its kind it is.
    #[must_use]
    pub fn matches(&self, event: &TraceEvent) -> bool {
        if EventKind::of(&event.what) != self.event {
            return false;
        }
        let cast = Cast::of(&event.what);
        self.message.is_none_or(|message| cast.message == Some(message))
            && self.component.is_none_or(|component| cast.includes(component))
            && self.table.is_none_or(|table| table_of(&event.what) == Some(table))
            && self.instance.is_none_or(|at| cast.worker.is_some_and(|w| w.instance == at))
            && self.count.is_none_or(|count| cast.count == Some(count))
            && self.nth.is_none_or(|nth| cast.nth == Some(nth))
    }

    /// The position in the trace of the event that is meant, looking from position `from` on.
    #[must_use]
    pub fn find(&self, trace: &[TraceEvent], from: usize) -> Option<usize> {
        let which = usize::try_from(self.occurrence).ok()?.checked_sub(1)?;
        let fitting = trace.iter().enumerate().skip(from).filter(|(_, event)| self.matches(event));
        fitting.map(|(at, _)| at).nth(which)
    }

    /// How many events of a trace fit.
    #[must_use]
    pub fn times(&self, trace: &[TraceEvent]) -> usize {
        trace.iter().filter(|event| self.matches(event)).count()
    }

    /// Reads a pattern; gives the id of the beat that it says to look after, too.
    pub(crate) fn read<'a>(
        reader: &Reader<'a>,
        context: &Context<'_>,
    ) -> Option<(Self, Option<Reader<'a>>)> {
        let mut record = reader.record()?;
        let event = record.required("event").and_then(|r| r.choice(EventKind::ALL));
        let message = maybe(record.optional("message"), message);
        let component = maybe(record.optional("component"), |r| context.component(r));
        let table = record.optional("table");
        let instance = maybe(record.optional("instance"), |r| r.integer::<u16>(1..=1_000));
        let count = maybe(record.optional("count"), |r| r.integer::<u32>(0..=u32::MAX));
        let nth = maybe(record.optional("nth"), |r| r.integer::<u32>(1..=u32::MAX));
        let occurrence = maybe(record.optional("occurrence"), |r| r.integer::<u32>(1..=1_000_000));
        let after = record.optional("after");
        record.finish();
        let component = component?;
        let table = maybe(table, |r| read_table(r, component, context));
        let pattern = Self {
            event: event?,
            message: message?,
            component,
            table: table?,
            instance: instance?.map(|number| number - 1),
            count: count?,
            nth: nth?,
            occurrence: occurrence?.unwrap_or(1),
        };
        Some((pattern, after))
    }
}

/// The table that an event is about, by its position in its database.
fn table_of(what: &What) -> Option<u16> {
    match *what {
        What::Executed { table, .. } | What::RowsExpired { table, .. } => Some(table),
        _ => None,
    }
}

/// Reads the name of a table of the database that the pattern names.
fn read_table(
    reader: &Reader<'_>,
    component: Option<ComponentId>,
    context: &Context<'_>,
) -> Option<u16> {
    let kind = component.zip(context.scenario).map(|(id, all)| &all.component(id).kind);
    let Some(Kind::Database(database)) = kind else {
        reader.error("this pattern does not say of which database", "name it as “component”");
        return None;
    };
    let name = reader.name()?;
    let Some(at) = database.tables.iter().position(|it| it.name == name) else {
        let known: Vec<&str> = database.tables.iter().map(|it| it.name.as_str()).collect();
        reader.unknown("a table of this database", name, &known);
        return None;
    };
    u16::try_from(at).ok()
}
