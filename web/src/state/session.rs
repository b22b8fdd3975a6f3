//! A session: one exhibit in a learner's hands.
//!
//! It holds the run, where the playhead is, what is followed and inspected, and what is wrong. All
//! of it that matters to somebody else fits in a link ([`Session::run_state`]).

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use broker::MessageId;
use course::{Exhibit, View};
use explore::Explorer;
use player::sweep::Sweep;
use player::{ComponentFrame, Frame, Gauge, Life, Player, Progress, Series};
use scenario::link::RunState;
use scenario::wire::{Diagnostic, Pointer, Value, number_text};
use scenario::{ComponentId, Field, Kind, TYPE_FIELD};
use sim::SimTime;

use super::changed::Ends;
use super::compare::Other;
use super::derived::Derived;
use super::predict::Guess;
use super::story::Told;
use super::transcript::cursor_at;
use super::{Filter, Inspected, Speed};
use crate::words::Names;

/// So many messages are looked at for their keys: whoever has more keys has shown enough of them.
const LOOKED_AT: usize = 1_000;

/// Calendar events computed at once: some milliseconds of work, so that a page stays awake.
pub const SLICE: usize = 50_000;

/// Whether virtual time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    /// It does.
    Yes,
    /// It is held.
    No,
}

/// How playback shows the time between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Tokens move.
    #[default]
    Full,
    /// From event to event, each held for a while.
    Steps,
}

/// One exhibit in a learner's hands.
#[derive(Debug)]
pub struct Session {
    pub(super) exhibit: Rc<Exhibit>,
    pub(super) player: Player,
    pub(super) names: Names,
    /// The scenario's document with the changes in it.
    pub(super) document: Value,
    /// Settings that differ from the exhibit's, by place.
    pub(super) changes: Vec<(Pointer, Value)>,
    pub(super) frame: Rc<Frame>,
    pub(super) beats: Vec<Told>,
    pub(super) derived: Derived,
    pub(super) now: SimTime,
    pub(super) playing: Playing,
    pub(super) motion: Motion,
    pub(super) speed: Speed,
    /// Screen milliseconds that the current frame has been held, when motion is in steps.
    pub(super) held_ms: f64,
    pub(super) followed: Option<MessageId>,
    pub(super) inspected: Option<Inspected>,
    pub(super) filter: Filter,
    /// How the run before the last change ended.
    pub(super) before: Option<Ends>,
    /// The answer to the question that is asked before the run is played, if the exhibit has one.
    pub(super) guess: Option<Box<Guess>>,
    /// The same under many seeds, if that was asked for.
    pub(super) sweep: Option<Box<Sweep>>,
    /// A crash at each border of each handler, if that was asked for.
    pub(super) matrix: Option<Box<Explorer>>,
    /// The run that this one is compared with, if one is kept.
    pub(super) other: Option<Box<Other>>,
    /// Which of the exhibit's views is shown.
    pub(super) view: View,
    /// The first message of the timeline, if one was asked for.
    pub(super) rows_from: Option<u32>,
    pub(super) notices: Vec<Diagnostic>,
    /// How many beats were reached by playing or stepping.
    pub(super) reached: usize,
    pub(super) seen_to_the_end: bool,
}

impl Session {
    /// Opens an exhibit at its first moment.
    #[must_use]
    pub fn open(exhibit: Rc<Exhibit>) -> Session {
        let player = Player::new(Arc::clone(&exhibit.scenario));
        let speed = Speed::Times(exhibit.pace);
        let mut session = Session {
            names: Names::new(Arc::clone(player.scenario())),
            frame: Rc::new(player.frame()),
            document: exhibit.document.clone(),
            followed: exhibit.follow,
            player,
            exhibit,
            changes: Vec::new(),
            beats: Vec::new(),
            derived: Derived::default(),
            now: SimTime::ZERO,
            playing: Playing::No,
            motion: Motion::Full,
            speed,
            held_ms: 0.0,
            inspected: None,
            filter: Filter::HandOvers,
            before: None,
            guess: None,
            sweep: None,
            matrix: None,
            other: None,
            view: View::Topology,
            rows_from: None,
            notices: Vec::new(),
            reached: 0,
            seen_to_the_end: false,
        };
        session.guess = session.exhibit.predict.as_ref().map(|_| Box::default());
        session.compute(SLICE);
        session.look(SimTime::ZERO);
        session
    }

