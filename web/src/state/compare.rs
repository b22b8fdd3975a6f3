//! Another run of the same exhibit, kept beside the one in hand: one seed, one playhead, and where
//! the two part.
//!
//! A link says what the run in hand is and nothing of the other: two sets of changes do not fit into
//! an address beside each other, and whoever opens it can keep a run of their own.

use std::rc::Rc;
use std::sync::Arc;

use player::{Frame, Gauge, Level, Player, Progress, Series};
use scenario::Scenario;
use scenario::wire::Value;
use sim::SimTime;

use super::chart::{Behind, Look};
use super::derived::Derived;
use super::dials::{Dial, dials_in};
use super::gauges::{unit, value};
use super::session::Session;
use super::transcript::cursor_at;
use crate::words::{Names, Words, capital, clock, sentence};

/// The other run.
#[derive(Debug)]
pub struct Other {
    player: Player,
    names: Names,
    document: Value,
    derived: Derived,
    frame: Rc<Frame>,
    /// Where the runs part, and of which states of the two that was found.
    parting: Option<(States, Option<Parting>)>,
}

/// Which states of two runs: the version of each, and how far it is computed.
type States = [(u64, usize); 2];

/// Where two runs part: the first position at which their traces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The position in both traces. One of them may end before.
    pub index: usize,
    /// The moment: that of the earlier of the two events.
    pub at: SimTime,
}

/// What is shown of the other run, besides its lines in charts and on gauges.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// How it is set, where that differs.
    pub settings: Vec<String>,
    /// Where the runs part.
    pub parting: String,
    /// That moment.
    pub at: Option<SimTime>,
    /// How gauges differ at the playhead.
    pub now: String,
    /// How they differ at the end.
    pub ends: String,
    /// What the other's map is called.
    pub map: String,
}

impl Session {
    /// Keeps the run as it stands as the other run.
    #[inline(never)]
    pub(super) fn keep_other(&mut self) {
        let player = self.player.clone();
        self.other = Some(Box::new(Other {
            names: Names::new(Arc::clone(player.scenario())),
            frame: Rc::new(player.frame()),
            document: self.document.clone(),
            derived: Derived::default(),
            parting: None,
            player,
        }));
    }

    /// The other run goes by the seed of the one in hand.
    #[inline(never)]
    pub(super) fn reseed_other(&mut self) {
        let seed = self.player.scenario().seed;
        let Some(other) = &mut self.other else { return };
        let scenario = Scenario { seed, ..Scenario::clone(other.player.scenario()) };
        let interventions = other.player.interventions().to_vec();
        other.player = Player::with_interventions(scenario, interventions);
        other.names = Names::new(Arc::clone(other.player.scenario()));
        (other.derived, other.parting) = (Derived::default(), None);
    }

    /// The other run.
    #[must_use]
    pub fn other(&self) -> Option<&Other> {
        self.other.as_deref()
    }

    /// Whether there is a moment at which the two runs differ, and where. `None` as long as it is
    /// not known.
    pub fn parting(&mut self) -> Option<Parting> {
        let other = self.other.as_mut()?;
        let of = [&self.player, &other.player].map(|it| (it.version(), it.trace().len()));
        match &other.parting {
            Some((known, parting)) if *known == of => *parting,
            _ => {
                let parting = parting(&self.player, &other.player);
                other.parting = Some((of, parting));
                parting
            }
        }
    }
}

impl Other {
    /// Goes on computing it.
    #[inline(never)]
    pub(super) fn compute(&mut self, budget: usize) -> Progress {
        let progress = self.player.advance(budget);
        self.derived.refresh(&self.player);
        progress
    }

    /// Whether it is computed to its end.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.player.progress()
    }

    /// Puts its playhead there.
    #[inline(never)]
    pub(super) fn look(&mut self, now: SimTime) {
        self.player.seek(now);
        self.frame = Rc::new(self.player.frame());
        self.derived.refresh(&self.player);
    }

    /// Whether one of its events lies between its frame and a moment.
    #[inline(never)]
    pub(super) fn passes(&self, now: SimTime) -> bool {
        cursor_at(self.player.trace(), now) != self.frame.events
    }

    /// Its end.
    pub(super) fn end(&self) -> SimTime {
        self.player.end()
    }

    /// Its frame at the playhead.
    #[must_use]
    pub fn frame(&self) -> &Rc<Frame> {
        &self.frame
    }

    /// What its parts are called.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    pub(super) fn series(&mut self, gauge: Gauge) -> &Series {
        self.derived.series(&self.player, gauge)
    }

    /// The moment at which it is looked at: its end, if that has been.
    fn moment(&self, now: SimTime) -> SimTime {
        now.min(self.player.end())
    }

    /// What a gauge of it shows at a moment.
    fn level(&mut self, gauge: Gauge, now: SimTime) -> (Level, SimTime) {
        let at = self.moment(now);
        (self.series(gauge).level_at(at), at)
    }
}

