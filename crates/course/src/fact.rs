//! Facts: what a test must find in the run of an exhibit, so that no number on the page is made up.

use player::{Finding, Gauge, Player};
use scenario::wire::{Diagnostic, Pointer, Reader, RecordReader, Value, format_time, number_text};
use scenario::{Property, limits};
use sim::SimTime;
use world::Ending;

use crate::context::{Context, maybe};
use crate::meter::read_gauge;
use crate::{Exhibit, Pattern};

/// Something that the run must show.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name in the inventory of facts; several claims may hold up one fact.
    pub id: String,
    /// What must be found.
    pub claim: Claim,
    /// Values put into the scenario before the run, by place: the claim is about that run.
    pub with: Vec<(Pointer, Value)>,
}

/// What must be found in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// An event happens, at a time if one is given.
    Happens {
        /// Which event.
        when: Pattern,
        /// When.
        at: Option<SimTime>,
    },
    /// Events of a kind happen so many times in the whole run.
    Times {
        /// Which events; `nth` plays no part.
        when: Pattern,
        /// How many.
        is: u32,
    },
    /// A gauge reads a number at a time.
    Reads {
        /// Which gauge.
        gauge: Gauge,
        /// When; the end of the run if `None`.
        at: Option<SimTime>,
        /// Its reading: a count, or seconds.
        is: f64,
        /// How far off it may be.
        within: f64,
    },
    /// A property is kept, or broken.
    Property {
        /// Which.
        property: Property,
        /// What must come of it.
        kept: Kept,
    },
}

/// What must come of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It holds to the end.
    Holds,
    /// It is broken.
    Broken,
}

/// What a run showed for a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct FactResult {
    /// The fact's name.
    pub id: String,
    /// Its position in the exhibit's list.
    pub index: usize,
    /// Whether the run shows what is claimed.
    pub outcome: FactOutcome,
}

/// How a fact came out.
#[derive(Clone, Debug, PartialEq)]
pub enum FactOutcome {
    /// The run shows it.
    Found,
    /// The run shows something else: what was claimed and what was found.
    Differs {
        /// What the exhibit says.
        claimed: String,
        /// What the run shows.
        found: String,
    },
    /// The values of `with` do not give a scenario.
    NoRun(Vec<Diagnostic>),
    /// The run ended at this limit: it shows nothing.
    CutShort(&'static str),
}

/// A run that is computed to its end, or why there is none.
type Run = Result<Player, Vec<Diagnostic>>;

/// Runs the exhibit, once for each set of values that its facts name, and checks every fact.
#[must_use]
pub fn check_facts(exhibit: &Exhibit) -> Vec<FactResult> {
    let mut runs: Vec<(&[(Pointer, Value)], Run)> = Vec::new();
    let mut results = Vec::with_capacity(exhibit.facts.len());
    for (index, fact) in exhibit.facts.iter().enumerate() {
        let known = runs.iter().position(|(with, _)| *with == fact.with);
        let at = known.unwrap_or_else(|| {
            runs.push((&fact.with, exhibit.run_with(&fact.with)));
            runs.len() - 1
        });
        let outcome = match &runs[at].1 {
            Ok(player) => match cut_short(player) {
                Some(limit) => FactOutcome::CutShort(limit),
                None => check(&fact.claim, player),
            },
            Err(wrong) => FactOutcome::NoRun(wrong.clone()),
        };
        results.push(FactResult { id: fact.id.clone(), index, outcome });
    }
    results
}

/// The limit at which a run ended, if it did.
pub(crate) fn cut_short(player: &Player) -> Option<&'static str> {
    match player.ending() {
        Some(Ending::Limit(limit)) => Some(limit),
        _ => None,
    }
}

/// Checks a claim against a run that is computed to its end.
fn check(claim: &Claim, player: &Player) -> FactOutcome {
    match claim {
        Claim::Happens { when, at } => {
            let found = when.find(player.trace(), 0).map(|index| player.trace()[index].at);
            let words = |time: Option<SimTime>| match time {
                Some(time) => format!("{} at {}", when.event.word(), format_time(time)),
                None => format!("no {}", when.event.word()),
            };
            match (found, at) {
                (Some(_), None) => FactOutcome::Found,
                (None, None) => differs(when.event.word().to_owned(), words(None)),
                (found, claimed) if found == *claimed => FactOutcome::Found,
                (found, claimed) => differs(words(*claimed), words(found)),
            }
        }
        Claim::Times { when, is } => {
            let found = when.times(player.trace());
            let words = |times: usize| format!("{} {times} times", when.event.word());
            if found == *is as usize {
                FactOutcome::Found
            } else {
                differs(words(*is as usize), words(found))
            }
        }
        Claim::Reads { gauge, at, is, within } => {
            let found = player.gauge(*gauge).value_at(at.unwrap_or(player.end()));
            if (found - is).abs() <= *within {
                return FactOutcome::Found;
            }
            let when = at.map_or("in the end".to_owned(), |at| format!("at {}", format_time(at)));
            differs(number_text(*is), format!("{} {when}", number_text(found)))
        }
        Claim::Property { property, kept } => check_property(*property, *kept, player),
    }
}

