//! The application of a decision tree in one element.

use std::rc::Rc;

use course::tree::{Next, Tree};
use scenario::wire::Diagnostic;
use yew::prelude::*;

use super::{Act, Walk, view};
use crate::asked::Asked;
use crate::browser::{self, Copied, Host, Telling};
use crate::element::Settings;
use crate::words::Words;

/// What an element is made from.
#[derive(Clone, Debug, Properties)]
pub struct AppProps {
    /// The catalogue.
    pub words: Words,
    /// The tree, or what is wrong with it.
    pub tree: Result<Rc<Tree>, Vec<Diagnostic>>,
    /// The element's attributes.
    pub settings: Settings,
    /// What was wrong with them.
    pub wrong: Vec<Diagnostic>,
    /// Where events go.
    pub host: Host,
}

impl PartialEq for AppProps {
    /// An element is made from its properties once; later changes come as messages.
    fn eq(&self, _: &AppProps) -> bool {
        true
    }
}

/// The application of a decision tree in one element.
pub struct App {
    pub(super) words: Words,
    pub(super) settings: Settings,
    pub(super) walk: Option<Walk>,
    pub(super) broken: Vec<Diagnostic>,
    pub(super) wrong: Vec<Diagnostic>,
    /// What the live region holds.
    pub(super) spoken: String,
    host: Host,
}

impl Component for App {
    type Message = Asked;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let (walk, broken) = match &props.tree {
            Ok(tree) => (Some(Walk::begin(Rc::clone(tree))), Vec::new()),
            Err(wrong) => (None, wrong.clone()),
        };
        App {
            words: props.words.clone(),
            settings: props.settings.clone(),
            walk,
            broken,
            wrong: props.wrong.clone(),
            spoken: String::new(),
            host: props.host.clone(),
        }
    }

    fn update(&mut self, ctx: &Context<App>, asked: Asked) -> bool {
        match asked {
            Asked::Tree(Act::Copy) => self.copy(ctx),
            Asked::Tree(act) => self.act(act),
            Asked::Copied(copied, text) => {
                self.spoken = match copied {
                    Copied::Yes => self.words.text("tree.copied"),
                    Copied::No => text,
                };
            }
            Asked::Set(name, value) => {
                if let Err(repair) = self.settings.set(&name, value.as_deref()) {
                    let value = value.unwrap_or_default();
                    self.wrong.push(crate::element::complaint(&name, &value, repair));
                }
            }
            Asked::Act(crate::state::Act::Dismiss) => self.wrong.clear(),
            _ => return false,
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        view::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        if first {
            self.host.tell(&Telling::new("inflight-ready"));
        }
    }
}

impl App {
    fn act(&mut self, act: Act) {
        let Some(walk) = &mut self.walk else { return };
        let before = walk.at();
        walk.act(act);
        let after = walk.at();
        if before == after {
            return;
        }
        self.spoken = match after {
            Next::Fork(fork) => walk.tree().forks[fork].ask.clone(),
            Next::End(end) => {
                self.host.tell(&Telling::new("inflight-complete"));
                walk.tree().ends[end].advise.clone()
            }
        };
    }

    fn copy(&mut self, ctx: &Context<App>) {
        let Some(walk) = &self.walk else { return };
        let (text, scope) = (walk.text(), ctx.link().clone());
        let shown = text.clone();
        browser::copy(&text, move |copied| scope.send_message(Asked::Copied(copied, shown)));
    }
}
