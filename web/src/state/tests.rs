//! Sessions on the life of a message.

use std::rc::Rc;

use broker::MessageId;
use course::Exhibit;
use scenario::wire::{Diagnostic, Value};
use sim::SimTime;

use super::*;
use crate::testing::words;
use crate::words::unmarked;

fn exhibit() -> Rc<Exhibit> {
    let text = include_str!("../../../crates/course/content/exhibits/event-life.json");
    let document: Value = serde_json::from_str(text).expect("the exhibit is JSON");
    Rc::new(Exhibit::read(&document).expect("the exhibit is sound"))
}

fn at(tenths: u64) -> SimTime {
    SimTime::from_micros(tenths * 100_000)
}

/// A session after these acts.
fn after(acts: &[Act]) -> Session {
    let mut session = Session::open(exhibit());
    for act in acts {
        session.act(act.clone());
    }
    session
}

fn link(session: &Session) -> String {
    session.run_state().encode().expect("the state fits into a link")
}

#[test]
fn the_steps_of_a_saga_can_be_put_into_another_order() {
    let text = include_str!("../../../crates/course/content/exhibits/three-colours.json");
    let document: Value = serde_json::from_str(text).expect("the exhibit is JSON");
    let saga = Rc::new(Exhibit::read(&document).expect("the exhibit is sound"));
    let mut session = Session::open(saga);
    assert!(session.reorders_saga());
    let before = session.program();
    assert_eq!((before[0].as_str(), before.len()), ("notify the buyer", 6));
    session.act(Act::Reorder { from: 0, to: 5 });
    let after = session.program();
    assert_eq!((&after[..5], after[5].as_str()), (&before[1..], "notify the buyer"));
    assert!(!Session::open(exhibit()).reorders_saga());
}

#[test]
fn nothing_starts_by_itself() {
    let mut session = Session::open(exhibit());
    assert_eq!(session.tick(1_000.0), Ticked::Still);
    assert_eq!(session.now(), SimTime::ZERO);
}

#[test]
fn acts_move_the_playhead() {
    let check = |acts: &[Act], tenths: u64| {
        assert_eq!(after(acts).now(), at(tenths), "{acts:?}");
    };
    check(&[Act::Seek(at(342))], 342);
    check(&[Act::Seek(at(9_999))], 700);
    check(&[Act::ToEnd], 700);
    check(&[Act::ToEnd, Act::ToStart], 0);
    check(&[Act::Seek(at(342)), Act::Step], 345);
    check(&[Act::Seek(at(342)), Act::StepBack], 341);
    check(&[Act::Seek(at(184)), Act::StepBack], 183);
    check(&[Act::StepBack], 0);
    check(&[Act::Seek(at(342)), Act::ToNext(Sought::Redelivery)], 425);
    check(&[Act::Seek(at(100)), Act::ToNext(Sought::Crash)], 184);
    check(&[Act::Seek(at(600)), Act::ToNext(Sought::Crash)], 600);
    check(&[Act::Seek(at(342)), Act::NextBeat], 425);
    check(&[Act::Seek(at(342)), Act::PreviousBeat], 305);
    check(&[Act::Seek(at(305)), Act::PreviousBeat], 265);
}

#[test]
fn playing_counts_screen_time_by_the_speed() {
    let mut session = after(&[Act::Play]);
    session.tick(50.0);
    assert_eq!(session.now(), SimTime::from_micros(50_000));
    session.act(Act::SetSpeed(Speed::Times(10.0)));
    session.tick(50.0);
    assert_eq!(session.now(), SimTime::from_micros(550_000));
    session.act(Act::Pause);
    assert_eq!(session.tick(50.0), Ticked::Still);
}

#[test]
fn between_events_nothing_is_drawn_anew() {
    let mut session = after(&[Act::Seek(at(342)), Act::Play]);
    let before = Rc::clone(session.frame());
    assert_eq!(session.tick(16.0), Ticked::Moved);
    assert!(Rc::ptr_eq(&before, session.frame()));
    session.act(Act::SetSpeed(Speed::Times(100.0)));
    assert!(matches!(session.tick(100.0), Ticked::Passed(_)));
    assert!(!Rc::ptr_eq(&before, session.frame()));
}

