//! Every worksheet of the course is read and linted: it gives the figures of the ledger. Where a run
//! can confirm a formula, it is run.

use course::sheet::{Marks, Sheet, lint_sheet};
use patterns::retry::{Backoff, FailureClass, Jitter, Policy};
use patterns::saga::{Command, Compensation, Definition, Orchestrator, Progress, Reply, Step};
use player::{Gauge, Player};
use serde_json::json;
use sim::{SimDuration, SimTime, Stream};
use tests::documents::{of_course, read_all};
use tests::runs::{check_run, finished};

/// The worksheets of the course, by id.
fn sheets() -> Vec<(String, Sheet)> {
    read_all("sheets", Sheet::read)
}

#[test]
fn every_sheet_passes_the_linter_and_gives_its_facts() {
    let mut lines = Vec::new();
    for (id, sheet) in sheets() {
        lines.extend(lint_sheet(&sheet).iter().map(|one| format!("{id}: {one}")));
    }
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn ids_are_those_of_no_other_unit_and_fit_links() {
    let others: Vec<String> = ["exhibits", "quizzes"]
        .iter()
        .flat_map(|folder| of_course(folder))
        .map(|(id, _)| id)
        .collect();
    for (id, _) in of_course("sheets") {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(id.chars().all(plain), "{id}: use small letters, digits and hyphens");
        assert!(!others.contains(&id), "{id} is an exhibit or a quiz too");
    }
}

/// A sheet of the course with these entries, worked out.
struct Filled {
    sheet: Sheet,
    inputs: Vec<f64>,
}

fn filled(id: &str, entries: &[(&str, f64)]) -> Filled {
    let sheet = sheets().into_iter().find(|(name, _)| name == id).expect("a sheet").1;
    let mut inputs = sheet.first();
    for (name, number) in entries {
        let at = sheet.inputs.iter().position(|input| input.id == *name).expect("an input");
        assert!(sheet.inputs[at].takes(*number), "{name} does not take {number}");
        inputs[at] = *number;
    }
    Filled { sheet, inputs }
}

impl Filled {
    fn gives(&self, id: &str) -> f64 {
        let worked = self.sheet.work(&self.inputs, &Marks::default());
        let at = self.sheet.value(id).unwrap_or_else(|| panic!("no value {id}"));
        worked.all[self.sheet.place_of(at)].clone().unwrap_or_else(|why| panic!("{id}: {why:?}"))
    }
}

#[track_caller]
fn near(found: f64, formula: f64, within: f64, what: &str) {
    assert!((found - formula).abs() <= within, "{what}: the run {found}, the formula {formula}");
}

/// A run: `usual` a second for ever, `rush` a second in all for the first `length` seconds, against
/// `workers` that take `service` seconds each.
fn burst(usual: f64, rush: f64, length: u32, workers: u32, service_ms: u32, until: u32) -> Player {
    let count = (f64::from(length) * (rush - usual)).round() as u64;
    finished(&json!({
        "format": 1, "name": "burst", "seed": "1", "until": format!("{until}s"),
        "components": {
            "usual": { "is": "source", "to": "jobs", "arrivals": { "rate": { "per_second": usual } } },
            "rush": { "is": "source", "to": "jobs",
                      "arrivals": { "rate": { "per_second": rush - usual, "count": count } } },
            "jobs": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "count": workers,
                      "on_message": [ { "wait": { "for": format!("{service_ms}ms") } }, "ack" ] },
        },
    }))
}

#[test]
fn backlog_and_drain_are_those_of_a_run() {
    for (workers, length, rush) in [(4, 10, 90.0), (5, 20, 120.0), (6, 8, 200.0)] {
        let entries = [
            ("usual", 30.0),
            ("per", 1.0),
            ("times", rush / 30.0),
            ("length", f64::from(length)),
            ("workers", f64::from(workers)),
            ("service", 0.1),
        ];
        let sheet = filled("backlog-and-drain", &entries);
        let ends = f64::from(length) + sheet.gives("drain");
        let player = burst(30.0, rush, length, workers, 100, ends as u32 + 30);
        let gauge = |gauge| player.gauge(gauge);
        let jobs = player.scenario().find("jobs").expect("a queue");
        let depth = gauge(Gauge::Depth(jobs));
        // One message for each worker is in hand and not in the pile, and arrivals come one by one.
        let few = f64::from(workers) + 2.0;
        near(depth.max(player.end()), sheet.gives("peak"), few, "peak");
        let waited = gauge(Gauge::Waited(jobs)).max(player.end());
        near(waited, sheet.gives("wait"), few * 0.1, "longest wait");
        // The pile is gone when no more wait than before the burst.
        let steps = depth.steps();
        let from = SimTime::from_micros(u64::from(length) * 1_000_000);
        let empty = steps.iter().find(|(at, level)| *at > from && level.reading(*at) < 1.0);
        let empty = empty.expect("it drains").0.as_micros() as f64 / 1e6;
        near(empty, ends, few * 0.1 + 0.5, "drained");
    }
}

