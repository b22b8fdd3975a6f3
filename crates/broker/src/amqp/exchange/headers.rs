//! Header bindings: headers that a message must have.
//!
//! The rules are those of `rabbit_exchange_type_headers.erl`: `x-match` is `all` unless it says
//! otherwise; wanted headers whose name starts with `x-` are left out unless it ends in `-with-x`;
//! a wanted header without a value asks only that the message have one of that name. Values are
//! compared with their type. *All* of nothing is true, *any* of nothing is false.

use super::super::{BindError, Headers, Value};

/// How many of the wanted headers a message must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MatchRule {
    /// All, but for those that start with `x-`.
    #[default]
    All,
    /// At least one, not counting those that start with `x-`.
    Any,
    /// All.
    AllWithX,
    /// At least one.
    AnyWithX,
}

/// What a binding of a headers exchange asks for. Other exchanges do not look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HeadersMatch {
    /// How many of them.
    pub rule: MatchRule,
    /// The wanted headers.
    pub wanted: Headers,
}

impl MatchRule {
    /// Reads the `x-match` argument.
    ///
    /// # Errors
    /// [`BindError::UnknownMatch`], for which the broker closes the channel.
    pub fn parse(text: &str) -> Result<Self, BindError> {
        match text {
            "all" => Ok(Self::All),
            "any" => Ok(Self::Any),
            "all-with-x" => Ok(Self::AllWithX),
            "any-with-x" => Ok(Self::AnyWithX),
            other => Err(BindError::UnknownMatch { given: other.to_owned() }),
        }
    }
}

impl HeadersMatch {
    /// Does a message with these headers fit?
    #[must_use]
    pub fn matches(&self, headers: &Headers) -> bool {
        let with_x = matches!(self.rule, MatchRule::AllWithX | MatchRule::AnyWithX);
        let mut wanted = self.wanted.iter().filter(|(name, _)| with_x || !name.starts_with("x-"));
        let mut has = |(name, value): (_, &Value)| {
            let found = headers.get(name);
            found.is_some_and(|found| *value == Value::Void || found == value)
        };
        match self.rule {
            MatchRule::All | MatchRule::AllWithX => wanted.all(&mut has),
            MatchRule::Any | MatchRule::AnyWithX => wanted.any(&mut has),
        }
    }
}
