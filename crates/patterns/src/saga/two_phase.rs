//! Two-phase commit: all vote, then all do what the coordinator decides.
//!
//! Jim Gray, "Notes on Data Base Operating Systems", 1978; presumed abort: Mohan, Lindsay and
//! Obermarck, 1986. Between its vote and the decision a participant is *in doubt*: it holds its
//! locks and can decide nothing alone. A coordinator that dies there leaves all of them so until it
//! is back; locks are held as long as the slowest takes to vote.
//!
//! ```text
//!   coordinator                       participant
//!   ───────────                       ───────────
//!   voting ── prepare ──────────────▶ locks, writes, votes
//!     │      ◀────────────── yes ──── prepared (in doubt)
//!     ▼ all yes                         │
//!   committing ── commit ────────────▶  ▼ committed, unlocks
//!     │           ◀─────────── ack
//!     ▼
//!   ended
//!
//!   one no, or a timeout: aborting ── abort ──▶ aborted, unlocks
//! ```

use sim::{SimDuration, SimTime};

/// What the coordinator is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It waits for votes.
    Voting,
    /// All said yes, and the decision is on disk: it tells everyone until everyone has acked.
    Committing,
    /// It tells everyone that has not said no to abort. Nothing is on disk: who asks later and finds
    /// nothing is told to abort.
    Aborting,
    /// Everyone knows.
    Ended(Decision),
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// All commit.
    Commit,
    /// All abort.
    Abort,
}

/// A vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vote {
    /// It is prepared to commit, and will be able to whatever happens.
    Yes,
    /// It has aborted.
    No,
}

/// What the coordinator tells a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Vote.
    Prepare,
    /// Commit.
    Commit,
    /// Abort.
    Abort,
}

/// The coordinator of one transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Coordinator {
    phase: Phase,
    votes: Vec<Option<Vote>>,
    acks: Vec<Option<Decision>>,
    times_out_at: Option<SimTime>,
}

impl Coordinator {
    /// Starts: every participant is to be told [`Order::Prepare`]. Votes that take longer than
    /// `timeout` count as no.
    #[must_use]
    pub fn start(now: SimTime, participants: usize, timeout: Option<SimDuration>) -> Self {
        Self {
            phase: Phase::Voting,
            votes: vec![None; participants],
            acks: vec![None; participants],
            times_out_at: timeout.map(|timeout| now + timeout),
        }
    }

    /// What it is at.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// A vote comes in.
    pub fn vote(&mut self, participant: usize, vote: Vote) {
        if self.phase != Phase::Voting {
            return;
        }
        self.votes[participant] = Some(vote);
        if vote == Vote::No {
            self.abort();
        } else if self.votes.iter().all(|vote| *vote == Some(Vote::Yes)) {
            self.phase = Phase::Committing;
            self.times_out_at = None;
        }
    }

    /// A participant has done what was decided.
    pub fn ack(&mut self, participant: usize) {
        let decision = match self.phase {
            Phase::Committing => Decision::Commit,
            Phase::Aborting => Decision::Abort,
            Phase::Voting | Phase::Ended(_) => return,
        };
        self.acks[participant] = Some(decision);
        if self.acks.iter().all(Option::is_some) {
            self.phase = Phase::Ended(decision);
        }
    }

    /// What to tell each participant that has not answered: also again, if that got lost.
    pub fn orders(&self) -> impl Iterator<Item = (usize, Order)> {
        let order = match self.phase {
            Phase::Voting => Some(Order::Prepare),
            Phase::Committing => Some(Order::Commit),
            Phase::Aborting => Some(Order::Abort),
            Phase::Ended(_) => None,
        };
        let answered = |place: usize| match self.phase {
            Phase::Voting => self.votes[place].is_some(),
            _ => self.acks[place].is_some(),
        };
        (0..self.votes.len())
            .filter(move |place| !answered(*place))
            .filter_map(move |place| Some((place, order?)))
    }

    /// Lets time pass: a vote that is missing at the end counts as no.
    pub fn advance(&mut self, now: SimTime) {
        if self.phase == Phase::Voting && self.times_out_at.is_some_and(|at| at <= now) {
            self.abort();
        }
    }

    /// When [`Coordinator::advance`] has something to do.
    #[must_use]
    pub const fn next_deadline(&self) -> Option<SimTime> {
        self.times_out_at
    }

    /// The coordinator dies and comes back: what was on disk stands, and only a decision to commit
    /// is. Presumed abort: without one, all abort.
    pub fn recover(&mut self) {
        if self.phase == Phase::Voting {
            self.abort();
        }
    }

    /// What a participant in doubt is told that asks.
    #[must_use]
    pub const fn inquire(&self) -> Option<Decision> {
        match self.phase {
            Phase::Voting => None,
            Phase::Committing => Some(Decision::Commit),
            Phase::Aborting => Some(Decision::Abort),
            Phase::Ended(decision) => Some(decision),
        }
    }

    fn abort(&mut self) {
        self.phase = Phase::Aborting;
        self.times_out_at = None;
        for (vote, ack) in self.votes.iter().zip(&mut self.acks) {
            // Who said no has aborted by itself.
            if *vote == Some(Vote::No) {
                *ack = Some(Decision::Abort);
            }
        }
        if self.acks.iter().all(Option::is_some) {
            self.phase = Phase::Ended(Decision::Abort);
        }
    }
}
