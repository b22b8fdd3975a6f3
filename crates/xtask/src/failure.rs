//! What went wrong in a task, and what the reader should do next.

use std::fmt;

/// The result of a task or of a part of one.
pub type Outcome<T = ()> = Result<T, Failure>;

/// A task that could not be finished.
#[derive(Debug)]
pub struct Failure {
    what: String,
    remedy: Option<String>,
    exit_status: i32,
}

impl Failure {
    /// A failure described in a few words.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: None, exit_status: 1 }
    }

    /// The same failure with what to do about it.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same failure, ending the process with the status of the command that failed.
    pub fn with_status(mut self, exit_status: i32) -> Self {
        self.exit_status = exit_status;
        self
    }

    /// What the process should exit with; never zero.
    pub fn exit_status(&self) -> i32 {
        if self.exit_status == 0 { 1 } else { self.exit_status }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "xtask: {}", self.what)?;
        match &self.remedy {
            Some(remedy) => write!(formatter, "\n  {remedy}"),
            None => Ok(()),
        }
    }
}
