//! What quizzes, trees and worksheets share: what they are made from, what their applications keep,
//! and the frame around them.

use std::rc::Rc;

use scenario::wire::Diagnostic;
use yew::prelude::*;

use crate::asked::Asked;
use crate::browser::{Host, Telling};
use crate::components::{GoesOn, Nameplate, Page, notices, sign_plate};
use crate::element::{Settings, complaint};
use crate::markup::{Mark, On, el};
use crate::state;
use crate::words::Words;

/// What an element is made from that holds a `T`.
#[derive(Properties)]
pub struct Props<T: 'static> {
    /// The catalogue.
    pub words: Words,
    /// What it holds, or what is wrong with it.
    pub what: Result<Rc<T>, Vec<Diagnostic>>,
    /// The element's attributes.
    pub settings: Settings,
    /// What was wrong with them.
    pub wrong: Vec<Diagnostic>,
    /// Where events go.
    pub host: Host,
    /// The name under which things are kept: the id by which the element names it.
    pub id: String,
}

impl<T> PartialEq for Props<T> {
    /// An element is made from its properties once; later changes come as messages.
    fn eq(&self, _: &Props<T>) -> bool {
        true
    }
}

/// What each application keeps beside its own.
pub struct Shell {
    /// The catalogue.
    pub words: Words,
    /// The element's attributes.
    pub settings: Settings,
    /// What the live region holds.
    pub spoken: String,
    /// Where events go.
    pub host: Host,
    /// The name under which things are kept.
    pub id: String,
    broken: Vec<Diagnostic>,
    wrong: Vec<Diagnostic>,
}

impl Shell {
    /// From what an element is made from.
    #[must_use]
    pub fn of<T>(props: &Props<T>) -> Shell {
        Shell {
            words: props.words.clone(),
            settings: props.settings.clone(),
            spoken: String::new(),
            host: props.host.clone(),
            id: props.id.clone(),
            broken: props.what.as_ref().err().cloned().unwrap_or_default(),
            wrong: props.wrong.clone(),
        }
    }

    /// Answers what is asked of all of them, and says whether there is something to draw.
    pub fn hear(&mut self, asked: Asked) -> bool {
        match asked {
            Asked::Set(name, value) => {
                if let Err(repair) = self.settings.set(&name, value.as_deref()) {
                    self.wrong.push(complaint(&name, &value.unwrap_or_default(), repair));
                }
                true
            }
            Asked::Act(state::Act::Dismiss) => {
                self.wrong.clear();
                true
            }
            _ => false,
        }
    }

    /// Tells the page that the element is there.
    pub fn ready(&self) {
        self.host.tell(&Telling::new("inflight-ready"));
    }

    /// What there is to see if nothing can be read.
    pub fn unread(&self, page: &Page) -> Html {
        notices(page, &self.broken, GoesOn::No)
    }

    /// The frame: the sign, what is wrong with the attributes, and then these parts.
    pub fn frame(
        &self,
        page: &Page,
        plate: &Nameplate,
        parts: impl IntoIterator<Item = Html>,
    ) -> Mark {
        let id = "study-title".to_owned();
        let label = self.settings.label.as_ref();
        el("article", self.settings.frame.class())
            .maybe("aria-label", label)
            .maybe("aria-labelledby", label.is_none().then_some(&id))
            .set("tabindex", "-1")
            // Keys are those of its controls; a chapter around it is not to be turned by them.
            .on(On::Key, page.on, |event| {
                event.stop_propagation();
                None
            })
            .with(sign_plate(page, plate, self.settings.frame, id))
            .with(notices(page, &self.wrong, GoesOn::Yes))
            .with(Html::from_iter(parts))
            .with(el("p", "visually-hidden").set("role", "status").text(&self.spoken))
    }
}