/// The first difference of two runs. Where one is not computed so far, none is known.
fn parting(here: &Player, there: &Player) -> Option<Parting> {
    let (a, b) = (here.trace(), there.trace());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let at = |trace: &[world::TraceEvent]| trace.get(same).map(|event| event.at);
    let over = |player: &Player| player.progress() == Progress::Done;
    let at = match (at(a), at(b)) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) if over(there) => a,
        (None, Some(b)) if over(here) => b,
        _ => return None,
    };
    Some(Parting { index: same, at })
}

/// What the exhibit's gauges read in the other run at the playhead; nothing without one.
#[must_use]
#[inline(never)]
pub fn others(session: &mut Session, words: &Words) -> Vec<String> {
    let (exhibit, now) = (Rc::clone(&session.exhibit), session.now);
    let Some(other) = &mut session.other else { return Vec::new() };
    let read = exhibit.gauges.iter().map(|meter| {
        let (level, at) = other.level(meter.gauge, now);
        value(words, level, at)
    });
    read.collect()
}

/// What a line of a chart reads in the other run, and what it is called.
pub(super) fn reading(
    words: &Words,
    label: &str,
    series: &Series,
    at: SimTime,
    end: SimTime,
) -> (String, String) {
    let at = at.min(end);
    (words.say("chart.other", &[("line", label)]), value(words, series.level_at(at), at))
}

/// A line of a chart in the other run.
pub(super) fn behind(series: &Series, end: SimTime, top: f64) -> Behind {
    let area = (0.0, super::PLOT.0, 0.0, super::PLOT.1);
    let drawn = super::gauges::Spark::within(area, 600, series, end, end, top);
    Behind { look: Look::Other, path: drawn.past }
}

/// The two runs in words. `None` if no other run is kept.
#[must_use]
#[inline(never)]
pub fn compared(session: &mut Session, words: &Words) -> Option<Compared> {
    session.other.as_ref()?;
    let found = session.parting();
    let now = session.now;
    let at_now = differences(session, words, now, now);
    let (end, over) = (session.end(), session.progress() == Progress::Done);
    let other = session.other.as_ref()?;
    let (its_end, its_over) = (other.player.end(), other.progress() == Progress::Done);
    let ends =
        if over && its_over { differences(session, words, end, its_end) } else { Vec::new() };
    let sentence = |list: Vec<String>, key: &str, none: &str| {
        if list.is_empty() {
            words.text(none)
        } else {
            words.say(key, &[("list", &list.join("; "))])
        }
    };
    let known = over && its_over;
    Some(Compared {
        settings: settings(session, words),
        parting: match found {
            Some(parting) => parts(session, words, parting),
            None if known => words.text("compare.same"),
            None => words.text("compare.waiting"),
        },
        at: found.map(|parting| parting.at),
        now: sentence(at_now, "compare.now", "compare.now.same"),
        ends: if known {
            sentence(ends, "compare.ends", "compare.ends.same")
        } else {
            String::new()
        },
        map: words.say("compare.map", &[("at", &clock(now))]),
    })
}

/// "The runs part at 0:34.2. Here: …. There: …."
fn parts(session: &Session, words: &Words, parting: Parting) -> String {
    let Some(other) = &session.other else { return String::new() };
    let told = |player: &Player, names: &Names| match player.trace().get(parting.index) {
        Some(event) => {
            let said = sentence(names, player.trace(), parting.index).say(words);
            let said = crate::words::unmarked(&said);
            if event.at == parting.at {
                return said;
            }
            words.say("compare.later", &[("what", &said), ("at", &clock(event.at))])
        }
        None => capital(&words.text("compare.over")),
    };
    let here = told(&session.player, &session.names);
    let there = told(&other.player, &other.names);
    let names = [("at", clock(parting.at)), ("here", here), ("there", there)];
    let names: Vec<_> = names.iter().map(|(name, value)| (*name, value.as_str())).collect();
    words.say("compare.parting", &names)
}

/// Each gauge that reads otherwise in the other run.
fn differences(session: &mut Session, words: &Words, here: SimTime, there: SimTime) -> Vec<String> {
    let exhibit = Rc::clone(&session.exhibit);
    let mut all = Vec::new();
    for meter in &exhibit.gauges {
        let own = value(words, session.series(meter.gauge).level_at(here), here);
        let Some(other) = &mut session.other else { continue };
        let (level, at) = other.level(meter.gauge, there);
        let its = value(words, level, at);
        if own != its {
            let unit = match meter.gauge {
                Gauge::Acked(_) => String::new(),
                gauge => unit(session, words, gauge),
            };
            let [own, its] = [own, its].map(|it| [&it, " ", unit.as_str()].concat());
            let (own, its) = (own.trim(), its.trim());
            let names = [("label", meter.label.as_str()), ("here", own), ("there", its)];
            all.push(words.say("compare.gauge", &names));
        }
    }
    all
}

