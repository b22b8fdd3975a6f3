//! The application of a worksheet in one element.

use std::rc::Rc;

use course::sheet::{Marks, Sheet};
use scenario::wire::Value;
use yew::prelude::*;

use super::{Act, Desk, document, frame, result};
use crate::asked::Asked;
use crate::browser::{self, Content, Copied, Handed};
use crate::components::Page;
use crate::element::Storage;
use crate::study::{Props, Shell};

/// The application of a worksheet in one element.
pub struct App {
    pub(super) shell: Shell,
    pub(super) desk: Option<Desk>,
    /// What stands beside the buttons.
    pub(super) said: String,
    /// The document, where the browser would not copy it.
    pub(super) by_hand: Option<String>,
    pub(super) place: NodeRef,
    /// The file that was handed over last.
    handed: Option<Handed>,
}

impl Component for App {
    type Message = Asked;
    type Properties = Props<Sheet>;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let mut app = App {
            shell: Shell::of(props),
            desk: None,
            said: String::new(),
            by_hand: None,
            place: NodeRef::default(),
            handed: None,
        };
        if let Ok(sheet) = &props.what {
            let kept = match app.shell.settings.storage {
                Storage::Local => browser::recall(&app.key()),
                Storage::None => Value::Null,
            };
            app.desk = Some(Desk::open(Rc::clone(sheet), app.marks(), &kept));
        }
        app
    }

    fn update(&mut self, ctx: &Context<App>, asked: Asked) -> bool {
        match asked {
            Asked::Sheet(act) => self.act(ctx, &act),
            Asked::Copied(Copied::Yes, _) => self.say("sheet.copied"),
            Asked::Copied(Copied::No, text) => {
                self.by_hand = Some(text);
                self.say("sheet.not_copied");
            }
            asked => return self.shell.hear(asked),
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        frame::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        browser::put_marks(&self.place);
        if first {
            self.shell.ready();
        }
    }
}

impl App {
    fn key(&self) -> String {
        ["inflight-sheet:", &self.shell.id].concat()
    }

    fn marks(&self) -> Marks {
        let or = |key: &str, otherwise: String| {
            if self.shell.words.has(key) { self.shell.words.text(key) } else { otherwise }
        };
        let marks = Marks::default();
        Marks {
            thousands: or("number.thousands", marks.thousands),
            point: or("number.point", marks.point),
        }
    }

    /// Says something beside the buttons and in the live region.
    fn say(&mut self, key: &str) {
        self.said = self.shell.words.text(key);
        self.shell.spoken.clone_from(&self.said);
    }

    fn act(&mut self, ctx: &Context<App>, act: &Act) {
        let Some(desk) = &mut self.desk else { return };
        self.said.clear();
        self.by_hand = None;
        desk.act(act);
        match act {
            Act::Type(..) => {}
            Act::Settle | Act::Choose(..) | Act::Reset => {
                let title = desk.sheet().title.as_str();
                let page =
                    Page { words: &self.shell.words, on: &Callback::noop(), level: 1, title };
                self.shell.spoken = result::said(&page, desk);
            }
            Act::Copy => {
                let text = document(desk, &self.shell.words, &browser::here());
                let (link, kept) = (ctx.link().clone(), text.clone());
                browser::copy(&text, move |copied| link.send_message(Asked::Copied(copied, kept)));
                return;
            }
            Act::Save => {
                let text = document(desk, &self.shell.words, &browser::here());
                let name = [&self.shell.id, ".md"].concat();
                let kind = "text/markdown;charset=utf-8";
                match browser::hand_over(&name, kind, Content::Text(text)) {
                    Ok(handed) => {
                        self.handed = Some(handed);
                        self.said = self.shell.words.say("said.saved", &[("file", &name)]);
                    }
                    Err(why) => {
                        self.said = self.shell.words.say("said.not_saved", &[("why", &why)]);
                    }
                }
                self.shell.spoken.clone_from(&self.said);
                return;
            }
        }
        let kept = desk.kept();
        if self.shell.settings.storage == Storage::Local {
            browser::keep(&self.key(), &kept);
        }
    }
}
