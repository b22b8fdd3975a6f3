//! What a change has done to the run: the gauges at its end against those of the run before.

use player::{Gauge, Level, Progress};
use sim::SimTime;

use super::gauges::{unit, value};
use super::{Act, Response, Session};
use crate::words::Words;

/// So many gauges are told; the others are counted.
const TOLD: usize = 3;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// The setting whose change came after it, if it was one: who drags a slider compares with the
    /// run from before they took hold of it.
    pointer: Option<String>,
    end: SimTime,
    levels: Vec<(Gauge, Level)>,
}

impl Session {
    /// Notes how the run ends that an act is about to change.
    #[inline(never)]
    pub(super) fn note_ends(&mut self, act: &Act) {
        let pointer = match act {
            Act::Change { pointer, .. } => Some(pointer.clone()),
            Act::Break(_)
            | Act::TakeBack(_)
            | Act::Reorder { .. }
            | Act::SetSeed(_)
            | Act::OpenCell(..)
            | Act::OpenBreach(_) => None,
            Act::Reset | Act::Restore(_) => {
                self.before = None;
                return;
            }
            _ => return,
        };
        let same =
            pointer.is_some() && self.before.as_ref().map(|ends| &ends.pointer) == Some(&pointer);
        if same {
            return;
        }
        self.before = None;
        if self.progress() == Progress::Done {
            let end = self.end();
            let gauges: Vec<Gauge> = self.exhibit.gauges.iter().map(|meter| meter.gauge).collect();
            let levels = gauges.into_iter().map(|gauge| (gauge, self.series(gauge).level_at(end)));
            self.before = Some(Ends { pointer, end, levels: levels.collect() });
        }
    }

    /// Forgets it where nothing came of the act.
    pub(super) fn heed_refusal(&mut self, responses: &[Response]) {
        let refused = |response: &Response| {
            matches!(response, Response::Wrong(_) | Response::Say("said.cannot", _))
        };
        if responses.iter().any(refused) {
            self.before = None;
        }
    }
}

/// What differs at the end of the run from the run before, in a sentence. `None` if nothing was
/// changed, or the run is not computed to its end yet.
#[must_use]
pub fn changed(session: &mut Session, words: &Words) -> Option<String> {
    session.before.as_ref()?;
    difference(session, words)
}

#[inline(never)]
fn difference(session: &mut Session, words: &Words) -> Option<String> {
    let before = session.before.clone()?;
    if session.progress() != Progress::Done {
        return None;
    }
    let (exhibit, end) = (std::rc::Rc::clone(&session.exhibit), session.end());
    let mut differ = Vec::new();
    for (meter, (gauge, level)) in exhibit.gauges.iter().zip(&before.levels) {
        let mut was = value(words, *level, before.end);
        let mut is = value(words, session.series(*gauge).level_at(end), end);
        if was != is {
            if !matches!(gauge, Gauge::Acked(_)) {
                let unit = unit(session, words, *gauge);
                let with =
                    |number: String| [number.as_str(), " ", &unit].concat().trim().to_owned();
                (was, is) = (with(was), with(is));
            }
            let names = [("label", meter.label.as_str()), ("before", &was), ("now", &is)];
            differ.push(words.say("changed.gauge", &names));
        }
    }
    if differ.is_empty() {
        return Some(words.text("changed.none"));
    }
    let more = differ.len().saturating_sub(TOLD) as u64;
    differ.truncate(TOLD);
    if more > 0 {
        differ.push(words.count("changed.more", more, &[]));
    }
    Some(words.say("changed.ends", &[("list", &differ.join("; "))]))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use course::Exhibit;
    use scenario::wire::Value;

    use super::*;
    use crate::state::SLICE;
    use crate::testing::words;

    /// What is said of a run of the life of a message after these acts.
    fn said(acts: Vec<Act>) -> Option<String> {
        let text = include_str!("../../../crates/course/content/exhibits/event-life.json");
        let document: Value = serde_json::from_str(text).expect("JSON");
        let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
        let mut session = Session::open(Rc::new(exhibit));
        while session.compute(SLICE) == Progress::Running {}
        for act in acts {
            session.act(act);
            while session.compute(SLICE) == Progress::Running {}
        }
        changed(&mut session, &words())
    }

    fn timeout(text: &str) -> Act {
        let pointer = "/components/alerts/visibility_timeout".to_owned();
        Act::Change { pointer, value: Value::text(text) }
    }

    #[test]
    fn nothing_is_said_before_something_was_changed() {
        assert_eq!(said(vec![]), None);
        assert_eq!(said(vec![Act::ToEnd, Act::Play]), None);
        assert_eq!(said(vec![timeout("5s"), Act::Reset]), None);
        assert_eq!(said(vec![timeout("13h")]), None);
    }

    #[test]
    fn the_gauges_that_end_otherwise_are_told() {
        let taken_back = said(vec![Act::TakeBack(0)]).expect("something was done");
        assert_eq!(taken_back, "At the end of the run: Mails sent: 18 before, 17 now.");
        let shorter = said(vec![timeout("5s")]).expect("something was done");
        assert_eq!(
            shorter,
            "At the end of the run: In flight: 0 before, 1 now; Acked: 17 before, 16 now."
        );
    }

    #[test]
    fn a_slider_that_is_dragged_is_compared_with_where_it_stood() {
        let at_once = said(vec![timeout("5s")]);
        assert_eq!(said(vec![timeout("20s"), timeout("9s"), timeout("5s")]), at_once);
        let back = said(vec![timeout("5s"), timeout("30s")]).expect("something was done");
        assert_eq!(back, "At the end of the run every gauge reads as before.");
        // Something else in between is a run of its own.
        let between = said(vec![timeout("5s"), Act::SetSeed(3), timeout("30s")]);
        assert_ne!(between, said(vec![timeout("30s")]));
    }
}
