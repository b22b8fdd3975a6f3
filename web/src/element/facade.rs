//! The façade: the few calls that a script on the page may make, version 1.

use js_sys::{Array, Object};
use scenario::wire::Value;
use wasm_bindgen::prelude::*;
use yew::AppHandle;

use super::App;
use crate::asked::Asked;
use crate::browser::values;
use crate::state::Act;

/// Answers a call.
///
/// # Errors
/// There is no such method, or it cannot take what it was given.
pub fn call(app: &AppHandle<App>, method: &str, given: &Array) -> Result<JsValue, JsValue> {
    let first = given.get(0);
    let act = match method {
        "load" => return Ok(JsValue::UNDEFINED),
        "play" => Act::Play,
        "pause" => Act::Pause,
        "step" if first.as_f64().is_some_and(|steps| steps < 0.0) => Act::StepBack,
        "step" => Act::Step,
        "seek" => match values::moment(&first) {
            Some(at) => Act::Seek(at),
            None => return Err(type_error("seek takes seconds, or a time like “34.2s”")),
        },
        "reset" => Act::Reset,
        "setState" => match first.as_string() {
            Some(state) => Act::Restore(state),
            None => return Err(type_error("setState takes what getState gave, a text")),
        },
        "getState" => return state(app),
        "snapshot" => return snapshot(app),
        "trace" => return Ok(app.get_component().map_or_else(String::new, |a| a.trace()).into()),
        _ => return Err(type_error("there is no such call")),
    };
    app.send_message(Asked::Act(act));
    Ok(JsValue::UNDEFINED)
}

/// The text of `run=`.
fn state(app: &AppHandle<App>) -> Result<JsValue, JsValue> {
    let Some(app) = app.get_component() else { return Ok(JsValue::UNDEFINED) };
    match app.run_state() {
        Some(Ok(state)) => Ok(state.into()),
        Some(Err(wrong)) => {
            Err(js_sys::Error::new(&[wrong.problem, ": ".to_owned(), wrong.repair].concat()).into())
        }
        None => Ok(JsValue::UNDEFINED),
    }
}

/// What is on the page now, in words and numbers.
fn snapshot(app: &AppHandle<App>) -> Result<JsValue, JsValue> {
    let shot = app.get_component().and_then(|app| app.snapshot());
    let Some(shot) = shot else { return Ok(Object::new().into()) };
    let or_null = |text: Option<String>| text.map_or(Value::Null, Value::Text);
    let gauges = shot.gauges.into_iter().map(|(label, value)| (label, Value::Text(value)));
    let fields = vec![
        ("title", Value::Text(shot.title)),
        ("seconds", Value::Number(shot.now.as_secs_f64())),
        ("end", Value::Number(shot.end.as_secs_f64())),
        ("playing", Value::Bool(shot.playing)),
        ("beat", or_null(shot.beat)),
        ("words", Value::Text(shot.words)),
        ("gauges", Value::record(gauges)),
        ("run", or_null(shot.run)),
    ];
    values::plain(&Value::record(fields))
}

fn type_error(text: &str) -> JsValue {
    js_sys::TypeError::new(&["in-flight: ", text].concat()).into()
}
