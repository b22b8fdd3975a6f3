//! The crash matrix: what a crash at each border of a handler costs, found by trying each.

use explore::{Bounds, Explorer, Outcome, Progress, Row, Spot};
use player::{Finding, Player};
use scenario::wire::{Diagnostics, Reader, Value};
use scenario::{ComponentId, Property, Scenario};
use serde_json::{Value as Json, json};
use tests::runs::{changed, scenario, trace_text, with};

fn explored(document: &Json, bounds: Bounds) -> Explorer {
    let mut explorer = Explorer::new(scenario(document), bounds);
    explorer.finish();
    explorer
}

fn named(explorer: &Explorer, name: &str) -> ComponentId {
    let mut ids = explorer.scenario().ids();
    ids.find(|(_, component)| component.name == name).expect("it is there").0
}

/// The scenario of “Drag the ack line” with these lines.
fn ack_line(lines: &Json) -> Json {
    let text = include_str!("../../crates/course/content/exhibits/ack-line.json");
    let exhibit: Json = serde_json::from_str(text).expect("well-formed");
    changed(exhibit["scenario"].clone(), &[("/components/cashier/on_message", lines.clone())])
}

/// One column of the matrix, a line a row: the border, its line, what came of it, and how often the
/// work was done where the run differs most.
fn column(explorer: &Explorer) -> Vec<String> {
    let matrix = explorer.matrix();
    let each = matrix.rows.iter().zip(&matrix.cells).map(|(row, cells)| {
        let border = match row.spot {
            Spot::After(0) => "taken".to_owned(),
            Spot::After(line) => format!("after {line}"),
            Spot::During(line) => format!("during {line}"),
        };
        let cell = cells[0].as_ref().expect("every row has been tried");
        format!("{border}: {} {}", cell.outcome.word(), cell.effects.now)
    });
    each.collect()
}

#[track_caller]
fn check_ack_line(lines: &Json, wanted: &[&str]) {
    let explorer = explored(&ack_line(lines), Bounds::default());
    assert_eq!(column(&explorer), wanted);
    assert_eq!(explorer.limit(), None);
}

fn ack() -> Json {
    json!({ "ack": { "takes": "1s" } })
}

fn note() -> Json {
    json!({ "insert-or-skip": { "into": "db.inbox", "on": { "conflict": [ack()] } } })
}

#[test]
fn the_ack_line_decides_what_a_crash_costs() {
    let (check, charge) = (json!({ "wait": { "for": "1s" } }), json!({ "call": { "to": "card" } }));
    check_ack_line(
        &json!([check, charge, ack()]),
        &[
            "taken: fine 1",
            "after 1: fine 1",
            "during 2: fine 1",
            "after 2: duplicated 2",
            "after 3: fine 1",
        ],
    );
    check_ack_line(
        &json!([ack(), check, charge]),
        &[
            "taken: fine 1",
            "after 1: lost 0",
            "after 2: lost 0",
            "during 3: lost 0",
            "after 3: fine 1",
        ],
    );
}

#[test]
fn a_ledger_holds_if_it_is_written_with_the_work() {
    let row = json!({ "insert": { "into": "db.charges" } });
    let joint = json!([{ "begin": { "in": "db" } }, note(), row, { "commit": {} }, ack()]);
    let explorer = explored(&ack_line(&joint), Bounds::default());
    let matrix = explorer.matrix();
    assert_eq!(matrix.count(Outcome::Fine), 6, "{:?}", column(&explorer));
    assert_eq!(matrix.count(Outcome::Fine), matrix.cells.iter().flatten().flatten().count());

    check_ack_line(
        &json!([note(), row, ack()]),
        &["taken: fine 1", "after 1: lost 0", "after 2: fine 1", "after 3: fine 1"],
    );
    check_ack_line(
        &json!([row, note(), ack()]),
        &["taken: fine 1", "after 1: duplicated 2", "after 2: duplicated 2", "after 3: fine 1"],
    );
}

#[test]
fn a_key_closes_the_gap_that_a_ledger_of_ones_own_leaves_at_anothers_service() {
    let charge = json!({ "call": { "to": "card" } });
    let ledger = json!([{ "begin": { "in": "db" } }, note(), charge, { "commit": {} }, ack()]);
    let explorer = explored(&ack_line(&ledger), Bounds::default());
    let bad: Vec<_> = column(&explorer).into_iter().filter(|row| !row.contains("fine")).collect();
    assert_eq!(bad, ["after 3: duplicated 2"]);

    let keyed = json!({ "call": { "to": "card", "idempotency_key": { "message": "event" } } });
    let explorer = explored(&ack_line(&json!([keyed, ack()])), Bounds::default());
    assert!(column(&explorer).iter().all(|row| row.contains("fine 1")), "{:?}", column(&explorer));
}