#[test]
fn a_job_longer_than_its_clock_ends_as_the_sheet_says() {
    let sheet = filled("visibility-and-retention", &[("job", 60.0), ("clock", 30.0)]);
    let moment = |id: &str| format!("{:.6}", sheet.gives(id));
    let document = json!({
        "format": 1, "name": "good job", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "jobs", "arrivals": { "at": ["0s"] } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "30s",
                      "max_receive_count": 5, "dead_letter_to": "parked" },
            "parked": { "is": "queue", "profile": "sqs-standard" },
            "crew": { "is": "workers", "from": "jobs", "count": 6,
                      "on_message": [ { "wait": { "for": "60s" } }, "ack" ] },
        },
    });
    check_run(
        &document,
        &[
            // Two are at it at once: the first lets go when the third begins.
            "30.000000 received jobs 1 crew.2 count 2 until 60.000000",
            "60.000000 step-ended crew.1 1 line 1 ok",
            "60.000000 received jobs 1 crew.3 count 3 until 90.000000",
            &format!("{} dead-lettered jobs parked 1 count 5", moment("circle")),
            &format!("{} step-ended crew.5 1 line 1 ok", moment("last")),
        ],
    );
    near(2.0, sheet.gives("copies"), 1e-9, "workers at it at once");
}

#[test]
fn a_backlog_slower_than_its_life_expires_as_the_sheet_says() {
    // An hour stands for a day: a hundred messages, drained in five hours, live four.
    let document = json!({
        "format": 1, "name": "expiry", "seed": "1", "until": "6h",
        "components": {
            "feed": { "is": "source", "to": "jobs",
                      "arrivals": { "every": { "interval": "1us", "count": 100 } } },
            "jobs": { "is": "queue", "profile": "sqs-standard", "retention": "4h" },
            "crew": { "is": "workers", "from": "jobs", "count": 1,
                      "on_message": [ { "wait": { "for": "180s" } }, "ack" ] },
        },
    });
    let text = tests::runs::trace_text(&finished(&document));
    let expired = text.lines().filter(|line| line.contains(" expired ")).count();
    let sheet = filled("visibility-and-retention", &[("life", 4.0), ("backlog_days", 5.0)]);
    near(expired as f64 / 100.0, sheet.gives("lost"), 0.011, "share that expires");
}

/// Four lanes of three a second each under eight a second, five of them of one key.
#[test]
fn the_hot_lane_is_as_late_as_the_sheet_says() {
    let exhibit = of_course("exhibits").into_iter().find(|(id, _)| id == "hot-lane").expect("it").1;
    let exhibit = course::Exhibit::read(&exhibit).expect("a sound exhibit");
    let mut player = Player::new(exhibit.scenario.clone());
    player.finish();
    let lags = exhibit.gauges.iter().filter_map(|meter| match meter.gauge {
        Gauge::Lag(group, Some(lane)) => Some(Gauge::Lag(group, Some(lane))),
        _ => None,
    });
    let behind = lags.map(|lag| player.gauge(lag).value_at(player.end())).fold(0.0, f64::max);
    let entries = [("rate", 8.0), ("lane", 3.0), ("share", 50.0)];
    let sheet = filled("partition-count", &entries);
    near(behind, sheet.gives("behind"), 15.0, "records behind");
    near(behind / 3.0, sheet.gives("lag"), 5.0, "lag");
}

#[test]
fn attempts_outlast_an_outage_as_often_as_drawn_waits_do() {
    for (jitter, number) in [(Jitter::Equal, 1.0), (Jitter::Full, 2.0)] {
        for (attempts, outage) in [(5, 6.0), (5, 10.0), (6, 10.0), (9, 30.0)] {
            let entries =
                [("jitter", number), ("attempts", f64::from(attempts)), ("outage", outage)];
            let sheet = filled("retry-curve", &entries);
            let second = SimDuration::from_secs(1);
            let backoff = Backoff::doubling(second, second * 8, jitter);
            let mut stream = Stream::new(3, "sheet", 0);
            let (mut outlasted, mut total) = (0_u32, 0.0);
            for _ in 0..20_000 {
                let mut delays = backoff.delays();
                let reach: SimDuration = (1..attempts).map(|_| delays.next(&mut stream)).sum();
                outlasted += u32::from(reach.as_secs_f64() > outage);
                total += reach.as_secs_f64();
            }
            let (chance, mean) = (f64::from(outlasted) / 20_000.0, total / 20_000.0);
            near(chance, sheet.gives("chance"), 0.016, "chance");
            near(mean, sheet.gives("middle"), 0.15, "mean");
        }
    }
}

#[test]
fn sagas_go_through_and_are_undone_as_often_as_the_sheet_says() {
    const SAGAS: u32 = 20_000;
    let entries = [("steps", 4.0), ("success", 95.0), ("daily", f64::from(SAGAS))];
    let sheet = filled("saga-odds", &entries);
    let undoable = Step::compensable(Compensation::Reversible);
    let definition =
        Definition::new(&[undoable, undoable, undoable, Step::pivot()]).expect("a saga");
    near(definition.success_odds(0.95), sheet.gives("clean"), 1e-12, "the engine's own odds");
    let mut stream = Stream::new(5, "sagas", 0);
    let (mut clean, mut undos) = (0_u32, 0_u32);
    for _ in 0..SAGAS {
        let now = SimTime::ZERO;
        let (mut saga, first) = Orchestrator::start(now, definition.clone(), Policy::NONE);
        let mut next = Some(first);
        while let Some(command) = next {
            let reply = match command {
                Command::Act { .. } if stream.unit() >= 0.95 => {
                    Reply::Failed(FailureClass::Permanent)
                }
                Command::Act { .. } => Reply::Done,
                Command::Compensate { .. } => {
                    undos += 1;
                    Reply::Done
                }
            };
            next = saga.answer(now, command, reply, &mut stream).1;
        }
        clean += u32::from(saga.progress() == Progress::Completed);
    }
    // Four standard errors.
    near(f64::from(clean) / f64::from(SAGAS), sheet.gives("clean"), 0.011, "go through");
    near(f64::from(undos), sheet.gives("acts"), 400.0, "undos");
}
