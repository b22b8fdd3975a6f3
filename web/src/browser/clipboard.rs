//! The address of the page, and putting a text where it can be pasted.

/// The address of the page that the exhibit stands in, without query and fragment.
#[must_use]
pub fn here() -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    let href = href.unwrap_or_default();
    let end = href.find(['?', '#']).unwrap_or(href.len());
    href[..end].to_owned()
}

/// Whether a text is in the clipboard now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// It is.
    Yes,
    /// The browser would not; it can be copied by hand.
    No,
}

/// Asks the browser to copy a text, and says what came of it.
pub fn copy(text: &str, done: impl FnOnce(Copied) + 'static) {
    #[cfg(target_arch = "wasm32")]
    if let Some(clipboard) = clipboard() {
        let asked = wasm_bindgen_futures::JsFuture::from(clipboard.write_text(text));
        yew::platform::spawn_local(async move {
            done(if asked.await.is_ok() { Copied::Yes } else { Copied::No });
        });
        return;
    }
    let _ = text;
    done(Copied::No);
}

/// The clipboard. Outside a secure context there is none, and the binding would throw.
#[cfg(target_arch = "wasm32")]
fn clipboard() -> Option<web_sys::Clipboard> {
    let navigator = web_sys::window()?.navigator();
    let board = js_sys::Reflect::get(&navigator, &"clipboard".into()).ok()?;
    (!board.is_undefined()).then(|| navigator.clipboard())
}