/// How the other run is set, where that is not as here.
fn settings(session: &Session, words: &Words) -> Vec<String> {
    let Some(other) = &session.other else { return Vec::new() };
    let dials = |document: &Value| dials_in(&session.exhibit, document, words);
    let differ = |(own, its): &(Dial, Dial)| own.shown != its.shown;
    let pairs = dials(&session.document).into_iter().zip(dials(&other.document)).filter(differ);
    let mut all: Vec<String> = pairs
        .map(|(own, its)| {
            let names =
                [("label", its.label.as_str()), ("here", &own.shown), ("there", &its.shown)];
            words.say("compare.gauge", &names)
        })
        .collect();
    let [own, its] = [&session.player, &other.player].map(Player::interventions);
    let only = |those: &[scenario::Intervention], not: &[scenario::Intervention]| {
        those.iter().filter(|it| !not.contains(it)).count() as u64
    };
    for (key, n) in [("compare.done.here", only(own, its)), ("compare.done.there", only(its, own))]
    {
        if n > 0 {
            all.push(words.count(key, n, &[]));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Act, MarkSort, charts, marks, readings};
    use crate::testing::{opened, words};

    fn finish(session: &mut Session) {
        while session.compute(usize::MAX) == Progress::Running {}
    }

    #[test]
    fn two_runs_that_are_the_same_are_said_to_be() {
        let (mut session, words) = (opened("event-life"), words());
        assert_eq!(compared(&mut session, &words), None);
        session.act(Act::KeepOther);
        let shown = compared(&mut session, &words).expect("a run is kept");
        assert_eq!(shown.parting, words.text("compare.same"));
        assert_eq!((shown.at, shown.settings.len()), (None, 0));
        assert_eq!(shown.ends, words.text("compare.ends.same"));
        session.act(Act::DropOther);
        assert_eq!(compared(&mut session, &words), None);
    }

    #[test]
    fn the_runs_part_where_something_is_done_to_one_of_them() {
        let (mut session, words) = (opened("event-life"), words());
        session.act(Act::KeepOther);
        let at = SimTime::from_secs(22);
        session.act(Act::Seek(at));
        session.act(Act::Break(0));
        finish(&mut session);
        let shown = compared(&mut session, &words).expect("a run is kept");
        assert_eq!(shown.at, Some(at));
        assert!(shown.parting.starts_with("The runs part at 0:22.0. Here: "), "{}", shown.parting);
        assert!(shown.parting.contains("dies"), "{}", shown.parting);
        assert_eq!(shown.settings, ["Done here and not there: one thing."]);
        let parting = |mark: &&super::super::Mark| mark.sort == MarkSort::Parting;
        let all = marks(&mut session, &words);
        let mark = all.iter().find(parting).expect("a mark on the scrubber");
        assert_eq!((mark.at, mark.act.clone()), (at, Act::Seek(at)));
        // The trace before that moment is the same, and the event there is not.
        let index = session.parting().expect("they part").index;
        let other = session.other().expect("a run is kept");
        assert_eq!(session.player().trace()[..index], other.player.trace()[..index]);
        assert_ne!(session.player().trace().get(index), other.player.trace().get(index));
    }

    #[test]
    fn playheads_go_together_and_gauges_stand_beside_each_other() {
        let (mut session, words) = (opened("event-life"), words());
        let before = readings(&mut session, &words);
        assert!(before.iter().all(|reading| reading.other.is_none()));
        session.act(Act::KeepOther);
        let pointer = "/components/alerts/visibility_timeout".to_owned();
        session.act(Act::Change { pointer, value: Value::text("5s") });
        finish(&mut session);
        for seconds in [0, 30, 50, 3_000] {
            session.act(Act::Seek(SimTime::from_secs(seconds)));
            let now = session.now();
            let mut alone = opened("event-life");
            alone.act(Act::Seek(now));
            let alone: Vec<_> =
                readings(&mut alone, &words).into_iter().map(|it| it.value).collect();
            let others: Vec<_> =
                readings(&mut session, &words).into_iter().filter_map(|it| it.other).collect();
            assert_eq!(others, alone, "{seconds}");
        }
        let shown = compared(&mut session, &words).expect("a run is kept");
        assert!(shown.settings[0].contains("5.0 s here, 30 s there"), "{:?}", shown.settings);
        assert!(shown.ends.contains("In flight: 1 here, 0 there"), "{}", shown.ends);
    }

    #[test]
    fn another_seed_is_another_for_both() {
        let (mut session, words) = (opened("event-life"), words());
        session.act(Act::KeepOther);
        session.act(Act::SetSeed(77));
        finish(&mut session);
        assert_eq!(session.other().map(|other| other.player.scenario().seed), Some(77));
        let shown = compared(&mut session, &words).expect("a run is kept");
        assert_eq!(shown.parting, words.text("compare.same"));
        session.act(Act::Reset);
        assert!(session.other().is_some(), "what was kept is put away by hand only");
    }

    #[test]
    fn each_line_of_a_chart_has_the_others_behind_it() {
        let (mut session, words) = (opened("whole-fleet"), words());
        session.act(Act::KeepOther);
        for chart in charts(&mut session, &words) {
            assert_eq!(chart.behind.len(), chart.lines.len());
            assert!(chart.behind.iter().all(|all| all.len() == 1 && !all[0].path.is_empty()));
            for (line, behind) in chart.lines.iter().zip(&chart.behind) {
                assert_eq!(behind[0].look, Look::Other);
                assert!(!line.past.is_empty());
            }
        }
    }
}
