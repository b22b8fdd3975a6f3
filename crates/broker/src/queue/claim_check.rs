//! Claim check: a body that is too large for a queue is stored elsewhere, and the message carries a
//! reference to it.
//!
//! The rule is that of the Amazon SQS Extended Client Library
//! (<https://github.com/awslabs/amazon-sqs-java-extended-client-lib>): a body above a threshold goes
//! to an object store, up to 2 GB; the threshold's default is the size limit that queues once had.

use std::fmt;

/// The library's default threshold, in bytes.
pub const CLAIM_CHECK_THRESHOLD: u32 = 262_144;
/// The largest body that can be stored elsewhere, in bytes: 2 GB.
pub const CLAIM_CHECK_MAX: u64 = 2_000_000_000;

/// Which bodies are stored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offload {
    /// Those above this many bytes.
    Above(u32),
    /// All of them.
    Always,
}

/// How a body travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carriage {
    /// In the message.
    Inline {
        /// What the message weighs.
        bytes: u32,
    },
    /// In an object store; it must be stored before the message is sent, and can only be deleted
    /// after the message.
    Stored {
        /// What the message weighs: the reference.
        bytes: u32,
        /// What the body weighs.
        body: u64,
    },
}

/// A body above [`CLAIM_CHECK_MAX`]: split it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyTooLarge {
    /// What it weighs.
    pub bytes: u64,
}

/// How a sender carries its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimCheck {
    /// Which bodies are stored elsewhere.
    pub offload: Offload,
    /// What a reference weighs, in bytes: names of bucket and object in the library's.
    pub reference_bytes: u32,
}

impl ClaimCheck {
    /// Decides how a body of so many bytes travels.
    ///
    /// # Errors
    /// [`BodyTooLarge`]: there is no way.
    pub fn carry(&self, bytes: u64) -> Result<Carriage, BodyTooLarge> {
        if bytes > CLAIM_CHECK_MAX {
            return Err(BodyTooLarge { bytes });
        }
        let inline = match self.offload {
            Offload::Always => None,
            Offload::Above(limit) => u32::try_from(bytes).ok().filter(|bytes| *bytes <= limit),
        };
        Ok(inline.map_or(Carriage::Stored { bytes: self.reference_bytes, body: bytes }, |bytes| {
            Carriage::Inline { bytes }
        }))
    }
}

impl fmt::Display for BodyTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body has {} bytes: at most {CLAIM_CHECK_MAX} can be stored", self.bytes)
    }
}

impl std::error::Error for BodyTooLarge {}