#[test]
fn in_steps_the_playhead_stands_on_events_only() {
    let mut session = after(&[Act::Seek(at(342)), Act::Play]);
    session.show_motion(Motion::Steps);
    let mut seen = Vec::new();
    for _ in 0..200 {
        session.tick(50.0);
        if seen.last() != Some(&session.now()) {
            seen.push(session.now());
        }
    }
    let trace = session.player().trace();
    assert!(seen.len() > 5);
    for moment in &seen[1..] {
        assert!(trace.iter().any(|event| event.at == *moment), "{moment:?}");
    }
}

#[test]
fn the_story_seen_to_the_end_completes_once() {
    let mut session = after(&[Act::SetSpeed(Speed::AsFastAsItCan), Act::Play]);
    let (mut beats, mut complete) = (0, 0);
    for _ in 0..1_000 {
        if let Ticked::Passed(responses) = session.tick(16.0) {
            beats += responses.iter().filter(|r| matches!(r, Response::Beat(_))).count();
            complete += responses.iter().filter(|r| **r == Response::Complete).count();
        }
    }
    assert_eq!((beats, complete), (session.beats().len(), 1));
    assert_eq!((session.now(), session.playing()), (session.end(), Playing::No));
}

#[test]
fn a_link_restores_the_run_and_the_moment() {
    let check = |acts: &[Act]| {
        let session = after(acts);
        let restored = after(&[Act::Restore(link(&session))]);
        assert_eq!(restored.notices(), [], "{acts:?}");
        assert_eq!(restored.now(), session.now(), "{acts:?}");
        assert_eq!(restored.followed(), session.followed(), "{acts:?}");
        assert_eq!(restored.player().trace(), session.player().trace(), "{acts:?}");
        assert_eq!(restored.player().interventions(), session.player().interventions());
        assert_eq!(link(&restored), link(&session), "{acts:?}");
    };
    let timeout = Act::Change {
        pointer: "/components/alerts/visibility_timeout".to_owned(),
        value: Value::text("5s"),
    };
    check(&[]);
    check(&[Act::Seek(at(342))]);
    check(&[Act::SetSeed(u64::MAX)]);
    check(&[Act::Follow(Some(MessageId::from_index(7))), Act::ToEnd]);
    check(&[Act::Follow(None)]);
    check(&[Act::Seek(at(160)), Act::Break(0), Act::Seek(at(300))]);
    check(&[Act::Seek(at(160)), Act::Break(1), Act::Break(2)]);
    check(&[Act::TakeBack(0)]);
    check(&[timeout.clone(), Act::Reorder { from: 2, to: 1 }, Act::TakeBack(0)]);
    check(&[timeout, Act::Seek(at(100)), Act::Break(0), Act::TakeBack(0)]);
}

#[test]
fn a_change_that_is_undone_leaves_no_trace_in_the_link() {
    let set = |text: &str| Act::Change {
        pointer: "/components/alerts/visibility_timeout".to_owned(),
        value: Value::text(text),
    };
    let session = after(&[set("5s"), set("30s"), Act::Reorder { from: 2, to: 1 }]);
    let session_back = after(&[Act::Reorder { from: 2, to: 1 }, Act::Reorder { from: 1, to: 2 }]);
    assert_eq!(session.run_state().changes.len(), 1);
    assert_eq!(link(&session_back), link(&after(&[])));
}

#[test]
fn ack_before_the_work_loses_what_the_crash_interrupts() {
    let lost = |acts: &[Act]| {
        let trace = after(acts).player().trace().to_vec();
        trace.iter().filter(|event| matches!(event.what, world::What::Lost { .. })).count()
    };
    assert_eq!(lost(&[]), 0);
    assert!(lost(&[Act::Reorder { from: 2, to: 1 }]) > 0);
}

