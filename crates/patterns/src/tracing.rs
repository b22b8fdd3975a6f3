//! Trace context: how a trace goes on where a message comes out of a queue.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`traceparent`] | the header of W3C Trace Context, read and written |
//! | [`span`] | spans and links of messaging, as OpenTelemetry's conventions have them |

pub mod span;
pub mod traceparent;

pub use span::{Continuation, Span, SpanKind, SpanOperation, Tracer};
pub use traceparent::{SpanId, TraceFlags, TraceId, TraceParent, TraceParentError};
