//! Schedules: cron expressions around changes of the clock, and what happens to overlapping runs.
//!
//! | part | its cases |
//! | --- | --- |
//! | `columns`, `rows` | by column: `after`, `tz`, `spec` (six fields, seconds first, or five), `next` |
//! | `dom_dow` | the example in its sentence: `(spec from date -> date; …)` |
//! | `temporal_overlap` | `buffer` and `cases`: `policy`, `running`, and what comes of them |
//! | `kubernetes` | `concurrencyPolicy`, by its three names |

use patterns::schedule::overlap::{Actions, Busy, Stop};
use patterns::schedule::{Civil, Cron, Date, Dialect, Overlap, UnixTime, Zone};

use super::{Case, Differences, Node, Problem, case, numbers};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let columns = root.get("columns").and_then(|columns| columns.items().ok());
    let spec = columns.is_some_and(|columns| {
        columns.iter().any(|column| column.text().is_ok_and(|name| name == "spec"))
    });
    spec || root.get("temporal_overlap").is_some()
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    if let (Some(columns), Some(rows)) = (root.get("columns"), root.get("rows")) {
        let columns: Vec<&str> =
            columns.items()?.iter().map(Node::text).collect::<Result<_, _>>()?;
        for row in rows.items()? {
            cases.push(cron_row(&columns, &row)?);
        }
    }
    if let Some(sentence) = root.get("dom_dow") {
        cases.push(case("day of month or day of week", || either(&sentence)));
    }
    if let Some(table) = root.get("temporal_overlap") {
        let buffer = numbers(&table.need("buffer", "list what waits")?)?;
        for row in table.need("cases", "list the cases")?.items()? {
            let policy = row.need("policy", "name the policy")?;
            let running = row.get("running").map_or(Ok(false), |running| running.truth())?;
            let state = if running { "running" } else { "idle" };
            let name = format!("{}, {state}", policy.text()?);
            cases.push(case(name, || overlap(&row, &policy, running, &buffer)));
        }
    }
    let policies = root.get("kubernetes").and_then(|node| node.get("concurrencyPolicy"));
    if let Some(policies) = policies {
        for (name, meaning) in policies.members()? {
            cases.push(case(format!("Kubernetes {name}"), || kubernetes(name, &meaning)));
        }
    }
    Ok(cases)
}

fn cron_row(columns: &[&str], row: &Node<'_>) -> Result<Case, Problem> {
    let cells = row.items()?;
    let cell = |name: &str| {
        let place = columns.iter().position(|column| *column == name);
        place.and_then(|place| cells.get(place)).ok_or_else(|| {
            row.problem(&format!("no cell \"{name}\""), "give the columns after, tz, spec and next")
        })
    };
    let (after, spec) = (cell("after")?, cell("spec")?);
    let name = format!("{} after {}", spec.text()?, after.text()?);
    Ok(case(name, || {
        let zone_cell = cell("tz")?;
        let zone = Zone::named(zone_cell.text()?).ok_or_else(|| {
            let names: Vec<_> = Zone::ALL.iter().map(|zone| zone.name()).collect();
            zone_cell.problem("no zone of this name", &format!("use one of {}", names.join(", ")))
        })?;
        let cron = parse(spec)?;
        let next = cron.next(moment(after)?, zone);
        let mut differences = Differences::default();
        let show = |at: UnixTime| format!("{} UTC", Civil::from_seconds(at.0));
        let expected = cell("next")?;
        let expected = match expected.value() {
            serde_json::Value::Null => None,
            _ => Some(show(moment(expected)?)),
        };
        differences.compare("next", &expected, &next.map(show));
        Ok(differences)
    }))
}

fn parse(spec: &Node<'_>) -> Result<Cron, Problem> {
    Cron::parse(spec.text()?, Dialect::Robfig)
        .map_err(|error| spec.problem(&error.to_string(), "write a cron expression"))
}

/// A moment as RFC 3339 writes it, with its offset.
fn moment(node: &Node<'_>) -> Result<UnixTime, Problem> {
    let read = |text: &str| -> Option<UnixTime> {
        let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i32>().ok();
        let date = Date::new(number(0..4)?, number(5..7)? as u8, number(8..10)? as u8);
        let clock = [number(11..13)?, number(14..16)?, number(17..19)?].map(|part| part as u8);
        let civil = Civil::new(date, clock[0], clock[1], clock[2]);
        let offset = match text.get(19..)? {
            "Z" => 0,
            zone => {
                let sign = if zone.starts_with('-') { -1 } else { 1 };
                let hours: i64 = zone.get(1..3)?.parse().ok()?;
                let minutes: i64 = zone.get(zone.len() - 2..)?.parse().ok()?;
                sign * (hours * 3_600 + minutes * 60)
            }
        };
        Some(UnixTime(civil.seconds() - offset))
    };
    read(node.text()?)
        .ok_or_else(|| node.problem("no moment", "write it as in 2012-03-11T00:00:00-05:00"))
}

