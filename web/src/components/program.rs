//! The program: the lines of a handler as a list in which one line can be picked up and put down.
//!
//! The map lets one drag a line; here the same is done by tap and tap, or by keyboard alone: pick a
//! line, then choose the gap it goes to, or move it with the arrow keys.

use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};
use yew::{Html, NodeRef};

use super::Page;
use crate::asked::Asked;
use crate::markup::{Mark, On, el, row};

/// The handler, or the saga, that the exhibit lets one reorder.
pub struct ProgramList<'a> {
    /// The key of its title.
    pub title: &'static str,
    /// The labels of its lines.
    pub lines: &'a [String],
    /// The line in hand.
    pub held: Option<usize>,
    /// Where the list is.
    pub place: &'a NodeRef,
}

impl ProgramList<'_> {
    /// The lines, each a button.
    pub fn draw(&self, page: &Page) -> Html {
        if self.lines.len() < 2 {
            return Html::default();
        }
        let words = page.words;
        let hint = if self.held.is_some() { "program.put" } else { "program.pick" };
        let mut rows = Vec::new();
        for (i, label) in self.lines.iter().enumerate() {
            let gap = self.held.filter(|from| *from != i).map(|from| gap(page, label, from, i));
            let line = self.line(page, i, label);
            if self.held < Some(i) {
                rows.push(line);
                rows.extend(gap);
            } else {
                rows.extend(gap);
                rows.push(line);
            }
        }
        el("section", "program")
            .set("aria-label", page.landmark(self.title))
            .with(el("p", "").with(el("b", "").say(words, self.title)))
            .with(el("p", "program__hint").say(words, hint))
            .with(el("ol", "program__list").at(self.place).with(row(rows)))
            .html()
    }

    fn line(&self, page: &Page, i: usize, label: &String) -> Mark {
        let is_held = self.held == Some(i);
        let last = self.lines.len() - 1;
        let class = if is_held { "program__line is-held" } else { "program__line" };
        let line = page
            .ask(class, Asked::Hold((!is_held).then_some(i)))
            .is("aria-pressed", is_held)
            .on(On::Key, page.on, move |event| key(event, i, last, is_held))
            .text(label);
        el("li", "").with(line)
    }
}

/// A key on a line: the arrows move the line that is in hand.
fn key(event: &Event, line: usize, last: usize, is_held: bool) -> Option<Asked> {
    let to = match event.unchecked_ref::<KeyboardEvent>().key().as_str() {
        "ArrowUp" => line.checked_sub(1),
        "ArrowDown" => (line < last).then_some(line + 1),
        "Escape" => return Some(Asked::Hold(None)),
        _ => return None,
    };
    event.prevent_default();
    event.stop_propagation();
    let to = to.filter(|_| is_held)?;
    Some(Asked::Move { from: line, to, then: Some(to) })
}

/// The focus goes with the line that is held, wherever it has been moved to.
pub fn focus_held(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    if let Ok(Some(line)) = list.query_selector(".is-held") {
        // Focus is a courtesy; an element that refuses it is still there.
        let _ = line.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

fn gap(page: &Page, beside: &str, from: usize, to: usize) -> Mark {
    let key = if to < from { "program.before" } else { "program.after" };
    let gap = page.ask("program__gap", Asked::Move { from, to, then: None });
    el("li", "").with(gap.text(page.words.say(key, &[("line", beside)])))
}
