//! Controls: settings of the scenario that the exhibit lets one change, each bound to its place.

use yew::prelude::*;

use crate::state::{Act, Dial};
use crate::words::Words;

/// The settings in hand.
pub struct ControlsPanel {
    /// The catalogue.
    pub words: Words,
    /// The settings.
    pub dials: Vec<Dial>,
    /// Where acts go.
    pub on: Callback<Act>,
}

impl ControlsPanel {
    /// A slider or a choice for each setting.
    pub fn draw(&self) -> Html {
        if self.dials.is_empty() {
            return Html::default();
        }
        html! {
            <div class="controls" role="group" aria-label={self.words.text("controls.label")}>
                { for self.dials.iter().map(|dial| control(self, dial)) }
            </div>
        }
    }
}

fn control(props: &ControlsPanel, dial: &Dial) -> Html {
    if dial.choices.is_empty() { slider(props, dial) } else { choice(props, dial) }
}

fn slider(props: &ControlsPanel, dial: &Dial) -> Html {
    let of = dial.clone();
    let oninput = props.on.reform(move |event: InputEvent| {
        let input: web_sys::HtmlInputElement = event.target_unchecked_into();
        of.act(input.value().parse().unwrap_or(0))
    });
    let at = [(dial.position * 100 / dial.last.max(1)).to_string().as_str(), "%"].concat();
    html! {
        <div class="slider">
            <label>
                { &dial.label }
                <input
                    type="range"
                    min="0"
                    max={dial.last.to_string()}
                    value={dial.position.to_string()}
                    data-at={at}
                    data-control={dial.pointer.clone()}
                    aria-valuetext={dial.shown.clone()}
                    oninput={oninput}
                />
            </label>
            <output aria-hidden="true">{ &dial.shown }</output>
            if !dial.note.is_empty() { <small>{ &dial.note }</small> }
        </div>
    }
}

fn choice(props: &ControlsPanel, dial: &Dial) -> Html {
    let of = dial.clone();
    let onchange = props.on.reform(move |event: Event| {
        let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
        of.act(u32::try_from(select.selected_index()).unwrap_or(0))
    });
    let chosen = usize::try_from(dial.position).unwrap_or(usize::MAX);
    html! {
        <label class="field">
            <span>{ &dial.label }</span>
            <select data-control={dial.pointer.clone()} onchange={onchange}>
                { for dial.choices.iter().enumerate().map(|(i, name)| html! {
                    <option selected={i == chosen}>{ name }</option>
                }) }
            </select>
        </label>
    }
}