#[test]
fn a_bad_change_is_said_and_the_run_stays() {
    let check = |pointer: &str, value: Value, path: &str| {
        let before = after(&[Act::Seek(at(342))]);
        let change = Act::Change { pointer: pointer.to_owned(), value };
        let session = after(&[Act::Seek(at(342)), change]);
        let paths: Vec<&str> = session.notices().iter().map(|n| n.path.as_str()).collect();
        assert_eq!(paths, [path], "{pointer}");
        assert_eq!(session.player().trace(), before.player().trace(), "{pointer}");
        assert_eq!(session.now(), before.now());
    };
    let timeout = "/components/alerts/visibility_timeout";
    check(timeout, Value::text("13h"), timeout);
    check(timeout, Value::Number(30.0), timeout);
    check("/components/nobody/count", Value::Number(1.0), "run");
    check("no pointer", Value::Null, "");
}

#[test]
fn a_bad_link_is_said_and_the_exhibit_stays() {
    let check = |text: &str| {
        let session = after(&[Act::Restore(text.to_owned())]);
        assert!(
            session.notices().iter().any(|n| n.path == "run" && !n.repair.is_empty()),
            "{text}"
        );
        assert_eq!(session.player().trace(), after(&[]).player().trace(), "{text}");
    };
    check("");
    check("nonsense");
    check("1.200.zrh5.c:/components");
    check("9.3.tjqe.f:5");
}

#[test]
fn notices_are_put_away() {
    let wrong = Diagnostic::new("speed", "problem", "repair");
    assert_eq!(after(&[Act::Complain(wrong.clone()), Act::Dismiss]).notices(), []);
    assert_eq!(after(&[Act::Complain(wrong.clone()), Act::Complain(wrong)]).notices().len(), 1);
}

#[test]
fn reset_is_as_it_came() {
    let acts = [Act::Seek(at(160)), Act::Break(0), Act::SetSeed(9), Act::Follow(None), Act::Reset];
    assert_eq!(link(&after(&acts)), link(&after(&[])));
}

#[test]
fn the_scene_is_true_to_the_frame() {
    let check = |tenths: u64, parts: &[&str]| {
        let mut session = after(&[Act::Seek(at(tenths))]);
        let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
        let said = scene(&words(), &names, &frame, session.life());
        for part in parts {
            assert!(said.contains(part), "at {tenths}: {said}");
        }
    };
    check(0, &["No message is on its way."]);
    check(
        342,
        &[
            "Number 5 is in flight: hidden until 0:42.5, and nobody holds it.",
            "8 wait, 2 are in flight, 6 are acked and 1 is dead-lettered.",
            "Worker 1 is down until 0:38.4.",
            "Worker 2 is at “send mail” with number 9.",
        ],
    );
    check(130, &["Number 5 is in flight: hidden until 0:42.5, in the hands of worker 1."]);
    check(500, &["Number 5 is acked and deleted."]);
}

#[test]
fn gauges_name_what_is_odd() {
    let read = |tenths: u64| {
        let mut session = after(&[Act::Seek(at(tenths))]);
        let read = readings(&mut session, &words());
        read.into_iter().map(|r| [r.value, r.unit, r.note].join("|")).collect::<Vec<_>>()
    };
    assert_eq!(
        read(342),
        [
            "8||",
            "15.7|s|",
            "2||one held by nobody",
            "6|of 18|",
            "7||one more than acked",
            "1||limit: 5 receives"
        ]
    );
    assert_eq!(read(0), ["0||", "0|s|", "0||", "0|of 18|", "0||", "0||"]);
}

#[test]
fn the_transcript_folds_what_is_given_back() {
    let session = after(&[Act::Seek(at(342))]);
    let shown = lines(&session, &words(), 8, 2);
    let said: Vec<String> = shown.lines.iter().map(|line| unmarked(&line.text)).collect();
    let fold = "number 8: 4 more receives in 3.2 s, each given back";
    assert!(said.iter().any(|line| line == fold), "{said:#?}");
    assert_eq!(said[shown.past - 1], "Worker 2 takes 9; hidden for 30 s");
    assert_eq!(shown.lines.len() - shown.past, 2);
    assert!(shown.earlier && shown.later);
}

