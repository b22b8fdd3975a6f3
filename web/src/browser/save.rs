//! Giving a text to the reader as a file.

/// Offers a text as a file of this name and kind, as if a link to it had been followed. The text
/// never leaves the device, and no policy for scripts or styles is asked.
pub fn save(name: &str, kind: &str, text: &str) {
    #[cfg(target_arch = "wasm32")]
    {
        // Without a place to put a file the button does nothing; the text can still be copied.
        let _ = offer(name, kind, text);
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (name, kind, text);
}

#[cfg(target_arch = "wasm32")]
fn offer(name: &str, kind: &str, text: &str) -> Option<()> {
    use wasm_bindgen::JsCast;
    use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let link = web_sys::window()?.document()?.create_element("a").ok()?;
    let link = link.dyn_into::<HtmlAnchorElement>().ok()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken the file by then, and the text need not stay in memory.
    let _ = Url::revoke_object_url(&address);
    Some(())
}
