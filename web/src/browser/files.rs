//! Files for the reader to keep.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;

use super::js::Js;

/// What is in a file.
pub enum Content {
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A file that was handed to the browser. It is in memory until this is dropped.
#[derive(Debug)]
pub struct Handed {
    url: Js,
}

impl Drop for Handed {
    fn drop(&mut self) {
        // An address that is gone already needs no letting go.
        let _ = Js::global("URL").call("revokeObjectURL", std::slice::from_ref(&self.url.0));
    }
}

/// Hands a file to the browser, which keeps it where it keeps downloads.
///
/// # Errors
/// Why the browser makes no file, in its words.
pub fn hand_over(name: &str, kind: &str, content: Content) -> Result<Handed, String> {
    let part: JsValue = match content {
        Content::Text(text) => text.into(),
        Content::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
    };
    let options = Js(js_sys::Object::new().into());
    options.set("type", kind);
    let blob = Js::global("Blob").make(&[Array::of1(&part).into(), options.0])?;
    let url = Js::global("URL").call("createObjectURL", &[blob.0])?;
    let handed = Handed { url };
    let link = Js::global("document").call("createElement", &["a".into()])?;
    link.set("href", handed.url.0.clone());
    link.set("download", name);
    link.call("click", &[])?;
    Ok(handed)
}

/// The bytes of a `data:` address in base 64 (RFC 4648, section 4).
#[must_use]
pub fn bytes_of(address: &str) -> Vec<u8> {
    let digits = address.split_once(',').map_or("", |(_, digits)| digits);
    let mut out = Vec::with_capacity(digits.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 255) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::bytes_of;

    #[test]
    fn base_64_is_read() {
        let check = |digits: &str, want: &[u8]| {
            assert_eq!(bytes_of(&["data:x;base64,", digits].concat()), want, "{digits}");
        };
        check("", b"");
        check("Zg==", b"f");
        check("Zm8=", b"fo");
        check("Zm9vYmFy", b"foobar");
        check("/+8=", &[255, 239]);
    }
}
