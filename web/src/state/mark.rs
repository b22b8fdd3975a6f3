//! Marks on the scrubber: the beats of the story, and what broke or was broken.

use sim::SimTime;

use super::story::beat_at;
use super::{Act, Session, offers};
use crate::components::Sign;
use crate::words::{Words, capital, clock, unmarked};

/// A stop or a flag on the line of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: SimTime,
    /// What.
    pub sort: MarkSort,
    /// What it is called.
    pub label: String,
    /// Where it is, seen from the playhead.
    pub phase: Phase,
    /// What a click on it does.
    pub act: Act,
}

/// The sorts of mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkSort {
    /// A beat of the story, with its number from 1.
    Beat(usize),
    /// What broke on its own, or came with the exhibit.
    Fault(Sign),
    /// What the learner did.
    Done(Sign),
    /// Where the run parts from the other one.
    Parting,
}

/// Past, here, or to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Before the playhead.
    Past,
    /// The one the playhead is in.
    Now,
    /// After the playhead.
    Next,
}

/// Every mark of the run, by time.
#[must_use]
pub fn marks(session: &mut Session, words: &Words) -> Vec<Mark> {
    let mut all = Vec::new();
    if session.other.is_some() {
        all.extend(parting(session, words));
    }
    let session = &*session;
    let scenario = session.player.scenario();
    let given = &session.exhibit.scenario.interventions;
    let faults = scenario.faults.iter().map(|fault| (fault, true));
    let done = session.player.interventions().iter().map(|done| (done, given.contains(done)));
    for (happened, own) in faults.chain(done) {
        if happened.at > session.end() {
            continue;
        }
        let sign = offers::sign(&happened.action);
        let what = capital(&offers::what(words, &session.names, &happened.action));
        put(
            &mut all,
            Mark {
                at: happened.at,
                sort: if own { MarkSort::Fault(sign) } else { MarkSort::Done(sign) },
                label: words.say("mark.flag", &[("what", &what), ("at", &clock(happened.at))]),
                phase: phase(session, happened.at),
                act: Act::Seek(happened.at),
            },
        );
    }
    let here = beat_at(&session.beats, session.now).map(|beat| beat.number);
    for beat in &session.beats {
        let number = beat.number.to_string();
        let title = unmarked(&beat.title);
        let at = clock(beat.at);
        let names = [("number", number.as_str()), ("title", &title), ("at", &at)];
        put(
            &mut all,
            Mark {
                at: beat.at,
                sort: MarkSort::Beat(beat.number),
                label: words.say("mark.beat", &names),
                phase: if here == Some(beat.number) { Phase::Now } else { phase(session, beat.at) },
                act: Act::Seek(beat.at),
            },
        );
    }
    all
}

/// The mark where the run parts from the other one.
#[inline(never)]
fn parting(session: &mut Session, words: &Words) -> Option<Mark> {
    let at = session.parting()?.at;
    Some(Mark {
        at,
        sort: MarkSort::Parting,
        label: words.say("mark.parting", &[("at", &clock(at))]),
        phase: phase(session, at),
        act: Act::Seek(at),
    })
}

/// Puts a mark behind those of its time. The list is short.
fn put(all: &mut Vec<Mark>, mark: Mark) {
    let at = all.partition_point(|other| other.at <= mark.at);
    all.insert(at, mark);
}

fn phase(session: &Session, at: SimTime) -> Phase {
    if at <= session.now { Phase::Past } else { Phase::Next }
}
