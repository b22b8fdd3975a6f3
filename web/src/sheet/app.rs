//! The application of a worksheet in one element.

use std::rc::Rc;

use course::sheet::{Marks, Sheet};
use scenario::wire::{Diagnostic, Value};
use yew::prelude::*;

use super::{Act, Desk, document, frame, result};
use crate::asked::Asked;
use crate::browser::{self, Content, Copied, Handed, Host, Telling};
use crate::components::Page;
use crate::element::{Settings, Storage};
use crate::words::Words;

/// What an element is made from.
#[derive(Clone, Debug, Properties)]
pub struct AppProps {
    /// The catalogue.
    pub words: Words,
    /// The worksheet, or what is wrong with it.
    pub sheet: Result<Rc<Sheet>, Vec<Diagnostic>>,
    /// The element's attributes.
    pub settings: Settings,
    /// What was wrong with them.
    pub wrong: Vec<Diagnostic>,
    /// Where events go.
    pub host: Host,
    /// The name under which entries are kept, and of the file that is saved: the sheet's id.
    pub id: String,
}

impl PartialEq for AppProps {
    /// An element is made from its properties once; later changes come as messages.
    fn eq(&self, _: &AppProps) -> bool {
        true
    }
}

/// The application of a worksheet in one element.
pub struct App {
    pub(super) words: Words,
    pub(super) settings: Settings,
    pub(super) desk: Option<Desk>,
    pub(super) broken: Vec<Diagnostic>,
    pub(super) wrong: Vec<Diagnostic>,
    /// What the live region holds.
    pub(super) spoken: String,
    /// What stands beside the buttons.
    pub(super) said: String,
    /// The document, where the browser would not copy it.
    pub(super) by_hand: Option<String>,
    pub(super) place: NodeRef,
    host: Host,
    id: String,
    /// The file that was handed over last.
    handed: Option<Handed>,
}

impl Component for App {
    type Message = Asked;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let mut app = App {
            words: props.words.clone(),
            settings: props.settings.clone(),
            desk: None,
            broken: Vec::new(),
            wrong: props.wrong.clone(),
            spoken: String::new(),
            said: String::new(),
            by_hand: None,
            place: NodeRef::default(),
            host: props.host.clone(),
            id: props.id.clone(),
            handed: None,
        };
        match &props.sheet {
            Ok(sheet) => {
                let kept = match app.settings.storage {
                    Storage::Local => browser::recall(&app.key()),
                    Storage::None => Value::Null,
                };
                app.desk = Some(Desk::open(Rc::clone(sheet), app.marks(), &kept));
            }
            Err(wrong) => app.broken.clone_from(wrong),
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
        frame::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        browser::put_marks(&self.place);
        if first {
            self.host.tell(&Telling::new("inflight-ready"));
        }
    }
}

impl App {
    fn key(&self) -> String {
        ["inflight-sheet:", &self.id].concat()
    }

    fn marks(&self) -> Marks {
        let or = |key: &str, otherwise: String| {
            if self.words.has(key) { self.words.text(key) } else { otherwise }
        };
        let marks = Marks::default();
        Marks {
            thousands: or("number.thousands", marks.thousands),
            point: or("number.point", marks.point),
        }
    }

    /// Says something beside the buttons and in the live region.
    fn say(&mut self, key: &str) {
        self.said = self.words.text(key);
        self.spoken.clone_from(&self.said);
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
                let page = Page { words: &self.words, on: &Callback::noop(), level: 1, title };
                self.spoken = result::said(&page, desk);
            }
            Act::Copy => {
                let text = document(desk, &self.words, &browser::here());
                let (link, kept) = (ctx.link().clone(), text.clone());
                browser::copy(&text, move |copied| link.send_message(Asked::Copied(copied, kept)));
                return;
            }
            Act::Save => {
                let text = document(desk, &self.words, &browser::here());
                let name = [&self.id, ".md"].concat();
                let kind = "text/markdown;charset=utf-8";
                match browser::hand_over(&name, kind, Content::Text(text)) {
                    Ok(handed) => {
                        self.handed = Some(handed);
                        self.said = self.words.say("said.saved", &[("file", &name)]);
                    }
                    Err(why) => self.said = self.words.say("said.not_saved", &[("why", &why)]),
                }
                self.spoken.clone_from(&self.said);
                return;
            }
        }
        let kept = desk.kept();
        if self.settings.storage == Storage::Local {
            browser::keep(&self.key(), &kept);
        }
    }
}