/// "… (0 0 0 */5 Apr,Aug,Oct Mon from 2012-07-09 -> 2012-08-01; …)"
fn either(sentence: &Node<'_>) -> Result<Differences, Problem> {
    let unreadable = || {
        sentence
            .problem("no example", "write it as in (0 0 0 1 * Mon from 2012-07-09 -> 2012-07-16)")
    };
    let (_, example) = sentence.text()?.split_once('(').ok_or_else(unreadable)?;
    let (spec, rest) = example.split_once(" from ").ok_or_else(unreadable)?;
    let (from, to) = rest.split_once(" -> ").ok_or_else(unreadable)?;
    let day = |text: &str| {
        let mut parts = text.get(..10)?.split('-').map(str::parse::<i32>);
        let mut part = || parts.next()?.ok();
        let date = Date::new(part()?, part()? as u8, part()? as u8);
        Some(UnixTime(Civil::new(date, 0, 0, 0).seconds()))
    };
    let (from, to) = (day(from).ok_or_else(unreadable)?, day(to).ok_or_else(unreadable)?);
    let cron = Cron::parse(spec, Dialect::Robfig).map_err(|_| unreadable())?;
    let mut differences = Differences::default();
    differences.compare("next", &Some(to), &cron.next(from, Zone::Utc));
    Ok(differences)
}

fn overlap(
    row: &Node<'_>,
    policy: &Node<'_>,
    running: bool,
    buffer: &[i64],
) -> Result<Differences, Problem> {
    let overlap = match policy.text()? {
        "SKIP" => Overlap::Skip,
        "BUFFER_ONE" => Overlap::BufferOne,
        "BUFFER_ALL" => Overlap::BufferAll,
        "CANCEL_OTHER" => Overlap::CancelOther,
        "TERMINATE_OTHER" => Overlap::TerminateOther,
        "ALLOW_ALL" => Overlap::AllowAll,
        _ => return Err(policy.problem("no such policy", "use a name of ScheduleOverlapPolicy")),
    };
    let actions = overlap.decide(buffer, if running { Busy::Running } else { Busy::Idle });
    let Actions { overlapping, start, buffer, stop, skipped } = actions;
    let mut differences = Differences::default();
    for (key, expected) in row.members()? {
        match key {
            "policy" | "running" => {}
            "start" => {
                let expected = match expected.value() {
                    serde_json::Value::Null => None,
                    _ => Some(expected.number()? as i64),
                };
                differences.compare("start", &expected, &start);
            }
            "buffer" => differences.compare("buffer", &numbers(&expected)?, &buffer),
            "overlapping" => differences.compare("overlapping", &numbers(&expected)?, &overlapping),
            "skipped" => differences.compare("skipped", &expected.whole()?, &skipped),
            "need_cancel" => {
                differences.compare(key, &expected.truth()?, &(stop == Some(Stop::Cancel)));
            }
            "need_terminate" => {
                differences.compare(key, &expected.truth()?, &(stop == Some(Stop::Terminate)));
            }
            _ => {
                return Err(
                    expected.problem("not known", "use start, buffer, skipped and the like")
                );
            }
        }
    }
    Ok(differences)
}

/// What each policy makes of a run that is due while another is running.
fn kubernetes(name: &str, meaning: &Node<'_>) -> Result<Differences, Problem> {
    let (overlap, expected) = match name {
        "Allow" => (Overlap::AllowAll, (1, 0, None)),
        "Forbid" => (Overlap::Skip, (0, 1, None)),
        "Replace" => (Overlap::TerminateOther, (0, 0, Some(Stop::Terminate))),
        _ => return Err(meaning.problem("no such policy", "use Allow, Forbid or Replace")),
    };
    let actions = overlap.decide(&[1], Busy::Running);
    let actual = (actions.overlapping.len(), actions.skipped, actions.stop);
    let mut differences = Differences::default();
    differences.compare("side by side, skipped, stopped", &expected, &actual);
    if overlap == Overlap::TerminateOther {
        // When the other has been stopped, the new one starts.
        let then = overlap.decide(&actions.buffer, Busy::Idle);
        differences.compare("started then", &Some(1), &then.start);
    }
    Ok(differences)
}
