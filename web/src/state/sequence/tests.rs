//! Sequences of runs.

use std::rc::Rc;

use broker::MessageId;
use course::Exhibit;
use player::Progress;
use scenario::wire::Value;
use sim::SimTime;

use super::{HOPS, Look, ROW, Sequence, Shape, Tone, sequence};
use crate::state::{Act, Filter, SLICE, Session};
use crate::testing::words;

fn opened(exhibit: &str) -> Session {
    let document: Value = serde_json::from_str(exhibit).expect("the exhibit is JSON");
    let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
    let mut session = Session::open(Rc::new(exhibit));
    while session.compute(SLICE) == Progress::Running {}
    session
}

const ENVELOPE: &str =
    include_str!("../../../../crates/course/content/exhibits/order-and-envelope.json");
const LIFE: &str = include_str!("../../../../crates/course/content/exhibits/event-life.json");
const LOST: &str = include_str!("../../../../crates/course/content/exhibits/lost-ack.json");
const ORDERS: &str =
    include_str!("../../../../crates/course/content/exhibits/one-outage-two-orders.json");
const LANE: &str = include_str!("../../../../crates/course/content/exhibits/overtaking.json");
const WORKSHOP: &str =
    include_str!("../../../../crates/course/content/exhibits/relay-workshop.json");

fn at(millis: u64) -> SimTime {
    SimTime::from_micros(millis * 1_000)
}

fn shown(exhibit: &str, millis: u64) -> Sequence {
    let mut session = opened(exhibit);
    session.act(Act::Seek(at(millis)));
    sequence(&mut session, &words())
}

/// A row in short: who, an arrow, whom, what.
fn told(session: &Session, shown: &Sequence) -> Vec<String> {
    let name = |id| session.names().component(id).to_owned();
    let rows = shown.rows.iter().filter_map(|row| Some((row, row.hop?.1)));
    let tell = |(row, shape): (&super::Row, Shape)| {
        let ends = match shape {
            Shape::Arrow { from, to, look } => {
                let way = match look {
                    Look::Sent => "→",
                    Look::Reply => "⇢",
                    Look::Broken => "✕",
                };
                [name(from).as_str(), " ", way, " ", &name(to)].concat()
            }
            Shape::Note { at, tone } => {
                let mark = if tone == Tone::Fault { " ⚡" } else { "" };
                [name(at).as_str(), mark].concat()
            }
        };
        [ends.as_str(), ": ", &row.label].concat()
    };
    rows.map(tell).collect()
}

#[test]
fn what_travels_is_an_arrow_from_who_sends_to_who_gets_it() {
    let mut session = opened(ENVELOPE);
    let shown = sequence(&mut session, &words());
    let told = told(&session, &shown);
    assert_eq!(
        told[..17],
        [
            "buyer → orders API: request",
            "orders API → shop database: insert orders",
            "orders API → shop database: insert outbox",
            "orders API → shop database: commit",
            "orders API ⇢ buyer: 201",
            "relay → events: publish",
            "events ⇢ relay: confirmed",
            "events → warehouse worker: ",
            "relay ⚡: dies",
            "warehouse worker → warehouse database: insert inbox",
            "warehouse worker → warehouse database: insert parcels",
            "warehouse worker → warehouse database: commit",
            "warehouse worker ⇢ events: ack 1",
            "relay: back",
            "relay → events: publish",
            "events ⇢ relay: confirmed",
            "events → warehouse worker: ",
        ]
    );
    assert!(told.contains(&"relay → shop database: mark one row".to_owned()), "{told:#?}");
    let conflict = "warehouse worker → warehouse database: insert inbox (no row)".to_owned();
    assert!(told.contains(&conflict), "{told:#?}");
}