    /// Goes on computing the run, at most `budget` events of it. The story is looked for in the
    /// first slice, so that there is one to show, and once more in the whole.
    pub fn compute(&mut self, budget: usize) -> Progress {
        let mut progress = self.player.advance(budget);
        self.derived.refresh(&self.player);
        if progress == Progress::Done || self.beats.is_empty() {
            let trace = self.player.trace();
            self.beats = Told::find(&self.exhibit.story, self.player.scenario(), trace);
        }
        if let Some(other) = self.other.as_mut().filter(|it| it.progress() == Progress::Running)
            && other.compute(budget) == Progress::Running
        {
            progress = Progress::Running;
        }
        progress
    }

    /// Whether the run is computed to its end.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.player.progress()
    }

    /// The exhibit.
    #[must_use]
    pub fn exhibit(&self) -> &Rc<Exhibit> {
        &self.exhibit
    }

    /// What the parts of the scenario are called.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The frame at the playhead, true from its last event until the next.
    #[must_use]
    pub fn frame(&self) -> &Rc<Frame> {
        &self.frame
    }

    /// The run.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The playhead.
    #[must_use]
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// The end of the run.
    #[must_use]
    pub fn end(&self) -> SimTime {
        self.player.end()
    }

    /// Whether virtual time runs.
    #[must_use]
    pub fn playing(&self) -> Playing {
        self.playing
    }

    /// How fast.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// How the time between two events is shown.
    #[must_use]
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// Sets how the time between two events is shown.
    pub fn show_motion(&mut self, motion: Motion) {
        self.motion = motion;
    }

    /// The message that is followed.
    #[must_use]
    pub fn followed(&self) -> Option<MessageId> {
        self.followed
    }

    /// What is inspected.
    #[must_use]
    pub fn inspected(&self) -> Option<Inspected> {
        self.inspected
    }

    /// Which lines of the transcript are shown.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.filter
    }

    /// Which of the exhibit's views is shown.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// The views that there are to choose from. Transcript, traces and the crash matrix stand beside
    /// each of them.
    #[must_use]
    pub fn views(&self) -> Vec<View> {
        let beside = |view: &View| matches!(view, View::Transcript | View::Traces | View::Matrix);
        self.exhibit.views.iter().copied().filter(|view| !beside(view)).collect()
    }

    /// What is wrong.
    #[must_use]
    pub fn notices(&self) -> &[Diagnostic] {
        &self.notices
    }

    /// The beats of the story that happen in this run, by time.
    #[must_use]
    pub fn beats(&self) -> &[Told] {
        &self.beats
    }

    /// The scenario's document as it stands.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The key of a message, from 0.
    #[must_use]
    pub fn key_of(&self, message: MessageId) -> u16 {
        self.player.head().messages().get(message).map_or(0, |message| message.key)
    }

    /// The keys that messages carry, with their names: at most so many, of the first messages.
    #[must_use]
    pub fn keys(&self, most: usize) -> Vec<(u16, String)> {
        let world = self.player.head();
        let mut carried: Vec<u16> = Vec::new();
        for message in world.messages().iter().take(LOOKED_AT) {
            if carried.len() < most && !carried.contains(&message.key) {
                carried.push(message.key);
            }
        }
        let name = |key: u16| world.keys().get(usize::from(key)).cloned();
        let named = carried.into_iter().filter_map(|key| Some((key, name(key)?)));
        named.filter(|(_, name)| !name.is_empty()).collect()
    }

    /// What a message carries, as names and texts. Its type is what the line says that published it.
    #[must_use]
    pub fn carries(&self, message: MessageId) -> Vec<(&str, String)> {
        let scenario = self.player.scenario();
        let Some(message) = self.player.head().messages().get(message) else { return Vec::new() };
        let body = match &scenario.component(message.source).kind {
            Kind::Source(source) => message.payload.and_then(|at| source.messages.get(at as usize)),
            _ => None,
        };
        let said = message.kind.map(|kind| (TYPE_FIELD, field_text(&scenario.types[kind.index()])));
        let other = |name: &str| said.is_none() || name != TYPE_FIELD;
        let fields = body.into_iter().flat_map(|body| &body.fields);
        let fields = fields.filter(|(name, _)| other(name));
        let fields: Vec<_> = fields.map(|(name, it)| (name.as_str(), field_text(it))).collect();
        said.into_iter().chain(fields).collect()
    }

    /// A gauge over the run.
    pub fn series(&mut self, gauge: Gauge) -> &Series {
        self.derived.series(&self.player, gauge)
    }

    /// The life of the followed message.
    pub fn life(&mut self) -> Option<&Life> {
        let followed = self.followed?;
        Some(self.derived.life(&self.player, followed))
    }

    /// The lives of the messages at these positions.
    pub fn lives(&mut self, positions: Range<u32>) -> Rc<[Life]> {
        self.derived.lives(&self.player, positions)
    }

    /// How often the followed message has been received at the playhead, and how often it may be.
    /// Without such a limit every copy of it counts, and every read of a record.
    #[must_use]
    pub fn receives(&mut self) -> (u32, Option<u32>) {
        let message = self.followed.and_then(|id| self.player.world().messages().get(id));
        let Some(message) = message else { return (0, None) };
        let of = message.queue.and_then(|id| {
            let now = match &self.frame.components[id.index()] {
                ComponentFrame::Queue(queue) => queue.in_force,
                _ => None,
            };
            match (&self.player.scenario().component(id).kind, now) {
                (Kind::Queue(_), Some(now)) => now.receives,
                (Kind::Queue(queue), None) => queue.receives(),
                _ => None,
            }
        });
        let (own, now) = (message.receives, self.now);
        let takes = match self.life() {
            Some(life) if of.is_none() => super::strip::takes(life, now),
            _ => 0,
        };
        (own.max(takes), of)
    }

    /// The lines of the handler, or the steps of the saga, that the exhibit lets one reorder.
    #[must_use]
    pub fn program(&self) -> Vec<String> {
        let Some(group) = self.reorderable() else { return Vec::new() };
        match &self.player.scenario().component(group).kind {
            Kind::Workers(workers) => workers.on_message.steps[..workers.on_message.main]
                .iter()
                .map(|step| step.label.clone())
                .collect(),
            Kind::Orchestrator(it) => it.steps.iter().map(|step| step.name.clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether what the exhibit lets one reorder is the steps of a saga, which no train carries
    /// about on the map.
    #[must_use]
    pub fn reorders_saga(&self) -> bool {
        let of = self.reorderable().map(|of| &self.player.scenario().component(of).kind);
        matches!(of, Some(Kind::Orchestrator(_)))
    }

    /// The workers or the conductor whose lines or steps the exhibit lets one reorder.
    #[must_use]
    pub fn reorderable(&self) -> Option<ComponentId> {
        let name = self.exhibit.reorder.as_ref()?.tokens().nth(1)?;
        self.player.scenario().find(name)
    }

    /// Everything that a link must say.
    #[must_use]
    pub fn run_state(&self) -> RunState {
        let scenario = self.player.scenario();
        let mut left = self.exhibit.scenario.interventions.clone();
        let mut kept = Vec::new();
        let mut own = Vec::new();
        for intervention in self.player.interventions() {
            match left.iter().position(|given| given == intervention) {
                Some(at) => kept.push(left.remove(at)),
                None => own.push(intervention.to_value(scenario)),
            }
        }
        let mut changes = self.changes.clone();
        if !left.is_empty() {
            let list = kept.iter().map(|intervention| intervention.to_value(scenario));
            changes.push((interventions_place(), Value::list(list)));
        }
        RunState {
            seed: (scenario.seed != self.exhibit.scenario.seed).then(|| scenario.seed.to_string()),
            changes,
            interventions: own,
            at: (self.now > SimTime::ZERO).then_some(self.now),
            follow: self.followed.map(MessageId::number),
        }
    }

    /// Moves the playhead and looks.
    pub(super) fn look(&mut self, now: SimTime) {
        self.now = now.min(self.player.end());
        self.player.seek(self.now);
        self.frame = Rc::new(self.player.frame());
        if let Some(other) = &mut self.other {
            other.look(self.now);
        }
        self.held_ms = 0.0;
    }

    /// How many events have happened at the playhead.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.frame.events
    }

    /// Whether an event lies between the frame in hand and a moment.
    pub(super) fn passes(&self, now: SimTime) -> bool {
        cursor_at(self.player.trace(), now) != self.frame.events
            || self.other.as_ref().is_some_and(|other| other.passes(now))
    }

    /// Makes the run anew from a state, and keeps the playhead and the view.
    ///
    /// # Errors
    /// What is wrong with the scenario that the state makes; the run in hand is then untouched.
    pub(super) fn run_again(&mut self, state: &RunState) -> Result<(), Vec<Diagnostic>> {
        let (document, scenario) = self.exhibit.restored(state)?;
        self.document = document;
        self.changes =
            state.changes.iter().filter(|(p, _)| *p != interventions_place()).cloned().collect();
        self.player = Player::new(scenario);
        self.names = Names::new(Arc::clone(self.player.scenario()));
        self.derived = Derived::default();
        self.beats.clear();
        self.compute(SLICE);
        self.look(self.now);
        Ok(())
    }
}

/// Where a scenario keeps its interventions.
fn interventions_place() -> Pointer {
    Pointer::root().join("interventions")
}

/// A field of a payload as text.
#[must_use]
fn field_text(field: &Field) -> String {
    match field {
        Field::Text(text) => text.clone(),
        Field::Number(number) => number_text(*number),
    }
}
