//! An event store: streams of events, each with its own version, in one order over all.

use std::collections::BTreeMap;
use std::fmt;

use sim::SimTime;

/// An event as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recorded<E> {
    /// Its place among all events, from 1.
    pub position: u64,
    /// In which stream.
    pub stream: u64,
    /// Its place in the stream, from 1.
    pub version: u64,
    /// When it was recorded.
    pub at: SimTime,
    /// The event.
    pub event: E,
}

/// What an append expects of its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Nothing: it takes whatever version there is, and so may overwrite a decision that it has not
    /// seen.
    Any,
    /// That there is none.
    NoStream,
    /// That this is its last version.
    Version(u64),
}

/// Why nothing was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AppendError {
    /// Another has appended since: read again, decide again.
    WrongVersion {
        /// The version that the stream is at.
        actual: u64,
    },
}

/// A state kept from before, to begin from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot<S> {
    /// The version that it stands for.
    pub version: u64,
    /// The state.
    pub state: S,
}

/// An event store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventStore<E> {
    events: Vec<Recorded<E>>,
    /// The places of a stream's events, in order.
    streams: BTreeMap<u64, Vec<usize>>,
}

impl<E> Default for EventStore<E> {
    fn default() -> Self {
        Self { events: Vec::new(), streams: BTreeMap::new() }
    }
}

impl<E> EventStore<E> {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends events to a stream, all or none. Answers with its new version.
    ///
    /// # Errors
    /// If the stream is not as expected.
    pub fn append(
        &mut self,
        now: SimTime,
        stream: u64,
        expected: Expected,
        events: impl IntoIterator<Item = E>,
    ) -> Result<u64, AppendError> {
        let actual = self.version(stream);
        let as_expected = match expected {
            Expected::Any => true,
            Expected::NoStream => actual == 0,
            Expected::Version(version) => actual == version,
        };
        if !as_expected {
            return Err(AppendError::WrongVersion { actual });
        }
        let places = self.streams.entry(stream).or_default();
        for event in events {
            places.push(self.events.len());
            let (position, version) = (self.events.len() as u64 + 1, places.len() as u64);
            self.events.push(Recorded { position, stream, version, at: now, event });
        }
        Ok(places.len() as u64)
    }

    /// The version of a stream: how many events it has.
    #[must_use]
    pub fn version(&self, stream: u64) -> u64 {
        self.streams.get(&stream).map_or(0, |places| places.len() as u64)
    }

    /// The events of a stream after a version.
    pub fn stream(&self, stream: u64, after: u64) -> impl Iterator<Item = &Recorded<E>> {
        let places = self.streams.get(&stream).map_or(&[][..], Vec::as_slice);
        places.iter().skip(after as usize).map(|place| &self.events[*place])
    }

    /// All events after a position, in order.
    #[must_use]
    pub fn after(&self, position: u64) -> &[Recorded<E>] {
        self.events.get(position as usize..).unwrap_or_default()
    }

    /// The state of a stream: its events, one after another, from a snapshot or from nothing. Tells
    /// how many events it took.
    pub fn load<S: Clone>(
        &self,
        stream: u64,
        initial: S,
        snapshot: Option<&Snapshot<S>>,
        mut apply: impl FnMut(&mut S, &E),
    ) -> (S, u64) {
        let (mut state, after) = match snapshot {
            Some(snapshot) => (snapshot.state.clone(), snapshot.version),
            None => (initial, 0),
        };
        let mut read = 0;
        for recorded in self.stream(stream, after) {
            apply(&mut state, &recorded.event);
            read += 1;
        }
        (state, read)
    }
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::WrongVersion { actual } = self;
        write!(f, "the stream is at version {actual}: read it again and decide again")
    }
}

impl std::error::Error for AppendError {}