fn check_property(property: Property, kept: Kept, player: &Player) -> FactOutcome {
    let verdict = player.verdicts().into_iter().find(|verdict| verdict.property == property);
    let found = match verdict.map(|verdict| verdict.finding) {
        Some(Finding::Holds) => "holds",
        Some(Finding::Broken { .. }) => "is broken",
        Some(Finding::Open) => "is open",
        None => "is not among the scenario's properties",
    };
    let claimed = match kept {
        Kept::Holds => "holds",
        Kept::Broken => "is broken",
    };
    if found == claimed {
        return FactOutcome::Found;
    }
    let words = |what: &str| format!("“{}” {what}", property.words());
    differs(words(claimed), words(found))
}

fn differs(claimed: String, found: String) -> FactOutcome {
    FactOutcome::Differs { claimed, found }
}

impl Fact {
    pub(crate) fn read(reader: &Reader<'_>, context: &Context<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let id = record.required("id").and_then(|r| r.name());
        let with = read_with(record.optional("with"), context.document);
        let claim = Claim::read(&mut record, context);
        record.finish();
        Some(Self { id: id?.to_owned(), claim: claim?, with: with? })
    }
}

impl Claim {
    /// Reads what a record claims, beside its other fields.
    pub(crate) fn read(record: &mut RecordReader<'_>, context: &Context<'_>) -> Option<Self> {
        match record.one_of(&["when", "gauge", "property"]) {
            Some(("when", when)) => read_event(&when, record, context),
            Some(("gauge", _)) => read_reading(record, context),
            Some((_, property)) => read_property(&property, record),
            None => None,
        }
    }

    /// Checks it against a run that is computed to its end.
    #[must_use]
    pub fn check(&self, player: &Player) -> FactOutcome {
        check(self, player)
    }

    /// What to name beside what was found: nothing, if that names what was claimed.
    pub(crate) fn wanted(&self, claimed: String) -> Option<String> {
        (!matches!(self, Self::Property { .. })).then_some(claimed)
    }
}

/// Reads values to put into a scenario's document, by place; absent meaning none.
pub(crate) fn read_with(
    field: Option<Reader<'_>>,
    document: &Value,
) -> Option<Vec<(Pointer, Value)>> {
    let Some(field) = field else { return Some(Vec::new()) };
    let mut record = field.record()?;
    let entries = record.raw_entries(limits::CHANGES).into_iter().map(|(place, value)| {
        let pointer = Pointer::parse(place).ok().filter(|place| {
            let holder = place.split_last();
            holder.is_some_and(|(holder, _)| document.at(&holder).is_some())
        });
        if pointer.is_none() {
            value.error(
                "this field's name is no place in the scenario",
                "name it by a JSON pointer, like “/components/alerts/visibility_timeout”",
            );
        }
        Some((pointer?, value.value().clone()))
    });
    entries.collect::<Vec<_>>().into_iter().collect()
}

fn read_event(
    when: &Reader<'_>,
    record: &mut RecordReader<'_>,
    context: &Context<'_>,
) -> Option<Claim> {
    let pattern = Pattern::read(when, context);
    let at = maybe(record.optional("at"), Reader::time);
    let times = maybe(record.optional("times"), |r| r.integer::<u32>(0..=u32::MAX));
    let (when, after) = pattern?;
    if let Some(after) = after {
        after.error("a fact looks at the whole run", "take “after” out, or use “nth”");
        return None;
    }
    match (at?, times?) {
        (Some(_), Some(_)) => {
            record.whole().error(
                "a fact says either when an event happens or how many times",
                "make two facts of it",
            );
            None
        }
        (at, None) => Some(Claim::Happens { when, at }),
        (None, Some(is)) => Some(Claim::Times { when, is }),
    }
}

fn read_reading(record: &mut RecordReader<'_>, context: &Context<'_>) -> Option<Claim> {
    let gauge = read_gauge(record, "gauge", context);
    let at = maybe(record.optional("at"), Reader::time);
    let is = record.required("is").and_then(|r| r.number(0.0..=1e12));
    let within = maybe(record.optional("within"), |r| r.number(0.0..=1e12));
    Some(Claim::Reads { gauge: gauge?, at: at?, is: is?, within: within?.unwrap_or(1e-6) })
}

fn read_property(property: &Reader<'_>, record: &mut RecordReader<'_>) -> Option<Claim> {
    let property = Property::read(property);
    let kept = record
        .required("is")
        .and_then(|r| r.choice(&[("kept", Kept::Holds), ("broken", Kept::Broken)]));
    Some(Claim::Property { property: property?, kept: kept? })
}