#[test]
fn each_cell_opens_its_run_by_a_link() {
    let lines = json!([{ "call": { "to": "card" } }, ack()]);
    let document = ack_line(&lines);
    let explorer = explored(&document, Bounds::default());
    let matrix = explorer.matrix();
    let cells = matrix.cells.iter().flatten().flatten();
    let mut seen = Vec::new();
    for cell in cells {
        let state = cell.witness.run_state(explorer.scenario());
        let link = state.encode().expect("it is short");
        let state = scenario::link::RunState::decode(&link).expect("it is one of ours");
        let plain = tests::documents::parse("test", &document.to_string()).expect("well-formed");
        let document = state.apply(&plain).expect("each change has its place");
        let sink = Diagnostics::new();
        let read = Scenario::read(&Reader::new(&document, &sink)).expect("it is right");
        let mut player = Player::new(read);
        player.finish();
        let effects = player.trace().iter();
        let effects = effects.filter(|e| matches!(e.what, world::What::Effected { .. })).count();
        assert_eq!(effects, cell.effects.now as usize, "{}", trace_text(&player));
        assert_eq!(
            trace_text(&player).matches(" crashed ").count(),
            1,
            "the scenario's own is out"
        );
        assert!(trace_text(&player).lines().any(|line| {
            line.contains(" crashed ")
                && line.starts_with(&format!("{:.6}", cell.witness.at.as_secs_f64()))
        }));
        seen.push(effects);
    }
    assert!(seen.contains(&1) && seen.contains(&2));
}

#[test]
fn a_guarantee_is_told_with_its_shortest_witness() {
    let (check, charge) = (json!({ "wait": { "for": "1s" } }), json!({ "call": { "to": "card" } }));
    let explorer = explored(&ack_line(&json!([check, charge, ack()])), Bounds::default());
    let told: Vec<_> = explorer
        .matrix()
        .guarantees
        .iter()
        .map(|it| {
            (
                it.property,
                it.witness
                    .as_ref()
                    .map(|witness| (witness.interventions.len(), witness.at.as_micros())),
            )
        })
        .collect();
    // The message is there after half a second, the work takes one, and the charge another.
    let wanted = [(Property::NoMessageLost, None), (Property::NoEffectTwice, Some((1, 3_500_000)))];
    assert_eq!(told, wanted);

    // What the run breaks by itself needs no crash.
    let mut slow = ack_line(&json!([check, charge, ack()]));
    slow["components"]["payments"]["visibility_timeout"] = json!("2s");
    let explorer = explored(&slow, Bounds::default());
    let twice = &explorer.matrix().guarantees[1];
    assert_eq!(twice.witness.as_ref().map(|witness| witness.interventions.len()), Some(0));
}

/// A queue that gives up after two deliveries survives one crash, and not a second on the repair.
#[test]
fn what_one_crash_cannot_break_two_may() {
    let mut document = with(&[
        ("/components/feed/arrivals", json!({ "at": ["1s"] })),
        ("/components/jobs/visibility_timeout", json!("10s")),
        ("/components/jobs/max_receive_count", json!(2)),
        (
            "/components/crew/on_message",
            json!([{ "wait": { "for": "1s" } }, { "call": { "to": "mail" } }, "ack"]),
        ),
    ]);
    document["properties"] = json!(["no message lost"]);
    let one = explored(&document, Bounds::default());
    assert_eq!(one.matrix().count(Outcome::Stuck), 0);
    assert!(one.matrix().shortest.iter().all(|(outcome, _)| *outcome == Outcome::Duplicated));
    let two = explored(&document, Bounds { crashes: 2, ..Bounds::default() });
    let stuck = two.matrix().shortest.iter().find(|(outcome, _)| *outcome == Outcome::Stuck);
    let (_, witness) = stuck.expect("the second delivery is the last");
    assert_eq!(witness.interventions.len(), 2);
    assert!(two.runs() > one.runs());
}