#[test]
fn a_transaction_is_a_box_from_its_first_statement_to_its_end() {
    let mut session = opened(ENVELOPE);
    let shown = sequence(&mut session, &words());
    let lane = |name: &str| {
        let place = |id: &scenario::ComponentId| session.names().component(*id) == name;
        shown.lanes.iter().position(place).expect("a lane")
    };
    let first = shown.boxes.first().expect("a box");
    // Three rows: two statements and the commit.
    assert_eq!(first.lane, lane("shop database"));
    assert!((first.from - ROW).abs() < 0.1 && (first.to - 4.0 * ROW).abs() < 0.1, "{first:?}");
    assert_eq!(shown.boxes.iter().filter(|b| b.lane == lane("warehouse database")).count(), 3);
    let gone = shown.breaks.iter().find(|stay| stay.lane == lane("relay")).expect("a break");
    let row = |said: &str| {
        let row = shown.rows.iter().find(|row| row.label == said).expect("a row");
        row.top + ROW / 2.0
    };
    assert!((gone.from - row("dies")).abs() < 0.1 && (gone.to - row("back")).abs() < 0.1);
}

#[test]
fn what_does_not_arrive_is_broken() {
    let shown = shown(LOST, 2_600);
    let broken = shown.rows.iter().find(|row| row.label == "ack lost").expect("a row");
    assert!(matches!(broken.hop, Some((_, Shape::Arrow { look: Look::Broken, .. }))));
    assert_eq!(broken.at, at(2_500));
}

#[test]
fn calls_of_requests_come_from_the_service_that_has_the_request() {
    let mut session = opened(ORDERS);
    let shown = sequence(&mut session, &words());
    let told = told(&session, &shown);
    let calls = told.iter().filter(|row| row.starts_with("checkout → mail")).count();
    assert!(calls > 0, "{told:#?}");
}

#[test]
fn the_playhead_stands_after_what_has_happened() {
    let mut session = opened(ENVELOPE);
    let shown = sequence(&mut session, &words());
    assert!(shown.place(at(0)) < 0.1);
    let mut last = 0.0;
    for millis in 0..8_000 {
        let place = shown.place(at(millis));
        assert!(place >= last, "it goes down only: {millis}");
        last = place;
        let past = shown.rows.iter().filter(|row| row.hop.is_some() && row.at <= at(millis));
        assert!(past.clone().all(|row| row.top + ROW <= place + 0.1), "{millis}");
    }
    assert!((shown.place(session.end()) - shown.height).abs() < 0.1);
    assert!(shown.rows.iter().any(|row| row.hop.is_none()), "long silence is a gap");
}

#[test]
fn long_runs_have_a_window_around_the_playhead() {
    let mut session = opened(WORKSHOP);
    for millis in [0, 1_000, 5_000, 12_000] {
        session.act(Act::Seek(at(millis)));
        let shown = sequence(&mut session, &words());
        let hops = shown.rows.iter().filter(|row| row.hop.is_some()).count();
        assert!(hops <= HOPS && (hops == HOPS || shown.earlier + shown.later == 0));
        let cursor = session.cursor();
        let indices: Vec<usize> = shown.rows.iter().filter_map(|row| Some(row.hop?.0)).collect();
        let near = indices.iter().any(|index| *index >= cursor) || shown.later == 0;
        assert!(near, "{millis}: the playhead is in the window");
        assert!(indices.is_sorted());
    }
}

#[test]
fn every_hop_of_these_runs_has_its_words_and_its_lanes() {
    for exhibit in [ENVELOPE, LIFE, LOST, ORDERS, LANE, WORKSHOP] {
        for millis in [0, 20_000, 60_000] {
            let shown = shown(exhibit, millis);
            assert!(!shown.rows.is_empty());
            for row in &shown.rows {
                assert!(!row.label.contains("sequence."), "{row:?}");
                let Some((_, shape)) = row.hop else { continue };
                assert!(!row.said.is_empty() && !row.said.contains('{'), "{row:?}");
                assert!(shape.ends().iter().all(|end| shown.lanes.contains(end)), "{row:?}");
            }
        }
    }
}

#[test]
fn the_filter_of_a_message_leaves_its_hops_alone() {
    let mut session = opened(ENVELOPE);
    session.act(Act::SetFilter(Filter::Of(MessageId::from_index(2))));
    let shown = sequence(&mut session, &words());
    let numbers: Vec<u32> = shown.rows.iter().filter_map(|row| Some(row.carries?.0)).collect();
    assert!(!numbers.is_empty() && numbers.iter().all(|number| *number == 3), "{numbers:?}");
}
