//! What a database refuses.

use std::fmt;

use super::identity::TransactionId;
use super::value::Key;

/// Why a statement failed. The transaction has failed with it: roll it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatabaseError {
    /// A row with this key is there: the work was done before, or the key is not unique.
    UniqueViolation(Key),
    /// Waiting would never end, since the other transaction waits for this one: start over.
    Deadlock {
        /// Whom it would have waited for.
        with: TransactionId,
    },
    /// A lock was not to be had in time: start over later.
    LockTimeout,
    /// A lock was not to be had at once, and it was not to wait (`NOWAIT`).
    LockNotAvailable,
    /// The transaction has failed before: roll it back.
    TransactionFailed,
}

/// Why a transaction cannot do what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransactionError {
    /// It has ended, or never began.
    NotOpen,
    /// Its statement is still waiting for another transaction.
    Waiting,
    /// It is prepared: only the coordinator's word ends it.
    Prepared,
    /// It has failed: only a rollback ends it.
    Failed,
    /// It is not prepared: end it by commit or rollback.
    NotPrepared,
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UniqueViolation(key) => write!(f, "a row with key {key} is there"),
            Self::Deadlock { with } => write!(f, "a deadlock with transaction {with}"),
            Self::LockTimeout => write!(f, "a lock was not to be had in time"),
            Self::LockNotAvailable => write!(f, "a lock was not to be had at once"),
            Self::TransactionFailed => write!(f, "the transaction has failed: roll it back"),
        }
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotOpen => "the transaction is not open",
            Self::Waiting => "a statement of the transaction is still waiting",
            Self::Prepared => "the transaction is prepared: commit or roll back what is prepared",
            Self::Failed => "the transaction has failed: roll it back",
            Self::NotPrepared => "the transaction is not prepared",
        })
    }
}

impl std::error::Error for DatabaseError {}
impl std::error::Error for TransactionError {}
