//! A choreographed saga: nobody conducts; each service reacts to events and tells its own.
//!
//! The flow is nowhere written down, so it can hold circles that nobody meant: [`Choreography::circle`]
//! finds one. A service that swallows an error acks the event and tells nothing, and the flow stops
//! without a trace.

use sim::short::OrderedSet;

/// An event by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKind(pub u16);

/// What a service does when it hears an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reaction {
    /// Which service, by number.
    pub service: u16,
    /// What it hears.
    pub on: EventKind,
    /// What it tells when its work succeeds.
    pub success: Option<EventKind>,
    /// What it tells when its work fails: others compensate on hearing it.
    pub failure: Option<EventKind>,
}

/// How the work of a reaction comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// It succeeds.
    Succeeds,
    /// It fails, and the service says so.
    Fails,
    /// It fails, and the service says nothing: a swallowed exception.
    Swallowed,
}

/// Services and their reactions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choreography {
    reactions: Vec<Reaction>,
}

/// What an event brought about: which reactions, in order, and what was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Course {
    /// The reactions, by their place in the list.
    pub reactions: Vec<usize>,
    /// The events, the first one included.
    pub events: Vec<EventKind>,
    /// Whether it was cut off at the limit: a circle.
    pub cut: Option<usize>,
}

impl Choreography {
    /// These reactions.
    #[must_use]
    pub fn new(reactions: &[Reaction]) -> Self {
        Self { reactions: reactions.to_vec() }
    }

    /// What comes of an event, each event heard by all who react to it, in the order of the list. At
    /// most `limit` events are followed.
    pub fn play(
        &self,
        first: EventKind,
        limit: usize,
        mut work: impl FnMut(usize, &Reaction) -> Work,
    ) -> Course {
        let mut course = Course { events: vec![first], ..Course::default() };
        let mut heard = 0;
        while let Some(event) = course.events.get(heard).copied() {
            if heard == limit {
                course.cut = Some(limit);
                break;
            }
            heard += 1;
            for (place, reaction) in self.reactions.iter().enumerate() {
                if reaction.on != event {
                    continue;
                }
                course.reactions.push(place);
                course.events.extend(match work(place, reaction) {
                    Work::Succeeds => reaction.success,
                    Work::Fails => reaction.failure,
                    Work::Swallowed => None,
                });
            }
        }
        course
    }

    /// A circle of events that could go round for ever, if there is one: each causes the next, and
    /// the last the first.
    #[must_use]
    pub fn circle(&self) -> Option<Vec<EventKind>> {
        let starts: OrderedSet<_> = self.reactions.iter().map(|reaction| reaction.on).collect();
        starts.into_iter().find_map(|start| self.path(start, start, &mut vec![start]))
    }

    fn path(
        &self,
        from: EventKind,
        to: EventKind,
        walked: &mut Vec<EventKind>,
    ) -> Option<Vec<EventKind>> {
        let caused = self.reactions.iter().filter(|reaction| reaction.on == from);
        for next in caused.flat_map(|reaction| reaction.success.into_iter().chain(reaction.failure))
        {
            if next == to {
                return Some(walked.clone());
            }
            if !walked.contains(&next) {
                walked.push(next);
                if let Some(found) = self.path(next, to, walked) {
                    return Some(found);
                }
                walked.pop();
            }
        }
        None
    }

    /// How many services take part: how many code bases a stuck order is looked for in.
    #[must_use]
    pub fn services(&self) -> usize {
        self.reactions.iter().map(|reaction| reaction.service).collect::<OrderedSet<_>>().len()
    }
}
