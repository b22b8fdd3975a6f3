//! The `traceparent` header: W3C Trace Context, level 2, §3.2
//! (<https://www.w3.org/TR/trace-context-2/#traceparent-header>), and its test suite
//! (`w3c/trace-context:test/test.py`).
//!
//! ```text
//!   00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
//!   │  └ trace id, 16 bytes, not zero    │                └ flags: 1 sampled, 2 random
//!   └ version, not ff                    └ parent id, 8 bytes, not zero
//! ```
//!
//! Lower-case hexadecimal only. Version 00 ends after the flags; a higher version may go on after
//! another dash. What does not read starts a new trace, as if the header were not there.

use std::fmt;

use sim::Stream;

/// Which trace: 16 bytes, not all zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(u128);

/// Which span: 8 bytes, not all zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(u64);

/// The flags of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceFlags(u8);

/// Where a trace is: what a message carries in its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TraceParent {
    /// Which trace.
    pub trace: TraceId,
    /// The span that is going on.
    pub span: SpanId,
    /// The flags.
    pub flags: TraceFlags,
}

/// Why a header starts a new trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceParentError {
    /// It is too short, or its dashes are in other places.
    Shape,
    /// A character that is no lower-case hexadecimal digit.
    NotHexadecimal,
    /// Version ff.
    ForbiddenVersion,
    /// A trace id of zeros.
    ZeroTrace,
    /// A parent id of zeros.
    ZeroSpan,
    /// Something follows the flags that may not.
    TrailingData,
    /// The header is there more than once.
    Duplicate,
}

impl TraceId {
    /// The id with these bits, unless they are all zero.
    #[must_use]
    pub const fn new(bits: u128) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }
}

impl SpanId {
    /// The id with these bits, unless they are all zero.
    #[must_use]
    pub const fn new(bits: u64) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// A random one.
    pub fn draw(stream: &mut Stream) -> Self {
        loop {
            if let Some(id) = Self::new(stream.bits()) {
                return id;
            }
        }
    }
}

impl TraceFlags {
    /// The trace may be recorded.
    pub const SAMPLED: Self = Self(1);
    /// The lower 7 bytes of the trace id are random.
    pub const RANDOM: Self = Self(2);

    /// These bits, those without a meaning included.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all flags of another are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What goes on to the next: flags without a meaning are set to zero.
    #[must_use]
    pub const fn passed_on(self) -> Self {
        Self(self.0 & (Self::SAMPLED.0 | Self::RANDOM.0))
    }
}

impl TraceParent {
    /// Starts a trace.
    pub fn start(flags: TraceFlags, stream: &mut Stream) -> Self {
        let trace = loop {
            let bits = u128::from(stream.bits()) << 64 | u128::from(stream.bits());
            if let Some(trace) = TraceId::new(bits) {
                break trace;
            }
        };
        Self { trace, span: SpanId::draw(stream), flags }
    }

    /// Reads the header from all headers of that name, of which there must be one. Names are
    /// compared without regard to case.
    ///
    /// # Errors
    /// Why a new trace starts.
    pub fn read_headers<'a>(
        headers: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Option<Result<Self, TraceParentError>> {
        let mut found = headers.filter(|(name, _)| name.eq_ignore_ascii_case("traceparent"));
        let (_, value) = found.next()?;
        Some(match found.next() {
            Some(_) => Err(TraceParentError::Duplicate),
            None => Self::read(value),
        })
    }

    /// Reads a header.
    ///
    /// # Errors
    /// Why a new trace starts.
    pub fn read(header: &str) -> Result<Self, TraceParentError> {
        let text = header.trim_matches([' ', '\t']);
        let bytes = text.as_bytes();
        if bytes.len() < LENGTH || !text.is_ascii() {
            return Err(TraceParentError::Shape);
        }
        if [2, 35, 52].into_iter().any(|dash| bytes[dash] != b'-') {
            return Err(TraceParentError::Shape);
        }
        let version = hexadecimal(&text[..2])?;
        let trace = hexadecimal(&text[3..35])?;
        let span = hexadecimal(&text[36..52])?;
        let flags = hexadecimal(&text[53..55])?;
        match (version, bytes.get(LENGTH)) {
            (0xff, _) => return Err(TraceParentError::ForbiddenVersion),
            (0, Some(_)) => return Err(TraceParentError::TrailingData),
            (_, Some(next)) if *next != b'-' => return Err(TraceParentError::TrailingData),
            _ => {}
        }
        Ok(Self {
            trace: TraceId::new(trace).ok_or(TraceParentError::ZeroTrace)?,
            span: SpanId::new(span as u64).ok_or(TraceParentError::ZeroSpan)?,
            flags: TraceFlags(flags as u8),
        })
    }

    /// The same trace, with another span going on.
    #[must_use]
    pub const fn with_span(self, span: SpanId) -> Self {
        Self { span, flags: self.flags.passed_on(), ..self }
    }
}

const LENGTH: usize = 55;

fn hexadecimal(text: &str) -> Result<u128, TraceParentError> {
    let lower = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !lower {
        return Err(TraceParentError::NotHexadecimal);
    }
    u128::from_str_radix(text, 16).map_err(|_| TraceParentError::NotHexadecimal)
}

/// As a header, in version 00.
impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, span, flags } = self;
        write!(f, "00-{trace}-{span}-{:02x}", flags.bits())
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for TraceParentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shape => "too short, or its dashes are in other places",
            Self::NotHexadecimal => "a character that is no lower-case hexadecimal digit",
            Self::ForbiddenVersion => "version ff",
            Self::ZeroTrace => "a trace id of zeros",
            Self::ZeroSpan => "a parent id of zeros",
            Self::TrailingData => "something follows the flags",
            Self::Duplicate => "the header is there more than once",
        })
    }
}

impl std::error::Error for TraceParentError {}
