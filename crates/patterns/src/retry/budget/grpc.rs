//! gRPC's retry throttling: `grpc/proposal:A6-client-retries.md`, "Throttling Retry Attempts and
//! Hedged RPCs".
//!
//! Each failure takes a token, each success gives back `token_ratio` of one, within 0 and
//! `max_tokens`. A retry needs *more than* half of the tokens; requests themselves are never held
//! back. A sustained share of failures above ratio / (1 + ratio) therefore ends all retries.

use std::fmt;

use super::Ruling;

/// Tokens are counted in thousandths, as the proposal has it ("Up to 3 decimal places").
const MILLI: u32 = 1_000;
/// The most that `maxTokens` may be.
const MAX_TOKENS: u32 = 1_000;

/// The token count that a channel keeps for one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GrpcThrottle {
    max_milli: u32,
    ratio_milli: u32,
    tokens_milli: u32,
}

/// Why a throttle was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThrottleError {
    /// `maxTokens` must be from 1 to 1000.
    MaxTokens {
        /// What was given.
        given: u32,
    },
    /// `tokenRatio` must be above 0.
    TokenRatio,
}

impl GrpcThrottle {
    /// A full count of `max_tokens`, of which a success gives back `token_ratio_milli` thousandths.
    ///
    /// # Errors
    /// A number outside of its range.
    pub const fn new(max_tokens: u32, token_ratio_milli: u32) -> Result<Self, ThrottleError> {
        if max_tokens == 0 || max_tokens > MAX_TOKENS {
            return Err(ThrottleError::MaxTokens { given: max_tokens });
        }
        if token_ratio_milli == 0 {
            return Err(ThrottleError::TokenRatio);
        }
        let max_milli = max_tokens * MILLI;
        Ok(Self { max_milli, ratio_milli: token_ratio_milli, tokens_milli: max_milli })
    }

    /// A request succeeded.
    pub const fn success(&mut self) {
        let given = self.tokens_milli.saturating_add(self.ratio_milli);
        self.tokens_milli = if given < self.max_milli { given } else { self.max_milli };
    }

    /// A request failed: may it be retried?
    pub const fn failure(&mut self) -> Ruling {
        self.tokens_milli = self.tokens_milli.saturating_sub(MILLI);
        self.ruling()
    }

    /// What a retry would be told now.
    #[must_use]
    pub const fn ruling(&self) -> Ruling {
        if self.tokens_milli > self.max_milli / 2 { Ruling::Allowed } else { Ruling::Denied }
    }

    /// The tokens, in thousandths.
    #[must_use]
    pub const fn tokens_milli(&self) -> u32 {
        self.tokens_milli
    }
}

impl fmt::Display for ThrottleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxTokens { given } => {
                write!(f, "max_tokens is {given}: it must be from 1 to {MAX_TOKENS}")
            }
            Self::TokenRatio => write!(f, "token_ratio is 0: it must be above"),
        }
    }
}

impl std::error::Error for ThrottleError {}