#[test]
fn order_by_key_is_compared_with_the_undisturbed_run() {
    let document = with(&[
        ("/components/feed/arrivals", json!({ "at": ["1s", "1.2s"] })),
        ("/components/feed/key", json!("order")),
        ("/components/feed/messages", json!([{ "order": "a" }])),
        ("/components/jobs/visibility_timeout", json!("10s")),
        ("/components/crew/restart_after", json!("1s")),
    ]);
    let explorer = explored(&document, Bounds::default());
    let taken = Row { component: named(&explorer, "crew"), handler: 0, spot: Spot::After(0) };
    let first = explorer.matrix().columns[0];
    let cell = explorer.matrix().cell(&taken, first).expect("tried");
    assert_eq!(cell.outcome, Outcome::Reordered, "the second goes first");
    let last = explorer.matrix().columns[1];
    assert_eq!(explorer.matrix().cell(&taken, last).map(|cell| cell.outcome), Some(Outcome::Fine));
}

/// A service that saves an order and then tells of it.
fn two_writes() -> Json {
    changed(
        with(&[]),
        &[
            ("/components/feed/to", json!("api")),
            ("/components/feed/request", json!("order")),
            ("/components/feed/arrivals", json!({ "at": ["1s"] })),
            (
                "/components/api",
                json!({ "is": "service", "restart_after": "5s", "handles": { "order": [
                    { "insert": { "into": "db.orders" } },
                    { "publish": { "to": "jobs", "takes": "50ms" } },
                    { "respond": 202 } ] } }),
            ),
            ("/components/db", json!({ "is": "database", "tables": { "orders": {} } })),
            ("/properties", json!(["no change without its event"])),
        ],
    )
}

#[test]
fn a_service_that_writes_twice_loses_what_lies_between() {
    let explorer = explored(&two_writes(), Bounds::default());
    let api = named(&explorer, "api");
    let row = |spot| Row { component: api, handler: 0, spot };
    let first = explorer.matrix().columns[0];
    let outcome = |spot| explorer.matrix().cell(&row(spot), first).map(|cell| cell.outcome);
    assert_eq!(outcome(Spot::After(0)), Some(Outcome::Lost), "the client never asks again");
    let cell = explorer.matrix().cell(&row(Spot::After(1)), first).expect("tried");
    assert_eq!(cell.outcome, Outcome::Lost);
    assert_eq!(cell.broken, [Property::NoChangeWithoutEvent]);
    assert_eq!(outcome(Spot::After(2)), Some(Outcome::Fine));
    assert_eq!(outcome(Spot::After(3)), Some(Outcome::Fine));
}

/// While a service is away, what others ask of it is lost: that is no fault of the border.
#[test]
fn a_cell_tells_its_own_message_from_the_others() {
    let mut document = two_writes();
    document["components"]["feed"]["arrivals"] = json!({ "at": ["1s", "3s"] });
    let explorer = explored(&document, Bounds::default());
    let matrix = explorer.matrix();
    let cell = |column: usize| {
        let row = Row { component: named(&explorer, "api"), handler: 0, spot: Spot::After(3) };
        matrix.cell(&row, matrix.columns[column]).map(|cell| (cell.outcome, cell.others))
    };
    assert_eq!(cell(0), Some((Outcome::Fine, Outcome::Lost)));
    assert_eq!(cell(1), Some((Outcome::Fine, Outcome::Fine)));
}

#[test]
fn slices_find_what_a_whole_finds_and_bounds_stop_it_by_name() {
    let document = ack_line(&json!([{ "call": { "to": "card" } }, ack()]));
    let whole = explored(&document, Bounds::default());
    let mut sliced = Explorer::new(scenario(&document), Bounds::default());
    let mut slices = 0;
    while sliced.advance(1) == Progress::Running {
        slices += 1;
    }
    assert!(slices > 10, "{slices}");
    assert_eq!(sliced.matrix(), whole.matrix());
    assert_eq!(sliced.describe(), whole.describe());

    let few = explored(&document, Bounds { runs: 2, ..Bounds::default() });
    assert_eq!((few.runs(), few.limit()), (2, Some("runs")));
    let short = explored(&document, Bounds { states: 20, ..Bounds::default() });
    assert_eq!(short.limit(), Some("states"));
    let narrow = with(&[("/components/feed/arrivals", json!({ "at": ["1s", "3s", "5s"] }))]);
    let narrow = explored(&narrow, Bounds { messages: 2, ..Bounds::default() });
    assert_eq!(narrow.matrix().columns.len(), 2);
}

