//! Version, length and checksum around the body of a link.

use crate::limits;
use crate::wire::{Diagnostic, excerpt};

use super::{text, wrong};

const VERSION: &str = "1";
/// Characters of the checksum: twenty bits, so that one altered link in a million passes.
const SUM: usize = 4;
/// Digits and letters that are not taken for one another (Crockford's base 32).
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

const COPY_AGAIN: &str = "copy it again from the address bar";

/// The whole text of a link.
pub(super) fn wrap(body: &str) -> String {
    format!("{VERSION}.{}.{}.{body}", body.len(), checksum(body))
}

/// The body of a link, if it arrived whole. What follows it (a full stop or a bracket of the
/// sentence around the link) is dropped.
pub(super) fn unwrap(text: &str) -> Result<String, Diagnostic> {
    if text.chars().nth(limits::LINK.max).is_some() {
        return Err(wrong(
            format!("the link is longer than its bound: {}", limits::LINK),
            COPY_AGAIN,
        ));
    }
    let decoded = text.contains('%').then(|| text::percent_decoded(text)).flatten();
    // Form decoding turns the sign for a space into a space.
    let text = decoded.as_deref().unwrap_or(text).trim().replace(' ', "+");
    let mut parts = text.splitn(4, '.');
    let mut part = || parts.next().unwrap_or_default();
    let (version, length, sum, body) = (part(), part(), part(), part());
    check_version(version)?;
    let header = version.len() + length.len() + SUM + 3;
    let Ok(length) = length.parse::<usize>() else {
        return Err(if length.is_empty() {
            wrong("the link was cut short: only its beginning arrived", COPY_AGAIN)
        } else {
            altered()
        });
    };
    if length > limits::LINK.max {
        return Err(altered());
    }
    let (arrived, whole) = (text.chars().count(), header + length);
    if arrived < whole {
        return Err(wrong(
            format!("the link was cut short: {arrived} of {whole} characters arrived"),
            COPY_AGAIN,
        ));
    }
    let body: String = body.chars().take(length).collect();
    if checksum(&body) == sum { Ok(body) } else { Err(altered()) }
}

fn check_version(version: &str) -> Result<(), Diagnostic> {
    if version == VERSION {
        return Ok(());
    }
    if version.is_empty() {
        return Err(wrong("the link holds no run", COPY_AGAIN));
    }
    if version.len() <= 3 && version.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong(
            format!("the link is of version {version}; this page reads version {VERSION}"),
            "open it on the site it was made on",
        ));
    }
    Err(wrong(format!("“{}” is not the beginning of a run", excerpt(version)), COPY_AGAIN))
}

fn altered() -> Diagnostic {
    wrong("the link was altered on its way: its characters do not match its checksum", COPY_AGAIN)
}

/// FNV-1a (64 bits), folded to twenty bits.
fn checksum(body: &str) -> String {
    let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let folded = hash ^ (hash >> 20) ^ (hash >> 40);
    let digit = |at: usize| char::from(DIGITS[(folded >> (5 * at)) as usize & 31]);
    (0..SUM).map(digit).collect()
}
