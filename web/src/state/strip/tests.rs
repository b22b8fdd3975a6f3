//! Strips of lives that are short, copied, in a log, or over.

use std::rc::Rc;

use player::Progress;
use sim::SimTime;

use super::{End, Look, Row, Strip, WIDTH, place, strip};
use crate::state::{Act, Session, scene};
use crate::testing::{opened, words};

/// The strip of the followed message at a moment, in milliseconds.
fn shown(session: &mut Session, millis: u64) -> Strip {
    session.act(Act::Seek(SimTime::from_micros(millis * 1_000)));
    let (names, now) = (session.names().clone(), session.now());
    strip(&words(), &names, session.life().expect("a message is followed"), now)
}

fn rows(strip: &Strip) -> Vec<&str> {
    strip.rows.iter().map(|row| row.name.as_str()).collect()
}

/// What is said of the followed message and the rest at the playhead.
fn said(session: &mut Session) -> String {
    let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
    scene(&words(), &names, &frame, session.life())
}

#[test]
fn a_record_is_told_as_its_group_reads_it() {
    let mut session = opened("overtaking");
    let told = shown(&mut session, 2_050);
    assert_eq!(rows(&told), ["published", "stored, waits 0 s", "read by reader", "committed"]);
    let looks: Vec<Look> = told.pieces.iter().map(|piece| piece.look).collect();
    assert_eq!(looks, [Look::Published, Look::Waits, Look::Tube, Look::Ended(End::Acked)]);
    assert!(told.span.1 < SimTime::from_secs(2), "it ends where it is committed: {:?}", told.span);
    let committed = said(&mut session);
    assert!(committed.starts_with("Number 2 is committed: its group is past it."), "{committed}");
    assert_eq!(session.receives(), (1, None));
    shown(&mut session, 1_050);
    let read = said(&mut session);
    assert!(read.starts_with("Number 2 is read by reader and not committed yet."), "{read}");
}

#[test]
fn a_record_that_is_moved_aside_ends_so() {
    let mut session = opened("overtaking");
    let in_place = r#"[ { "call": { "label": "book it", "to": "books" } }, "ack" ]"#;
    let poison = r#"[ { "at": "0s", "poison": { "message": 2 } } ]"#;
    for (pointer, value) in [("/components/reader/on_message", in_place), ("/faults", poison)] {
        let value = serde_json::from_str(value).expect("JSON");
        session.act(Act::Change { pointer: pointer.to_owned(), value });
    }
    while session.compute(usize::MAX) == Progress::Running {}
    let told = shown(&mut session, 40_000);
    assert_eq!(rows(&told).last(), Some(&"moved to the dead-letter queue"), "{:?}", rows(&told));
    assert_eq!(told.pieces.last().map(|it| it.look), Some(Look::Ended(End::DeadLettered)));
    assert!(told.pieces.windows(2).all(|pair| pair[0].to <= pair[1].from + 0.01));
    let aside = said(&mut session);
    assert!(aside.starts_with("Number 2 is in the dead-letter queue."), "{aside}");
}

#[test]
fn a_death_stands_before_what_came_of_it() {
    let mut session = opened("whole-fleet");
    let told = shown(&mut session, 50_000);
    let rows = rows(&told);
    let last = rows.iter().rposition(|row| row.ends_with("dies")).expect("a death");
    assert_eq!(rows.last(), Some(&"moved to the dead-letter queue"));
    assert!(rows[last - 1].starts_with("in flight, "), "{rows:?}");
    // Each was offered again at once, so that there was no silence; the last was moved aside.
    let deaths = || told.pins.iter().filter(|pin| pin.name.ends_with("dies"));
    assert_eq!(deaths().count(), 5);
    assert!(deaths().all(|pin| !pin.note.contains("silence")), "{:?}", told.pins);
    assert_eq!(told.rows[last].note, "", "its time stands beside it");
}

#[test]
fn a_death_that_is_noticed_late_is_followed_by_silence() {
    let mut session = opened("event-life");
    let told = shown(&mut session, 34_200);
    let death = told.pins.iter().find(|pin| pin.name == "worker 1 dies").expect("a death");
    assert_eq!(death.note, "then 24.1 s of silence");
}

#[test]
fn what_happened_before_a_message_was_there_has_no_place_on_its_strip() {
    let mut session = opened("whole-fleet");
    let told = shown(&mut session, 50_000);
    assert_eq!(told.rows[0].name, "becomes poison", "the list has it");
    assert!(told.pins.iter().all(|pin| pin.name != "becomes poison"), "{:?}", told.pins);
}

#[test]
fn the_playhead_leaves_a_life_that_is_over() {
    let span = (SimTime::from_secs(1), SimTime::from_secs(3));
    assert_eq!(Strip::head(SimTime::from_secs(2), span), place(SimTime::from_secs(2), span));
    assert_eq!(Strip::head(span.1, span), place(span.1, span));
    assert!(Strip::head(SimTime::from_secs(4), span) > WIDTH);
    assert!(place(SimTime::from_secs(4), span) < WIDTH, "what is veiled stays so");
}

#[test]
fn every_copy_that_was_taken_counts() {
    let mut session = opened("relay-workshop");
    let mut counted = Vec::new();
    for millis in [0, 2_000, 12_000] {
        let told = shown(&mut session, millis);
        let here = |row: &&Row| row.hidden && row.at <= session.now();
        let taken = told.rows.iter().filter(here).count();
        counted.push((session.receives(), taken));
    }
    assert_eq!(counted, [((0, None), 0), ((2, None), 2), ((2, None), 2)]);
}

#[test]
fn a_short_life_has_a_scale_of_parts_of_a_second() {
    let scale = |from: u64, to: u64| {
        let span = (SimTime::from_micros(from * 1_000), SimTime::from_micros(to * 1_000));
        super::scale(span).into_iter().map(|(_, said)| said).collect::<Vec<_>>()
    };
    assert_eq!(scale(0, 450), ["0:00.1", "0:00.2", "0:00.3", "0:00.4"]);
    assert_eq!(scale(300, 1_300), ["0:00.4", "0:00.6", "0:00.8", "0:01.0", "0:01.2"]);
    assert_eq!(scale(0, 1_999), ["0:00.5", "0:01.0", "0:01.5"]);
    assert_eq!(scale(0, 2_000), ["0:01", "0:02"]);
}