/// Two requests in one process: it dies once, whichever of them the crash is meant for.
#[test]
fn a_state_that_is_known_is_not_gone_on_from() {
    let document = changed(
        with(&[]),
        &[
            ("/components/feed/to", json!("api")),
            ("/components/feed/request", json!("order")),
            ("/components/feed/arrivals", json!({ "at": ["1s", "1s"] })),
            (
                "/components/api",
                json!({ "is": "service", "handles": { "order": [{ "call": { "to": "mail" } }, { "respond": 202 }] } }),
            ),
        ],
    );
    let explorer = explored(&document, Bounds::default());
    assert!(explorer.merged() > 0);
    let during = explorer.matrix().rows.iter().position(|row| matches!(row.spot, Spot::During(1)));
    let cells = &explorer.matrix().cells[during.expect("a call takes its time")];
    let outcomes: Vec<_> = cells.iter().flatten().map(|cell| cell.outcome).collect();
    assert_eq!(outcomes.len(), 2);
    assert_eq!(outcomes[0], outcomes[1]);
}

#[test]
fn bounds_are_read_with_their_repairs() {
    let read = |given: Json| {
        let sink = Diagnostics::new();
        let given = tests::documents::parse("test", &given.to_string()).expect("well-formed");
        let bounds = Bounds::read(&Reader::new(&given, &sink));
        (bounds, sink.into_vec().iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (bounds, wrong) = read(
        json!({ "crashes": 2, "messages": 3, "runs": 9, "states": 100, "restart_after": "2s" }),
    );
    assert!(wrong.is_empty());
    let bounds = bounds.expect("it is right");
    assert_eq!((bounds.crashes, bounds.messages, bounds.runs, bounds.states), (2, 3, 9, 100));
    assert_eq!(read(json!({})).0, Some(Bounds::default()));
    let (bounds, wrong) = read(json!({ "crashes": 3, "runs": 20_001, "depth": 1 }));
    assert_eq!(bounds, None);
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert!(
        wrong.iter().any(|line| line.starts_with("at /crashes: 3 is out of range")),
        "{wrong:?}"
    );
}

#[test]
fn what_is_told_to_scripts_has_names_and_links() {
    let explorer = explored(
        &ack_line(&json!([{ "call": { "label": "charge", "to": "card" } }, ack()])),
        Bounds::default(),
    );
    let told = explorer.describe();
    let at = |place: &str| {
        let pointer = scenario::wire::Pointer::parse(place).expect("a pointer");
        told.at(&pointer).cloned().unwrap_or(Value::Null)
    };
    assert_eq!(at("/done"), Value::Bool(true));
    assert_eq!(at("/rows/2/component"), Value::text("cashier"));
    assert_eq!(at("/rows/2/label"), Value::text("charge"));
    assert_eq!(at("/cells/2/0/outcome"), Value::text("duplicated"));
    assert_eq!(at("/cells/2/0/effects"), Value::Number(2.0));
    assert_eq!(at("/cells/2/0/witness/crashes"), Value::Number(1.0));
    assert_eq!(at("/guarantees/1/finding"), Value::text("broken"));
    assert_eq!(at("/guarantees/0/finding"), Value::text("holds"));
    assert_eq!(at("/shortest/duplicated/run"), at("/cells/2/0/witness/run"));
    assert!(at("/shortest/duplicated/run").as_text().is_some_and(|link| link.starts_with("1.")));
}

/// A cell claims a run: played on its own, from the start, it must be that run.
#[test]
fn every_exhibit_can_be_explored_and_each_witness_plays_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/course/content/exhibits");
    let mut played = 0;
    for entry in std::fs::read_dir(folder).expect("the course has exhibits") {
        let file = entry.expect("a readable folder").path();
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let exhibit: Json = serde_json::from_str(&text).expect("well-formed");
        let bounds = Bounds { messages: 1, runs: 6, states: 10_000, ..Bounds::default() };
        let explorer = explored(&exhibit["scenario"], bounds);
        for cell in explorer.matrix().cells.iter().flatten().flatten() {
            let interventions = cell.witness.interventions.clone();
            let scenario = (**explorer.scenario()).clone();
            let mut player = Player::with_interventions(scenario, interventions);
            player.finish();
            let broken = player.verdicts().into_iter();
            let broken: Vec<_> = broken
                .filter(|verdict| matches!(verdict.finding, Finding::Broken { .. }))
                .map(|verdict| verdict.property)
                .collect();
            let claimed = cell.broken.iter().all(|property| broken.contains(property));
            assert!(claimed, "{}: {:?} of {broken:?}", file.display(), cell.broken);
            let falls = |event: &&world::TraceEvent| {
                event.at == cell.witness.at && matches!(event.what, world::What::Crashed { .. })
            };
            assert!(player.trace().iter().any(|event| falls(&event)), "{}", file.display());
            played += 1;
        }
    }
    assert!(played > 100, "{played}");
}
