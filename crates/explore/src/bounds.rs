//! How far an exploration goes.

use scenario::limits;
use scenario::wire::Reader;
use sim::SimDuration;

/// How far an exploration goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many crashes a run may have, 1 or 2.
    pub crashes: u8,
    /// How many messages are tried, those that are handled first.
    pub messages: usize,
    /// How many runs there may be, the undisturbed one aside.
    pub runs: usize,
    /// How many events of the calendar may be handled in all of them.
    pub states: usize,
    /// How long a process is away whose component does not say.
    pub restart_after: SimDuration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            crashes: 1,
            messages: 5,
            runs: 2_000,
            states: 20_000_000,
            restart_after: SimDuration::from_secs(10),
        }
    }
}

impl Bounds {
    /// Reads `{ "crashes": 2, "messages": 3, "runs": 500, "states": 1e6, "restart_after": "20s" }`,
    /// of which each may be left out. `None` if anything is wrong; the reader's sink then says what.
    #[must_use]
    pub fn read(reader: &Reader<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let own = Self::default();
        let crashes = record.optional("crashes").map_or(Some(own.crashes), |r| r.integer(1..=2));
        #[allow(clippy::cast_possible_truncation, reason = "limits are far below")]
        let mut count = |name: &str, own: usize, limit: limits::Limit| {
            let read = record.optional(name).map(|r| r.integer(1..=limit.max as u32));
            read.map_or(Some(own), |read| read.map(|count| count as usize))
        };
        let messages = count("messages", own.messages, limits::EXPLORED_MESSAGES);
        let runs = count("runs", own.runs, limits::EXPLORED_RUNS);
        let states = count("states", own.states, limits::EXPLORED_STATES);
        let long = SimDuration::ZERO..=SimDuration::from_secs(limits::RUN_DAYS.max as u64 * 86_400);
        let restart_after =
            record.optional("restart_after").map_or(Some(own.restart_after), |r| r.duration(long));
        record.finish();
        Some(Self {
            crashes: crashes?,
            messages: messages?,
            runs: runs?,
            states: states?,
            restart_after: restart_after?,
        })
    }
}
