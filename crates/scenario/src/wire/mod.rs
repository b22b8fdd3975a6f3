//! The wire format: how a scenario, an exhibit and the values of a link are written down.
//!
//! A document is read in two steps. First any serde deserializer (this crate does not know which)
//! fills a [`Value`], a plain tree in document order, within the bounds of [`crate::limits`]. Then
//! a [`Reader`] walks the tree and takes typed values out of it, and *every* thing that is wrong on
//! the way becomes a [`Diagnostic`]: where (a JSON pointer), what, and how to repair it. An author
//! sees all of them at once, not the first.
//!
//! ```
//! use scenario::wire::{Diagnostics, Reader, Value};
//!
//! let document = Value::record([("count", Value::Text("two".into()))]);
//! let wrong = Diagnostics::new();
//! let mut record = Reader::new(&document, &wrong).record().unwrap();
//! let count = record.required("count").and_then(|count| count.integer::<u32>(1..=50));
//! record.finish();
//! assert_eq!(count, None);
//! assert_eq!(wrong.into_vec()[0].path, "/count");
//! ```
//!
//! # What this module does not do
//! It knows no component, step or exhibit: those are read by their own types, through [`Reader`].
//! It does not parse JSON text.

mod deserialize;
mod diagnostic;
mod duration;
mod nearest;
mod number;
mod place;
mod pointer;
mod reader;
mod record;
mod value;
mod words;

pub(crate) use diagnostic::excerpt;
pub use diagnostic::{Diagnostic, Diagnostics};
pub use duration::{format_duration, format_time, parse_duration};
pub use nearest::nearest;
pub(crate) use number::decimal;
use number::rough;
pub use number::{WholeNumber, number_text, parse_number};
pub use pointer::Pointer;
pub use reader::Reader;
pub use record::RecordReader;
pub use value::Value;

#[cfg(test)]
mod tests;
