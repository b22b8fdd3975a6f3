//! What each act does to a session, and what there is to say about it.

use scenario::Intervention;
use scenario::link::RunState;
use scenario::wire::{Diagnostic, Pointer, Value};
use sim::SimTime;

use super::session::SLICE;
use super::{Act, Filter, Inspected, Playing, Response, Session, offers, story};

impl Session {
    /// Does one thing. What came of it is returned for those around the session.
    pub fn act(&mut self, act: Act) -> Vec<Response> {
        if !act.remakes() {
            return self.do_it(act);
        }
        if !matches!(act, Act::SetSeed(_)) {
            self.sweep = None;
        }
        self.note_ends(&act);
        let responses = self.do_it(act);
        self.heed_refusal(&responses);
        self.keep_matrix();
        responses
    }

    fn do_it(&mut self, act: Act) -> Vec<Response> {
        match act {
            Act::Play | Act::Pause | Act::Toggle => self.playback(&act),
            Act::SetSpeed(speed) => self.speed = speed,
            Act::Faster => self.speed = self.speed.faster(),
            Act::Slower => self.speed = self.speed.slower(),
            Act::Follow(message) => self.follow(message),
            Act::Inspect(what) => self.inspect(what),
            Act::SetFilter(filter) => self.filter = filter,
            Act::Show(view) => self.view = view,
            Act::ShowRows(first) => self.rows_from = Some(first),
            Act::Dismiss => self.notices.clear(),
            Act::Sweep(count) => self.begin_sweep(count),
            Act::StopSweep => self.stop_sweep(),
            Act::DropSweep => self.sweep = None,
            Act::Predict
            | Act::AskFirst
            | Act::Guess(_)
            | Act::GuessNumber(_)
            | Act::CommitGuess
            | Act::SkipGuess => self.foretell(act),
            Act::KeepOther => self.keep_other(),
            Act::DropOther => self.other = None,
            Act::Explore => self.explore(),
            Act::StopExploring => self.stop_exploring(),
            Act::DropMatrix => self.matrix = None,
            Act::OpenCell(row, column) => return self.open_cell(row, column),
            Act::OpenBreach(property) => return self.open_breach(property),
            Act::Complain(what) => return self.complain(vec![what]),
            Act::Break(position) => return self.break_something(position),
            Act::TakeBack(index) => return self.take_back(index),
            Act::Change { pointer, value } => return self.change(&pointer, value),
            Act::Reorder { from, to } => return self.reorder(from, to),
            Act::SetSeed(seed) => {
                let state = RunState { seed: Some(seed.to_string()), ..self.run_state() };
                let said = Response::Say("said.seed", vec![("seed", seed.to_string())]);
                let responses = self.again(&state, said);
                if self.other.is_some() {
                    self.reseed_other();
                    self.look(self.now);
                }
                return responses;
            }
            Act::Reset => return self.reset(),
            Act::Restore(link) => return self.restore(&link),
            _ => return self.move_playhead(&act),
        }
        Vec::new()
    }

    fn playback(&mut self, act: &Act) {
        let play = match act {
            Act::Play => Playing::Yes,
            Act::Pause => Playing::No,
            _ if self.playing == Playing::Yes => Playing::No,
            _ => Playing::Yes,
        };
        if play == Playing::Yes && self.now >= self.end() {
            self.look(SimTime::ZERO);
        }
        self.playing = play;
    }

    pub(super) fn follow(&mut self, message: Option<broker::MessageId>) {
        self.followed = message;
        self.filter = match (self.filter, message) {
            (Filter::Of(_), Some(message)) => Filter::Of(message),
            (Filter::Of(_), None) => Filter::HandOvers,
            (other, _) => other,
        };
    }

    /// A message that is clicked is followed; a component is inspected.
    fn inspect(&mut self, what: Option<Inspected>) {
        self.inspected = what;
        if let Some(Inspected::Message(message)) = what {
            self.follow(Some(message));
        }
    }

