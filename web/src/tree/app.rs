//! The application of a decision tree in one element.

use std::rc::Rc;

use course::tree::{Next, Tree};
use yew::prelude::*;

use super::{Act, Walk, view};
use crate::asked::Asked;
use crate::browser::{self, Copied, Telling};
use crate::study::{Props, Shell};

/// The application of a decision tree in one element.
pub struct App {
    pub(super) shell: Shell,
    pub(super) walk: Option<Walk>,
}

impl Component for App {
    type Message = Asked;
    type Properties = Props<Tree>;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let tree = props.what.as_ref().ok();
        App { shell: Shell::of(props), walk: tree.map(|tree| Walk::begin(Rc::clone(tree))) }
    }

    fn update(&mut self, ctx: &Context<App>, asked: Asked) -> bool {
        match asked {
            Asked::Tree(Act::Copy) => self.copy(ctx),
            Asked::Tree(act) => self.act(act),
            Asked::Copied(copied, text) => {
                self.shell.spoken = match copied {
                    Copied::Yes => self.shell.words.text("tree.copied"),
                    Copied::No => text,
                };
            }
            asked => return self.shell.hear(asked),
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        view::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        if first {
            self.shell.ready();
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
        self.shell.spoken = match after {
            Next::Fork(fork) => walk.tree().forks[fork].ask.clone(),
            Next::End(end) => {
                self.shell.host.tell(&Telling::new("inflight-complete"));
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
