//! Sources: a message comes into being when its source sends it.

use broker::MessageId;
use scenario::{ComponentId, Field, Kind, Source, Target, limits};
use sim::{Rank, SimDuration, SimTime};

use crate::fault::Found;
use crate::request::{Origin, Request, RequestPhase};
use crate::world::{Context, Event};
use crate::{Message, What, World};

impl World {
    /// Asks a source's schedule for its next departure.
    pub(crate) fn schedule_departure(&mut self, source: ComponentId) {
        let state = self.source_mut(source);
        let next = state.clock.next(&mut state.arrivals);
        state.next = next.map(|scheduled| state.pace.time_of(scheduled));
        state.scheduled = next.unwrap_or(state.scheduled);
        self.calendar_departure(source);
    }

    fn calendar_departure(&mut self, source: ComponentId) {
        let ticket = self.ticket();
        let state = self.source_mut(source);
        state.ticket = ticket;
        if let Some(at) = state.next {
            self.schedule(at, Rank::Arrival, Event::Departure { source, ticket });
        }
    }

    /// A source's schedule goes by faster, or slower, for a while.
    pub(crate) fn spike(
        &mut self,
        cx: &mut Context,
        source: ComponentId,
        percent: u32,
        lasts: SimDuration,
    ) -> Found {
        let until = self.now + lasts;
        if self.source_mut(source).next.is_none() {
            return Found::Nothing;
        }
        self.change_pace(source, percent, Some(until));
        self.schedule(until, Rank::Timer, Event::SpikeEnds { source, until });
        self.emit(cx, What::SpikeBegan { source, percent, until });
        Found::Something
    }

    /// The end of a spike, unless another has begun meanwhile.
    pub(crate) fn spike_ends(&mut self, cx: &mut Context, source: ComponentId, until: SimTime) {
        if self.source_mut(source).pace.until == Some(until) {
            self.change_pace(source, 100, None);
            self.emit(cx, What::SpikeEnded { source });
        }
    }

    fn change_pace(&mut self, source: ComponentId, percent: u32, until: Option<SimTime>) {
        let now = self.now;
        let state = self.source_mut(source);
        state.pace = state.pace.change(now, percent, until);
        if state.next.is_some() {
            state.next = Some(state.pace.time_of(state.scheduled).max(now));
            self.calendar_departure(source);
        }
    }

    /// A source sends: a message is made, and a request about it leaves.
    pub(crate) fn depart(&mut self, cx: &mut Context, source: ComponentId, ticket: u32) {
        let Kind::Source(spec) = &cx.scenario.component(source).kind else { return };
        if self.source_mut(source).ticket != ticket {
            return;
        }
        if self.messages.len() >= limits::MESSAGES.max {
            return;
        }
        let state = self.source_mut(source);
        let nth = state.sent;
        state.sent += 1;
        let message = self.make_message(source, spec, nth);
        match &spec.caller {
            Some(waits) => self.ask(cx, source, spec, waits, message),
            None => self.send_request(cx, source, spec, message, Origin::Source),
        }
        self.schedule_departure(source);
    }

    /// A request about a message leaves a source.
    pub(crate) fn send_request(
        &mut self,
        cx: &mut Context,
        source: ComponentId,
        spec: &Source,
        message: MessageId,
        origin: Origin,
    ) {
        let travel = spec.travel.sample(&mut self.source_mut(source).travel);
        match spec.to {
            Target::Service(service, _) => {
                self.emit(cx, What::Requested { source, service, message });
            }
            Target::Queue(queue) => self.emit(cx, What::Published { by: source, queue, message }),
        }
        self.request_leaves(source, origin, spec.to, message, travel);
    }

    /// A request leaves for its target.
    pub(crate) fn request_leaves(
        &mut self,
        source: ComponentId,
        origin: Origin,
        target: Target,
        message: MessageId,
        travel: SimDuration,
    ) {
        let until = self.now + travel;
        let request = self.requests.insert(Request {
            source,
            origin,
            target,
            message,
            phase: RequestPhase::Travelling,
            since: self.now,
            until,
        });
        self.schedule(until, Rank::Arrival, Event::Request { request });
    }

    fn make_message(&mut self, source: ComponentId, spec: &Source, nth: u32) -> MessageId {
        let payload = match u32::try_from(spec.messages.len()) {
            Ok(count) if count > 0 => Some(match &spec.shares {
                Some(shares) => {
                    let chosen = shares.draw(&mut self.source_mut(source).picks);
                    u32::try_from(chosen).unwrap_or(0).min(count - 1)
                }
                None => nth % count,
            }),
            _ => None,
        };
        let key = self.key_of(spec, payload);
        self.add_message(Message::new(source, payload, key, self.now))
    }

    /// A handler sends on what a message carries, as a message of its own.
    pub(crate) fn copy_message(&mut self, of: MessageId) -> MessageId {
        if self.messages.len() >= limits::MESSAGES.max {
            self.crossed = Some(limits::MESSAGES.name);
            return of;
        }
        let event = Some(self.messages.event(of));
        let original = &self.messages[of];
        let (source, payload, key) = (original.source, original.payload, original.key);
        let copy = Message {
            parent: Some(of),
            event,
            schema: original.schema,
            kind: original.kind,
            ..Message::new(source, payload, key, self.now)
        };
        self.add_message(copy)
    }

    pub(crate) fn add_message(&mut self, message: Message) -> MessageId {
        let id = self.messages.push(message);
        if let Ok(position) = self.poison_later.binary_search(&id) {
            self.poison_later.remove(position);
            self.messages[id].poison = true;
        }
        id
    }

    /// The number of a payload's ordering key; a new key gets the next number.
    fn key_of(&mut self, spec: &Source, payload: Option<u32>) -> u16 {
        let field = match (&spec.key, payload) {
            (Some(name), Some(index)) => spec.messages[index as usize].field(name),
            _ => None,
        };
        let number;
        let key = match field {
            Some(Field::Text(text)) => text.as_str(),
            Some(Field::Number(value)) => {
                number = scenario::wire::number_text(*value);
                &number
            }
            None => "",
        };
        u16::try_from(self.number_of(key)).unwrap_or(u16::MAX)
    }
}