    /// Acts that put the playhead somewhere. All but a scrub hold virtual time.
    fn move_playhead(&mut self, act: &Act) -> Vec<Response> {
        self.playing = Playing::No;
        self.rows_from = None;
        let to = match *act {
            Act::ToStart => Some(SimTime::ZERO),
            Act::ToEnd => Some(self.end()),
            Act::Seek(to) => Some(to),
            Act::Step => self.player.trace().get(self.frame.events).map(|event| event.at),
            Act::StepBack => self.before(),
            Act::SeekEvent(index) => self.player.trace().get(index).map(|event| event.at),
            Act::NextBeat => story::next_after(&self.beats, self.now),
            Act::PreviousBeat => story::previous_before(&self.beats, self.now),
            Act::ToNext(sought) => {
                let trace = self.player.trace();
                let found = trace[self.frame.events..].iter().find(|e| sought.is(&e.what));
                match found.map(|event| event.at) {
                    Some(at) => Some(at),
                    None => return vec![Response::Say("said.no_next", Vec::new())],
                }
            }
            _ => None,
        };
        let Some(to) = to else { return Vec::new() };
        let before = self.now;
        self.look(to);
        let mut out = vec![Response::Moved];
        if matches!(act, Act::Step | Act::ToNext(_) | Act::NextBeat) {
            self.pass(before, &mut out);
        }
        out
    }

    /// The moment of the last event before those of the moment in hand.
    fn before(&self) -> Option<SimTime> {
        let trace = self.player.trace();
        let here = trace[..self.frame.events].last()?.at;
        if here < self.now {
            return Some(here);
        }
        let earlier = trace[..self.frame.events].iter().rev().find(|event| event.at < here);
        Some(earlier.map_or(SimTime::ZERO, |event| event.at))
    }

    fn break_something(&mut self, position: usize) -> Vec<Response> {
        let Some(action) = offers::aim(self, position) else {
            return vec![Response::Say("said.cannot", Vec::new())];
        };
        let done = Intervention { at: self.now, action: action.clone() };
        self.player.intervene(action);
        self.settle();
        vec![Response::Did(done)]
    }

    fn take_back(&mut self, index: usize) -> Vec<Response> {
        let Some(taken) = self.player.take_back(index) else { return Vec::new() };
        self.settle();
        vec![Response::Undid(taken)]
    }

    /// The run has changed under the playhead: compute what follows, and look again.
    fn settle(&mut self) {
        self.seen_to_the_end = false;
        self.beats.clear();
        self.compute(SLICE);
        self.look(self.now);
    }

    fn change(&mut self, pointer: &str, value: Value) -> Vec<Response> {
        let place = match Pointer::parse(pointer) {
            Ok(place) => place,
            Err(wrong) => return self.complain(vec![wrong]),
        };
        let mut state = self.run_state();
        let own = self.exhibit.document.at(&place) == Some(&value);
        state.changes.retain(|(at, _)| *at != place);
        if !own {
            state.changes.push((place, value));
        }
        self.again(&state, Response::Say("said.changed", Vec::new()))
    }

    fn reorder(&mut self, from: usize, to: usize) -> Vec<Response> {
        let Some(place) = self.exhibit.reorder.clone() else { return Vec::new() };
        let lines = self.document.at(&place).and_then(Value::as_list);
        let Some(lines) = lines else { return Vec::new() };
        if from >= lines.len() || to >= lines.len() || from == to {
            return Vec::new();
        }
        let mut lines = lines.to_vec();
        let line = lines.remove(from);
        lines.insert(to, line);
        self.change(&place.to_string(), Value::List(lines))
    }

    fn reset(&mut self) -> Vec<Response> {
        self.now = SimTime::ZERO;
        self.playing = Playing::No;
        self.notices.clear();
        self.followed = self.exhibit.follow;
        self.inspected = None;
        self.filter = Filter::HandOvers;
        self.again(&RunState::default(), Response::Say("said.reset", Vec::new()))
    }

    fn restore(&mut self, link: &str) -> Vec<Response> {
        let state = match RunState::decode(link) {
            Ok(state) => state,
            Err(wrong) => return self.complain(wrong),
        };
        self.playing = Playing::No;
        self.now = state.at.unwrap_or(SimTime::ZERO);
        let follow = state.follow.and_then(|number| number.checked_sub(1));
        self.follow(follow.map(broker::MessageId::from_index));
        self.again(&state, Response::Say("said.restored", Vec::new()))
    }

    /// Runs again from a state; if that cannot be, the run in hand stays and the notices say why.
    pub(super) fn again(&mut self, state: &RunState, said: Response) -> Vec<Response> {
        self.seen_to_the_end = false;
        match self.run_again(state) {
            Ok(()) => {
                // What was wrong with the scenario is not wrong with this one.
                self.notices.retain(|notice| !notice.path.starts_with('/'));
                vec![said]
            }
            Err(wrong) => self.complain(wrong),
        }
    }

    pub(super) fn complain(&mut self, wrong: Vec<Diagnostic>) -> Vec<Response> {
        for notice in &wrong {
            if !self.notices.contains(notice) {
                self.notices.push(notice.clone());
            }
        }
        wrong.into_iter().map(Response::Wrong).collect()
    }
}
