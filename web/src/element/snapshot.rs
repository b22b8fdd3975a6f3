//! What is on the page at a moment, for a script: the state as a text, and a picture in words.

use std::rc::Rc;

use scenario::wire::Diagnostic;
use sim::SimTime;

use super::App;
use crate::state::{Playing, beat_at, readings, scene};

/// What is on the page at a moment, for a script.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The exhibit's title.
    pub title: String,
    /// The playhead.
    pub now: SimTime,
    /// The end of the run.
    pub end: SimTime,
    /// Whether virtual time runs.
    pub playing: bool,
    /// The beat's id, if the playhead is in one.
    pub beat: Option<String>,
    /// The state in words.
    pub words: String,
    /// What the gauges read, by label.
    pub gauges: Vec<(String, String)>,
    /// The text of `run=`, if the state fits into a link.
    pub run: Option<String>,
}

impl App {
    /// The text of `run=`, or why there is none; nothing without an exhibit.
    #[must_use]
    pub fn run_state(&self) -> Option<Result<String, Diagnostic>> {
        Some(self.session.as_ref()?.borrow().run_state().encode())
    }

    /// The whole run as text, a line an event: the form of the golden files.
    #[must_use]
    pub fn trace(&self) -> String {
        let mut text = String::new();
        if let Some(session) = &self.session {
            let session = session.borrow();
            let player = session.player();
            // A string takes all that is written to it.
            let _ = world::write_trace(&mut text, player.scenario(), player.trace());
        }
        text
    }

    /// What is on the page now.
    #[must_use]
    pub fn snapshot(&self) -> Option<Snapshot> {
        let session = &mut *self.session.as_ref()?.borrow_mut();
        let (names, frame) = (session.names().clone(), Rc::clone(session.frame()));
        let gauges = readings(session, &self.words);
        Some(Snapshot {
            title: session.exhibit().title.clone(),
            now: session.now(),
            end: session.end(),
            playing: session.playing() == Playing::Yes,
            beat: beat_at(session.beats(), session.now()).map(|beat| beat.id.clone()),
            gauges: gauges.into_iter().map(|reading| (reading.label, reading.value)).collect(),
            words: scene(&self.words, &names, &frame, session.life()),
            run: session.run_state().encode().ok(),
        })
    }
}
