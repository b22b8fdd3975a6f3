//! The story of a run: the beats of the exhibit that happen in it, with their words filled in.

use course::narrate;
use scenario::Scenario;
use sim::SimTime;
use world::TraceEvent;

/// A beat that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its number in the run, from 1.
    pub number: usize,
    /// Its id in the exhibit.
    pub id: String,
    /// When.
    pub at: SimTime,
    /// Its title.
    pub title: String,
    /// What it says.
    pub say: String,
}

impl Told {
    /// The beats that happen in a trace, by time.
    #[must_use]
    pub fn find(story: &course::Story, scenario: &Scenario, trace: &[TraceEvent]) -> Vec<Told> {
        let told = story.beats(trace).into_iter().zip(1..);
        told.map(|((event, beat), number)| Told {
            number,
            id: beat.id.clone(),
            at: trace[event].at,
            title: narrate(&beat.title, &trace[event], scenario),
            say: narrate(&beat.say, &trace[event], scenario),
        })
        .collect()
    }
}

/// The beat that a moment lies in: the last that has happened.
#[must_use]
pub fn beat_at(beats: &[Told], now: SimTime) -> Option<&Told> {
    beats[..beats.partition_point(|beat| beat.at <= now)].last()
}

/// When the next beat happens.
#[must_use]
pub fn next_after(beats: &[Told], now: SimTime) -> Option<SimTime> {
    beats.get(beats.partition_point(|beat| beat.at <= now)).map(|beat| beat.at)
}

/// When the beat before happened; the start of the run before the first.
#[must_use]
pub fn previous_before(beats: &[Told], now: SimTime) -> Option<SimTime> {
    let earlier = beats.partition_point(|beat| beat.at < now);
    match earlier.checked_sub(1) {
        Some(last) => Some(beats[last].at),
        None => (now > SimTime::ZERO).then_some(SimTime::ZERO),
    }
}
