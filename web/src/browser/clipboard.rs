//! The address of the page, and putting a text where it can be pasted.

/// The address of the page that the exhibit stands in, without query and fragment.
#[must_use]
pub fn here() -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    let href = href.unwrap_or_default();
    let end = href.find(['?', '#']).unwrap_or(href.len());
    href[..end].to_owned()
}

/// Asks the browser to copy a text. Pages without permission refuse silently; the text is also
/// shown, so that it can be copied by hand.
pub fn copy(text: &str) {
    let Some(window) = web_sys::window() else { return };
    let navigator = window.navigator();
    // Outside a secure context the clipboard is not there at all, and the binding would throw.
    if js_sys::Reflect::get(&navigator, &"clipboard".into())
        .is_ok_and(|board| !board.is_undefined())
    {
        drop(navigator.clipboard().write_text(text));
    }
}
