//! Characters of a link: which stand for themselves, and how the others are written.

use std::fmt::Write;

/// Whether a character stands for itself within a text of a link.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@')
}

/// Appends a text.
pub(super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            ' ' => out.push('+'),
            c if is_plain(c) => out.push(c),
            c => {
                let _ = write!(out, "~{:x}~", u32::from(c));
            }
        }
    }
}

/// Whether a text would be read as a number if it stood bare.
pub(super) fn as_number(text: &str) -> Option<f64> {
    crate::wire::parse_number(text)
}

/// A number in decimal notation or, where that would not give it back exactly, as its bits.
pub(super) fn number(number: f64) -> String {
    crate::wire::decimal(number).unwrap_or_else(|| format!("0x{:016x}", number.to_bits()))
}

/// Undoes percent-encoding, once, if every `%` is followed by two hexadecimal digits and the
/// bytes are text; some programs encode an address twice.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
