//! The program: the lines of a handler as a list in which one line can be picked up and put down.
//!
//! The map lets one drag a line; here the same is done by tap and tap, or by keyboard alone: pick a
//! line, then choose the gap it goes to, or move it with the arrow keys.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::state::Act;
use crate::words::Words;

/// The handler that the exhibit lets one reorder.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ProgramListProps {
    /// The catalogue.
    pub words: Words,
    /// The labels of its lines.
    pub lines: Vec<AttrValue>,
    /// Where acts go.
    pub on: Callback<Act>,
}

/// The lines, each a button.
#[component]
pub fn ProgramList(props: &ProgramListProps) -> Html {
    let held = use_state_eq(|| None::<usize>);
    let list = use_node_ref();
    {
        // The focus goes with the line that is held, wherever it has been moved to.
        let list = list.clone();
        use_effect_with(*held, move |held| {
            if held.is_some() {
                focus_held(&list);
            }
        });
    }
    if props.lines.len() < 2 {
        return Html::default();
    }
    let words = &props.words;
    let hint = if held.is_some() { "program.put" } else { "program.pick" };
    let mut rows = Vec::new();
    for (i, label) in props.lines.iter().enumerate() {
        if let Some(from) = held.filter(|from| *from > i) {
            rows.push(gap(props, &held, from, i));
        }
        rows.push(row(props, &held, i, label));
        if let Some(from) = held.filter(|from| *from < i) {
            rows.push(gap(props, &held, from, i));
        }
    }
    html! {
        <section class="program" aria-label={words.text("program.title")}>
            <p><b>{ words.text("program.title") }</b></p>
            <p class="program__hint">{ words.text(hint) }</p>
            <ol class="program__list" ref={list}>{ for rows }</ol>
        </section>
    }
}

fn focus_held(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    if let Ok(Some(line)) = list.query_selector(".is-held") {
        // Focus is a courtesy; an element that refuses it is still there.
        let _ = line.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

fn row(
    props: &ProgramListProps,
    held: &UseStateHandle<Option<usize>>,
    i: usize,
    label: &AttrValue,
) -> Html {
    let is_held = **held == Some(i);
    let onclick = {
        let held = held.clone();
        Callback::from(move |_| held.set(if is_held { None } else { Some(i) }))
    };
    let last = props.lines.len() - 1;
    let onkeydown = {
        let (held, on) = (held.clone(), props.on.clone());
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowUp" => i.checked_sub(1),
                "ArrowDown" => (i < last).then_some(i + 1),
                "Escape" => {
                    held.set(None);
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            if let (true, Some(to)) = (is_held, to) {
                held.set(Some(to));
                on.emit(Act::Reorder { from: i, to });
            }
        })
    };
    html! {
        <li>
            <button
                type="button"
                class={classes!("program__line", is_held.then_some("is-held"))}
                aria-pressed={if is_held { "true" } else { "false" }}
                onclick={onclick}
                onkeydown={onkeydown}
            >
                { label }
            </button>
        </li>
    }
}

fn gap(
    props: &ProgramListProps,
    held: &UseStateHandle<Option<usize>>,
    from: usize,
    to: usize,
) -> Html {
    let onclick = {
        let (held, on) = (held.clone(), props.on.clone());
        Callback::from(move |_| {
            held.set(None);
            on.emit(Act::Reorder { from, to });
        })
    };
    let beside = &props.lines[to];
    let key = if to < from { "program.before" } else { "program.after" };
    html! {
        <li>
            <button type="button" class="program__gap" onclick={onclick}>
                { props.words.say(key, &[("line", beside)]) }
            </button>
        </li>
    }
}