#[test]
fn the_transcript_is_bounded_and_complete() {
    let session = after(&[Act::Seek(at(342)), Act::SetFilter(Filter::All)]);
    let all = lines(&session, &words(), 1_000, 1_000);
    assert_eq!(all.lines.len(), session.player().trace().len());
    assert_eq!(all.past, session.cursor());
    assert!(!all.earlier && !all.later);
    assert_eq!(lines(&session, &words(), 5, 3).lines.len(), 8);
    let of = Filter::Of(MessageId::from_index(4));
    let session = after(&[Act::ToEnd, Act::SetFilter(of)]);
    assert!(
        lines(&session, &words(), 1_000, 1_000)
            .lines
            .iter()
            .all(|l| l.text.contains("<b>5</b>") || l.text.contains('5'))
    );
}

#[test]
fn actions_that_cannot_act_say_why() {
    let check = |acts: &[Act], position: usize, can: bool| {
        let offer = &offers(&after(acts), &words())[position];
        assert_eq!(offer.reason.is_empty(), can, "{acts:?}: {offer:?}");
    };
    check(&[], 0, false);
    check(&[Act::Seek(at(342))], 0, true);
    check(&[Act::Seek(at(342))], 3, true);
    check(&[Act::Seek(at(500))], 3, false);
    check(&[Act::ToEnd], 0, false);
}

#[test]
fn interventions_are_taken_back_by_name() {
    let session = after(&[Act::Seek(at(160)), Act::Break(0)]);
    let labels: Vec<String> = takes(&session, &words()).into_iter().map(|t| t.label).collect();
    assert_eq!(
        labels,
        ["Take back the crash of worker 1 at 0:18.4", "Take back the crash of worker 1 at 0:16.0"]
    );
}

#[test]
fn every_mark_is_where_it_happened() {
    let mut session = after(&[Act::Seek(at(160)), Act::Break(0)]);
    let all = marks(&mut session, &words());
    assert!(all.windows(2).all(|pair| pair[0].at <= pair[1].at));
    let done: Vec<_> = all.iter().filter(|m| matches!(m.sort, MarkSort::Done(_))).collect();
    assert_eq!((done.len(), done[0].at), (1, at(160)));
    let here = all.iter().filter(|mark| mark.phase == Phase::Now).count();
    assert_eq!(here, 1);
}

#[test]
fn dials_show_and_set_their_place() {
    let session = after(&[]);
    let dial = &dials(&session, &words())[0];
    assert_eq!((dial.shown.as_str(), dial.position, dial.last), ("30 s", 28, 58));
    let changed = after(&[dial.act(3)]);
    assert_eq!(dials(&changed, &words())[0].shown, "5.0 s");
}

#[test]
fn the_strip_tells_a_life_in_order() {
    let mut session = after(&[Act::Seek(at(342))]);
    let (names, now) = (session.names().clone(), session.now());
    let told = strip(&words(), &names, session.life().expect("5 is followed"), now);
    let rows: Vec<&str> = told.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(
        rows,
        [
            "published",
            "stored, waits 4.0 s",
            "in flight, worker 1",
            "the work is done",
            "worker 1 dies",
            "offered again, taken at once",
            "in flight, worker 2",
            "done again, time 2",
            "acked and deleted"
        ]
    );
    assert_eq!(told.rows.iter().position(|row| row.phase == Phase::Now), Some(4));
    assert!(told.pieces.windows(2).all(|pair| pair[0].to <= pair[1].from + 0.01));
}

#[test]
fn every_sentence_of_the_run_is_in_the_catalogue() {
    let (session, words) = (after(&[]), words());
    let trace = session.player().trace();
    for index in 0..trace.len() {
        let said = crate::words::sentence(session.names(), trace, index);
        assert!(words.has(said.key), "{}", said.key);
        assert!(!said.say(&words).contains('{'), "{}", said.say(&words));
    }
}

#[test]
fn whatever_can_be_done_can_be_taken_back_by_name() {
    let words = words();
    for action in scenario::read::ACTIONS {
        let keys = match action {
            "lose" => vec!["lose_ack", "lose_confirm", "lose_message", "lose_receive"],
            other => vec![other],
        };
        for key in keys {
            assert!(words.has(&["takes.what.", key].concat()), "{key}");
        }
    }
}
