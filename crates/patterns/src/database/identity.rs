//! Who is who in a database.

use std::fmt;

macro_rules! identity {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The one with this number, from 0.
            #[must_use]
            pub const fn from_index(index: u32) -> Self {
                Self(index)
            }

            /// Its number, from 0.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

identity! {
    /// A table.
    TableId;
    /// A transaction, numbered as it began. Not the number that PostgreSQL gives out (`xid`): that
    /// comes with the first write.
    TransactionId;
    /// A replication slot.
    SlotId;
}

/// A position in the write-ahead log, in bytes since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lsn(u64);

impl Lsn {
    /// The position after so many bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Bytes since the start of the log.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }
}
