//! Orchestrators.

use patterns::retry::{Backoff, Jitter, Policy};
use patterns::saga::orchestrator::until_they_work;
use patterns::saga::{Compensation, Definition, Step, StepKind};
use sim::SimDuration;

use super::time::{duration, optional, positive};
use super::{Names, retry};
use crate::wire::{Reader, RecordReader};
use crate::{ComponentId, Orchestrator, SagaStep, limits};

/// The wait between two attempts of a compensation, unless it is said.
const AGAIN: SimDuration = SimDuration::from_secs(1);

#[inline(never)]
pub(super) fn orchestrator(
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
) -> Option<Orchestrator> {
    let steps = record.required("steps");
    let read = steps.as_ref().and_then(|r| r.each(limits::STEPS, |r| step(r, names)));
    let compensations = optional(record, "compensations", retry::retry);
    let restart_after = optional(record, "restart_after", duration);
    let (rules, steps_read): (Vec<Step>, Vec<SagaStep>) = read?.into_iter().unzip();
    let definition = match Definition::new(&rules) {
        Ok(definition) => definition,
        Err(error) => {
            steps?.error(
                error.to_string(),
                "put steps that can be made up for first, then one pivot, then retriable ones",
            );
            return None;
        }
    };
    Some(Orchestrator {
        definition,
        steps: steps_read,
        compensations: match compensations? {
            Some(retry) => retry.policy,
            None => until_they_work(Backoff::doubling(AGAIN, AGAIN, Jitter::None)),
        },
        restart_after: restart_after?,
    })
}

fn step(reader: &Reader<'_>, names: &Names<'_>) -> Option<(Step, SagaStep)> {
    let mut record = reader.record()?;
    let name = record.required("name").and_then(|r| r.text(limits::LABEL).map(str::to_owned));
    let act = record.required("call").and_then(|r| participant(&r, names));
    let compensate = optional(&mut record, "compensate", |r| participant(r, names));
    let undo = optional(&mut record, "undo", |r| {
        r.choice(&[
            ("reversible", Compensation::Reversible),
            ("with-residue", Compensation::WithResidue),
            ("none", Compensation::None),
        ])
    });
    let kind = optional(&mut record, "kind", |r| {
        r.choice(&[("pivot", StepKind::Pivot), ("retriable", StepKind::Retriable)])
    });
    let timeout = optional(&mut record, "timeout", positive);
    let again = optional(&mut record, "retry", retry::retry);
    record.finish();
    let (compensate, undo, kind) = (compensate?, undo?, kind?);
    if compensate.is_some() && kind.is_some() {
        reader.error(
            "a step past the point of no return is not made up for",
            "take out “compensate”, or “kind”",
        );
        return None;
    }
    let kind = match (&compensate, kind) {
        (Some(_), _) => StepKind::Compensable(undo.unwrap_or(Compensation::Reversible)),
        (None, kind) => kind.unwrap_or(StepKind::Pivot),
    };
    let retries = again?.map_or(Policy::NONE, |retry| retry.policy);
    Some((
        Step { kind, timeout: timeout?, retries },
        SagaStep { name: name?, act: act?, compensate },
    ))
}

fn participant(reader: &Reader<'_>, names: &Names<'_>) -> Option<(ComponentId, usize)> {
    let mut record = reader.record()?;
    let to = record.required("to").and_then(|r| names.reference(&r, &["service"]));
    let request = record.required("request");
    let handler = to.and_then(|to| request.and_then(|r| names.handler(to, &r)));
    record.finish();
    to.zip(handler)
}
