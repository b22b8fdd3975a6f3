//! A short string: what AMQP calls a name or key of up to 255 bytes.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The name of a queue or exchange, a routing key, or the name of a header. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortString(Arc<str>);

impl ShortString {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ShortString {
    fn from(text: &str) -> Self {
        Self(Arc::from(text))
    }
}

impl Default for ShortString {
    fn default() -> Self {
        Self::from("")
    }
}

impl Deref for ShortString {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ShortString {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ShortString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ShortString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
