//! Batches: up to ten requests in one, each with an answer of its own.
//!
//! A batch that is well-formed succeeds as a whole, whatever comes of its entries: the caller must
//! look at every answer, and repeat what failed. (API, `SendMessageBatch`, `DeleteMessageBatch`,
//! `ChangeMessageVisibilityBatch`; recorded in LocalStack's `test_send_batch_message_size`.)
//!
//! What makes the service refuse a batch as a whole is [`BatchError`]. One is a surprise: a FIFO
//! batch in which a single entry lacks its group or deduplication id is refused altogether
//! (`test_send_batch_missing_deduplication_id_for_fifo_queue`).

use std::fmt;

use sim::{SimDuration, SimTime};

use super::{
    ChangeError, DeleteError, Deleted, Entry, MESSAGE_BYTES_MAX, Queue, ReceiptHandle, SendError,
    Sent,
};

/// The most entries in a batch.
pub const BATCH_MAX: usize = 10;

/// One request of a batch, with an id by which its answer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchEntry<R> {
    /// Distinct within the batch.
    pub id: u32,
    /// What is asked for.
    pub request: R,
}

/// A change of visibility, as a request of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Of which receive.
    pub receipt: ReceiptHandle,
    /// Counted from now.
    pub timeout: SimDuration,
}

/// The answers to a batch, in the order of its entries.
pub type Answers<T, E> = Vec<BatchEntry<Result<T, E>>>;

/// Why a batch was refused as a whole: nothing of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchError {
    /// There is no entry: leave the request out.
    Empty,
    /// There are more than [`BATCH_MAX`] entries: split the batch.
    TooMany {
        /// How many there are.
        entries: usize,
    },
    /// Two entries have the same id: number them.
    IdsNotDistinct {
        /// The id.
        id: u32,
    },
    /// The messages weigh more than [`MESSAGE_BYTES_MAX`] together, whatever the queue takes of one
    /// message: split the batch.
    TooLong {
        /// What they weigh.
        bytes: u64,
    },
    /// An entry for a FIFO queue has no group or no deduplication id: give it one.
    Incomplete {
        /// The id of the entry.
        id: u32,
        /// What it lacks.
        error: SendError,
    },
}

impl Queue {
    /// Sends up to ten messages.
    ///
    /// # Errors
    /// [`BatchError`]: nothing was stored. The failure of an entry is in its answer.
    pub fn send_batch(
        &mut self,
        now: SimTime,
        entries: &[BatchEntry<Entry>],
    ) -> Result<Answers<Sent, SendError>, BatchError> {
        well_formed(entries)?;
        let bytes = entries.iter().map(|entry| u64::from(entry.request.bytes)).sum();
        if bytes > u64::from(MESSAGE_BYTES_MAX) {
            return Err(BatchError::TooLong { bytes });
        }
        for entry in entries {
            if let Err(error) = self.address(&entry.request) {
                return Err(BatchError::Incomplete { id: entry.id, error });
            }
        }
        Ok(each(entries, |entry| self.send(now, entry)))
    }

    /// Deletes up to ten messages.
    ///
    /// # Errors
    /// [`BatchError`]: nothing was deleted. The failure of an entry is in its answer.
    pub fn delete_batch(
        &mut self,
        now: SimTime,
        entries: &[BatchEntry<ReceiptHandle>],
    ) -> Result<Answers<Deleted, DeleteError>, BatchError> {
        well_formed(entries)?;
        Ok(each(entries, |receipt| self.delete(now, receipt)))
    }

    /// Changes up to ten visibility timeouts.
    ///
    /// # Errors
    /// [`BatchError`]: nothing was changed. The failure of an entry is in its answer.
    pub fn change_visibility_batch(
        &mut self,
        now: SimTime,
        entries: &[BatchEntry<Change>],
    ) -> Result<Answers<SimTime, ChangeError>, BatchError> {
        well_formed(entries)?;
        Ok(each(entries, |change| self.change_visibility(now, change.receipt, change.timeout)))
    }
}

fn well_formed<R>(entries: &[BatchEntry<R>]) -> Result<(), BatchError> {
    if entries.is_empty() {
        return Err(BatchError::Empty);
    }
    if entries.len() > BATCH_MAX {
        return Err(BatchError::TooMany { entries: entries.len() });
    }
    for (index, entry) in entries.iter().enumerate() {
        if entries[..index].iter().any(|before| before.id == entry.id) {
            return Err(BatchError::IdsNotDistinct { id: entry.id });
        }
    }
    Ok(())
}

fn each<R: Copy, T>(entries: &[BatchEntry<R>], mut ask: impl FnMut(R) -> T) -> Vec<BatchEntry<T>> {
    let answer = |entry: &BatchEntry<R>| BatchEntry { id: entry.id, request: ask(entry.request) };
    entries.iter().map(answer).collect()
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a batch needs at least one entry"),
            Self::TooMany { entries } => {
                write!(f, "the batch has {entries} entries: at most {BATCH_MAX} are allowed")
            }
            Self::IdsNotDistinct { id } => write!(f, "two entries have the id {id}"),
            Self::TooLong { bytes } => {
                write!(f, "the batch has {bytes} bytes: at most {MESSAGE_BYTES_MAX} are allowed")
            }
            Self::Incomplete { id, error } => write!(f, "entry {id}: {error}"),
        }
    }
}

impl std::error::Error for BatchError {}
