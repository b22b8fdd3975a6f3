//! How far clocks are off.

use super::time::duration;
use crate::Skew;
use crate::wire::{Reader, RecordReader};

/// Reads `{ "behind": "20s" }` or `{ "ahead": "20s" }`.
pub(super) fn clock(reader: &Reader<'_>) -> Option<Skew> {
    let mut record = reader.record()?;
    let skew = off_by(&mut record);
    record.finish();
    skew
}

/// The same, of a clock that can tell whole seconds only.
pub(super) fn clock_of_seconds(reader: &Reader<'_>) -> Option<Skew> {
    let skew = clock(reader)?;
    whole(reader, skew).then_some(skew)
}

/// Reads one of the two fields from a record that has others.
pub(super) fn off_by(record: &mut RecordReader<'_>) -> Option<Skew> {
    let (word, inner) = record.one_of(&["behind", "ahead"])?;
    let by = duration(&inner)?;
    Some(if word == "ahead" { Skew::ahead(by) } else { Skew::behind(by) })
}

/// Whether a scheduler's clock can be off by this.
pub(super) fn whole(reader: &Reader<'_>, skew: Skew) -> bool {
    if !skew.is_whole() {
        reader.error("the clock of a scheduler tells seconds", "write whole seconds, like “20s”");
    }
    skew.is_whole()
}
