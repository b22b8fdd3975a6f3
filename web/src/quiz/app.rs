//! The application of a quiz in one element.

use std::rc::Rc;

use course::leitner::Memory;
use course::quiz::{Quiz, Verdict};
use yew::prelude::*;

use super::{Act, Rules, Sitting, frame};
use crate::asked::Asked;
use crate::browser::{self, Detail, Telling};
use crate::element::Storage;
use crate::study::{Props, Shell};

/// The application of a quiz in one element.
pub struct App {
    pub(super) shell: Shell,
    pub(super) sitting: Option<Sitting>,
    memory: Memory,
    key: String,
    told: Told,
}

/// Whether the page has been told that everything is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    No,
    Yes,
}

impl Component for App {
    type Message = Asked;
    type Properties = Props<Quiz>;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let key = ["inflight-quiz:", &props.id].concat();
        let memory = match props.settings.storage {
            Storage::Local => Memory::read(&browser::recall(&key)),
            Storage::None => Memory::default(),
        };
        let shell = Shell::of(props);
        let mut app = App { shell, sitting: None, memory, key, told: Told::No };
        if let Ok(quiz) = &props.what {
            app.sit(quiz);
        }
        app
    }

    fn update(&mut self, _: &Context<App>, asked: Asked) -> bool {
        match asked {
            Asked::Quiz(Act::Restart) => {
                let quiz = self.sitting.as_ref().map(|sitting| Rc::clone(sitting.quiz()));
                if let Some(quiz) = quiz {
                    self.sit(&quiz);
                }
            }
            Asked::Quiz(act) => self.act(act),
            asked => {
                let heard = self.shell.hear(asked);
                let rules = self.rules();
                if let Some(sitting) = &mut self.sitting {
                    sitting.rules = rules;
                }
                return heard;
            }
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        frame::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        if first {
            self.shell.ready();
        }
    }
}

impl App {
    fn rules(&self) -> Rules {
        Rules { attempts: self.shell.settings.attempts, reveal: self.shell.settings.reveal }
    }

    /// Begins a sitting.
    fn sit(&mut self, quiz: &Rc<Quiz>) {
        let rules = self.rules();
        let seed = self.shell.settings.seed.unwrap_or_else(browser::propose_seed);
        let quiz = Rc::clone(quiz);
        self.sitting = Some(Sitting::open(quiz, rules, &self.memory, browser::today(), seed));
        self.told = Told::No;
    }

    fn act(&mut self, act: Act) {
        let Some(sitting) = &mut self.sitting else { return };
        let first = sitting.paper().tries == 0;
        if let Some(verdict) = sitting.act(act) {
            let (id, tries) = (sitting.question().id.clone(), sitting.paper().tries);
            if first {
                self.memory.note(&id, verdict, browser::today());
                self.keep();
            }
            self.tell_answer(&id, verdict, tries);
        }
        self.tell_complete();
    }

    fn keep(&self) {
        if self.shell.settings.storage == Storage::Local {
            browser::keep(&self.key, &self.memory.write());
        }
    }

    fn tell_answer(&mut self, item: &str, verdict: Verdict, tries: u32) {
        let (key, right) = match verdict {
            Verdict::Right => ("quiz.said.right", Detail::Yes),
            Verdict::Wrong => ("quiz.said.wrong", Detail::No),
        };
        self.shell.spoken = self.shell.words.text(key);
        let told = Telling::new("inflight-answer")
            .text("item", item)
            .with("right", right)
            .with("tries", Detail::Count(tries as usize));
        self.shell.host.tell(&told);
    }

    fn tell_complete(&mut self) {
        let Some(sitting) = self.sitting.as_ref().filter(|sitting| sitting.is_over()) else {
            return;
        };
        if std::mem::replace(&mut self.told, Told::Yes) == Told::Yes {
            return;
        }
        let (score, of) = (sitting.score(), sitting.papers.len());
        let passed = if score >= Quiz::pass_mark(of) { Detail::Yes } else { Detail::No };
        let told = Telling::new("inflight-complete")
            .with("score", Detail::Count(score))
            .with("of", Detail::Count(of))
            .with("passed", passed);
        self.shell.host.tell(&told);
    }
}
