//! What is kept on the device, where the reader and the page allow it.

use scenario::wire::Value;

/// What is kept under a name; nothing where storage is blocked or empty.
#[must_use]
pub fn recall(name: &str) -> Value {
    #[cfg(target_arch = "wasm32")]
    {
        let text = storage().and_then(|storage| storage.get_item(name).ok().flatten());
        let parsed = text.and_then(|text| js_sys::JSON::parse(&text).ok());
        parsed.and_then(|value| super::values::document(&value).ok()).unwrap_or(Value::Null)
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let _ = name;
        Value::Null
    }
}

/// Keeps something under a name, if that is possible.
pub fn keep(name: &str, value: &Value) {
    #[cfg(target_arch = "wasm32")]
    {
        let text = super::values::plain(value).and_then(|value| js_sys::JSON::stringify(&value));
        if let (Some(storage), Ok(text)) = (storage(), text) {
            // A full or forbidden storage loses a convenience, and nothing else.
            let _ = storage.set_item(name, &String::from(text));
        }
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (name, value);
}

#[cfg(target_arch = "wasm32")]
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

/// Today, in days since 1970-01-01 by the clock of the device.
#[must_use]
pub fn today() -> u32 {
    #[cfg(target_arch = "wasm32")]
    {
        let zone = js_sys::Date::new_0().get_timezone_offset() * 60_000.0;
        ((js_sys::Date::now() - zone) / 86_400_000.0) as u32
    }
    #[cfg(not(target_arch = "wasm32"))]
    0
}
