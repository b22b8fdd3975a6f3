//! What quizzes, trees and worksheets share: what they are made from, what their applications keep,
//! the frame around them, and the run that is watched in it.

use std::rc::Rc;

use course::evidence::{Evidence, Stage};
use scenario::link::RunState;
use scenario::wire::Diagnostic;
use yew::prelude::*;

use crate::asked::Asked;
use crate::browser::{Host, Telling};
use crate::components::{FrameStyle, GoesOn, Nameplate, Page, heading, notices, sign_plate};
use crate::element::{App as RunApp, AppProps as RunProps, Autoplay, Settings, complaint};
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

/// A run that is watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it is of, by its position among the quiz's stages.
    pub stage: usize,
    /// The run.
    pub state: RunState,
}

impl Shown {
    /// The run of some evidence.
    #[must_use]
    pub fn evidence(evidence: &Evidence) -> Shown {
        Shown { stage: evidence.stage, state: evidence.state() }
    }
}

/// The run that is watched, in an application of its own.
pub fn watched(
    words: &Words,
    settings: &Settings,
    page: &Page,
    stages: &[Stage],
    shown: Option<&Shown>,
) -> Html {
    let stage = shown.and_then(|shown| Some((shown, stages.get(shown.stage)?)));
    let Some((shown, stage)) = stage else { return Html::default() };
    let run = shown.state.encode().unwrap_or_default();
    let key = [stage.name.as_str(), " ", &run].concat();
    let settings = Settings {
        run: Some(run),
        frame: FrameStyle::None,
        level: (page.level + 1).min(6),
        motion: settings.motion,
        autoplay: Autoplay::On,
        ..Settings::default()
    };
    // Its events are its own: what is played here is no exhibit of the page.
    let props = RunProps {
        words: words.clone(),
        exhibit: Ok(Rc::new(stage.exhibit.clone())),
        settings,
        wrong: Vec::new(),
        host: Host::default(),
        config: None,
    };
    let inner = html! { <RunApp ..props /> };
    let title = heading(page.level + 1, "q-run__title").say(page.words, "quiz.run");
    el("section", "q-run").key(key).with(title).with(inner).html()
}
